import JSONSchema

/// A BCP 47 language tag in its canonical case: `zh-Hans-CN`.
public struct Locale: Hashable, Sendable {
  /// The tag.
  public let tag: String

  /// A locale, `nil` when the text is no well-formed tag (RFC 5646 §2.1).
  public init?(_ text: String) {
    guard LanguageTag.isWellFormed(text) else { return nil }
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

  /// The tag and the shorter ones that RFC 4647 §3.4 lookup tries after it: `zh-Hans-CN`, `zh-Hans`, `zh`.
  public var lookupChain: [String] {
    var chain: [String] = []
    var subtags = tag.split(separator: "-")
    while !subtags.isEmpty {
      chain.append(subtags.joined(separator: "-"))
      subtags.removeLast()
      if subtags.last?.count == 1 { subtags.removeLast() }
    }
    return chain
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
