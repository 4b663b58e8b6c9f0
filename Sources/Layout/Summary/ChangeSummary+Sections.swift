import JSON

extension ChangeSummary {
  /// Describes removed sections, then the new state's in its order.
  mutating func describeSections(from old: PageDefinition, to new: PageDefinition) {
    let before = Dictionary(old.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for section in old.sections where after[section.id] == nil {
      add(.sectionRemoved, "removed \(section.id)", of: .section(section.id))
    }
    let moved = Set(LongestRun.moved(from: old.sections.map(\.id), to: new.sections.map(\.id)))
    let own = new.sections.map(\.id)
    for id in new.order() {
      guard let section = after[id] else { continue }
      guard let earlier = before[id] else {
        let kind = section.settings.kind
        add(.sectionAdded, "added \(kind) \(id)", of: .section(id), ["kind": .string(kind)])
        continue
      }
      if !describeIndex(of: id, from: old, to: new), moved.contains(id), let place = own.firstIndex(of: id) {
        let before = place > 0 ? own[place - 1] : nil
        add(
          .sectionPut, "put \(id) \(before.map { "after \($0)" } ?? "first") in the page's own order", of: .section(id),
          JSONObject(present: [("after", before.map { .string($0) })]))
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
    add(
      .sectionMoved, "moved \(section) from \(before) to \(after)", of: .section(section),
      ["from": .count(before), "to": .count(after)])
    return true
  }

  private mutating func describeSettings(of id: String, from old: SectionSettings, to new: SectionSettings) {
    let section = Subject.section(id)
    if old.isHidden != new.isHidden {
      add(new.isHidden ? .sectionHidden : .sectionRestored, "\(new.isHidden ? "hid" : "restored") \(id)", of: section)
    }
    describe(
      .kindChanged, "the kind of \(id)", of: section, from: old.kind, to: new.kind, json: { .string($0) })
    describeTitle(of: id, from: old.title, to: new.title)
    if old.layout != new.layout {
      let names = Self.changedNames(from: old.layout, to: new.layout)
      add(
        .layoutChanged, "changed the layout of \(id): \(names.enumeration)", of: section, ["members": .names(names)])
    }
    describeAudience(of: section, from: old.audience, to: new.audience)
    describeSchedule(of: section, from: old.schedule, to: new.schedule)
    if old.loading != new.loading {
      let names = Self.changedNames(
        from: JSONObject(present: old.loading.members), to: JSONObject(present: new.loading.members))
      let text = "changed how the items of \(id) come: \(names.enumeration)"
      add(.loadingChanged, text, of: section, ["members": .names(names)])
    }
    describeItemOrder(of: id, from: old.itemOrder, to: new.itemOrder)
    if old.lists != new.lists {
      add(.listsChanged, "changed the lists that the tabs of \(id) choose", of: section)
    }
    describePart("header", of: id, from: old.header, to: new.header)
    describePart("footer", of: id, from: old.footer, to: new.footer)
  }

  private mutating func describeTitle(of id: String, from old: String?, to new: String?) {
    guard old.map({ ExactString($0) }) != new.map({ ExactString($0) }) else { return }
    guard let new else {
      return add(.sectionTitleRemoved, "took the operators' title off \(id)", of: .section(id))
    }
    add(.sectionRenamed, "renamed \(id) to \"\(new)\"", of: .section(id), ["to": .string(new)])
  }

  private mutating func describeItemOrder(of id: String, from old: ItemOrder?, to new: ItemOrder?) {
    guard old != new else { return }
    guard let new else {
      return add(.itemsUnsorted, "left the items of \(id) in the order they were put", of: .section(id))
    }
    add(
      .itemsSorted, "sorted the items of \(id) by \(new.pointer)\(new.isDescending ? ", the greatest first" : "")",
      of: .section(id), ["by": .string("\(new.pointer)"), "descending": .bool(new.isDescending)])
  }

  private mutating func describePart(
    _ name: String, of section: String, from old: ItemDefinition?, to new: ItemDefinition?
  ) {
    let part = Subject.part(name, of: section)
    switch (old, new) {
    case (nil, _?): add(.partAdded, "gave \(section) a \(name)", of: part)
    case (_?, nil): add(.partRemoved, "removed \(part.text)", of: part)
    case (let old?, let new?): describeItem(part, from: old, to: new, section: section)
    default: break
    }
  }

  private mutating func describeContent(of id: String, from old: SectionContent, to new: SectionContent) {
    guard old != new else { return }
    let (old, new) = (old.values, new.values)
    for name in Set(old.slots.keys).union(new.slots.keys).sorted() {
      let slot = Subject.slot(name, of: id)
      switch (old.slots[name], new.slots[name]) {
      case (nil, _?): add(.slotFilled, "filled \(slot.text)", of: slot)
      case (_?, nil): add(.slotEmptied, "emptied \(slot.text)", of: slot)
      case (let old?, let new?): describeItem(slot, from: old, to: new, section: id)
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
