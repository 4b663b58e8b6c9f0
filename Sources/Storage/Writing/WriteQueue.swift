import Synchronization

/// Those who want to write: one at a time, first come first served, and none beyond its deadline. Before them come those
/// in an emergency.
///
/// SQLite's own waiting has neither order nor a common end: a dozen writers that wait for the lock of another process, each
/// for five seconds and one after the other, would wait for a minute.
final class WriteQueue: Sendable {
  /// One who waits.
  struct Waiter: Sendable {
    fileprivate let deadline: ContinuousClock.Instant
    fileprivate let isUrgent: Bool
    /// Writes what it wants to write, where that may be committed together with what another one writes.
    fileprivate var write: (@Sendable (Database) throws -> Void)?
    /// Gets whether its turn has come; else it is written.
    fileprivate let turn: CheckedContinuation<Bool, any Error>
  }

  private struct State {
    var isTaken = false
    /// Whether the writer whose turn it is also has the database's lock.
    var isLocked = false
    var waiters: [Waiter] = []
    var isWatched = false

    /// Why the turn does not come.
    var failure: StoreError.DatabaseFailure { isLocked ? .busy : .locked }
  }

  private enum Entry {
    case turn, place
    case refused(StoreError.DatabaseFailure)
  }

  private let state = Mutex(State())
  private let waitersMax: Int

  /// - Parameter waitersMax: How many may wait; more are refused.
  init(waitersMax: Int) { self.waitersMax = waitersMax }

  /// How many wait.
  var count: Int { state.withLock { $0.waiters.count } }

  /// Waits for the turn, which must be given up with ``leave()``.
  ///
  /// - Parameter isUrgent: Whether it comes before all that are not, however many wait.
  /// - Throws: ``StoreError/database(_:)``: `locked` when the deadline comes while another process has the lock, `busy`
  ///   when it comes otherwise or too many wait.
  func enter(until deadline: ContinuousClock.Instant, isUrgent: Bool = false) async throws {
    _ = try await wait(until: deadline, isUrgent: isUrgent, grouping: nil)
  }

  /// Waits for the turn, or until another one has committed what is to be written.
  ///
  /// - Parameter write: Writes it. Maybe it is run in vain, and again in its own turn.
  /// - Returns: Whether the turn has come; else it is committed, and there is no turn to be given up.
  func enter(
    until deadline: ContinuousClock.Instant, grouping write: @Sendable @escaping (Database) throws -> Void
  ) async throws -> Bool {
    try await wait(until: deadline, isUrgent: false, grouping: write)
  }

  private func wait(
    until deadline: ContinuousClock.Instant, isUrgent: Bool, grouping write: (@Sendable (Database) throws -> Void)?
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { turn in
      let entry = state.withLock { state -> Entry in
        guard state.isTaken else {
          state.isTaken = true
          return .turn
        }
        guard isUrgent || state.waiters.count < waitersMax, ContinuousClock.now < deadline else {
          return .refused(state.failure)
        }
        let place = isUrgent ? state.waiters.firstIndex { !$0.isUrgent } : nil
        state.waiters.insert(
          Waiter(deadline: deadline, isUrgent: isUrgent, write: write, turn: turn), at: place ?? state.waiters.endIndex)
        return .place
      }
      switch entry {
      case .turn: turn.resume(returning: true)
      case .refused(let failure): turn.resume(throwing: StoreError.database(failure))
      case .place: watch()
      }
    }
  }

  /// Notes that the writer whose turn it is has the database's lock.
  func noteLock() { state.withLock { $0.isLocked = true } }

  /// The next, where what it writes may be committed together with what is written in this turn.
  fileprivate func takeNext() -> Waiter? {
    state.withLock { state in
      guard let next = state.waiters.first, next.write != nil, ContinuousClock.now < next.deadline else { return nil }
      return state.waiters.removeFirst()
    }
  }

  /// Has one wait for a turn of its own, behind those who wait already.
  fileprivate func putBack(_ waiter: Waiter) {
    var waiter = waiter
    waiter.write = nil
    state.withLock { $0.waiters.append(waiter) }
    watch()
  }

  /// Gives the turn to the next.
  func leave() {
    let next = state.withLock { state -> Waiter? in
      state.isLocked = false
      guard !state.waiters.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiters.removeFirst()
    }
    next?.turn.resume(returning: true)
  }

  /// Looks after deadlines, for as long as anyone waits.
  private func watch() {
    let isWatched = state.withLock { state in
      defer { state.isWatched = true }
      return state.isWatched
    }
    guard !isWatched else { return }
    Task {
      while let next = nextDeadline() {
        try? await Task.sleep(until: next, clock: .continuous)
        refuseOverdue()
      }
    }
  }

  private func nextDeadline() -> ContinuousClock.Instant? {
    state.withLock { state in
      let next = state.waiters.map(\.deadline).min()
      if next == nil { state.isWatched = false }
      return next
    }
  }

  private func refuseOverdue() {
    let now = ContinuousClock.now
    let (overdue, failure) = state.withLock { state in
      let overdue = state.waiters.filter { $0.deadline <= now }
      state.waiters.removeAll { $0.deadline <= now }
      return (overdue, state.failure)
    }
    for waiter in overdue { waiter.turn.resume(throwing: StoreError.database(failure)) }
  }
}

/// Those who publish a page: one after the other, since what each makes hangs on what the one before it has made live. At once
/// all but one would make it in vain.
final class PageTurns: Sendable {
  private let queues = Mutex<[String: (queue: WriteQueue, count: Int)]>([:])
  /// How long one waits for those before it. Then it tries all the same, and finds out what holds them up.
  private static let waitMax = Duration.seconds(1)

  /// Runs a body in its turn for a page.
  ///
  /// - Parameter isUrgent: Whether the turn comes before those of all that are not.
  func pass<Value>(_ page: String, isUrgent: Bool = false, _ body: () async throws -> Value) async throws -> Value {
    let queue = queues.withLock { queues in
      let queue = queues[page]?.queue ?? WriteQueue(waitersMax: .max)
      queues[page] = (queue, (queues[page]?.count ?? 0) + 1)
      return queue
    }
    defer {
      queues.withLock { queues in
        queues[page]?.count -= 1
        if queues[page]?.count == 0 { queues[page] = nil }
      }
    }
    let isTurn = (try? await queue.enter(until: .now + Self.waitMax, isUrgent: isUrgent)) != nil
    defer { if isTurn { queue.leave() } }
    return try await body()
  }
}

/// Those whose writes are committed together with one whose turn it is (docs/decisions/0156).
final class WriteGroup: Sendable {
  private struct State {
    var waiters: [WriteQueue.Waiter] = []
    /// Whether all is written that is to be committed.
    var isFilled = false
  }

  private let queue: WriteQueue
  private let state = Mutex(State())
  /// How long others are still written behind the one whose turn it is.
  private static let timeMax = Duration.milliseconds(20)

  init(of queue: WriteQueue) { self.queue = queue }

  /// Writes what others want to write who wait next. What one of them cannot write is as it was before, and it waits for
  /// a turn of its own, in which it is told why.
  ///
  /// - Throws: What the database says where it is not as it was before.
  func fill(_ db: Database) throws {
    let end = ContinuousClock.now + Self.timeMax
    while ContinuousClock.now < end, let next = queue.takeNext() {
      state.withLock { $0.waiters.append(next) }
      try db.execute(sql: "SAVEPOINT grouped")
      do { try next.write?(db) } catch {
        try db.execute(sql: "ROLLBACK TO SAVEPOINT grouped")
        _ = state.withLock { $0.waiters.popLast() }
        queue.putBack(next)
      }
      try db.execute(sql: "RELEASE SAVEPOINT grouped")
    }
    state.withLock { $0.isFilled = true }
  }

  /// Has all others wait for turns of their own where nothing of the transaction is committed: one of them may be why.
  ///
  /// - Returns: Whether there were others, so that the one whose turn it is may succeed alone.
  func disbands(after error: any Error) -> Bool {
    let waiters = state.withLock { state in
      guard !state.isFilled || !StoreError.leavesInDoubt(error) else { return [WriteQueue.Waiter]() }
      defer { state.waiters = [] }
      return state.waiters
    }
    waiters.forEach(queue.putBack)
    return !waiters.isEmpty
  }

  /// Tells the others what has become of the transaction.
  func end(_ result: Result<Void, any Error>) {
    for waiter in state.withLock({ $0.waiters }) { waiter.turn.resume(with: result.map { false }) }
  }
}
