import JSON
import Layout

/// A whole draft as it is about to be kept, written before the write lock is taken.
struct WrittenDraft: Sendable {
  let definition: PageDefinition
  let sections: [WrittenSection]

  init(_ definition: PageDefinition) {
    self.definition = definition
    sections = definition.sections.map(\.written)
  }
}

extension Change {
  /// Makes the draft equal to a revision.
  func resetDraft(to draft: WrittenDraft, _ store: Store) throws {
    for (name, predicate) in draft.definition.audiences { try storeAudience(name, predicate, onlyIfAbsent: true) }
    try store.requireAtMost(Int.fetchOne(db, sql: "SELECT count(*) FROM audiences") ?? 0)
    try put(draft, isNew: false, store)
  }

  /// Writes a whole definition over a page's draft. A section that stays as it is keeps its rows and its tags, so that the
  /// source that fills it is not told of a change.
  func put(_ draft: WrittenDraft, isNew: Bool, _ store: Store) throws {
    let page = draft.definition.id
    try putPage(page, draft.definition.settings, isNew: isNew)
    let rows = try Row.fetchAll(db, sql: "SELECT id, fingerprint FROM sections WHERE page = ?", arguments: [page])
    let present = Dictionary(rows.map { ($0["id"] as String, $0["fingerprint"] as String) }) { first, _ in first }
    let wanted = Dictionary(draft.sections.map { ($0.section.id, $0.fingerprint) }) { first, _ in first }
    for (id, fingerprint) in present where wanted[id] != fingerprint {
      try db.execute(sql: "DELETE FROM sections WHERE page = ? AND id = ?", arguments: [page, id])
    }
    try db.execute(sql: "DELETE FROM sort_rules WHERE page = ?", arguments: [page])
    for (position, written) in draft.sections.enumerated() {
      try put(written, page, at: position, isThere: present[written.section.id] == written.fingerprint)
      store.sectionCache.insert(
        written.section, fingerprint: written.fingerprint, isEdited: present[written.section.id] != nil)
    }
    for rule in draft.definition.sortRules { try storeRule(page, rule) }
    try touchDraft(of: page, orderToo: true)
  }

  private func put(_ written: WrittenSection, _ page: String, at position: Int, isThere: Bool) throws {
    let section = written.section
    if isThere {
      try db.execute(
        sql: "UPDATE sections SET position = ? WHERE page = ? AND id = ?", arguments: [position, page, section.id])
      return
    }
    try db.execute(
      sql: """
        INSERT INTO sections (page, id, position, settings, fingerprint, settings_changed, content_changed)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        page, section.id, position, section.settings.json.canonicalText, written.fingerprint, id, id,
      ])
    try insertItems(written.items, page, section.id)
  }
}
