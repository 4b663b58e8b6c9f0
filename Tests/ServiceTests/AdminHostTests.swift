import HTTPServer
import Service
import Testing

@testable import Service

/// The admin listener answers the hosts that it is meant for, whatever a name leads to.
@Suite struct AdminHostTests {
  private static let own = AdminHosts(
    ["Admin.Example.com", "10.1.2.3", "2001:DB8::7"], listening: [PeerAddress(host: "192.0.2.1")].compactMap(\.self))

  @Test(arguments: [
    "localhost", "localhost:8081", "LOCALHOST:1", "localhost.", "console.localhost:8081", "127.0.0.1", "127.0.0.1:9",
    "127.9.9.9", "127.0.0.1.", "[::1]", "[::1]:8081", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]:8081", "192.0.2.1",
    "192.0.2.1:8081", "[::ffff:192.0.2.1]", "admin.example.com", "ADMIN.example.com.:443", "10.1.2.3:8081",
    "[2001:db8:0:0:0:0:0:7]:1",
  ])
  func `loopback, its own address and those that are set are hosts of the listener`(authority: String) {
    #expect(Self.own.contains(authority))
  }

  @Test(arguments: [
    "evil.example", "evil.example:8081", "localhost.evil.example", "notlocalhost", "127.0.0.1.evil.example", "127.1",
    "0x7f000001", "2130706433", "0.0.0.0", "192.0.2.2", "[::2]", "[2001:db8::8]", "example.com", "x.admin.example.com",
    "admin.example.com.evil.example", "loc%61lhost", "localhost..", "", ".", "[", "[]", ":8081",
  ])
  func `every other host is not`(authority: String) { #expect(!Self.own.contains(authority)) }

  @Test func `a listener on every address takes any address, and no name`() throws {
    for any in ["0.0.0.0", "::"] {
      let hosts = try AdminHosts(
        [], listening: [#require(PeerAddress(host: any)), #require(PeerAddress(host: "192.0.2.1"))])
      for host in ["192.0.2.2:8081", "[2001:db8::8]", "localhost", any.contains(":") ? "[::]" : any] {
        #expect(hosts.contains(host), "\(host)")
      }
      for host in ["evil.example", "evil.example:8081"] { #expect(!hosts.contains(host), "\(host)") }
    }
  }

  @Test func `a host that is set is a name or an address without a port`() {
    for text in ["admin.example.com", "10.1.2.3", "::1", "[2001:db8::1]", "a_b"] { #expect(AdminSettings.isHost(text)) }
    for text in ["", "a b", "admin.example.com:443", "http://a", "*.example.com", "a/b", "a\0b", "127.0.0.1:1"] {
      #expect(!AdminSettings.isHost(text), "\(text)")
    }
  }

  @Test func `a foreign host is a 421 everywhere on the admin listener, before anything is answered`() async throws {
    try await withServer(settings: { $0.admin.hosts = ["admin.example.com"] }) { server in
      let port = server.server.adminPort
      func ask(_ target: String, _ host: String, version: String = "1.1") throws -> (status: Int, text: String) {
        let method = target == "*" ? "OPTIONS" : "GET"
        let field = host.isEmpty ? "" : "Host: \(host)\r\n"
        return try exchange("\(method) \(target) HTTP/\(version)\r\n\(field)Connection: close\r\n\r\n", port: port)
      }
      for target in [
        "/status", "/metrics", "/healthz", "/console/", "/", "/admin/v1/openapi.json", "/admin/v1/whoami", "*",
      ] {
        let refused = try ask(target, "rebound.example:\(port)")
        #expect(refused.status == 421, "\(target)")
        #expect(refused.text.contains("misdirected-request"))
        #expect(try ask(target, "127.0.0.1:\(port)").status != 421, "\(target)")
        #expect(try ask(target, "admin.example.com").status != 421, "\(target)")
      }
      // RFC 9112 §3.2.2: an absolute target outweighs Host.
      #expect(try ask("http://rebound.example/status", "localhost").status == 421)
      #expect(try ask("http://localhost/status", "rebound.example").status == 200)
      // A request of HTTP/1.0 may have no host; no browser makes one.
      #expect(try ask("/healthz", "", version: "1.0").status == 200)
      #expect(try ask("/status", "rebound.example", version: "1.0").status == 421)
      // The public listener is asked by any name.
      let poll = "GET /v1/home HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
      #expect(try exchange(poll, port: server.server.publicPort).status == 200)
    }
  }
}
