import Logging
import Storage

/// What the log has of a lock that changes wait for: one line when it is held for too long, and one when that is over.
struct LockLog {
  private var held: LockHeld?

  /// Takes up a look at the database.
  ///
  /// - Parameter isKnown: Whether the look could tell; what cannot be seen has not ended.
  mutating func update(_ held: LockHeld?, isKnown: Bool, _ logger: Logger) {
    guard isKnown || held != nil else { return }
    if let former = self.held, former.process != held?.process {
      logger.notice(
        "the lock that changes waited for is free again",
        metadata: ["holder": "\(former.by)", "heldAtLeast": "\(Self.seconds(former))"])
    }
    if let held, held.process != self.held?.process {
      logger.error(
        "somebody has a lock of the database that changes wait for",
        metadata: ["holder": "\(held.by)", "heldFor": "\(Self.seconds(held))", "reason": "\(held)"])
    }
    self.held = held
  }

  private static func seconds(_ held: LockHeld) -> String { "\(Int(held.duration / .seconds(1))) s" }
}
