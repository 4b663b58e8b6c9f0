/// The connections of one loop by slot, and beside them their deadlines: packed, so that looking through ten thousand of
/// them takes some microseconds, and setting one is a store.
final class ConnectionTable {
  private var connections: [Connection?] = []
  private var deadlines: [UInt32] = []
  private var free: [UInt32] = []
  private var generation: UInt32 = 0
  /// No connection's deadline is before it.
  private(set) var nextDeadline = never

  static let never = UInt32.max

  var count: Int { connections.count - free.count }

  /// Puts in the connection that `make` makes of its slot and generation.
  func insert(_ make: (UInt32, UInt32) -> Connection) -> Connection {
    // The highest generation is kept for the tags of listening sockets and the mailbox.
    generation = generation == UInt32.max - 1 ? 0 : generation + 1
    if let slot = free.popLast() {
      let connection = make(slot, generation)
      connections[Int(slot)] = connection
      return connection
    }
    let connection = make(UInt32(connections.count), generation)
    connections.append(connection)
    deadlines.append(Self.never)
    return connection
  }

  /// Takes a connection out; it is closed once unused.
  func remove(_ connection: Connection) {
    let slot = Int(connection.slot)
    guard slot < connections.count, connections[slot] === connection else { return }
    connections[slot] = nil
    deadlines[slot] = Self.never
    free.append(connection.slot)
  }

  func removeAll() {
    connections = []
    deadlines = []
    free = []
    nextDeadline = Self.never
  }

  /// The connection that epoll reports by `tag`, unless it has gone.
  func find(_ tag: UInt64) -> Connection? {
    let slot = Int(tag & 0xFFFF_FFFF)
    guard slot < connections.count, let connection = connections[slot], connection.tag == tag else { return nil }
    return connection
  }

  /// The connection whose exchange in hand is `exchange`, unless that is over.
  func find(_ exchange: ExchangeID) -> Connection? {
    let slot = Int(exchange.slot)
    guard slot < connections.count, let connection = connections[slot], connection.serial == exchange.serial else {
      return nil
    }
    return connection
  }

  /// Sets when a connection's time is over, in its loop's ticks.
  func setDeadline(_ connection: Connection, _ tick: UInt32) {
    let slot = Int(connection.slot)
    guard slot < deadlines.count else { return }
    deadlines[slot] = tick
    if tick < nextDeadline { nextDeadline = tick }
  }

  func deadline(of connection: Connection) -> UInt32 {
    let slot = Int(connection.slot)
    return slot < deadlines.count ? deadlines[slot] : Self.never
  }

  /// The connections whose deadline is at or before `tick`; what becomes of each is up to the caller.
  func takeOverdue(at tick: UInt32) -> [Connection] {
    var overdue: [Connection] = []
    nextDeadline = Self.never
    for (slot, deadline) in deadlines.enumerated() {
      if deadline <= tick, let connection = connections[slot] {
        overdue.append(connection)
      } else if deadline < nextDeadline {
        nextDeadline = deadline
      }
    }
    return overdue
  }

  /// All connections there are at this moment.
  var all: [Connection] { connections.compactMap { $0 } }
}
