import Foundation
import HomePayload

/// What outlives the app.
extension PageClient {
  /// Reads what was kept, once; nothing is asked before, though a storage that does not come back is not waited for.
  func load() async {
    // What a preview shows is nobody's last good page, and the other way round.
    guard let storage, !settings.isPreview else { return }
    if loading == nil {
      let reading = Task { await load(from: storage) }
      self.reading = reading
      loading = Task {
        guard await !isDone(reading, within: settings.timing.keepMax), self.reading == reading else { return }
        storageFailure = tooLong
      }
    }
    await loading?.value
  }

  private var tooLong: String { "the storage takes longer than \(settings.timing.keepMax) s" }

  /// Leaves what the storage still brings: something newer is there.
  func stopReading() {
    reading?.cancel()
    reading = nil
  }

  private func load(from storage: PageStorage) async {
    let result: Result<Data?, any Error>
    do { result = .success(try await storage.load()) } catch { result = .failure(error) }
    guard !Task.isCancelled else { return }
    reading = nil
    if storageFailure == tooLong { storageFailure = nil }
    do {
      guard let record = try result.get(), !record.isEmpty else { return }
      guard record.count <= PageStorage.bytesMax, let stored = StoredPage(record: record) else {
        storageFailure = "what was kept is cut, damaged or of another form"
        return
      }
      // What another server or page left there says nothing here.
      guard StoredPage.place(stored.address) == StoredPage.place(address) else { return }
      let page = try Page(bytes: stored.bytes)
      guard page.id == settings.page else { return }
      guard admits(stored) else { return }
      let isWhole = page.isVersion(of: stored.bytes)
      if isWhole, !page.isVersion(of: page.canonicalBytes) { held.strangeBytes = stored.bytes }
      (held.page, held.revision) = (page, stored.revision)
      // Another version of the app may understand more of the same page, and so may this one of one that was kept in part.
      isOwn = isWhole && stored.address == address
      (since, kept) = (min(stored.since, date()), stored.since)
      // A loop that goes on already shows it at once.
      hasToShow = true
      interruption?()
    } catch { storageFailure = "what was kept cannot be read: \(error)" }
  }

  private var address: String { PageRequest.url(settings)?.absoluteString ?? "" }

  /// Keeps a page, as of when it was confirmed, and waits for that.
  func keep(_ held: HeldPage, _ since: Date) async {
    guard storage != nil, held.page != nil else { return }
    await keep(
      .page(
        StoredPage(
          address: address, revision: held.revision, since: since, bytes: held.bytes, signed: held.signed,
          highest: held.highest)))
  }

  /// Keeps something, and waits for that.
  func keep(_ record: Unsaved) async {
    guard let storage, !settings.isPreview else { return }
    unsaved = record
    if saving == nil { saving = Task { await save(to: storage) } }
    await waitUntilKept()
  }

  /// Waits until what is to be kept is, though not for a storage that does not come back.
  func waitUntilKept() async {
    guard let saving, await !isDone(saving, within: settings.timing.keepMax), self.saving == saving else { return }
    storageFailure = tooLong
  }

  private func save(to storage: PageStorage) async {
    while let next = unsaved {
      unsaved = nil
      do {
        switch next {
        case .nothing:
          try await storage.replace(with: Data()) { _ in true }
          kept = nil
        case .page(let page):
          let now = date()
          try await storage.replace(with: page.record) { record in
            StoredPage(record: record).map { !page.isOlder(than: $0, at: now) } ?? true
          }
          kept = page.since
        }
        storageFailure = nil
      } catch {
        storageFailure = "the page cannot be kept: \(error)"
        // Tried again with the next answer.
        kept = nil
      }
    }
    saving = nil
  }
}

/// Waits for something, though no longer than so many seconds: what does not come back is left alone. Cancellation of whoever
/// waits does not reach this.
///
/// - Returns: Whether it is done.
private func isDone(_ task: Task<Void, Never>, within seconds: TimeInterval) async -> Bool {
  await Task {
    let (ends, end) = AsyncStream<Bool>.makeStream()
    let limit = Task {
      try? await sleep(seconds)
      end.yield(false)
    }
    Task {
      await task.value
      limit.cancel()
      end.yield(true)
    }
    return await ends.first { _ in true } ?? true
  }.value
}

/// What is to be kept next.
enum Unsaved {
  case page(StoredPage)
  /// The client was reset.
  case nothing
}
