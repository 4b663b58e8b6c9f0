import JSON

extension ChangeSummary {
  /// The items of a section, or the children of one of them.
  mutating func describeItems(
    of section: String, below parent: String?, from old: [ItemDefinition], to new: [ItemDefinition]
  ) {
    guard old != new else { return }
    let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.id))
    let place = parent.map { "\($0) in \(section)" } ?? section
    describeList("removed", old.map(\.id).filter { !after.contains($0) }, "from \(place)")
    describeList("added", new.map(\.id).filter { before[$0] == nil }, "to \(place)")
    describeMoves(in: place, from: old.map(\.id), to: new.map(\.id))
    let changed = new.filter { item in before[item.id].map { $0 != item } ?? false }
    for item in changed.prefix(Self.itemsNamedMax) {
      guard let earlier = before[item.id] else { continue }
      describeItem("item \(item.id) in \(section)", from: earlier, to: item, section: section)
    }
    let others = changed.count - Self.itemsNamedMax
    if others > 0 { add("changed \(others == 1 ? "1 more item" : "\(others) more items") in \(place)") }
  }

  private mutating func describeList(_ verb: String, _ ids: [String], _ place: String) {
    guard !ids.isEmpty else { return }
    guard ids.count > Self.itemsNamedMax else {
      add("\(verb) \(ids.count == 1 ? "item" : "items") \(ids.enumeration) \(place)")
      return
    }
    let named = ids.prefix(Self.itemsNamedMax - 1)
    add("\(verb) items \((named + ["\(ids.count - named.count) more"]).enumeration) \(place)")
  }

  private mutating func describeMoves(in place: String, from old: [String], to new: [String]) {
    let moved = LongestRun.moved(from: old, to: new)
    guard moved.count <= Self.itemsNamedMax else {
      add("moved \(moved.count) items in \(place)")
      return
    }
    for id in moved {
      guard let from = old.firstIndex(of: id), let to = new.firstIndex(of: id) else { continue }
      add("moved item \(id) in \(place) from place \(from + 1) to \(to + 1)")
    }
  }

  /// One item, by what operators call it: `item scan in middleNav`, `the header of faq`.
  mutating func describeItem(
    _ subject: String, from old: ItemDefinition, to new: ItemDefinition, section: String?
  ) {
    describe("the id of \(subject)", from: old.id, to: new.id) { $0 }
    describe("the kind of \(subject)", from: old.kind, to: new.kind) { $0 }
    var members = Self.changedNames(from: old.content, to: new.content)
    if old.action != new.action { members.append("action") }
    if old.aspect != new.aspect { members.append("aspect") }
    if !members.isEmpty { add("changed the \(members.enumeration) of \(subject)") }
    if old.keepOnTop != new.keepOnTop {
      add(new.keepOnTop ? "kept \(subject) on top" : "no longer kept \(subject) on top")
    }
    if old.expanded != new.expanded {
      add("made \(subject) start \(new.expanded ?? false ? "expanded" : "collapsed")")
    }
    describeAudience(of: subject, from: old.audience, to: new.audience)
    describeSchedule(of: subject, from: old.schedule, to: new.schedule)
    if let section { describeItems(of: section, below: new.id, from: old.children, to: new.children) }
  }
}
