import Storage
import Synchronization

/// Tells whether a database has changed since, as far as this process knows.
package struct ChangeCount: Equatable, Sendable {
  /// How many transactions it has committed itself.
  var own: UInt64
  /// The counter of others' changes, as it was seen last; `nil` when that is not known.
  var others: Int?
  /// The lineup that is live.
  var lineup: UInt64
}

extension Publisher {
  /// The changes of the database that this process knows of.
  package var changes: ChangeCount {
    ChangeCount(own: store.commits, others: foreignChanges.withLock { $0.seen }, lineup: live.lineup.number)
  }

  /// Begins to follow changes by other processes. Call it before reading anything: changes from here on are looked at
  /// again.
  package func beginFollowing() async {
    let counter = try? await store.externalChangeCounter()
    foreignChanges.withLock { $0 = (seen: counter, read: counter) }
  }

  /// Picks up what other processes have changed, and what could not be read before; one call at a time.
  ///
  /// - Parameter reload: Looks at the database (``reload()``), and returns whether it could: it is tried again otherwise.
  /// - Returns: Whether there was something to look at; `nil` where nobody could look, or a successor takes over.
  package func follow(reloading reload: () async -> Bool) async -> Bool? {
    let counter = try? await store.externalChangeCounter()
    let known = foreignChanges.withLock { changes in
      changes.seen = counter
      // What comes back may be a backup whose counter happens to stand where this one stood.
      if counter == nil { changes.read = nil }
      return changes.read
    }
    guard let counter else { return nil }
    guard counter != known || isUnconfirmed || isLookDue else { return false }
    // A successor reads what is live once this one changes nothing of it any more, also not by what others have changed.
    guard let couldLook = try? await gate.pass(reload), couldLook else { return nil }
    foreignChanges.withLock { $0.read = counter }
    return true
  }
}
