import Synchronization

/// How many of the changes that the database counts are this process's own, and whether this process has seen or made
/// the database's state. A count alone may belong to another history, after a restore and further changes.
final class OwnChanges: Sendable {
  /// A change that is about to be committed.
  final class Change: Sendable {
    fileprivate let before = Mutex<String?>(nil)
    /// Whether it has changed something.
    var isMade: Bool { before.withLock { $0 != nil } }
  }

  private struct State {
    var count = 0
    /// The state at the last look, followed by the states that own changes have made of it since.
    var known = [""]
    /// The states that own changes under way were made of.
    var underWay: [String] = []
  }

  private let state = Mutex(State())

  /// Begins a look at the database: earlier states no longer count.
  func beginLook() {
    // A change that is being committed may be seen or not.
    state.withLock { $0.known = $0.underWay + $0.known.suffix(1) }
  }

  /// How many changes are this process's own; a different number if the database's state is unknown.
  ///
  /// - Parameter identity: Identifies the state.
  func count(seeing identity: String) -> Int {
    state.withLock { state in
      if !state.known.contains(identity) {
        state.known = [identity]
        // By more than the number may have risen or fallen meanwhile, so that the two never come to the same.
        state.count -= 1 << 32
      }
      return state.count
    }
  }

  /// Counts a change that is about to be committed.
  ///
  /// - Parameters:
  ///   - before: Identifies the state before.
  ///   - after: Identifies the state after.
  func add(_ change: Change, from before: String, to after: String) {
    change.before.withLock { $0 = before }
    state.withLock { state in
      state.count += 1
      state.underWay.append(before)
      if state.known.last == before { state.known.append(after) }
    }
  }

  /// Takes back what was not committed.
  func remove(_ change: Change) {
    end(change) { $0.count -= 1 }
  }

  /// Takes up that a change was committed.
  func finish(_ change: Change) { end(change) { _ in } }

  private func end(_ change: Change, _ body: (inout State) -> Void) {
    guard let before = change.before.withLock({ $0 }) else { return }
    state.withLock { state in
      if let place = state.underWay.firstIndex(of: before) { state.underWay.remove(at: place) }
      body(&state)
    }
  }
}
