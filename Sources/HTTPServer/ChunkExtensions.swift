/// Reads what may follow a chunk's size, octet by octet (RFC 9112 §7.1.1):
/// `*( BWS ";" BWS name [ BWS "=" BWS ( token / quoted-string ) ] ) CR`.
///
/// No extension has a meaning here. They are held against their grammar because what two parties read differently, such
/// as a lone LF or an unfinished string, is what request smuggling is made of.
struct ChunkExtensions {
  private enum Expected {
    case semicolonOrEnd, semicolon, nameFirst, name, equalsOrSemicolon, valueFirst, value, quoted, quotedPair
  }

  private var expected = Expected.semicolonOrEnd

  /// Takes the next octet; true when it is the CR that ends the line.
  mutating func endsLine(_ byte: UInt8) throws(RequestFailure) -> Bool {
    switch (expected, byte) {
    case (.semicolonOrEnd, ASCII.carriageReturn), (.name, ASCII.carriageReturn), (.value, ASCII.carriageReturn):
      return true
    case (.semicolonOrEnd, ASCII.semicolon), (.semicolon, ASCII.semicolon), (.name, ASCII.semicolon),
      (.equalsOrSemicolon, ASCII.semicolon), (.value, ASCII.semicolon):
      expected = .nameFirst
    case (.name, UInt8(ascii: "=")), (.equalsOrSemicolon, UInt8(ascii: "=")):
      expected = .valueFirst
    case (.valueFirst, ASCII.quote):
      expected = .quoted
    case (.quoted, ASCII.quote):
      expected = .semicolonOrEnd
    case (.quoted, UInt8(ascii: "\\")):
      expected = .quotedPair
    default:
      expected = try after(byte)
    }
    return false
  }

  /// Octets that have no meaning of their own in this place.
  private func after(_ byte: UInt8) throws(RequestFailure) -> Expected {
    switch expected {
    case .quoted, .quotedPair:
      if ASCII.isText(byte) { return .quoted }
    case .semicolonOrEnd, .semicolon, .value:
      if ASCII.isBlank(byte) { return .semicolon }
      if expected == .value, ASCII.isToken(byte) { return .value }
    case .nameFirst, .name, .equalsOrSemicolon:
      if ASCII.isBlank(byte) { return expected == .nameFirst ? .nameFirst : .equalsOrSemicolon }
      if expected != .equalsOrSemicolon, ASCII.isToken(byte) { return .name }
    case .valueFirst:
      if ASCII.isBlank(byte) { return .valueFirst }
      if ASCII.isToken(byte) { return .value }
    }
    throw .malformedChunk
  }
}
