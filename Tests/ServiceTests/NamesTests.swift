import JSON
import Service
import Testing

/// Names and texts that Swift takes for equal, and everyone else does not, through a whole server.
@Suite struct NamesTests {
  private static let names = ["\u{E9}", "e\u{301}", "\u{C5}", "\u{212B}"]
  private static let kinds = Demo.tinyKinds.replacing(
    "date: {type: string, format: date-time}",
    with: names.map { "\"\($0)\": {type: integer}" }.joined(separator: "\n        "))
  private static let content = #"""
    {"items": [
      {"id": "a", "kind": "navigation", "content": {"title": "T", "\#u{E9}": 1, "e\#u{301}": 2}},
      {"id": "b", "kind": "navigation", "content": {"title": "T", "\#u{C5}": 3, "\#u{212B}": 4}}]}
    """#

  @Test func `a schema's properties are told apart, and both are served`() async throws {
    #expect(Self.kinds != Demo.tinyKinds)
    try await withServer(kinds: Self.kinds) { server in
      let put = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", Self.content)
      #expect(put.status == 200, "\(put.text)")
      let items = try await server.get("/v1/pages/home/sections/bottom").json["items"]?.array ?? []
      #expect(items.first?["content"]?["\u{E9}"] == 1)
      #expect(items.first?["content"]?["e\u{301}"] == 2)
      #expect(items.last?["content"]?["\u{C5}"] == 3)
      #expect(items.last?["content"]?["\u{212B}"] == 4)
      let wrong = try await server.admin(
        "PUT", "/pages/home/sections/bottom/content", Self.content.replacing(": 2}", with: ": \"x\"}"))
      #expect(wrong.status == 422)
      #expect(wrong.json["errors"]?.array?.compactMap { $0["pointer"] } == ["/items/0/content/e\u{301}"])
    }
  }

  @Test(arguments: ["application/json", "application/yaml"])
  func `an export that holds both is imported again as it was`(type: String) async throws {
    try await withServer(kinds: Self.kinds) { server in
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content).status == 200)
      let export = try await server.admin("GET", "/export", nil, ["Accept": type])
      #expect(export["Content-Type"] == type)
      let before = try await server.admin("GET", "/export").json
      let again = try await server.admin("POST", "/import", export.text, ["Content-Type": type])
      #expect(again.status == 200, "\(again.text)")
      #expect(again.json["unchanged"] == ["home"], "\(again.text)")
      #expect(try await server.admin("DELETE", "/pages/home", nil, ["If-Match": "*"]).status == 204)
      let anew = try await server.admin("POST", "/import", export.text, ["Content-Type": type])
      #expect(anew.status == 200, "\(anew.text)")
      #expect(try await server.admin("GET", "/export").json == before)
    }
  }

  @Test func `a text of U+FEFF survives an export as YAML and its import`() async throws {
    try await withServer { server in
      let content = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#u{FEFF}"}}]}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", content).status == 200)
      let export = try await server.admin("GET", "/export", nil, ["Accept": "application/yaml"])
      let again = try await server.admin("POST", "/import", export.text, ["Content-Type": "application/yaml"])
      #expect(again.json["unchanged"] == ["home"], "\(again.text)")
      let kept = try await server.admin("GET", "/pages/home/sections/bottom/content").json
      #expect(kept["items"]?.array?.first?["content"]?["title"] == "\u{FEFF}")
    }
  }

  @Test func `YAML that is no UTF-8, or has no JSON, is refused over HTTP by name`() async throws {
    try await withServer { server in
      for (body, says) in [
        (Array("hearth: 1\npages: {}\n# ".utf8) + [0xFF], "UTF-8"),
        (Array("hearth: .inf\n".utf8), ".inf"), (Array("hearth: !!binary aGk=\n".utf8), "!!binary"),
        (Array("hearth: 123456789012345678901234567890123456789\n".utf8), "38 significant digits"),
      ] {
        let reply = try await server.adminBytes("POST", "/import", body, ["Content-Type": "application/yaml"])
        #expect(reply.status == 400)
        #expect(reply.code == "invalid-yaml")
        #expect(reply.json["detail"]?.string?.contains(says) == true, "\(reply.text)")
      }
    }
  }
}
