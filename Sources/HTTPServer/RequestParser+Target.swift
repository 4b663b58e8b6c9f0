/// Request targets (RFC 9112 §3.2).
extension RequestParser {
  /// Splits the target into its parts. Percent-encoding stays: the code that splits the path decodes it.
  func target(
    _ input: Span<UInt8>, _ target: RequestHead.Place, into head: RequestHead
  ) throws(RequestFailure) {
    // RFC 9110 §9.3.6: CONNECT asks for a tunnel, in authority form.
    guard head.method != .connect else { throw .connectRefused }
    let start = Int(target.start)
    let end = Int(target.end)
    switch input[start] {
    case UInt8(ascii: "/"):
      try pathAndQuery(input, start, end, into: head)
    case UInt8(ascii: "*") where end - start == 1 && head.method == .options:
      head.path = target
      head.isServerWide = true
    default:
      try absolute(input, start, end, into: head)
    }
  }

  /// `http://authority/path?query` (RFC 9112 §3.2.2).
  private func absolute(
    _ input: Span<UInt8>, _ start: Int, _ end: Int, into head: RequestHead
  ) throws(RequestFailure) {
    let text = input.extracting(start..<end)
    let scheme =
      text.extracting(first: 7).equalsIgnoringCase("http://")
      ? 7 : text.extracting(first: 8).equalsIgnoringCase("https://") ? 8 : 0
    guard scheme > 0 else { throw .malformedTarget }
    let authorityStart = start + scheme
    var authorityEnd = authorityStart
    while authorityEnd < end, input[authorityEnd] != UInt8(ascii: "/"), input[authorityEnd] != UInt8(ascii: "?") {
      authorityEnd += 1
    }
    guard Self.isHost(input.extracting(authorityStart..<authorityEnd)) else { throw .malformedTarget }
    head.authority = RequestHead.Place(authorityStart, authorityEnd)
    try pathAndQuery(input, authorityEnd, end, into: head)
    guard head.path.start == head.path.end else { return }
    // RFC 9112 §3.2.4 and RFC 9110 §4.2.3: no path is the server as a whole for OPTIONS, and `/` for the others. The
    // slashes of `http://` are bytes of this very head, so that a place can name one.
    head.path = RequestHead.Place(authorityStart - 1, authorityStart)
    head.isServerWide = head.method == .options && head.query == nil
  }

  private func pathAndQuery(
    _ input: Span<UInt8>, _ start: Int, _ end: Int, into head: RequestHead
  ) throws(RequestFailure) {
    var question = end
    var index = start
    while index < end {
      let byte = input[index]
      guard ASCII.isTarget(byte) else { throw .malformedTarget }
      if byte == UInt8(ascii: "?"), question == end { question = index }
      index += 1
    }
    head.path = RequestHead.Place(start, question)
    if question < end { head.query = RequestHead.Place(question + 1, end) }
  }
}
