/// How a loop ends: it accepts nothing new and answers what is under way.
extension EventLoop {
  /// Takes no more connections; answers what is in flight, and says on each answer that it is the last.
  func drain(idle: Duration) {
    guard !isDraining else { return }
    for socket in listening {
      // What waits in the queue would be reset when the socket closes.
      while acceptOne(socket) {}
      if !isAcceptingPaused { poll.remove(socket) }
      Linux.close(socket)
    }
    listening = []
    isAcceptingPaused = false
    isDraining = true
    for connection in table.all { drain(connection, idle: Timeouts.seconds(idle)) }
  }

  private func drain(_ connection: Connection, idle: Int) {
    switch connection.phase {
    case .reading where connection.output == nil && connection.upload == nil && connection.input.isEmpty:
      // The client may be sending its next request at this moment: closing now would fail it. It is answered, as the
      // last one; a client that sends none is let go soon.
      setDeadline(connection, idle)
    case .parked:
      connection.keepsAlive = false
      endWait(connection)
    case .postponed, .reading, .lingering:
      connection.keepsAlive = false
    }
  }
}
