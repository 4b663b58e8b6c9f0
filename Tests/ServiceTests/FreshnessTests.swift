import Foundation
import JSON
import Layout
import Peers
import Service
import Storage
import Testing

/// A section whose source has died is hidden when its `freshFor` is over, and comes back with the next push.
@Suite struct FreshnessTests {
  private static let path = "/pages/home/sections/bottom/content?publish=true"
  private static let freshFor: Int64 = 120
  private static let document = Demo.tiny.replacing(
    "- id: bottom\n", with: "- id: bottom\n        freshFor: \(freshFor)\n")

  private static func content(_ title: String) -> String {
    #"{"items": [{"id": "b", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
  }

  private static func push(_ title: String, to server: RunningServer) async throws -> Reply {
    let reply = try await server.admin("PUT", path, content(title))
    #expect(reply.status == 200, "\(reply.text)")
    return reply
  }

  /// The seconds that a server has to start.
  private static let lead: Int64 = 8

  /// A clock by which what is published now is over soon after the start, by the clock that polls go by; to be advanced to
  /// that one.
  private static func clockBehind() -> TestClock {
    let clock = TestClock()
    clock.advance(by: lead - freshFor)
    return clock
  }

  private static func start(_ documents: [String], in folder: String, clock: TestClock) async throws -> RunningServer {
    try await RunningServer(documents, folder: folder, clock: clock) {
      $0.servedFile = folder + "/served"
      $0.snapshotFile = folder + "/snapshot"
    }
  }

  private static func audited(_ server: RunningServer) async throws -> Int {
    try await server.admin("GET", "/audit").json["entries"]?.array?.count ?? -1
  }

  private static func expired(_ server: RunningServer) async throws -> [String] {
    let status = try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
    return (status["pages"]?.array?.first?["expiredSections"]?.array ?? []).compactMap { $0["section"]?.string }
  }

  @Test func `a source that has died has its section hidden, and the next push shows it, though it brings the same`()
    async throws
  {
    let clock = Self.clockBehind()
    try await withServer([Self.document], clock: clock) { server async throws in
      clock.advance(by: Self.freshFor - Self.lead)
      let before = try await server.get("/v1/home")
      #expect(before.sections == ["top", "middle", "bottom"])
      let age = try #require(before["Cache-Control"]?.firstMatch(of: /max-age=(\d+)/).flatMap { Int($0.1) })
      #expect(age <= Self.lead)
      try await waitUntil { try await server.get("/v1/home").sections == ["top", "middle"] }
      #expect(try await server.get("/v1/home")["Hearth-Revision"] == before["Hearth-Revision"])
      #expect(try await server.get("/v1/pages/home/sort-rule").json["order"] == ["top", "middle"])
      #expect(try await server.get("/v1/pages/home/sections/bottom").status == 404)
      #expect(try await Self.expired(server) == ["bottom"])
      let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
      #expect(metrics.contains("\nhearth_page_expired_sections{page=\"home\"} 1\n"))
      let preview = try await server.admin("GET", "/pages/home/preview").json
      #expect(preview["hidden"]?.array?.contains(["section": "bottom", "reason": "expired"]) == true)

      _ = try await Self.push("B", to: server)
      let after = try await server.get("/v1/home")
      #expect(after.sections == before.sections && after["ETag"] == before["ETag"])
      #expect(after["Hearth-Revision"] == "1.2")
      #expect(try await Self.expired(server) == [])
    }
  }

  @Test func `a push that changes nothing confirms, and makes neither a revision nor a tag nor a row in the audit`()
    async throws
  {
    let clock = Self.clockBehind()
    let folder = try RunningServer.makeFolder()
    let server = try await Self.start([Self.document], in: folder, clock: clock)
    let end = clock.now.adding(seconds: Self.freshFor)
    let before = try await server.get("/v1/home")
    let (tag, rows) = (try await server.store.draftTag("home"), try await Self.audited(server))
    func confirmed() async throws -> Instant? {
      try await server.store.revisionDefinition("home", 1).definition.confirmed["bottom"]
    }
    let first = try #require(try await confirmed())
    // What was confirmed a moment ago is not noted again.
    clock.advance(by: 10)
    _ = try await Self.push("B", to: server)
    #expect(try await confirmed() == first)
    clock.advance(by: 50)
    _ = try await Self.push("B", to: server)
    let second = try #require(try await confirmed())
    #expect((59...75).contains(second.secondsSinceEpoch - first.secondsSinceEpoch))
    clock.advance(by: Self.freshFor - Self.lead - 60)

    try await waitUntil { Instant.now > end }
    let after = try await server.get("/v1/home")
    #expect(after.sections == before.sections && after["ETag"] == before["ETag"])
    #expect(after["Hearth-Revision"] == before["Hearth-Revision"])
    #expect(try await server.get("/v1/pages/home/sections/bottom")["Hearth-Moment"] == "none")
    #expect(try await server.store.draftTag("home") == tag)
    #expect(try await Self.audited(server) == rows)
    let revisions = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array
    #expect(revisions?.count == 1)
    let flips = try await server.admin("GET", "/pages/home/timeline?revision=live").json["flips"]?.array ?? []
    #expect(flips.compactMap { $0["at"]?.string } == ["\(second.adding(seconds: Self.freshFor))"])

    // Of the draft, a later time is one whose sources go on.
    let later = clock.now.adding(seconds: 90_000)
    let preview = try await server.admin("GET", "/pages/home/preview?at=\(later)")
    #expect(preview.sections == before.sections, "\(preview.text.prefix(300))")

    // It outlives the process, and what the snapshot says.
    try await server.stop(keepsFolder: true)
    let next = try await Self.start([], in: folder, clock: clock)
    #expect(try await next.get("/v1/home").sections == before.sections)
    #expect(try await next.store.revisionDefinition("home", 1).definition.confirmed["bottom"] == second)
    try await next.stop()
  }

  @Test func `an operator's publish confirms what it changes, and nothing else`() async throws {
    let clock = TestClock()
    try await withServer([Self.document], clock: clock) { server async throws in
      func confirmed(_ revision: Int) async throws -> Instant? {
        try await server.store.revisionDefinition("home", revision).definition.confirmed["bottom"]
      }
      func publish() async throws {
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      }
      let first = try #require(try await confirmed(1))
      clock.advance(by: 40)
      let settings = #"{"kind": "broadcast", "title": "Prices", "freshFor": 600}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom", settings, ["If-Match": "*"]).status == 200)
      try await publish()
      #expect(try await confirmed(2) == first)
      let draft = try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("C"))
      #expect(draft.status == 200)
      #expect(try await confirmed(2) == first)
      try await publish()
      let third = try #require(try await confirmed(3))
      #expect(third > first)
      // A rollback to other content is an operator's word, too.
      clock.advance(by: 40)
      let back = try await server.admin(
        "POST", "/pages/home/rollback", #"{"revision": 1}"#, ["If-Match": "*"])
      #expect(back.status == 200, "\(back.text)")
      let fourth = try #require(try await confirmed(4))
      #expect(fourth > first.adding(seconds: 79))
    }
  }

  @Test func `lint says that no source fills the section, until there is a token for it`() async throws {
    try await withServer([Self.document]) { server async throws in
      func codes() async throws -> [String] {
        (try await server.admin("GET", "/pages/home/problems").json["problems"]?.array ?? []).compactMap {
          $0["code"]?.string
        }
      }
      #expect(try await codes().contains("no-source"))
      let token = #"{"name": "prices", "role": "source", "scopes": ["home/bottom"]}"#
      #expect(try await server.admin("POST", "/tokens", token).status == 201)
      #expect(try await !codes().contains("no-source"))
    }
  }

  @Test func `freshFor is from two minutes to thirty days`() async throws {
    try await withServer { server async throws in
      for (seconds, status) in [(119, 422), (120, 200), (2_592_000, 200), (2_592_001, 422)] {
        let settings = #"{"kind": "broadcast", "freshFor": \#(seconds)}"#
        let reply = try await server.admin("PUT", "/pages/home/sections/bottom", settings, ["If-Match": "*"])
        #expect(reply.status == status, "\(seconds): \(reply.text)")
      }
      #expect(try await server.admin("GET", "/export").text.contains("2592000"))
    }
  }

  @Test func `what one node was told is confirmed for all`() async throws {
    let peer = try PostgreSQLServer.running()
    let database = try peer.makeDatabase()
    defer { peer.drop(database) }
    let location = DatabaseLocation(peer.place(database))
    let clock = Self.clockBehind()
    let one = try await RunningServer([Self.document], clock: clock, at: location)
    let other = try await RunningServer([], clock: clock, at: location)
    let end = clock.now.adding(seconds: Self.freshFor)
    clock.advance(by: 60)
    _ = try await Self.push("B", to: one)
    clock.advance(by: Self.freshFor - Self.lead - 60)
    try await waitUntil { Instant.now > end }
    for node in [one, other] {
      #expect(try await node.get("/v1/home").sections == ["top", "middle", "bottom"])
      #expect(try await node.get("/v1/pages/home/sections/bottom")["Hearth-Moment"] == "none")
      #expect(try await node.get("/v1/home")["Hearth-Revision"] == "1.1")
    }
    try await other.stop()
    try await one.stop()
  }
}
