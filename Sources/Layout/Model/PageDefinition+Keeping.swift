extension PageDefinition {
  /// This page, with what another state of it has and this one does not name: sections, items, slots, sort rules and
  /// indices stay, behind what is named. What is named is as this page has it.
  public func keeping(_ current: PageDefinition) -> PageDefinition {
    var page = self
    let known = Dictionary(current.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    page.sections = sections.map { section in known[section.id].map(section.keeping) ?? section }
    let named = Set(sections.map(\.id))
    page.sections += current.sections.filter { !named.contains($0.id) }
    for rule in current.sortRules {
      if let position = page.sortRules.firstIndex(where: { $0.name == rule.name }) {
        page.sortRules[position].indices.merge(rule.indices) { own, _ in own }
      } else {
        page.sortRules.append(rule)
      }
    }
    return page
  }
}

extension SectionDefinition {
  fileprivate func keeping(_ current: SectionDefinition) -> SectionDefinition {
    var section = opened
    let current = current.content.values
    // An item that is named stays where it is named, be it in a slot now, or below another item.
    let named = Set(allItems.flatMap(\.ids))
    section.content.items += current.items.filter { !named.contains($0.id) }
    section.content.slots.merge(current.slots.filter { !named.contains($0.value.id) }) { own, _ in own }
    return section
  }
}

extension ItemDefinition {
  /// Its id, and its children's at any depth.
  fileprivate var ids: [String] { [id] + children.flatMap(\.ids) }
}
