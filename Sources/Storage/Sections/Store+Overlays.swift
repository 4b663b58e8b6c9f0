import JSON
public import Layout

/// Scheduled overlays in the database: kept when they are scheduled, laid over what is live when they are due.
extension Change {
  /// - Returns: The id.
  func insert(_ scheduled: ScheduledPublish, _ overlay: Overlay) throws -> Int64 {
    try WholeText.check(scheduled.zone, scheduled.message)
    let made = try Int64.fetchOne(
      db,
      sql: """
        INSERT INTO scheduled_publishes
          (page, revision, at, zone, author, message, settings, sort_rules, audiences, parts, made)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
        """,
      arguments: [
        scheduled.page, scheduled.revision, scheduled.at, scheduled.zone, scheduled.author,
        scheduled.message, overlay.isWhole ? overlay.settings?.json.canonicalText : nil, overlay.sortRules.storedText,
        overlay.audiences.storedText, overlay.storedParts, self.id,
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

  /// Takes what is scheduled off, with the documents and notes that nothing else needs.
  func remove(_ scheduled: ScheduledPublish) throws {
    let documents = try String.fetchAll(
      db, sql: "SELECT fingerprint FROM scheduled_sections WHERE scheduled = ? AND fingerprint IS NOT NULL",
      arguments: [scheduled.id])
    try db.execute(sql: "DELETE FROM scheduled_publishes WHERE id = ?", arguments: [scheduled.id])
    try db.execute(
      sql: """
        DELETE FROM pushed WHERE page = :page AND NOT EXISTS (
          SELECT 1 FROM scheduled_publishes p WHERE p.page = :page AND p.made < pushed.number)
        """, arguments: ["page": scheduled.page])
    try db.removeUnused(documents: Set(documents))
  }

  /// Makes an edit that a source publishes in each state of the section that waits, too: it stays when that is due (S1.9).
  ///
  /// - Parameter prospect: What the edit has made before, and then what it has made of these. Most are the draft's or what
  ///   is live.
  /// - Returns: The states that wait, by their fingerprints.
  @discardableResult
  func editWaiting(
    _ page: String, _ section: String, _ edit: ContentEdit, of asked: AskedBy?, _ prospect: inout Prospect,
    _ store: Store
  ) throws -> [String] {
    let waiting = try waiting(page, section)
    let reader = store.reader(db)
    if !waiting.isEmpty, prospect.audiences.isEmpty { prospect.audiences = try reader.audiences() }
    for former in waiting where prospect.edited[former] == nil {
      var other = try reader.storedSection(former)
      if let asked, other.settings.loading.asks != asked.asking { continue }
      let content = store.sectionCache.opened(other, fingerprint: former)
      other.content = content.applying(edit, like: prospect.edit?.section.content)
      prospect.edited[former] = store.sectionCache.insert(edited: other)
    }
    return waiting
  }

  /// Puts what an edit has made of the states that wait in their places.
  ///
  /// - Returns: Whether one is other than before.
  func storeWaiting(
    _ waiting: [String], _ page: String, _ section: String, _ prospect: Prospect
  ) throws -> Bool {
    var definition = prospect.candidate.definition
    definition.audiences.merge(prospect.audiences) { live, _ in live }
    var hasChanged = false
    for former in waiting {
      guard let next = prospect.edited[former], next.fingerprint != former else { continue }
      hasChanged = true
      try db.keep(next.section, next.fingerprint, of: page)
      let scheduled = try Int64.fetchAll(
        db,
        sql: """
          UPDATE scheduled_sections SET fingerprint = ? WHERE section = ? AND fingerprint = ?
            AND scheduled IN (SELECT id FROM scheduled_publishes WHERE page = ?)
          RETURNING scheduled
          """, arguments: [next.fingerprint, section, former, page])
      let audiences = definition.audiences(usedBy: [next.section])
      if !audiences.isEmpty { for id in scheduled { try add(audiences, to: id) } }
      try db.removeUnused(documents: [former])
    }
    return hasChanged
  }

  /// Has a schedule have audiences that it lacks.
  private func add(_ audiences: [String: Predicate], to id: Int64) throws {
    let text = try String.fetchOne(
      db, sql: "SELECT audiences FROM scheduled_publishes WHERE id = ?", arguments: [id])
    var stored = try text.flatMap { try JSON.stored($0).object } ?? JSONObject()
    let lacking = audiences.filter { stored[$0.key] == nil }
    guard !lacking.isEmpty else { return }
    for (name, predicate) in lacking { stored[name] = predicate.json }
    try db.execute(
      sql: "UPDATE scheduled_publishes SET audiences = ? WHERE id = ?",
      arguments: [stored.text, id])
  }

  /// Whether an item waits in one of the states of a section.
  func isWaiting(_ item: String, _ page: String, _ section: String, _ store: Store) throws -> Bool {
    try waiting(page, section).contains { former in
      let other = try store.reader(db).storedSection(former)
      return store.sectionCache.opened(other, fingerprint: former).item(item) != nil
    }
  }

  /// The states of a section that wait, by their fingerprints.
  private func waiting(_ page: String, _ section: String) throws -> [String] {
    try String.fetchAll(
      db,
      sql: """
        SELECT DISTINCT s.fingerprint FROM scheduled_publishes p JOIN scheduled_sections s ON s.scheduled = p.id
        WHERE p.page = ? AND s.section = ? AND s.fingerprint IS NOT NULL
        """, arguments: [page, section])
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
      let all = try ScheduledPublish.fetchAll(db, where: "page = ? AND is_missed = 0", [page])
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
    try ScheduledPublish.fetchAll(db, where: "is_missed = 0").filter(isWanted).compactMap { scheduled in
      let overlay = try overlay(scheduled.id, of: scheduled.page)
      guard let base = try live(scheduled.page) ?? overlay.page(scheduled.page) else { return nil }
      return (scheduled, overlay.laid(over: base).definition)
    }
  }

  /// What a publish takes, at once or when it is due.
  ///
  /// - Throws: ``StoreError`` when parts are taken and nothing is live that they could be laid over.
  func overlay(_ page: String, _ scope: PublishScope, over live: Fingerprinted?) throws -> Overlay {
    switch scope {
    case .draft, .content: return Overlay(try definition(page), over: live)
    case .parts(let names):
      guard let live else { throw StoreError.notPublished }
      let draft = try definition(page)
      try names.check(in: [draft.definition, live.definition])
      return Overlay(names, of: draft)
    case .revision(let number, _):
      var overlay = Overlay(try revision(page, number), over: live)
      overlay.source = number
      return overlay
    case .scheduled(let id): return try overlay(id, of: page)
    }
  }

  fileprivate func overlay(_ id: Int64, of page: String) throws -> Overlay {
    let row = try Row.fetchOne(db, sql: "SELECT * FROM scheduled_publishes WHERE id = ?", arguments: [id])
    guard let row else { throw StoreError.notFound(what: "scheduled publish", name: String(id)) }
    let pinned = try Row.fetchAll(
      db, sql: "SELECT * FROM scheduled_sections WHERE scheduled = ? ORDER BY position, section", arguments: [id])
    var pushed: [String: Set<String>] = [:]
    // The note of a whole section stands first, and counts for its items.
    for note in try Row.fetchAll(
      db, sql: "SELECT section, item FROM pushed WHERE page = ? AND number > ? ORDER BY section, item",
      arguments: [page, row["made"] as Int64])
    {
      let (section, item): (String, String) = (note["section"], note["item"])
      if item.isEmpty {
        pushed[section] = []
      } else if pushed[section]?.isEmpty != true {
        pushed[section, default: []].insert(item)
      }
    }
    let whole = try (row["settings"] as String?).map { try JSON.stored($0) }
    let named = try (row["parts"] as String?).map { try JSON.stored($0) }
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
      rest: PageParts(stored: named), known: (named?["known"]?.array ?? []).compactMap(\.string), pushed: pushed,
      source: row["revision"])
  }
}

extension Overlay {
  /// The parts beside sections, as stored; `nil` if there are none.
  fileprivate var storedParts: String? {
    var others = rest
    others.sections = []
    guard !others.isEmpty else { return nil }
    var object = others.json
    object["known"] = .names(known)
    object["settings"] = settings?.json
    return object.text
  }

  /// An empty page to be laid over, for one that was never published; `nil` when these are some parts alone.
  func page(_ id: String) -> Fingerprinted? {
    guard isWhole else { return nil }
    return settings.map {
      (PageDefinition(id: id, settings: $0, sections: [], sortRules: sortRules, audiences: [:]), [])
    }
  }
}

extension [SortRule] {
  /// As revisions and schedules keep them.
  var storedText: String { JSONObject(map { ($0.name, $0.json) }).text }
}

extension [String: Predicate] {
  /// As revisions and schedules keep them.
  var storedText: String { JSONObject(mapValues(\.json)).text }
}
