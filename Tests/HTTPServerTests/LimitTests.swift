import HTTPServer
import Testing

@Suite struct LimitTests {
  private static let get = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"

  /// Lets `seconds` pass and the loops notice.
  private func pass(_ seconds: Int64, _ clock: TestClock, _ server: Server) async {
    clock.advance(seconds: seconds)
    await server.onEveryLoop { _, _ in }
  }

  @Test func `a head that does not come in time is a 408`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.get + "GET / HT")
      #expect(try client.readResponse()?.status == 200)
      await pass(8, clock, server)
      client.send("TP/1.1\r\n")
      await pass(5, clock, server)
      let response = try client.readResponse()
      #expect(response?.status == 408)
      #expect(response?["Connection"] == "close")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func `a body that comes too slowly is a 408`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readResponse()?.status == 100)
      client.send([UInt8](repeating: 0x61, count: 480))
      await server.onEveryLoop { _, _ in }
      await pass(4, clock, server)
      client.send("a")
      await pass(5, clock, server)
      #expect(try client.readResponse()?.status == 408)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func `a body that comes fast enough may take its time`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 960\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readResponse()?.status == 100)
      for _ in 0..<4 {
        client.send([UInt8](repeating: 0x61, count: 240))
        await pass(1, clock, server)
      }
      #expect(try client.readResponse()?.status == 200)
    }
  }

  @Test func `an idle connection is ended without a word`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.get)
      #expect(try client.readResponse()?.status == 200)
      await pass(77, clock, server)
      #expect(try client.readToEnd().isEmpty)
      await eventually { server.connectionCount == 0 }
    }
  }

  @Test(arguments: ["/large", "/large-ready"])
  func `a client that never reads is cut`(_ path: String) async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
      await eventually { server.connectionCount == 1 }
      await server.onEveryLoop { _, _ in }
      await pass(12, clock, server)
      await eventually {
        await pass(12, clock, server)
        return server.connectionCount == 0
      }
    }
  }

  @Test(arguments: ["/large", "/large-ready"])
  func `a client that reads slowly gets all of it, and then what it asked behind`(_ path: String) async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" + Self.get)
      #expect(try client.readResponse()?.body == Observed.large)
      #expect(try client.readResponse()?.text == "GET a / ")
    }
  }

  @Test(arguments: [65_535, 65_536, 65_537, 1_000_000])
  func `a client that sends all it has and ends its half is answered`(_ count: Int) async throws {
    var limits = Limits()
    limits.bodyBytesMax = count
    try await withServer(limits) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n")
      client.send([UInt8](repeating: 0x62, count: count))
      client.send(Self.get)
      client.endSending()
      #expect(try client.readResponse()?.body.count == "POST a / ".utf8.count + count)
      #expect(try client.readResponse()?.text == "GET a / ")
      #expect(try client.readToEnd().isEmpty)
      await eventually { server.connectionCount == 0 }
    }
  }

  @Test func `the last of a connection's requests says so`() async throws {
    var limits = testLimits
    limits.requestsPerConnectionMax = 2
    try await withServer(limits) { server, _ in
      let client = try RawClient(port: server.port)
      client.send(Self.get + Self.get + Self.get)
      #expect(try client.readResponse()?["Connection"] == nil)
      #expect(try client.readResponse()?["Connection"] == "close")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func `more connections than allowed are turned away, and one that ends makes room`() async throws {
    var limits = testLimits
    limits.connectionsMax = 2
    try await withServer(limits) { server, _ in
      var first: RawClient? = try RawClient(port: server.port)
      let second = try RawClient(port: server.port)
      for client in [first, second] {
        client?.send(Self.get)
        #expect(try client?.readResponse()?.status == 200)
      }
      let refused = try RawClient(port: server.port).readResponse()
      #expect(refused?.status == 503)
      #expect(refused?["Retry-After"] == "1")
      first = nil
      await eventually { server.connectionCount == 1 }
      let third = try RawClient(port: server.port)
      third.send(Self.get)
      #expect(try third.readResponse()?.status == 200)
    }
  }

  @Test func `one address has no more connections than its share`() async throws {
    var limits = testLimits
    limits.connectionsPerAddressMax = 1
    limits.loopbackIsUnlimited = false
    try await withServer(limits) { server, _ in
      let first = try RawClient(port: server.port)
      first.send(Self.get)
      #expect(try first.readResponse()?.status == 200)
      #expect(try RawClient(port: server.port).readResponse()?.status == 503)
    }
    limits.loopbackIsUnlimited = true
    try await withServer(limits) { server, _ in
      let clients = try (0..<3).map { _ in try RawClient(port: server.port) }
      for client in clients {
        client.send(Self.get)
        #expect(try client.readResponse()?.status == 200)
      }
    }
  }

  @Test func `a server without bodies refuses one before it is read`() async throws {
    try await withServer(Limits()) { server, _ in
      for framing in ["Content-Length: 1", "Transfer-Encoding: chunked", "Content-Length: 1\r\nExpect: 100-continue"] {
        let client = try RawClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n")
        #expect(try client.readResponse()?.status == 413)
        #expect(try client.readToEnd().isEmpty)
      }
    }
  }

  @Test func `a body with a coding is told which there are (RFC 9110 §15.5.16)`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Encoding: br\r\n\r\nx")
      let response = try client.readResponse()
      #expect(response?.status == 415)
      #expect(response?["Accept-Encoding"] == "identity")
    }
  }

  @Test func `connections that come, break and go leave nothing behind`() async throws {
    try await withServer { server, _ in
      for round in 0..<300 {
        let client = try RawClient(port: server.port)
        if round % 3 == 0 { client.resetOnClose() }
        client.send(
          ["", "GET", Self.get, Self.get + "GET", "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx"][round % 5]
        )
      }
      await eventually { server.connectionCount == 0 }
    }
  }
}
