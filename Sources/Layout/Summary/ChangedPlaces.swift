import JSON

extension PageDefinition {
  /// Tells what differs from an earlier state of the page from anything else that may differ: 64 hexadecimal digits.
  ///
  /// It is made of the members that differ, each with what it was and what it is, and of what has moved or come with what it
  /// stands behind. What both states have in common, and what both have come to since, leaves it as it is.
  public func changes(since earlier: PageDefinition?) -> String {
    var places = ChangedPlaces(page: id)
    places.note(from: earlier, to: self)
    return places.fingerprint
  }
}

/// The places of a page that differ between two states of it.
private struct ChangedPlaces {
  private var hash = PieceHash()

  var fingerprint: String { hash.fingerprint }

  init(page: String) { note([page], from: nil, to: .null) }

  mutating func note(from old: PageDefinition?, to new: PageDefinition) {
    noteMembers(["settings"], from: old?.settings.json, to: new.settings.json)
    let audiences = [old?.audiences ?? [:], new.audiences].map { JSON.object(JSONObject($0.mapValues(\.json))) }
    noteMembers(["audiences"], from: audiences[0], to: audiences[1])
    let rules = [old?.sortRules ?? [], new.sortRules].map { rules in
      Dictionary(rules.map { ($0.name, $0.json) }, uniquingKeysWith: { first, _ in first })
    }
    for name in Set(rules[0].keys).union(rules[1].keys).sorted() {
      let indices = rules.map { $0[name]?["indices"] }
      noteMembers(["rules", name, "indices"], from: indices[0], to: indices[1])
      let others = rules.map { rules -> JSON? in
        var rule = rules[name]?.object
        rule?["indices"] = nil
        return rule.map { .object($0) }
      }
      note(["rules", name], from: others[0], to: others[1])
    }
    noteSections(from: old?.sections ?? [], to: new.sections)
  }

  private mutating func noteSections(from old: [SectionDefinition], to new: [SectionDefinition]) {
    let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for section in new {
      let place = ["sections", section.id]
      guard let earlier = before[section.id] else {
        note(place, from: nil, to: .string(Fingerprint.of(section.canonicalBytes)))
        continue
      }
      if earlier.settings != section.settings {
        noteMembers(place + ["settings"], from: earlier.settings.json, to: section.settings.json)
      }
      guard earlier.content != section.content else { continue }
      // What another endpoint says goes live by itself until then, and ends with this.
      let asked = earlier.settings.loading.asks
      let isOver = asked != nil && asked != section.settings.loading.asks
      let (content, known) = (section.content.values, isOver ? .init() : earlier.content.values)
      noteItems(place + ["items"], from: known.items, to: content.items)
      for slot in Set(known.slots.keys).union(content.slots.keys).sorted() {
        let items = [known.slots[slot], content.slots[slot]].map { $0.map { [$0] } ?? [] }
        noteItems(place + ["slots", slot], from: items[0], to: items[1])
      }
    }
    noteOrder(["sections"], from: old.map(\.id), to: new.map(\.id))
  }

  private mutating func noteItems(_ place: [String], from old: [ItemDefinition], to new: [ItemDefinition]) {
    let before = Dictionary(old.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for item in new where before[item.id] != item {
      noteMembers(place + [item.id], from: before[item.id]?.json, to: item.json)
    }
    noteOrder(place, from: old.map(\.id), to: new.map(\.id))
  }

  /// What has gone, and of what has moved or come what it stands behind.
  private mutating func noteOrder(_ place: [String], from old: [String], to new: [String]) {
    guard old != new else { return }
    let moved = Set(LongestRun.moved(from: old, to: new))
    let (before, after) = (Set(old), Set(new))
    for id in old where !after.contains(id) { note(place + [id], from: .null, to: nil) }
    for (position, id) in new.enumerated() where !before.contains(id) || moved.contains(id) {
      note(place + [id, "behind"], from: nil, to: position > 0 ? .string(new[position - 1]) : .null)
    }
  }

  private mutating func noteMembers(_ place: [String], from old: JSON?, to new: JSON?) {
    let (before, after) = (old?.object ?? JSONObject(), new?.object ?? JSONObject())
    for name in ChangeSummary.changedNames(from: before, to: after) {
      note(place + [name], from: before[name], to: after[name])
    }
  }

  private mutating func note(_ place: [String], from old: JSON?, to new: JSON?) {
    guard old != new else { return }
    let values = [old, new].map { $0.map { .array([$0]) } ?? .null } as [JSON]
    hash.update(JSON.array([.names(place)] + values).canonicalBytes)
  }
}
