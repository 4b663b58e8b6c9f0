/// The characters that HTTP's grammar names.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let carriageReturn: UInt8 = 0x0D
  static let space: UInt8 = 0x20
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let semicolon = UInt8(ascii: ";")
  static let quote = UInt8(ascii: "\"")

  @inline(__always)
  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte &- 0x41 < 26 ? byte | 0x20 : byte
  }

  @inline(__always)
  static func isBlank(_ byte: UInt8) -> Bool {
    byte == space || byte == tab
  }

  @inline(__always)
  static func isDigit(_ byte: UInt8) -> Bool {
    byte &- 0x30 < 10
  }

  /// The value of a hexadecimal digit, or nil.
  @inline(__always)
  static func hexadecimal(_ byte: UInt8) -> UInt8? {
    if isDigit(byte) { return byte &- 0x30 }
    let letter = lowercased(byte) &- 0x61
    return letter < 6 ? letter &+ 10 : nil
  }

  /// What may stand in a field value (RFC 9110 §5.5) or a quoted string: no control character but the tab.
  @inline(__always)
  static func isText(_ byte: UInt8) -> Bool {
    byte == tab || (byte >= 0x20 && byte != 0x7F)
  }

  /// tchar (RFC 9110 §5.6.2): letters, digits and ``!#$%&'*+-.^_`|~``.
  @inline(__always)
  static func isToken(_ byte: UInt8) -> Bool {
    contains(byte, 0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE)
  }

  /// What may stand in a request target. RFC 3986 §2 is stricter, but browsers send `|`, `{`, `}`, `^`, `\` and the
  /// backquote as they are. Controls, space, DEL, `"`, `#`, `<`, `>` and everything beyond ASCII are refused.
  @inline(__always)
  static func isTarget(_ byte: UInt8) -> Bool {
    contains(byte, 0xAFFF_FFF2_0000_0000, 0x7FFF_FFFF_FFFF_FFFF)
  }

  /// What may stand in a host name as it is (RFC 3986 §3.2.2), without the comma, which only a joined list would bring.
  @inline(__always)
  static func isHost(_ byte: UInt8) -> Bool {
    contains(byte, 0x2BFF_6FD2_0000_0000, 0x47FF_FFFE_87FF_FFFE)
  }

  /// Whether `byte` is in the set whose members below 64 are the bits of `low`, and those from 64 to 127 of `high`.
  @inline(__always)
  private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
    let word = byte < 64 ? low : (byte < 128 ? high : 0)
    return (word &>> UInt64(byte & 63)) & 1 != 0
  }
}
