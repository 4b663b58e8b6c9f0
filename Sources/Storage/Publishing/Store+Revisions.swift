import JSON
public import Layout

extension Store {
  /// The definition of a revision and the fingerprints of its sections.
  public func revisionDefinition(
    _ page: String, _ number: Int
  ) async throws -> (definition: PageDefinition, fingerprints: [String]) {
    try await read { [self] db in
      _ = try reader(db).pageRow(page)
      return try reader(db).revision(page, number)
    }
  }

  /// A section as it stands in some revision of a page that is kept, `nil` when it does in none.
  public func publishedSection(
    _ page: String, _ section: String, fingerprint: String
  ) async throws -> SectionDefinition? {
    try await read { [self] db in
      let row = try Row.fetchOne(
        db, sql: "SELECT 1 FROM revision_sections WHERE fingerprint = ? AND page = ? AND section = ? LIMIT 1",
        arguments: [fingerprint, page, section])
      return try row == nil ? nil : reader(db).storedSection(fingerprint)
    }
  }

  /// A page's revisions, the newest first.
  ///
  /// - Parameters:
  ///   - kinds: Only those that came to be in these ways.
  ///   - before: Only those with a smaller number.
  ///   - limit: The most revisions.
  public func revisions(
    _ page: String, kinds: Set<Revision.Kind> = Set(Revision.Kind.allCases), before: Int? = nil, limit: Int
  ) async throws -> [Revision] {
    try await read { [self] db in
      let live: Int? = try reader(db).pageRow(page)["live"]
      guard !kinds.isEmpty else { return [] }
      let places = Array(repeating: "?", count: kinds.count).joined(separator: ", ")
      return try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM revisions WHERE page = ? AND number < ? AND kind IN (\(places))
          ORDER BY number DESC LIMIT ?
          """,
        arguments: .listed([page.sql, (before ?? .max).sql] + kinds.map(\.rawValue.sql) + [limit.sql])
      ).map { try Revision($0, live: live, db) }
    }
  }

  /// One revision.
  public func revision(_ page: String, _ number: Int) async throws -> Revision {
    try await read { [self] db in
      let live: Int? = try reader(db).pageRow(page)["live"]
      return try Revision(reader(db).revisionRow(page, number), live: live, db)
    }
  }

  /// Keeps a revision from retention, or gives it free again.
  public func setPinned(
    _ isPinned: Bool, _ page: String, _ number: Int, by actor: Actor, keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write(isPinned ? "revision.pin" : "revision.unpin", by: actor, page: page, keeping: keeping) {
      [self] change in
      _ = try reader(change.db).pageRow(page)
      change.detail = String(number)
      let count = try change.db.execute(
        sql: "UPDATE \(change.db.revisionTable) SET is_pinned = ? WHERE page = ? AND number = ?",
        arguments: [isPinned, page, number])
      if count == 0 {
        throw StoreError.notFound(what: "revision", name: String(number))
      }
    }
  }
}

extension Database {
  /// The greatest number that a revision of a page was given, even of one that is gone with the page; 0 before the first.
  func lastRevision(of page: String) throws -> Int {
    try Int.fetchOne(
      self,
      sql: """
        SELECT max(number) FROM (
          SELECT live AS number FROM pages WHERE id = :page
          UNION ALL SELECT last FROM revision_numbers WHERE page = :page) numbers
        """, arguments: ["page": page]) ?? 0
  }
}

extension PageReader {
  /// The live revision of a page, `nil` when it has none.
  func live(_ page: String) throws -> Fingerprinted? {
    try (pageRow(page)["live"] as Int?).map { try revision(page, $0) }
  }

  func revisionRow(_ page: String, _ number: Int) throws -> Row {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM revisions WHERE page = ? AND number = ?", arguments: [page, number])
    guard let row else { throw StoreError.notFound(what: "revision", name: String(number)) }
    return row
  }

  /// A revision's definition and the fingerprints of its sections.
  func revision(_ page: String, _ number: Int) throws -> Fingerprinted {
    let row = try revisionRow(page, number)
    var object = try JSON.stored(row["settings"] as String).object ?? JSONObject()
    object["sortRules"] = try JSON.stored(row["sort_rules"] as String)
    var definition = try PageDefinition(
      json: .object(object), id: page, audiences: storedAudiences(row["audiences"]), in: context)
    definition.withheld = try storedWithheld(row["withheld"])
    definition.confirmed = try [String: Instant](stored: row["confirmed"])
    let fingerprints = try String.fetchAll(
      db, sql: "SELECT fingerprint FROM revision_sections WHERE page = ? AND number = ? ORDER BY position",
      arguments: [page, number])
    definition.sections = try fingerprints.map(storedSection)
    return (definition, fingerprints)
  }
}

extension Revision {
  init(_ row: Row, live: Int?, _ db: Database) throws {
    let number: Int = row["number"]
    self.init(
      page: row["page"], number: number, kind: Kind(rawValue: row["kind"]) ?? .publish, source: row["source"],
      author: row["author"], madeAt: row["made_at"], message: row["message"],
      fingerprint: row["fingerprint"], problems: try JSON.stored(row["problems"] as String),
      withheld: try JSON.stored(row["withheld"] as String), isPinned: row["is_pinned"], isLive: number == live,
      generation: try Generation.present(db))
  }
}
