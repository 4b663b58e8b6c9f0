import JSON
import Layout

extension PageReader {
  /// Who last changed each part of a draft that differs from the live revision. Every part keeps the number of its last
  /// change in the audit, so each takes one row; a deleted section is found among the deletions.
  ///
  /// - Parameter published: The live sections.
  func lastChanges(of draft: Draft, since published: [SectionDefinition]) throws -> LastChanges {
    let (page, parts) = (draft.definition.id, draft.changedParts)
    guard !parts.isEmpty else { return LastChanges() }
    var changes = LastChanges()
    let former = Dictionary(published.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let present = Dictionary(draft.definition.sections.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for row in try Row.fetchAll(
      db, sql: "SELECT id, settings_changed, content_changed FROM sections WHERE page = ?", arguments: [page])
    where parts.sections.contains(row["id"]) {
      let id: String = row["id"]
      // Only what differs is told of: a source that fills a section has not changed its settings.
      var numbers: [Int64] = []
      if former[id]?.settings != present[id]?.settings { numbers.append(row["settings_changed"]) }
      if former[id]?.content != present[id]?.content { numbers.append(row["content_changed"]) }
      changes.sections[id] = try lastChange(numbers)
    }
    for id in parts.sections where present[id] == nil { changes.sections[id] = try deletion(of: id, from: page) }
    let row = try pageRow(page)
    if parts.hasSettings { changes.settings = try lastChange([row["changed"]]) }
    if parts.hasOrder { changes.order = try lastChange([row["order_changed"]]) }
    for name in parts.rules { changes.rules[name] = try ruleChanged(page, name).flatMap { try lastChange([$0]) } }
    for name in parts.audiences { changes.audiences[name] = try audienceChanged(name).flatMap { try lastChange([$0]) } }
    return changes
  }

  /// What rows of the audit say, the latest first.
  private func lastChange(_ numbers: [Int64]) throws -> LastChanges.Change? {
    var by: [String] = []
    var at: Instant?
    for number in numbers.sorted(by: >) {
      let row = try Row.fetchOne(db, sql: "SELECT actor, at FROM audit WHERE id = ?", arguments: [number])
      guard let row else { continue }
      let actor: String = row["actor"]
      if !by.contains(actor) { by.append(actor) }
      at = at ?? row["at"]
    }
    return at.map { LastChanges.Change(by: by, at: $0) }
  }

  /// Who deleted a section: nobody knows it of one that an import left out.
  private func deletion(of section: String, from page: String) throws -> LastChanges.Change? {
    // All rows of a page are many more than all deletions, so that the index by actions is the one to use.
    let number = try Int64.fetchOne(
      db,
      sql: """
        SELECT max(id) FROM audit WHERE action = 'section.delete' AND COALESCE(page, '') = ? AND section = ?
        """, arguments: [page, section])
    return try number.flatMap { try lastChange([$0]) }
  }
}
