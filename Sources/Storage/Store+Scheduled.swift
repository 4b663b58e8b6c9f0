import GRDB
public import JSON
public import Layout

/// A revision that goes live at an instant.
public struct ScheduledPublish: Hashable, Sendable {
  /// Names it.
  public var id: Int64
  /// The page.
  public var page: String
  /// The revision, which retention keeps until then.
  public var revision: Int
  /// When it goes live, to the second.
  public var at: Instant
  /// The IANA zone that the instant was entered in.
  public var zone: String
  /// Who scheduled it.
  public var author: String
  /// What the author said of it.
  public var message: String?
}

extension Store {
  /// Schedules a revision: an earlier one, or one that is made of the draft as it is now.
  ///
  /// - Parameters:
  ///   - revision: The number of an earlier revision; the draft becomes one when it is `nil`.
  ///   - prepare: Gets the candidate inside the transaction; when it throws, nothing has happened. Returns the problems
  ///     to keep with the revision.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  public func schedulePublish(
    _ page: String, revision: Int?, at: Instant, zone: String, message: String?, if precondition: WritePrecondition,
    by actor: Actor, keeping: AnswerKeeper<ScheduledPublish>? = nil,
    prepare: @Sendable @escaping (Candidate) throws -> JSON
  ) async throws -> ScheduledPublish {
    try await write("page.schedule", by: actor, page: page) { [self] change in
      guard at > change.now else {
        throw StoreError.invalid([DocumentProblem(pointer: JSONPointer(["at"]), detail: "must be in the future")])
      }
      // Only assembled here: what makes it live takes it off the schedule.
      let scope: PublishScope = revision.map { .revision($0, kind: .rollback, resetsDraft: false) } ?? .draft
      let candidate = try change.candidate(page, scope, if: precondition, self, check: { _ in })
      let problems = try prepare(candidate)
      let number =
        try revision
        ?? change.insertRevision(candidate, scope, message: message, problems: problems, goesLive: false).number
      change.detail = "revision \(number) at \(at)"
      try change.db.execute(
        sql: """
          INSERT INTO scheduled_publishes (page, revision, at, zone, author, message) VALUES (?, ?, ?, ?, ?, ?)
          """, arguments: [page, number, at.secondsSinceEpoch, zone, actor.name, message])
      let scheduled = ScheduledPublish(
        id: change.db.lastInsertedRowID, page: page, revision: number, at: at, zone: zone, author: actor.name,
        message: message)
      try change.keep(keeping, scheduled)
      return scheduled
    }
  }

  /// What is scheduled, the soonest first; of all pages when `page` is `nil`.
  public func scheduledPublishes(of page: String? = nil) async throws -> [ScheduledPublish] {
    try await read { [self] db in
      if let page { _ = try reader(db).pageRow(page) }
      return try Row.fetchAll(
        db, sql: "SELECT * FROM scheduled_publishes WHERE page = :page OR :page IS NULL ORDER BY at, id",
        arguments: ["page": page]
      ).map(ScheduledPublish.init)
    }
  }

  /// Takes a scheduled publish back.
  ///
  /// - Parameter reason: Why, when it is not its author's wish: the publish failed.
  public func cancelScheduledPublish(
    _ page: String, _ id: Int64, by actor: Actor, reason: String? = nil
  ) async throws {
    try await write(reason == nil ? "page.schedule.cancel" : "page.schedule.fail", by: actor, page: page) { change in
      let row = try Row.fetchOne(
        change.db, sql: "DELETE FROM scheduled_publishes WHERE page = ? AND id = ? RETURNING revision, at",
        arguments: [page, id])
      guard let row else { throw StoreError.notFound(what: "scheduled publish", name: String(id), known: []) }
      let at = Instant(secondsSinceEpoch: row["at"])
      change.detail = "revision \(row["revision"] as Int) at \(at)" + (reason.map { ": \($0)" } ?? "")
    }
  }
}

extension ScheduledPublish {
  fileprivate init(_ row: Row) {
    self.init(
      id: row["id"], page: row["page"], revision: row["revision"], at: Instant(secondsSinceEpoch: row["at"]),
      zone: row["zone"], author: row["author"], message: row["message"])
  }
}

extension Change {
  /// A revision that goes live by its schedule is scheduled no more.
  ///
  /// - Throws: ``StoreError`` when it is not scheduled: another process was first.
  func removeDue(_ page: String, _ revision: Int) throws {
    try db.execute(
      sql: "DELETE FROM scheduled_publishes WHERE page = ? AND revision = ? AND at <= ?",
      arguments: [page, revision, now.secondsSinceEpoch])
    if db.changesCount == 0 {
      throw StoreError.notFound(what: "scheduled publish", name: "revision \(revision)", known: [])
    }
  }
}
