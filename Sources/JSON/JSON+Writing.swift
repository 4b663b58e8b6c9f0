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

extension JSON {
  /// The text for people: two spaces a level, a line a member.
  public var prettyText: String {
    var bytes: [UInt8] = []
    appendPretty(to: &bytes, indent: 0)
    return String(decoding: bytes, as: UTF8.self)
  }

  private func appendPretty(to bytes: inout [UInt8], indent: Int) {
    switch self {
    case .array(let elements) where !elements.isEmpty:
      Self.appendLines(elements, "[", "]", to: &bytes, indent: indent) { element, bytes in
        element.appendPretty(to: &bytes, indent: indent + 1)
      }
    case .object(let object) where !object.isEmpty:
      Self.appendLines(object.members, "{", "}", to: &bytes, indent: indent) { member, bytes in
        Self.append(member.name, to: &bytes)
        bytes.append(contentsOf: ": ".utf8)
        member.value.appendPretty(to: &bytes, indent: indent + 1)
      }
    default: append(to: &bytes)
    }
  }

  private static func appendLines<Element>(
    _ elements: [Element], _ open: String, _ close: String, to bytes: inout [UInt8], indent: Int,
    each: (Element, inout [UInt8]) -> Void
  ) {
    bytes.append(contentsOf: open.utf8)
    for (position, element) in elements.enumerated() {
      bytes.append(contentsOf: (position > 0 ? ",\n" : "\n").utf8)
      bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: (indent + 1) * 2))
      each(element, &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indent * 2))
    bytes.append(contentsOf: close.utf8)
  }
}
