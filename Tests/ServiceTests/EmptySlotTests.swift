import JSON
import Testing

/// A source that has nothing to show says so in one call, always (S1.5, S2.1).
@Suite struct EmptySlotTests {
  private static let kinds = Demo.tinyKinds.replacing(
    "hot: {kinds: [navigation]}", with: "hot: {kinds: [navigation], required: true}")
  private static let force = ["If-Match": "*"]
  private static let path = "/pages/home/sections/middle/content"
  private static let full = #"{"slots": {"hot": {"kind": "navigation", "content": {"title": "Hot"}}}}"#

  @Test(arguments: [#"{"slots": {}}"#, "{}", #"{"items": [], "slots": {}}"#])
  func `S1.5 a source with nothing for a required slot is taken, and the section hides until it has`(
    nothing: String
  ) async throws {
    try await withServer(kinds: Self.kinds) { server in
      #expect(try await server.get("/v1/home").sections == ["top", "middle"])
      let emptied = try await server.admin("PUT", Self.path + "?publish=true", nothing)
      #expect(emptied.status == 200, "\(emptied.text)")
      #expect(try await server.get("/v1/home").sections == ["top"])
      #expect(try await server.admin("PUT", Self.path + "?publish=true", Self.full).status == 200)
      #expect(try await server.get("/v1/home").sections == ["top", "middle"])
    }
  }

  @Test func `S2.1 an empty required slot in the draft is a warning, and no publish of the page fails for it`()
    async throws
  {
    try await withServer(kinds: Self.kinds) { server in
      let emptied = try await server.admin("PUT", Self.path, #"{"slots": {}}"#)
      #expect(emptied.status == 200, "\(emptied.text)")
      let problems = try await server.admin("GET", "/pages/home/problems").json["problems"]?.array ?? []
      let told = problems.filter { $0["section"] == "middle" }
      #expect(told.map { $0["code"] } == ["required-slot-empty"])
      #expect(told.map { $0["severity"] } == ["warning"])
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
      #expect(published.status == 200, "\(published.text)")
      #expect(try await server.get("/v1/home").sections == ["top"])
      let preview = try await server.admin("GET", "/pages/home/preview").json["hidden"]?.array ?? []
      #expect(preview.contains(["section": "middle", "reason": "requiredSlotEmpty"]))
    }
  }
}
