import JSON
public import Layout

/// A section's settings or content as an admin request sees it.
public struct SectionState: Hashable, Sendable {
  /// The section.
  public var section: SectionDefinition
  /// The entity tag of the settings.
  public var settingsTag: String
  /// The entity tag of the content.
  public var contentTag: String
  /// The index by the default rule.
  public var index: Int
}

extension Store {
  /// One section of a draft.
  public func section(_ page: String, _ section: String) async throws -> SectionState {
    try await read { [self] db in
      let reader = reader(db)
      let row = try reader.sectionRow(page, section)
      let definition = try reader.frame(page)
      return SectionState(
        section: try reader.section(page, row), settingsTag: EntityTag.text(row["settings_changed"]),
        contentTag: EntityTag.text(row["content_changed"]), index: definition.indices()[section] ?? 0)
    }
  }

  /// Makes a section, or gives it new settings; content is put when it is given.
  ///
  /// - Parameters:
  ///   - index: Its index by the default rule; a new section without one comes last, unless the rule lists it already.
  ///   - check: Throws when the settings do not go with the content that the section has or gets.
  /// - Returns: The new tag, and whether the section is new.
  public func putSection(
    _ page: String, _ section: String, settings: SectionSettings, content: SectionContent? = nil, index: Int? = nil,
    if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<(state: SectionState, isNew: Bool)>? = nil,
    check: @Sendable @escaping (SectionDefinition) throws -> Void
  ) async throws -> (state: SectionState, isNew: Bool) {
    try WholeText.check(page, section)
    return try await write(
      "section.put", by: actor, keeping: keeping, reading: .draft(page),
      making: { [self] change, _ -> WrittenPut in
        let reader = reader(change.db)
        let pageRow = try reader.pageRow(page)
        let row = try reader.presentSectionRow(page, section)
        // A new section changes the page, so that the draft's tag speaks for it.
        try change.check(precondition, of: row?["settings_changed"], or: [pageRow["draft_changed"]])
        let former = try row.map { try reader.section(page, $0) }
        let stored = try content ?? (row == nil ? SectionContent() : reader.content(page, section))
        let definition = SectionDefinition(id: section, settings: settings, content: stored)
        try check(definition)
        let edits = former.map { FieldEdit.edits(from: $0, to: definition, hasContent: content != nil) }
        return WrittenPut(
          before: row?["fingerprint"], isNew: row == nil,
          contentTag: (row?["content_changed"] as Int64?).map(EntityTag.text) ?? "", written: definition.written,
          edits: edits ?? FieldEdit.whole(from: .known(nil), to: .long))
      }
    ) { [self] change, made in
      (change.page, change.section, change.before, change.edits) = (page, section, made.before, made.edits)
      let hasContent = made.isNew || content != nil
      if made.isNew { try change.insertNewSection(page, section, limits) }
      if hasContent { try change.replaceContent(page, section, made.written) }
      let written = made.written
      try change.updateSection(
        page, written.section, fingerprint: written.fingerprint, settingsChanged: true, contentChanged: hasContent)
      try change.placeSection(page, section, index: index, isNew: made.isNew, in: try reader(change.db).frame(page))
      try change.touchDraft(of: page, orderToo: made.isNew || index != nil)
      let state = SectionState(
        section: written.section, settingsTag: change.tag, contentTag: hasContent ? change.tag : made.contentTag,
        index: try reader(change.db).frame(page).indices()[section] ?? 0)
      return (state, made.isNew)
    }
  }

  /// What is put in the place of a section, written before the write lock is taken.
  private struct WrittenPut: Sendable {
    /// The fingerprint of the section before.
    var before: String?
    var isNew: Bool
    /// The content's entity tag before; empty of a new section.
    var contentTag: String
    var written: WrittenSection
    /// The edits of each field, for the audit.
    var edits: String?
  }

  /// Makes a section like another, right below it in the default order, and in that of each rule that lists it.
  ///
  /// - Parameter keepsSchedules: Whether what shows at some time only does so in the copy, too.
  /// - Returns: The new section's settings and their tag.
  public func copySection(
    _ page: String, _ section: String, to id: String, keepsSchedules: Bool = true, by actor: Actor,
    keeping: AnswerKeeper<SectionState>? = nil,
    check: @Sendable @escaping (SectionDefinition) throws -> Void
  ) async throws -> SectionState {
    try WholeText.check(page, section, id)
    return try await write(
      "section.duplicate", by: actor, keeping: keeping, reading: .draft(page),
      making: { [self] change, _ -> (SectionDefinition, WrittenSection) in
        let reader = reader(change.db)
        let original = try reader.section(page, reader.sectionRow(page, section))
        let copy = (keepsSchedules ? original : original.unscheduled).renamed(to: id)
        try change.check(.absent, of: reader.presentSectionRow(page, id)?["settings_changed"])
        try check(copy)
        return (copy, copy.written)
      }
    ) { [self] change, made in
      let (copy, written) = made
      let reader = reader(change.db)
      (change.page, change.section) = (page, id)
      change.edits = FieldEdit.whole(from: .known(nil), to: .long)
      try change.insertNewSection(page, id, limits)
      try change.replaceContent(page, id, written)
      try change.updateSection(
        page, written.section, fingerprint: written.fingerprint, settingsChanged: true, contentChanged: true)
      try change.placeSection(page, id, index: nil, isNew: true, in: try reader.frame(page))
      for rule in try reader.sortRules(page) where rule.name == SortRule.defaultName || rule.indices[section] != nil {
        _ = try change.setOrder(page, .move(id, .after(section)), rule: rule.name, if: .none, self)
      }
      change.detail = "copy of \(section)"
      let index = try reader.frame(page).indices()[id] ?? 0
      return SectionState(section: copy, settingsTag: change.tag, contentTag: change.tag, index: index)
    }
  }

  /// Hides a section, which keeps its content.
  ///
  /// - Returns: The new tag of its settings.
  public func hide(
    _ page: String, _ section: String, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<String>? = nil
  ) async throws -> String {
    try await write("section.hide", by: actor, page: page, section: section, keeping: keeping) { [self] change in
      try change.setHidden(true, page, section, if: precondition, or: ["draft_changed"], self)
      return change.tag
    }
  }

  /// Removes a section with its content, and its index from every rule.
  public func deleteSection(
    _ page: String, _ section: String, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write("section.delete", by: actor, page: page, section: section, keeping: keeping) { [self] change in
      let reader = reader(change.db)
      let row = try reader.sectionRow(page, section)
      try change.check(precondition, of: row["settings_changed"], or: [reader.pageRow(page)["draft_changed"]])
      change.before = row["fingerprint"]
      change.edits = FieldEdit.whole(from: .long, to: .known(nil))
      try change.db.execute(sql: "DELETE FROM sections WHERE page = ? AND id = ?", arguments: [page, section])
      try change.db.execute(
        sql: "DELETE FROM sort_rule_indices WHERE page = ? AND section = ?", arguments: [page, section])
      try change.touchDraft(of: page, orderToo: true)
    }
  }
}

extension PageReader {
  func sectionRow(_ page: String, _ section: String) throws -> Row {
    try WholeText.check(page, section)
    if let row = try presentSectionRow(page, section) { return row }
    _ = try pageRow(page)
    let known = try String.fetchAll(
      db, sql: "SELECT id FROM sections WHERE page = ? ORDER BY position LIMIT 500", arguments: [page])
    throw StoreError.notFound(what: "section", name: section, known: known)
  }

  /// The row of a section; `nil` when it is not there.
  func presentSectionRow(_ page: String, _ section: String) throws -> Row? {
    try Row.fetchOne(db, sql: "SELECT * FROM sections WHERE page = ? AND id = ?", arguments: [page, section])
  }

  func section(_ page: String, _ row: Row) throws -> SectionDefinition {
    let fingerprint: String = row["fingerprint"]
    let id: String = row["id"]
    if let known = cache.section(fingerprint), known.id == id { return known }
    let section = SectionDefinition(id: id, settings: try settings(row), content: try content(page, id))
    return cache.insert(section, fingerprint: fingerprint)
  }

  func settings(_ row: Row) throws -> SectionSettings {
    try SectionSettings(json: JSON.stored(row["settings"] as String), sectionID: row["id"], in: context)
  }

  /// A section as revisions and schedules keep it, by its fingerprint.
  func storedSection(_ fingerprint: String) throws -> SectionDefinition {
    if let known = cache.section(fingerprint) { return known }
    let section = try SectionDefinition(json: JSON.stored(db.document(fingerprint) ?? ""), in: context)
    return cache.insert(section, fingerprint: fingerprint)
  }
}

extension Change {
  func section(_ page: String, _ section: String, _ store: Store) throws -> (row: Row, section: SectionDefinition) {
    let reader = store.reader(db)
    let row = try reader.sectionRow(page, section)
    return (row, try reader.section(page, row))
  }

  /// - Throws: ``StoreError`` when the page has as many sections as it may have.
  func insertNewSection(_ page: String, _ section: String, _ limits: LayoutLimits) throws {
    let count = try Int.fetchOne(db, sql: "SELECT count(*) FROM sections WHERE page = ?", arguments: [page]) ?? 0
    guard count < limits.sectionsMax else { throw StoreError.tooManySections(limits) }
    try db.execute(
      sql: """
        INSERT INTO sections (page, id, position, settings, fingerprint, settings_changed, content_changed)
        VALUES (?, ?, (SELECT coalesce(max(position), -1) + 1 FROM sections WHERE page = ?), '', '', ?, ?)
        """, arguments: [page, section, page, id, id])
  }

  /// - Parameter others: The columns of the page whose tags speak for the section, too.
  mutating func setHidden(
    _ isHidden: Bool, _ page: String, _ section: String, if precondition: WritePrecondition, or others: [String],
    _ store: Store
  ) throws {
    let (row, former) = try self.section(page, section, store)
    let pageRow = try store.reader(db).pageRow(page)
    try check(precondition, of: row["settings_changed"], or: others.map { pageRow[$0] })
    var definition = former
    definition.settings.isHidden = isHidden
    edits = FieldEdit.edits(from: former, to: definition, hasContent: false)
    before = row["fingerprint"]
    try updateSection(page, definition, settingsChanged: true, contentChanged: false)
    try touchDraft(of: page)
  }

  /// - Parameter known: The section's fingerprint, where it was made before the lock was taken.
  mutating func updateSection(
    _ page: String, _ definition: SectionDefinition, fingerprint known: String? = nil, settingsChanged: Bool,
    contentChanged: Bool
  ) throws {
    let fingerprint = known ?? Fingerprint.of(definition.canonicalBytes)
    after = fingerprint
    try db.execute(
      sql: """
        UPDATE sections SET settings = :settings, fingerprint = :fingerprint,
          settings_changed = CASE WHEN :settingsChanged = 1 THEN :id ELSE settings_changed END,
          content_changed = CASE WHEN :contentChanged = 1 THEN :id ELSE content_changed END
        WHERE page = :page AND id = :section
        """,
      arguments: [
        "settings": definition.settings.json.canonicalText, "fingerprint": fingerprint, "id": id, "page": page,
        "section": definition.id, "settingsChanged": settingsChanged, "contentChanged": contentChanged,
      ])
  }

  /// - Parameter changed: The only items that differ from the stored ones or follow them; `nil` if more may have
  ///   changed.
  func replaceContent(
    _ page: String, _ section: String, _ written: WrittenSection, changed: [WrittenSection.Item]? = nil
  ) throws {
    if let changed {
      for item in changed {
        let count = try db.execute(
          sql: "UPDATE items SET document = ? WHERE page = ? AND section = ? AND slot = '' AND id = ?",
          arguments: [item.text, page, section, item.id])
        if count == 0 { try insertItems([item], page, section) }
      }
      return
    }
    try db.execute(sql: "DELETE FROM items WHERE page = ? AND section = ?", arguments: [page, section])
    try insertItems(written.items, page, section)
  }

  func insertItems(_ items: [WrittenSection.Item], _ page: String, _ section: String) throws {
    // Many at once: each statement is a way to the server and back, where one keeps the database.
    for batch in items.parts(of: 100) {
      let rows = Array(repeating: "(?, ?, ?, ?, ?, ?)", count: batch.count).joined(separator: ", ")
      try db.execute(
        sql: "INSERT INTO items (page, section, slot, position, id, document) VALUES \(rows)",
        arguments: .listed(
          batch.flatMap { [page.sql, section.sql, $0.slot.sql, $0.position.sql, $0.id.sql, $0.text.sql] }))
    }
  }

  /// Gives a section its index by the default rule.
  func placeSection(_ page: String, _ section: String, index: Int?, isNew: Bool, in definition: PageDefinition) throws {
    guard let index = definition.indexPlacing(section, index: index, isNew: isNew) else { return }
    try setIndex(page, SortRule.defaultName, section, index)
    try db.execute(sql: "UPDATE sort_rules SET changed = ? WHERE page = ? AND name = 'default'", arguments: [id, page])
  }
}

extension PageDefinition {
  /// The index by the default rule that a section gets when it is put: the one that was typed, or that of a new one at the
  /// end. Under a rule with unlisted sections the new one is last among them without an index, which would put it before
  /// them.
  ///
  /// - Returns: `nil` where it keeps what it has.
  public func indexPlacing(_ section: String, index: Int?, isNew: Bool) -> Int? {
    let listed = sortRules.first { $0.name == SortRule.defaultName }?.indices ?? [:]
    let others = sections.filter { $0.id != section }.map { listed[$0.id] }
    let isPlaced = !isNew || listed[section] != nil || others.contains(nil)
    guard index != nil || !isPlaced else { return nil }
    let last = others.compactMap(\.self).max() ?? -1
    return min(index ?? last + 1, LayoutLimits.indexRange.upperBound)
  }
}

extension StoreError {
  /// A page would have more sections than it may have.
  public static func tooManySections(_ limits: LayoutLimits) -> StoreError {
    .conflict(
      code: "too-many-sections", detail: "a page may have at most \(limits.sectionsMax) sections",
      values: ["most": .count(limits.sectionsMax)])
  }

  /// A page would have more sort rules than it may have.
  public static func tooManySortRules(_ limits: LayoutLimits) -> StoreError {
    .conflict(
      code: "too-many-sort-rules", detail: "a page may have at most \(limits.sortRulesMax) sort rules",
      values: ["most": .count(limits.sortRulesMax)])
  }
}

extension SectionDefinition {
  /// The ids of header, footer and slots that were made from the section's id follow the copy's.
  fileprivate func renamed(to id: String) -> SectionDefinition {
    var copy = opened
    copy.id = id
    copy.settings.header?.id = "\(id).header"
    copy.settings.footer?.id = "\(id).footer"
    for slot in content.slots.keys { copy.content.slots[slot]?.id = "\(id).\(slot)" }
    return copy
  }
}
