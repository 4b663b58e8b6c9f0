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
      await server.onEveryLoop { _, _ in }
      await pass(5, clock, server)
      #expect(try client.readResponse()?.status == 408)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  private static let uploads: Limits = {
    var limits = testLimits
    limits.bodyBytesMax = 100_000
    return limits
  }()

  @Test func `a fast start of a body buys no long rest`() async throws {
    let clock = TestClock()
    try await withServer(Self.uploads, clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 60000\r\nExpect: 100-continue\r\n\r\n")
      #expect(try client.readResponse()?.status == 100)
      client.send([UInt8](repeating: 0x61, count: 50_000))
      // The average stays far above the least rate; the octets may come in two parts.
      for _ in 0..<3 { await pass(7, clock, server) }
      #expect(try client.readResponse()?.status == 408)
    }
  }

  @Test func `a head has its own time, whatever came before it on the connection`() async throws {
    let clock = TestClock()
    try await withServer(Self.uploads, clock: clock.clock) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("GET / HTT")
      for _ in 0..<8 {
        await pass(3, clock, server)
        client.send("P/1.1\r\nHost: a\r\n\r\nGET / HTT")
        #expect(try client.readResponse()?.status == 200)
      }
      client.send("P/1.1\r\nHost: a\r\nContent-Length: 4800\r\n\r\n")
      for _ in 0..<19 {
        client.send([UInt8](repeating: 0x61, count: 250))
        await pass(1, clock, server)
      }
      client.send([UInt8](repeating: 0x61, count: 50) + Array("GET / HTT".utf8))
      #expect(try client.readResponse()?.status == 200)
      await pass(3, clock, server)
      client.send("P/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse()?.status == 200)
    }
  }

  @Test func `all unfinished bodies together are bounded`() async throws {
    var limits = Self.uploads
    limits.uploadBytesMax = 10_000
    try await withServer(limits) { server, _ in
      let head = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 8000\r\nExpect: 100-continue\r\n\r\n"
      let clients = try (0..<2).map { _ in try RawClient(port: server.port) }
      for client in clients {
        client.send(head)
        #expect(try client.readResponse()?.status == 100)
        client.send([UInt8](repeating: 0x61, count: 6_000))
        await server.onEveryLoop { _, _ in }
      }
      let refused = try clients[1].readResponse()
      #expect(refused?.status == 503)
      #expect(refused?["Retry-After"] == "1")
      #expect(try clients[1].readToEnd().isEmpty)
      clients[0].send([UInt8](repeating: 0x61, count: 2_000))
      #expect(try clients[0].readResponse()?.status == 200)
      // What is over counts no more.
      clients[0].send(head)
      #expect(try clients[0].readResponse()?.status == 100)
      clients[0].send([UInt8](repeating: 0x61, count: 8_000))
      #expect(try clients[0].readResponse()?.status == 200)
    }
  }

  @Test func `a client that is refused before its body comes may send it, and read why`() async throws {
    try await withServer(Limits()) { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n")
      #expect(try client.readResponse()?.status == 413)
      #expect(client.send([UInt8](repeating: 0x61, count: 1_000_000)) == 1_000_000)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test(arguments: [("HEAD / HTTP/1.1\r\n\r\n", 400), ("HEAD / HTTP/1.1\r\nHost: a\r\nExpect: x\r\n\r\n", 417)])
  func `an error to HEAD has no content (RFC 9110 §9.3.2)`(_ request: String, _ status: Int) async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send(request)
      let response = try client.readResponse(toHead: true)
      #expect(response?.status == status)
      #expect(response?["Content-Length"].flatMap { Int($0) } ?? 0 > 0)
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test func `a method longer than any there is is not implemented (RFC 9112 §3)`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send(String(repeating: "A", count: 65) + " / HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse()?.status == 501)
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
