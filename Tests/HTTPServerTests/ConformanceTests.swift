import HTTPServer
import Testing

@Suite struct ConformanceTests {
  @Test(arguments: RequestTable.all)
  func `a raw request gets its status, and its connection its fate`(_ line: RequestCase) async throws {
    try await withServer { server, _ in
      try check(line, server) { client in client.send(line.input) }
    }
  }

  @Test(arguments: RequestTable.all.filter { $0.input.count < 500 })
  func `octet by octet a request is answered alike`(_ line: RequestCase) async throws {
    try await withServer { server, _ in
      try check(line, server) { client in
        for octet in line.input { client.send([octet]) }
      }
    }
  }

  private func check(_ line: RequestCase, _ server: Server, _ send: (RawClient) -> Void) throws {
    let client = try RawClient(port: server.port)
    send(client)
    for (index, status) in line.statuses.enumerated() {
      let response = try #require(try client.readResponse(), "\(line.rule)")
      #expect(response.status == status, "\(line.rule)")
      let isLast = line.fate == .ends && index == line.statuses.count - 1
      #expect((response["Connection"] == "close") == isLast, "\(line.rule)")
      #expect(response["Date"]?.utf8.count == 29)
    }
    if line.fate == .stays {
      client.send("GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
      #expect(try client.readResponse()?.text.contains("/last") == true, "\(line.rule)")
    }
    #expect(try client.readToEnd().isEmpty, "\(line.rule)")
  }

  @Test func `the host of an absolute target outweighs Host`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send("GET http://b.example:81/x/../y?q=%41 HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse()?.text == "GET b.example:81 /x/../y?q=%41 ")
      client.send("OPTIONS http://b.example HTTP/1.1\r\nHost: a\r\n\r\nGET http://b?x HTTP/1.1\r\nHost: a\r\n\r\n")
      #expect(try client.readResponse()?.text == "OPTIONS b.example / ")
      #expect(try client.readResponse()?.text == "GET b /?x ")
    }
  }

  @Test func `a client that waits for it is told to continue (RFC 9110 §10.1.1)`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send("POST / HTTP/1.1\r\nHost: a\r\nExpect: 100-Continue\r\nContent-Length: 3\r\n\r\n")
      #expect(try client.readResponse()?.status == 100)
      client.send("abc")
      #expect(try client.readResponse()?.text == "POST a / abc")
    }
  }

  @Test func `HEAD is GET without the content`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      for path in ["/x", "/ready", "/large", "/large-ready"] {
        client.send("HEAD \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        let head = try #require(try client.readResponse(toHead: true))
        client.send("GET \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
        let whole = try #require(try client.readResponse())
        #expect(head.status == whole.status)
        #expect(head.fields.map(\.name) == whole.fields.map(\.name))
        // The text of /x has the method in it.
        if path != "/x" { #expect(head["Content-Length"] == whole["Content-Length"]) }
      }
    }
  }

  @Test func `what is pipelined is answered in order`() async throws {
    try await withServer { server, _ in
      let client = try RawClient(port: server.port)
      client.send((0..<1_000).map { "GET /\($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
      for number in 0..<1_000 { #expect(try client.readResponse()?.text == "GET a /\(number) ") }
    }
  }

  @Test func `a client that has ended its half gets its answers`() async throws {
    try await withServer { server, observed in
      let client = try RawClient(port: server.port)
      client.send(
        "GET /1 HTTP/1.1\r\nHost: a\r\n\r\nGET /later?x HTTP/1.1\r\nHost: a\r\n\r\nGET /3 HTTP/1.1\r\nHost: a\r\n\r\n")
      client.endSending()
      #expect(try client.readResponse()?.text == "GET a /1 ")
      await eventually { observed.completeAll() }
      #expect(try client.readResponse()?.text == "later x")
      #expect(try client.readResponse()?.text == "GET a /3 ")
      #expect(try client.readToEnd().isEmpty)
    }
  }
}
