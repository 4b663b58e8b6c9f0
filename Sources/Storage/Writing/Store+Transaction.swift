/// Settings of writing.
public struct WriteSettings: Sendable {
  /// How long a write waits in all: for its turn and for the lock of another process.
  public var waitMax: Duration = .seconds(5)
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
  /// - Parameter wait: How long it waits for its turn and the lock, ``WriteSettings/waitMax`` when `nil`.
  /// - Throws: ``StoreError``, or what the body throws; then nothing has changed.
  func transaction<Value: Sendable>(
    waiting wait: Duration? = nil, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    let deadline = ContinuousClock.now + (wait ?? writeSettings.waitMax)
    do {
      try await writeTurns.enter(until: deadline)
    } catch StoreError.database where cluster?.isStandbyMissing == true {
      throw StoreError.database(.standbyMissing)
    }
    defer { writeTurns.leave() }
    do {
      let value = try await engine.write(until: deadline, whenLocked: { [writeTurns] in writeTurns.noteLock() }, body)
      writeFailures.noteSuccess()
      return value
    } catch {
      if case StoreError.database(let failure) = error { writeFailures.note(failure) }
      throw error
    }
  }
}
