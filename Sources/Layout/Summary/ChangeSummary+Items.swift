import JSON

extension ChangeSummary {
  /// The items of a section, or the children of one of them.
  mutating func describeItems(
    of section: String, below parent: String?, from old: [ItemDefinition], to new: [ItemDefinition]
  ) {
    guard old != new else { return }
    let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Set(new.map(\.id))
    let place = Subject(
      text: parent.map { "\($0) in \(section)" } ?? section,
      place: JSONObject(present: [("section", .string(section)), ("parent", parent.map { .string($0) })]))
    describeList(.itemsRemoved, "removed", old.map(\.id).filter { !after.contains($0) }, "from", place)
    describeList(.itemsAdded, "added", new.map(\.id).filter { before[$0] == nil }, "to", place)
    describeMoves(in: place, from: old.map(\.id), to: new.map(\.id))
    let changed = new.filter { item in before[item.id].map { $0 != item } ?? false }
    for item in changed.prefix(Self.itemsNamedMax) {
      guard let earlier = before[item.id] else { continue }
      describeItem(.item(item.id, in: section), from: earlier, to: item, section: section)
    }
    let others = changed.count - Self.itemsNamedMax
    guard others > 0 else { return }
    let text = "changed \(others == 1 ? "1 more item" : "\(others) more items") in \(place.text)"
    add(.itemsChanged, text, of: place, ["count": .count(others)])
  }

  private mutating func describeList(
    _ code: Sentence.Code, _ verb: String, _ ids: [String], _ preposition: String, _ place: Subject
  ) {
    guard !ids.isEmpty else { return }
    let named = ids.count > Self.itemsNamedMax ? Array(ids.prefix(Self.itemsNamedMax - 1)) : ids
    let more = ids.count - named.count
    let words = (more == 0 ? named : named + ["\(more) more"]).enumeration
    add(
      code, "\(verb) \(ids.count == 1 ? "item" : "items") \(words) \(preposition) \(place.text)", of: place,
      ["items": .names(named), "more": .count(more)])
  }

  private mutating func describeMoves(in place: Subject, from old: [String], to new: [String]) {
    let moved = LongestRun.moved(from: old, to: new)
    guard moved.count <= Self.itemsNamedMax else {
      add(.itemsMoved, "moved \(moved.count) items in \(place.text)", of: place, ["count": .count(moved.count)])
      return
    }
    for id in moved {
      guard let from = old.firstIndex(of: id), let to = new.firstIndex(of: id) else { continue }
      add(
        .itemMoved, "moved item \(id) in \(place.text) from place \(from + 1) to \(to + 1)", of: place,
        ["item": .string(id), "from": .count(from + 1), "to": .count(to + 1)])
    }
  }

  /// One item, by what operators call it: `item scan in middleNav`, `the header of faq`.
  mutating func describeItem(
    _ subject: Subject, from old: ItemDefinition, to new: ItemDefinition, section: String?
  ) {
    let text = subject.text
    describe(.idChanged, "the id of \(text)", of: subject, from: old.id, to: new.id, json: { .string($0) })
    describe(.kindChanged, "the kind of \(text)", of: subject, from: old.kind, to: new.kind, json: { .string($0) })
    var members = Self.changedNames(from: old.content, to: new.content)
    if old.lists != new.lists { members.append("lists") }
    if old.action != new.action { members.append("action") }
    if old.actions != new.actions { members.append("actions") }
    if old.accessibility != new.accessibility { members.append("accessibility") }
    if old.aspect != new.aspect { members.append("aspect") }
    if old.inset != new.inset { members.append("inset") }
    if !members.isEmpty {
      add(
        .membersChanged, "changed the \(members.enumeration) of \(text)", of: subject, ["members": .names(members)])
    }
    if old.isHidden != new.isHidden {
      add(
        new.isHidden ? .itemHidden : .itemRestored, "\(new.isHidden ? "hid" : "restored") \(text)", of: subject)
    }
    if old.keepOnTop != new.keepOnTop {
      add(
        new.keepOnTop ? .keptOnTop : .keptOnTopNoMore,
        new.keepOnTop ? "kept \(text) on top" : "no longer kept \(text) on top", of: subject)
    }
    if old.expanded != new.expanded {
      let isExpanded = new.expanded ?? false
      add(
        isExpanded ? .startsExpanded : .startsCollapsed,
        "made \(text) start \(isExpanded ? "expanded" : "collapsed")", of: subject)
    }
    describeAudience(of: subject, from: old.audience, to: new.audience)
    describeSchedule(of: subject, from: old.schedule, to: new.schedule)
    if let section { describeItems(of: section, below: new.id, from: old.children, to: new.children) }
  }
}
