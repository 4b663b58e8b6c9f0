public import Layout

/// One row of the audit.
public struct AuditEntry: Hashable, Sendable {
  /// The number, ascending.
  public var id: Int64
  /// When.
  public var at: Instant
  /// Who.
  public var actor: Actor
  /// What was done: `section.move`.
  public var action: String
  /// The page.
  public var page: String?
  /// The section.
  public var section: String?
  /// The item.
  public var item: String?
  /// What else there is to say.
  public var detail: String?
  /// The fingerprint of what was there before.
  public var before: String?
  /// The fingerprint of what was there after.
  public var after: String?
}

/// Which rows of the audit are wanted.
public struct AuditFilter: Hashable, Sendable {
  /// Of a page.
  public var page: String?
  /// Of an actor.
  public var actor: String?
  /// Of an action, or of all that begin with it and a dot.
  public var action: String?
  /// At or after an instant.
  public var from: Instant?
  /// Before an instant.
  public var until: Instant?
  /// With a smaller number.
  public var before: Int64?

  /// A filter that lets everything through.
  public init() {}
}

extension Store {
  /// The audit's rows, the newest first.
  public func audit(_ filter: AuditFilter = AuditFilter(), limit: Int) async throws -> [AuditEntry] {
    // What was refused a moment ago is in it, unless it cannot be written now.
    if !laterWrites.batch.isEmpty { try? await writeLater(waiting: .seconds(1)) }
    try WholeText.check(filter.page, filter.actor, filter.action)
    return try await read { db in
      try Row.fetchAll(
        db,
        sql: """
          SELECT id, at, actor, token, address, request, action, page, section, item, detail, before, after FROM audit
          WHERE (CAST(:page AS TEXT) IS NULL OR page = :page) AND (CAST(:actor AS TEXT) IS NULL OR actor = :actor)
            AND (CAST(:action AS TEXT) IS NULL OR action = :action
              OR substr(action, 1, length(:action) + 1) = :action || '.')
            AND (CAST(:from AS BIGINT) IS NULL OR at >= :from) AND (CAST(:until AS BIGINT) IS NULL OR at < :until)
            AND (CAST(:before AS BIGINT) IS NULL OR id < :before)
          ORDER BY id DESC LIMIT :limit
          """,
        arguments: [
          "page": filter.page, "actor": filter.actor, "action": filter.action, "from": filter.from,
          "until": filter.until, "before": filter.before, "limit": limit,
        ]
      ).map(AuditEntry.init)
    }
  }
}

extension AuditEntry {
  fileprivate init(_ row: Row) {
    self.init(
      id: row["id"], at: row["at"],
      actor: Actor(name: row["actor"], token: row["token"], address: row["address"], request: row["request"]),
      action: row["action"], page: row["page"], section: row["section"], item: row["item"], detail: row["detail"],
      before: row["before"], after: row["after"])
  }
}
