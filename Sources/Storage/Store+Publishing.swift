import GRDB
public import JSON
public import Layout

extension Store {
  /// Makes a new revision and makes it live, in one transaction. A source's edit after which the content is what is live
  /// already makes none.
  ///
  /// - Parameters:
  ///   - prepare: Gets the candidate inside the transaction and makes it ready to serve; when it throws, nothing has
  ///     happened. Returns what the caller wants to have, and the problems to keep with the revision.
  ///   - served: What the node has served; nothing is published into history that was cut since.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  /// - Returns: The revision, what `prepare` returned, and the draft's tag; nothing is ready when the revision was live
  ///   before.
  public func publish<Ready: Sendable>(
    _ page: String, _ scope: PublishScope, message: String?, if precondition: WritePrecondition,
    since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<(revision: Revision, tag: String)>? = nil,
    check: @Sendable @escaping (SectionDefinition) throws -> Void = { _ in },
    prepare: @Sendable @escaping (Candidate) throws -> (ready: Ready, problems: JSON)
  ) async throws -> (revision: Revision, ready: Ready?, tag: String) {
    try await write(scope.action, by: actor, page: page) { [self] change in
      try change.requireUncut(since: served)
      let candidate = try change.candidate(page, scope, if: precondition, self, check: check)
      if candidate.isLive {
        let row = try reader(change.db).pageRow(page)
        let live = try reader(change.db).revisionRow(page, row["live"])
        return (try Revision(live, live: row["live"], change.db), nil, EntityTag.text(row["draft_changed"]))
      }
      let (ready, problems) = try prepare(candidate)
      let revision = try change.insertRevision(candidate, scope, message: message, problems: problems)
      let tag = EntityTag.text(try reader(change.db).pageRow(page)["draft_changed"])
      try change.keep(keeping, (revision, tag))
      return (revision, ready, tag)
    }
  }

  /// What publishing would make live, without publishing.
  public func candidate(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition = .none
  ) async throws -> Candidate {
    let now = clock()
    return try await read { [self] db in
      let change = Change(db: db, id: 0, now: now, actor: Actor(name: ""), action: "")
      try change.check(precondition, of: reader(db).pageRow(page)["draft_changed"])
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
      let names = JSON.array(kinds.map { .string($0.rawValue) }).canonicalText
      return try Row.fetchAll(
        db,
        sql: """
          SELECT * FROM revisions WHERE page = ? AND number < ? AND kind IN (SELECT value FROM json_each(?))
          ORDER BY number DESC LIMIT ?
          """, arguments: [page, before ?? .max, names, limit]
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
}

extension Revision {
  init(_ row: Row, live: Int?, _ db: Database) throws {
    let number: Int = row["number"]
    self.init(
      page: row["page"], number: number, kind: Kind(rawValue: row["kind"]) ?? .publish, source: row["source"],
      author: row["author"], madeAt: Instant(secondsSinceEpoch: row["made_at"]), message: row["message"],
      fingerprint: row["fingerprint"], problems: try JSON.stored(row["problems"] as String),
      isPinned: row["is_pinned"], isLive: number == live, generation: try Generation.present(db))
  }
}
