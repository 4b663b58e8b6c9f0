extension JSON {
  /// Appends the canonical bytes: members sorted, no white space, no escape that RFC 8259 §7 does not ask for.
  public func append(to bytes: inout [UInt8]) {
    switch self {
    case .null: bytes.append(contentsOf: "null".utf8)
    case .bool(let value): bytes.append(contentsOf: (value ? "true" : "false").utf8)
    case .number(let number): bytes.append(contentsOf: number.text.utf8)
    case .string(let string): Self.append(string, to: &bytes)
    case .array(let elements):
      bytes.append(UInt8(ascii: "["))
      for (position, element) in elements.enumerated() {
        if position > 0 { bytes.append(UInt8(ascii: ",")) }
        element.append(to: &bytes)
      }
      bytes.append(UInt8(ascii: "]"))
    case .object(let object): object.append(to: &bytes)
    }
  }

  /// The canonical bytes.
  public var canonicalBytes: [UInt8] {
    var bytes: [UInt8] = []
    append(to: &bytes)
    return bytes
  }

  /// The canonical text.
  public var canonicalText: String { String(decoding: canonicalBytes, as: UTF8.self) }

  /// Appends a string in quotes.
  public static func append(_ string: String, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    var string = string
    string.withUTF8 { utf8 in
      var start = 0
      for position in 0..<utf8.count {
        let byte = unsafe utf8[position]
        guard byte < 0x20 || byte == 0x22 || byte == 0x5C else { continue }
        unsafe bytes.append(contentsOf: utf8[start..<position])
        appendEscape(of: byte, to: &bytes)
        start = position + 1
      }
      unsafe bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x22, 0x5C: bytes.append(byte)
    case 0x08: bytes.append(UInt8(ascii: "b"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0C: bytes.append(UInt8(ascii: "f"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    default:
      bytes.append(contentsOf: "u00".utf8)
      bytes.append(byte < 0x10 ? 0x30 : 0x31)
      let low = byte & 0x0F
      bytes.append(low < 10 ? 0x30 + low : 0x61 + low - 10)
    }
  }
}

extension JSONObject {
  /// Appends the canonical bytes.
  public func append(to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    for (position, member) in members.enumerated() {
      if position > 0 { bytes.append(UInt8(ascii: ",")) }
      JSON.append(member.name, to: &bytes)
      bytes.append(UInt8(ascii: ":"))
      member.value.append(to: &bytes)
    }
    bytes.append(UInt8(ascii: "}"))
  }
}
