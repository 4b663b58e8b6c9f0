/// A weak entity tag of 16 octets, `W/"3f9c0a7e51b2d684"`. Its octets lie where the tag is kept: to compare them takes no
/// look elsewhere.
public struct WeakTag: Equatable, Sendable {
  static let bytesCount = 20

  /// The octets, `W/` and the quotes among them.
  public let octets: InlineArray<20, UInt8>

  /// A tag.
  ///
  /// - Parameter opaque: The text between the quotes: 16 hexadecimal digits. A shorter text is padded with zeros, a
  ///   longer one cut.
  public init(_ opaque: String) {
    var octets = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    octets[0] = UInt8(ascii: "W")
    octets[1] = UInt8(ascii: "/")
    octets[2] = ASCII.quote
    octets[19] = ASCII.quote
    for (index, digit) in opaque.utf8.prefix(16).enumerated() { octets[3 + index] = digit }
    self.octets = octets
  }

  /// The tag as a field has it.
  public var text: String { octets.span.string }

  /// What stands between the quotes.
  public var opaque: String {
    let octets = octets
    return octets.span.extracting(3..<19).string
  }

  /// Whether both stand for the same content.
  public static func == (left: WeakTag, right: WeakTag) -> Bool {
    let (left, right) = (left.octets, right.octets)
    return left.span.equals(right.span)
  }
}

/// Lists of entity tags: `*`, or `"a", W/"b"`. A tag can hold a comma (RFC 9110 §8.8.3), so they cannot be split like
/// other lists.
public enum EntityTags {
  /// Calls `body` with each tag of a list, its quotes included, and whether it is weak, until it returns false.
  ///
  /// - Returns: Whether the list is one: a tag at least, empty members, and nothing else. What is not a tag ends the
  ///   list, and what came before it counts.
  @discardableResult
  public static func forEach(
    in list: Span<UInt8>, _ body: (_ opaque: Span<UInt8>, _ isWeak: Bool) -> Bool
  ) -> Bool {
    var isList = false
    var index = 0
    while index < list.count {
      if list[index] == ASCII.comma || ASCII.isBlank(list[index]) {
        index += 1
        continue
      }
      let isWeak = list.extracting(index...).extracting(first: 2).equals("W/")
      let start = isWeak ? index + 2 : index
      guard start < list.count, list[start] == ASCII.quote, let end = list.first(ASCII.quote, from: start + 1) else {
        return false
      }
      isList = true
      guard body(list.extracting(start...end), isWeak) else { return true }
      index = end + 1
    }
    return isList
  }

  /// Whether `list`, the value of one If-Match or If-None-Match field, is `*` or names `tag`.
  ///
  /// - Parameter weakly: Whether weak tags count (RFC 9110 §8.8.3.2).
  public static func list(_ list: Span<UInt8>, contains tag: Span<UInt8>, weakly: Bool) -> Bool {
    if list.equals("*") { return true }
    let isTagWeak = tag.extracting(first: 2).equals("W/")
    let wanted = isTagWeak ? tag.extracting(2...) : tag
    var isListed = false
    forEach(in: list) { opaque, isWeak in
      isListed = (weakly || !(isWeak || isTagWeak)) && opaque.equals(wanted)
      return !isListed
    }
    return isListed
  }
}
