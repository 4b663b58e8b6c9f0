import JSON
public import Layout

/// Parts of a page that go live at an instant.
public struct ScheduledPublish: Hashable, Sendable {
  /// Its id.
  public var id: Int64
  /// The page.
  public var page: String
  /// The earlier revision that goes live, and that retention keeps until then; `nil` where it is the draft.
  public var revision: Int?
  /// The parts of the draft that go live, `nil` for the whole page.
  public var parts: PageParts?
  /// When it goes live, to the second.
  public var at: Instant
  /// The IANA zone that the instant was entered in.
  public var zone: String
  /// Who scheduled it.
  public var author: String
  /// The author's message.
  public var message: String?
  /// Whether it waits for somebody to look at it: history was cut since it was scheduled (see
  /// ``Store/raiseGeneration(reason:above:by:)``), or lint refused it when it was due. It does not go live before it is
  /// released.
  public var isHeld = false
  /// Parts of it that were published meanwhile. When it is due, they become what was scheduled.
  public var passed = PageParts()

  /// Whether it goes live at an instant, where history was not cut.
  public func isDue(at now: Instant) -> Bool { at <= now && !isHeld }

  /// The sections that go live, `nil` for the whole page.
  public var sections: [String]? { parts?.sections }

  /// What goes live, for people: `revision 7`, the parts, or `the page`.
  public var what: String { revision.map { "revision \($0)" } ?? parts?.text ?? "the page" }

  /// What it is, for the audit: `the page at 2027-02-05T16:00:00Z`.
  public var detail: String { "\(what) at \(at)" }
}

extension Store {
  /// Schedules what the draft is now, some sections of it, or an earlier revision: it is laid over what is live when it
  /// is due, but for content that sources have published by then (S1.9). Only then it is a revision with a number.
  ///
  /// - Parameters:
  ///   - scope: What an operator could publish at once.
  ///   - prepare: Gets what would go live now, outside the transaction and maybe more than once; when it throws, nothing
  ///     has happened.
  ///   - choice: What becomes of what waits for a later time and goes live by this one.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  public func schedulePublish(
    _ page: String, _ scope: PublishScope, at: Instant, zone: String, message: String?,
    if precondition: WritePrecondition, waiting choice: WaitingChoice = .leave, by actor: Actor,
    keeping: AnswerKeeper<ScheduledPublish>? = nil,
    prepare: @Sendable @escaping (Candidate) throws -> Void
  ) async throws -> ScheduledPublish {
    try await write(
      "page.schedule", by: actor, page: page, keeping: keeping,
      reading: scope.places(of: page, if: precondition),
      making: { [self] change, _ in
        try change.requireUncut(since: nil)
        let taken = try change.take(page, scope, if: precondition, self)
        try prepare(taken.candidate)
        return taken
      }
    ) { [self] change, taken in
      guard at > change.now else {
        let sentence = Sentence(.futureTime, "must be in the future")
        throw StoreError.invalid([DocumentProblem(pointer: JSONPointer(["at"]), sentence)])
      }
      let count = try Int.fetchOne(
        change.db, sql: "SELECT count(*) FROM scheduled_publishes WHERE page = ?", arguments: [page])
      guard (count ?? 0) < limits.scheduledMax else {
        throw StoreError.conflict(
          code: "too-many-scheduled",
          detail: "there may be at most \(limits.scheduledMax) scheduled publishes of a page; cancel one",
          values: ["most": .count(limits.scheduledMax)])
      }
      let (overlay, candidate) = (taken.overlay, taken.candidate)
      try change.requirePictures(of: candidate)
      let waiting = try change.waiting(for: candidate, scope, choice).filter { $0.at > at }
      try change.settle(waiting, choice, candidate)
      var scheduled = ScheduledPublish(
        id: 0, page: page, revision: overlay.source, at: at, zone: zone, author: actor.name, message: message)
      if case .parts(var names) = scope {
        names.sections = overlay.parts.map(\.id)
        scheduled.parts = names
      }
      scheduled.id = try change.insert(scheduled, overlay)
      change.detail = scheduled.detail
      return scheduled
    }
  }

  /// What is scheduled, the soonest first; of all pages when `page` is `nil`.
  public func scheduledPublishes(of page: String? = nil) async throws -> [ScheduledPublish] {
    try await read { [self] db in
      if let page { _ = try reader(db).pageRow(page) }
      return try ScheduledPublish.fetchAll(db, where: "page = :page OR CAST(:page AS TEXT) IS NULL", ["page": page])
    }
  }

  /// Takes a scheduled publish back.
  public func cancelScheduledPublish(
    _ page: String, _ id: Int64, by actor: Actor, keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write("page.schedule.cancel", by: actor, page: page, keeping: keeping) { change in
      let scheduled = try ScheduledPublish.fetch(change.db, page, id)
      try change.remove(scheduled)
      change.detail = scheduled.detail
    }
  }

  /// Holds a scheduled publish that cannot go live as it is, until somebody has looked at it.
  ///
  /// - Parameter reason: What is wrong with it.
  public func holdScheduledPublish(_ page: String, _ id: Int64, by actor: Actor, reason: String) async throws {
    try await write("page.schedule.fail", by: actor, page: page) { change in
      let scheduled = try ScheduledPublish.fetch(change.db, page, id)
      change.isVoid = scheduled.isHeld
      change.detail = "\(scheduled.detail): \(reason)"
      try change.db.execute(sql: "UPDATE scheduled_publishes SET is_missed = 1 WHERE id = ?", arguments: [id])
    }
  }
}

extension Store {
  /// Has a scheduled publish that is held go live at its time, or at once when that is over.
  public func releaseScheduledPublish(
    _ page: String, _ id: Int64, by actor: Actor, keeping: AnswerKeeper<ScheduledPublish>? = nil
  ) async throws -> ScheduledPublish {
    try await write("page.schedule.release", by: actor, page: page, keeping: keeping) { change in
      var scheduled = try ScheduledPublish.fetch(change.db, page, id)
      change.isVoid = !scheduled.isHeld
      change.detail = scheduled.detail
      if scheduled.isHeld {
        try change.db.execute(sql: "UPDATE scheduled_publishes SET is_missed = 0 WHERE id = ?", arguments: [id])
      }
      scheduled.isHeld = false
      return scheduled
    }
  }
}

extension ScheduledPublish {
  init(_ row: Row, _ db: Database) throws {
    let id: Int64 = row["id"]
    let isWhole = (row["settings"] as String?) != nil
    var parts: PageParts?
    if !isWhole {
      parts = PageParts(stored: try (row["parts"] as String?).map { try JSON.stored($0) })
      parts?.sections = try String.fetchAll(
        db, sql: "SELECT section FROM scheduled_sections WHERE scheduled = ? ORDER BY position, section",
        arguments: [id])
    }
    self.init(
      id: id, page: row["page"], revision: row["revision"], parts: parts,
      at: row["at"], zone: row["zone"], author: row["author"], message: row["message"],
      isHeld: row["is_missed"],
      passed: PageParts(stored: try (row["passed"] as String?).map { try JSON.stored($0) }))
  }

  /// Those that a condition holds for, the soonest first.
  static func fetchAll(
    _ db: Database, where condition: String, _ arguments: Arguments = []
  ) throws -> [ScheduledPublish] {
    try Row.fetchAll(
      db, sql: "SELECT * FROM scheduled_publishes WHERE \(condition) ORDER BY at, id", arguments: arguments
    ).map { try ScheduledPublish($0, db) }
  }

  /// - Throws: ``StoreError`` if it does not exist: it was called off, or another process was first.
  static func fetch(_ db: Database, _ page: String, _ id: Int64) throws -> ScheduledPublish {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM scheduled_publishes WHERE page = ? AND id = ?", arguments: [page, id])
    guard let row else { throw StoreError.notFound(what: "scheduled publish", name: String(id)) }
    return try ScheduledPublish(row, db)
  }
}
