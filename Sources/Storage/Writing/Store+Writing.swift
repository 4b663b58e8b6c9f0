import Layout

/// One change: the open transaction, and the audit row that will tell of it.
struct Change {
  let db: Database
  /// The id of the audit row, which the changed rows keep.
  var id: Int64
  let now: Instant
  let actor: Actor
  var action: String
  var page: String?
  var section: String?
  var item: String?
  var detail: String?
  var before: String?
  var after: String?
  /// What it did to the fields of the section, as ``FieldEdit`` writes it; `nil` where that is not known.
  var edits: String?
  /// Whether nothing changed. Then nothing is recorded.
  var isVoid = false
  /// What the change touches beside its own, each with a row of its own.
  var touched: [Touched] = []
  /// How much may wait for webhooks.
  var limits = WriteSettings()

  /// The entity tag of the resource that this change touches.
  var tag: String { EntityTag.text(id) }

  fileprivate func record() throws {
    try WholeText.check(detail)
    try WholeText.check(touched.flatMap { [$0.page, $0.detail] })
    let own = Touched(
      action: action, page: page, section: section, item: item, detail: detail, before: before, after: after,
      edits: edits)
    try db.insert(own, id: id, at: now, by: actor)
    for other in touched { try db.insert(other, at: now, by: actor) }
  }
}

/// What the audit tells of what a change touches.
struct Touched: Sendable {
  var action: String
  var page: String?
  var section: String?
  var item: String?
  var detail: String?
  var before: String?
  var after: String?
  /// What it did to the fields of the section, as ``FieldEdit`` writes it; `nil` where that is not known.
  var edits: String?
}

extension Database {
  /// Adds a row to the audit, with the next number where it is given none.
  func insert(_ touched: Touched, id: Int64? = nil, at instant: Instant, by actor: Actor) throws {
    try execute(
      sql: """
        INSERT INTO audit
          (id, at, actor, token, address, request, action, page, section, item, detail, before, after, edits)
        VALUES (coalesce(CAST(? AS BIGINT), (SELECT coalesce(max(id), 0) + 1 FROM audit)),
          ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        id, instant, actor.name, actor.token, actor.address, actor.request, touched.action,
        touched.page, touched.section, touched.item, touched.detail, touched.before, touched.after, touched.edits,
      ])
  }
}

/// Entity tags of what the store keeps: the number of the last change, in quotes.
enum EntityTag {
  static func text(_ change: Int64) -> String { "\"\(change)\"" }
}

extension Store {
  /// Runs one change in one transaction and records it.
  ///
  /// - Parameters:
  ///   - keeping: Keeps the answer that follows from what the body returns, also where nothing is other than before.
  ///   - isUrgent: Whether its turn comes before those of others, and it waits for longer.
  ///   - isGrouped: Whether it may be committed together with others that may; it is brief then, and may be run twice.
  func write<Value: Sendable>(
    _ action: String, by actor: Actor, page: String? = nil, section: String? = nil, item: String? = nil,
    keeping: AnswerKeeper<Value>? = nil, isUrgent: Bool = false, isGrouped: Bool = false,
    _ body: @Sendable @escaping (inout Change) throws -> Value
  ) async throws -> Value {
    let now = clock()
    try WholeText.check(page, section, item, actor.name, actor.token, actor.address, actor.request)
    return try await transaction(isUrgent: isUrgent, isGrouped: isGrouped) { [self] db in
      var change = Change(
        db: db, id: try Change.last(db) + 1, now: now, actor: actor, action: action, page: page, section: section,
        item: item)
      change.limits = writeSettings
      let value = try body(&change)
      if !change.isVoid { try change.record() }
      try keep(keeping, value, change)
      return value
    }
  }
}

extension Change {
  /// The number of the last change that there is.
  static func last(_ db: Database) throws -> Int64 {
    try Int64.fetchOne(db, sql: "SELECT max(id) FROM audit") ?? 0
  }

  /// Checks a precondition against a resource.
  ///
  /// - Parameters:
  ///   - own: The number of the resource's last change, `nil` when it is not there.
  ///   - others: Those of what it is a part of, whose tags speak for it in `If-Match`.
  func check(_ precondition: WritePrecondition, of own: Int64?, or others: [Int64] = []) throws {
    guard !precondition.isMissing(for: own) else { throw StoreError.preconditionRequired }
    guard !precondition.holds(for: own.map(EntityTag.text), or: others.map(EntityTag.text)) else { return }
    guard let own else { throw StoreError.stale(nil) }
    throw try stale(tag: EntityTag.text(own), since: own)
  }

  /// The refusal of a change to what another change, by its number, has made newer.
  func stale(tag: String, since change: Int64) throws -> StoreError {
    let row = try Row.fetchOne(db, sql: "SELECT actor, at FROM audit WHERE id = ?", arguments: [change])
    return .stale(
      StoreError.Stale(
        tag: tag, changedBy: row?["actor"] ?? "", changedAt: row?["at"] ?? Instant(secondsSinceEpoch: 0)))
  }

  /// Notes that the page's draft has changed.
  func touchDraft(of page: String, orderToo: Bool = false) throws {
    try db.execute(
      sql: """
        UPDATE pages SET draft_changed = :id, order_changed = CASE WHEN :order = 1 THEN :id ELSE order_changed END
        WHERE id = :page
        """, arguments: ["id": id, "order": orderToo, "page": page])
  }
}
