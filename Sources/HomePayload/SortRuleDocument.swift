import JSON

/// The sort rule that applies to a client, and the index of every section of the page (S1.3).
public struct SortRuleDocument: Hashable, Sendable {
  /// The page's id.
  public var page: String
  /// The rule's name.
  public var rule: String
  /// The sections in the page's own order, which decides between equal indices.
  public var indices: [(section: String, index: Int)]

  /// A document.
  public init(page: String, rule: String, indices: [(section: String, index: Int)]) {
    self.page = page
    self.rule = rule
    self.indices = indices
  }

  /// The canonical bytes; the members of `indices` ascend by index, equal ones in the page's own order.
  public var bytes: [UInt8] {
    var bytes: [UInt8] = []
    var object = ObjectEncoder(&bytes)
    object.string("page", page, &bytes)
    object.string("rule", rule, &bytes)
    object.name("indices", &bytes)
    var members = ObjectEncoder(&bytes)
    let ordered = indices.enumerated().sorted { ($0.element.index, $0.offset) < ($1.element.index, $1.offset) }
    for (_, entry) in ordered { members.int(entry.section, entry.index, &bytes) }
    members.close(&bytes)
    object.close(&bytes)
    return bytes
  }

  /// Whether two documents say the same.
  public static func == (left: SortRuleDocument, right: SortRuleDocument) -> Bool { left.bytes == right.bytes }

  /// Hashes what the document says.
  public func hash(into hasher: inout Hasher) { hasher.combine(bytes) }
}
