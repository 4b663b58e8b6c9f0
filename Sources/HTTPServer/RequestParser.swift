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

  /// Fills `head` with the places of the parts of `input`, which starts with the first byte of a request.
  ///
  /// It reads at most `headBytesMax`, so a longer head fails alike, however it arrives.
  func parse(_ input: Span<UInt8>, into head: RequestHead) throws(RequestFailure) -> Int? {
    let window = input.extracting(first: headBytesMax)
    head.reset()
    guard try begins(window) else { return nil }
    guard let fieldsStart = try requestLine(window, into: head),
      let end = try fields(window, from: fieldsStart, into: head)
    else {
      if window.count == headBytesMax { throw .headTooLarge }
      return nil
    }
    try checkHost(window, head)
    try checkConnection(window, head)
    try checkFraming(window, head)
    try checkExpectation(window, head)
    return end
  }

  /// Whether there is something that can be the start of a request line. The reader passes empty lines; a CR can be the
  /// half of one.
  private func begins(_ input: Span<UInt8>) throws(RequestFailure) -> Bool {
    guard input.count > 0, input.count > 1 || input[0] != ASCII.carriageReturn else { return false }
    // A TLS greeting or other binary noise has no line end to wait for.
    guard ASCII.isToken(input[0]) else { throw .malformedRequestLine }
    return true
  }

  /// `method SP request-target SP HTTP-version CRLF` (RFC 9112 §3). Returns where the fields start.
  private func requestLine(_ input: Span<UInt8>, into head: RequestHead) throws(RequestFailure) -> Int? {
    guard let methodEnd = try method(input) else { return nil }
    let window = input.extracting(first: requestLineBytesMax + 2)
    guard let lineFeed = window.firstLineFeed(from: methodEnd) else {
      if window.count == requestLineBytesMax + 2 { throw .requestLineTooLong }
      return nil
    }
    guard window[lineFeed - 1] == ASCII.carriageReturn else { throw .malformedRequestLine }
    let end = lineFeed - 1
    let targetStart = methodEnd + 1
    guard let targetEnd = window.first(ASCII.space, from: targetStart), targetEnd > targetStart, targetEnd < end else {
      throw .malformedRequestLine
    }
    head.minorVersion = try version(window.extracting(targetEnd + 1..<end))
    head.methodToken = RequestHead.Place(0, methodEnd)
    head.method = Method(window.extracting(first: methodEnd))
    try target(window, RequestHead.Place(targetStart, targetEnd), into: head)
    return lineFeed + 1
  }

  /// Where the method's token ends, which a space follows, or nil when that is not here yet.
  private func method(_ input: Span<UInt8>) throws(RequestFailure) -> Int? {
    var end = 0
    while end < input.count, ASCII.isToken(input[end]) { end += 1 }
    guard end <= Self.methodBytesMax else { throw .methodTooLong }
    guard end < input.count else { return nil }
    guard end > 0, input[end] == ASCII.space else { throw .malformedRequestLine }
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
