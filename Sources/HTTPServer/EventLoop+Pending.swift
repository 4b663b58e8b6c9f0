import Logging

/// What waits on a loop's connections, and what goes when it is too much.
extension EventLoop {
  /// Keeps the sum of what waits right.
  func countPending(_ connection: Connection) {
    let held = connection.input.count + (connection.output?.ownBytes ?? 0)
    let shared = connection.output?.shared
    guard held != connection.pendingBytes || shared !== connection.pendingResponse else { return }
    let wasHolder = connection.hasPending
    pending.add(held - connection.pendingBytes)
    connection.pendingBytes = held
    if shared !== connection.pendingResponse {
      if let former = connection.pendingResponse { pending.release(former) }
      if let shared { pending.retain(shared) }
      connection.pendingResponse = shared
    }
    if connection.hasPending != wasHolder { pending.addHolder(wasHolder ? -1 : 1) }
  }

  /// Makes room when more waits than may: here, then on the other loops, and at last by what this connection has.
  func makeRoom(for connection: Connection) {
    let average = pending.average
    cutHeaviest(from: average)
    if pending.isExceeded { pending.askAll { $0.cutHeaviest(from: average) } }
    guard pending.isFarExceeded, table.find(connection.tag) != nil else { return }
    cut(connection)
  }

  /// Cuts the connections of this loop that have the most waiting, down to the average: a client that reads nothing while
  /// it asks for more goes before one that is only slow.
  private func cutHeaviest(from average: Int) {
    func weight(_ connection: Connection) -> Int {
      connection.pendingBytes + (connection.pendingResponse.map(pending.share) ?? 0)
    }
    let holders = table.all.map { (weight: weight($0), connection: $0) }.filter { $0.weight >= max(average, 1) }
    for holder in holders.sorted(by: { $0.weight > $1.weight }) {
      if pending.isRelieved { break }
      cut(holder.connection)
    }
  }

  private func cut(_ connection: Connection) {
    // Else the kernel would keep what it has taken for as long as the client does not read it.
    Linux.resetOnClose(connection.descriptor)
    close(connection)
    traffic.cut += 1
    guard admission.logsShedding(at: now) else { return }
    logger.warning("connections are cut", metadata: ["reason": "too many bytes wait for clients that do not read"])
  }
}
