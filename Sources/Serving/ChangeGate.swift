import Synchronization

/// Lets changes of what is live through, until a successor takes this process's place.
final class ChangeGate: Sendable {
  private struct State {
    var isClosed = false
    var underWay = 0
    /// Callers that wait until nothing is under way.
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// Whether nothing is let through.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Runs a change.
  ///
  /// - Throws: ``HandingOver`` while the gate is closed, or what the change throws.
  func pass<Value: Sendable>(_ change: () async throws -> Value) async throws -> Value {
    let isOpen = state.withLock { state in
      if !state.isClosed { state.underWay += 1 }
      return !state.isClosed
    }
    guard isOpen else { throw HandingOver() }
    defer {
      let waiting = state.withLock { state in
        state.underWay -= 1
        defer { if state.underWay == 0 { state.waiting = [] } }
        return state.underWay == 0 ? state.waiting : []
      }
      for continuation in waiting { continuation.resume() }
    }
    return try await change()
  }

  /// Closes for good, and returns once all changes under way are done.
  func close() async {
    await withCheckedContinuation { continuation in
      let isQuiet = state.withLock { state in
        state.isClosed = true
        if state.underWay > 0 { state.waiting.append(continuation) }
        return state.underWay == 0
      }
      if isQuiet { continuation.resume() }
    }
  }

  /// Lets changes through again.
  func open() { state.withLock { $0.isClosed = false } }
}

/// A change of what is live came while a successor takes over: it is to be tried again, there.
public struct HandingOver: Error, CustomStringConvertible {
  /// What is going on.
  public var description: String { "a successor is taking over" }
}
