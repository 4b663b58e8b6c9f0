/// The syntax of language tags (RFC 5646 §2.1), without grandfathered tags.
public enum LanguageTag {
  /// Whether a text is a well-formed tag: `zh`, `zh-Hans-CN`, `sl-rozaj`, `en-u-nu-latn`.
  public static func isWellFormed(_ text: String) -> Bool {
    var subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...]
    guard let language = subtags.popFirst(), (2...3).contains(language.count), language.allSatisfy(isLetter) else {
      return false
    }
    if let script = subtags.first, script.count == 4, script.allSatisfy(isLetter) { subtags.removeFirst() }
    if let region = subtags.first, isRegion(region) { subtags.removeFirst() }
    while let variant = subtags.first, isVariant(variant) { subtags.removeFirst() }
    while let singleton = subtags.popFirst() {
      guard singleton.count == 1, singleton.allSatisfy(isAlphanumeric) else { return false }
      let least = singleton.first.map { $0 | 0x20 } == UInt8(ascii: "x") ? 1 : 2
      let values = subtags.prefix { (least...8).contains($0.count) && $0.allSatisfy(isAlphanumeric) }
      guard !values.isEmpty else { return false }
      subtags = subtags.dropFirst(values.count)
    }
    return true
  }

  /// Whether a text is a well-formed tag, or `*` for any locale.
  public static func isWellFormedOrAny(_ text: String) -> Bool { text == "*" || isWellFormed(text) }

  /// The names that are a tag which an earlier one spells otherwise: case says nothing (RFC 5646 §2.1.1).
  public static func respelt(among names: [String]) -> [String] {
    guard names.count > 1 else { return [] }
    var seen: Set<String> = []
    return names.filter { isWellFormed($0) && !seen.insert($0.lowercased()).inserted }
  }

  private typealias Subtag = Substring.UTF8View

  private static func isRegion(_ subtag: Subtag) -> Bool {
    (subtag.count == 2 && subtag.allSatisfy(isLetter)) || (subtag.count == 3 && subtag.allSatisfy(isDigit))
  }

  private static func isVariant(_ subtag: Subtag) -> Bool {
    guard subtag.allSatisfy(isAlphanumeric) else { return false }
    return (5...8).contains(subtag.count) || (subtag.count == 4 && subtag.first.map(isDigit) == true)
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }
}
