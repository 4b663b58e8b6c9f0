/// From readable bytes to answered requests.
extension EventLoop {
  /// Something was seen on a connection.
  func ready(_ connection: Connection, _ seen: Linux.Interest) {
    if connection.output != nil {
      guard seen.isDisjoint(with: .dead) else { return close(connection) }
      return writable(connection)
    }
    switch connection.phase {
    case .reading: readable(connection, seen)
    case .lingering: discard(connection)
    case .postponed, .parked: disturbed(connection, seen)
    }
  }

  /// Reads once and serves what came.
  private func readable(_ connection: Connection, _ seen: Linux.Interest) {
    let saved = connection.input.count
    if saved > 0 { takeSaved(connection) }
    let room = unsafe incoming.from(saved)
    switch unsafe Linux.receive(connection.descriptor, into: room) {
    case .bytes(0): close(connection)
    case .bytes(let count):
      serve(connection, count: saved + count)
      // More than there was room for, or an end behind it: epoll reported that already, and would not again.
      if count == room.count || seen.contains(.peerEnd) { watchAnew(connection) }
    case .wouldBlock: if saved > 0 { save(connection, from: 0, to: saved) }
    case .failed: close(connection)
    }
  }

  /// Serves what is in ``incoming``, writes the answers at once, and keeps the rest.
  private func serve(_ connection: Connection, count: Int) {
    var used = unsafe incoming.withBytes(count) { serve(connection, $0) }
    countUpload(connection)
    if connection.upload != nil, uploadBytes > limits.uploadBytesMax {
      refuse(connection, .uploadsOverloaded)
      used = 0
    }
    flush(connection)
    guard !connection.isEnding || connection.output != nil else { return end(connection, unread: used < count) }
    if used < count, !connection.isEnding { save(connection, from: used, to: count) }
    settle(connection)
  }

  /// Serves one request after the other, strictly in order, as long as answers go out. Returns how much was used.
  private func serve(_ connection: Connection, _ input: Span<UInt8>) -> Int {
    var position = 0
    while position < input.count, connection.phase == .reading, !connection.isEnding {
      if outgoing.count >= limits.responseBufferBytesMax { flush(connection) }
      guard connection.output == nil else { break }
      let start = position
      do throws(RequestFailure) {
        switch try reader.next(input, from: &position, head: head, upload: &connection.upload) {
        case .incomplete: return position
        case .emptyLine: continue
        case .proceed: guard proceed(connection, head: input.extracting(start..<position)) else { return start }
        case .request: handle(connection, input.extracting(start..<position))
        }
      } catch {
        refuse(connection, error, at: input.extracting(start...))
        // None of it counts as read, so that what the client is still sending does not take the response away from it.
        return start
      }
    }
    return position
  }

  /// Keeps the sum of unfinished bodies right.
  func countUpload(_ connection: Connection) {
    let held = connection.upload.map { $0.head.count + $0.body.count } ?? 0
    uploadBytes += held - connection.uploadBytes
    connection.uploadBytes = held
  }

  /// Hands a whole request to the handler.
  private func handle(_ connection: Connection, _ bytes: Span<UInt8>) {
    guard let upload = connection.upload else { return handle(connection, bytes, body: bytes.extracting(first: 0)) }
    connection.upload = nil
    let bytes = upload.head.span
    // The places that the parser found before the body came are gone; the head itself is known to be right.
    guard (try? reader.parser.parse(bytes, into: head)) != nil else {
      return refuse(connection, .malformedRequestLine)
    }
    handle(connection, bytes, body: upload.body.span)
  }

  private func handle(_ connection: Connection, _ bytes: Span<UInt8>, body: Span<UInt8>) {
    connection.headTick = nil
    lastSerial &+= 1
    connection.serial = lastSerial
    connection.requestCount &+= 1
    connection.isHead = head.method == .head
    connection.isOldVersion = head.minorVersion == 0
    connection.keepsAlive =
      head.keepsAlive && !isDraining && Int(connection.requestCount) < limits.requestsPerConnectionMax
    let request = Request(
      bytes: bytes, parsed: head, body: body, peer: connection.peer, exchange: connection.exchange)
    guard let answer = handler?.handle(request, on: self) else { return }
    apply(answer, to: connection)
  }

  /// Refuses the request that begins with `bytes`, or the one whose body is being read.
  private func refuse(_ connection: Connection, _ failure: RequestFailure, at bytes: Span<UInt8>) {
    guard failure.isOfBody else {
      return refuse(connection, failure, isHead: connection.upload == nil && head.method == .head)
    }
    guard let upload = connection.upload else { return refuseBody(connection, failure, head: bytes) }
    refuseBody(connection, failure, head: upload.head.span)
  }

  /// Asks for the body that a client holds back (RFC 9110 §10.1.1), unless the handler has something to say of its head.
  ///
  /// - Returns: Whether the body is asked for.
  private func proceed(_ connection: Connection, head bytes: Span<UInt8>) -> Bool {
    guard let response = answer(toHead: bytes, of: connection) else {
      outgoing.append("HTTP/1.1 100 Continue\r\n\r\n")
      return true
    }
    refuse(connection, with: response, isHead: head.method == .head)
    return false
  }

  /// Refuses a body, unless the handler has something to say of the head before it: where there is nothing, or nothing
  /// with this method, the size of a body does not matter.
  private func refuseBody(_ connection: Connection, _ failure: RequestFailure, head bytes: Span<UInt8>) {
    guard (try? reader.parser.parse(bytes, into: head)) != nil else { return refuse(connection, failure) }
    let isHead = head.method == .head
    guard let response = answer(toHead: bytes, of: connection) else {
      return refuse(connection, failure, isHead: isHead)
    }
    refuse(connection, with: response, isHead: isHead)
  }

  /// The handler's answer to a parsed head, independent of its body.
  private func answer(toHead bytes: Span<UInt8>, of connection: Connection) -> Response? {
    let request = Request(
      bytes: bytes, parsed: head, body: bytes.extracting(first: 0), peer: connection.peer,
      exchange: connection.exchange)
    return handler?.refusal(ofBodyOf: request, on: self)
  }

  /// One response, then the end: what follows a request that cannot be framed is never read as another.
  func refuse(_ connection: Connection, _ failure: RequestFailure, isHead: Bool = false) {
    guard let response = refusal(failure) else { return }
    refuse(connection, with: response, isHead: isHead)
  }

  private func refuse(_ connection: Connection, with response: Response, isHead: Bool) {
    connection.isHead = isHead
    connection.keepsAlive = false
    connection.upload = nil
    countUpload(connection)
    connection.phase = .reading
    send(response, to: connection)
  }

  /// The handler's words for a failure, with the fields that its status asks for.
  func refusal(_ failure: RequestFailure) -> Response? {
    guard var response = handler?.refusal(failure, on: self) else { return nil }
    switch failure {
    case .encodedBody: response.fields.append(ResponseField("Accept-Encoding", "identity"))
    case .overloaded, .uploadsOverloaded: response.fields.append(ResponseField("Retry-After", "1"))
    default: break
    }
    return response
  }

  // MARK: - Octets that wait

  /// Moves what was saved to the front of ``incoming``.
  func takeSaved(_ connection: Connection) {
    unsafe incoming.copyBytes(from: connection.input.prefix(incoming.count))
    connection.input = []
  }

  func save(_ connection: Connection, from start: Int, to end: Int) {
    connection.input = unsafe incoming.withBytes(end) { $0.extracting(start..<end).array }
  }

  /// Serves what waited behind an answer that is out now.
  func serveSaved(_ connection: Connection) {
    let saved = connection.input.count
    guard saved > 0 else { return settle(connection) }
    takeSaved(connection)
    serve(connection, count: saved)
  }

  /// Throws away what a refused client still sends.
  private func discard(_ connection: Connection) {
    guard case .bytes(let count) = unsafe Linux.receive(connection.descriptor, into: incoming), count > 0 else {
      return close(connection)
    }
  }

  /// A client that waits for its answer has sent more, or has gone.
  private func disturbed(_ connection: Connection, _ seen: Linux.Interest) {
    guard seen.isDisjoint(with: .dead) else { return close(connection) }
    if seen.contains(.peerEnd), connection.phase == .parked {
      // It will wait no longer: whether it still reads cannot be seen from here, so it gets the answer there is now.
      watch(connection, [])
      connection.keepsAlive = false
      return endWait(connection)
    }
    // Its next request waits in the kernel; a half-closed connection gets its answer.
    watch(connection, seen.contains(.peerEnd) ? [] : .peerEnd)
  }
}

extension UnsafeMutableRawBufferPointer {
  /// What is left from `start` on.
  func from(_ start: Int) -> UnsafeMutableRawBufferPointer {
    unsafe UnsafeMutableRawBufferPointer(rebasing: self[Swift.min(start, count)...])
  }

  /// Lends the first `count` bytes, which have been read into, as a span.
  @inline(__always)
  func withBytes<Result>(_ count: Int, _ body: (Span<UInt8>) -> Result) -> Result {
    let read = unsafe UnsafeRawBufferPointer(rebasing: self[..<Swift.min(count, self.count)])
    return unsafe body(Span(_unsafeBytes: read))
  }
}
