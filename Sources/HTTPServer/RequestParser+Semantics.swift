/// What the fields of a whole head mean for its framing and its connection.
extension RequestParser {
  /// RFC 9112 §3.2: an HTTP/1.1 request has exactly one Host field, and a valid one.
  func checkHost(_ input: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) {
    guard let place = head.first(.host) else {
      if head.minorVersion >= 1 { throw .hostMissing }
      return
    }
    if head.isRepeated(.host) { throw .hostRepeated }
    guard Self.isHost(input.bytes(place)) else { throw .malformedHost }
  }

  /// RFC 9112 §9.3: 1.1 persists unless one says close; 1.0 closes unless the client says keep-alive.
  func checkConnection(_ input: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) {
    head.keepsAlive = head.minorVersion >= 1
    guard head.has(.connection) else { return }
    var closes = false
    head.forEachMember(of: .connection, in: input) { option in
      if option.equalsIgnoringCase("close") { closes = true }
      if option.equalsIgnoringCase("keep-alive") { head.keepsAlive = true }
    }
    if closes { head.keepsAlive = false }
  }

  /// RFC 9112 §6.3. Whatever two parties could read differently is refused, not interpreted.
  func checkFraming(_ input: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) {
    if head.has(.transferEncoding) {
      if head.minorVersion == 0 { throw .transferEncodingInOldVersion }
      if head.has(.contentLength) { throw .contentLengthWithTransferEncoding }
      try checkTransferCodings(input, head)
      head.framing = .chunked
    } else if let place = head.first(.contentLength) {
      if head.isRepeated(.contentLength) { throw .malformedContentLength }
      let length = try Self.contentLength(input.bytes(place))
      head.framing = length == 0 ? .none : .length(length)
    }
  }

  /// RFC 9112 §6.1: chunked is the last coding and is applied once. Others are not implemented here.
  private func checkTransferCodings(_ input: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) {
    var codings = 0
    var chunked = 0
    var endsChunked = false
    head.forEachMember(of: .transferEncoding, in: input) { coding in
      codings += 1
      endsChunked = coding.equalsIgnoringCase("chunked")
      if endsChunked { chunked += 1 }
    }
    guard endsChunked, chunked == 1 else { throw .malformedTransferEncoding }
    guard codings == 1 else { throw .unsupportedTransferEncoding }
  }

  /// `1*DIGIT` (RFC 9110 §8.6). A number that no machine holds is refused like one that is none.
  private static func contentLength(_ text: Span<UInt8>) throws(RequestFailure) -> Int {
    guard text.count > 0 else { throw .malformedContentLength }
    var length = 0
    for index in text.indices {
      guard ASCII.isDigit(text[index]) else { throw .malformedContentLength }
      let (tens, overflow) = length.multipliedReportingOverflow(by: 10)
      let (sum, carry) = tens.addingReportingOverflow(Int(text[index] &- 0x30))
      guard !overflow, !carry else { throw .malformedContentLength }
      length = sum
    }
    return length
  }

  /// RFC 9110 §10.1.1: 100-continue is the only expectation there is; an HTTP/1.0 client's is ignored.
  func checkExpectation(_ input: Span<UInt8>, _ head: RequestHead) throws(RequestFailure) {
    guard head.has(.expect), head.minorVersion >= 1 else { return }
    var unknown = false
    head.forEachMember(of: .expect, in: input) { expectation in
      if !expectation.equalsIgnoringCase("100-continue") { unknown = true }
    }
    if unknown { throw .unsupportedExpectation }
    head.expectsContinue = head.framing != .none
  }
}

extension RequestHead {
  /// Calls `body` with each non-empty member of the comma-separated lists in all fields named `known`
  /// (RFC 9110 §5.6.1: empty members are ignored, several fields are one list).
  func forEachMember(of known: KnownField, in input: Span<UInt8>, _ body: (Span<UInt8>) -> Void) {
    for field in fields where field.known == known { input.bytes(field.value).forEachMember(body) }
  }
}
