import Foundation
import HomePayload

/// What outlives the app.
extension PageClient {
  /// Reads what was kept, once; nothing is asked before.
  func load() async {
    guard let storage else { return }
    if loading == nil { loading = Task { await load(from: storage) } }
    await loading?.value
  }

  private func load(from storage: PageStorage) async {
    do {
      guard let record = try await storage.load() else { return }
      guard record.count <= PageStorage.bytesMax, let stored = StoredPage(record: record) else {
        storageFailure = "what was kept is cut, damaged or of another form"
        return
      }
      // What another server or page left there says nothing here.
      guard Self.place(stored.address) == Self.place(address) else { return }
      let page = try Page(bytes: stored.bytes)
      guard page.id == settings.page else { return }
      guard admits(stored) else { return }
      let isWhole = page.isVersion(of: stored.bytes)
      if isWhole, !page.isVersion(of: page.canonicalBytes) { strangeBytes = stored.bytes }
      (self.page, revision) = (page, stored.revision)
      // Another version of the app may understand more of the same page, and so may this one of one that was kept in part.
      isOwn = isWhole && stored.address == address
      since = min(stored.since, date())
      isKept = true
    } catch { storageFailure = "what was kept cannot be read: \(error)" }
  }

  private var address: String { PageRequest.url(settings)?.absoluteString ?? "" }

  /// The server and the page of an address.
  private static func place(_ address: String) -> Substring { address.prefix { $0 != "?" } }

  /// Keeps the page that is held.
  func keep() {
    // What a preview shows is nobody's last good page.
    guard let storage, page != nil, settings.preview == nil else { return }
    let stored = StoredPage(
      address: address, revision: revision, since: since ?? date(), bytes: heldBytes,
      signed: signed, highest: highest)
    unsaved = stored.record
    isKept = true
    if saving == nil { saving = Task { await save(to: storage) } }
  }

  private func save(to storage: PageStorage) async {
    while let record = unsaved {
      unsaved = nil
      do {
        try await storage.save(record)
        storageFailure = nil
      } catch {
        storageFailure = "the page cannot be kept: \(error)"
        // Tried again with the next answer.
        isKept = false
      }
    }
    saving = nil
  }
}
