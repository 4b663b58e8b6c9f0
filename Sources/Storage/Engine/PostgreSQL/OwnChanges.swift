import Synchronization

/// How many of the changes that are counted in the database are this process's own, and whether its state is one that this
/// process has seen or made: a number alone may be that of other history, after a backup was restored and changes were made.
final class OwnChanges: Sendable {
  /// One that is about to be committed.
  final class Change: Sendable {
    fileprivate let before = Mutex<String?>(nil)
    /// Whether it has changed something.
    var isMade: Bool { before.withLock { $0 != nil } }
  }

  private struct State {
    var count = 0
    /// What the database had when it was looked at last, and what own changes have made of it since.
    var known = [""]
    /// What own changes that are being committed were made of.
    var underWay: [String] = []
  }

  private let state = Mutex(State())

  /// Says that a look at the database begins: what was there before counts no more.
  func beginLook() {
    // A change that is being committed may be seen or not.
    state.withLock { $0.known = $0.underWay + $0.known.suffix(1) }
  }

  /// How many changes are this process's own; another number where the database's state is neither known nor made of it.
  ///
  /// - Parameter identity: What tells the state from all others.
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
  ///   - before: What tells the state that it was made of.
  ///   - after: What tells the state that it makes.
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
