import Logging

/// New connections, and what to do when there are too many.
extension EventLoop {
  /// Connections accepted in one turn. Present connections are served between turns.
  private static let acceptedATurnMax = 64

  func acceptAll(from index: Int) {
    guard index < listening.count else { return }
    for _ in 0..<Self.acceptedATurnMax where !acceptOne(listening[index]) { return }
  }

  /// Takes one connection. False when none waits, or none can be taken.
  func acceptOne(_ socket: Int32) -> Bool {
    switch Linux.accept(socket) {
    case .success(let (descriptor, peer)):
      open(descriptor, peer)
      return true
    case .failure(let error):
      if Linux.isExhaustion(error) { return shed(socket) }
      // What was waiting can have gone by itself (ECONNABORTED): then the next one may be there.
      return !Linux.isNothingWaiting(error)
    }
  }

  private func open(_ descriptor: Int32, _ peer: PeerAddress) {
    guard admission.enter(peer) else { return turnAway(descriptor) }
    traffic.accepted += 1
    let connection = table.insert { slot, generation in
      Connection(descriptor: descriptor, slot: slot, generation: generation, peer: peer)
    }
    guard poll.add(descriptor, connection.interest, tag: connection.tag) else { return close(connection) }
    settle(connection)
  }

  /// More connections than allowed: says so, if the client listens, and ends it. It gets no memory of ours.
  private func turnAway(_ descriptor: Int32) {
    if let response = refusal(.overloaded) {
      outgoing.appendHead(response, connection: .close)
      outgoing.append(response.body)
      _ = unsafe Linux.send(descriptor, outgoing.bytes)
      outgoing.removeAll()
    }
    Linux.endSending(descriptor)
    Linux.close(descriptor)
    countShed("too many connections")
  }

  /// No descriptors are left. Connections would wait for ever, and the loop be woken for them for ever: so the one kept
  /// in reserve is given up to take a connection and end it. False when nothing was taken.
  private func shed(_ socket: Int32) -> Bool {
    guard reserve >= 0 else {
      pauseAccepting()
      return false
    }
    Linux.close(reserve)
    var isTaken = false
    if case .success(let (descriptor, _)) = Linux.accept(socket) {
      Linux.close(descriptor)
      isTaken = true
      countShed("no descriptors left")
    }
    reserve = Linux.openReserve()
    return isTaken
  }

  /// Another thread was faster and has the descriptor that was in reserve. Until there is one again, to look at the
  /// listening sockets would only burn time: they are left alone, and what comes waits in their queues.
  private func pauseAccepting() {
    guard !isAcceptingPaused else { return }
    isAcceptingPaused = true
    for socket in listening { poll.remove(socket) }
  }

  /// Takes a descriptor into reserve again, and connections with it.
  func resumeAccepting() {
    if reserve < 0 { reserve = Linux.openReserve() }
    guard isAcceptingPaused, reserve >= 0 else { return }
    isAcceptingPaused = false
    _ = watchListening()
  }

  /// Has epoll report new connections. False when it does not take a socket.
  func watchListening() -> Bool {
    for (index, socket) in listening.enumerated() {
      guard poll.add(socket, [.read, .exclusive], tag: Self.listeningTag - UInt64(index)) else { return false }
    }
    return true
  }

  private func countShed(_ reason: String) {
    traffic.turnedAway += 1
    guard admission.logsShedding(at: now) else { return }
    logger.warning("connections are turned away", metadata: ["reason": "\(reason)"])
  }
}
