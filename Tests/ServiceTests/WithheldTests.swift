import Foundation
import HomePayload
import JSON
import Layout
import Service
import Synchronization
import Testing

/// The way out when a release cannot draw what is live.
@Suite struct WithheldTests {
  private static let force = ["If-Match": "*"]
  private static let kinds =
    Demo.tinyKinds.replacing("sectionKinds:\n", with: video + "sectionKinds:\n")
    .replacing("kinds: [navigation], maximum", with: "kinds: [navigation, video], maximum")
  private static let video = """
      video:
        title: Video
        fallback: {kind: navigation}
        content: {type: object, required: [title], properties: {title: {type: string}}}

    """
  private static let document = Demo.tiny.replacing(
    "{id: a, kind: navigation, content: {title: A}}", with: "{id: a, kind: video, content: {title: A}}")
  private static let second = """
    hearth: 1
    pages: {plain: {defaultLocale: en, sections: [
      {id: only, kind: broadcast, items: [{id: p, kind: navigation, content: {title: P}}]}]}}
    """
  private static let body =
    #"{"audience": {"all": [{"attribute": "platform", "in": ["ios"]}, {"attribute": "appVersion", "below": "5.3"}]}, "reason": "crashes on iOS 17"}"#
  private static let old = "?platform=ios&appVersion=5.2"
  private static let new = "?platform=ios&appVersion=5.3"

  private static func kind(_ server: RunningServer, _ query: String) async throws -> String? {
    try await server.get("/v1/pages/home/sections/middle\(query)").json["items"]?.array?.first?["kind"]?.string
  }

  /// What the metric counts, and what `/status` lists of the two pages.
  private static func withheldNow(
    _ server: RunningServer
  ) async throws -> (count: Double, home: [String], plain: [String]) {
    let text = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    let line = text.split(separator: "\n").first { $0.hasPrefix("hearth_withheld_kinds ") }
    let status = try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
    func kinds(_ page: String) -> [String] {
      let found = status["pages"]?.array?.first { $0["page"]?.string == page }
      return found?["withheldKinds"]?.array?.compactMap(\.string) ?? ["missing"]
    }
    let count = try #require(line.flatMap { Double($0.split(separator: " ")[1]) })
    return (count, kinds("home"), kinds("plain"))
  }

  @Test func `from the next poll on the clients that are meant get the fallback, until it is lifted`() async throws {
    try await withServer([Self.document, Self.second], kinds: Self.kinds) { server in
      let before = try Page(bytes: Array(try await server.get("/v1/home\(Self.old)").body))
      let plain = try await server.get("/v1/pages/plain\(Self.old)")
      let draft = try await server.admin("GET", "/pages/home/draft")
      #expect(try await Self.kind(server, Self.old) == "video")

      let made = try await server.admin("PUT", "/withheld/items/video", Self.body)
      #expect(made.status == 201, "\(made.text)")
      #expect(made.json["pages"] == [["page": "home", "revision": 2]])
      #expect(made.json["author"] == "tester")
      #expect(try await Self.kind(server, Self.old) == "navigation")
      #expect(try await Self.kind(server, Self.new) == "video")
      #expect(try await Self.kind(server, "") == "video")
      // A client gets from the version it had to the new one.
      let held = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(before.version)\""]
      let changed = try await server.get("/v1/home\(Self.old)", held)
      let whole = try await server.get("/v1/home\(Self.old)")
      if changed.status == 226 {
        #expect(try before.applying(ChangeSet(bytes: Array(changed.body))).canonicalBytes == Array(whole.body))
      } else {
        #expect(changed.body == whole.body)
      }
      // A page that has nothing of the kind is as it was, and so is the draft.
      #expect(try await server.get("/v1/pages/plain\(Self.old)")["ETag"] == plain["ETag"])
      #expect(try await server.get("/v1/pages/plain")["Hearth-Revision"] == "1.1")
      #expect(try await server.admin("GET", "/pages/home/draft")["ETag"] == draft["ETag"])
      let revision = try await server.admin("GET", "/pages/home/revisions/2").json
      #expect(revision["kind"] == "withheld")
      #expect(revision["message"] == "items/video: crashes on iOS 17")
      // The history says what each revision withheld, and the one on call sees what is withheld now.
      let list = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array ?? []
      for told in [revision, list[0]] {
        #expect(told["withheld"]?.array?.compactMap { $0["kind"]?.string } == ["video"])
        #expect(told["withheld"]?.array?.first?["audience"] == (try JSON.parse(Array(Self.body.utf8)))["audience"])
      }
      #expect(list[1]["withheld"] == nil)
      #expect(try await Self.withheldNow(server) == (1, ["items/video"], []))
      let told = try await server.admin("GET", "/pages/home/changes?from=1&to=2").json["summary"]?.array
      #expect(
        told == ["withheld items/video from clients with platform ios, and appVersion below 5.3"])
      let preview = try await server.admin("GET", "/pages/home/preview\(Self.old)").json
      #expect(preview["replaced"] == [["section": "middle", "item": "a", "kind": "video", "by": "navigation"]])

      let listed = try await server.admin("GET", "/withheld").json["withheld"]?.array
      #expect(listed?.count == 1)
      #expect(listed?.first?["family"] == "items")
      #expect(listed?.first?["reason"] == "crashes on iOS 17")
      let one = try await server.admin("GET", "/withheld/items/video")
      #expect(one["ETag"] == made["ETag"])

      let lifted = try await server.admin("DELETE", "/withheld/items/video", nil, ["If-Match": one["ETag"] ?? ""])
      #expect(lifted.json == ["pages": [["page": "home", "revision": 3]]], "\(lifted.text)")
      let after = try await server.get("/v1/home\(Self.old)")
      #expect(try Page(bytes: Array(after.body)) == before)
      #expect(try await Self.withheldNow(server) == (0, [], []))
      #expect(try await server.admin("GET", "/withheld").json["withheld"] == [])
      let audit = try await server.admin("GET", "/audit?limit=4").json["entries"]?.array ?? []
      #expect(
        audit.compactMap { $0["action"]?.string } == ["page.lift", "kind.lift", "page.withhold", "kind.withhold"])
      #expect(audit.last?["detail"] == "items/video: crashes on iOS 17")
      #expect(audit.first?["page"] == "home")
    }
  }

  @Test func `a kind is withheld, and kinds are changed, while sources publish to all pages`() async throws {
    let names = (0..<8).map { "p\($0)" }
    let pages = names.map { name in
      """
      hearth: 1
      pages: {\(name): {defaultLocale: en, sections: [
        {id: only, kind: broadcast, items: [{id: p, kind: navigation, content: {title: P}}]}]}}
      """
    }
    try await withServer([Self.document] + pages, kinds: Self.kinds) { server in
      let isOver = Switch()
      let sources = names.map { name in
        Task {
          var count = 0
          while !isOver.isOn {
            count += 1
            let body = #"{"items": [{"id": "p", "kind": "navigation", "content": {"title": "\#(count)"}}]}"#
            let pushed = try await server.admin("PUT", "/pages/\(name)/sections/only/content?publish=true", body)
            #expect(pushed.status == 200, "\(pushed.text)")
          }
          return count
        }
      }
      defer { isOver.turnOn() }
      for round in 0..<2 {
        for path in ["/withheld/items/navigation", "/withheld/items/video"] {
          let made = try await server.admin("PUT", path, Self.body)
          #expect(made.status == 201, "\(made.text)")
          let lifted = try await server.admin("DELETE", path, nil, Self.force)
          #expect(lifted.status == 200, "\(lifted.text)")
        }
        let kinds = Self.kinds.replacing("points: 44", with: "points: \(45 + round)")
        try kinds.write(toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
        let changed = try await server.admin("POST", "/kinds/reload")
        #expect(changed.status == 200, "\(changed.text)")
        #expect(changed.json["revisions"]?.array?.count == 9)
      }
      isOver.turnOn()
      for source in sources { #expect(try await source.value > 0) }
    }
  }

  /// What is turned on once.
  private final class Switch: Sendable {
    private let state = Atomic(false)
    var isOn: Bool { state.load(ordering: .relaxed) }
    func turnOn() { state.store(true, ordering: .relaxed) }
  }

  @Test func `what is published later keeps it withheld: a draft, a content, a schedule, a rollback`() async throws {
    let clock = TestClock()
    try await withServer([Self.document], kinds: Self.kinds, clock: clock) { server in
      let at = clock.now.adding(seconds: 600)
      let scheduled = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      #expect(scheduled.status == 201, "\(scheduled.text)")
      let made = try await server.admin("PUT", "/withheld/items/video", Self.body)
      #expect(made.json["pages"] == [["page": "home", "revision": 2]], "\(made.text)")
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      let steps: [(String, String, String)] = [
        ("PUT", "/pages/home/sections/bottom/content?publish=true", #"{"items": []}"#),
        ("POST", "/pages/home/publish", #"{"sections": ["top"], "waiting": "leave"}"#),
        ("POST", "/pages/home/publish", #"{"waiting": "leave"}"#),
        ("POST", "/pages/home/rollback", #"{"revision": 1}"#),
      ]
      for (method, path, body) in steps {
        let reply = try await server.admin(method, path, body, Self.force)
        #expect(reply.status == 200, "\(path): \(reply.text)")
        #expect(try await Self.kind(server, Self.old) == "navigation", "\(path)")
        #expect(try await Self.kind(server, Self.new) == "video", "\(path)")
      }
      clock.advance(by: 600)
      try await waitUntil {
        try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.first?["kind"] == "scheduled"
      }
      #expect(try await Self.kind(server, Self.old) == "navigation")
      // A page that goes live for the first time, too.
      let other = Self.second.replacing(
        "kind: navigation, content: {title: P}", with: "kind: video, content: {title: P}")
      let import_ = try await server.admin("POST", "/import", other, ["Content-Type": "application/yaml"])
      #expect(import_.status == 200, "\(import_.text)")
      #expect(try await server.admin("POST", "/pages/plain/publish", "{}", Self.force).status == 200)
      #expect(
        try await server.get("/v1/pages/plain/sections/only\(Self.old)").json["items"]?.array?.first?["kind"]
          == "navigation")
    }
  }

  @Test func `a restart, with the snapshot and without, keeps it withheld`() async throws {
    let folder = try RunningServer.makeFolder()
    func start(_ documents: [String] = []) async throws -> RunningServer {
      try await RunningServer(documents, kinds: Self.kinds, folder: folder) { $0.snapshotFile = folder + "/snapshot" }
    }
    let first = try await start([Self.document])
    let named = #"{"attribute": "platform", "in": ["ios"]}"#
    #expect(try await first.admin("PUT", "/audiences/apple", named).status == 201)
    let body = #"{"audience": "apple", "reason": "R"}"#
    #expect(try await first.admin("PUT", "/withheld/items/video", body).status == 201)
    // Who the audience is was settled when the kind was withheld, and whoever edits audiences is in nobody's way.
    #expect(try await first.admin("DELETE", "/audiences/apple", nil, Self.force).status == 204)
    let last = try await first.get("/v1/home\(Self.old)")
    try await first.stop(keepsFolder: true)
    let second = try await start()
    #expect(try await second.get("/v1/home\(Self.old)").body == last.body)
    #expect(try await Self.kind(second, Self.old) == "navigation")
    #expect(try await Self.kind(second, "?platform=android") == "video")
    try await second.stop(keepsFolder: true)
    let third = try await RunningServer([], kinds: Self.kinds, folder: folder)
    #expect(try await third.get("/v1/home\(Self.old)").body == last.body)
    try await third.stop()
  }

  @Test func `what is wrong is refused with everything that is, and changes nothing`() async throws {
    try await withServer([Self.document], kinds: Self.kinds) { server in
      let unknown = try await server.admin("PUT", "/withheld/items/vidoe", Self.body)
      #expect(unknown.status == 404 && unknown.code == "unknown-item-kind")
      #expect(unknown.json["detail"]?.string?.contains("navigation, title, video") == true)
      #expect(try await server.admin("PUT", "/withheld/sections/video", Self.body).code == "unknown-section-kind")
      for method in ["GET", "DELETE"] {
        let reply = try await server.admin(method, "/withheld/items/video", nil, method == "GET" ? [:] : Self.force)
        #expect(reply.status == 404 && reply.code == "unknown-withheld-kind", "\(reply.text)")
      }
      let wrong =
        #"{"audience": {"any": [{"attribute": "platfrom", "in": ["ios"]}, {"attribute": "appVersion"}]}, "why": 1}"#
      let reply = try await server.admin("PUT", "/withheld/items/video", wrong)
      #expect(reply.status == 422)
      let pointers = reply.json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? []
      #expect(Set(pointers) == ["/audience/any/0/attribute", "/audience/any/1", "/reason", "/why"], "\(reply.text)")
      let nobody = try await server.admin("PUT", "/withheld/items/video", #"{"audience": "vips", "reason": "R"}"#)
      #expect(nobody.status == 422)
      #expect(nobody.json["errors"]?.array?.first?["pointer"] == "/audience")
      #expect(try await server.admin("PUT", "/withheld/items/video", Self.body, ["If-Match": "\"1\""]).status == 412)
      #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.1")

      let made = try await server.admin("PUT", "/withheld/items/video", Self.body, ["If-None-Match": "*"])
      #expect(made.status == 201)
      #expect(try await server.admin("PUT", "/withheld/items/video", Self.body).status == 428)
      #expect(
        try await server.admin("PUT", "/withheld/items/video", Self.body, ["If-None-Match": "*"]).code == "stale")
      #expect(try await server.admin("DELETE", "/withheld/items/video").status == 428)
      // The same again makes no revision; another reason alone makes none either.
      let same = try await server.admin("PUT", "/withheld/items/video", Self.body, ["If-Match": made["ETag"] ?? ""])
      #expect(same.status == 200 && same["ETag"] == made["ETag"] && same.json["pages"] == [], "\(same.text)")
      let reason = Self.body.replacing("crashes on iOS 17", with: "crashes")
      let told = try await server.admin("PUT", "/withheld/items/video", reason, Self.force)
      #expect(told.json["pages"] == [] && told["ETag"] != made["ETag"])
      let all = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}"#
      let wider = try await server.admin("PUT", "/withheld/items/video", all, Self.force)
      #expect(wider.json["pages"] == [["page": "home", "revision": 3]], "\(wider.text)")
      #expect(try await Self.kind(server, Self.new) == "navigation")
    }
  }
}
