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
  ///   - keeping: Keeps the answer for a request that may be tried again.
  /// - Returns: The revision, what `prepare` returned, and the draft's tag; nothing is ready when the revision was live
  ///   before.
  public func publish<Ready: Sendable>(
    _ page: String, _ scope: PublishScope, message: String?, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<(revision: Revision, tag: String)>? = nil,
    check: @Sendable @escaping (SectionDefinition) throws -> Void = { _ in },
    prepare: @Sendable @escaping (Candidate) throws -> (ready: Ready, problems: JSON)
  ) async throws -> (revision: Revision, ready: Ready?, tag: String) {
    try await write(scope.action, by: actor, page: page) { [self] change in
      let candidate = try change.candidate(page, scope, if: precondition, self, check: check)
      if candidate.isLive {
        let row = try reader(change.db).pageRow(page)
        let live = try reader(change.db).revisionRow(page, row["live"])
        return (try Revision(live, live: row["live"]), nil, EntityTag.text(row["draft_changed"]))
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

  /// What is live, as far as the caller does not have it.
  public struct LiveRevisions: Sendable {
    /// The live revisions that are newer than those that the caller has.
    public var revisions: [Candidate]
    /// The pages that have no live revision, with the last number that each has had.
    public var withoutLive: [String: Int]
  }

  /// The live revision of every page that has one, and the pages that have none any more, in one snapshot.
  ///
  /// - Parameter known: The revisions that the caller has, by page; they are not read again.
  public func liveRevisions(newerThan known: [String: Int] = [:]) async throws -> LiveRevisions {
    try await read { [self] db in
      let live = try Row.fetchAll(db, sql: "SELECT id, live FROM pages WHERE live IS NOT NULL ORDER BY id")
      let revisions = try live.compactMap { row -> Candidate? in
        let (page, number): (String, Int) = (row["id"], row["live"])
        guard number > known[page] ?? 0 else { return nil }
        let (definition, fingerprints) = try reader(db).revision(page, number)
        return Candidate(
          definition: definition, fingerprints: fingerprints, live: nil, number: number,
          identity: try reader(db).revisionRow(page, number)["identity"])
      }
      let last = try Row.fetchAll(
        db,
        sql: """
          SELECT page, last FROM revision_numbers WHERE page NOT IN (SELECT id FROM pages WHERE live IS NOT NULL)
          """)
      return LiveRevisions(
        revisions: revisions,
        withoutLive: Dictionary(last.map { ($0["page"], $0["last"]) }, uniquingKeysWith: { first, _ in first }))
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
      ).map { try Revision($0, live: live) }
    }
  }

  /// One revision.
  public func revision(_ page: String, _ number: Int) async throws -> Revision {
    try await read { [self] db in
      let live: Int? = try reader(db).pageRow(page)["live"]
      return try Revision(reader(db).revisionRow(page, number), live: live)
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
  init(_ row: Row, live: Int?) throws {
    let number: Int = row["number"]
    self.init(
      page: row["page"], number: number, kind: Kind(rawValue: row["kind"]) ?? .publish, source: row["source"],
      author: row["author"], madeAt: Instant(secondsSinceEpoch: row["made_at"]), message: row["message"],
      fingerprint: row["fingerprint"], problems: try JSON.stored(row["problems"] as String),
      isPinned: row["is_pinned"], isLive: number == live)
  }
}
