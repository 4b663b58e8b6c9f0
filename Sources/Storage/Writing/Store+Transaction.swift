import Synchronization
import Tracing

/// Settings of writing.
public struct WriteSettings: Sendable {
  /// How long a write waits in all: for its turn and for the lock of another process.
  public var waitMax: Duration = .seconds(5)
  /// How many times as long an emergency waits: to withhold a kind, and to change kinds.
  static let urgentWaits = 4
  /// How many writes may wait; more are refused.
  public var waitingMax = 256
  /// How many answers are kept for the requests of one token that have an `Idempotency-Key`; the oldest go first.
  public var answersKeptMax = 100_000
  /// How many deliveries may wait for one webhook; the oldest are given up when there are more.
  public var deliveriesWaitingMax = 10_000
  /// How many deliveries of one webhook are kept that are taken or given up; the oldest go first.
  public var deliveriesKept = 200

  /// The default settings.
  public init() {}
}

extension Store {
  /// Runs one transaction that writes, once it is its turn, and commits it.
  ///
  /// - Parameters:
  ///   - wait: How long it waits for its turn and the lock, ``WriteSettings/waitMax`` when `nil`.
  ///   - isUrgent: Whether its turn comes before those of others, and it waits for longer.
  ///   - isGrouped: Whether it may be committed together with others that may; it is brief then, and may be run twice.
  /// - Throws: ``StoreError``, or what the body throws; then nothing has changed.
  func transaction<Value: Sendable>(
    waiting wait: Duration? = nil, isUrgent: Bool = false, isGrouped: Bool = false,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    let waitMax = writeSettings.waitMax * (isUrgent ? WriteSettings.urgentWaits : 1)
    let deadline = ContinuousClock.now + (wait ?? waitMax)
    return try await traced("write transaction") { [systemName] span in
      let body: @Sendable (Database) throws -> Value = { db in
        span?.addEvent("has the lock")
        return try body(db.traced(in: span, of: systemName))
      }
      let written = Mutex<Value?>(nil)
      let isTurn = try await notingStandby {
        guard isGrouped else {
          try await writeTurns.enter(until: deadline, isUrgent: isUrgent)
          return true
        }
        return try await writeTurns.enter(until: deadline) { db in
          let value = try body(db)
          written.withLock { $0 = value }
        }
      }
      if isTurn { return try await write(until: deadline, span, isGrouped ? WriteGroup(of: writeTurns) : nil, body) }
      guard let value = written.withLock({ $0 }) else { preconditionFailure("what did not run was committed") }
      return value
    }
  }

  /// Those whose turn does not come wait for whoever waits for the standby.
  private func notingStandby<Value>(_ wait: () async throws -> Value) async throws -> Value {
    do { return try await wait() } catch StoreError.database(let failure)
      where [.busy, .locked].contains(failure) && cluster?.isStandbyMissing == true
    {
      throw StoreError.database(.standbyMissing)
    }
  }

  /// Writes in its turn, and gives it up.
  ///
  /// - Parameters:
  ///   - span: Is told when its turn has come.
  ///   - group: Those who wait next, where their writes may be committed with its own.
  private func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, _ span: (any Span)?, _ group: WriteGroup?,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    span?.addEvent("its turn")
    @Sendable func attempt(_ group: WriteGroup?) async throws -> Value {
      try await engine.write(until: deadline, whenLocked: { [writeTurns] in writeTurns.noteLock() }) { db in
        let value = try body(db)
        try group?.fill(db)
        return value
      }
    }
    do {
      let value: Value
      do { value = try await attempt(group) } catch  where group?.disbands(after: error) == true {
        value = try await attempt(nil)
      }
      writeFailures.noteSuccess()
      noteCommit()
      writeTurns.leave()
      group?.end(.success(()))
      return value
    } catch {
      if case StoreError.database(let failure) = error { writeFailures.note(failure) }
      writeTurns.leave()
      group?.end(.failure(error))
      throw error
    }
  }
}
