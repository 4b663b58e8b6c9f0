import Synchronization

/// Work that many may wait for and that is done once.
final class SharedWork<Key: Hashable & Sendable, Value: Sendable>: Sendable {
  private let waiting = Mutex<[Key: [@Sendable (Value) -> Void]]>([:])

  /// The works that may be under way.
  private let most: Int

  init(most: Int) { self.most = most }

  /// Has `finish` called with a work's value.
  ///
  /// - Parameter start: Starts the work, whose value is to be given to ``finish(_:_:)``; not called when it is under way.
  /// - Returns: Whether there is room for it; nothing is called otherwise.
  func join(_ key: Key, then finish: @escaping @Sendable (Value) -> Void, start: () -> Void) -> Bool {
    let (isTaken, isFirst) = waiting.withLock { waiting in
      let isFirst = waiting[key] == nil
      guard !isFirst || waiting.count < most else { return (false, false) }
      waiting[key, default: []].append(finish)
      return (true, isFirst)
    }
    if isFirst { start() }
    return isTaken
  }

  func finish(_ key: Key, _ value: Value) {
    for finish in waiting.withLock({ $0.removeValue(forKey: key) }) ?? [] { finish(value) }
  }
}
