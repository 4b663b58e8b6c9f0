import JSON

extension SectionLinter {
  /// Titles of lists that leave one of the page's locales without a text.
  mutating func checkTitles(of lists: [ListDefinition]) {
    for (position, list) in lists.enumerated() {
      checkText(list.title, JSONPointer(["lists", String(position), "title"]))
    }
  }

  /// Lists that an item names and that are not there: no tab would show it.
  ///
  /// - Parameter lists: Those of the section for its items; none for what stands elsewhere.
  mutating func checkLists(of item: ItemDefinition, _ pointer: JSONPointer, among lists: [ListDefinition]) {
    let known = lists.map(\.id)
    for (position, name) in item.lists.enumerated() where !known.contains(name) {
      let words = known.isEmpty ? "there are none for it" : "there are \(known.joined(separator: ", "))"
      add(
        .unknownList, pointer.appending("lists").appending(position),
        Sentence(
          .unknownList, "\"\(name)\" is no list of the section; \(words)",
          ["name": .string(name), "known": .names(known)]))
    }
  }
}
