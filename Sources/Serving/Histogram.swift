import Synchronization

/// How long something takes: how often it took at most each of some times, and how long in all.
public final class Histogram: Sendable {
  /// What was counted.
  public struct Reading: Sendable {
    /// How often it took at most this many seconds, by ascending seconds.
    public var counts: [(seconds: Double, count: Int)]
    /// How often it was done.
    public var count: Int
    /// The seconds that all of it took.
    public var sum: Double
  }

  /// From half a millisecond to ten seconds. People do not notice differences outside that range.
  private static let bounds = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

  /// The last count is for durations above all bounds.
  private let state = Mutex((counts: [Int](repeating: 0, count: bounds.count + 1), sum: 0.0))

  /// An empty one.
  public init() {}

  /// Counts what has taken a time.
  public func note(_ time: Duration) {
    let seconds = time / .seconds(1)
    let place = Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count
    state.withLock { state in
      state.counts[place] += 1
      state.sum += seconds
    }
  }

  /// What was counted up to now.
  public var reading: Reading {
    let (counts, sum) = state.withLock { $0 }
    var below = 0
    let cumulative = zip(Self.bounds, counts).map { bound, count in
      below += count
      return (seconds: bound, count: below)
    }
    return Reading(counts: cumulative, count: counts.reduce(0, +), sum: sum)
  }
}
