import JSON

/// The names of pages, sections, kinds, rules, slots and audiences: a letter, then up to 63 letters, digits, `.`, `_`, `-`.
public enum Slug {
  /// The most characters a slug may have.
  public static let lengthMax = 64
  /// The most characters an item's id may have.
  public static let itemIDLengthMax = 128

  /// Whether a text is a slug.
  public static func isValid(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first), text.utf8.count <= lengthMax else { return false }
    return text.utf8.allSatisfy { isLetter($0) || isDigit($0) || ".-_".utf8.contains($0) }
  }

  /// Whether a text is an item's id: 1 to 128 letters, digits, `.`, `_`, `:`, `-`.
  public static func isValidItemID(_ text: String) -> Bool {
    (1...itemIDLengthMax).contains(text.utf8.count)
      && text.utf8.allSatisfy { isLetter($0) || isDigit($0) || ".-_:".utf8.contains($0) }
  }

  /// Whether a text is a slug; a problem when not.
  static func check(_ text: String, at pointer: JSONPointer, _ collector: ProblemCollector) -> Bool {
    if isValid(text) { return true }
    collector.add(
      pointer, .slug, "must be a letter and up to 63 letters, digits, '.', '_' or '-', not \"\(text)\"")
    return false
  }

  static func checkItemID(_ text: String, at pointer: JSONPointer, _ collector: ProblemCollector) -> Bool {
    if isValidItemID(text) { return true }
    collector.add(pointer, .itemID, "must be 1 to 128 letters, digits, '.', '_', ':' or '-', not \"\(text)\"")
    return false
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
