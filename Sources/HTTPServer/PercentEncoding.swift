/// Percent-encoding (RFC 3986 §2.1), decoded once, after the target was split into its parts.
extension Span<UInt8> {
  /// The decoded bytes, or nil for a `%` without two hexadecimal digits.
  ///
  /// - Parameter plusIsSpace: Whether `+` is a space, as in the names and values of a query that a form made.
  public func percentDecoded(plusIsSpace: Bool = false) -> [UInt8]? {
    var decoded: [UInt8] = []
    decoded.reserveCapacity(count)
    var index = 0
    while index < count {
      let byte = self[index]
      if byte == UInt8(ascii: "%") {
        guard index + 2 < count, let high = ASCII.hexadecimal(self[index + 1]),
          let low = ASCII.hexadecimal(self[index + 2])
        else { return nil }
        decoded.append(high << 4 | low)
        index += 3
      } else {
        decoded.append(plusIsSpace && byte == UInt8(ascii: "+") ? ASCII.space : byte)
        index += 1
      }
    }
    return decoded
  }

  /// The path's segments, decoded, with `.` and `..` taken out (RFC 3986 §5.2.4), or nil when one cannot be decoded.
  ///
  /// Dots count encoded too, since `%2e` is the same as `.` (RFC 3986 §6.2.2.3). An encoded slash is part of its
  /// segment. `/a/` has the segments `a` and an empty one.
  public func pathSegments() -> [[UInt8]]? {
    guard count > 0, self[0] == UInt8(ascii: "/") else { return nil }
    var segments: [[UInt8]] = []
    var start = 1
    while start <= count {
      let end = first(UInt8(ascii: "/"), from: start) ?? count
      guard let segment = extracting(start..<end).percentDecoded() else { return nil }
      start = end + 1
      let isLast = end == count
      if segment == Array("..".utf8) { _ = segments.popLast() }
      if segment == Array(".".utf8) || segment == Array("..".utf8) {
        if isLast { segments.append([]) }
      } else {
        segments.append(segment)
      }
    }
    return segments
  }

  /// Calls `body` with each `name=value` of a query, still encoded; a pair without `=` has an empty value.
  public func forEachQueryPair(_ body: (_ name: Span<UInt8>, _ value: Span<UInt8>) -> Void) {
    var start = 0
    while start < count {
      let end = first(UInt8(ascii: "&"), from: start) ?? count
      let pair = extracting(start..<end)
      let equals = pair.first(UInt8(ascii: "=")) ?? pair.count
      if pair.count > 0 {
        body(pair.extracting(..<equals), pair.extracting(Swift.min(equals + 1, pair.count)...))
      }
      start = end + 1
    }
  }
}
