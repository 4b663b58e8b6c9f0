import JSON
public import Layout

/// Scheduled overlays in the database: kept when they are scheduled, laid over what is live when they are due.
extension Change {
  /// The overlay that a scheduling stores.
  func overlay(_ page: String, _ scope: ScheduleScope, _ store: Store) throws -> Overlay {
    let reader = store.reader(db)
    switch scope {
    case .draft: return Overlay(try reader.definition(page), over: try reader.live(page))
    case .parts(let names): return Overlay(names, of: try reader.definition(page))
    case .revision(let number): return Overlay(try reader.revision(page, number), over: try reader.live(page))
    }
  }

  /// - Returns: The id.
  func insert(_ scheduled: ScheduledPublish, _ overlay: Overlay) throws -> Int64 {
    try WholeText.check(scheduled.zone, scheduled.message)
    let made = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO scheduled_publishes (page, revision, at, zone, author, message, settings, sort_rules, audiences, parts)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
        """,
      arguments: [
        scheduled.page, scheduled.revision, scheduled.at.secondsSinceEpoch, scheduled.zone, scheduled.author,
        scheduled.message, overlay.isWhole ? overlay.settings?.json.canonicalText : nil, overlay.sortRules.storedText,
        overlay.audiences.storedText, scheduled.parts.flatMap { overlay.storedParts($0) },
      ])
    let id = made ?? 0
    for part in overlay.parts {
      if let section = part.section { try db.keep(section, part.fingerprint, of: scheduled.page) }
      try db.execute(
        sql: "INSERT INTO scheduled_sections (scheduled, section, position, fingerprint) VALUES (?, ?, ?, ?)",
        arguments: [id, part.id, part.position, part.section == nil ? nil : part.fingerprint])
    }
    return id
  }

  /// Takes what is scheduled off, with the documents that nothing else needs.
  func remove(_ scheduled: ScheduledPublish) throws {
    let documents = try String.fetchAll(
      db, sql: "SELECT fingerprint FROM scheduled_sections WHERE scheduled = ? AND fingerprint IS NOT NULL",
      arguments: [scheduled.id])
    try db.execute(sql: "DELETE FROM scheduled_publishes WHERE id = ?", arguments: [scheduled.id])
    try db.removeUnused(documents: Set(documents))
  }

  /// What a due schedule would make live.
  func dueProspect(_ page: String, _ id: Int64, _ store: Store) throws -> Prospect {
    let scheduled = try ScheduledPublish.fetch(db, page, id)
    guard scheduled.at <= now, !scheduled.isHeld else {
      throw StoreError.notFound(what: "scheduled publish", name: String(id), known: [])
    }
    let reader = store.reader(db)
    let overlay = try reader.overlay(id, of: page)
    let live = try reader.live(page)
    guard let base = live ?? overlay.page(page) else { throw StoreError.notPublished }
    var candidate = try candidate(overlay.laid(over: base), live: live, bringsBack: true, store)
    candidate.source = scheduled.revision
    return Prospect(candidate: candidate, scheduled: scheduled)
  }

  /// Notes for what is scheduled that a source has published an edit: it stays when that is due (S1.9).
  func keepPublished(_ page: String, _ section: String, _ edit: ContentEdit, _ store: Store) throws {
    let pinned = try Row.fetchAll(
      db,
      sql: """
        SELECT s.scheduled, s.fingerprint FROM scheduled_publishes p JOIN scheduled_sections s ON s.scheduled = p.id
        WHERE p.page = :page AND s.section = :section AND s.fingerprint IS NOT NULL AND NOT EXISTS (
          SELECT 1 FROM scheduled_kept k WHERE k.scheduled = p.id AND k.section = :section AND k.item = '')
        """, arguments: ["page": page, "section": section])
    for row in pinned {
      let id: Int64 = row["scheduled"]
      let item = edit.item ?? ""
      // What was not pinned and is gone again needs no note, so that there are never more than items.
      var isNote = true
      if case .remove(let gone) = edit {
        isNote = try store.reader(db).storedSection(row["fingerprint"]).content.item(gone) != nil
      }
      if !isNote || item.isEmpty {
        try db.execute(
          sql: "DELETE FROM scheduled_kept WHERE scheduled = ? AND section = ? AND (item = ? OR ? = '')",
          arguments: [id, section, item, item])
      }
      if isNote {
        try db.execute(
          sql: "INSERT INTO scheduled_kept (scheduled, section, item) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
          arguments: [id, section, item])
      }
    }
  }
}

extension Store {
  /// What would go live by each schedule that is not held, laid over what is live now, by page and time.
  public func scheduledPages() async throws -> [(scheduled: ScheduledPublish, definition: PageDefinition)] {
    try await read { [self] db in try reader(db).scheduledPages() }
  }

  /// What a page's clients get from now on, as far as decided: the live revision, and the result of each schedule that
  /// is not held, soonest first.
  ///
  /// - Returns: `live` is `nil` if the page was never published.
  public func outlook(
    of page: String
  ) async throws -> (live: PageDefinition?, then: [(scheduled: ScheduledPublish, definition: PageDefinition)]) {
    try await read { [self] db in
      let reader = reader(db)
      let live = try reader.live(page)
      var present = live
      let all = try Row.fetchAll(
        db, sql: "SELECT * FROM scheduled_publishes WHERE page = ? AND is_missed = 0 ORDER BY at, id", arguments: [page]
      ).map { try ScheduledPublish($0, db) }
      let then = try all.compactMap { scheduled -> (scheduled: ScheduledPublish, definition: PageDefinition)? in
        let overlay = try reader.overlay(scheduled.id, of: page)
        // Some sections of a page that is not there by then go live with nothing.
        guard let base = present ?? overlay.page(page) else { return nil }
        let laid = overlay.laid(over: base)
        present = laid
        return (scheduled, laid.definition)
      }
      return (live?.definition, then)
    }
  }
}

extension PageReader {
  /// What would go live by each schedule that is not held.
  ///
  /// - Parameter isWanted: Which of them to read.
  func scheduledPages(
    where isWanted: (ScheduledPublish) -> Bool = { _ in true }
  ) throws -> [(scheduled: ScheduledPublish, definition: PageDefinition)] {
    let all = try Row.fetchAll(db, sql: "SELECT * FROM scheduled_publishes WHERE is_missed = 0 ORDER BY at, id").map {
      try ScheduledPublish($0, db)
    }
    return try all.filter(isWanted).compactMap { scheduled in
      let overlay = try overlay(scheduled.id, of: scheduled.page)
      guard let base = try live(scheduled.page) ?? overlay.page(scheduled.page) else { return nil }
      return (scheduled, overlay.laid(over: base).definition)
    }
  }

  fileprivate func overlay(_ id: Int64, of page: String) throws -> Overlay {
    let row = try Row.fetchOne(db, sql: "SELECT * FROM scheduled_publishes WHERE id = ?", arguments: [id])
    guard let row else { throw StoreError.notFound(what: "scheduled publish", name: String(id), known: []) }
    let pinned = try Row.fetchAll(
      db, sql: "SELECT * FROM scheduled_sections WHERE scheduled = ? ORDER BY position, section", arguments: [id])
    var kept: [String: Set<String>] = [:]
    for row in try Row.fetchAll(
      db, sql: "SELECT section, item FROM scheduled_kept WHERE scheduled = ?", arguments: [id])
    {
      let item: String = row["item"]
      kept[row["section"], default: []].formUnion(item.isEmpty ? [] : [item])
    }
    let whole = try (row["settings"] as String?).map { try JSON.stored($0) }
    let named = try (row["parts"] as String?).map { try JSON.stored($0) }
    let names = PageParts(stored: named)
    return Overlay(
      isWhole: whole != nil,
      settings: try (whole ?? named?["settings"]).map { try PageSettings(json: $0, pageID: page, in: context) },
      sortRules: try storedRules(row["sort_rules"]), audiences: try storedAudiences(row["audiences"]),
      parts: try pinned.map { row in
        let fingerprint: String? = row["fingerprint"]
        return Overlay.Part(
          id: row["section"], position: row["position"], section: try fingerprint.map(storedSection),
          fingerprint: fingerprint ?? "")
      },
      rest: Overlay.Rest(
        rules: names.rules, hasOrder: names.hasOrder, known: (named?["known"]?.array ?? []).compactMap(\.string)),
      kept: kept)
  }
}

extension Overlay {
  /// The parts beside sections, as stored; `nil` if there are none.
  fileprivate func storedParts(_ names: PageParts) -> String? {
    var others = names
    others.sections = []
    guard !others.isEmpty else { return nil }
    var object = others.json
    object["known"] = .names(rest.known)
    object["settings"] = settings?.json
    return JSON.object(object).canonicalText
  }

  /// An empty page to be laid over, for one that was never published; `nil` when these are some parts alone.
  fileprivate func page(_ id: String) -> Fingerprinted? {
    guard isWhole else { return nil }
    return settings.map {
      (PageDefinition(id: id, settings: $0, sections: [], sortRules: sortRules, audiences: [:]), [])
    }
  }
}

extension [SortRule] {
  /// As revisions and schedules keep them.
  var storedText: String { JSON.object(JSONObject(map { ($0.name, $0.json) })).canonicalText }
}

extension [String: Predicate] {
  /// As revisions and schedules keep them.
  var storedText: String { JSON.object(JSONObject(mapValues(\.json))).canonicalText }
}
