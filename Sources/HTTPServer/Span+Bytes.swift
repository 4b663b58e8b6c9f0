/// What handlers ask of borrowed bytes without copying them.
extension Span<UInt8> {
  /// Whether these are the bytes of `text`.
  public func equals(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    // A StaticString's bytes live as long as the program.
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for index in indices where unsafe self[index] != expected[index] { return false }
    return true
  }

  /// Whether these are the bytes of `text`, which is in lowercase, in any case of the ASCII letters.
  public func equalsIgnoringCase(_ text: StaticString) -> Bool {
    guard count == text.utf8CodeUnitCount else { return false }
    let expected = unsafe UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
    for index in indices where unsafe ASCII.lowercased(self[index]) != expected[index] { return false }
    return true
  }

  /// Whether both have the same bytes.
  public func equals(_ other: borrowing Span<UInt8>) -> Bool {
    guard count == other.count else { return false }
    return unsafe withUnsafeBytes { mine in
      unsafe other.withUnsafeBytes { theirs in unsafe Linux.equalBytes(mine, theirs) }
    }
  }

  /// The text, with each byte sequence that is not UTF-8 replaced by U+FFFD.
  public var string: String {
    unsafe withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// A copy of the bytes.
  public var array: [UInt8] {
    unsafe withUnsafeBufferPointer { unsafe Array($0) }
  }

  /// Where `byte` is first at or after `start`, or nil.
  public func first(_ byte: UInt8, from start: Int = 0) -> Int? {
    var index = Swift.max(start, 0)
    while index < count {
      if self[index] == byte { return index }
      index += 1
    }
    return nil
  }

  /// The bytes without the spaces and tabs around them (OWS, RFC 9110 §5.6.3).
  public var trimmed: Span<UInt8> {
    @_lifetime(copy self)
    get {
      var start = 0
      var end = count
      while start < end, ASCII.isBlank(self[start]) { start += 1 }
      while end > start, ASCII.isBlank(self[end - 1]) { end -= 1 }
      return extracting(start..<end)
    }
  }

  /// Calls `body` with each non-empty member of a comma-separated list (RFC 9110 §5.6.1), without the blanks around it.
  public func forEachMember(_ body: (Span<UInt8>) -> Void) {
    var start = 0
    while start <= count {
      let end = first(ASCII.comma, from: start) ?? count
      let member = extracting(start..<end).trimmed
      if member.count > 0 { body(member) }
      start = end + 1
    }
  }
}
