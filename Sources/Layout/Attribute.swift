/// The value of a client attribute.
public enum AttributeValue: Hashable, Sendable {
  /// Text: a platform, a country.
  case text(String)
  /// A whole number: a bucket, a member tier.
  case integer(Int)
  /// A version in semantic order: `5.10.0` is above `5.9`.
  case version(AppVersion)
  /// A locale.
  case locale(Locale)
  /// Yes or no.
  case flag(Bool)
}

/// A declared client attribute, built in or custom.
public struct AttributeDeclaration: Hashable, Sendable {
  /// What values an attribute takes.
  public enum Kind: Hashable, Sendable {
    /// Text, of a closed list of values when one is given.
    case text(values: [String]?)
    /// A whole number within a range.
    case integer(ClosedRange<Int>)
    /// A version in semantic order.
    case version
    /// A locale.
    case locale
    /// `true` or `false`.
    case flag
  }

  /// The attribute's name, which is the query parameter's.
  public var name: String
  /// What values it takes.
  public var kind: Kind

  /// A declaration.
  public init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }
}

/// An app's version: numbers separated by dots, compared number by number, absent ones being zero.
public struct AppVersion: Hashable, Sendable {
  /// The numbers, without trailing zeros.
  public let numbers: [Int]

  /// A version.
  public init(numbers: [Int]) {
    let significant = numbers.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    self.numbers = Array(numbers.prefix(significant))
  }
}

/// A BCP 47 language tag in its canonical case: `zh-Hans-CN`.
public struct Locale: Hashable, Sendable {
  /// The tag.
  public let tag: String

  /// A locale whose tag is known to be well-formed.
  init(canonical tag: String) { self.tag = tag }
}
