import JSON

extension ChangeSummary {
  /// Sections that went, then those of the new state in its order.
  mutating func describeSections(from old: PageDefinition, to new: PageDefinition) {
    let before = Dictionary(old.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for section in old.sections where after[section.id] == nil { add("removed \(section.id)") }
    let moved = Set(LongestRun.moved(from: old.sections.map(\.id), to: new.sections.map(\.id)))
    let own = new.sections.map(\.id)
    for id in new.order() {
      guard let section = after[id] else { continue }
      guard let earlier = before[id] else {
        add("added \(section.settings.kind) \(id)")
        continue
      }
      if !describeIndex(of: id, from: old, to: new), moved.contains(id), let place = own.firstIndex(of: id) {
        let neighbour = place > 0 ? "after \(own[place - 1])" : "first"
        add("put \(id) \(neighbour) in the page's own order")
      }
      describeSettings(of: id, from: earlier.settings, to: section.settings)
      describeContent(of: id, from: earlier.content, to: section.content)
    }
  }

  /// Whether the default rule moved a section: operators gave it an index, or took it back.
  private mutating func describeIndex(
    of section: String, from old: PageDefinition, to new: PageDefinition
  ) -> Bool {
    let listed = [old, new].map { $0.sortRules.first { $0.name == SortRule.defaultName }?.indices[section] }
    guard listed[0] != listed[1] else { return false }
    let before = old.indices()[section]
    let after = new.indices()[section]
    guard let before, let after, before != after else { return false }
    add("moved \(section) from \(before) to \(after)")
    return true
  }

  private mutating func describeSettings(of id: String, from old: SectionSettings, to new: SectionSettings) {
    if old.isHidden != new.isHidden { add("\(new.isHidden ? "hid" : "restored") \(id)") }
    describe("the kind of \(id)", from: old.kind, to: new.kind) { $0 }
    if old.title.map({ ExactString($0) }) != new.title.map({ ExactString($0) }) {
      add(new.title.map { "renamed \(id) to \"\($0)\"" } ?? "took the operators' title off \(id)")
    }
    if old.layout != new.layout {
      add("changed the layout of \(id): \(Self.changedNames(from: old.layout, to: new.layout).enumeration)")
    }
    describeAudience(of: id, from: old.audience, to: new.audience)
    describeSchedule(of: id, from: old.schedule, to: new.schedule)
    if old.itemOrder != new.itemOrder {
      add(
        new.itemOrder.map {
          "sorted the items of \(id) by \($0.pointer)\($0.isDescending ? ", the greatest first" : "")"
        } ?? "left the items of \(id) in the order they were put")
    }
    describePart("header", of: id, from: old.header, to: new.header)
    describePart("footer", of: id, from: old.footer, to: new.footer)
  }

  private mutating func describePart(
    _ name: String, of section: String, from old: ItemDefinition?, to new: ItemDefinition?
  ) {
    switch (old, new) {
    case (nil, _?): add("gave \(section) a \(name)")
    case (_?, nil): add("removed the \(name) of \(section)")
    case (let old?, let new?): describeItem("the \(name) of \(section)", from: old, to: new, section: section)
    default: break
    }
  }

  private mutating func describeContent(of id: String, from old: SectionContent, to new: SectionContent) {
    guard old != new else { return }
    let (old, new) = (old.values, new.values)
    for name in Set(old.slots.keys).union(new.slots.keys).sorted() {
      switch (old.slots[name], new.slots[name]) {
      case (nil, _?): add("filled the slot \(name) of \(id)")
      case (_?, nil): add("emptied the slot \(name) of \(id)")
      case (let old?, let new?): describeItem("the slot \(name) of \(id)", from: old, to: new, section: id)
      default: break
      }
    }
    describeItems(of: id, below: nil, from: old.items, to: new.items)
  }

  /// The members that differ.
  static func changedNames(from old: JSONObject, to new: JSONObject) -> [String] {
    Set((old.names + new.names).map { ExactString($0) }).sorted().map(\.string).filter { old[$0] != new[$0] }
  }
}
