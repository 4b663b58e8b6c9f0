import Foundation
import HomePayload

/// What outlives the app.
extension PageClient {
  /// Reads what was kept, once; nothing is asked before.
  func load() async {
    // What a preview shows is nobody's last good page, and the other way round.
    guard let storage, !settings.isPreview else { return }
    if loading == nil { loading = Task { await load(from: storage) } }
    await loading?.value
  }

  private func load(from storage: PageStorage) async {
    do {
      guard let record = try await storage.load(), !record.isEmpty else { return }
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

  /// Keeps something, and waits for that, though not for a storage that does not come back.
  func keep(_ record: Unsaved) async {
    guard let storage, !settings.isPreview else { return }
    unsaved = record
    if saving == nil { saving = Task { await save(to: storage) } }
    tickets += 1
    let ticket = tickets
    let seconds = settings.timing.keepMax
    await withCheckedContinuation { continuation in
      keeping[ticket] = continuation
      let saving = saving
      let limit = Task {
        try? await sleep(seconds)
        await isKept(ticket)
      }
      Task {
        await saving?.value
        limit.cancel()
        await isKept(ticket)
      }
    }
  }

  /// Asynchronous, so that it goes to the actor: the tasks of a continuation's closure do not (seen with Swift 6.3.1).
  private func isKept(_ ticket: Int) async { keeping.removeValue(forKey: ticket)?.resume() }

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

/// What is to be kept next.
enum Unsaved {
  case page(StoredPage)
  /// The client was reset.
  case nothing
}
