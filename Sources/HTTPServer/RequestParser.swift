/// Parses one request head in place (RFC 9112 §2 to §7). It has three answers: complete, with the length of the head;
/// incomplete (nil), so bring more bytes; malformed, thrown. Whatever the split of the input, the answer is the same.
struct RequestParser {
  let requestLineBytesMax: Int
  let headBytesMax: Int
  let fieldsMax: Int
  let knownFields = KnownFieldTable()
  /// Four times what the longest registered method has. Without a limit of its own a long method would be called a long
  /// target.
  private static let methodBytesMax = 64

  init(limits: Limits) {
    headBytesMax = limits.headBytesMax
    requestLineBytesMax = min(limits.requestLineBytesMax, headBytesMax)
    fieldsMax = min(limits.fieldsMax, Int(UInt16.max))
  }

  /// Fills `head` with the places of what it finds in `input`, which starts with the first byte of a request.
  ///
  /// Nothing beyond `headBytesMax` is looked at, so that a longer head fails alike however it arrives.
  func parse(_ input: Span<UInt8>, into head: RequestHead) throws(RequestFailure) -> Int? {
    let window = input.extracting(first: headBytesMax)
    head.reset()
    guard let start = try leadingLines(window) else { return nil }
    guard let fieldsStart = try requestLine(window, from: start, into: head) else {
      return window.count < headBytesMax ? nil : try tooLarge()
    }
    guard let end = try fields(window, from: fieldsStart, into: head) else {
      return window.count < headBytesMax ? nil : try tooLarge()
    }
    try checkHost(window, head)
    try checkConnection(window, head)
    try checkFraming(window, head)
    try checkExpectation(window, head)
    return end
  }

  private func tooLarge() throws(RequestFailure) -> Int? {
    throw .headTooLarge
  }

  /// RFC 9112 §2.2: a server should ignore at least one empty line before the request line. One is what old clients
  /// send after a body; this ignores two. Returns where the request line starts, or nil when that is not here yet.
  private func leadingLines(_ input: Span<UInt8>) throws(RequestFailure) -> Int? {
    var start = 0
    while start < 4, start < input.count, input[start] == ASCII.carriageReturn {
      guard start + 1 < input.count else { return nil }
      guard input[start + 1] == ASCII.lineFeed else { throw .malformedRequestLine }
      start += 2
    }
    guard start < input.count else { return nil }
    // A TLS greeting or other binary noise has no line end to wait for.
    guard ASCII.isToken(input[start]) else { throw .malformedRequestLine }
    return start
  }

  /// `method SP request-target SP HTTP-version CRLF` (RFC 9112 §3). Returns where the fields start.
  private func requestLine(
    _ input: Span<UInt8>, from start: Int, into head: RequestHead
  ) throws(RequestFailure) -> Int? {
    guard let methodEnd = try method(input, from: start) else { return nil }
    let window = input.extracting(first: start + requestLineBytesMax + 2)
    guard let lineFeed = window.firstLineFeed(from: methodEnd) else {
      if window.count == start + requestLineBytesMax + 2 { throw .requestLineTooLong }
      return nil
    }
    guard window[lineFeed - 1] == ASCII.carriageReturn else { throw .malformedRequestLine }
    let end = lineFeed - 1
    let targetStart = methodEnd + 1
    guard let targetEnd = window.first(ASCII.space, from: targetStart), targetEnd > targetStart, targetEnd < end else {
      throw .malformedRequestLine
    }
    head.minorVersion = try version(window.extracting(targetEnd + 1..<end))
    head.methodToken = RequestHead.Place(start, methodEnd)
    head.method = Method(window.extracting(start..<methodEnd))
    try target(window, RequestHead.Place(targetStart, targetEnd), into: head)
    return lineFeed + 1
  }

  /// Where the method's token ends, which a space follows, or nil when that is not here yet.
  private func method(_ input: Span<UInt8>, from start: Int) throws(RequestFailure) -> Int? {
    var end = start
    while end < input.count, ASCII.isToken(input[end]) { end += 1 }
    guard end - start <= Self.methodBytesMax else { throw .malformedRequestLine }
    guard end < input.count else { return nil }
    guard end > start, input[end] == ASCII.space else { throw .malformedRequestLine }
    return end
  }

  /// `HTTP/1.` and a digit; the minor version (RFC 9112 §2.3).
  private func version(_ text: Span<UInt8>) throws(RequestFailure) -> UInt8 {
    guard text.count == 8, text.extracting(first: 5).equals("HTTP/"), ASCII.isDigit(text[5]),
      text[6] == UInt8(ascii: "."), ASCII.isDigit(text[7])
    else { throw .malformedRequestLine }
    guard text[5] == UInt8(ascii: "1") else { throw .unsupportedVersion }
    return text[7] &- UInt8(ascii: "0")
  }
}

extension Span<UInt8> {
  /// Where the first line feed at or after `start` is, or nil.
  func firstLineFeed(from start: Int) -> Int? {
    unsafe withUnsafeBytes { unsafe Linux.firstByte(ASCII.lineFeed, in: $0, from: start) }
  }
}
