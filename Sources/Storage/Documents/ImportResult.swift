public import Layout

/// What an import did, or would do.
public struct ImportResult: Hashable, Sendable {
  /// Pages that were not there.
  public var added: [String] = []
  /// Pages that were there and differ.
  public var changed: [String] = []
  /// Pages that were there and are the same.
  public var unchanged: [String] = []
  /// Pages that were removed because the document does not have them.
  public var deleted: [String] = []
  /// The last edition of each page that was removed and had one; empty of what was not carried out.
  public var lastEditions: [String: EditionNumber] = [:]
  /// What happens to the named audiences.
  public var audiences: AudienceChanges
  /// Pictures that were not there.
  public var addedAssets: [AssetName] = []
  /// Pictures that existed and whose details changed.
  public var changedAssets: [AssetName] = []
  /// The former drafts of changed and removed pages.
  public var before: [String: PageDefinition] = [:]
  /// The new drafts of added and changed pages.
  public var after: [PageDefinition] = []
}

/// What an import does to the named audiences.
public struct AudienceChanges: Hashable, Sendable {
  /// All of them, before.
  public var before: [String: Predicate]
  /// All of them, after.
  public var after: [String: Predicate]

  /// The names of added ones.
  public var added: [String] { after.keys.filter { before[$0] == nil }.sorted() }
  /// The names of changed ones.
  public var changed: [String] {
    after.filter { name, predicate in before[name].map { $0 != predicate } ?? false }.keys.sorted()
  }
  /// The names of ones removed because the document lacks them.
  public var deleted: [String] { before.keys.filter { after[$0] == nil }.sorted() }
}
