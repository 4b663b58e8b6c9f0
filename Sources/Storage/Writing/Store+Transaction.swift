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
  /// - Throws: ``StoreError``, or what the body throws; then nothing has changed.
  func transaction<Value: Sendable>(
    waiting wait: Duration? = nil, isUrgent: Bool = false, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    let waitMax = writeSettings.waitMax * (isUrgent ? WriteSettings.urgentWaits : 1)
    let deadline = ContinuousClock.now + (wait ?? waitMax)
    return try await traced("write transaction") { span in
      try await write(until: deadline, isUrgent: isUrgent, span, body)
    }
  }

  /// - Parameter span: Is told when its turn comes and when it has the lock.
  private func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, isUrgent: Bool, _ span: (any Span)?,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    do {
      try await writeTurns.enter(until: deadline, isUrgent: isUrgent)
    } catch StoreError.database where cluster?.isStandbyMissing == true {
      throw StoreError.database(.standbyMissing)
    }
    defer { writeTurns.leave() }
    span?.addEvent("its turn")
    do {
      let value = try await engine.write(
        until: deadline,
        whenLocked: { [writeTurns] in
          writeTurns.noteLock()
          span?.addEvent("has the lock")
        }
      ) { [systemName] db in try body(db.traced(in: span, of: systemName)) }
      writeFailures.noteSuccess()
      noteCommit()
      return value
    } catch {
      if case StoreError.database(let failure) = error { writeFailures.note(failure) }
      throw error
    }
  }
}
