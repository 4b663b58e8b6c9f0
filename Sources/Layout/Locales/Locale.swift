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
    var bytes = Array(text.utf8)
    var isAfterSingleton = false
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "-")) ?? bytes.count
      let isPlain = start > 0 && !isAfterSingleton
      let isScript = isPlain && end - start == 4 && bytes[start] > UInt8(ascii: "9")
      let isRegion = isPlain && end - start == 2
      for position in start..<end where bytes[position] > UInt8(ascii: "9") {
        let isUpper = isRegion || (isScript && position == start)
        bytes[position] = isUpper ? bytes[position] & 0xDF : bytes[position] | 0x20
      }
      isAfterSingleton = isAfterSingleton || (isPlain && end - start == 1)
      start = end + 1
    }
    return String(decoding: bytes, as: UTF8.self)
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
