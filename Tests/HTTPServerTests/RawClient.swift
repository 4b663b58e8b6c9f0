import Glibc

/// A socket and nothing else: what it sends is what the test says, octet by octet.
final class RawClient {
  private let socket: Int32

  /// - Parameter receiveBuffer: Octets that the kernel keeps for a client that does not read; its own choice when `nil`.
  init(port: UInt16, receiveBuffer: Int32? = nil) throws {
    socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    if let receiveBuffer { set(SOL_SOCKET, SO_RCVBUF, receiveBuffer) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else { throw ClientError.connect(errno) }
    set(SOL_SOCKET, SO_RCVTIMEO, timeval(tv_sec: 20, tv_usec: 0))
    set(Int32(IPPROTO_TCP), 1 /* TCP_NODELAY */, Int32(1))
  }

  deinit { close(socket) }

  enum ClientError: Error {
    case connect(Int32)
    case timedOut
    case malformed(String)
  }

  private func set<Value: BitwiseCopyable>(_ level: Int32, _ option: Int32, _ value: Value) {
    var value = value
    unsafe setsockopt(socket, level, option, &value, socklen_t(MemoryLayout<Value>.size))
  }

  /// Makes closing reset the connection.
  func resetOnClose() {
    set(SOL_SOCKET, SO_LINGER, linger(l_onoff: 1, l_linger: 0))
  }

  func send(_ text: String) { send(Array(text.utf8)) }

  /// Returns how many the kernel took.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes[sent...].withUnsafeBytes {
        unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return sent }
      sent += count
    }
    return sent
  }

  /// Sends what the kernel takes at once: of a server that reads no more, not all.
  func sendWithoutWaiting(_ text: String) {
    let bytes = Array(text.utf8)
    _ = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
    }
  }

  /// Says that nothing more will come.
  func endSending() { shutdown(socket, Int32(SHUT_WR)) }

  private var received: [UInt8] = []

  /// Reads some more; false at the end, or when the connection was reset.
  private func more() throws -> Bool {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    if count < 0, errno == EAGAIN { throw ClientError.timedOut }
    guard count > 0 else { return false }
    received += buffer[..<count]
    return true
  }

  /// All that comes until the server ends the connection.
  func readToEnd() throws -> [UInt8] {
    while try more() {}
    defer { received = [] }
    return received
  }

  /// The next response, or nil when the connection ends before one.
  func readResponse(toHead: Bool = false) throws -> RawResponse? {
    while true {
      if let (response, used) = try RawResponse.parse(received, toHead: toHead) {
        received.removeFirst(used)
        return response
      }
      guard try more() else {
        guard received.isEmpty else { throw ClientError.malformed(String(decoding: received, as: UTF8.self)) }
        return nil
      }
    }
  }
}

/// A response as it came.
struct RawResponse {
  var status: Int
  var fields: [(name: String, value: String)]
  var body: [UInt8]

  var text: String { String(decoding: body, as: UTF8.self) }

  subscript(name: String) -> String? {
    fields.first { $0.name.lowercased() == name.lowercased() }?.value
  }

  /// The first response in `bytes` and its length, or nil when it is not whole.
  static func parse(_ bytes: [UInt8], toHead: Bool) throws -> (RawResponse, Int)? {
    let end = Array("\r\n\r\n".utf8)
    guard let head = bytes.indices.first(where: { bytes[$0...].starts(with: end) }) else { return nil }
    var lines = String(decoding: bytes[..<head], as: UTF8.self).split(
      separator: "\r\n", omittingEmptySubsequences: false)
    let status = lines.removeFirst().split(separator: " ", maxSplits: 2, omittingEmptySubsequences: false)
    guard status.count == 3, status[0] == "HTTP/1.1", let code = Int(status[1]) else {
      throw RawClient.ClientError.malformed(String(decoding: bytes, as: UTF8.self))
    }
    let fields = lines.map { line in
      let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
      return (name: String(parts[0]), value: parts.count > 1 ? String(parts[1].dropFirst()) : "")
    }
    var response = RawResponse(status: code, fields: fields, body: [])
    let hasContent = !toHead && code >= 200 && code != 204 && code != 304
    let length = hasContent ? response["Content-Length"].flatMap { Int($0) } ?? 0 : 0
    guard bytes.count >= head + 4 + length else { return nil }
    response.body = Array(bytes[(head + 4)..<(head + 4 + length)])
    return (response, head + 4 + length)
  }
}
