import HTTPServer
import Logging
import Testing

@testable import http_echo

/// What public conformance suites are pointed at.
@Suite struct EchoTests {
  /// A server as `http-echo` starts it, on a free port.
  private func withEcho(_ body: (RawClient) throws -> Void) async throws {
    let tagged = Tagged()
    var logger = Logger(label: "test")
    logger.logLevel = .critical
    let server = try Server(
      sockets: ListeningSockets(host: "127.0.0.1", port: 0, count: 1), loops: 1, limits: testLimits, logger: logger
    ) { _ in EchoHandler(tagged: tagged) }
    do { try body(RawClient(port: server.port)) } catch {
      await server.drain(grace: .zero)
      throw error
    }
    await server.drain(grace: .zero)
  }

  @Test func `fields come back octet for octet (RFC 9110 §5.5)`() async throws {
    try await withEcho { client in
      client.send(
        Array("GET /echo HTTP/1.1\r\nHost: a\r\nX-Name: ".utf8) + [0xE9, 0x20, 0xFF] + Array("\r\n\r\n".utf8))
      let response = try #require(try client.readResponse())
      #expect(response.body == Array("Host: a\r\nX-Name: ".utf8) + [0xE9, 0x20, 0xFF] + Array("\r\n".utf8))
    }
  }

  @Test(arguments: [
    ("a=1; b=2", ["a=1", "b=2"]), ("a=1;b=2;", ["a=1", "b=2"]), ("a=", ["a="]), ("a=b=c", ["a=b=c"]),
    ("e; a=1", ["a=1"]), ("=1; a=1", ["a=1"]), (";;; ;", []), (#"a="x; y"; b=2"#, [#"a="x; y""#, "b=2"]),
    (#"a="x; b=2"#, [#"a="x"#, "b=2"]), (#"a="""#, [#"a="""#]), (#"e "x; a=1"#, ["a=1"]),
    (#"a="x; b="2""#, [#"a="x"#, #"b="2""#]),
  ])
  func `cookies are listed as k=v (RFC 6265 §4.2.1)`(_ sent: String, _ cookies: [String]) async throws {
    try await withEcho { client in
      client.send("GET /cookie HTTP/1.1\r\nHost: a\r\nCookie: \(sent)\r\n\r\n")
      let text = try client.readResponse()?.text
      #expect(text == cookies.map { $0 + "\r\n" }.joined())
    }
  }

  @Test(arguments: [
    ("GET", "/", 200), ("BREW", "/", 200), ("GET", "/./x/../echo", 200), ("GET", "/%65cho", 200),
    ("GET", "/%2e/cookie", 200), ("GET", "/echo/", 404), ("GET", "/nothing", 404), ("GET", "/%zz", 400),
    ("POST", "/tagged", 405), ("OPTIONS", "*", 204), ("OPTIONS", "/", 204), ("OPTIONS", "/echo", 204),
    ("OPTIONS", "/cookie", 204), ("OPTIONS", "/tagged", 204), ("OPTIONS", "/nothing", 404),
  ])
  func `each path answers its methods`(_ method: String, _ path: String, _ status: Int) async throws {
    try await withEcho { client in
      client.send("\(method) \(path) HTTP/1.1\r\nHost: a\r\n\r\n")
      let response = try #require(try client.readResponse())
      #expect(response.status == status)
      #expect((response["Allow"]?.hasSuffix("OPTIONS") == true) == (status == 204 || status == 405))
    }
  }

  @Test(arguments: [
    ("gzip", 200, "gzip"), ("identity", 200, nil), ("gzip;q=0", 200, nil), ("*;q=0, gzip", 200, "gzip"),
    ("identity;q=0, *;q=0", 406, nil),
  ])
  func `the tagged resource has the coding that is accepted`(
    _ accepted: String, _ status: Int, _ coding: String?
  ) async throws {
    try await withEcho { client in
      client.send("GET /tagged HTTP/1.1\r\nHost: a\r\nAccept-Encoding: \(accepted)\r\n\r\n")
      let response = try #require(try client.readResponse())
      #expect(response.status == status)
      #expect(response["Content-Encoding"] == coding)
    }
  }

  @Test func `gzip makes the tagged resource smaller`() async throws {
    try await withEcho { client in
      client.send(
        "GET /tagged HTTP/1.1\r\nHost: a\r\n\r\nGET /tagged HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\n\r\n")
      let identity = try #require(try client.readResponse())
      let gzip = try #require(try client.readResponse())
      #expect(gzip.body.count < identity.body.count / 4)
      #expect(gzip.body.prefix(3) == [0x1F, 0x8B, 8])
      #expect(gzip["ETag"] == identity["ETag"])
    }
  }
}
