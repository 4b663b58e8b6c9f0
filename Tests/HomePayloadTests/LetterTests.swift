import HomePayload
import JSON
import SeededRandom
import Testing

/// Change sets applied to the letter of docs/protocol.md, member by member of JSON, as a client in any language does it.
@Suite struct LetterTests {
  @Test(arguments: 0..<8) func `a change set applied to the letter gives the page, whatever it empties`(
    seed: UInt64
  ) throws {
    var random = SeededGenerator(seed: 100 + seed)
    var emptied = 0
    for _ in 0..<Trials.count(500) {
      let old = RandomPage.page(&random)
      var new = RandomPage.changed(old, &random)
      Self.empty(&new.sections, &random)
      new.version = old.version + "'"
      let changes = ChangeSet.changes(from: old, to: new).canonicalBytes
      let (before, after) = (try JSON.parse(old.canonicalBytes), try JSON.parse(new.canonicalBytes))
      let applied = Letter.page(before, try JSON.parse(changes, depthMax: 128))
      #expect(applied == after)
      #expect(try old.applying(ChangeSet(bytes: changes)).canonicalBytes == new.canonicalBytes)
      emptied += Letter.emptied(before, after)
    }
    #expect(emptied > Trials.count(50))
  }

  /// Takes all items of some sections, and all children of some items.
  private static func empty(_ sections: inout [Section], _ random: inout SeededGenerator) {
    for position in sections.indices {
      if random.chance(20) { sections[position].items = [] }
      for item in sections[position].items.indices where random.chance(40) {
        sections[position].items[item].children = []
        sections[position].items[item].expanded = nil
      }
    }
  }
}

/// What docs/protocol.md tells a client to do, and nothing else.
private enum Letter {
  static func page(_ page: JSON, _ changes: JSON) -> JSON {
    var members = changed(page.object ?? JSONObject(), by: changes)
    members["version"] = changes["to"]
    members["sections"] = .array(list(page["sections"], changes["sections"], "section", "items"))
    return .object(members)
  }

  /// How many lists of items went, of sections and items that stayed.
  static func emptied(_ before: JSON, _ after: JSON) -> Int {
    let sections = after["sections"]?.array ?? []
    return (before["sections"]?.array ?? []).count { old in
      old["items"] != nil && sections.contains { $0["id"] == old["id"] && $0["items"] == nil }
    }
  }

  private static func changed(_ object: JSONObject, by update: JSON) -> JSONObject {
    var object = object
    for name in update["unset"]?.array ?? [] { object[name.string ?? ""] = nil }
    for member in update["set"]?.object ?? JSONObject() { object[member.name] = member.value }
    return object
  }

  private static func list(_ old: JSON?, _ changes: JSON?, _ inserted: String, _ own: String) -> [JSON] {
    var resting: [JSON?] = old?.array ?? []
    guard let changes else { return resting.compactMap { $0 } }
    for update in changes["updates"]?.array ?? [] {
      guard let at = update["at"]?.int, let element = resting[at]?.object else { continue }
      var members = changed(element, by: update)
      if let nested = update[own] {
        let all = list(element[own], nested, "item", "children")
        // A list that the changes empty is left out.
        members[own] = all.isEmpty ? nil : .array(all)
      }
      resting[at] = .object(members)
    }
    var arriving: [Int: JSON] = [:]
    for insert in changes["inserts"]?.array ?? [] { arriving[insert["at"]?.int ?? -1] = insert[inserted] }
    for move in changes["moves"]?.array ?? [] {
      guard let from = move["from"]?.int, let to = move["to"]?.int else { continue }
      arriving[to] = resting[from]
      resting[from] = nil
    }
    for position in changes["deletes"]?.array ?? [] { resting[position.int ?? -1] = nil }
    var rest = resting.compactMap { $0 }[...]
    return (0..<rest.count + arriving.count).compactMap { arriving[$0] ?? rest.popFirst() }
  }
}
