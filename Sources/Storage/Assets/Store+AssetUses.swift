public import Layout

/// A place that refers to a picture.
public struct AssetUse: Hashable, Sendable {
  /// Where a place is.
  public enum Place: String, Hashable, Sendable {
    /// In the draft of the page.
    case draft
    /// In what is scheduled for the page.
    case scheduled
    /// In what clients get of the page.
    case live
    /// In another revision that is kept.
    case revision
  }

  /// Where it is.
  public var place: Place
  /// The page.
  public var page: String
  /// The section, `nil` for the page's own settings.
  public var section: String?
  /// The newest revision that has it there, of ``Place/live`` and ``Place/revision``.
  public var revision: Int?
}

/// A picture is not removed, because something refers to it.
public struct AssetInUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// Its uses: live pages first, kept revisions last.
  public let uses: [AssetUse]

  /// Where it is used, and what would be right.
  public var description: String {
    let places = uses.prefix(10).map { use in
      let place = use.section.map { "\(use.page)/\($0)" } ?? "the settings of \(use.page)"
      return switch use.place {
      case .live: "\(place), live"
      case .draft: "\(place), in the draft"
      case .scheduled: "\(place), scheduled"
      case .revision: "\(place), in revision \(use.revision ?? 0)"
      }
    }
    let others = uses.count > places.count ? " and \(uses.count - places.count) more" : ""
    let remedy =
      uses.allSatisfy { $0.place == .revision }
      ? "fromHistory=true removes it all the same, and these revisions then show none"
      : "take it out there first"
    return "the picture is used in \(places.joined(separator: "; "))\(others); \(remedy)"
  }
}

extension Store {
  /// Where a picture is used: live pages first, kept revisions last. Searches the texts of drafts, schedules and
  /// revisions for its name.
  public func uses(of name: AssetName) async throws -> [AssetUse] {
    _ = try await asset(name)
    return Mention.uses(try await mentions(of: name))
  }

  /// Removes a picture that nothing refers to.
  ///
  /// References are searched in parts and without the write lock; the removing transaction checks what came meanwhile.
  ///
  /// - Parameters:
  ///   - fromHistory: Whether to remove it although kept revisions that are not live refer to it.
  ///   - served: What the node has served. After history was cut, served pages may show the picture.
  /// - Throws: ``AssetInUse``, ``StoreError``.
  public func removeAsset(
    _ name: AssetName, fromHistory: Bool, since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    // Before the first part: what is not in it is new.
    let start = try await read(Moment.init)
    let found = try await mentions(of: name)
    @Sendable func check(_ mentions: [Mention]) throws {
      guard !mentions.allSatisfy({ fromHistory && $0.use.place == .revision }) else { return }
      throw AssetInUse(uses: Mention.uses(mentions))
    }
    try check(found)
    try await write("asset.delete", by: actor, keeping: keeping) { change in
      let db = change.db
      try change.requireUncut(since: served)
      try check(found + start.mentionsSince(of: name, known: Set(found.compactMap(\.fingerprint)), db))
      guard try db.execute(sql: "DELETE FROM assets WHERE name = ?", arguments: ["\(name)"]) > 0 else {
        throw StoreError.notFound(what: "asset", name: "\(name)")
      }
      change.detail = "\(name)"
    }
  }

  /// Everything that refers to a picture, except references that came or moved during the search.
  func mentions(of name: AssetName) async throws -> [Mention] {
    let pattern = name.pattern
    var found: [Mention] = []
    for (table, columns, place) in [
      (MentioningTable.items, "DISTINCT page AS page, section AS section", AssetUse.Place.draft),
      (.sections, "page AS page, id AS section", .draft), (.pages, "id AS page, NULL AS section", .draft),
      (.scheduledPublishes, "DISTINCT page AS page, NULL AS section", .scheduled),
    ] {
      found += try await readInParts(table) { db, part in
        let (sql, arguments) = part.query(columns, like: pattern)
        return try Row.fetchAll(db, sql: sql, arguments: arguments).map { Mention(place, $0) }
      }
    }
    let pieces = Set(
      try await readInParts(.sectionPieces) { db, part in
        let (sql, arguments) = part.query("id", like: pattern)
        return try Int64.fetchAll(db, sql: sql, arguments: arguments)
      })
    found += try await readInParts(.sectionDocuments) { db, part in
      let (sql, arguments) = part.query("fingerprint", like: pattern)
      // The texts of most parts are read once.
      let isWhole = try String.fetchOne(db, sql: sql, arguments: arguments) != nil
      let whole = isWhole ? try Mention.mentions(ofDocuments: sql, arguments, db) : []
      return try whole
        + db.documents(in: part, withAny: pieces).flatMap { fingerprint in
          try Mention.mentions(
            ofDocuments: "SELECT fingerprint FROM section_documents WHERE fingerprint = ?", [fingerprint], db)
        }
    }
    found += try await readInParts(.revisions) { db, part in
      let (sql, arguments) = part.query("page, number", like: pattern)
      return try Row.fetchAll(
        db,
        sql: """
          SELECT NULL AS fingerprint, r.page AS page, NULL AS section, \(Mention.live) AS live, max(r.number) AS number
          FROM (\(sql)) r LEFT JOIN pages p ON p.id = r.page GROUP BY r.page, \(Mention.live)
          """, arguments: arguments
      ).map(Mention.init)
    }
    return found
  }
}

/// Something that refers to a picture.
struct Mention: Sendable {
  var use: AssetUse
  /// Of the section's document, where a revision has it.
  var fingerprint: String?

  /// SQL for whether a revision `r` is live on its page `p`.
  static let live = "CASE WHEN p.live = r.number THEN 1 ELSE 0 END"

  /// Reads a row with `page` and `section`.
  init(_ place: AssetUse.Place, _ row: Row) {
    use = AssetUse(place: place, page: row["page"], section: row["section"])
  }

  /// Reads a row of a revision.
  init(_ row: Row) {
    self.init(row["live"] as Bool ? .live : .revision, row)
    use.revision = row["number"]
    fingerprint = row["fingerprint"]
  }

  /// Schedules and revisions with the documents that a query finds the fingerprints of.
  static func mentions(ofDocuments sql: String, _ arguments: Arguments, _ db: Database) throws -> [Mention] {
    let scheduled = try Row.fetchAll(
      db,
      sql: """
        SELECT DISTINCT p.page AS page, s.section AS section FROM (\(sql)) d
        JOIN scheduled_sections s ON s.fingerprint = d.fingerprint JOIN scheduled_publishes p ON p.id = s.scheduled
        """, arguments: arguments)
    let published = try Row.fetchAll(
      db,
      sql: """
        SELECT r.fingerprint AS fingerprint, r.page AS page, r.section AS section, \(Mention.live) AS live,
          max(r.number) AS number
        FROM (\(sql)) d JOIN revision_sections r ON r.fingerprint = d.fingerprint
        LEFT JOIN pages p ON p.id = r.page GROUP BY r.fingerprint, r.page, r.section, \(Mention.live)
        """, arguments: arguments)
    return scheduled.map { Mention(.scheduled, $0) } + published.map(Mention.init)
  }

  /// Each place once, with its newest revision: what is live first, kept revisions last.
  static func uses(_ mentions: [Mention]) -> [AssetUse] {
    var newest: [AssetUse: Int?] = [:]
    for var use in mentions.map(\.use) {
      let revision = use.revision
      use.revision = nil
      newest[use] = [newest[use] ?? nil, revision].compactMap(\.self).max()
    }
    let order: [AssetUse.Place: Int] = [.live: 0, .draft: 1, .scheduled: 2, .revision: 3]
    return newest.map { use, revision in
      AssetUse(place: use.place, page: use.page, section: use.section, revision: revision)
    }.sorted { left, right in
      (order[left.place] ?? 0, left.page, left.section ?? "") < (
        order[right.place] ?? 0, right.page, right.section ?? ""
      )
    }
  }
}

/// What tells what is new since a moment.
struct Moment: Sendable {
  private let change: Int64
  /// The number of each page's newest revision.
  private let revisions: [String: Int]
  /// The number of the newest schedule: none is given twice, and they are committed in their order.
  private let scheduled: Int64

  init(_ db: Database) throws {
    change = try Change.last(db)
    revisions = try Self.revisionNumbers(db)
    scheduled = try Int64.fetchOne(db, sql: "SELECT max(id) FROM scheduled_publishes") ?? 0
  }

  private static func revisionNumbers(_ db: Database) throws -> [String: Int] {
    let rows = try Row.fetchAll(db, sql: "SELECT id, live FROM pages WHERE live IS NOT NULL")
    return Dictionary(rows.map { ($0["id"] as String, $0["live"] as Int) }, uniquingKeysWith: { first, _ in first })
  }

  /// What refers to a picture in drafts that have changed since, and in new revisions and schedules.
  ///
  /// - Parameter known: The fingerprints of the documents in revisions that were found to refer to it.
  func mentionsSince(of name: AssetName, known: Set<String>, _ db: Database) throws -> [Mention] {
    guard try Change.last(db) != change else { return [] }
    var documents = Dictionary(uniqueKeysWithValues: known.map { ($0, true) })
    func refers(_ fingerprint: String) throws -> Bool {
      if let refers = documents[fingerprint] { return refers }
      let refers = try !db.texts(ofDocument: fingerprint, like: name.pattern).isEmpty
      documents[fingerprint] = refers
      return refers
    }
    var mentions = try Store.draftTexts(like: name.pattern, since: change, db).map { Mention(.draft, $0) }
    mentions += try Row.fetchAll(
      db,
      sql:
        "SELECT page AS page, NULL AS section FROM scheduled_publishes WHERE id > ? AND coalesce(settings, parts) LIKE ?",
      arguments: [scheduled, name.pattern]
    ).map { Mention(.scheduled, $0) }
    mentions += try Row.fetchAll(
      db,
      sql: """
        SELECT p.page AS page, s.section AS section, s.fingerprint AS fingerprint FROM scheduled_publishes p
        JOIN scheduled_sections s ON s.scheduled = p.id WHERE p.id > ? AND s.fingerprint IS NOT NULL
        """, arguments: [scheduled]
    ).filter { try refers($0["fingerprint"]) }.map { Mention(.scheduled, $0) }
    for (page, last) in try Self.revisionNumbers(db) where last > revisions[page] ?? 0 {
      let before = revisions[page] ?? 0
      mentions += try Row.fetchAll(
        db,
        sql: """
          SELECT NULL AS fingerprint, r.page AS page, NULL AS section, \(Mention.live) AS live, max(r.number) AS number
          FROM revisions r LEFT JOIN pages p ON p.id = r.page
          WHERE r.page = ? AND r.number > ? AND r.settings LIKE ? GROUP BY r.page, \(Mention.live)
          """, arguments: [page, before, name.pattern]
      ).map(Mention.init)
      let sections = try Row.fetchAll(
        db,
        sql: """
          SELECT r.fingerprint AS fingerprint, r.page AS page, r.section AS section, \(Mention.live) AS live,
            max(r.number) AS number, CASE WHEN EXISTS (
              SELECT 1 FROM revision_sections o
              WHERE o.fingerprint = r.fingerprint AND o.page = r.page AND o.number <= :before) THEN 1 ELSE 0 END AS old
          FROM revision_sections r LEFT JOIN pages p ON p.id = r.page WHERE r.page = :page AND r.number > :before
          GROUP BY r.fingerprint, r.page, r.section, \(Mention.live)
          """, arguments: ["page": page, "before": before])
      // What an older revision has was looked at, and is not read again.
      mentions += try sections.filter { row in
        let fingerprint: String = row["fingerprint"]
        return try row["old"] as Bool ? known.contains(fingerprint) : refers(fingerprint)
      }.map(Mention.init)
    }
    return mentions
  }
}

extension AssetName {
  /// A `LIKE` pattern that matches each text with a reference to this picture.
  var pattern: String { "%\(url)%" }
}
