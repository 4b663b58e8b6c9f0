import Synchronization

/// What a server has done since it started, and what it is doing.
public struct Traffic: Sendable {
  /// Final responses sent or under way, by status code.
  public internal(set) var responses: [UInt16: Int] = [:]
  /// Octets that the kernel took.
  public internal(set) var bytesSent = 0
  /// Connections taken.
  public internal(set) var accepted = 0
  /// Connections that were ended at once, since there were too many.
  public internal(set) var turnedAway = 0
  /// Connections open now.
  public internal(set) var connections = 0
  /// Those of them whose request waits for a change.
  public internal(set) var waiting = 0

  static func + (first: Traffic, second: Traffic) -> Traffic {
    var sum = first
    sum.responses.merge(second.responses, uniquingKeysWith: +)
    sum.bytesSent += second.bytesSent
    sum.accepted += second.accepted
    sum.turnedAway += second.turnedAway
    sum.connections += second.connections
    sum.waiting += second.waiting
    return sum
  }
}

/// One loop's counts. They are plain numbers of the loop's thread: nobody pays for them but who asks.
struct TrafficCounts {
  /// By status code.
  private var responses = [Int](repeating: 0, count: 600)
  var bytesSent = 0
  var accepted = 0
  var turnedAway = 0

  mutating func count(_ status: Status) { responses[Int(status.code)] += 1 }

  var traffic: Traffic {
    var traffic = Traffic()
    for (code, count) in responses.enumerated() where count > 0 { traffic.responses[UInt16(code)] = count }
    traffic.bytesSent = bytesSent
    traffic.accepted = accepted
    traffic.turnedAway = turnedAway
    return traffic
  }
}

extension EventLoop {
  var traffic: Traffic {
    var traffic = counts.traffic
    traffic.connections = table.count
    traffic.waiting = table.all.count { $0.phase == .parked }
    return traffic
  }
}

extension Server {
  /// What all loops have done, each of them asked between two requests.
  public func traffic() async -> Traffic {
    let sum = Mutex(Traffic())
    await onEveryLoop { loop, _ in
      let traffic = loop.traffic
      sum.withLock { $0 = $0 + traffic }
    }
    return sum.withLock { $0 }
  }
}
