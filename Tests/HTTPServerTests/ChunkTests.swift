import HTTPServer
import Testing

/// Chunked bodies as clients send them (RFC 9112 §7.1).
@Suite struct ChunkTests {
  private static let head = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
  private static let limits: Limits = {
    var limits = Limits()
    limits.bodyBytesMax = 400_000
    return limits
  }()

  private static func chunks(_ count: Int, of size: Int, extensions: String = "") -> String {
    let chunk = String(size, radix: 16) + extensions + "\r\n" + String(repeating: "x", count: size) + "\r\n"
    return String(repeating: chunk, count: count)
  }

  @Test(arguments: [(3_000, 100), (300_000, 1), (1, 300_000)])
  func `a body of 300 KB is read however small its chunks are`(count: Int, size: Int) async throws {
    try await withServer(Self.limits) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.head + Self.chunks(count, of: size) + "0\r\n\r\n")
      let response = try client.readResponse()
      #expect(response?.status == 200)
      #expect(response?.body.count == "POST a / ".utf8.count + 300_000)
    }
  }

  @Test(arguments: [
    (chunks(10, of: 1, extensions: ";a=" + String(repeating: "b", count: 1_000)) + "0\r\n\r\n", 200),
    (chunks(17, of: 1, extensions: ";a=" + String(repeating: "b", count: 1_000)) + "0\r\n\r\n", 431),
    ("0\r\nA: " + String(repeating: "b", count: 16_300) + "\r\n\r\n", 200),
    ("0\r\nA: " + String(repeating: "b", count: 16_400) + "\r\n\r\n", 431),
    (String(repeating: "0", count: 16_300) + "1\r\nx\r\n0\r\n\r\n", 200),
    (String(repeating: "0", count: 20_000) + "1\r\nx\r\n0\r\n\r\n", 431),
    ("0\r\n" + String(repeating: "A:\r\n", count: 5_000) + "\r\n", 431),
  ])
  func `what chunks carry beside data is bounded by 16 KiB, and more of it is a 431`(
    body: String, status: Int
  ) async throws {
    try await withServer(Self.limits) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.head + body)
      #expect(try client.readResponse()?.status == status)
    }
  }
}
