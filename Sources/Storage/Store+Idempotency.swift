import Layout

/// The answer that a request with an `Idempotency-Key` got.
public struct KeptAnswer: Hashable, Sendable {
  /// The hash of everything that the request asked for.
  public var fingerprint: String
  /// The HTTP status.
  public var status: Int
  /// The body.
  public var body: String
  /// The entity tag.
  public var tag: String?
  /// The edition that went live, as `Hearth-Revision` has it.
  public var edition: String?

  /// An answer.
  public init(fingerprint: String, status: Int, body: String, tag: String?, edition: String? = nil) {
    self.fingerprint = fingerprint
    self.status = status
    self.body = body
    self.tag = tag
    self.edition = edition
  }
}

/// Keeps the answer of a request with an `Idempotency-Key` in the transaction of its change, so that after a crash there
/// are both or neither.
public struct AnswerKeeper<Value: Sendable>: Sendable {
  /// The selector of the request's token: each token has keys of its own.
  public var token: String
  /// The key.
  public var key: String
  /// Makes the answer of what the change came to.
  public var answer: @Sendable (Value) throws -> KeptAnswer

  /// A keeper.
  public init(token: String, key: String, answer: @Sendable @escaping (Value) throws -> KeptAnswer) {
    self.token = token
    self.key = key
    self.answer = answer
  }
}

extension Store {
  /// How long answers are kept: 24 hours.
  public static let answersKeptSeconds: Int64 = 86_400

  /// The answer that a token's request with a key got in the last 24 hours.
  public func keptAnswer(token: String, key: String) async throws -> KeptAnswer? {
    let now = clock()
    return try await read { db in try KeptAnswer.fetch(db, token: token, key: key, now: now) }
  }
}

extension Change {
  /// Keeps the answer for 24 hours, and forgets the older ones.
  ///
  /// - Throws: ``StoreError`` when another process has answered the same request meanwhile.
  func keep<Value>(_ keeper: AnswerKeeper<Value>?, _ value: Value) throws {
    guard let keeper else { return }
    let answer = try keeper.answer(value)
    try db.execute(
      sql: "DELETE FROM idempotency_keys WHERE at <= ?",
      arguments: [now.adding(seconds: -Store.answersKeptSeconds).secondsSinceEpoch])
    guard try KeptAnswer.fetch(db, token: keeper.token, key: keeper.key, now: now) == nil else {
      throw StoreError.conflict(
        code: "idempotency-key-running", detail: "another server has just answered this request; try again")
    }
    try db.execute(
      sql: """
        INSERT INTO idempotency_keys (token, key, fingerprint, at, status, body, etag, edition)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        keeper.token, keeper.key, answer.fingerprint, now.secondsSinceEpoch, answer.status, answer.body, answer.tag,
        answer.edition,
      ])
  }
}

extension KeptAnswer {
  fileprivate static func fetch(_ db: Database, token: String, key: String, now: Instant) throws -> KeptAnswer? {
    try Row.fetchOne(
      db, sql: "SELECT * FROM idempotency_keys WHERE token = ? AND key = ? AND at > ?",
      arguments: [token, key, now.adding(seconds: -Store.answersKeptSeconds).secondsSinceEpoch]
    ).map {
      KeptAnswer(
        fingerprint: $0["fingerprint"], status: $0["status"], body: $0["body"], tag: $0["etag"], edition: $0["edition"])
    }
  }
}
