import HTTPServer
import Testing

@Suite struct WaitingTests {
  private static func get(_ path: String) -> String { "GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n" }

  @Test func `an answer can come later, and what is pipelined behind it waits`() async throws {
    try await withServer { server, observed in
      let client = try RawClient(port: server.port)
      client.send(Self.get("/later?1") + Self.get("/2") + Self.get("/later?3") + Self.get("/4"))
      await eventually { observed.completeAll() }
      #expect(try client.readResponse()?.text == "later 1")
      #expect(try client.readResponse()?.text == "GET a /2 ")
      await eventually { observed.completeAll() }
      #expect(try client.readResponse()?.text == "later 3")
      #expect(try client.readResponse()?.text == "GET a /4 ")
    }
  }

  @Test(arguments: ["/later?x", "/parked"])
  func `an answer that comes while earlier ones are on their way goes behind them`(_ path: String) async throws {
    try await withServer { server, observed in
      let client = try RawClient(port: server.port)
      // Each round is answered without being read, until the sockets hold no more and a round waits to be written.
      var rounds = 0
      var isTaken = true
      while isTaken, rounds < 2_000 {
        let before = observed.parkedCount
        client.send(Self.get("/medium") + Self.get(path))
        rounds += 1
        isTaken = false
        for _ in 0..<300 where !isTaken {
          try await Task.sleep(for: .milliseconds(1))
          isTaken = observed.completeAll() || observed.parkedCount > before
        }
        await server.onEveryLoop { loop, handler in (handler as? TestHandler)?.wakeAll(on: loop) }
      }
      #expect(rounds < 2_000)
      // From now on what is asked is answered when it comes.
      let answering = Task {
        while !Task.isCancelled {
          _ = observed.completeAll()
          await server.onEveryLoop { loop, handler in (handler as? TestHandler)?.wakeAll(on: loop) }
          try await Task.sleep(for: .milliseconds(1))
        }
      }
      for _ in 0..<rounds {
        #expect(try client.readResponse()?.body == Observed.medium)
        #expect(try client.readResponse()?.text == (path == "/parked" ? "first woken" : "later x"))
      }
      answering.cancel()
    }
  }

  @Test func `a ticket completes its own exchange only, once`() async throws {
    try await withServer { server, observed in
      let client = try RawClient(port: server.port)
      client.send(Self.get("/later?1"))
      await eventually { observed.ticketCount == 1 }
      let ticket = try #require(observed.takeTicket())
      ticket.complete(Response(200, text: "first"))
      ticket.complete(Response(200, text: "second"))
      #expect(try client.readResponse()?.text == "first")
      client.send(Self.get("/later?2"))
      await eventually { observed.ticketCount == 1 }
      ticket.complete(Response(200, text: "third"))
      #expect(observed.completeAll())
      #expect(try client.readResponse()?.text == "later 2")
    }
  }

  @Test func `parked clients are woken, and every loop has swapped before`() async throws {
    try await withServer(loops: 2) { server, observed in
      let clients = try (0..<300).map { _ in try RawClient(port: server.port) }
      for client in clients { client.send(Self.get("/parked")) }
      await eventually { observed.parkedCount == clients.count }
      await server.onEveryLoop { loop, handler in
        (handler as? TestHandler)?.edition = "second"
        (handler as? TestHandler)?.wakeAll(on: loop)
      }
      for client in clients { #expect(try client.readResponse()?.text == "second woken") }
      for client in clients {
        client.send(Self.get("/edition"))
        #expect(try client.readResponse()?.text == "second")
      }
    }
  }

  @Test func `a parked client is answered when its time is over`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock.clock) { server, observed in
      let client = try RawClient(port: server.port)
      client.send(Self.get("/parked?30") + Self.get("/behind"))
      await eventually { observed.parkedCount == 1 }
      clock.advance(seconds: 29)
      await server.onEveryLoop { _, _ in }
      #expect(observed.resumedCount == 0)
      clock.advance(milliseconds: 1_063)
      await server.onEveryLoop { _, _ in }
      #expect(try client.readResponse()?.text == "first timeOver")
      #expect(try client.readResponse()?.text == "GET a /behind ")
    }
  }

  @Test func `a parked client that ends its half is answered at once`() async throws {
    try await withServer { server, observed in
      let client = try RawClient(port: server.port)
      client.send(Self.get("/parked"))
      await eventually { observed.parkedCount == 1 }
      client.endSending()
      #expect(try client.readResponse()?.text == "first timeOver")
      #expect(try client.readToEnd().isEmpty)
    }
  }

  @Test(arguments: ["/parked", "/later"])
  func `a waiting client that goes away is forgotten`(_ path: String) async throws {
    try await withServer { server, observed in
      var client: RawClient? = try RawClient(port: server.port)
      client?.send(Self.get(path))
      await eventually {
        observed.parkedCount == 1 || observed.ticketCount == 1
      }
      client?.resetOnClose()
      client = nil
      await eventually { observed.forgottenCount == 1 }
      _ = observed.completeAll()
      await eventually { server.connectionCount == 0 }
    }
  }
}
