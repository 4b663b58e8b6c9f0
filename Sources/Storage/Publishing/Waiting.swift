public import JSON
public import Layout

/// A part that a publish changes and that also waits in a schedule. When due, the schedule brings its own state back,
/// unless the publish is carried into it.
public struct Waiting: Hashable, Sendable {
  /// The schedule.
  public var scheduled: Int64
  /// When it is due.
  public var at: Instant
  /// The IANA zone that the instant was entered in.
  public var zone: String
  /// Who scheduled it.
  public var author: String
  /// What of it the publish changes.
  public var places: PageParts

  /// As the admin API tells of it.
  public var json: JSON {
    var object = places.json
    object["id"] = .number(JSONNumber(Int(scheduled)))
    object["at"] = .string(at.description)
    object["zone"] = .string(zone)
    object["author"] = .string(author)
    return .object(object)
  }
}

/// What becomes of a waiting part that is published meanwhile.
public enum WaitingChoice: String, CaseIterable, Hashable, Sendable {
  /// The publish is refused.
  case ask
  /// It waits as it is published now.
  case carry
  /// It waits as it was scheduled.
  case leave
}

extension PublishScope {
  /// Whether an operator publishes it, and so decides what becomes of what waits.
  var isByOperator: Bool {
    switch self {
    case .draft, .parts, .revision: true
    case .content, .scheduled: false
    }
  }
}

extension PageParts {
  /// - Throws: ``StoreError`` when one of them is in none of the pages.
  func check(in pages: [PageDefinition]) throws {
    func check(_ what: String, _ names: [String], _ known: [[String]]) throws {
      if let unknown = names.first(where: { name in !known.contains { $0.contains(name) } }) {
        throw StoreError.notFound(what: what, name: unknown, known: known.first ?? [])
      }
    }
    try check("section", sections, pages.map { $0.sections.map(\.id) })
    try check("sort rule", rules, pages.map { $0.sortRules.map(\.name).filter { $0 != SortRule.defaultName } })
    try check("audience", audiences, pages.map { $0.audiences.keys.sorted() })
  }
}

extension Change {
  /// The parts that a publish changes and that also wait in schedules, soonest first. What it names and carries into them
  /// is among them also where it is live already.
  func waiting(
    for candidate: Candidate, _ scope: PublishScope, _ choice: WaitingChoice = .ask
  ) throws -> [Waiting] {
    guard let definition = candidate.live else { return [] }
    let live = (definition: definition, fingerprints: candidate.liveFingerprints)
    let page = candidate.definition.id
    let rows = try Row.fetchAll(
      db, sql: "SELECT * FROM scheduled_publishes WHERE page = ? ORDER BY at, id", arguments: [page])
    guard !rows.isEmpty else { return [] }
    var changed = PageParts(from: live, to: (candidate.definition, candidate.fingerprints))
    if choice == .carry, case .parts(let names) = scope { changed = changed.union(names) }
    return try rows.compactMap { row in
      let scheduled = try ScheduledPublish(row, db)
      let pinned = try String.fetchAll(
        db, sql: "SELECT section FROM scheduled_sections WHERE scheduled = ?", arguments: [scheduled.id])
      let audiences = try JSON.stored(row["audiences"] as String).object?.names ?? []
      var places = PageParts(
        sections: changed.sections.filter(pinned.contains),
        audiences: changed.audiences.filter(audiences.contains))
      // A section waits with its index of every rule.
      func moves(_ rule: String) -> Bool {
        let indices = [live.definition, candidate.definition].map { definition in
          definition.sortRules.first { $0.name == rule }?.indices ?? [:]
        }
        return pinned.contains { indices[0][$0] != indices[1][$0] }
      }
      let parts = scheduled.parts
      places.hasSettings = changed.hasSettings && parts?.hasSettings != false
      places.hasOrder = changed.hasOrder && (parts?.hasOrder != false || moves(SortRule.defaultName))
      places.rules = changed.rules.filter { parts?.rules.contains($0) != false || moves($0) }
      guard !places.isEmpty else { return nil }
      return Waiting(
        scheduled: scheduled.id, at: scheduled.at, zone: scheduled.zone, author: scheduled.author, places: places)
    }
  }

  /// Treats waiting parts as the request chose.
  ///
  /// - Throws: ``StoreError/waiting(_:)`` if it chose nothing.
  func settle(_ waiting: [Waiting], _ choice: WaitingChoice, _ candidate: Candidate) throws {
    guard !waiting.isEmpty else { return }
    switch choice {
    case .ask: throw StoreError.waiting(waiting)
    case .carry: for each in waiting { try carry(candidate, into: each) }
    case .leave: for each in waiting { try notePassed(each.scheduled) { $0.union(each.places) } }
    }
  }

  private func notePassed(_ id: Int64, _ change: (PageParts) -> PageParts) throws {
    let text = try String.fetchOne(
      db, sql: "SELECT passed FROM scheduled_publishes WHERE id = ? AND passed IS NOT NULL", arguments: [id])
    let passed = change(PageParts(stored: try text.map { try JSON.stored($0) }))
    try db.execute(
      sql: "UPDATE scheduled_publishes SET passed = ? WHERE id = ?",
      arguments: [passed.isEmpty ? nil : passed.json.text, id])
  }

  /// Has what waits be as it is published now.
  private func carry(_ candidate: Candidate, into waiting: Waiting) throws {
    let (id, places, definition) = (waiting.scheduled, waiting.places, candidate.definition)
    let row = try Row.fetchOne(db, sql: "SELECT * FROM scheduled_publishes WHERE id = ?", arguments: [id])
    guard let row else { throw StoreError.notFound(what: "scheduled publish", name: String(id)) }
    for section in places.sections { try carry(section, of: candidate, into: id) }
    // The rules of the schedule are those of a page whose other sections stay as they were scheduled.
    var rules = try JSON.stored(row["sort_rules"] as String).object ?? JSONObject()
    let known = Set(definition.sections.map(\.id))
    for name in places.rules + (places.hasOrder ? [SortRule.defaultName] : []) {
      var rule = definition.sortRules.first { $0.name == name }
      let former = rules[name]?["indices"]?.object ?? JSONObject()
      for member in former where !known.contains(member.name) { rule?.indices[member.name] = member.value.int }
      rules[name] = rule?.json
    }
    for (section, rule) in places.sections.flatMap({ section in rules.names.map { (section, $0) } }) {
      guard var object = rules[rule]?.object else { continue }
      var indices = object["indices"]?.object ?? JSONObject()
      let index = definition.sortRules.first { $0.name == rule }?.indices[section]
      indices[section] = index.map { .number(JSONNumber($0)) }
      object["indices"] = .object(indices)
      rules[rule] = .object(object)
    }
    var audiences = try JSON.stored(row["audiences"] as String).object ?? JSONObject()
    for name in places.audiences { audiences[name] = definition.audiences[name]?.json ?? audiences[name] }
    let carried = definition.sections.filter { places.sections.contains($0.id) }
    let carriedRules = definition.sortRules.filter { places.rules.contains($0.name) }
    for (name, predicate) in definition.audiences(usedBy: carried, rules: carriedRules) {
      audiences[name] = predicate.json
    }
    var (settings, parts) = (row["settings"] as String?, row["parts"] as String?)
    if places.hasSettings {
      if settings != nil {
        settings = definition.settings.json.canonicalText
      } else if var object = try parts.flatMap({ try JSON.stored($0).object }) {
        object["settings"] = definition.settings.json
        parts = object.text
      }
    }
    try db.execute(
      sql: "UPDATE scheduled_publishes SET settings = ?, parts = ?, sort_rules = ?, audiences = ? WHERE id = ?",
      arguments: [settings, parts, rules.text, audiences.text, id])
    try notePassed(id) { $0.subtracting(places) }
  }

  private func carry(_ section: String, of candidate: Candidate, into id: Int64) throws {
    let former = try String.fetchAll(
      db,
      sql: """
        SELECT fingerprint FROM scheduled_sections WHERE scheduled = ? AND section = ? AND fingerprint IS NOT NULL
        """, arguments: [id, section])
    let place = candidate.definition.sections.firstIndex { $0.id == section }
    if let place {
      try db.keep(candidate.definition.sections[place], candidate.fingerprints[place], of: candidate.definition.id)
    }
    // One that was to go has no place of its own there.
    try db.execute(
      sql: """
        UPDATE scheduled_sections
        SET fingerprint = ?, position = CASE WHEN fingerprint IS NULL THEN ? ELSE position END
        WHERE scheduled = ? AND section = ?
        """,
      arguments: [place.map { candidate.fingerprints[$0] }, place ?? 0, id, section])
    try db.removeUnused(documents: Set(former))
  }
}
