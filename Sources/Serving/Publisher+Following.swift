import Storage
import Synchronization

extension Publisher {
  /// Begins to follow changes by other processes. Call it before reading anything: changes from here on are looked at
  /// again.
  package func beginFollowing() async {
    let counter = try? await store.externalChangeCounter()
    changesRead.withLock { $0 = counter }
  }

  /// Picks up what other processes have changed, and what could not be read before; one call at a time.
  ///
  /// - Parameter reload: Looks at the database (``reload()``), and returns whether it could: it is tried again otherwise.
  /// - Returns: Whether there was something to look at; `nil` where nobody could look.
  package func follow(reloading reload: () async -> Bool) async -> Bool? {
    let known = changesRead.withLock { $0 }
    guard let counter = try? await store.externalChangeCounter() else {
      // What comes back may be a backup whose counter happens to stand where this one stood.
      changesRead.withLock { $0 = nil }
      return nil
    }
    guard counter != known || isUnconfirmed || isLookDue else { return false }
    guard await reload() else { return nil }
    changesRead.withLock { $0 = counter }
    return true
  }
}
