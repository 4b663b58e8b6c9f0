import Logging
import Storage
import Synchronization

/// Whether the database can be used, looked at every few seconds: `/status`, the metrics and the log have it from here, so
/// that none of them waits for a database that does not answer.
final class DatabaseHealth: Sendable {
  private struct State {
    var failure: StoreError.DatabaseFailure?
    /// When the look began that is not over yet.
    var began: ContinuousClock.Instant?
  }

  /// From one look to the next.
  private static let interval = Duration.seconds(4)
  /// A look that takes longer stands for a database that does not answer.
  private static let lookMax = Duration.seconds(8)

  private let store: Store
  private let logger: Logger
  private let state = Mutex(State())

  init(store: Store, logger: Logger) {
    self.store = store
    self.logger = logger
  }

  /// The database's failure at the last look; `nil` if there was none.
  var failure: StoreError.DatabaseFailure? {
    state.withLock { state in
      let isStuck = state.began.map { ContinuousClock.now - $0 > Self.lookMax } ?? false
      return isStuck ? .inputOutput : state.failure
    }
  }

  /// Looks again and again, until the task is cancelled.
  func run() async {
    var probe: DatabaseProbe?
    var locks = LockLog()
    while !Task.isCancelled {
      state.withLock { $0.began = .now }
      let failure = await look(by: &probe)
      // A cancelled task gets no answer from the database.
      if Task.isCancelled { return }
      note(failure)
      locks.update(store.lockHeld, isKnown: failure == nil, logger)
      try? await Task.sleep(for: Self.interval)
    }
  }

  private func look(by probe: inout DatabaseProbe?) async -> StoreError.DatabaseFailure? {
    do {
      let open = try probe ?? DatabaseProbe(store)
      probe = open
      return await open.examine()
    } catch StoreError.database(let failure) {
      return failure
    } catch {
      return .inputOutput
    }
  }

  private func note(_ failure: StoreError.DatabaseFailure?) {
    let former = state.withLock { state in
      defer { state = State(failure: failure) }
      return state.failure
    }
    guard failure != former else { return }
    if let failure {
      let reason = failure == .unsuitable ? store.unsuitableReason ?? "\(failure)" : "\(failure)"
      logger.error("the database cannot be used", metadata: ["failure": "\(failure.rawValue)", "reason": "\(reason)"])
    } else {
      logger.notice("the database can be used again")
    }
  }
}
