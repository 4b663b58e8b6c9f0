/// A GET whose status is all that is asked for, over a socket of its own: no library of an HTTP client is needed where a
/// server runs.
public enum StatusQuery {
  /// Asks a server on a numeric address.
  ///
  /// - Parameters:
  ///   - path: The path, such as `/readyz`.
  ///   - timeout: How long all of it may take.
  /// - Returns: The status code; `nil` when what came is not an HTTP/1.1 response, or came too late.
  /// - Throws: ``SystemError`` when there is no connection to be had.
  public static func status(host: String, port: UInt16, path: String, timeout: Duration) throws(SystemError) -> Int? {
    let clock = ContinuousClock()
    let end = clock.now + timeout
    let socket = try Linux.connect(host: host, port: port, milliseconds: timeout.wholeMilliseconds)
    defer { Linux.close(socket) }
    let authority = host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)"
    let request = "GET \(path) HTTP/1.1\r\nHost: \(authority)\r\nConnection: close\r\n\r\n"
    // So short a request goes into the socket's buffer whole.
    guard case .bytes = unsafe Array(request.utf8).withUnsafeBytes({ unsafe Linux.send(socket, $0) }) else {
      return nil
    }
    var line: [UInt8] = []
    while line.count < statusLineBytes {
      let left = (end - clock.now).wholeMilliseconds
      guard left > 0 else { return nil }
      try Linux.setTimeout(socket, milliseconds: left)
      var buffer = [UInt8](repeating: 0, count: 512)
      guard case .bytes(let count) = unsafe buffer.withUnsafeMutableBytes({ unsafe Linux.receive(socket, into: $0) }),
        count > 0
      else { return nil }
      line += buffer[..<count]
    }
    return status(line)
  }

  /// `HTTP/1.1 200` and no more is read.
  private static let statusLineBytes = 12

  private static func status(_ line: [UInt8]) -> Int? {
    let text = String(decoding: line[..<statusLineBytes], as: UTF8.self)
    return text.hasPrefix("HTTP/1.1 ") ? Int(text.suffix(3)) : nil
  }
}

extension Duration {
  /// Rounded down.
  fileprivate var wholeMilliseconds: Int {
    Int(components.seconds * 1_000 + components.attoseconds / 1_000_000_000_000_000)
  }
}
