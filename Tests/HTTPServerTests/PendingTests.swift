import HTTPServer
import Testing

/// What waits for clients that do not read is bounded for all of them together.
@Suite struct PendingTests {
  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  private static func limits(_ bytes: Int) -> Limits {
    var limits = Limits()
    limits.pendingBytesMax = bytes
    return limits
  }

  @Test(arguments: [1, 2])
  func `clients that ask for much and read nothing are cut, and others are served`(loops: Int) async throws {
    // Far less than the requests that so many have waiting behind their answers.
    let most = 256 * 1024
    try await withServer(Self.limits(most), loops: loops) { server, _ in
      let slow = try RawClient(port: server.port)
      slow.send("GET / HT")
      var greedy: [RawClient] = []
      for _ in 0..<24 {
        let client = try RawClient(port: server.port, receiveBuffer: 4_096)
        client.sendWithoutWaiting(String(repeating: Self.get("/medium"), count: 1_000))
        greedy.append(client)
        await server.onEveryLoop { _, _ in }
        #expect(server.pendingBytes <= most + most / 4 + loops * 512 * 1024)
      }
      await eventually { await server.traffic().cut > 0 }
      await eventually { server.pendingBytes <= most }
      slow.send("TP/1.1\r\nHost: a\r\n\r\n")
      #expect(try slow.readResponse()?.status == 200)
      let other = try RawClient(port: server.port)
      other.send(Self.get("/medium"))
      #expect(try other.readResponse()?.body == Observed.medium)
      greedy = []
      await eventually { server.connectionCount <= 2 }
      #expect(server.pendingBytes == 0)
    }
  }

  @Test func `a response that many wait for counts once`() async throws {
    try await withServer(Self.limits(24 * 1024 * 1024), loops: 2) { server, _ in
      var clients = try (0..<20).map { _ in try RawClient(port: server.port) }
      for client in clients { client.send(Self.get("/large-ready")) }
      await eventually { server.pendingBytes >= Observed.large.count }
      await server.onEveryLoop { _, _ in }
      #expect(server.pendingBytes < Observed.large.count + 100_000)
      #expect(await server.traffic().cut == 0)
      #expect(try clients[7].readResponse()?.body.count == Observed.large.count)
      clients = []
      await eventually { server.connectionCount == 0 }
      #expect(server.pendingBytes == 0)
    }
  }

  @Test func `one answer may be larger than all that may wait, a second is cut`() async throws {
    try await withServer(Self.limits(1024 * 1024)) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.get("/large"))
      #expect(try client.readResponse()?.body.count == Observed.large.count)
      let both = try (0..<2).map { _ in try RawClient(port: server.port) }
      for client in both { client.send(Self.get("/large")) }
      await eventually { await server.traffic().cut > 0 }
      #expect(server.pendingBytes < 2 * Observed.large.count)
    }
  }

  @Test func `heads that are not whole count too, and those with the most go first`() async throws {
    try await withServer(Self.limits(100_000)) { server, _ in
      let short = try RawClient(port: server.port)
      short.send("GET / HTTP/1.1\r\nHost: a\r\n")
      let long = try (0..<12).map { _ in try RawClient(port: server.port) }
      for client in long { client.send("GET / HTTP/1.1\r\nA: " + String(repeating: "a", count: 10_000)) }
      await eventually { server.connectionCount < 13 }
      #expect(server.pendingBytes <= 125_000)
      short.send("\r\n")
      #expect(try short.readResponse()?.status == 200)
    }
  }

  @Test func `what was waiting counts no more once it is read`() async throws {
    try await withServer(Self.limits(64 * 1024 * 1024)) { server, _ in
      let client = try RawClient(port: server.port)
      for _ in 0..<3 {
        client.send(Self.get("/large") + Self.get("/"))
        await eventually { server.pendingBytes > 1_000_000 }
        #expect(try client.readResponse()?.body.count == Observed.large.count)
        #expect(try client.readResponse()?.text == "GET a / ")
        await server.onEveryLoop { _, _ in }
        #expect(server.pendingBytes == 0)
      }
      #expect(await server.traffic().cut == 0)
    }
  }
}
