import HomePayload
import JSON
import Layout
import Service
import Storage
import Testing

/// Rows have what sections have (S2): one call moves an item, hides it, and puts it back with its content and in its place.
@Suite struct ItemTests {
  private static let document = Demo.tiny.replacing(
    "items: [{id: b, kind: navigation, content: {title: B}}]",
    with:
      "items: [\(["a1", "a2", "a3", "a4"].map { "{id: \($0), kind: navigation, content: {title: \($0)}}" }.joined(separator: ", "))]\n        slots: {hot: {kind: navigation, content: {title: Hot}}}"
  )
  private static let path = "/pages/home/sections/bottom"

  private static func draft(_ server: RunningServer) async throws -> [String] {
    try await server.admin("GET", path + "/content").json["items"]?.array?.compactMap { item in
      item["id"]?.string.map { item["hidden"] == true ? "(\($0))" : $0 }
    } ?? []
  }

  private static func live(_ server: RunningServer) async throws -> [String] {
    try await server.get("/v1/pages/home/sections/bottom").json["items"]?.array?.compactMap { $0["id"]?.string } ?? []
  }

  private static func edit(
    _ server: RunningServer, _ item: String, _ body: String = "{}", expecting status: Int = 200,
    _ fields: [String: String] = [:]
  ) async throws -> Reply {
    let reply = try await server.admin("POST", path + "/items/" + item, body, fields)
    #expect(reply.status == status, "\(item): \(reply.text)")
    return reply
  }

  @Test func `S2.2 S2.3 S2.4 an item moves, hides and comes back with its content, in the draft until it is published`()
    async throws
  {
    try await withServer([Self.document]) { server in
      let before = try await server.admin("GET", Self.path + "/items/a2")
      #expect(try await Self.edit(server, "a4/move", #"{"first": true}"#).json == ["index": 0, "hidden": false])
      #expect(try await Self.edit(server, "a4/move", #"{"after": "a2"}"#).json["index"] == 2)
      #expect(try await Self.edit(server, "a1/move", #"{"last": true}"#).json["index"] == 3)
      #expect(try await Self.edit(server, "a1/move", #"{"before": "a3"}"#).json["index"] == 2)
      #expect(try await Self.draft(server) == ["a2", "a4", "a1", "a3"])
      let hidden = try await Self.edit(server, "a2/hide")
      #expect(hidden.json == ["index": 0, "hidden": true])
      #expect(hidden["ETag"] != before["ETag"])
      #expect(try await Self.draft(server) == ["(a2)", "a4", "a1", "a3"])
      #expect(try await Self.live(server) == ["a1", "a2", "a3", "a4"])
      let dry = try await server.admin("POST", "/pages/home/publish?dryRun=true", "{}", ["If-Match": "*"]).json
      #expect(dry["summary"]?.array?.contains("hid item a2 in bottom") == true)
      let preview = try await server.admin("GET", "/pages/home/preview").json
      #expect(preview["hiddenItems"] == [["section": "bottom", "item": "a2", "reason": "hidden"]])
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      #expect(try await Self.live(server) == ["a4", "a1", "a3"])
      // In its place, or elsewhere, as it was.
      #expect(try await Self.edit(server, "a2/restore").json == ["index": 0, "hidden": false])
      let after = try await server.admin("GET", Self.path + "/items/a2")
      #expect(after.json == before.json && after["ETag"] == before["ETag"])
      _ = try await Self.edit(server, "a2/hide")
      #expect(try await Self.edit(server, "a2/restore", #"{"after": "a1"}"#).json["index"] == 2)
      #expect(try await Self.draft(server) == ["a4", "a1", "a2", "a3"])
      let audit = try await server.admin("GET", "/audit?action=item").json["entries"]?.array ?? []
      #expect(
        audit.compactMap { $0["action"]?.string }.reversed() == [
          "item.move", "item.move", "item.move", "item.move", "item.hide", "item.restore", "item.hide", "item.restore",
        ])
      #expect(audit.allSatisfy { $0["item"] != nil && $0["section"] == "bottom" })
    }
  }

  @Test func `a source does the same to what is live, and nothing else of the draft goes live with it`() async throws {
    try await withServer([Self.document]) { server in
      let token = try await server.store.createToken(
        name: "s", role: .source, scopes: ["home/bottom"], by: Actor(name: "test")
      ).text.text
      let own = ["Authorization": "Bearer \(token)"]
      _ = try await Self.edit(server, "a1/hide")
      let hidden = try await Self.edit(server, "a3/hide?publish=true", "{}", own)
      #expect(hidden["Hearth-Revision"] == "1.2")
      #expect(try await Self.live(server) == ["a1", "a2", "a4"])
      _ = try await Self.edit(server, "a4/move?publish=true", #"{"before": "a2"}"#, own)
      #expect(try await Self.live(server) == ["a1", "a4", "a2"])
      _ = try await Self.edit(server, "a3/restore?publish=true", #"{"first": true}"#, own)
      #expect(try await Self.live(server) == ["a3", "a1", "a4", "a2"])
      #expect(try await Self.draft(server) == ["a3", "(a1)", "a4", "a2"])
      // In a slot it hides, and has no other place.
      _ = try await Self.edit(server, "bottom.hot/hide?publish=true", "{}", own)
      #expect(try await server.get("/v1/pages/home/sections/bottom").json["slots"] == nil)
      _ = try await Self.edit(server, "bottom.hot/restore?publish=true", "{}", own)
      #expect(try await server.get("/v1/pages/home/sections/bottom").json["slots"]?["hot"] != nil)
      #expect(
        try await Self.edit(server, "bottom.hot/move", #"{"first": true}"#, expecting: 422, own).code == "invalid-order"
      )
    }
  }

  @Test func `what is published is answered as it is live, whatever the draft has`() async throws {
    try await withServer([Self.document]) { server in
      let item = #"{"kind": "navigation", "content": {"title": "New"}}"#
      func put(_ id: String, _ query: String = "") async throws -> Reply {
        try await server.admin("PUT", Self.path + "/items/\(id)\(query)", item)
      }
      // The draft alone has it: it cannot be shown, nor stand anywhere, and it stays as it is.
      #expect(try await put("new").status == 201)
      _ = try await Self.edit(server, "new/hide")
      for (edit, body) in [("restore", "{}"), ("restore", #"{"first": true}"#), ("move", #"{"first": true}"#)] {
        let refused = try await Self.edit(server, "new/\(edit)?publish=true", body, expecting: 409)
        #expect(refused.code == "not-published" && refused.text.contains("item new is not live yet"))
      }
      #expect(try await Self.draft(server) == ["a1", "a2", "a3", "a4", "(new)"])
      // That no client gets it, or that it is gone, is so.
      #expect(try await Self.edit(server, "new/hide?publish=true").json == ["hidden": true])
      #expect(try await Self.live(server) == ["a1", "a2", "a3", "a4"])
      // What is live has it alone: it becomes what is asked for, and has no tag of a draft's item.
      #expect(try await server.admin("DELETE", Self.path + "/items/a3").status == 204)
      let hidden = try await Self.edit(server, "a3/hide?publish=true")
      #expect(hidden.json == ["hidden": true, "index": 2] && hidden["ETag"] == nil)
      #expect(try await Self.live(server) == ["a1", "a2", "a4"])
      #expect(try await Self.edit(server, "a3/restore?publish=true").json == ["hidden": false, "index": 2])
      #expect(try await Self.live(server) == ["a1", "a2", "a3", "a4"])
      #expect(try await Self.edit(server, "a3/move?publish=true", #"{"first": true}"#).json["index"] == 0)
      #expect(try await Self.live(server) == ["a3", "a1", "a2", "a4"])
      #expect(try await Self.draft(server) == ["a1", "a2", "a4", "(new)"])
      // Both have it, hidden in one of them: a move and a put leave that so.
      _ = try await Self.edit(server, "a2/hide?publish=true")
      _ = try await Self.edit(server, "a2/restore")
      let moved = try await Self.edit(server, "a2/move?publish=true", #"{"first": true}"#)
      #expect(moved.json == ["hidden": true, "index": 0])
      let again = try await put("a2", "?publish=true")
      #expect(again.status == 200 && again.json["hidden"] == true, "\(again.text)")
      let draft = try await server.admin("GET", Self.path + "/items/a2")
      #expect(draft.json["hidden"] == nil && draft["ETag"] == again["ETag"])
      let content = #"{"items": [{"id": "a2", "kind": "navigation", "content": {"title": "New"}}]}"#
      let replaced = try await server.admin("PUT", Self.path + "/content?publish=true", content)
      #expect(replaced.json["items"]?.array?.first?["hidden"] == true, "\(replaced.text)")
      #expect(try await server.admin("GET", Self.path + "/content")["ETag"] == replaced["ETag"])
      #expect(try await Self.draft(server) == ["a2"])
      #expect(try await Self.live(server) == [])
    }
  }

  @Test func `what an operator hides stays hidden although its source goes on`() async throws {
    try await withServer([Self.document]) { server in
      _ = try await Self.edit(server, "a2/hide?publish=true")
      let item = #"{"kind": "navigation", "content": {"title": "New"}}"#
      let put = try await server.admin("PUT", Self.path + "/items/a2?publish=true", item)
      #expect(put.json["hidden"] == true && put["ETag"] != nil, "\(put.text)")
      #expect(try await server.admin("GET", Self.path + "/items/a2")["ETag"] == put["ETag"])
      #expect(try await Self.live(server) == ["a1", "a3", "a4"])
      let content =
        #"{"items": [{"id": "a2", "kind": "navigation", "content": {"title": "X"}}, {"id": "a9", "kind": "navigation", "content": {"title": "Y"}}]}"#
      let replaced = try await server.admin("PUT", Self.path + "/content?publish=true", content)
      #expect(replaced.status == 200, "\(replaced.text)")
      #expect(try await Self.live(server) == ["a9"])
      #expect(try await Self.draft(server) == ["(a2)", "a9"])
      let shown = item.replacing("{\"kind\"", with: "{\"hidden\": false, \"kind\"")
      #expect(try await server.admin("PUT", Self.path + "/items/a2?publish=true", shown).status == 200)
      #expect(try await Self.live(server) == ["a2", "a9"])
    }
  }

  @Test func `what an operator hides stays hidden although its source takes it away and brings it back`() async throws {
    try await withServer([Self.document]) { server in
      func row(_ id: String) -> String { #"{"id": "\#(id)", "kind": "navigation", "content": {"title": "\#(id)"}}"# }
      func replace(_ ids: [String], _ query: String = "?publish=true") async throws {
        let body = "{\"items\": [\(ids.map(row).joined(separator: ", "))]}"
        let reply = try await server.admin("PUT", Self.path + "/content" + query, body)
        #expect(reply.status == 200, "\(reply.text)")
      }
      func put(_ id: String) async throws {
        #expect(try await server.admin("PUT", Self.path + "/items/\(id)?publish=true", row(id)).status == 201)
      }
      _ = try await Self.edit(server, "a2/hide?publish=true")
      // A whole content at a time, or an item.
      try await replace(["a1", "a3"])
      try await replace(["a1", "a2", "a3"])
      #expect(try await Self.live(server) == ["a1", "a3"])
      #expect(try await Self.draft(server) == ["a1", "(a2)", "a3"])
      #expect(try await server.admin("DELETE", Self.path + "/items/a2?publish=true").status == 204)
      try await put("a2")
      #expect(try await Self.live(server) == ["a1", "a3"])
      #expect(try await Self.draft(server) == ["a1", "(a2)", "a3"])
      // With so many others that nobody wants to know where they stood.
      let many = (1...60).map { "m\($0)" }
      try await replace(many + ["a2"])
      try await replace([])
      try await replace(["a2"] + many)
      #expect(try await Self.live(server) == many)
      // Whoever shows it again is heard, however it goes and comes after that.
      _ = try await Self.edit(server, "a2/restore?publish=true")
      try await replace([])
      try await replace(["a2"])
      #expect(try await Self.live(server) == ["a2"])
      // In a slot, too.
      let slot = #"{"items": [], "slots": {"hot": {"kind": "navigation", "content": {"title": "Hot"}}}}"#
      #expect(try await server.admin("PUT", Self.path + "/content?publish=true", slot).status == 200)
      _ = try await Self.edit(server, "bottom.hot/hide?publish=true")
      try await replace(["a1"])
      #expect(try await server.admin("PUT", Self.path + "/content?publish=true", slot).status == 200)
      #expect(try await server.get("/v1/pages/home/sections/bottom").json["slots"] == nil)
    }
  }

  @Test func `an item that goes and comes back stands where it stood`() async throws {
    try await withServer([Self.document]) { server in
      func put(_ id: String) async throws {
        let item = #"{"kind": "navigation", "content": {"title": "\#(id)"}}"#
        let reply = try await server.admin("PUT", Self.path + "/items/\(id)?publish=true", item)
        #expect([200, 201].contains(reply.status), "\(reply.text)")
      }
      func remove(_ id: String) async throws {
        #expect(try await server.admin("DELETE", Self.path + "/items/\(id)?publish=true").status == 204)
      }
      for gone in [
        ["a1"], ["a2"], ["a4"], ["a2", "a3"], ["a3", "a2"], ["a1", "a2", "a3"], ["a1", "a2", "a3", "a4"],
      ] {
        for id in gone { try await remove(id) }
        for id in gone.reversed() { try await put(id) }
        #expect(try await Self.live(server) == ["a1", "a2", "a3", "a4"], "\(gone)")
        for id in gone { try await remove(id) }
        for id in gone { try await put(id) }
        #expect(try await Self.live(server) == ["a1", "a2", "a3", "a4"], "\(gone)")
        #expect(try await Self.draft(server) == ["a1", "a2", "a3", "a4"], "\(gone)")
      }
      // A whole content without it counts as well; what is new comes last.
      let content =
        #"{"items": [{"id": "a1", "kind": "navigation", "content": {"title": "X"}}, {"id": "a3", "kind": "navigation", "content": {"title": "Y"}}]}"#
      #expect(try await server.admin("PUT", Self.path + "/content?publish=true", content).status == 200)
      for id in ["a9", "a2"] { try await put(id) }
      #expect(try await Self.live(server) == ["a1", "a2", "a3", "a9"])
    }
  }

  @Test func `what is wrong with a move is told`() async throws {
    try await withServer([Self.document]) { server in
      for (item, body, status, code) in [
        ("nobody/hide", "{}", 404, "unknown-item"), ("nobody/move", #"{"first": true}"#, 404, "unknown-item"),
        ("a1/move", #"{"after": "nobody"}"#, 422, "invalid-order"),
        ("a1/move", #"{"after": "a1"}"#, 422, "invalid-order"),
        ("a1/move", "{}", 422, "invalid-content"),
        ("a1/move", #"{"first": true, "rule": "default"}"#, 422, "invalid-content"),
        ("a1/restore", #"{"first": false}"#, 422, "invalid-content"),
      ] {
        #expect(try await Self.edit(server, item, body, expecting: status).code == code, "\(item) \(body)")
      }
      let tag = try #require(try await server.admin("GET", Self.path + "/items/a1")["ETag"])
      _ = try await Self.edit(server, "a1/hide", "{}", expecting: 412, ["If-Match": "\"other\""])
      _ = try await Self.edit(server, "a1/hide", "{}", ["If-Match": tag])
      _ = try await Self.edit(server, "a1/restore", "{}", expecting: 412, ["If-Match": tag])
    }
  }

  @Test func `a hidden item of much content, which is packed, stays hidden over a restart`() async throws {
    let items = (0..<40).map { "{id: i\($0), kind: navigation, content: {title: T}}" }.joined(separator: ", ")
    let document = Demo.tiny.replacing(
      "items: [{id: b, kind: navigation, content: {title: B}}]", with: "items: [\(items)]")
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer([document], folder: folder) { $0.snapshotFile = folder + "/snapshot" }
    _ = try await Self.edit(server, "i7/hide?publish=true")
    #expect(try await Self.live(server).count == 39)
    let before = try await server.get("/v1/home")
    try await server.stop(keepsFolder: true)
    let again = try await RunningServer([], folder: folder) { $0.snapshotFile = folder + "/snapshot" }
    #expect(try await again.get("/v1/home").body == before.body)
    #expect(try await Self.draft(again)[7] == "(i7)")
    _ = try await Self.edit(again, "i7/restore?publish=true")
    #expect(try await Self.live(again).count == 40)
    try await again.stop()
  }
}
