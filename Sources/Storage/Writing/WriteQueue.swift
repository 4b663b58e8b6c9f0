import Synchronization

/// Those who want to write: one at a time, first come first served, and none beyond its deadline. Before them come those
/// in an emergency.
///
/// SQLite's own waiting has neither order nor a common end: a dozen writers that wait for the lock of another process, each
/// for five seconds and one after the other, would wait for a minute.
final class WriteQueue: Sendable {
  private struct Waiter {
    let deadline: ContinuousClock.Instant
    let isUrgent: Bool
    let turn: CheckedContinuation<Void, any Error>
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
          Waiter(deadline: deadline, isUrgent: isUrgent, turn: turn), at: place ?? state.waiters.endIndex)
        return .place
      }
      switch entry {
      case .turn: turn.resume()
      case .refused(let failure): turn.resume(throwing: StoreError.database(failure))
      case .place: watch()
      }
    }
  }

  /// Notes that the writer whose turn it is has the database's lock.
  func noteLock() { state.withLock { $0.isLocked = true } }

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
    next?.turn.resume()
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
