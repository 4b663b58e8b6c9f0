import Layout
import Synchronization

/// Writes that happen a moment later, so their cause never waits for the write lock: audit rows of refused requests,
/// and times of tokens' last use.
final class LaterWrites: Sendable {
  /// A request that was refused.
  struct Refusal: Sendable {
    var at: Instant
    var actor: Actor
    var touched: Touched

    /// The bytes that it takes in memory, a little generously.
    fileprivate var bytes: Int {
      let texts = [
        touched.action, actor.name, actor.token, actor.address, actor.request, touched.page, touched.detail,
      ]
      return texts.reduce(256) { $0 + ($1?.utf8.count ?? 0) }
    }
  }

  /// The waiting writes.
  struct Batch: Sendable {
    var refusals: [Refusal] = []
    /// The refusals that found no room since the last batch.
    var unrecorded = 0
    /// When each token was last used, by its selector.
    var uses: [String: Instant] = [:]

    var isEmpty: Bool { refusals.isEmpty && unrecorded == 0 && uses.isEmpty }
  }

  private struct State {
    var batch = Batch()
    var bytes = 0
    var isRetrying = false
  }

  /// The bytes of refusals that may wait; more are counted alone.
  static let bytesMax = 1_048_576
  private let state = Mutex(State())

  func add(_ refusal: Refusal) {
    state.withLock { state in
      guard state.bytes + refusal.bytes <= Self.bytesMax else {
        state.batch.unrecorded += 1
        return
      }
      state.bytes += refusal.bytes
      state.batch.refusals.append(refusal)
    }
  }

  func addUse(of selector: String, at instant: Instant) { state.withLock { $0.batch.uses[selector] = instant } }

  /// When a token was last used, when that is not written yet.
  func use(of selector: String) -> Instant? { state.withLock { $0.batch.uses[selector] } }

  /// What waits; it goes on waiting until it is ``remove(_:)``d.
  var batch: Batch { state.withLock { $0.batch } }

  /// Takes away what has been written.
  func remove(_ written: Batch) {
    state.withLock { state in
      let count = written.refusals.count
      state.bytes -= written.refusals.reduce(0) { $0 + $1.bytes }
      state.batch.refusals.removeFirst(min(count, state.batch.refusals.count))
      state.batch.unrecorded -= written.unrecorded
      for (selector, instant) in written.uses where state.batch.uses[selector] == instant {
        state.batch.uses[selector] = nil
      }
    }
  }

  /// Whether the caller is the one to try again until all is written; it calls ``endRetrying()``.
  func beginRetrying() -> Bool {
    state.withLock { state in
      guard !state.isRetrying, !state.batch.isEmpty else { return false }
      state.isRetrying = true
      return true
    }
  }

  func endRetrying() { state.withLock { $0.isRetrying = false } }
}
