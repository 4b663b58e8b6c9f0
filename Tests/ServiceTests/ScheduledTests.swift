import JSON
import Layout
import Testing

@Suite struct ScheduledTests {
  private static let force = ["If-Match": "*"]

  /// The titles of the items that clients get in the section `top`.
  private static func titles(_ server: RunningServer) async throws -> [String] {
    let page = try await server.get("/v1/home?locale=en").json
    let section = page["sections"]?.array?.first { $0["id"] == "top" }
    return (section?["items"]?.array ?? []).compactMap { $0["content"]?["title"]?.string }
  }

  @Test func `a scheduled revision goes live at its second, and later changes of the draft do not`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      let at = clock.now.adding(seconds: 600)
      let made = try await server.admin(
        "POST", "/pages/home/scheduled", #"{"at": "\#(at)", "zone": "Asia/Shanghai", "message": "Turn"}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
      #expect(made.json["revision"] == nil)
      #expect(made.json["zone"]?.string == "Asia/Shanghai")
      let again = #"{"sections": ["middle", "bottom", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", again, Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
      clock.advance(by: 600)
      try await waitUntil { try await server.get("/v1/home").sections == ["bottom", "middle", "top"] }
      let live = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.first
      #expect(live?["kind"]?.string == "scheduled")
      #expect(live?["revision"]?.int == 2)
      #expect(live?["source"] == nil)
      #expect(live?["author"]?.string == "scheduler for tester")
      #expect(try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.isEmpty == true)
    }
  }

  @Test func `the timeline tells of it, and whoever waits gets it with the age of a fresh page`() async throws {
    try await withServer { server in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      // The engine tells the time of Cache-Control, so the schedule is set by the real clock.
      let at = Instant.now.adding(seconds: 8)
      let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
      for revision in ["draft", "live"] {
        let path = "/pages/home/timeline?revision=\(revision)"
        let first = try await server.admin("GET", path).json["flips"]?.array?.first
        #expect(first?["at"]?.string == "\(at)")
        #expect(first?["what"]?.string == "publishes")
        #expect(first?["revision"] == nil)
      }
      let tag = try #require(try await server.get("/v1/home")["ETag"])
      let changed = try await server.get("/v1/home", ["If-None-Match": tag, "Prefer": "wait=15"])
      #expect(changed.status == 200)
      #expect(changed.sections == ["bottom", "middle", "top"])
      #expect(changed["Cache-Control"]?.contains("max-age=30") == true)
    }
  }

  @Test func `a publish in the second in which something is due does not keep that from going live`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      for time in 1...3 {
        let at = clock.now.adding(seconds: 600)
        let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
        #expect(made.status == 201, "\(made.text)")
        clock.advance(by: 600)
        // Before the look of this second, or behind it.
        let items = #"{"items":[{"id":"n","kind":"navigation","content":{"title":"\#(time)"}}]}"#
        let pushed = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", items)
        #expect(pushed.status == 200, "\(pushed.text)")
        try await server.servesScheduled()
      }
    }
  }

  @Test func `what lint refuses when it is due is held with all that was scheduled, until it is released`() async throws
  {
    let clock = TestClock()
    let kinds = Demo.tinyKinds.replacing("maximum: 100", with: "maximum: 3")
    try await withServer(kinds: kinds, clock: clock) { server in
      func put(_ id: String, _ query: String = "") async throws -> Int {
        let item = #"{"kind": "navigation", "content": {"title": "\#(id)"}}"#
        return try await server.admin("PUT", "/pages/home/sections/top/items/\(id)\(query)", item).status
      }
      #expect(try await put("c") == 201)
      let at = clock.now.adding(seconds: 600)
      let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      let id = try #require(made.json["id"]?.int)
      #expect(try await server.admin("DELETE", "/pages/home/sections/top/items/c").status == 204)
      // Three where it goes live and in the draft, and four in what waits.
      #expect(try await put("d", "?publish=true") == 201)
      clock.advance(by: 600)
      func listed() async throws -> JSON? {
        try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.first
      }
      try await waitUntil { try await listed()?["missed"] == true }
      #expect(try await Self.titles(server) == ["Scan", "Pay", "d"])
      let audit = try await server.admin("GET", "/audit?page=home").json["entries"]?.array?.first
      #expect(audit?["action"]?.string == "page.schedule.fail", "\(String(describing: audit))")
      #expect(audit?["detail"]?.string?.contains("at most 3") == true, "\(String(describing: audit))")
      #expect(try await server.admin("POST", "/pages/home/scheduled/\(id)/release", "{}").status == 200)
      try await waitUntil {
        let rows = try await server.admin("GET", "/audit?action=page.schedule.fail").json["entries"]?.array
        return rows?.count == 2
      }
      #expect(try await listed()?["missed"] == true)
      #expect(try await server.admin("DELETE", "/pages/home/sections/top/items/d?publish=true").status == 204)
      #expect(try await server.admin("POST", "/pages/home/scheduled/\(id)/release", "{}").status == 200)
      try await waitUntil { try await Self.titles(server) == ["Scan", "Pay", "c"] }
      #expect(try await listed() == nil)
    }
  }

  @Test func `a push takes the audiences that it needs into what waits`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let vip = #"{"attribute": "platform", "in": ["ios"]}"#
      #expect(try await server.admin("PUT", "/audiences/vip", vip, ["If-None-Match": "*"]).status == 201)
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      let at = clock.now.adding(seconds: 600)
      #expect(try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force).status == 201)
      let item = #"{"kind": "navigation", "content": {"title": "V"}, "audience": "vip"}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top/items/v?publish=true", item).status == 201)
      // Nothing that is live, nor the draft, has the audience any more.
      let back = try await server.admin(
        "POST", "/pages/home/rollback", #"{"revision": 1, "draft": "reset"}"#, Self.force)
      #expect(back.status == 200, "\(back.text)")
      #expect(try await server.admin("DELETE", "/audiences/vip", "", Self.force).status == 204)
      clock.advance(by: 600)
      try await waitUntil { try await server.get("/v1/home").sections == ["bottom", "middle", "top"] }
      #expect(try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.isEmpty == true)
    }
  }

  @Test func `a source takes out what waits alone, and the audit tells of it`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let path = "/pages/home/sections/top/items/w"
      let item = #"{"kind": "navigation", "content": {"title": "W"}}"#
      #expect(try await server.admin("PUT", path, item).status == 201)
      let at = clock.now.adding(seconds: 600)
      #expect(try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force).status == 201)
      #expect(try await server.admin("DELETE", path).status == 204)
      #expect(try await server.admin("DELETE", path).status == 404)
      #expect(try await server.admin("POST", path + "/restore?publish=true", "{}").status == 404)
      #expect(try await server.admin("DELETE", path + "?publish=true").status == 204)
      let audit = try await server.admin("GET", "/audit?page=home").json["entries"]?.array?.first
      #expect(audit?["action"]?.string == "item.delete", "\(String(describing: audit))")
      #expect(try await server.admin("DELETE", path + "?publish=true").status == 404)
      clock.advance(by: 600)
      try await waitUntil {
        try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.isEmpty == true
      }
      #expect(try await Self.titles(server) == ["Scan", "Pay"])
    }
  }

  @Test func `an earlier revision can be scheduled too`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).json["revision"]?.int == 2)
      let at = clock.now.adding(seconds: 600)
      let made = try await server.admin(
        "POST", "/pages/home/scheduled", #"{"at": "\#(at)", "revision": 1}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
      #expect(made.json["revision"]?.int == 1)
      clock.advance(by: 600)
      try await waitUntil { try await server.get("/v1/home").sections == ["top", "middle", "bottom"] }
    }
  }

  @Test func `max-age never reaches past a scheduled publish`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      #expect(try await server.get("/v1/home")["Cache-Control"]?.contains("max-age=30") == true)
      // The engine tells the time of Cache-Control, so the schedule is set by the real clock.
      let at = Instant.now.adding(seconds: 25)
      let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
      let poll = try await server.get("/v1/home")
      let field = try #require(poll["Cache-Control"])
      let age = try #require(Int(field.split(separator: "max-age=")[1].prefix { $0.isNumber }))
      #expect(age <= 25)
      let id = try #require(made.json["id"]?.int)
      #expect(try await server.admin("DELETE", "/pages/home/scheduled/\(id)").status == 204)
      #expect(try await server.get("/v1/home")["Cache-Control"]?.contains("max-age=30") == true)
    }
  }

  @Test func `what came due while the server was down is live before the first answer`() async throws {
    let clock = TestClock()
    let first = try await RunningServer(clock: clock)
    let order = #"{"sections": ["bottom", "middle", "top"]}"#
    #expect(try await first.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
    let at = clock.now.adding(seconds: 600)
    #expect(try await first.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force).status == 201)
    try await first.stop(keepsFolder: true)
    clock.advance(by: 3_600)
    let second = try await RunningServer([], folder: first.folder, clock: clock)
    #expect(try await second.get("/v1/home").sections == ["bottom", "middle", "top"])
    try await second.stop()
  }

  @Test(arguments: [
    (#"{"at": "2020-01-01T00:00:00Z"}"#, "/at"), (#"{}"#, "/at"),
    (#"{"at": "2099-01-01T00:00", "zone": "Mars/Base"}"#, "/zone"),
    (#"{"at": "2099-01-01T00:00:00Z", "revision": 0}"#, "/revision"),
    (#"{"at": "2099-01-01T00:00:00Z", "when": 1}"#, "/when"), ("[]", ""),
    // A time that the clocks of the zone never show.
    (#"{"at": "2099-03-29T02:30", "zone": "Europe/Berlin"}"#, "/at"),
  ])
  func `a wrong schedule is refused at its place`(body: String, pointer: String) async throws {
    try await withServer { server in
      let reply = try await server.admin("POST", "/pages/home/scheduled", body, Self.force)
      #expect(reply.status == 422, "\(reply.text)")
      #expect(reply.json["errors"]?.array?.contains { $0["pointer"]?.string == pointer } == true, "\(reply.text)")
    }
  }

  @Test func `a publish that is tried again with its Idempotency-Key happens once`() async throws {
    try await withServer { server in
      let fields = ["If-Match": "*", "Idempotency-Key": "k1"]
      let first = try await server.admin("POST", "/pages/home/publish", #"{"message": "a"}"#, fields)
      let second = try await server.admin("POST", "/pages/home/publish", #"{"message": "a"}"#, fields)
      #expect(first.status == 200)
      #expect(second.status == 200)
      #expect(first.body == second.body)
      #expect(second["Idempotency-Replayed"] == "true")
      #expect(second["ETag"] == first["ETag"])
      let other = try await server.admin("POST", "/pages/home/publish", #"{"message": "b"}"#, fields)
      #expect(other.status == 422)
      #expect(other.code == "idempotency-key-reused")
      #expect(try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.count == 2)
    }
  }

  @Test func `an Idempotency-Key is forgotten after 24 hours`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let fields = ["If-Match": "*", "Idempotency-Key": "k1"]
      for (seconds, revision) in [(0, 2), (86_100, 2), (301, 3)] as [(Int64, Int)] {
        clock.advance(by: seconds)
        let reply = try await server.admin("POST", "/pages/home/publish", "{}", fields)
        #expect(reply.json["revision"]?.int == revision)
      }
    }
  }
}
