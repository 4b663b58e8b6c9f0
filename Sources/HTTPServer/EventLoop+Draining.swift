/// The end of a loop.
extension EventLoop {
  /// Takes no more connections; answers what is in flight, and says on each answer that it is the last.
  func drain() {
    guard !isDraining else { return }
    for socket in listening {
      // What waits in the queue would be reset when the socket closes.
      while acceptOne(socket) {}
      poll.remove(socket)
      Linux.close(socket)
    }
    listening = []
    isDraining = true
    for connection in table.all { drain(connection) }
  }

  private func drain(_ connection: Connection) {
    switch connection.phase {
    case .reading where connection.output == nil && connection.upload == nil && connection.input.isEmpty:
      close(connection)
    case .parked:
      connection.keepsAlive = false
      endWait(connection)
    case .postponed, .reading, .lingering:
      connection.keepsAlive = false
    }
  }
}
