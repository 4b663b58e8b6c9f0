import Synchronization

/// What a server has done since it started, and what it is doing.
///
/// Each loop counts in one of its own: plain numbers of its thread, which nobody pays for but who asks.
public struct Traffic: Sendable {
  /// Final responses by status code.
  private var counts = [Int](repeating: 0, count: 600)
  /// Octets that the kernel took.
  public internal(set) var bytesSent = 0
  /// Connections taken.
  public internal(set) var accepted = 0
  /// Connections that were ended at once, since there were too many.
  public internal(set) var turnedAway = 0
  /// Connections that were cut, since too much waited for their clients.
  public internal(set) var cut = 0
  /// Octets that wait for clients now, and of requests that are not whole.
  public internal(set) var pendingBytes = 0
  /// Connections open now.
  public internal(set) var connections = 0
  /// How many there may be at once.
  public internal(set) var connectionsMax = 0
  /// Those of them whose request waits for a change.
  public internal(set) var waiting = 0

  /// Final responses sent or under way, by status code, ascending.
  public var responses: [(code: Int, count: Int)] {
    counts.enumerated().filter { $0.element > 0 }.map { (code: $0.offset, count: $0.element) }
  }

  mutating func count(_ status: Status) { counts[Int(status.code)] += 1 }

  static func += (sum: inout Traffic, other: Traffic) {
    for code in sum.counts.indices { sum.counts[code] += other.counts[code] }
    sum.bytesSent += other.bytesSent
    sum.accepted += other.accepted
    sum.turnedAway += other.turnedAway
    sum.cut += other.cut
    sum.connections += other.connections
    sum.waiting += other.waiting
  }
}

extension Server {
  /// What all loops have done, each of them asked between two requests.
  public func traffic() async -> Traffic {
    let sum = Mutex(Traffic())
    await onEveryLoop { loop, _ in
      var traffic = loop.traffic
      traffic.connections = loop.table.count
      traffic.waiting = loop.table.all.count { $0.phase == .parked }
      sum.withLock { [traffic] in $0 += traffic }
    }
    var traffic = sum.withLock { $0 }
    traffic.connectionsMax = connectionsMax
    traffic.pendingBytes = pendingBytes
    return traffic
  }
}
