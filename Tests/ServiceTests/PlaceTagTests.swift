import JSON
import Layout
import Testing

/// The tag of a dry run covers the places that the publish changes, and the order of what is named: what others do elsewhere
/// voids nothing, and nothing goes live that was not seen.
@Suite struct PlaceTagTests {
  private static let force = ["If-Match": "*"]
  private static let top = #"{"sections": ["top"]}"#
  private static let whole = "{}"

  @discardableResult
  private static func send(
    _ server: RunningServer, _ method: String, _ path: String, _ body: String = "{}", status: Int = 200,
    _ fields: [String: String] = force
  ) async throws -> Reply {
    let reply = try await server.admin(method, "/pages/home" + path, body, fields)
    #expect(reply.status == status, "\(method) \(path): \(reply.text)")
    return reply
  }

  private static func tag(_ server: RunningServer, _ body: String) async throws -> String {
    try #require(try await send(server, "POST", "/publish?dryRun=true", body)["ETag"])
  }

  /// Publishes what a dry run has shown.
  @discardableResult
  private static func publish(
    _ server: RunningServer, _ body: String, _ tag: String, status: Int = 200
  ) async throws -> Reply {
    try await send(server, "POST", "/publish", body, status: status, ["If-Match": tag])
  }

  /// Changes members of a section's settings, or of the page's, in the draft.
  private static func edit(_ server: RunningServer, _ path: String, _ members: JSONObject) async throws {
    var settings = try await server.admin("GET", "/pages/home" + path).json.object ?? JSONObject()
    for member in members { settings[member.name] = member.value }
    try await send(server, "PUT", path, JSON.object(settings).canonicalText)
  }

  private static func push(
    _ server: RunningServer, _ section: String, _ item: String, title: String = "Pushed", isPublished: Bool = true
  ) async throws {
    let reply = try await server.admin(
      "PUT", "/pages/home/sections/\(section)/items/\(item)\(isPublished ? "?publish=true" : "")",
      #"{"kind": "navigation", "content": {"title": "\#(title)"}}"#)
    #expect([200, 201].contains(reply.status), "\(reply.text)")
  }

  /// What is live of the page.
  private static func live(_ server: RunningServer) async throws -> JSON {
    let number = try #require(try await server.admin("GET", "/pages/home/draft").json["live"]?.int)
    return try await server.admin("GET", "/pages/home/revisions/\(number)").json
  }

  private static func live(_ server: RunningServer, _ section: String) async throws -> JSON {
    try #require(try await live(server)["sections"]?.array?.first { $0["id"]?.string == section })
  }

  private static func items(_ section: JSON) -> [String] {
    (section["items"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test(arguments: [top, whole])
  func `S1.9 a push into a section whose title waits for its publish voids nothing`(body: String) async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let tag = try await Self.tag(server, body)
      try await Self.push(server, "top", "scan")
      try await Self.push(server, "top", "new")
      let gone = try await server.admin("DELETE", "/pages/home/sections/top/items/pay?publish=true", nil, Self.force)
      #expect((200...204).contains(gone.status), "\(gone.text)")
      #expect(try await Self.tag(server, body) == tag)
      try await Self.publish(server, body, tag)
      let live = try await Self.live(server, "top")
      #expect(live["title"] == "Spring")
      #expect(Self.items(live) == ["scan", "new"])
      #expect(live["items"]?.array?.first?["content"]?["title"] == "Pushed")
    }
  }

  @Test func `S1.9 whole content that is published voids nothing of the section's settings`() async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let tag = try await Self.tag(server, Self.top)
      let content = #"{"items": [{"id": "other", "kind": "navigation", "content": {"title": "Other"}}]}"#
      try await Self.send(server, "PUT", "/sections/top/content?publish=true", content)
      try await Self.publish(server, Self.top, tag)
      let live = try await Self.live(server, "top")
      #expect(live["title"] == "Spring")
      #expect(Self.items(live) == ["other"])
    }
  }

  @Test(arguments: [top, whole])
  func `a push that only fills the draft would be carried, and so is seen first`(body: String) async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let tag = try await Self.tag(server, body)
      try await Self.push(server, "top", "scan", isPublished: false)
      try await Self.publish(server, body, tag, status: 412)
      try await Self.publish(server, body, try await Self.tag(server, body))
    }
  }

  @Test func `S1.9 what an operator hides can be published while its source goes on`() async throws {
    try await withServer { server in
      try await Self.send(server, "POST", "/sections/top/items/scan/hide")
      let tag = try await Self.tag(server, Self.top)
      try await Self.push(server, "top", "scan", title: "Later")
      try await Self.push(server, "top", "pay")
      try await Self.publish(server, Self.top, tag)
      let items = try await server.get("/v1/pages/home/sections/top").json["items"]?.array
      #expect(items?.compactMap { $0["id"]?.string } == ["pay"])
    }
  }

  @Test func `an item that moves goes where it was seen to go, whatever is pushed beside it`() async throws {
    try await withServer { server in
      try await Self.push(server, "top", "third")
      try await Self.send(server, "POST", "/sections/top/items/third/move", #"{"first": true}"#)
      let tag = try await Self.tag(server, Self.top)
      try await Self.push(server, "top", "fourth")
      #expect(try await Self.tag(server, Self.top) == tag)
      try await Self.send(server, "POST", "/sections/top/items/fourth/move", #"{"first": true}"#)
      try await Self.publish(server, Self.top, tag, status: 412)
    }
  }

  @Test func `a change of the page's settings is part of what publishes them, and of nothing else`() async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let (some, all) = (try await Self.tag(server, Self.top), try await Self.tag(server, Self.whole))
      try await Self.edit(server, "", ["pollInterval": 90])
      try await Self.publish(server, Self.whole, all, status: 412)
      try await Self.publish(server, Self.top, some)
      let live = try await Self.live(server)
      #expect(live["pollInterval"] == 30)
      // What another has published meanwhile is in both, and so is no part of it any more.
      try await Self.edit(server, "/sections/top", ["title": "Summer"])
      let before = try await Self.tag(server, Self.top)
      try await Self.send(server, "POST", "/publish", #"{"settings": true}"#)
      try await Self.publish(server, Self.top, before)
      #expect(try await Self.live(server)["pollInterval"] == 90)
    }
  }

  @Test func `an order that another publishes voids nothing of a section, and all of an order`() async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let (some, all) = (try await Self.tag(server, Self.top), try await Self.tag(server, Self.whole))
      try await Self.send(server, "POST", "/sections/bottom/move", #"{"before": "middle"}"#)
      let order = try await Self.tag(server, #"{"order": true}"#)
      #expect(try await Self.tag(server, Self.top) == some)
      try await Self.publish(server, Self.whole, all, status: 412)
      try await Self.publish(server, #"{"order": true}"#, order)
      #expect(try await Self.tag(server, Self.whole) == all, "both have the order now")
      try await Self.publish(server, Self.top, some)
      #expect(try await server.get("/v1/home").sections == ["top", "bottom", "middle"])

      try await Self.send(server, "POST", "/sections/middle/move", #"{"first": true}"#)
      let mine = try await Self.tag(server, #"{"order": true}"#)
      try await Self.send(server, "POST", "/sections/bottom/move", #"{"first": true}"#)
      try await Self.publish(server, #"{"order": true}"#, mine, status: 412)
    }
  }

  @Test func `a rule and an index that another publishes void nothing else`() async throws {
    try await withServer { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let (some, all) = (try await Self.tag(server, Self.top), try await Self.tag(server, Self.whole))
      let rule = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"bottom": -1}}"#
      try await Self.send(server, "PUT", "/sort-rules/ios", rule, status: 201)
      try await Self.publish(server, Self.whole, all, status: 412)
      try await Self.send(server, "POST", "/publish", #"{"rules": ["ios"]}"#)
      #expect(try await Self.tag(server, Self.whole) == all)
      try await Self.publish(server, Self.top, some)
      // An index of the section itself goes live with it.
      try await Self.edit(server, "/sections/top", ["title": "Summer"])
      let before = try await Self.tag(server, Self.top)
      let moved = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "indices": {"bottom": -1, "top": 4}}"#
      try await Self.send(server, "PUT", "/sort-rules/ios", moved)
      try await Self.publish(server, Self.top, before, status: 412)
    }
  }

  @Test func `a schedule that comes due voids what it has changed, and nothing else`() async throws {
    try await withServer { server in
      func schedule(_ section: String, _ title: String) async throws {
        try await Self.edit(server, "/sections/\(section)", ["title": .string(title)])
        let at = server.clock.now.adding(seconds: 600)
        let body = #"{"at": "\#(at)", "sections": ["\#(section)"]}"#
        try await Self.send(server, "POST", "/scheduled", body, status: 201)
      }
      func comeDue() async throws {
        server.clock.advance(by: 600)
        try await server.servesScheduled()
      }
      try await schedule("bottom", "Later")
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      let some = try await Self.tag(server, Self.top)
      try await comeDue()
      #expect(try await Self.live(server, "bottom")["title"] == "Later")
      try await Self.publish(server, Self.top, some)

      // What goes live by it is other than what was there when somebody looked.
      try await schedule("top", "Summer")
      try await Self.edit(server, "/sections/top", ["title": "Autumn"])
      let before = try await Self.tag(server, Self.top)
      try await comeDue()
      try await Self.publish(server, Self.top, before, status: 412)
      #expect(try await Self.live(server, "top")["title"] == "Summer")
      try await Self.publish(server, Self.top, try await Self.tag(server, Self.top))
      #expect(try await Self.live(server, "top")["title"] == "Autumn")
    }
  }

  @Test func `a new section is seen as it goes live`() async throws {
    try await withServer { server in
      let path = "/sections/fresh"
      try await Self.send(server, "PUT", path, #"{"kind": "broadcast"}"#, status: 201)
      try await Self.push(server, "fresh", "one", isPublished: false)
      let body = #"{"sections": ["fresh"]}"#
      let tag = try await Self.tag(server, body)
      try await Self.push(server, "fresh", "two", isPublished: false)
      try await Self.publish(server, body, tag, status: 412)
      try await Self.publish(server, body, try await Self.tag(server, body))
      // One that goes is gone, whatever a source has put into it.
      try await Self.send(server, "DELETE", path, status: 204)
      let gone = try await Self.tag(server, body)
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      try await Self.publish(server, body, gone)
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
    }
  }

  @Test func `an audience that is redefined counts where it is used`() async throws {
    let document = Demo.tiny.replacing(
      "pages:\n", with: "audiences: {vip: {attribute: memberTier, atLeast: 5}}\npages:\n"
    ).replacing("- id: middle\n", with: "- id: middle\n        audience: vip\n")
    try await withServer([document]) { server in
      try await Self.edit(server, "/sections/top", ["title": "Spring"])
      try await Self.edit(server, "/sections/middle", ["title": "Spring"])
      let body = #"{"sections": ["middle"]}"#
      let (top, middle) = (try await Self.tag(server, Self.top), try await Self.tag(server, body))
      let vip = #"{"attribute": "memberTier", "atLeast": 3}"#
      #expect(try await server.admin("PUT", "/audiences/vip", vip, Self.force).status == 200)
      try await Self.publish(server, body, middle, status: 412)
      try await Self.publish(server, Self.top, top)
    }
  }
}
