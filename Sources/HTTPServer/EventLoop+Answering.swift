/// From a handler's answer to octets on the wire, and what the connection does next.
extension EventLoop {
  /// Content larger than this goes out beside the outgoing bytes, not through them: copying it would cost more than a
  /// second part of a write.
  private static let copiedContentBytesMax = 32 * 1024

  func apply(_ answer: Answer, to connection: Connection) {
    switch answer {
    case .ready(let response, let fields): send(response, with: fields, to: connection)
    case .response(let response): send(response, to: connection)
    case .later:
      connection.phase = .postponed
      table.setDeadline(connection, ConnectionTable.never)
    case .parked(let end):
      connection.phase = .parked
      connection.isWaitOver = false
      table.setDeadline(connection, deadline(at: end))
    }
  }

  private func send(_ response: ReadyResponse, with fields: ReadyFields?, to connection: Connection) {
    traffic.count(response.status)
    connection.isEnding = !connection.keepsAlive
    let isLarge = response.content.count > Self.copiedContentBytesMax && !connection.isHead
    outgoing.append(
      response, with: fields, now: now, connection: connection.option, headOnly: connection.isHead || isLarge)
    if isLarge { flush(connection, content: response.content, of: response) }
  }

  func send(_ response: Response, to connection: Connection) {
    traffic.count(response.status)
    if response.closesConnection { connection.keepsAlive = false }
    connection.isEnding = !connection.keepsAlive
    outgoing.appendHead(response, connection: connection.option)
    guard response.status.hasContent, !connection.isHead else { return }
    if response.body.count > Self.copiedContentBytesMax {
      flush(connection, content: response.body)
    } else {
      outgoing.append(response.body)
    }
  }

  // MARK: - Writing

  /// Writes ``outgoing`` and `content`; what does not fit waits in the connection.
  func flush(_ connection: Connection, content: [UInt8] = [], of shared: ReadyResponse? = nil) {
    let total = outgoing.count + content.count
    guard total > 0 else { return }
    let result =
      content.isEmpty
      ? unsafe Linux.send(connection.descriptor, outgoing.bytes)
      : unsafe content.withUnsafeBytes { bytes in
        unsafe Linux.send(connection.descriptor, outgoing.bytes, bytes)
      }
    var written = 0
    switch result {
    case .bytes(let count):
      written = count
      traffic.bytesSent += count
    case .wouldBlock: break
    case .failed:
      // The client is gone: nothing of what waits will be read.
      connection.isEnding = true
      written = total
    }
    if written < total { keep(connection, content, of: shared, written: written) }
    outgoing.removeAll()
  }

  private func keep(_ connection: Connection, _ content: [UInt8], of shared: ReadyResponse?, written: Int) {
    let ofOutgoing = min(written, outgoing.count)
    connection.output = PendingOutput(
      copied: unsafe Array(outgoing.bytes[ofOutgoing...]), content: content,
      contentFrom: written - ofOutgoing, shared: shared, deadline: table.deadline(of: connection))
  }

  /// The kernel takes more of what waits.
  func writable(_ connection: Connection) {
    guard let output = connection.output, let written = output.write(to: connection.descriptor) else {
      return close(connection)
    }
    traffic.bytesSent += written
    guard output.isEmpty else { return setDeadline(connection, timeouts.writeStall) }
    connection.output = nil
    countPending(connection)
    if connection.isEnding { return end(connection, unread: true) }
    if connection.phase == .reading { return serveSaved(connection) }
    watch(connection, .peerEnd)
    table.setDeadline(connection, output.deadline)
    if let answer = output.answer { complete(connection, answer) }
    if output.isWoken { waking.append(connection.exchange) }
  }

  // MARK: - What happens next

  /// Sets what the connection is watched for and how long it may take, by the state it is in.
  func settle(_ connection: Connection) {
    countPending(connection)
    if connection.hasPending, pending.isExceeded {
      makeRoom(for: connection)
      guard table.find(connection.tag) != nil else { return }
    }
    guard connection.output == nil else {
      watch(connection, .write)
      return setDeadline(connection, timeouts.writeStall)
    }
    guard connection.phase == .reading else { return }
    watch(connection, Connection.requests)
    if let upload = connection.upload {
      connection.headTick = nil
      let second = tick / Self.ticksPerSecond
      var allowance = upload.allowance ?? BodyAllowance(limits: limits, timeouts: timeouts, second: second)
      let seconds = allowance.seconds(received: upload.received, at: second)
      table.setDeadline(connection, seconds.map { deadline(in: $0) } ?? tick)
      connection.upload?.allowance = allowance
    } else if connection.input.isEmpty {
      connection.headTick = nil
      setDeadline(connection, timeouts.idle)
    } else {
      let start = connection.headTick ?? tick
      connection.headTick = start
      setDeadline(connection, timeouts.head, since: start)
    }
  }

  /// The last response is out. With octets of the client unread, closing at once would reset the connection and could
  /// take the response away from it (RFC 9112 §9.6): so this side ends, and the client's octets are thrown away.
  func end(_ connection: Connection, unread: Bool) {
    guard unread, connection.phase == .reading else { return close(connection) }
    connection.phase = .lingering
    connection.input = []
    countPending(connection)
    Linux.endSending(connection.descriptor)
    watch(connection, .read)
    setDeadline(connection, timeouts.linger)
  }

  /// A connection's time is over.
  func expired(_ connection: Connection) {
    // Another that expired may have made room by cutting this one.
    guard table.find(connection.tag) != nil else { return }
    if connection.output != nil {
      close(connection)
    } else if connection.phase == .parked {
      endWait(connection)
    } else if connection.phase == .reading, connection.upload != nil || !connection.input.isEmpty {
      refuse(connection, connection.upload != nil ? .bodyTimeout : .headTimeout)
      flush(connection)
      if connection.output == nil { end(connection, unread: true) } else { settle(connection) }
    } else {
      close(connection)
    }
  }

  func close(_ connection: Connection) {
    if connection.phase == .parked || connection.phase == .postponed {
      handler?.forget(connection.exchange, on: self)
    }
    connection.phase = .lingering
    connection.serial = 0
    connection.upload = nil
    countUpload(connection)
    connection.input = []
    connection.output = nil
    countPending(connection)
    table.remove(connection)
    admission.leave(connection.peer)
  }

  func watch(_ connection: Connection, _ interest: Linux.Interest) {
    guard connection.interest != interest else { return }
    connection.interest = interest
    poll.change(connection.descriptor, interest, tag: connection.tag)
  }

  /// Has epoll report again what it would report now, unless the connection is closed.
  func watchAnew(_ connection: Connection) {
    guard table.find(connection.tag) != nil else { return }
    poll.change(connection.descriptor, connection.interest, tag: connection.tag)
  }

  func setDeadline(_ connection: Connection, _ seconds: Int, since start: UInt32? = nil) {
    table.setDeadline(connection, deadline(in: seconds, since: start))
  }

  private func deadline(in seconds: Int, since start: UInt32? = nil) -> UInt32 {
    // One more, since the current tick is already running.
    let end = Int(start ?? tick) + min(max(seconds, 0), Int(Int32.max)) * Int(Self.ticksPerSecond) + 1
    return UInt32(clamping: min(end, Int(ConnectionTable.never) - 1))
  }

  /// The first tick that begins at or after an instant in nanoseconds since 1970.
  private func deadline(at instant: Int64) -> UInt32 {
    let end = (elapsed + max(instant - now, 0)) / Self.tickNanoseconds + 1
    return UInt32(clamping: min(end, Int64(ConnectionTable.never) - 1))
  }
}
