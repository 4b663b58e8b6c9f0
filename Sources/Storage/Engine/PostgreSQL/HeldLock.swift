import PostgreSQL

/// A lock that others wait for, and since when this process has seen it.
struct HeldLock: Sendable {
  private let holder: PostgreSQLConnection.LockHolder
  private let seen: ContinuousClock.Instant

  /// - Parameter former: The former sighting.
  init?(
    _ holder: PostgreSQLConnection.LockHolder?, after former: HeldLock?, at now: ContinuousClock.Instant = .now
  ) {
    guard let holder else { return nil }
    self.holder = holder
    // The same process in the same transaction, as far as the role may see.
    let isSame = former?.holder.process == holder.process && former?.holder.since == holder.since
    seen = isSame ? former?.seen ?? now : now
  }

  /// How long it is held, once that is too long for a change of Hearth's own.
  var told: LockHeld? {
    let held = max(holder.held ?? .zero, .now - seen)
    guard held >= LockHeld.least else { return nil }
    return LockHeld(process: holder.process, by: "process \(holder.process) (\(holder.name))", for: held)
  }
}
