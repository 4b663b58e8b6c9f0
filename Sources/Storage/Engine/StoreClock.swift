import Glibc
public import Layout
import Synchronization

/// What time it is for all that is kept: schedules, keys, tokens, retention and the audit. What clients see flips by the
/// machine's clock instead (docs/decisions/0079).
///
/// It runs with the time since the machine was started, which nobody sets. Where a server keeps the database, what the
/// server's clock shows is taken up at every look at it. Elsewhere the machine's clock is followed, but when that jumps, it is
/// not believed before it has gone on steadily for ``steadySeconds``: what a wrong clock removes or publishes stays so.
public final class StoreClock: Sendable {
  /// How long a clock that has jumped must go on, until it is believed: five minutes.
  public static let steadySeconds: Int64 = 300
  /// The greatest correction that does not count as a jump, in milliseconds.
  private static let toleranceMilliseconds: Int64 = 1_000

  /// All in milliseconds.
  private struct State {
    /// What is to be added to the time since the machine was started.
    var offset: Int64
    /// When it began.
    var began: Int64
    /// Whether it is a server's clock.
    var isServers = false
    /// How far the machine's clock is ahead since when, where it has jumped.
    var jump: (ahead: Int64, since: Int64)?
  }

  /// The milliseconds since 1970, as the machine's clock shows them.
  private let machine: @Sendable () -> Int64
  /// The milliseconds since the machine was started, sleep included.
  private let elapsed: @Sendable () -> Int64
  private let isGiven: Bool
  private let state: Mutex<State>

  /// The machine's clock, until a server's is known.
  public convenience init() { self.init(machine: { Self.milliseconds(of: CLOCK_REALTIME) }) }

  /// A clock that is always believed.
  public convenience init(_ given: @Sendable @escaping () -> Instant) {
    self.init(isGiven: true, machine: { given().secondsSinceEpoch * 1_000 })
  }

  /// - Parameters:
  ///   - machine: The milliseconds since 1970, by a clock that may be wrong.
  ///   - elapsed: The milliseconds since some moment, by a clock that nobody sets.
  package init(
    isGiven: Bool = false, machine: @Sendable @escaping () -> Int64,
    elapsed: @Sendable @escaping () -> Int64 = { StoreClock.milliseconds(of: CLOCK_BOOTTIME) }
  ) {
    self.machine = machine
    self.elapsed = elapsed
    self.isGiven = isGiven
    state = Mutex(State(offset: machine() - elapsed(), began: elapsed()))
  }

  /// The time.
  public func callAsFunction() -> Instant {
    let milliseconds = isGiven ? machine() : state.withLock { read(&$0).believed }
    return Instant(secondsSinceEpoch: milliseconds / 1_000)
  }

  /// How far the machine's clock is ahead.
  public var machineAhead: Duration {
    if isGiven { return .zero }
    let (believed, shown) = state.withLock { read(&$0) }
    return .milliseconds(shown - believed)
  }

  /// Whether something may be removed by it: it is a server's, or has gone on for ``steadySeconds`` without a jump.
  public var isSteady: Bool {
    isGiven
      || state.withLock { state in
        _ = read(&state)
        return state.isServers || state.jump == nil && elapsed() - state.began >= Self.steadySeconds * 1_000
      }
  }

  /// What is wrong with the machine's clock; `nil` while it is at most two seconds off.
  public var failure: String? {
    let seconds = machineAhead / .seconds(1)
    guard abs(seconds) > Self.offSecondsMax else { return nil }
    let side = seconds > 0 ? "ahead of" : "behind"
    let other =
      state.withLock { $0.isServers }
      ? "the database's"
      : "what it showed before it jumped, and is not believed before it has gone on for \(Self.steadySeconds / 60) minutes"
    return
      "this machine's clock is \(Int(abs(seconds).rounded())) s \(side) \(other); windows begin and end by it: set it right"
  }

  /// How far the machine's clock may be off, in seconds.
  private static let offSecondsMax = 2.0

  /// Takes up what a server's clock showed a moment ago. The time is late by that moment, and never early.
  func take(serverMilliseconds: Int64) {
    state.withLock { $0 = State(offset: serverMilliseconds - elapsed(), began: $0.began, isServers: true) }
  }

  private func read(_ state: inout State) -> (believed: Int64, shown: Int64) {
    let (passed, shown) = (elapsed(), machine())
    if !state.isServers {
      let ahead = shown - passed - state.offset
      if isSteady(ahead, passed, &state.jump) {
        state.offset += ahead
        state.jump = nil
      }
    }
    return (passed + state.offset, shown)
  }

  private func isSteady(_ ahead: Int64, _ passed: Int64, _ jump: inout (ahead: Int64, since: Int64)?) -> Bool {
    if abs(ahead) <= Self.toleranceMilliseconds { return true }
    guard let before = jump, abs(ahead - before.ahead) <= Self.toleranceMilliseconds else {
      jump = (ahead, since: passed)
      return false
    }
    jump = (ahead, since: before.since)
    return passed - before.since >= Self.steadySeconds * 1_000
  }

  /// The reading of a kernel clock, in milliseconds.
  private static func milliseconds(of clock: clockid_t) -> Int64 {
    var now = timespec()
    unsafe clock_gettime(clock, &now)
    return Int64(now.tv_sec) * 1_000 + Int64(now.tv_nsec) / 1_000_000
  }
}
