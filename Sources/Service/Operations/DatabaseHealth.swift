import Logging
import Serving
import Storage
import Synchronization

/// Whether the database can be used, looked at every few seconds: `/status`, the metrics and the log have it from here, so
/// that none of them waits for a database that does not answer.
final class DatabaseHealth: BackgroundService {
  private struct State {
    var failure: StoreError.DatabaseFailure?
    /// When the look began that is not over yet.
    var began: ContinuousClock.Instant?
    /// When the next one is.
    var lookAt = ContinuousClock.now
    /// What looks, by a connection of its own.
    var probe: DatabaseProbe?
    var locks = LockLog()
  }

  /// From one look to the next.
  private static let interval = Duration.seconds(4)
  /// A look that takes longer stands for a database that does not answer.
  private static let lookMax = Duration.seconds(8)

  private let store: Store
  private let logger: Logger
  private let state = Mutex(State())
  let wake = Wake()

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

  var isDue: Bool { state.withLock { $0.began == nil && $0.lookAt.hasCome } }

  /// Looks.
  func turn() async {
    state.withLock { $0.began = .now }
    let failure = await look()
    // A cancelled task gets no answer from the database.
    guard !Task.isCancelled else { return }
    note(failure)
    // Nobody else has them.
    var locks = state.withLock { $0.locks }
    locks.update(store.lockHeld, isKnown: failure == nil, logger)
    state.withLock { [locks] in $0.locks = locks }
  }

  /// Closes its connection before the others are, so that they leave one file behind.
  func end() async {
    let probe = state.withLock { state in
      defer { state.probe = nil }
      return state.probe
    }
    withExtendedLifetime(probe) {}
  }

  private func look() async -> StoreError.DatabaseFailure? {
    do {
      let probe = try state.withLock { $0.probe } ?? DatabaseProbe(store)
      state.withLock { $0.probe = probe }
      return await probe.examine()
    } catch StoreError.database(let failure) {
      return failure
    } catch {
      return .inputOutput
    }
  }

  private func note(_ failure: StoreError.DatabaseFailure?) {
    let former = state.withLock { state in
      defer { (state.failure, state.began, state.lookAt) = (failure, nil, .now + Self.interval) }
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
