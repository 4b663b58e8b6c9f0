public import HomePayload

/// A page that came in the place of another.
public struct PageUpdate: Hashable, Sendable {
  /// The page that was held before; `nil` at first.
  public var old: Page?
  /// The page to show.
  public var page: Page
  /// What leads from the one to the other, whether the server sent it or the whole page; `nil` at first.
  public var changes: ChangeSet?

  /// An update.
  ///
  /// - Parameter changes: What leads from the old page to the new one; found when they are not given.
  public init(from old: Page?, to page: Page, changes: ChangeSet? = nil) {
    self.old = old
    self.page = page
    let isOfOld = changes.map { $0.from == old?.version } ?? false
    self.changes = isOfOld ? changes : old.map { ChangeSet.changes(from: $0, to: page) }
  }
}

/// What polling brings.
public enum PollEvent: Hashable, Sendable {
  /// There is another page to show.
  case changed(PageUpdate)
  /// An answer was of an older edition than the page that is held, and so was the one asked for past caches: a server lags
  /// behind. It was dropped; the page that is held stays, and the client asks again by itself.
  case dropped(PageRevision)
  /// A poll failed; the page that is held stays, and the client asks again by itself.
  case failed(ClientError, retryIn: Duration)
}
