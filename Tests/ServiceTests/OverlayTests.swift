import JSON
import Layout
import Testing

/// What is scheduled is laid over what is live when it is due, and undoes no source.
@Suite struct OverlayTests {
  private static let force = ["If-Match": "*"]

  private static func item(_ title: String) -> String { #"{"kind": "navigation", "content": {"title": "\#(title)"}}"# }

  private static func content(_ ids: String...) -> String {
    let items = ids.map { #"{"id": "\#($0)", "kind": "navigation", "content": {"title": "\#($0)"}}"# }
    return #"{"items": [\#(items.joined(separator: ","))]}"#
  }

  /// The ids of a section's items as clients see them.
  private static func live(_ section: String, _ server: RunningServer) async throws -> [String]? {
    let sections = try await server.get("/v1/home").json["sections"]?.array ?? []
    return sections.first { $0["id"]?.string == section }?["items"]?.array?.compactMap { $0["id"]?.string }
  }

  /// Schedules ten minutes from now.
  private static func schedule(_ server: RunningServer, _ members: String = "") async throws -> JSON {
    let body = #"{"at": "\#(server.clock.now.adding(seconds: 600))"\#(members)}"#
    let made = try await server.admin("POST", "/pages/home/scheduled", body, force)
    #expect(made.status == 201, "\(made.text)")
    return made.json
  }

  /// Lets what is scheduled come due, and waits for it.
  private static func comeDue(_ server: RunningServer) async throws {
    server.clock.advance(by: 600)
    try await server.servesScheduled()
  }

  private static func turn(_ server: RunningServer, _ order: String...) async throws {
    let body = JSON.object(["sections": .array(order.map { .string($0) })]).canonicalText
    let reply = try await server.admin("PUT", "/pages/home/order", body, force)
    #expect(reply.status == 200, "\(reply.text)")
  }

  @Test func `content that a source published after the scheduling stays (S1.9)`() async throws {
    try await withServer { server in
      try await Self.turn(server, "bottom", "middle", "top")
      #expect(try await Self.schedule(server)["revision"] == nil)
      let path = "/pages/home/sections/bottom/content?publish=true"
      let pushed = try await server.admin("PUT", path, Self.content("pushed"))
      #expect(pushed.status == 200)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["bottom", "middle", "top"])
      #expect(try await Self.live("bottom", server) == ["pushed"])
      let made = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.first
      #expect(made?["kind"] == "scheduled")
      #expect(made?["revision"] == 3)
      #expect(made?["source"] == nil)
    }
  }

  @Test func `items that sources published after the scheduling stay beside those that were scheduled`() async throws {
    try await withServer { server in
      let path = "/pages/home/sections/top"
      #expect(try await server.admin("PUT", path + "/items/scheduled", Self.item("S")).status == 201)
      _ = try await Self.schedule(server)
      #expect(try await server.admin("PUT", path + "/items/pushed?publish=true", Self.item("P")).status == 201)
      #expect(try await server.admin("PUT", path + "/items/gone?publish=true", Self.item("G")).status == 201)
      #expect(try await server.admin("DELETE", path + "/items/gone?publish=true").status == 204)
      #expect(try await server.admin("DELETE", path + "/items/pay?publish=true").status == 204)
      #expect(try await server.admin("PUT", path + "/items/scan?publish=true", Self.item("Changed")).status == 200)
      #expect(try await Self.live("top", server) == ["scan", "pushed"])
      try await Self.comeDue(server)
      // As in the draft, so that nothing differs from it.
      #expect(try await Self.live("top", server) == ["scan", "scheduled", "pushed"])
      let scan = try await server.get("/v1/pages/home/sections/top").json["items"]?.array?.first
      #expect(scan?["content"]?["title"] == "Changed")
    }
  }

  @Test func `content that a source only put into the draft does not go live by it`() async throws {
    try await withServer { server in
      _ = try await Self.schedule(server)
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("later")).status == 200)
      try await Self.comeDue(server)
      #expect(try await Self.live("bottom", server) == ["b"])
    }
  }

  @Test func `a push of what is live already counts as published after the scheduling`() async throws {
    try await withServer { server in
      let path = "/pages/home/sections/bottom/content"
      #expect(try await server.admin("PUT", path, Self.content("other")).status == 200)
      _ = try await Self.schedule(server)
      let live = try await server.admin("GET", "/pages/home/revisions/1").json["sections"]?.array?.last
      let body = JSON.object(["items": try #require(live?["items"])]).canonicalText
      #expect(try await server.admin("PUT", path + "?publish=true", body).status == 200)
      try await Self.comeDue(server)
      #expect(try await Self.live("bottom", server) == ["b"])
    }
  }

  @Test func `settings, order and audiences are those of the scheduling, whatever went live meanwhile`() async throws {
    try await withServer { server in
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      try await Self.turn(server, "bottom", "middle", "top")
      _ = try await Self.schedule(server)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/restore", "{}", Self.force).status == 200)
      try await Self.turn(server, "middle", "bottom", "top")
      #expect(try await server.admin("POST", "/pages/home/publish", #"{"waiting": "leave"}"#, Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections == ["middle", "bottom", "top"])
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["bottom", "top"])
    }
  }

  @Test func `a section that went live after the scheduling stays, with its index; one that was to go goes`()
    async throws
  {
    try await withServer { server in
      #expect(try await server.admin("DELETE", "/pages/home/sections/middle", nil, Self.force).status == 204)
      _ = try await Self.schedule(server)
      let section = #"{"kind": "broadcast", "index": -7, "items": [\#(Self.item("N"))]}"#
        .replacing(#"{"kind": "nav"#, with: #"{"id": "n", "kind": "nav"#)
      #expect(try await server.admin("PUT", "/pages/home/sections/new", section).status == 201)
      let publish = try await server.admin("POST", "/pages/home/publish", #"{"sections": ["new"]}"#, Self.force)
      #expect(publish.status == 200, "\(publish.text)")
      #expect(try await server.get("/v1/home").sections == ["new", "top", "middle", "bottom"])
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["new", "top", "bottom"])
    }
  }

  @Test func `some sections are scheduled alone, and their revision gets its number when it is due`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("new")).status == 200)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      let first = #"{"first": true}"#
      #expect(try await server.admin("POST", "/pages/home/sections/bottom/move", first, Self.force).status == 200)
      let made = try await Self.schedule(server, #", "sections": ["bottom"]"#)
      #expect(made["revision"] == nil)
      #expect(made["sections"] == ["bottom"])
      let listed = try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array
      #expect(listed == [made])
      let flip = try await server.admin("GET", "/pages/home/timeline").json["flips"]?.array?.first
      #expect(flip?["sections"] == ["bottom"])
      #expect(flip?["revision"] == nil)
      #expect(try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.count == 1)
      let pushed = try await server.admin(
        "PUT", "/pages/home/sections/top/content?publish=true", Self.content("pushed"))
      #expect(pushed.status == 200)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["bottom", "top", "middle"])
      #expect(try await Self.live("bottom", server) == ["new"])
      #expect(try await Self.live("top", server) == ["pushed"])
      let revision = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.first
      #expect(revision?["revision"] == 3)
      #expect(revision?["kind"] == "scheduled")
      #expect(revision?["source"] == nil)
    }
  }

  @Test func `a section that the draft does not have any more goes alone`() async throws {
    try await withServer { server in
      #expect(try await server.admin("DELETE", "/pages/home/sections/middle", nil, Self.force).status == 204)
      _ = try await Self.schedule(server, #", "sections": ["middle"]"#)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["top", "bottom"])
    }
  }

  @Test func `two schedules follow each other, each over what the other left`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("x")).status == 200)
      _ = try await Self.schedule(server, #", "sections": ["bottom"]"#)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      _ = try await Self.schedule(server, #", "sections": ["middle"]"#)
      try await Self.comeDue(server)
      #expect(try await server.get("/v1/home").sections == ["top", "bottom"])
      #expect(try await Self.live("bottom", server) == ["x"])
      let revisions = try await server.admin("GET", "/pages/home/revisions?kind=scheduled").json["revisions"]?.array
      #expect(revisions?.count == 2)
    }
  }

  @Test func `a page that was never published goes live by its schedule`() async throws {
    try await withServer { server in
      let settings = #"{"title": "New", "defaultLocale": "en", "locales": ["en"]}"#
      #expect(try await server.admin("PUT", "/pages/new", settings).status == 201)
      let section = #"{"kind": "broadcast", "items": [{"id": "n", "kind": "navigation", "content": {"title": "N"}}]}"#
      #expect(try await server.admin("PUT", "/pages/new/sections/one", section).status == 201)
      let at = server.clock.now.adding(seconds: 600)
      let some = #"{"at": "\#(at)", "sections": ["one"]}"#
      #expect(try await server.admin("POST", "/pages/new/scheduled", some, Self.force).code == "not-published")
      let body = #"{"at": "\#(at)"}"#
      #expect(try await server.admin("POST", "/pages/new/scheduled", body, Self.force).status == 201)
      server.clock.advance(by: 600)
      try await waitUntil { try await server.get("/v1/pages/new").sections == ["one"] }
    }
  }

  @Test(arguments: [
    (#""sections": ["nothing"]"#, 404, "unknown-section"), (#""sections": []"#, 422, "invalid-content"),
    (#""sections": "top""#, 422, "invalid-content"), (#""sections": ["top"], "revision": 1"#, 422, "invalid-content"),
    (#""revision": 9"#, 404, "unknown-revision"),
  ])
  func `what cannot be scheduled is refused`(members: String, status: Int, code: String) async throws {
    try await withServer { server in
      let body = #"{"at": "2099-01-01T00:00:00Z", \#(members)}"#
      let reply = try await server.admin("POST", "/pages/home/scheduled", body, Self.force)
      #expect(reply.status == status, "\(reply.text)")
      #expect(reply.code == code)
      #expect(try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.isEmpty == true)
    }
  }

  @Test func `the timeline of what is live has the flips that schedules bring, none that they end`() async throws {
    try await withServer { server in
      let now = server.clock.now
      func set(_ section: String, until seconds: Int64?) async throws {
        var settings = try await server.admin("GET", "/pages/home/sections/\(section)").json.object ?? JSONObject()
        for name in ["id", "index", "schedule"] { settings[name] = nil }
        settings["schedule"] = seconds.map { ["until": .string(now.adding(seconds: $0).description)] }
        let path = "/pages/home/sections/\(section)"
        let put = try await server.admin("PUT", path, JSON.object(settings).canonicalText, Self.force)
        #expect(put.status == 200, "\(put.text)")
      }
      func flips(_ query: String) async throws -> [String] {
        try await server.admin("GET", "/pages/home/timeline?\(query)").json["flips"]?.array?.map { flip in
          let at = flip["at"]?.string.flatMap { Instant($0) } ?? now
          let what = flip["section"]?.string ?? "\(flip["sections"]?.array?.count ?? 0) sections"
          return "\(at.secondsSinceEpoch - now.secondsSinceEpoch) \(what)"
        } ?? []
      }
      try await set("top", until: 300)
      try await set("middle", until: 900)
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
      #expect(published.status == 200, "\(published.text)")
      try await set("top", until: nil)
      try await set("middle", until: 1200)
      try await set("bottom", until: 1500)
      #expect(try await flips("revision=draft") == ["1200 middle", "1500 bottom"])
      #expect(try await flips("revision=live") == ["300 top", "900 middle"])
      let body = #"{"at": "\#(now.adding(seconds: 600))", "sections": ["middle"]}"#
      #expect(try await server.admin("POST", "/pages/home/scheduled", body, Self.force).status == 201)
      // Neither what the schedule ends nor what is only in the draft will happen.
      let coming = try await flips("revision=live")
      #expect(coming == ["300 top", "600 1 sections", "1200 middle"])
      #expect(try await flips("revision=live&at=\(now.adding(seconds: 700))") == ["1200 middle"])
      let page = #"{"title": "New", "defaultLocale": "en", "locales": ["en"]}"#
      #expect(try await server.admin("PUT", "/pages/new", page).status == 201)
      let nothing = try await server.admin("GET", "/pages/new/timeline?revision=live")
      #expect(nothing.json["flips"] == [], "\(nothing.text)")
    }
  }
}
