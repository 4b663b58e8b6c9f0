import HomePayload
import JSON
import Service
import Testing

/// What items offer beside their taps goes through the admin API to clients, and comes back.
@Suite struct ItemActionsServiceTests {
  private static let path = "/pages/home/sections/bottom/items/b"
  private static let item = """
    {"id": "b", "kind": "navigation", "content": {"title": "B"}, "action": {"url": "app://b"}, "actions": [
      {"title": {"zh-Hans": "删除", "en": "Delete"}, "action": {"handler": "delete"}, "role": "destructive"},
      {"title": "Pin", "action": {"url": "app://pin"}, "edge": "leading"}]}
    """

  private static func offered(_ server: RunningServer, _ locale: String) async throws -> JSON? {
    let section = try await server.get("/v1/pages/home/sections/bottom?locale=\(locale)").json
    return section["items"]?.array?.first?["actions"]
  }

  @Test func `an item's actions are put, published, changed, exported and imported again`() async throws {
    try await withServer([Demo.tiny]) { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home?locale=en").body))
      #expect(try await server.admin("PUT", Self.path + "?publish=true", Self.item).status == 200)
      let pin: JSON = ["title": "Pin", "action": ["url": "app://pin"], "edge": "leading"]
      func delete(_ title: JSON) -> JSON {
        ["title": title, "action": ["handler": "delete"], "role": "destructive"]
      }
      #expect(try await Self.offered(server, "en") == [delete("Delete"), pin])
      #expect(try await Self.offered(server, "zh-Hans") == [delete("删除"), pin])
      #expect(try await server.admin("GET", Self.path).json["actions"]?.array?.count == 2)
      let fields = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      let changed = try await server.get("/v1/home?locale=en", fields)
      let whole = try await server.get("/v1/home?locale=en")
      if changed.status == 226 {
        let changes = try ChangeSet(bytes: Array(changed.body))
        #expect(try old.applying(changes).canonicalBytes == Array(whole.body))
      }
      let exported = try await server.admin("GET", "/export")
      #expect(exported.text.contains("destructive"))
      let imported = try await server.admin("POST", "/import", exported.text, ["Idempotency-Key": "again"])
      #expect(imported.status == 200, "\(imported.text)")
      #expect(try await server.admin("GET", "/export").text == exported.text)
    }
  }

  @Test func `what is wrong with one is told with its place`() async throws {
    try await withServer([Demo.tiny]) { server in
      let untitled = Self.item.replacing(#""title": "Pin", "#, with: "")
      let refused = try await server.admin("PUT", Self.path, untitled)
      #expect(refused.status == 422)
      #expect(refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/actions/1/title"])
    }
  }
}
