/// Header fields (RFC 9112 §5, RFC 9110 §5).
extension RequestParser {
  /// The field lines up to the empty line. Returns where the head ends, or nil when that is not here yet.
  func fields(_ input: Span<UInt8>, from start: Int, into head: RequestHead) throws(RequestFailure) -> Int? {
    var position = start
    while position < input.count {
      if input[position] == ASCII.carriageReturn {
        guard position + 1 < input.count else { return nil }
        guard input[position + 1] == ASCII.lineFeed else { throw .malformedField }
        return position + 2
      }
      guard let next = try field(input, from: position, into: head) else { return nil }
      position = next
    }
    return nil
  }

  /// `field-name ":" OWS field-value OWS CRLF`. No space before the colon, no folding (RFC 9112 §5.1, §5.2), no bare CR
  /// or LF, no NUL nor other control characters (RFC 9110 §5.5). Returns where the next line starts.
  private func field(
    _ input: Span<UInt8>, from start: Int, into head: RequestHead
  ) throws(RequestFailure) -> Int? {
    guard let (colon, known) = try name(input, from: start) else { return nil }
    var valueStart = colon + 1
    while valueStart < input.count, ASCII.isBlank(input[valueStart]) { valueStart += 1 }
    var end = input.firstControl(from: valueStart)
    while end < input.count, input[end] == ASCII.tab { end = input.firstControl(from: end + 1) }
    guard end < input.count else { return nil }
    guard input[end] == ASCII.carriageReturn else { throw .malformedField }
    guard end + 1 < input.count else { return nil }
    guard input[end + 1] == ASCII.lineFeed else { throw .malformedField }
    var valueEnd = end
    while valueEnd > valueStart, ASCII.isBlank(input[valueEnd - 1]) { valueEnd -= 1 }
    guard head.fields.count < fieldsMax else { throw .tooManyFields }
    head.append(
      RequestHead.Field(
        name: RequestHead.Place(start, colon), value: RequestHead.Place(valueStart, valueEnd),
        known: known))
    return end + 2
  }

  /// Where the name ends, and which it is. A known name is made of token characters; only others are looked at one by
  /// one.
  @inline(__always)
  private func name(
    _ input: Span<UInt8>, from start: Int
  ) throws(RequestFailure) -> (colon: Int, known: KnownField?)? {
    if let colon = input.firstColon(from: start), let known = knownFields.find(input.extracting(start..<colon)) {
      return (colon, known)
    }
    var colon = start
    while colon < input.count, ASCII.isToken(input[colon]) { colon += 1 }
    guard colon < input.count else { return nil }
    guard colon > start, input[colon] == ASCII.colon else { throw .malformedField }
    return (colon, knownFields.find(input.extracting(start..<colon)))
  }
}

extension Span<UInt8> {
  /// Where a colon is in the 24 octets from `start` on, which is as long as known names are.
  @inline(__always)
  fileprivate func firstColon(from start: Int) -> Int? {
    let raw = unsafe bytes
    var index = start
    while index &+ 8 <= count, index &- start < 24 {
      let word = unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let zero = word ^ 0x3A3A_3A3A_3A3A_3A3A
      let found = (zero &- 0x0101_0101_0101_0101) & ~zero & 0x8080_8080_8080_8080
      if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
      index = index &+ 8
    }
    return nil
  }

  /// Where the first control character (below 0x20, or 0x7F) at or after `start` is, or `count`.
  ///
  /// Field values are most of a head, so this looks at eight bytes at once: a byte below 0x20, or one that is 0 once
  /// 0x7F is taken out, borrows into its top bit. The lowest such bit is exact.
  @inline(__always)
  func firstControl(from start: Int) -> Int {
    let raw = unsafe bytes
    var index = start
    while index &+ 8 <= count {
      let word = unsafe UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
      let deleted = word ^ 0x7F7F_7F7F_7F7F_7F7F
      let found =
        (((word &- 0x2020_2020_2020_2020) & ~word) | ((deleted &- 0x0101_0101_0101_0101) & ~deleted))
        & 0x8080_8080_8080_8080
      if found != 0 { return index &+ found.trailingZeroBitCount &>> 3 }
      index = index &+ 8
    }
    while index < count, self[index] >= 0x20, self[index] != 0x7F { index = index &+ 1 }
    return index
  }
}
