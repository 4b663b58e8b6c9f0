import Foundation
import JSON
import Testing

@Suite struct PublishTests {
  private static let force = ["If-Match": "*"]

  @Test func `S2.1 a moved section is first on the poll after the publish`() async throws {
    try await withServer { server in
      let moved = try await server.admin("POST", "/pages/home/sections/bottom/move", #"{"first": true}"#, Self.force)
      #expect(moved.status == 200, "\(moved.text)")
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
      #expect(published.status == 200, "\(published.text)")
      #expect(published.json["revision"]?.int == 2)
      #expect(try await server.get("/v1/home").sections == ["bottom", "top", "middle"])
    }
  }

  @Test func `S2.3 S2.4 a hidden section goes and comes back below another with its content as it was`() async throws {
    try await withServer { server in
      let before = try await server.get("/v1/pages/home/sections/top").json["items"]
      #expect(try await server.admin("POST", "/pages/home/sections/top/hide", "{}", Self.force).status == 204)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections == ["middle", "bottom"])
      let restored = try await server.admin(
        "POST", "/pages/home/sections/top/restore", #"{"after": "middle"}"#, Self.force)
      #expect(restored.status == 200, "\(restored.text)")
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections == ["middle", "top", "bottom"])
      #expect(try await server.get("/v1/pages/home/sections/top").json["items"] == before)
    }
  }

  @Test func `the second of two operators learns who was first, and nothing is lost`() async throws {
    try await withServer { server in
      let read = try await server.admin("GET", "/pages/home/sections/top")
      let tag = try #require(read["ETag"])
      let section = #"{"kind": "grid", "title": "TITLE"}"#
      let first = try await server.admin(
        "PUT", "/pages/home/sections/top", section.replacingOccurrences(of: "TITLE", with: "mine"), ["If-Match": tag])
      #expect(first.status == 200, "\(first.text)")
      let second = try await server.admin(
        "PUT", "/pages/home/sections/top", section.replacingOccurrences(of: "TITLE", with: "yours"), ["If-Match": tag])
      #expect(second.status == 412)
      #expect(second["ETag"] == first["ETag"])
      #expect(second.json["changedBy"]?.string == "tester")
      #expect(second.json["changedAt"]?.string?.isEmpty == false)
      #expect(try await server.admin("GET", "/pages/home/sections/top").json["title"]?.string == "mine")
      #expect(try await server.admin("PUT", "/pages/home/sections/top", section).status == 428)
    }
  }

  private func dryRun(_ server: RunningServer, _ body: String = "{}") async throws -> String {
    let look = try await server.admin("POST", "/pages/home/publish?dryRun=true", body, Self.force)
    #expect(look.status == 200, "\(look.text)")
    return try #require(look["ETag"])
  }

  private func fill(_ server: RunningServer, _ section: String, _ id: String, publish: Bool) async throws {
    let filled = try await server.admin(
      "PUT", "/pages/home/sections/\(section)/items/\(id)\(publish ? "?publish=true" : "")",
      #"{"kind": "navigation", "content": {"title": "Pushed"}}"#)
    #expect(filled.status == 201, "\(filled.text)")
  }

  @Test func `S1.9 the tag of a dry run outlives what sources publish and what it does not carry`()
    async throws
  {
    try await withServer { server in
      let hidden = try await server.admin("POST", "/pages/home/sections/bottom/hide", "{}", Self.force)
      #expect(hidden.status == 204)
      let whole = try await dryRun(server)
      try await fill(server, "middle", "pushed", publish: true)
      #expect(try await dryRun(server) == whole)
      let some = try await dryRun(server, #"{"sections": ["bottom"]}"#)
      try await fill(server, "middle", "filled", publish: false)
      let stale = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": whole])
      #expect(stale.status == 412, "the whole draft carries what was filled: \(stale.text)")
      let published = try await server.admin(
        "POST", "/pages/home/publish", #"{"sections": ["bottom"]}"#, ["If-Match": some])
      #expect(published.status == 200, "\(published.text)")
      #expect(try await server.get("/v1/home").sections == ["top", "middle"])
    }
  }

  @Test func `the tag of a dry run does not publish what somebody changed since`() async throws {
    try await withServer { server in
      let move = #"{"first": true}"#
      #expect(try await server.admin("POST", "/pages/home/sections/bottom/move", move, Self.force).status == 200)
      let tag = try await dryRun(server)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/move", move, Self.force).status == 200)
      let stale = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": tag])
      #expect(stale.status == 412, "\(stale.text)")
      #expect(stale.json["changedBy"]?.string == "tester")
      let now = try await dryRun(server)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": now]).status == 200)
      let again = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": now])
      #expect(again.status == 412, "it is live, so that the same tag comes to something else")
    }
  }

  @Test func `a section's tag stays while sources fill it and others, and hides it`() async throws {
    try await withServer { server in
      let draft = try await server.admin("GET", "/pages/home/draft").json
      let tag = try #require(draft["sectionTags"]?["middle"]?["settings"]?.string)
      #expect(try await server.admin("GET", "/pages/home/sections/middle")["ETag"] == tag)
      try await fill(server, "middle", "one", publish: false)
      try await fill(server, "top", "two", publish: false)
      let now = try await server.admin("GET", "/pages/home/draft").json
      #expect(now["sectionTags"]?["middle"]?["content"] != draft["sectionTags"]?["middle"]?["content"])
      let hidden = try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", ["If-Match": tag])
      #expect(hidden.status == 204, "\(hidden.text)")
      let again = try await server.admin("DELETE", "/pages/home/sections/middle", nil, ["If-Match": tag])
      #expect(again.status == 412)
    }
  }

  @Test func `a publish of sections names the others that change by an audience, and changes no more of them`()
    async throws
  {
    let document = Demo.tiny.replacing(
      "pages:\n",
      with: """
        audiences: {vip: {attribute: memberTier, atLeast: 5}, all: {any: [{audience: vip}]}, other: {attribute: platform, in: [ios]}}
        pages:

        """
    )
    .replacing("- id: top\n", with: "- id: top\n        audience: all\n")
    .replacing("- id: middle\n", with: "- id: middle\n        audience: vip\n")
    .replacing("- id: bottom\n", with: "- id: bottom\n        audience: other\n")
    .replacing("sortRules:\n", with: "sortRules:\n      members: {audience: all, priority: 1, indices: {top: 9}}\n")
    try await withServer([document]) { server in
      func put(_ audience: String, _ predicate: String) async throws {
        #expect(try await server.admin("PUT", "/audiences/\(audience)", predicate, Self.force).status == 200)
      }
      func publish(_ body: String, _ query: String = "") async throws -> JSON {
        let reply = try await server.admin("POST", "/pages/home/publish\(query)", body, Self.force)
        #expect(reply.status == 200, "\(reply.text)")
        return reply.json
      }
      #expect(try await publish(#"{"sections": ["middle"]}"#)["alsoChanged"] == nil)
      try await put("vip", #"{"attribute": "memberTier", "atLeast": 1}"#)
      try await put("other", #"{"attribute": "platform", "in": ["web"]}"#)
      let expected: JSON = [
        ["section": "top", "audiences": ["vip"]], ["rule": "members", "audiences": ["vip"]],
      ]
      let dry = try await publish(#"{"sections": ["middle"]}"#, "?dryRun=true")
      #expect(dry["alsoChanged"] == expected)
      #expect(dry["summary"]?.array?.contains("changed who top is for, by the audience vip") == true)
      #expect(try await publish(#"{"sections": ["middle"]}"#)["alsoChanged"] == expected)
      #expect(try await server.get("/v1/home?memberTier=1").sections == ["middle", "top"])
      // An audience that no published section uses means what it meant.
      #expect(try await server.get("/v1/home?platform=ios").sections == ["bottom"])
      #expect(try await server.get("/v1/home?platform=web").sections == [])
      #expect(try await publish("{}")["alsoChanged"] == nil)
      #expect(try await server.get("/v1/home?platform=web").sections == ["bottom"])
    }
  }

  @Test func `a reset brings back the audiences that are gone, and leaves those that other pages use as they are now`()
    async throws
  {
    try await withServer { server in
      func put(_ path: String, _ body: String) async throws {
        let reply = try await server.admin("PUT", path, body, Self.force)
        #expect([200, 201].contains(reply.status), "\(reply.text)")
      }
      func send(_ path: String, _ body: String = "{}") async throws {
        let reply = try await server.admin("POST", "/pages/home/" + path, body, Self.force)
        #expect(reply.status == 200, "\(reply.text)")
      }
      func draft() async throws -> JSON { try await server.admin("GET", "/pages/home/draft").json }
      let (then, now) = (#"{"attribute": "memberTier", "atLeast": 5}"#, #"{"attribute": "memberTier", "atLeast": 1}"#)
      try await put("/audiences/vip", then)
      try await put("/audiences/gone", then)
      let items = #""items": [{"id": "v", "kind": "navigation", "content": {"title": "V"}}]"#
      for (section, audience) in [("vips", "vip"), ("lost", "gone")] {
        let body = #"{"kind": "broadcast", "audience": {"audience": "\#(audience)"}, \#(items)}"#
        try await put("/pages/home/sections/\(section)", body)
      }
      try await send("publish")
      try await put("/audiences/vip", now)
      for path in ["/pages/home/sections/lost", "/audiences/gone"] {
        let reply = try await server.admin("DELETE", path, nil, Self.force)
        #expect(reply.status == 204, "\(reply.text)")
      }
      try await send("publish")
      #expect(try await draft()["isChanged"] == false)
      try await send("rollback", #"{"revision": 2, "draft": "reset"}"#)
      #expect(try await server.admin("GET", "/audiences/gone").status == 200)
      #expect(try await server.admin("GET", "/audiences/vip").json == JSON.parse(Array(now.utf8)))
      // Who a section is for is as it was then, until somebody publishes.
      #expect(try await !server.get("/v1/home?memberTier=1").sections.contains("vips"))
      #expect(try await server.get("/v1/home?memberTier=5").sections.contains("vips"))
      #expect(try await draft()["isChanged"] == true)
      #expect(try await draft()["changedParts"] == ["audiences": ["vip"]])
      try await put("/audiences/vip", then)
      #expect(try await draft()["isChanged"] == false)
    }
  }

  @Test func `S1.4 a source fills a section and publishes it without an operator's unfinished work`() async throws {
    try await withServer { server in
      let hidden = try await server.admin("POST", "/pages/home/sections/bottom/hide", "{}", Self.force)
      #expect(hidden.status == 204)
      let filled = try await server.admin(
        "PUT", "/pages/home/sections/middle/content?publish=true",
        #"{"items": [{"id": "new", "kind": "navigation", "content": {"title": "New"}}]}"#)
      #expect(filled.status == 200, "\(filled.text)")
      let page = try await server.get("/v1/home")
      #expect(page.sections == ["top", "middle", "bottom"])
      #expect(page.json["sections"]?.array?[1]["items"]?.array?.first?["id"]?.string == "new")
      #expect(page.json["sections"]?.array?[1]["slots"] == nil)
    }
  }

  @Test func `S1.9 fifty sources fill fifty sections at once, and each is live with its 200`() async throws {
    try await withServer { server in
      for number in 0..<50 {
        let made = try await server.admin(
          "PUT", "/pages/home/sections/s\(number)", #"{"kind": "grid"}"#, ["If-None-Match": "*"])
        #expect(made.status == 201, "\(made.text)")
      }
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          let publishes = number < 40
          group.addTask {
            let filled = try await server.admin(
              "PUT", "/pages/home/sections/s\(number)/content?publish=\(publishes)",
              #"{"items": [{"id": "i\#(number)", "kind": "navigation", "content": {"title": "T"}}]}"#)
            #expect(filled.status == 200, "\(filled.text)")
            // At once, on whatever loop: nobody else publishes for this source.
            let page = try await server.get("/v1/home")
            #expect(page.sections.contains("s\(number)") == publishes)
          }
        }
        try await group.waitForAll()
      }
      let page = try await server.get("/v1/home")
      let live = page.json["sections"]?.array?.filter { $0["id"]?.string?.hasPrefix("s") == true } ?? []
      let filled = Dictionary(
        live.map { ($0["id"]?.string ?? "", $0["items"]?.array?.compactMap { $0["id"]?.string } ?? []) },
        uniquingKeysWith: { first, _ in first })
      #expect(filled == Dictionary(uniqueKeysWithValues: (0..<40).map { ("s\($0)", ["i\($0)"]) }))
      // The other ten wait in the draft.
      for number in 40..<50 {
        let content = try await server.admin("GET", "/pages/home/sections/s\(number)/content").json
        #expect(content["items"]?.array?.compactMap { $0["id"]?.string } == ["i\(number)"])
      }
    }
  }

  @Test func `a publish that fails leaves the live page as it was`() async throws {
    try await withServer { server in
      let before = try await server.get("/v1/home")["ETag"]
      let invalid = try await server.admin(
        "PUT", "/pages/home/sections/top/content",
        #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": 5}}, {"id": "x", "kind": "nope", "content": {}}]}"#
      )
      #expect(invalid.status == 422)
      let pointers = invalid.json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? []
      #expect(pointers.contains("/items/0/content/title"), "\(invalid.text)")
      #expect(pointers.contains("/items/1/kind"))
      let stale = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "\"0\""])
      #expect(stale.status == 412)
      #expect(try await server.get("/v1/home")["ETag"] == before)
    }
  }

  @Test func `a roll back makes a new revision that equals the old one`() async throws {
    try await withServer { server in
      let before = try await server.get("/v1/home").body
      #expect(
        try await server.admin("PUT", "/pages/home/order", #"{"sections": ["bottom", "middle", "top"]}"#, Self.force)
          .status == 200)
      #expect(
        try await server.admin("POST", "/pages/home/publish", #"{"message": "Turn it"}"#, Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections == ["bottom", "middle", "top"])
      let back = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, Self.force)
      #expect(back.status == 200, "\(back.text)")
      #expect(back.json["revision"]?.int == 3)
      #expect(try await server.get("/v1/home").body == before)
      let draft = try await server.admin("GET", "/pages/home/draft").json
      #expect(draft["order"]?.array?.compactMap(\.string) == ["bottom", "middle", "top"])
      let history = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array ?? []
      #expect(history.compactMap { $0["revision"]?.int } == [3, 2, 1])
      #expect(history[1]["message"]?.string == "Turn it")
    }
  }

  @Test func `after a restart the bytes and the version are what they were`() async throws {
    let first = try await RunningServer()
    let before = try await first.get("/v1/home").body
    try await first.stop(keepsFolder: true)
    let second = try await RunningServer([], folder: first.folder)
    #expect(try await second.get("/v1/home").body == before)
    try await second.stop()
  }
}
