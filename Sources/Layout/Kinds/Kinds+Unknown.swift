import JSON

extension Kinds {
  /// The kinds that a page uses and that are not declared here, ascending. The page leaves out what uses them.
  public func unknown(in page: PageDefinition) -> [String] {
    let used = page.kinds
    return (used.sections.filter { sections[$0] == nil }.union(used.items.filter { items[$0] == nil })).sorted()
  }
}

extension PageDefinition {
  /// The names of the kinds that the page uses, fallbacks not among them.
  public var kinds: (sections: Set<String>, items: Set<String>) {
    var items = Set<String>()
    func take(_ item: ItemDefinition) {
      items.insert(item.kind)
      item.children.forEach(take)
    }
    for section in sections {
      [section.settings.header, section.settings.footer].compactMap { $0 }.forEach(take)
      if let outline = section.content.outline {
        items.formUnion(outline.kinds)
      } else {
        section.content.items.forEach(take)
        section.content.slots.values.forEach(take)
      }
    }
    settings.emptyState.map(take)
    settings.bar?.items(at: JSONPointer()).forEach { take($0.item) }
    return (Set(sections.map(\.settings.kind)), items)
  }
}
