/// A list of entity tags as a condition has it: `"a", W/"b"`. A tag may hold a comma (RFC 9110 §8.8.3).
struct EntityTagList {
  /// The tags that are not weak, quotes included: weak ones never match for a change (RFC 9110 §13.1.1).
  private(set) var strong: Set<String> = []
  /// All tags without `W/`, quotes included, for a weak comparison (RFC 9110 §13.1.2).
  private(set) var opaque: Set<String> = []

  /// `nil` for what is no list of at least one tag.
  init?(_ text: String) {
    var rest = text[...]
    while let first = rest.first {
      if first == "," || first == " " || first == "\t" {
        rest.removeFirst()
        continue
      }
      let isWeak = rest.hasPrefix("W/")
      if isWeak { rest.removeFirst(2) }
      guard rest.first == "\"", let end = rest.dropFirst().firstIndex(of: "\"") else { return nil }
      let tag = String(rest[...end])
      opaque.insert(tag)
      if !isWeak { strong.insert(tag) }
      rest = rest[rest.index(after: end)...]
    }
    if opaque.isEmpty { return nil }
  }
}
