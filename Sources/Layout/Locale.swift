import JSONSchema

/// A BCP 47 language tag in its canonical case: `zh-Hans-CN`.
public struct Locale: Hashable, Sendable {
  /// The most bytes of a tag: RFC 5646 §4.4.1 asks for 35 at least.
  public static let lengthMax = 64

  /// The tag.
  public let tag: String

  /// A locale, `nil` when the text is no well-formed tag (RFC 5646 §2.1), or too long.
  public init?(_ text: String) {
    guard text.utf8.count <= Self.lengthMax, LanguageTag.isWellFormed(text) else { return nil }
    tag = Self.canonical(text)
  }

  /// RFC 5646 §2.1.1: language in lower case, script in title case, region in upper case, until a singleton.
  private static func canonical(_ text: String) -> String {
    var isAfterSingleton = false
    return text.split(separator: "-").enumerated().map { index, subtag in
      defer { isAfterSingleton = isAfterSingleton || (index > 0 && subtag.count == 1) }
      if index == 0 || isAfterSingleton { return subtag.lowercased() }
      if subtag.count == 2 { return subtag.uppercased() }
      if subtag.count == 4, subtag.first?.isLetter == true {
        return subtag.prefix(1).uppercased() + subtag.dropFirst().lowercased()
      }
      return subtag.lowercased()
    }.joined(separator: "-")
  }

  /// Whether the tag is the range or begins with its subtags (RFC 4647 §3.3.1 basic filtering).
  public func matches(range: String) -> Bool {
    let tag = tag.lowercased()
    let range = range.lowercased()
    return range == "*" || tag == range || tag.hasPrefix(range + "-")
  }
}

extension Locale: CustomStringConvertible {
  /// The tag.
  public var description: String { tag }
}
