import Glibc
import HTTPServer
import Peers
import Synchronization
import Testing

@testable import HTTPClient

@Suite struct HTTPClientTests {
  private func client(
    allowing ranges: [String] = [], timeout: Duration = .seconds(5),
    resolve: @escaping HTTPClient.Resolver = HTTPClient.system
  ) throws -> HTTPClient {
    var settings = HTTPClientSettings()
    settings.addressesAllowed = try #require(AddressRanges(ranges))
    settings.timeout = timeout
    return try HTTPClient(settings, program: "hearth/test", resolve: resolve)
  }

  private func url(_ text: String) throws -> OutgoingURL { try #require(OutgoingURL(text)) }

  private func failure(_ client: HTTPClient, _ text: String) async throws -> HTTPClientFailure? {
    do {
      _ = try await client.post(try url(text), fields: [], body: [])
      return nil
    } catch let failure as HTTPClientFailure { return failure }
  }

  @Test func `a request arrives as it was sent, and its status comes back`() async throws {
    let receiver = try Receiver { received in Response(received.target == "/a?b=c" ? 202 : 404) }
    let client = try client(allowing: ["127.0.0.1"])
    let body = Array(repeating: UInt8(ascii: "x"), count: 100_000)
    let status = try await client.post(
      url("http://127.0.0.1:\(receiver.port)/a?b=c"), fields: [("Content-Type", "text/plain"), ("webhook-id", "m 1")],
      body: body)
    #expect(status == 202)
    let received = try #require(receiver.received.first)
    #expect(received.body == body)
    #expect(received.fields["webhook-id"] == "m 1")
    #expect(received.fields["user-agent"] == "hearth/test")
    #expect(received.fields["host"] == "127.0.0.1:\(receiver.port)")
    #expect(received.fields["expect"] == nil)
    await receiver.stop()
  }

  @Test func `no special address is connected to unless it is listed, however it is written`() async throws {
    let receiver = try Receiver()
    let client = try client(allowing: ["10.0.0.0/8"]) { _ in [NetworkAddress("127.0.0.1")].compactMap(\.self) }
    for host in ["127.0.0.1", "localhost", "hook.example", "[::1]", "[::ffff:127.0.0.1]"] {
      let failure = try await failure(client, "http://\(host):\(receiver.port)/")
      guard case .addressRefused = failure else {
        Issue.record("\(host): \(failure?.description ?? "it was sent")")
        continue
      }
    }
    #expect(receiver.received.isEmpty)
    await receiver.stop()
  }

  @Test func `a name is looked up once, and what was checked is connected to, whatever it answers the next time`()
    async throws
  {
    let allowed = try Receiver(host: "127.0.0.2")
    let inner = try Receiver(host: "127.0.0.1", port: allowed.port)
    let lookUps = Mutex(0)
    // The system knows localhost as 127.0.0.1: whoever asked again would be there.
    for host in ["hook.example", "localhost"] {
      lookUps.withLock { $0 = 0 }
      let client = try client(allowing: ["127.0.0.2"]) { _ in
        let count = lookUps.withLock { count in
          count += 1
          return count
        }
        return [NetworkAddress(count == 1 ? "127.0.0.2" : "127.0.0.1")].compactMap(\.self)
      }
      let place = "http://\(host):\(allowed.port)/"
      #expect(try await client.post(url(place), fields: [], body: []) == 204)
      #expect(lookUps.withLock { $0 } == 1)
      let inner = try #require(NetworkAddress("127.0.0.1"))
      #expect(try await failure(client, place) == .addressRefused(host: host, address: inner))
    }
    #expect(
      allowed.received.map { $0.fields["host"] } == ["hook.example:\(allowed.port)", "localhost:\(allowed.port)"])
    #expect(inner.received.isEmpty)
    await allowed.stop()
    await inner.stop()
  }

  @Test func `a name with one address that is refused is refused whole`() async throws {
    let receiver = try Receiver(host: "127.0.0.2")
    let client = try client(allowing: ["127.0.0.2"]) { _ in
      ["127.0.0.2", "169.254.169.254"].compactMap { NetworkAddress($0) }
    }
    let failure = try await failure(client, "http://hook.example:\(receiver.port)/")
    #expect(failure == .addressRefused(host: "hook.example", address: try #require(NetworkAddress("169.254.169.254"))))
    #expect(receiver.received.isEmpty)
    await receiver.stop()
  }

  @Test func `where one address refuses connections the next one is tried`() async throws {
    let receiver = try Receiver(host: "127.0.0.2")
    let client = try client(allowing: ["127.0.0.0/8"]) { _ in
      ["127.0.0.3", "127.0.0.2"].compactMap { NetworkAddress($0) }
    }
    #expect(try await client.post(url("http://hook.example:\(receiver.port)/"), fields: [], body: []) == 204)
    await receiver.stop()
  }

  @Test func `no redirect is followed`() async throws {
    let other = try Receiver()
    let receiver = try Receiver { [port = other.port] _ in
      Response(307, fields: [ResponseField("Location", "http://127.0.0.1:\(port)/")])
    }
    let client = try client(allowing: ["127.0.0.1"])
    #expect(try await client.post(url("http://127.0.0.1:\(receiver.port)/"), fields: [], body: []) == 307)
    #expect(other.received.isEmpty)
    await receiver.stop()
    await other.stop()
  }

  @Test func `no proxy of the environment is used`() async throws {
    let proxy = try Receiver()
    let receiver = try Receiver()
    unsafe setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
    defer { unsafe unsetenv("http_proxy") }
    let client = try client(allowing: ["127.0.0.1"])
    #expect(try await client.post(url("http://127.0.0.1:\(receiver.port)/"), fields: [], body: []) == 204)
    #expect(proxy.received.isEmpty)
    await receiver.stop()
    await proxy.stop()
  }

  @Test func `of a long answer the beginning is read, and its status counts`() async throws {
    let receiver = try Receiver { _ in Response(200, body: [UInt8](repeating: 1, count: 1_000_000)) }
    let client = try client(allowing: ["127.0.0.1"])
    #expect(try await client.post(url("http://127.0.0.1:\(receiver.port)/"), fields: [], body: []) == 200)
    await receiver.stop()
  }

  @Test func `who does not answer is given up in time`() async throws {
    // It takes connections, and nobody reads them.
    let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    let client = try client(allowing: ["127.0.0.1"], timeout: .milliseconds(300))
    guard case .noAnswer = try await failure(client, "http://127.0.0.1:\(sockets.port)/") else {
      Issue.record("it was answered")
      return
    }
    for descriptor in sockets.descriptors { close(descriptor) }
  }

  @Test func `a GET brings content and what tells it from others`() async throws {
    let body = String(repeating: "x", count: 200_000)
    let endpoint = try FakeEndpoint { request in
      request.hasPrefix("GET /plain ")
        ? .answer("404 Not Found", [], "no") : .json(body, ["eTag:  W/\"a b\" ", "Last-Modified: yesterday"])
    }
    let client = try client(allowing: ["127.0.0.1"])
    func get(_ path: String, bytesMax: Int = 200_000) async throws -> HTTPAnswer {
      try await client.get(
        url("http://127.0.0.1:\(endpoint.port)\(path)"), fields: [("Accept", "text/plain")], timeout: .seconds(5),
        bytesMax: bytesMax)
    }
    let answer = try await get("/a?b=c")
    #expect(answer.status == 200 && answer.body == Array(body.utf8))
    #expect(answer.entityTag == "W/\"a b\"" && answer.lastModified == "yesterday")
    let request = try #require(endpoint.requests.first)
    #expect(request.hasPrefix("GET /a?b=c HTTP/1.1\r\n") && request.contains("Accept: text/plain\r\n"), "\(request)")
    #expect(try await get("/plain") == HTTPAnswer(status: 404, body: Array("no".utf8)))
    await #expect(throws: HTTPClientFailure.tooLong(bytesMax: 199_999)) { _ = try await get("/", bytesMax: 199_999) }
    endpoint.stop()
  }

  @Test func `a validator that cannot be sent back is none`() async throws {
    let long = String(repeating: "x", count: 2_000)
    let endpoint = try FakeEndpoint { _ in .json("{}", ["ETag: \"\(long)\"", "Last-Modified: \u{e9}"]) }
    let client = try client(allowing: ["127.0.0.1"])
    let answer = try await client.get(
      url("http://127.0.0.1:\(endpoint.port)/"), fields: [], timeout: .seconds(5), bytesMax: 10)
    #expect(answer == HTTPAnswer(status: 200, body: Array("{}".utf8)))
    endpoint.stop()
  }

  @Test func `what is slow or cut off is no answer`() async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n"
    for deed: FakeEndpoint.Deed in [.drips(Array(head.utf8)), .sends(Array((head + "x").utf8)), .waits] {
      let endpoint = try FakeEndpoint { _ in deed }
      let client = try client(allowing: ["127.0.0.1"])
      await #expect(throws: HTTPClientFailure.self) {
        _ = try await client.get(
          try url("http://127.0.0.1:\(endpoint.port)/"), fields: [], timeout: .seconds(1), bytesMax: 1_000)
      }
      endpoint.stop()
    }
  }

  @Test func `addresses of one server have one origin`() throws {
    #expect(try url("https://Example.com/a").origin == url("https://example.com:443/b").origin)
    #expect(try url("https://example.com/").origin != url("http://example.com/").origin)
    #expect(try url("https://example.com/").origin != url("https://example.com:8443/").origin)
    #expect(try url("https://example.com/").origin != url("https://a.example.com/").origin)
  }

  @Test func `a name that nobody knows is named`() async throws {
    let client = try client { host in throw HTTPClientFailure.unknownHost(host) }
    #expect(try await failure(client, "https://nobody.example/") == .unknownHost("nobody.example"))
  }
}
