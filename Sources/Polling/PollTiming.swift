public import Foundation

/// When to ask again, in seconds: as the server says, late by chance so that clients do not come at one instant, and ever later
/// while it fails.
public struct PollTiming: Hashable, Sendable {
  /// The shortest time between two polls, whoever asks for them and whatever the server says.
  public var pauseMin: TimeInterval = 1
  /// The longest time between two polls while they fail.
  public var pauseMax: TimeInterval = 300
  /// What is added by chance is up to this, or a tenth of the pause where that is more.
  public var spread: TimeInterval = 1
  /// How long a page holds when the server does not say.
  public var maxAge: TimeInterval = 30
  /// How old the date of the last confirmation may get in the storage while the page stays the same.
  public var keepMin: TimeInterval = 60
  /// For how long a storage is waited for, at the start and before a page is shown. What it loads later is still shown if
  /// there is no page by then.
  public var keepMax: TimeInterval = 2
  /// For how long after the last confirmation a server that sends older editions is one that lags behind.
  public var lagMax: TimeInterval = 600

  /// The timing that the server is made for.
  public init() {}

  /// The pause after an answer.
  ///
  /// - Parameters:
  ///   - fresh: How long the answer holds; `nil` when it does not say.
  ///   - chance: 0 to 1, drawn anew each time.
  func pause(fresh: TimeInterval?, chance: Double) -> TimeInterval {
    let pause = max(pauseMin, fresh ?? maxAge)
    return pause + max(spread, pause / 10) * chance
  }

  /// The pause before a poll that the server holds until there is something new.
  func pauseBeforeWaiting(chance: Double) -> TimeInterval { spread * chance }

  /// The pause after a failure.
  ///
  /// - Parameters:
  ///   - failures: How many there were in a row, this one among them.
  ///   - retryAfter: What the server asks for (RFC 9110 §10.2.3).
  ///   - chance: 0 to 1.
  func pause(failures: Int, retryAfter: TimeInterval?, chance: Double) -> TimeInterval {
    if let retryAfter { return pause(fresh: retryAfter, chance: chance) }
    // Doubled at most twenty times: far beyond any maximum, and far from an overflow.
    let backoff = min(pauseMax, pauseMin * TimeInterval(1 << max(0, min(failures - 1, 20))))
    return backoff / 2 + backoff / 2 * chance
  }
}
