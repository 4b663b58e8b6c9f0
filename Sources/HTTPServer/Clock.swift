/// Where a server takes the time from; a test passes its own. It is asked once a wake-up of each loop.
public struct Clock: Sendable {
  /// Nanoseconds since 1970, and nanoseconds that never go back, for timeouts.
  public let now: @Sendable () -> (realtime: Int64, monotonic: Int64)

  /// A clock that answers what `now` does.
  public init(now: @escaping @Sendable () -> (realtime: Int64, monotonic: Int64)) {
    self.now = now
  }

  /// The system's clock, exact to a few milliseconds, and to the second.
  public static let system = Clock { Linux.coarseTime() }
}
