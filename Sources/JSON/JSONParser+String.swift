extension JSONParser {
  /// A string in quotes (RFC 8259 §7).
  mutating func string() throws(Stop) -> String {
    let opening = position
    position += 1
    let start = position
    // Most strings hold no escape: one look for the closing quote, one copy.
    while let byte = peek, byte != 0x22, byte != 0x5C, byte >= 0x20 { position += 1 }
    if take(0x22) { return try text(bytes[start..<position - 1], from: start) }
    var decoded = Array(bytes[start..<position])
    while let byte = peek {
      switch byte {
      case 0x22:
        position += 1
        return try text(decoded[...], from: opening)
      case 0x5C: try escape(into: &decoded)
      case 0..<0x20: throw stop("a control character inside a string; write it as an escape")
      default:
        decoded.append(byte)
        position += 1
      }
    }
    throw stop("a string without its closing quote", at: opening)
  }

  private func text(_ utf8: ArraySlice<UInt8>, from offset: Int) throws(Stop) -> String {
    guard let text = String(valid: utf8) else {
      throw stop("a string that is not valid UTF-8", at: offset)
    }
    return text
  }

  private mutating func escape(into decoded: inout [UInt8]) throws(Stop) {
    let start = position
    position += 1
    guard let byte = peek else { throw stop("a string without its closing quote", at: start) }
    position += 1
    switch byte {
    case 0x22, 0x5C, 0x2F: decoded.append(byte)
    case UInt8(ascii: "b"): decoded.append(0x08)
    case UInt8(ascii: "f"): decoded.append(0x0C)
    case UInt8(ascii: "n"): decoded.append(0x0A)
    case UInt8(ascii: "r"): decoded.append(0x0D)
    case UInt8(ascii: "t"): decoded.append(0x09)
    case UInt8(ascii: "u"): try decoded.append(contentsOf: String(unicodeEscape(from: start)).utf8)
    default: throw stop("an unknown escape inside a string", at: start)
    }
  }

  private mutating func unicodeEscape(from start: Int) throws(Stop) -> Character {
    let first = try hexadecimal(from: start)
    if let scalar = Unicode.Scalar(first) { return Character(scalar) }
    guard first < 0xDC00, take(0x5C), take(UInt8(ascii: "u")) else {
      throw stop("half of a surrogate pair", at: start)
    }
    let second = try hexadecimal(from: start)
    guard (0xDC00..<0xE000).contains(second),
      let scalar = Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    else { throw stop("half of a surrogate pair", at: start) }
    return Character(scalar)
  }

  private mutating func hexadecimal(from start: Int) throws(Stop) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = peek, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw stop("an escape without its four hexadecimal digits", at: start)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}

extension String {
  /// The text of UTF-8, `nil` when it is none.
  fileprivate init?(valid utf8: ArraySlice<UInt8>) {
    if #available(iOS 18, macOS 15, tvOS 18, visionOS 2, watchOS 11, *) {
      self.init(validating: utf8, as: UTF8.self)
    } else {
      // What is no UTF-8 is read as other bytes.
      self.init(decoding: utf8, as: UTF8.self)
      guard self.utf8.elementsEqual(utf8) else { return nil }
    }
  }
}
