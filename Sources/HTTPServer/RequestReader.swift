/// The reading half of a connection as a state machine without a socket: bytes in, events out, the same events for any
/// split of the input.
struct RequestReader {
  enum Event: Equatable {
    /// All input is used, or what is left is the start of a head.
    case incomplete
    /// An empty line before a request, as old clients send it after a body, is passed (RFC 9112 §2.2).
    case emptyLine
    /// The client waits for `100 Continue` before it sends the body (RFC 9110 §10.1.1).
    case proceed
    /// A request is whole: its head stands where ``next(_:from:head:)`` started, or in ``upload`` when it has a body.
    case request
  }

  /// A request whose body is being collected.
  struct Upload {
    /// A copy of the head, since the bytes it was read from are gone when the body has come.
    let head: [UInt8]
    var body: [UInt8] = []
    var remaining: Int
    var chunks: ChunkedDecoder?
    /// How much slower it may still be; `nil` before it was first waited for.
    var allowance: BodyAllowance?

    /// Octets read so far, framing included: what the least rate is measured by.
    var received: Int { body.count + (chunks?.framing ?? 0) }
  }

  let parser: RequestParser
  private let bodyBytesMax: Int
  private let chunkOverheadBytesMax: Int

  init(limits: Limits) {
    parser = RequestParser(limits: limits)
    bodyBytesMax = limits.bodyBytesMax
    chunkOverheadBytesMax = limits.chunkOverheadBytesMax
  }

  /// Reads on in `input` from `position`, and moves it past what was used. `upload` is the connection's body in
  /// progress, if any. After a failure nothing more may be read from this connection.
  func next(
    _ input: Span<UInt8>, from position: inout Int, head: RequestHead, upload: inout Upload?
  ) throws(RequestFailure) -> Event {
    guard var current = upload.take() else {
      return try nextHead(input, from: &position, head: head, upload: &upload)
    }
    // After a failure too: its head says what was refused.
    defer { upload = current }
    return try collect(input, from: &position, &current) ? .request : .incomplete
  }

  private func nextHead(
    _ input: Span<UInt8>, from position: inout Int, head: RequestHead, upload: inout Upload?
  ) throws(RequestFailure) -> Event {
    let rest = input.extracting(position...)
    if rest.count > 1, rest[0] == ASCII.carriageReturn, rest[1] == ASCII.lineFeed {
      position += 2
      return .emptyLine
    }
    guard let headBytes = try parser.parse(rest, into: head) else { return .incomplete }
    position += headBytes
    if head.framing == .none { return .request }
    upload = try begin(rest.extracting(first: headBytes), head)
    if head.expectsContinue, position == input.count { return .proceed }
    return try next(input, from: &position, head: head, upload: &upload)
  }

  /// Refuses what will not be read before any of it is read.
  private func begin(_ bytes: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) -> Upload {
    var upload: Upload
    switch head.framing {
    case .length(let length):
      guard length <= bodyBytesMax else { throw .bodyTooLarge }
      upload = Upload(head: bytes.array, remaining: length)
      // A promise is no reason to set aside megabytes: the rest grows as it comes.
      upload.body.reserveCapacity(min(length, 16 * 1024))
    default:
      guard bodyBytesMax > 0 else { throw .bodyTooLarge }
      let decoder = ChunkedDecoder(bodyBytesMax: bodyBytesMax, overheadBytesMax: chunkOverheadBytesMax)
      upload = Upload(head: bytes.array, remaining: 0, chunks: decoder)
    }
    if let coding = head.first(.contentEncoding),
      head.isRepeated(.contentEncoding) || !bytes.bytes(coding).equalsIgnoringCase("identity")
    {
      throw .encodedBody
    }
    return upload
  }

  /// Whether the body is whole.
  private func collect(
    _ input: Span<UInt8>, from position: inout Int, _ upload: inout Upload
  ) throws(RequestFailure) -> Bool {
    if upload.chunks != nil {
      try upload.chunks?.decode(input, from: &position, onto: &upload.body)
      return upload.chunks?.isDone ?? true
    }
    let taken = min(upload.remaining, input.count - position)
    upload.body.append(input.extracting(position..<position + taken))
    upload.remaining -= taken
    position += taken
    return upload.remaining == 0
  }
}
