public import JSON
public import Layout

/// Whose answer it is that is to be published.
public struct AskedBy: Hashable, Sendable {
  /// What was asked.
  public var asking: Asking
  /// What tells the process that asked from others.
  public var asker: String

  /// An answer's origin.
  public init(_ asking: Asking, by asker: String) { (self.asking, self.asker) = (asking, asker) }
}

/// Why an answer came too late to be published: nothing is wrong with it.
public enum AnswerTooLate: Error, CustomStringConvertible {
  /// The live section asks otherwise, or nothing.
  case sectionChanged
  /// Another process asks now.
  case askerChanged

  /// Why, in words.
  public var description: String {
    switch self {
    case .sectionChanged: "the section was changed while it was asked for"
    case .askerChanged: "another server asks now"
    }
  }
}

/// The process that asks.
public struct Asker: Hashable, Sendable {
  /// What tells it from others.
  public var instance: String
  /// Until when no other one asks.
  public var until: Instant
  /// What came of it, as it was written.
  public var states: JSON
}

/// Which process asks, and what came of it: one row.
extension Store {
  /// The process that asks, or asked last; `nil` if none ever did.
  public func asker() async throws -> Asker? {
    try await read { db in
      try Row.fetchOne(db, sql: "SELECT instance, until, states FROM source_asker").map { row in
        Asker(instance: row["instance"], until: row["until"], states: try JSON.stored(row["states"] as String))
      }
    }
  }

  /// Has a process be the one that asks, unless another one is, and writes what came of it.
  ///
  /// - Parameters:
  ///   - instance: What tells the process from others: 1 to 64 characters.
  ///   - seconds: For how long it is.
  ///   - states: What came of it; `nil` leaves what is written.
  /// - Returns: Whether it is.
  public func holdsAsker(_ instance: String, for seconds: Int64, states: JSON?) async throws -> Bool {
    let now = clock()
    // Where no other machine can have the database, another process that is in the row is over, or about to be.
    let isAlone = !isShared
    let text = states?.canonicalText
    return try await transaction { db in
      try db.execute(
        sql: """
          INSERT INTO source_asker (id, instance, until, states) VALUES (1, :instance, :until, coalesce(:states, '{}'))
          ON CONFLICT (id) DO UPDATE SET
            instance = :instance, until = :until, states = coalesce(:states, source_asker.states)
          WHERE source_asker.instance = :instance OR source_asker.until <= :now OR :alone = 1
          """,
        arguments: [
          "instance": instance, "until": now.adding(seconds: seconds), "now": now, "states": text, "alone": isAlone,
        ])
      return try String.fetchOne(db, sql: "SELECT instance FROM source_asker") == instance
    }
  }

  /// Lets another process ask at once, and writes what came of it, unless another one asks already.
  public func endAsker(_ instance: String, states: JSON) async throws {
    let text = states.canonicalText
    try await transaction { db in
      _ = try db.execute(
        sql: "UPDATE source_asker SET until = 0, states = ? WHERE instance = ?", arguments: [text, instance])
    }
  }
}

extension Change {
  /// Refuses an answer that is no more what the live section asks, or that another process may have overtaken.
  func requirePresent(_ asked: AskedBy?, _ live: SectionDefinition) throws {
    guard let asked else { return }
    guard live.settings.loading.asks == asked.asking else { throw AnswerTooLate.sectionChanged }
    let asker = try String.fetchOne(db, sql: "SELECT instance FROM source_asker")
    guard asker == asked.asker else { throw AnswerTooLate.askerChanged }
  }

  /// Whether an edit is of what is live alone: the draft asks otherwise, or has the section no more.
  func isOfLiveAlone(_ asked: AskedBy?, _ page: String, _ section: String, _ store: Store) throws -> Bool {
    guard let asked else { return false }
    do {
      return try self.section(page, section, store).section.settings.loading.asks != asked.asking
    } catch StoreError.notFound {
      return true
    }
  }
}
