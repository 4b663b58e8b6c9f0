public import Layout

/// What clients can ask for of a page.
public enum Resource: Hashable, Sendable {
  /// The assembled page.
  case page
  /// The sort rule that applies (S1.3).
  case sortRule
  /// One section as it stands in the page (S1.3, S5.5).
  case section(String)
  /// Some items of a section's list that do not stand in the page. Of itself, since every page of ten thousand would have the
  /// room that a cursor takes.
  indirect case items(ListCursor)
}

extension Resource {
  /// Whether it is the same for as long as it is there.
  public var isImmutable: Bool {
    if case .items = self { true } else { false }
  }

  /// Whether clients join it with others to the page: only what is of one moment of one revision belongs together.
  public var isJoined: Bool {
    switch self {
    case .section, .sortRule: true
    case .page, .items: false
    }
  }

  /// The bytes that it takes in memory beside itself, about.
  var byteCount: Int {
    switch self {
    case .page, .sortRule: 0
    case .section(let id): id.utf8.count
    case .items(let cursor): cursor.byteCount
    }
  }
}
