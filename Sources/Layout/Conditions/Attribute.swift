import JSON

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

extension AttributeValue {
  /// As a client writes it.
  public var written: String {
    switch self {
    case .text(let text): text
    case .integer(let number): String(number)
    case .version(let version): version.description
    case .locale(let locale): locale.tag
    case .flag(let flag): String(flag)
    }
  }
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

  /// The attributes that every client may send.
  public static let builtIn = [
    AttributeDeclaration(name: "platform", kind: .text(values: ["ios", "android", "web"])),
    AttributeDeclaration(name: "appVersion", kind: .version),
    AttributeDeclaration(name: "locale", kind: .locale),
    AttributeDeclaration(name: "bucket", kind: .integer(0...99)),
  ]

  /// The value that a text stands for; `nil` if the attribute cannot have it.
  public func value(of text: String) -> AttributeValue? {
    switch kind {
    case .text(let values):
      guard values?.contains(where: { JSON.isSame($0, text) }) ?? (!text.isEmpty && text.utf8.count <= 128) else {
        return nil
      }
      return .text(text)
    case .integer(let range):
      guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == 0x2D }), let value = Int(text),
        range.contains(value)
      else { return nil }
      return .integer(value)
    case .version: return AppVersion(text).map { .version($0) }
    case .locale: return Locale(text).map { .locale($0) }
    case .flag: return Bool(text).map { .flag($0) }
    }
  }

  /// What its values look like, for messages.
  public var expectation: String { expected.text }

  /// What its values look like.
  public var expected: Sentence {
    switch kind {
    case .text(let values?): .word(of: values)
    case .text: .textBytes(1...128, "text of 1 to 128 bytes")
    case .integer(let range): .wholeNumber(in: range)
    case .version: Sentence(.version, "a version such as 5.2.0")
    case .locale: Sentence(.locale, "a locale such as zh-Hans")
    case .flag: Sentence(.type, "true or false", ["allowed": ["boolean"]])
    }
  }
}
