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
    let isOfOld = changes.map { $0.from == old?.version && $0.to == page.version } ?? false
    self.changes = isOfOld ? changes : old.map { ChangeSet.changes(from: $0, to: page) }
  }
}
