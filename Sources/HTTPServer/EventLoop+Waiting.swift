/// Exchanges that are answered later.
extension EventLoop {
  /// What completes a postponed exchange from any thread.
  public func ticket(for exchange: ExchangeID) -> Ticket {
    Ticket(exchange: exchange, mailbox: mailbox)
  }

  /// Has the handler asked again for each of these parked exchanges: some hundred a turn, so that the loop goes on serving
  /// others. Those that are over are passed by.
  public func wake(_ exchanges: some Sequence<ExchangeID>) {
    waking.append(contentsOf: exchanges)
  }

  /// There is no more time for a parked exchange: its deadline passed, its client ended, or the server does.
  func endWait(_ connection: Connection) {
    connection.isWaitOver = true
    table.setDeadline(connection, ConnectionTable.never)
    waking.append(connection.exchange)
  }

  func resume(atMost count: Int) {
    guard wakingFrom < waking.count else { return }
    let end = min(waking.count, wakingFrom + count)
    for index in wakingFrom..<end {
      let exchange = waking[index]
      guard let connection = table.find(exchange), connection.phase == .parked else { continue }
      if let output = connection.output {
        output.isWoken = true
        continue
      }
      let reason = connection.isWaitOver ? ResumeReason.timeOver : .woken
      guard let answer = handler?.resume(exchange, reason, on: self) else { continue }
      complete(connection, answer)
    }
    wakingFrom = end
    guard wakingFrom == waking.count else { return }
    waking = []
    wakingFrom = 0
  }

  /// Asks the handler again, since what a postponed exchange waited for is ready.
  func resumePostponed(_ exchange: ExchangeID) {
    guard let connection = table.find(exchange), connection.phase == .postponed else { return }
    connection.phase = .parked
    connection.isWaitOver = isDraining
    waking.append(exchange)
  }

  func complete(_ exchange: ExchangeID, _ answer: Answer) {
    guard let connection = table.find(exchange), connection.phase == .postponed else { return }
    // Earlier answers are on their way still: this one goes behind them.
    guard let output = connection.output else { return complete(connection, answer) }
    output.answer = answer
    countPending(connection)
    if pending.isExceeded { makeRoom(for: connection) }
  }

  func complete(_ connection: Connection, _ answer: Answer) {
    connection.phase = .reading
    if isDraining { connection.keepsAlive = false }
    apply(answer, to: connection)
    guard connection.phase == .reading else { return }
    flush(connection)
    if connection.output != nil {
      settle(connection)
    } else if connection.isEnding {
      end(connection, unread: true)
    } else {
      serveSaved(connection)
    }
  }
}
