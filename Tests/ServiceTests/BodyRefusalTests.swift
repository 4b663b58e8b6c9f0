import Service
import Testing

/// A body that will not be read is refused for its path or method first: its size does not matter there.
@Suite struct BodyRefusalTests {
  private static let framings = ["Content-Length: 99999999", "Transfer-Encoding: chunked", "Content-Length: 1"]

  private static func ask(_ method: String, _ path: String, _ framing: String, _ port: UInt16) throws -> (Int, String) {
    let body = framing.hasPrefix("Transfer") ? "5f5e0ff\r\nx" : "x"
    let head = "\(method) \(path) HTTP/1.1\r\nHost: localhost\r\n\(framing)\r\nConnection: close\r\n\r\n"
    return try exchange(head + body, port: port)
  }

  @Test(arguments: framings)
  func `polls with a body get a 404 or 405 where there is nothing to poll, else a 413`(framing: String) async throws {
    try await withServer { server in
      for (method, path, status, code) in [
        ("POST", "/v1/home", 405, "method-not-allowed"), ("DELETE", "/v1/pages", 405, "method-not-allowed"),
        ("PUT", "/healthz", 405, "method-not-allowed"), ("POST", "/nowhere", 404, "not-found"),
        ("GET", "/nowhere", 404, "not-found"), ("GET", "/v1/pages/nowhere", 404, "unknown-page"),
        ("GET", "/v1/home", 413, "body-too-large"), ("OPTIONS", "/v1/home", 413, "body-too-large"),
      ] {
        let (answer, text) = try Self.ask(method, path, framing, server.server.publicPort)
        #expect(answer == status, "\(method) \(path): \(text)")
        #expect(text.contains("\"\(code)\""), "\(method) \(path): \(text)")
        #expect(text.contains("Allow: GET, HEAD, OPTIONS") == (status == 405))
      }
    }
  }

  @Test(arguments: framings.dropLast())
  func `so do admin requests whose body is too large`(framing: String) async throws {
    try await withServer { server in
      for (method, path, status, code) in [
        ("POST", "/admin/v1/pages/home", 405, "method-not-allowed"), ("PUT", "/admin/v1/nowhere", 404, "not-found"),
        ("PUT", "/admin/v1/openapi.json", 405, "method-not-allowed"), ("POST", "/status", 405, "method-not-allowed"),
        ("POST", "/console/", 405, "method-not-allowed"), ("POST", "/nowhere", 404, "not-found"),
        ("PUT", "/admin/v1/pages/p%00", 422, "invalid-name"), ("PUT", "/admin/v1/pages/home", 413, "body-too-large"),
        ("GET", "/status", 413, "body-too-large"),
      ] {
        let (answer, text) = try Self.ask(method, path, framing, server.server.adminPort)
        #expect(answer == status, "\(method) \(path): \(text)")
        #expect(text.contains("\"\(code)\""), "\(method) \(path): \(text)")
      }
    }
  }

  @Test func `a body that is held back is not asked for where nobody takes it (RFC 9110 §10.1.1)`() async throws {
    try await withServer { server in
      for (target, host, status) in [
        ("POST /admin/v1/nowhere", "localhost", 404), ("POST /admin/v1/pages", "localhost", 405),
        ("POST /admin/v1/import", "attacker.example", 421), ("PUT /admin/v1/pages/p%00", "localhost", 422),
      ] {
        let fields = "Host: \(host)\r\nExpect: 100-continue\r\nContent-Length: 2\r\nConnection: close"
        let (answer, text) = try exchange("\(target) HTTP/1.1\r\n\(fields)\r\n\r\n", port: server.server.adminPort)
        #expect(answer == status, "\(target): \(text)")
      }
    }
  }

  @Test func `a body with a coding, too, is looked at after its path`() async throws {
    try await withServer { server in
      let request = "POST /nowhere HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: br\r\nContent-Length: 1\r\n\r\nx"
      let reply = try exchange(request, port: server.server.adminPort)
      #expect(reply.status == 404)
    }
  }
}
