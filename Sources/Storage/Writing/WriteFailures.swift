import Synchronization

/// The last failure of a write that says something of the database, until a write succeeds.
final class WriteFailures: Sendable {
  private let last = Mutex<(failure: StoreError.DatabaseFailure, at: ContinuousClock.Instant)?>(nil)

  func note(_ failure: StoreError.DatabaseFailure) {
    // Everything else is seen without a write, and its end too.
    guard [.full, .inputOutput, .inDoubt].contains(failure) else { return }
    last.withLock { $0 = (failure == .full ? .full : .inputOutput, .now) }
  }

  func noteSuccess() { last.withLock { $0 = nil } }

  /// The failure of a write within the last seconds.
  func recent(within time: Duration) -> StoreError.DatabaseFailure? {
    last.withLock { last in last.flatMap { ContinuousClock.now - $0.at < time ? $0.failure : nil } }
  }
}
