import Foundation

/// URIs of RFC 3986, with a scheme.
public enum URISyntax {
  /// Whether bytes are a URI: a scheme, and only the characters that each part may hold.
  public static func isAbsolute(_ bytes: [UInt8]) -> Bool {
    guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), isScheme(bytes[..<colon]) else { return false }
    var rest = bytes[(colon + 1)...]
    if let mark = rest.firstIndex(of: UInt8(ascii: "#")) {
      guard hasOnly(rest[(mark + 1)...], "/?:@") else { return false }
      rest = rest[..<mark]
    }
    if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
      guard hasOnly(rest[(mark + 1)...], "/?:@") else { return false }
      rest = rest[..<mark]
    }
    guard rest.starts(with: "//".utf8) else { return hasOnly(rest, "/:@") }
    rest = rest.dropFirst(2)
    let end = rest.firstIndex(of: UInt8(ascii: "/")) ?? rest.endIndex
    return isAuthority(rest[..<end]) && hasOnly(rest[end...], "/:@")
  }

  private static func isScheme(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = bytes.first, isLetter(first) else { return false }
    return bytes.allSatisfy { isLetter($0) || isDigit($0) || "+-.".utf8.contains($0) }
  }

  private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
    var host = bytes
    if let at = host.lastIndex(of: UInt8(ascii: "@")) {
      guard hasOnly(host[..<at], ":") else { return false }
      host = host[(at + 1)...]
    }
    if host.first == UInt8(ascii: "[") {
      guard let close = host.firstIndex(of: UInt8(ascii: "]")), isAddress(host[(host.startIndex + 1)..<close]) else {
        return false
      }
      return isPort(host[(close + 1)...])
    }
    let colon = host.firstIndex(of: UInt8(ascii: ":")) ?? host.endIndex
    return hasOnly(host[..<colon], "") && isPort(host[colon...])
  }

  private static func isPort(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.isEmpty || (bytes.first == UInt8(ascii: ":") && bytes.dropFirst().allSatisfy(isDigit))
  }

  /// An IPv6 or a future address between brackets (RFC 3986 §3.2.2).
  private static func isAddress(_ bytes: ArraySlice<UInt8>) -> Bool {
    if let first = bytes.first, first | 0x20 == UInt8(ascii: "v") {
      let parts = bytes.dropFirst().split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 && !parts[0].isEmpty && parts[0].allSatisfy(isHexadecimal) && !parts[1].isEmpty
        && hasOnly(parts[1], ":")
    }
    return isIPv6(bytes)
  }

  private static func isIPv6(_ bytes: ArraySlice<UInt8>) -> Bool {
    // A C string ends at its first NUL.
    guard !bytes.contains(0) else { return false }
    var address = in6_addr()
    return unsafe inet_pton(AF_INET6, String(decoding: bytes, as: UTF8.self), &address) == 1
  }

  /// Whether bytes are unreserved, percent-encoded, sub-delimiters or some others (RFC 3986 §2).
  private static func hasOnly(_ bytes: ArraySlice<UInt8>, _ others: String) -> Bool {
    var rest = bytes
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%") {
        guard rest.count >= 2, rest.prefix(2).allSatisfy(isHexadecimal) else { return false }
        rest = rest.dropFirst(2)
      } else if !isLetter(byte), !isDigit(byte), !"-._~!$&'()*+,;=".utf8.contains(byte), !others.utf8.contains(byte) {
        return false
      }
    }
    return true
  }

  private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  private static func isHexadecimal(_ byte: UInt8) -> Bool { isDigit(byte) || (0x61...0x66).contains(byte | 0x20) }
}
