import Synchronization

/// Work that many may wait for and that is done once.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let waiting = Mutex<[Key: [@Sendable (Value) -> Void]]>([:])

  /// How a request for work was taken.
  enum Place {
    /// The work is to be started, and its value to be given to ``finish(_:_:)``.
    case first
    /// It is under way.
    case behind
    /// There is too much work under way.
    case none
  }

  /// Has `finish` called with the work's value.
  ///
  /// - Parameter most: The works that may be under way.
  func join(_ key: Key, most: Int, then finish: @escaping @Sendable (Value) -> Void) -> Place {
    waiting.withLock { waiting in
      if waiting[key] != nil {
        waiting[key]?.append(finish)
        return .behind
      }
      guard waiting.count < most else { return .none }
      waiting[key] = [finish]
      return .first
    }
  }

  func finish(_ key: Key, _ value: Value) {
    for finish in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { finish(value) }
  }
}
