/// Lists of entity tags: `*`, or `"a", W/"b"`. A tag can hold a comma (RFC 9110 §8.8.3), so that they are no common list.
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
