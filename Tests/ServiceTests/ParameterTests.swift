import JSON
import Testing

/// What stands in the query of an admin request is understood or refused, never ignored.
@Suite struct ParameterTests {
  private static let force = ["If-Match": "*"]

  @Test(arguments: [
    ("GET", "/whoami", "verbose"), ("GET", "/pages", "page"), ("GET", "/pages/home/draft", "publish"),
    ("GET", "/pages/home/revisions", "kinds"), ("GET", "/pages/home/problems", "at"),
    ("GET", "/pages/home/timeline", "locale"), ("GET", "/pages/home/preview", "colour"),
    ("GET", "/pages/home/changes", "colour"), ("GET", "/audit", "until"), ("GET", "/export", "format"),
    ("GET", "/kinds", ""), ("GET", "/tokens", "limit"), ("GET", "/pages/home/scheduled", "limit"),
    ("PUT", "/pages/home/sections/bottom/content", "Publish"), ("POST", "/pages/home/publish", "dryrun"),
    ("POST", "/pages/home/rollback", "dryrun"), ("POST", "/import", "deletes"), ("GET", "/openapi.json", "v"),
  ])
  func `an unknown query parameter is refused by its name`(method: String, path: String, name: String) async throws {
    try await withServer { server in
      let before = try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"]
      let body = method == "GET" ? nil : "{}"
      let reply = try await server.admin(method, "\(path)?\(name)=true", body, Self.force)
      #expect(reply.status == 400, "\(reply.text)")
      #expect(reply.code == "unknown-parameter")
      #expect(reply["Content-Type"] == "application/problem+json")
      #expect(reply.json["detail"]?.string?.contains("'\(name)'") == true, "\(reply.text)")
      #expect(try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"] == before)
    }
  }

  @Test(arguments: [
    ("PUT", "/pages/home/sections/bottom/content?publish=true&publish=false", "publish"),
    ("PUT", "/pages/home/sections/bottom/content?publish=true&publish=true", "publish"),
    ("POST", "/pages/home/publish?dryRun=true&dryRun=false", "dryRun"),
    ("POST", "/import?dryRun=true&delete=true&dryRun=false", "dryRun"), ("GET", "/audit?limit=1&limi%74=2", "limit"),
    ("GET", "/pages/home/preview?locale=en&platform=ios&locale=zh", "locale"),
    ("GET", "/pages/home/revisions?kind=publish&kind=", "kind"),
  ])
  func `a query parameter that is there twice is refused by its name`(
    method: String, path: String, name: String
  ) async throws {
    try await withServer { server in
      let before = try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"]
      let reply = try await server.admin(method, path, method == "GET" ? nil : #"{"items": []}"#, Self.force)
      #expect(reply.status == 400, "\(reply.text)")
      #expect(reply.code == "repeated-parameter")
      #expect(reply.json["detail"]?.string?.contains("'\(name)'") == true, "\(reply.text)")
      #expect(try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"] == before)
    }
  }

  @Test func `the refusal names the parameters that there are`() async throws {
    try await withServer { server in
      let list = try await server.admin("GET", "/pages/home/revisions?since=1")
      #expect(list.json["detail"]?.string?.contains("cursor, kind, limit") == true, "\(list.text)")
      let none = try await server.admin("GET", "/whoami?a=1")
      #expect(none.json["detail"]?.string?.contains("it takes none") == true, "\(none.text)")
      let preview = try await server.admin("GET", "/pages/home/preview?memberTier=1&colour=1")
      #expect(preview.json["detail"]?.string?.contains("memberTier") == true, "\(preview.text)")
    }
  }

  @Test func `who may not do it hears that first`() async throws {
    try await withServer { server in
      let reply = try await server.admin("GET", "/pages?a=1", nil, ["Authorization": ""])
      #expect(reply.status == 401)
    }
  }

  @Test func `revisions are listed by how they came to be`() async throws {
    try await withServer { server in
      for title in ["1", "2", "3"] {
        let content = #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
        let put = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", content)
        #expect(put.status == 200, "\(put.text)")
      }
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      let back = #"{"revision": 1}"#
      #expect(try await server.admin("POST", "/pages/home/rollback", back, Self.force).status == 200)
      func numbers(_ query: String) async throws -> [Int] {
        let reply = try await server.admin("GET", "/pages/home/revisions" + query)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json["revisions"]?.array?.compactMap { $0["revision"]?.int } ?? []
      }
      #expect(try await numbers("") == [6, 5, 4, 3, 2, 1])
      #expect(try await numbers("?kind=publish") == [5, 1])
      #expect(try await numbers("?kind=content") == [4, 3, 2])
      #expect(try await numbers("?kind=publish,rollback") == [6, 5, 1])
      #expect(try await numbers("?kind=scheduled") == [])
      let first = try await server.admin("GET", "/pages/home/revisions?kind=content&limit=2").json
      let next = try #require(first["next"]?.string)
      #expect(try await numbers("?kind=content&limit=2&cursor=\(next)") == [2])
    }
  }

  @Test(arguments: ["", "publishes", "publish,", "Publish", "publish,nothing"])
  func `a kind of revisions that there is none of is refused`(kind: String) async throws {
    try await withServer { server in
      let reply = try await server.admin("GET", "/pages/home/revisions?kind=\(kind)")
      #expect(reply.status == 400, "\(reply.text)")
      #expect(reply.code == "malformed-parameter")
      #expect(reply.json["detail"]?.string?.contains("rollback") == true, "\(reply.text)")
    }
  }
}
