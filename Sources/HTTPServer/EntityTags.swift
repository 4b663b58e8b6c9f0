/// Lists of entity tags: `*`, or `"a", W/"b"`. A tag can hold a comma (RFC 9110 §8.8.3), so that they are no common list.
public enum EntityTags {
  /// Whether `list`, the value of one If-Match or If-None-Match field, is `*` or names `tag`.
  ///
  /// Empty members are ignored; what is not a tag ends the list, and what came before it counts.
  public static func list(_ list: Span<UInt8>, contains tag: Span<UInt8>, weakly: Bool) -> Bool {
    if list.equals("*") { return true }
    let isWeak = tag.extracting(first: 2).equals("W/")
    let wanted = isWeak ? tag.extracting(2...) : tag
    var index = 0
    while index < list.count {
      if list[index] == ASCII.comma || ASCII.isBlank(list[index]) {
        index += 1
        continue
      }
      let listedWeak = list.extracting(index...).extracting(first: 2).equals("W/")
      let start = listedWeak ? index + 2 : index
      guard start < list.count, list[start] == UInt8(ascii: "\""),
        let end = list.first(UInt8(ascii: "\""), from: start + 1)
      else { return false }
      if weakly || !(isWeak || listedWeak), list.extracting(start...end).equals(wanted) { return true }
      index = end + 1
    }
    return false
  }
}
