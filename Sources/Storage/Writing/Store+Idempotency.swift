import Layout
import Synchronization

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
  /// Makes the answer of what the transaction returns.
  public var answer: @Sendable (Value) throws -> KeptAnswer

  /// A keeper.
  public init(token: String, key: String, answer: @Sendable @escaping (Value) throws -> KeptAnswer) {
    self.token = token
    self.key = key
    self.answer = answer
  }

  /// A keeper that makes this one's value from another.
  public func of<Other>(_ make: @Sendable @escaping (Other) -> Value) -> AnswerKeeper<Other> {
    AnswerKeeper<Other>(token: token, key: key) { [answer] in try answer(make($0)) }
  }
}

extension Store {
  /// How long answers are kept: 24 hours.
  public static let answersKeptSeconds: Int64 = 86_400
  /// The most answers that one change forgets because they are over: many may be at once, and others wait for its lock.
  private static let answersForgottenMax = 100

  /// The answer that a token's request with a key got in the last 24 hours.
  public func keptAnswer(token: String, key: String) async throws -> KeptAnswer? {
    let end = clock().adding(seconds: -Self.answersKeptSeconds)
    return try await read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM idempotency_keys WHERE token = ? AND key = ? AND at > ?", arguments: [token, key, end]
      ).map {
        KeptAnswer(
          fingerprint: $0["fingerprint"], status: $0["status"], body: $0["body"], tag: $0["etag"],
          edition: $0["edition"])
      }
    }
  }

  /// Keeps the answer for 24 hours, and forgets older ones.
  ///
  /// - Throws: ``StoreError`` when another process has answered the same request meanwhile.
  func keep<Value>(_ keeper: AnswerKeeper<Value>?, _ value: Value, _ change: Change) throws {
    guard let keeper else { return }
    let answer = try keeper.answer(value)
    let (db, now) = (change.db, change.now)
    let end = now.adding(seconds: -Self.answersKeptSeconds)
    let count = try db.execute(
      sql: """
        INSERT INTO idempotency_keys (token, key, fingerprint, at, status, body, etag, edition)
        VALUES (:token, :key, :fingerprint, :at, :status, :body, :etag, :edition)
        ON CONFLICT (token, key) DO UPDATE SET fingerprint = :fingerprint, at = :at, status = :status, body = :body,
          etag = :etag, edition = :edition
        WHERE idempotency_keys.at <= :end
        """,
      arguments: [
        "token": keeper.token, "key": keeper.key, "fingerprint": answer.fingerprint, "at": now,
        "status": answer.status, "body": answer.body, "etag": answer.tag, "edition": answer.edition, "end": end,
      ])
    guard count > 0 else {
      throw StoreError.conflict(
        code: "idempotency-key-running", detail: "another server has just answered this request; try again")
    }
    try db.execute(
      sql: """
        DELETE FROM idempotency_keys WHERE (token, key) IN
          (SELECT token, key FROM idempotency_keys WHERE at <= ? ORDER BY at LIMIT ?)
        """, arguments: [end, Self.answersForgottenMax])
    if answerCounts.isDue(keeper.token, each: answersBetweenCounts) {
      try forgetOldest(of: keeper.token, but: keeper.key, db)
    }
  }

  /// How many answers of a token are kept until they are counted again: to count a hundred thousand takes milliseconds.
  private var answersBetweenCounts: Int { max(writeSettings.answersKeptMax / 100, 1) }

  /// Has a token keep no more answers than it may, those included that come until they are counted again.
  private func forgetOldest(of token: String, but key: String, _ db: Database) throws {
    let most = max(writeSettings.answersKeptMax - answersBetweenCounts + 1, 1)
    let count =
      try Int.fetchOne(db, sql: "SELECT count(*) FROM idempotency_keys WHERE token = ?", arguments: [token]) ?? 0
    guard count > most else { return }
    try db.execute(
      sql: """
        DELETE FROM idempotency_keys WHERE token = :token AND key IN
          (SELECT key FROM idempotency_keys WHERE token = :token AND key <> :key ORDER BY at LIMIT :count)
        """, arguments: ["token": token, "key": key, "count": count - most])
  }
}

/// How many answers this process has kept for each token since it counted them.
final class AnswerCounts: Sendable {
  private let counts = Mutex<[String: Int]>([:])

  /// Notes that another one is kept.
  ///
  /// - Returns: Whether they are to be counted: at the first one, and then after each so many.
  func isDue(_ token: String, each number: Int) -> Bool {
    counts.withLock { counts in
      let count = (counts[token] ?? number - 1) + 1
      counts[token] = count < number ? count : 0
      return count >= number
    }
  }
}
