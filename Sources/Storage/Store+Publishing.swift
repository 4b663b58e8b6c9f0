import GRDB
public import JSON
public import Layout

extension Store {
  /// Makes a new revision and makes it live, in one transaction.
  ///
  /// - Parameters:
  ///   - prepare: Gets the candidate inside the transaction and makes it ready to serve; when it throws, nothing has
  ///     happened. Returns what the caller wants to have, and the problems to keep with the revision.
  /// - Returns: The revision, what `prepare` returned, and the draft's tag.
  public func publish<Ready: Sendable>(
    _ page: String, _ scope: PublishScope, message: String?, if precondition: WritePrecondition, by actor: Actor,
    check: @Sendable @escaping (SectionDefinition) throws -> Void = { _ in },
    prepare: @Sendable @escaping (Candidate) throws -> (ready: Ready, problems: JSON)
  ) async throws -> (revision: Revision, ready: Ready, tag: String) {
    try await write(scope.action, by: actor, page: page) { [self] change in
      let candidate = try change.candidate(page, scope, if: precondition, self, check: check)
      let (ready, problems) = try prepare(candidate)
      let revision = try change.insertRevision(candidate, scope, message: message, problems: problems)
      return (revision, ready, EntityTag.text(try reader(change.db).pageRow(page)["draft_changed"]))
    }
  }

  /// What publishing would make live, without publishing.
  public func candidate(_ page: String, _ scope: PublishScope) async throws -> Candidate {
    let now = clock()
    return try await read { [self] db in
      let change = Change(db: db, id: 0, now: now, actor: Actor(name: ""), action: "")
      return try change.assembleCandidate(page, scope, self)
    }
  }

  /// The definition of a revision and the fingerprints of its sections.
  public func revisionDefinition(
    _ page: String, _ number: Int
  ) async throws -> (definition: PageDefinition, fingerprints: [String]) {
    try await read { [self] db in
      _ = try reader(db).pageRow(page)
      return try reader(db).revision(page, number)
    }
  }

  /// The live revision of every page that has one.
  public func liveRevisions() async throws -> [Candidate] {
    try await read { [self] db in
      try Row.fetchAll(db, sql: "SELECT id, live FROM pages WHERE live IS NOT NULL ORDER BY id").map { row in
        let number: Int = row["live"]
        let (definition, fingerprints) = try reader(db).revision(row["id"], number)
        return Candidate(definition: definition, fingerprints: fingerprints, live: nil, number: number)
      }
    }
  }

  /// A page's revisions, the newest first.
  ///
  /// - Parameters:
  ///   - before: Only those with a smaller number.
  ///   - limit: The most revisions.
  public func revisions(_ page: String, before: Int? = nil, limit: Int) async throws -> [Revision] {
    try await read { [self] db in
      let live: Int? = try reader(db).pageRow(page)["live"]
      return try Row.fetchAll(
        db, sql: "SELECT * FROM revisions WHERE page = ? AND number < ? ORDER BY number DESC LIMIT ?",
        arguments: [page, before ?? .max, limit]
      ).map { try Revision($0, live: live) }
    }
  }

  /// One revision.
  public func revision(_ page: String, _ number: Int) async throws -> Revision {
    try await read { [self] db in
      let live: Int? = try reader(db).pageRow(page)["live"]
      let row = try Row.fetchOne(
        db, sql: "SELECT * FROM revisions WHERE page = ? AND number = ?", arguments: [page, number])
      guard let row else { throw StoreError.notFound(what: "revision", name: String(number), known: []) }
      return try Revision(row, live: live)
    }
  }

  /// Keeps a revision from retention, or gives it free again.
  public func setPinned(_ isPinned: Bool, _ page: String, _ number: Int, by actor: Actor) async throws {
    try await write(isPinned ? "revision.pin" : "revision.unpin", by: actor, page: page) { [self] change in
      _ = try reader(change.db).pageRow(page)
      change.detail = String(number)
      try change.db.execute(
        sql: "UPDATE revisions SET is_pinned = ? WHERE page = ? AND number = ?", arguments: [isPinned, page, number])
      if change.db.changesCount == 0 {
        throw StoreError.notFound(what: "revision", name: String(number), known: [])
      }
    }
  }

  /// Removes some revisions that retention does not keep: neither live, pinned nor scheduled, older than the newest
  /// `keep` and made before an instant.
  ///
  /// - Parameter batch: The most revisions, so that the write lock is held for a moment only.
  /// - Returns: How many were removed.
  public func prune(keep: Int, madeBefore: Instant, batch: Int) async throws -> Int {
    do {
      return try await pool.write { db in
        try db.execute(
          sql: """
            DELETE FROM revisions WHERE rowid IN (
              SELECT r.rowid FROM revisions r JOIN pages p ON p.id = r.page
              WHERE r.is_pinned = 0 AND r.made_at < :before AND r.number IS NOT p.live
                AND NOT EXISTS (SELECT 1 FROM scheduled_publishes s WHERE s.page = r.page AND s.revision = r.number)
                AND r.number <= (
                  SELECT number FROM revisions n WHERE n.page = r.page ORDER BY number DESC LIMIT 1 OFFSET :keep)
              LIMIT :batch)
            """,
          arguments: ["before": madeBefore.secondsSinceEpoch, "keep": max(keep, 0), "batch": batch])
        let removed = db.changesCount
        if removed > 0 {
          try db.execute(
            sql: """
              DELETE FROM section_documents
              WHERE NOT EXISTS (
                SELECT 1 FROM revision_sections r WHERE r.fingerprint = section_documents.fingerprint)
              """)
        }
        return removed
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }
}

extension Revision {
  init(_ row: Row, live: Int?) throws {
    let number: Int = row["number"]
    self.init(
      page: row["page"], number: number, kind: Kind(rawValue: row["kind"]) ?? .publish, source: row["source"],
      author: row["author"], madeAt: Instant(secondsSinceEpoch: row["made_at"]), message: row["message"],
      fingerprint: row["fingerprint"], problems: try JSON.parse(row["problems"] as String),
      isPinned: row["is_pinned"], isLive: number == live)
  }
}
