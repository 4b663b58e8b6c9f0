import JSON

// Swift's `==` takes canonically equivalent strings for equal: one `é` for two code points. Here whatever is written as
// other bytes is another value, so that a change of it is never lost (RFC 8259 §8.3).

extension Item {
  /// Whether two items are written the same.
  public static func == (left: Item, right: Item) -> Bool {
    JSON.isSame(left.id, right.id) && left.hasSameMembers(as: right) && left.children == right.children
  }
}

extension Section {
  /// Whether two sections are written the same.
  public static func == (left: Section, right: Section) -> Bool {
    JSON.isSame(left.id, right.id) && left.hasSameMembers(as: right) && left.items == right.items
  }
}

extension Action.Target {
  /// Whether two targets are written the same.
  public static func == (left: Action.Target, right: Action.Target) -> Bool {
    switch (left, right) {
    case (.url(let left), .url(let right)), (.handler(let left), .handler(let right)): JSON.isSame(left, right)
    default: false
    }
  }
}

extension Action {
  /// Whether two actions are written the same.
  public static func == (left: Action, right: Action) -> Bool {
    left.target == right.target && left.attributes == right.attributes && JSON.isSame(left.event, right.event)
  }
}

extension SectionLayout.Background {
  /// Whether two backgrounds are written the same.
  public static func == (left: Self, right: Self) -> Bool {
    left.cornerRadius == right.cornerRadius && JSON.isSame(left.color, right.color)
  }
}

extension JSON {
  fileprivate static func isSame(_ left: String?, _ right: String?) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    return isSame(left, right)
  }
}
