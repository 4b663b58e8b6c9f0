import JSON
import Service
import Testing

/// Audiences at the limits hold up neither a preview nor a publish, nor any other change.
@Suite struct AudienceLimitTests {
  private static let force = ["If-Match": "*"]

  /// A home whose one section is for the last of so many audiences, each of which names the one before it ten times.
  private static func document(_ count: Int) -> String {
    let audiences = (0..<count).map { level in
      let before = [String](repeating: "\"a\(level - 1)\"", count: 10).joined(separator: ",")
      return "\"a\(level)\":" + (level == 0 ? #"{"attribute":"bucket","below":50}"# : "{\"any\":[\(before)]}")
    }
    return #"""
      {"hearth": 1, "audiences": {\#(audiences.joined(separator: ","))}, "pages": {"home": {"defaultLocale": "en",
        "sections": [{"id": "top", "kind": "broadcast", "audience": "a\#(count - 1)",
          "items": [{"id": "a", "kind": "navigation", "content": {"title": "A"}}]}]}}}
      """#
  }

  @Test(.timeLimit(.minutes(10)), arguments: [19, 1_000])
  func `a page for the deepest of them is previewed, judged, published and polled`(count: Int) async throws {
    try await withServer { server in
      #expect(try await server.admin("POST", "/import?delete=true", Self.document(count)).status == 200)
      let preview = try await server.admin("GET", "/pages/home/preview?bucket=7")
      #expect(preview.sections == ["top"])
      #expect(try await server.admin("GET", "/pages/home/preview?bucket=70").sections == [])
      #expect(try await server.admin("GET", "/pages/home/problems").json["problems"] == [])
      let uses = try await server.admin("GET", "/audiences/a0/uses")
      #expect(uses.json["uses"] == ["audiences/a1"])
      #expect(try await server.admin("DELETE", "/audiences/a0", nil, Self.force).code == "in-use")
      let top = "/audiences/a\(count - 1)"
      #expect(try await server.admin("PUT", top, #"{"any": ["a0", "a1", "a2"]}"#, Self.force).status == 200)
      #expect(try await server.admin("PUT", "/audiences/a0", "\"a\(count - 1)\"", Self.force).status == 422)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      #expect(try await server.get("/v1/home?bucket=7").sections == ["top"])
      #expect(try await server.get("/v1/home?bucket=70").sections == [])
    }
  }
}
