import JSON

// What holds a text of operators or clients is the same when the text's code points are, which Swift's `==` of strings does
// not ask for (RFC 8259 §8.3): a title written with other bytes is a change.

extension AttributeValue {
  /// Whether two values are the same.
  public static func == (left: AttributeValue, right: AttributeValue) -> Bool {
    switch (left, right) {
    case (.text(let left), .text(let right)): JSON.isSame(left, right)
    case (.integer(let left), .integer(let right)): left == right
    case (.version(let left), .version(let right)): left == right
    case (.locale(let left), .locale(let right)): left == right
    case (.flag(let left), .flag(let right)): left == right
    default: false
    }
  }
}

extension Comparison {
  /// Whether two comparisons are the same.
  public static func == (left: Comparison, right: Comparison) -> Bool {
    switch (left, right) {
    case (.isIn(let left), .isIn(let right)), (.isNotIn(let left), .isNotIn(let right)): left == right
    case (.atLeast(let left), .atLeast(let right)), (.below(let left), .below(let right)): left == right
    case (.between(let left, let leftEnd), .between(let right, let rightEnd)): left == right && leftEnd == rightEnd
    case (.matches(let left), .matches(let right)): JSON.isSame(left, right)
    default: false
    }
  }
}

extension PageSettings {
  /// Whether two pages' settings are written the same.
  public static func == (left: PageSettings, right: PageSettings) -> Bool { left.json == right.json }
}

extension SectionSettings {
  /// Whether two sections' settings are written the same.
  public static func == (left: SectionSettings, right: SectionSettings) -> Bool { left.json == right.json }
}
