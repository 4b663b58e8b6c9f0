/// A GET over a socket of its own: no library of an HTTP client is needed where a server runs.
public enum ServerQuery {
  /// What a server answered.
  public struct Answer: Sendable {
    /// The status code.
    public let status: Int
    /// The names and values of its fields, in their order.
    public let fields: [(name: String, value: String)]
    /// The content.
    public let body: [UInt8]
  }

  /// Asks a server on a numeric address for a status; nothing else is read.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/readyz`.
  ///   - timeout: How long all of it may take.
  /// - Returns: The status code; `nil` when what came is not an HTTP/1.1 response, or came too late.
  /// - Throws: ``SystemError`` when there is no connection to be had.
  public static func status(host: String, port: UInt16, path: String, timeout: Duration) throws(SystemError) -> Int? {
    try receive(host: host, port: port, path: path, fields: [], timeout: timeout) {
      $0.count >= statusLineBytes
    }.flatMap(status)
  }

  /// Asks a server on a numeric address for content.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/admin/v1/kinds`.
  ///   - fields: Names and values to send: visible ASCII and spaces.
  ///   - bytesMax: The most bytes that are read, the head among them.
  ///   - timeout: How long all of it may take.
  /// - Returns: The answer; `nil` when what came is not a whole HTTP/1.1 response with a `Content-Length` or a 304, is larger, or
  ///   came too late.
  /// - Throws: ``SystemError`` when there is no connection to be had.
  public static func get(
    host: String, port: UInt16, path: String, fields: [(name: String, value: String)], bytesMax: Int, timeout: Duration
  ) throws(SystemError) -> Answer? {
    var answer: Answer?
    let received = try receive(host: host, port: port, path: path, fields: fields, timeout: timeout) {
      answer = whole($0)
      return answer != nil || $0.count > bytesMax
    }
    return received.flatMap { $0.count > bytesMax ? nil : answer }
  }

  /// Sends a request, and receives until there is enough.
  private static func receive(
    host: String, port: UInt16, path: String, fields: [(name: String, value: String)], timeout: Duration,
    until isEnough: ([UInt8]) -> Bool
  ) throws(SystemError) -> [UInt8]? {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    let socket = try Linux.connect(host: host, port: port, milliseconds: timeout.wholeMilliseconds)
    defer { Linux.close(socket) }
    let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let written = fields.map { "\($0.name): \($0.value)\r\n" }.joined()
    let request = "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\n\(written)Connection: close\r\n\r\n"
    // So short a request goes into the socket's buffer whole.
    guard case .bytes = unsafe Array(request.utf8).withUnsafeBytes({ unsafe Linux.send(socket, $0) }) else {
      return nil
    }
    var received: [UInt8] = []
    while !isEnough(received) {
      let left = (end - clock.now).wholeMilliseconds
      guard left > 0 else { return nil }
      try Linux.setTimeout(socket, milliseconds: left)
      var buffer = [UInt8](repeating: 0, count: 16_384)
      guard case .bytes(let count) = unsafe buffer.withUnsafeMutableBytes({ unsafe Linux.receive(socket, into: $0) }),
        count > 0
      else { return nil }
      received += buffer[..<count]
    }
    return received
  }

  /// `HTTP/1.1 200` and no more is read.
  private static let statusLineBytes = 12

  private static func status(_ line: [UInt8]) -> Int? {
    let text = String(decoding: line.prefix(statusLineBytes), as: UTF8.self)
    return text.hasPrefix("HTTP/1.1 ") ? Int(text.suffix(3)) : nil
  }

  /// The answer, once all of it is there.
  private static func whole(_ bytes: [UInt8]) -> Answer? {
    guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
    let head = String(decoding: bytes[..<end.lowerBound], as: UTF8.self).split(separator: "\r\n")
    let fields = head.dropFirst().compactMap { field -> (name: String, value: String)? in
      let parts = field.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return parts.count == 2 ? (String(parts[0]), String(parts[1].drop { $0 == " " })) : nil
    }
    guard let status = status(bytes) else { return nil }
    // RFC 9110 §15.4.5: it has none, whatever its fields say.
    let length = status == 304 ? 0 : fields.first { $0.name.lowercased() == "content-length" }.flatMap { Int($0.value) }
    guard let length, length >= 0, bytes.count - end.upperBound >= length else { return nil }
    return Answer(status: status, fields: fields, body: Array(bytes[end.upperBound..<end.upperBound + length]))
  }
}

extension Duration {
  /// Rounded down.
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
  }
}
