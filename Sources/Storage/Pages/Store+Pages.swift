import JSON
public import Layout

extension Store {
  /// The entity tag of a page's draft, which names its last change.
  public func draftTag(_ page: String) async throws -> String {
    try await read { [self] db in EntityTag.text(try reader(db).pageRow(page)["draft_changed"]) }
  }

  /// The pages in ascending order of their ids.
  ///
  /// - Parameters:
  ///   - after: Only those whose id comes after it.
  ///   - limit: The most pages.
  public func pages(after: String? = nil, limit: Int = .max) async throws -> [PageSummary] {
    try await read { [self] db in
      try WholeText.check(after)
      let ids = try String.fetchAll(
        db, sql: "SELECT id FROM pages WHERE id > ? ORDER BY id LIMIT ?", arguments: [after ?? "", limit])
      return try ids.map { id in
        let draft = try reader(db).draft(id)
        return PageSummary(id: id, title: draft.definition.settings.title, live: draft.live, isChanged: draft.isChanged)
      }
    }
  }

  /// A page's draft.
  public func draft(_ page: String) async throws -> Draft { try await draft(page, remembering: []).draft }

  /// A page's draft, and what is remembered of the items that were removed from some of its sections.
  public func draft(
    _ page: String, remembering sections: Set<String>
  ) async throws -> (draft: Draft, removed: [String: RemovedItems]) {
    let now = clock()
    return try await read { [self] db in
      let reader = reader(db)
      var (draft, published) = try reader.draftAndPublished(page)
      draft.lastChanges = try reader.lastChanges(of: draft, since: published)
      // Whoever looks at a later time looks at a page whose sources go on.
      draft.definition.keepExpired(at: now)
      var removed: [String: RemovedItems] = [:]
      for id in draft.definition.sections.map(\.id) where sections.contains(id) {
        removed[id] = try RemovedItems(db, page, id)
      }
      return (draft, removed)
    }
  }

  /// A page's settings.
  public func settings(_ page: String) async throws -> Tagged<PageSettings> {
    try await read { [self] db in
      let reader = reader(db)
      let row = try reader.pageRow(page)
      return Tagged(try reader.pageSettings(row), tag: EntityTag.text(row["changed"]))
    }
  }

  /// Makes a page, or gives it new settings.
  ///
  /// - Returns: The new tag, and whether the page is new.
  public func putPage(
    _ page: String, settings: PageSettings, if precondition: WritePrecondition = .none, by actor: Actor,
    keeping: AnswerKeeper<(tag: String, isNew: Bool)>? = nil
  ) async throws -> (tag: String, isNew: Bool) {
    try await write("page.put", by: actor, page: page, keeping: keeping) { change in
      let row = try Row.fetchOne(change.db, sql: "SELECT * FROM pages WHERE id = ?", arguments: [page])
      try change.check(precondition, of: row?["changed"], or: row.map { [$0["draft_changed"]] } ?? [])
      change.before = (row?["settings"] as String?).map { Fingerprint.of($0.utf8) }
      change.after = Fingerprint.of(settings.json)
      try change.putPage(page, settings, isNew: row == nil)
      return (change.tag, row == nil)
    }
  }

  /// Makes a page like the draft of another one: its settings, sections, sort rules and indices.
  ///
  /// - Parameters:
  ///   - title: What operators call it; without it what the other one is called.
  ///   - keepsSchedules: Whether what shows at some time only does so in the copy, too.
  /// - Returns: The new page's settings and their tag.
  public func copyPage(
    _ page: String, to id: String, title: String?, keepsSchedules: Bool, by actor: Actor,
    keeping: AnswerKeeper<Tagged<PageSettings>>? = nil
  ) async throws -> Tagged<PageSettings> {
    try WholeText.check(page, id)
    return try await write(
      "page.duplicate", by: actor, keeping: keeping, reading: .draft(page) + .draft(id),
      making: { [self] change, _ in
        let changed = try Int64.fetchOne(change.db, sql: "SELECT changed FROM pages WHERE id = ?", arguments: [id])
        try change.check(.absent, of: changed)
        let definition = try reader(change.db).definition(page).definition
        return WrittenDraft(definition.copied(to: id, title: title, keepsSchedules: keepsSchedules))
      }
    ) { [self] change, draft in
      (change.page, change.detail) = (id, "copy of \(page)")
      change.after = Fingerprint.of(draft.definition.settings.json)
      try change.put(draft, isNew: true, self)
      return Tagged(draft.definition.settings, tag: change.tag)
    }
  }

  /// Removes a page, its revisions and its schedule. The audit keeps what was done.
  ///
  /// - Parameter served: What the node has served: while history is cut no page goes off, as nothing is published.
  /// - Returns: The page with its last edition, if it had one.
  @discardableResult
  public func deletePage(
    _ page: String, if precondition: WritePrecondition, since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<[String: EditionNumber]>? = nil
  ) async throws -> [String: EditionNumber] {
    try await write(
      "page.delete", by: actor, keeping: keeping, reading: .draft(page),
      making: { [self] change, _ in
        Fingerprint.of(try reader(change.db).definition(page).definition.canonicalBytes)
      }
    ) { [self] change, before in
      change.page = page
      let row = try reader(change.db).pageRow(page)
      try change.check(precondition, of: row["changed"], or: [row["draft_changed"]])
      try change.requireUncut(since: served)
      change.before = before
      return try change.deletePages([page])
    }
  }
}

extension PageReader {
  func pageRow(_ page: String) throws -> Row {
    try WholeText.check(page)
    if let row = try Row.fetchOne(db, sql: "SELECT * FROM pages WHERE id = ?", arguments: [page]) { return row }
    let known = try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id LIMIT 50")
    throw StoreError.notFound(what: "page", name: page, known: known)
  }

  func definition(_ page: String) throws -> Fingerprinted {
    let settings = try pageSettings(pageRow(page))
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, settings, fingerprint FROM sections WHERE page = ? ORDER BY position", arguments: [page])
    var definition = PageDefinition(
      id: page, settings: settings, sections: try rows.map { try section(page, $0) }, sortRules: try sortRules(page),
      audiences: try audiences())
    definition.withheld = try withheld()
    return (definition, rows.map { $0["fingerprint"] })
  }

  func pageSettings(_ row: Row) throws -> PageSettings {
    try PageSettings(json: JSON.stored(row["settings"] as String), pageID: row["id"], in: context)
  }

  /// The draft without its sections' settings and content: all that decides the order. A change of the order holds the
  /// write lock, and a large page takes long to read.
  func frame(_ page: String) throws -> PageDefinition {
    let settings = try pageSettings(pageRow(page))
    let sections = try String.fetchAll(
      db, sql: "SELECT id FROM sections WHERE page = ? ORDER BY position", arguments: [page])
    return PageDefinition(
      id: page, settings: settings,
      sections: sections.map { SectionDefinition(id: $0, settings: SectionSettings(kind: "")) },
      sortRules: try sortRules(page), audiences: [:])
  }

  func draft(_ page: String) throws -> Draft { try draftAndPublished(page).draft }

  /// A page's draft, and the sections that are live.
  func draftAndPublished(_ page: String) throws -> (draft: Draft, published: [SectionDefinition]) {
    let row = try pageRow(page)
    var (definition, fingerprints) = try definition(page)
    let published = try (row["live"] as Int?).map { try revision(page, $0) }
    var changed = PageParts(sections: definition.sections.map(\.id))
    var isChanged = true
    if let published {
      changed = PageParts(from: published, to: (definition, fingerprints))
      isChanged =
        fingerprints != published.fingerprints || definition.settings != published.definition.settings
        || definition.sortRules != published.definition.sortRules
        || definition.usedAudiences != published.definition.audiences
    }
    // What is looked at is as a publish would have it.
    definition.takeConfirmations(of: published?.definition, live: published?.fingerprints ?? [], fingerprints, at: nil)
    let draft = Draft(
      definition: definition, fingerprints: fingerprints, tag: EntityTag.text(row["draft_changed"]),
      settingsTag: EntityTag.text(row["changed"]), orderTag: EntityTag.text(row["order_changed"]),
      sectionTags: try sectionTags(page), live: row["live"], isChanged: isChanged, changedParts: changed)
    return (draft, published?.definition.sections ?? [])
  }

  private func sectionTags(_ page: String) throws -> [String: SectionTags] {
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, settings_changed, content_changed FROM sections WHERE page = ?", arguments: [page])
    var tags: [String: SectionTags] = [:]
    for row in rows {
      tags[row["id"]] = SectionTags(
        settings: EntityTag.text(row["settings_changed"]), content: EntityTag.text(row["content_changed"]))
    }
    return tags
  }
}

extension Change {
  func putPage(_ page: String, _ settings: PageSettings, isNew: Bool) throws {
    let text = settings.json.canonicalText
    if isNew {
      try db.execute(
        sql: "INSERT INTO pages (id, settings, changed, order_changed, draft_changed) VALUES (?, ?, ?, ?, ?)",
        arguments: [page, text, id, id, id])
      try db.execute(
        sql: "INSERT INTO sort_rules (page, name, changed) VALUES (?, ?, ?)",
        arguments: [page, SortRule.defaultName, id])
    } else {
      try db.execute(sql: "UPDATE pages SET settings = ?, changed = ? WHERE id = ?", arguments: [text, id, page])
      try touchDraft(of: page)
    }
  }

  /// - Returns: The last edition of each page that had one.
  func deletePages(_ pages: [String]) throws -> [String: EditionNumber] {
    let generation = try Generation.present(db)
    var last: [String: EditionNumber] = [:]
    for page in pages {
      let number = try db.lastRevision(of: page)
      if number > 0 { last[page] = EditionNumber(generation: generation, revision: number) }
      try deletePage(page, last: number)
    }
    return last
  }

  private func deletePage(_ page: String, last: Int) throws {
    let documents = try String.fetchAll(
      db,
      sql: """
        SELECT fingerprint FROM \(db.connection.keepsDifferences ? "revision_spans" : "revision_sections")
        WHERE page = :page
        UNION SELECT s.fingerprint FROM scheduled_sections s JOIN scheduled_publishes p ON p.id = s.scheduled
        WHERE p.page = :page AND s.fingerprint IS NOT NULL
        """, arguments: ["page": page])
    try db.execute(sql: "DELETE FROM known_versions WHERE page = ?", arguments: [page])
    try db.execute(sql: "DELETE FROM \(db.revisionTable) WHERE page = ?", arguments: [page])
    try db.execute(sql: "DELETE FROM pages WHERE id = ?", arguments: [page])
    // Its numbers are never given again.
    if last > 0 {
      try db.execute(
        sql: """
          INSERT INTO revision_numbers (page, last, removed) VALUES (:page, :last, :last)
          ON CONFLICT (page) DO UPDATE SET last = excluded.last, removed = excluded.removed
          """, arguments: ["page": page, "last": last])
    }
    try db.removeUnused(documents: Set(documents))
  }
}
