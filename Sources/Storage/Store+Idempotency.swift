import GRDB
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

  /// An answer.
  public init(fingerprint: String, status: Int, body: String, tag: String?) {
    self.fingerprint = fingerprint
    self.status = status
    self.body = body
    self.tag = tag
  }
}

extension Store {
  /// How long answers are kept: 24 hours.
  public static let answersKeptSeconds: Int64 = 86_400

  /// The answer that a token's request with a key got in the last 24 hours.
  public func keptAnswer(token: String, key: String) async throws -> KeptAnswer? {
    let oldest = clock().adding(seconds: -Self.answersKeptSeconds)
    return try await read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM idempotency_keys WHERE token = ? AND key = ? AND at > ?",
        arguments: [token, key, oldest.secondsSinceEpoch]
      ).map { KeptAnswer(fingerprint: $0["fingerprint"], status: $0["status"], body: $0["body"], tag: $0["etag"]) }
    }
  }

  /// Keeps an answer for 24 hours, and forgets the older ones.
  public func keep(_ answer: KeptAnswer, token: String, key: String) async throws {
    let now = clock()
    do {
      try await pool.write { db in
        try db.execute(
          sql: "DELETE FROM idempotency_keys WHERE at <= ?",
          arguments: [now.adding(seconds: -Self.answersKeptSeconds).secondsSinceEpoch])
        try db.execute(
          sql: """
            INSERT OR REPLACE INTO idempotency_keys (token, key, fingerprint, at, status, body, etag)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """,
          arguments: [token, key, answer.fingerprint, now.secondsSinceEpoch, answer.status, answer.body, answer.tag])
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }
}
