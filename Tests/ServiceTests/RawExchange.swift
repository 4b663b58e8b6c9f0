import Glibc
import Testing

/// Sends a request octet by octet as it stands, for what no HTTP client would send, and reads until the server ends the
/// connection.
func exchange(_ request: String, port: UInt16) throws -> (status: Int, text: String) {
  let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
  defer { close(socket) }
  var address = sockaddr_in()
  address.sin_family = sa_family_t(AF_INET)
  address.sin_port = port.bigEndian
  address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
  let result = unsafe withUnsafePointer(to: &address) { pointer in
    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
      unsafe connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
    }
  }
  try #require(result == 0)
  var timeout = timeval(tv_sec: 20, tv_usec: 0)
  unsafe setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
  let bytes = Array(request.utf8)
  var sent = 0
  while sent < bytes.count {
    let count = unsafe bytes[sent...].withUnsafeBytes {
      unsafe Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
    }
    guard count > 0 else { break }
    sent += count
  }
  var received: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 65_536)
  while true {
    let count = unsafe recv(socket, &buffer, buffer.count, 0)
    guard count > 0 else { break }
    received += buffer[..<count]
  }
  let text = String(decoding: received, as: UTF8.self)
  return (text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0, text)
}
