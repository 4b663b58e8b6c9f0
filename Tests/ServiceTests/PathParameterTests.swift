import JSON
import Service
import Testing

/// Whatever stands in a path or a query is held to its grammar before anything looks at it.
@Suite struct PathParameterTests {
  private static let force = ["If-Match": "*"]

  /// Paths whose one variable segment is a name, with a method that each takes.
  private static let named = [
    ("GET", "/pages/%"), ("PUT", "/pages/%"), ("DELETE", "/pages/%"), ("GET", "/pages/%/draft"),
    ("POST", "/pages/%/publish"), ("POST", "/pages/%/rollback"), ("POST", "/pages/%/scheduled"),
    ("GET", "/pages/%/preview"), ("GET", "/pages/%/sections/top"), ("PUT", "/pages/%/sections/top"),
    ("GET", "/pages/home/sections/%"), ("PUT", "/pages/home/sections/%"), ("DELETE", "/pages/home/sections/%"),
    ("POST", "/pages/home/sections/%/hide"), ("POST", "/pages/home/sections/%/move"),
    ("PUT", "/pages/home/sections/%/content"), ("PUT", "/pages/home/sections/top/items/%"),
    ("DELETE", "/pages/home/sections/top/items/%"), ("GET", "/pages/home/sort-rules/%"),
    ("PUT", "/pages/home/sort-rules/%"), ("DELETE", "/pages/home/sort-rules/%"), ("GET", "/audiences/%"),
    ("PUT", "/audiences/%"), ("DELETE", "/audiences/%"), ("GET", "/audiences/%/uses"),
    ("PUT", "/withheld/items/%"), ("DELETE", "/withheld/sections/%"),
  ]

  @Test(arguments: named)
  func `what cannot be a name is a 422, and nothing is changed`(method: String, path: String) async throws {
    try await withServer { server in
      let before = try await server.admin("GET", "/export").text
      for name in ["home%00", "top%00", "scan%00", "default%00", "%00", "a%20b", "%C3%A9", "%FF", "a%2Fb", "a%0Ab"] {
        let reply = try await server.admin(
          method, path.replacing("%", with: name), method == "GET" || method == "DELETE" ? nil : "{}", Self.force)
        #expect(reply.status == 422, "\(name): \(reply.text)")
        #expect(reply.code == "invalid-name", "\(name)")
      }
      #expect(try await server.admin("GET", "/export").text == before)
      #expect(try await server.get("/v1/pages/home").status == 200)
      #expect(try await server.get("/v1/pages").json["pages"]?.array?.count == 1)
    }
  }

  @Test(arguments: ["1%00", "%00", "01", "+1", "-1", "1.0", "0", "99999999999999999999", "1e3", "%D9%A1"])
  func `what cannot be a number is not there`(number: String) async throws {
    try await withServer { server in
      for (method, path, code) in [
        ("GET", "/pages/home/revisions/\(number)", "unknown-revision"),
        ("PUT", "/pages/home/revisions/\(number)/pin", "unknown-revision"),
        ("DELETE", "/pages/home/scheduled/\(number)", "unknown-scheduled-publish"),
      ] {
        let reply = try await server.admin(method, path)
        #expect(reply.status == 404, "\(reply.text)")
        #expect(reply.code == code)
      }
    }
  }

  @Test func `a token cannot name itself as another one`() async throws {
    try await withServer { server in
      let own = try #require(try await server.admin("GET", "/whoami").json["selector"]?.string)
      for selector in [own + "%00", own + "%20", own + ".", "%00" + own] {
        let reply = try await server.admin("DELETE", "/tokens/\(selector)")
        #expect(reply.status == 404, "\(reply.text)")
        #expect(try await server.admin("POST", "/tokens/\(selector)/rotate", "{}").status == 404)
      }
      #expect(try await server.admin("DELETE", "/tokens/\(own)").code == "own-token")
      #expect(try await server.admin("GET", "/whoami").status == 200)
      #expect(try await server.admin("GET", "/tokens").json["tokens"]?.array?.count == 1)
    }
  }

  @Test(arguments: ["?actor=a%00b", "?action=%00", "?a%00=1", "?page=home%00", "?actor=%FF"])
  func `a query is text without NUL`(query: String) async throws {
    try await withServer { server in
      let reply = try await server.admin("GET", "/audit" + query)
      #expect(reply.status == 400, "\(reply.text)")
    }
  }

  @Test func `a client attribute with a NUL is none`() async throws {
    try await withServer { server in
      let reply = try await server.get("/v1/home?platform=ios%00")
      #expect(reply.code == "malformed-attribute")
    }
  }

  @Test(arguments: ["home%00", "%00", "h%C3%A9", "a%20b", "%FF"])
  func `nothing is served where no page or section can be`(name: String) async throws {
    try await withServer { server in
      for path in ["/v1/pages/\(name)", "/v1/pages/\(name)/sort-rule", "/v1/pages/home/sections/\(name)"] {
        let reply = try await server.get(path)
        #expect(reply.status == 404, "\(path)")
      }
    }
  }
}
