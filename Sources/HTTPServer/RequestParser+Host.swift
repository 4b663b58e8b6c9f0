/// Hosts (RFC 9110 §7.2, RFC 3986 §3.2.2).
extension RequestParser {
  /// `uri-host [ ":" port ]`. An empty host is invalid for http (RFC 9110 §4.2.1).
  static func isHost(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return false }
    var index = 0
    if text[0] == UInt8(ascii: "[") {
      guard let close = text.first(UInt8(ascii: "]")), isAddressLiteral(text.extracting(1..<close)) else {
        return false
      }
      index = close + 1
    } else {
      while index < text.count {
        if ASCII.isHost(text[index]) {
          index += 1
        } else if isEncodedOctet(text, at: index) {
          index += 3
        } else {
          break
        }
      }
      guard index > 0 else { return false }
    }
    guard index < text.count else { return true }
    return text[index] == ASCII.colon && isPort(text.extracting((index + 1)...))
  }

  /// `"%" HEXDIG HEXDIG` (RFC 3986 §2.1).
  private static func isEncodedOctet(_ text: Span<UInt8>, at index: Int) -> Bool {
    text[index] == UInt8(ascii: "%") && index + 2 < text.count && ASCII.hexadecimal(text[index + 1]) != nil
      && ASCII.hexadecimal(text[index + 2]) != nil
  }

  /// `*DIGIT` (RFC 3986 §3.2.3), leading zeros and all, that is a port of TCP.
  private static func isPort(_ text: Span<UInt8>) -> Bool {
    var port = 0
    for index in text.indices {
      guard ASCII.isDigit(text[index]) else { return false }
      port = port * 10 + Int(text[index] &- 0x30)
      guard port <= 65_535 else { return false }
    }
    return true
  }

  // MARK: - Literals

  /// Whether the text between the brackets is `IPv6address / IPvFuture`. A zone is not allowed.
  private static func isAddressLiteral(_ text: Span<UInt8>) -> Bool {
    guard text.count > 0 else { return false }
    return ASCII.lowercased(text[0]) == UInt8(ascii: "v") ? isFutureAddress(text) : Linux.isIPv6(text)
  }

  /// `"v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
  private static func isFutureAddress(_ text: Span<UInt8>) -> Bool {
    guard let dot = text.first(UInt8(ascii: ".")), dot > 1, dot + 1 < text.count else { return false }
    for index in 1..<dot where ASCII.hexadecimal(text[index]) == nil { return false }
    for index in (dot + 1)..<text.count where !ASCII.isHost(text[index]) && text[index] != ASCII.colon { return false }
    return true
  }
}
