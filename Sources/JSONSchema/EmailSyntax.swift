/// Mailboxes of RFC 5321 §4.1.2, in ASCII.
enum EmailSyntax {
  static func isAddress(_ bytes: [UInt8]) -> Bool {
    guard let at = bytes.lastIndex(of: UInt8(ascii: "@")), bytes.allSatisfy({ $0 < 0x80 }) else { return false }
    let local = bytes[..<at]
    let domain = bytes[(at + 1)...]
    return local.count <= 64 && (isDotString(local) || isQuoted(local)) && (isDomain(domain) || isLiteral(domain))
  }

  private static func isDotString(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { atom in
      !atom.isEmpty && atom.allSatisfy { isAlphanumeric($0) || "!#$%&'*+-/=?^_`{|}~".utf8.contains($0) }
    }
  }

  private static func isQuoted(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count >= 2, bytes.first == 0x22, bytes.last == 0x22 else { return false }
    var rest = bytes.dropFirst().dropLast()
    while let byte = rest.popFirst() {
      if byte == 0x5C {
        guard let escaped = rest.popFirst(), (0x20...0x7E).contains(escaped) else { return false }
      } else if byte == 0x22 || !(0x20...0x7E).contains(byte) {
        return false
      }
    }
    return true
  }

  private static func isDomain(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.count <= 255
      && bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
        (1...63).contains(label.count) && label.first != 0x2D && label.last != 0x2D
          && label.allSatisfy { isAlphanumeric($0) || $0 == 0x2D }
      }
  }

  /// `[127.0.0.1]` or `[IPv6:::1]`.
  private static func isLiteral(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") else { return false }
    let text = String(decoding: bytes.dropFirst().dropLast(), as: UTF8.self)
    if text.lowercased().hasPrefix("ipv6:") { return URISyntax.isAbsolute(Array("a://[\(text.dropFirst(5))]".utf8)) }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    return parts.count == 4 && parts.allSatisfy { UInt8($0) != nil && $0.utf8.allSatisfy { $0 != 0x2B } }
  }

  private static func isAlphanumeric(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
  }
}
