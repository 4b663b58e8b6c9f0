import Foundation
import JSON
import Layout
import Logging
import Peers
import Service
import Storage
import Testing

/// Several servers on one database of PostgreSQL.
@Suite struct NodesTests {
  private static let force = ["If-Match": "*"]

  /// Runs with servers on one database.
  private func withNodes(
    _ count: Int = 2, on server: PostgreSQLServer? = nil, logger: Logger? = nil,
    _ body: ([RunningServer], PostgreSQLServer, String) async throws -> Void
  ) async throws {
    let server = try server ?? .running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let location = DatabaseLocation(server.place(database))
    var nodes: [RunningServer] = []
    for number in 0..<count {
      nodes.append(try await RunningServer(number == 0 ? [Demo.tiny] : [], at: location, logger: logger))
    }
    var failure: (any Error)?
    do { try await body(nodes, server, database) } catch { failure = error }
    for node in nodes { try await node.stop() }
    if let failure { throw failure }
  }

  private static func item(_ title: String) -> String {
    #"{"id": "b", "kind": "navigation", "content": {"title": "\#(title)"}}"#
  }

  private static func content(_ title: String) -> String {
    #"{"items": [{"id": "b", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
  }

  /// Puts and publishes a section's content.
  private static func push(_ title: String, to node: RunningServer) async throws -> Int {
    try await node.admin("PUT", "/pages/home/sections/bottom/content?publish=true", content(title), force).status
  }

  private static func serves(_ title: String, _ node: RunningServer) async throws -> Bool {
    try await node.get("/v1/home").text.contains(#""\#(title)""#)
  }

  @Test func `what is published on one node is served by all, whichever it was`() async throws {
    try await withNodes(3) { nodes, _, _ async throws in
      for (number, node) in nodes.enumerated() {
        #expect(try await Self.push("of node \(number)", to: node) == 200)
        #expect(try await Self.serves("of node \(number)", node))
        for other in nodes { try await waitUntil { try await Self.serves("of node \(number)", other) } }
      }
      let revisions = try await nodes[0].admin("GET", "/pages/home/revisions").json["revisions"]?.array ?? []
      #expect(revisions.compactMap { $0["revision"]?.number?.int } == [4, 3, 2, 1])
    }
  }

  @Test func `a publish that waits answers once all nodes serve it, and names those that do not`() async throws {
    try await withNodes(3) { nodes, server, database async throws in
      func names() async throws -> [JSON] {
        try await nodes[0].admin("GET", "/nodes").json["nodes"]?.array ?? []
      }
      try await waitUntil { try await names().count == 3 }
      let wait = ["Prefer": "wait=10"].merging(Self.force) { $1 }
      for round in 0..<5 {
        #expect(
          try await nodes[1].admin("PUT", "/pages/home/sections/bottom/content", Self.content("\(round)"), Self.force)
            .status == 200)
        let made = try await nodes[round % 3].admin("POST", "/pages/home/publish", "{}", wait)
        #expect(made.json["nodes"] == ["serving": 3, "of": 3])
        for node in nodes { #expect(try await Self.serves("\(round)", node)) }
      }
      let back = try await nodes[0].admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, wait)
      #expect(back.json["nodes"] == ["serving": 3, "of": 3])
      let edition = "1.\(back.json["revision"]?.number?.int ?? 0)"
      let listed = try await names()
      #expect(listed.allSatisfy { $0["alive"] == true && $0["pages"]?["home"] == .string(edition) })
      #expect(listed.map { $0["this"] ?? .null } == [true, false, false])

      // One that is there and follows no more, and one that is gone.
      try server.psql(
        """
        INSERT INTO nodes SELECT 'stuck', 'stuck', 'a:1', since, seen, version, schema, '{"home":"1.1"}' FROM nodes LIMIT 1;
        INSERT INTO nodes SELECT 'gone', 'gone', 'b:1', since, seen - 20000, version, schema, pages FROM nodes LIMIT 1;
        """, database: database)
      let shortly = ["Prefer": "wait=1"].merging(Self.force) { $1 }
      let stuck = try await nodes[0].admin("POST", "/pages/home/publish", "{}", shortly)
      #expect(stuck.json["nodes"] == ["serving": 3, "of": 4, "missing": ["stuck"]])
      // It says why, also before a publish.
      try server.psql(
        #"UPDATE nodes SET pages = '{"":"it is too old"," ":"kinds-unusable","home":"1.1"}' WHERE name = 'stuck'"#,
        database: database)
      let content = "/pages/home/sections/bottom/content?publish=true"
      let pushed = try await nodes[0].admin("PUT", content, Self.content("pushed"), shortly)
      #expect(pushed["Hearth-Nodes"] == #"serving=3, of=4, missing=("stuck")"#)
      let why: JSON = [["name": "stuck", "problem": "it is too old", "problemCode": "kinds-unusable"]]
      #expect(try await names().first { $0["name"] == "stuck" }?["problem"] == "it is too old")
      let dry = try await nodes[0].admin("POST", "/pages/home/publish?dryRun=true", "{}", Self.force)
      #expect(dry.json["nodes"] == ["problems": why])
      let failed = try await nodes[0].admin("POST", "/pages/home/publish", "{}", shortly)
      #expect(failed.json["nodes"] == ["serving": 3, "of": 4, "missing": ["stuck"], "problems": why])
      #expect(try await names().first { $0["name"] == "gone" }?["alive"] == false)
      #expect(try await nodes[0].admin("POST", "/pages/home/publish", "{}", Self.force).json["nodes"] == nil)
      let text = try await Reply(port: nodes[2].server.adminPort, "GET", "/metrics", [:], nil).text
      #expect(text.contains("\nhearth_generation 1\n"))
      #expect(text.contains(#/\nhearth_node_behind_seconds [0-2]\.\d/#))
    }
  }

  @Test func `a node that ends is listed no more, and one that is started again takes its place`() async throws {
    try await withNodes(1) { nodes, server, database async throws in
      let location = DatabaseLocation(server.place(database))
      func names() async throws -> [String] {
        let list = try await nodes[0].admin("GET", "/nodes").json["nodes"]?.array ?? []
        return list.compactMap { $0["name"]?.string }
      }
      let other = try await RunningServer([], at: location) { $0.nodeName = "other" }
      try await waitUntil { try await names().contains("other") }
      try server.psql(
        """
        INSERT INTO nodes SELECT 'killed', name, address, since, seen, version, schema, pages FROM nodes
        WHERE name = 'other'
        """, database: database)
      #expect(try await names().filter { $0 == "other" }.count == 2)
      let port = other.server.publicPort
      try await other.stop()
      #expect(try await names().filter { $0 == "other" }.count == 1)
      let again = try await RunningServer([], at: location) {
        $0.nodeName = "other"
        $0.publicListener.port = port
      }
      try await waitUntil {
        let instances = try server.psql("SELECT instance FROM nodes WHERE name = 'other'", database: database)
        return instances != "killed" && instances.count == 36
      }
      try await again.stop()
    }
  }

  @Test func `a kind that is withheld on one node is withheld on all, and lifted on all`() async throws {
    try await withNodes { nodes, _, _ async throws in
      try await waitUntil { try await nodes[0].admin("GET", "/nodes").json["alive"] == 2 }
      let ios = "/v1/home?platform=ios"
      let before = try await nodes[1].get(ios)
      let body = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}"#
      let wait = ["Prefer": "wait=10"]
      let made = try await nodes[0].admin("PUT", "/withheld/sections/grid", body, wait)
      #expect(made.status == 201, "\(made.text)")
      #expect(made["Hearth-Nodes"] == "serving=2, of=2")
      for node in nodes { #expect(try await node.get(ios).sections == ["middle", "bottom"]) }
      #expect(try await nodes[1].get("/v1/home").body == nodes[0].get("/v1/home").body)
      // What another node publishes meanwhile keeps to it.
      #expect(try await Self.push("meanwhile", to: nodes[1]) == 200)
      #expect(try await nodes[1].get(ios).sections == ["middle", "bottom"])
      let lifted = try await nodes[1].admin("DELETE", "/withheld/sections/grid", nil, wait.merging(Self.force) { $1 })
      #expect(lifted.status == 200, "\(lifted.text)")
      #expect(lifted["Hearth-Nodes"] == "serving=2, of=2")
      for node in nodes { #expect(try await node.get(ios).sections == before.sections) }
    }
  }

  @Test func `a kind is withheld on one node, and kinds are changed, while sources push to all pages by another`()
    async throws
  {
    try await withNodes { nodes, _, _ async throws in
      let names = (0..<8).map { "p\($0)" }
      let section = #"{"id": "only", "kind": "broadcast", "items": [\#(Self.item("0"))]}"#
      for name in names {
        let page = #"{"hearth": 1, "pages": {"\#(name)": {"defaultLocale": "en", "sections": [\#(section)]}}}"#
        #expect(try await nodes[0].admin("POST", "/import", page).status == 200)
        #expect(try await nodes[0].admin("POST", "/pages/\(name)/publish", "{}", Self.force).status == 200)
      }
      let sources = names.map { name in
        Task {
          var count = 0
          while !Task.isCancelled {
            count += 1
            let path = "/pages/\(name)/sections/only/content?publish=true"
            let pushed = try await nodes[1].admin("PUT", path, #"{"items": [\#(Self.item("\(count)"))]}"#)
            #expect(pushed.status == 200, "\(pushed.text)")
          }
          return count
        }
      }
      defer { for source in sources { source.cancel() } }
      let body = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}"#
      for round in 0..<5 {
        let made = try await nodes[0].admin("PUT", "/withheld/items/navigation", body)
        #expect(made.status == 201, "\(made.text)")
        let lifted = try await nodes[0].admin("DELETE", "/withheld/items/navigation", nil, Self.force)
        #expect(lifted.status == 200, "\(lifted.text)")
        let kinds = Demo.tinyKinds.replacing("points: 80", with: "points: \(81 + round)")
        try kinds.write(toFile: nodes[0].folder + "/kinds.yaml", atomically: true, encoding: .utf8)
        let changed = try await nodes[0].admin("POST", "/kinds/reload")
        #expect(changed.status == 200, "\(changed.text)")
      }
      for source in sources {
        source.cancel()
        // A push that is being answered when the end comes is none of the test's.
        if case .success(let count) = await source.result { #expect(count > 0) }
      }
    }
  }

  @Test func `without notifications nodes follow each other by the row that they read`() async throws {
    try await withNodes { nodes, server, database async throws in
      try server.psql("ALTER TABLE changes DISABLE TRIGGER ALL", database: database)
      #expect(try await Self.push("unheard of", to: nodes[0]) == 200)
      try await waitUntil { try await Self.serves("unheard of", nodes[1]) }
    }
  }

  @Test func `an answer that is given again by another node is true there as well`() async throws {
    try await withNodes { nodes, server, database async throws in
      try server.psql("ALTER TABLE changes DISABLE TRIGGER ALL", database: database)
      for number in 0..<3 {
        let content = Self.content("again \(number)")
        #expect(
          try await nodes[0].admin("PUT", "/pages/home/sections/bottom/content", content, Self.force).status == 200)
        // A key is its token's.
        let key = ["If-Match": "*", "Idempotency-Key": "again-\(number)", "Authorization": "Bearer \(nodes[0].admin)"]
        let first = try await nodes[0].admin("POST", "/pages/home/publish", "{}", key)
        let second = try await nodes[1].admin("POST", "/pages/home/publish", "{}", key)
        #expect(second.status == 200 && second["Hearth-Revision"] == first["Hearth-Revision"])
        #expect(try await Self.serves("again \(number)", nodes[1]))
      }
    }
  }

  @Test func `of many editors on all nodes one wins, and a request with one key happens once`() async throws {
    try await withNodes { nodes, _, _ async throws in
      let tag = try #require(try await nodes[0].admin("GET", "/pages/home/sections/bottom/content")["ETag"])
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for number in 0..<20 {
          group.addTask {
            try await nodes[number % 2].admin(
              "PUT", "/pages/home/sections/bottom/content", Self.content("editor \(number)"), ["If-Match": tag]
            ).status
          }
        }
        return try await group.reduce(into: [Int]()) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 200 }.count == 1)
      #expect(statuses.filter { $0 == 412 }.count == 19)

      let token = nodes[0].admin
      let key = ["Idempotency-Key": "one-of-all", "Authorization": "Bearer \(token)"].merging(Self.force) { $1 }
      let made = try await withThrowingTaskGroup(of: Reply.self) { group in
        for number in 0..<6 {
          group.addTask { try await nodes[number % 2].admin("POST", "/pages/home/publish", "{}", key) }
        }
        return try await group.reduce(into: [Reply]()) { $0.append($1) }
      }
      // One that comes while the first is running is told to try again.
      #expect(made.allSatisfy { [200, 409].contains($0.status) })
      #expect(Set(made.filter { $0.status == 200 }.compactMap { $0.json["revision"]?.number?.int }) == [2])
      #expect(try await nodes[0].admin("GET", "/pages/home/revisions").json["revisions"]?.array?.count == 2)
    }
  }

  @Test func `a token that is revoked on one node opens no other`() async throws {
    try await withNodes { nodes, _, _ async throws in
      let text = try await nodes[0].store.createToken(name: "t", role: .viewer, by: Actor(name: "test")).text
      let fields = ["Authorization": "Bearer \(text.text)"]
      #expect(try await nodes[1].admin("GET", "/pages", nil, fields).status == 200)
      try await nodes[0].store.revokeToken(text.selector, by: Actor(name: "test"))
      #expect(try await nodes[1].admin("GET", "/pages", nil, fields).status == 401)
    }
  }

  @Test func `a node that cannot read the kinds leaves what is due to others`() async throws {
    try await withNodes { nodes, server, database async throws in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await nodes[0].admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      let at = nodes[0].store.clock().adding(seconds: 3)
      let made = try await nodes[0].admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
      // As a newer program would write them.
      try server.psql(
        """
        UPDATE kinds SET hash = reverse(hash), document = '{"newer": ' || document || '}', changed = changed + 1
        """, database: database)
      for node in nodes {
        try await waitUntil { try await Self.status(node).contains("what is due stays scheduled") }
      }
      let waiting = try await nodes[1].admin("GET", "/pages/home/scheduled").json["scheduled"]?.array
      #expect(waiting?.count == 1)
      try server.psql(
        """
        UPDATE kinds SET hash = reverse(hash), document = substr(document, 11, length(document) - 11),
          changed = changed + 1
        """, database: database)
      for node in nodes {
        try await waitUntil { try await node.get("/v1/home").sections == ["bottom", "middle", "top"] }
        try await waitUntil { try await !Self.status(node).contains("what is due stays scheduled") }
      }
      #expect(
        try server.psql("SELECT count(*) FROM audit WHERE action = 'page.schedule.fail'", database: database) == "0")
    }
  }

  @Test func `one node's wrong clock neither publishes, nor forgets, nor prunes`() async throws {
    try await withNodes(1) { nodes, server, database async throws in
      let own = nodes[0]
      for (seconds, what) in [(7_200, "hours"), (3_456_000, "days"), (-7_200, "back")] as [(Int64, String)] {
        func key(_ name: String) -> [String: String] {
          ["If-Match": "*", "Idempotency-Key": "\(name)-\(what)", "Authorization": "Bearer \(own.admin)"]
        }
        func count(_ table: String) throws -> String {
          try server.psql("SELECT count(*) FROM \(table)", database: database)
        }
        #expect(try await own.admin("POST", "/pages/home/publish", "{}", key("first")).status == 200)
        #expect(try await own.admin("POST", "/pages/home/publish", "{}", key("second")).status == 200)
        let revisions = Int(try count("revisions")) ?? 0
        let clock = TestClock()
        clock.advance(by: seconds)
        let wrong = try await RunningServer(
          [], clock: clock, storeClock: StoreClock(machine: { clock.now.secondsSinceEpoch * 1_000 }),
          at: DatabaseLocation(server.place(database))
        ) { settings in
          settings.revisionsKept = 1
          settings.nodeName = "wrong"
        }
        // Keys are purged with the next one.
        #expect(try await wrong.admin("POST", "/pages/home/publish", "{}", key("third")).status == 200)
        let again = try await wrong.admin("POST", "/pages/home/publish", "{}", key("first"))
        #expect(again["Idempotency-Replayed"] == "true", "\(again.text)")
        let at = own.store.clock().adding(seconds: 3)
        let later = own.store.clock().adding(seconds: 3_600)
        for time in [at, later] {
          let made = try await wrong.admin("POST", "/pages/home/scheduled", #"{"at": "\#(time)"}"#, Self.force)
          #expect(made.status == 201, "\(made.text)")
        }
        try await waitUntil { try count("scheduled_publishes") == "1" }
        let early = "revisions WHERE kind = 'scheduled' AND made_at < \(at.secondsSinceEpoch) AND number > \(revisions)"
        #expect(try count(early) == "0")
        // Those of before, the third, and the one that was due.
        #expect(try count("revisions") == "\(revisions + 2)")
        let id = try await own.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.first?["id"]?.int
        #expect(try await own.admin("DELETE", "/pages/home/scheduled/\(id ?? 0)").status == 204)
        #expect(try await Self.status(wrong).contains("this machine's clock is"))
        #expect(try await !Self.status(own).contains("this machine's clock is"))
        let metrics = try await Reply(port: wrong.server.adminPort, "GET", "/metrics", [:], nil).text
        let ahead = metrics.firstMatch(of: #/\nhearth_clock_ahead_seconds (-?[0-9.]+)\n/#).flatMap { Double($0.1) }
        #expect(abs((ahead ?? 0) - Double(seconds)) < 5, "\(ahead ?? 0)")
        try await wrong.stop()
      }
    }
  }

  @Test func `other history is noticed, also where as many changes were made in it`() async throws {
    try await withNodes(1) { nodes, server, database async throws in
      #expect(try await Self.push("served", to: nodes[0]) == 200)
      // As after a restore and one change by another node: the same number.
      try server.psql(
        """
        ALTER TABLE revisions DISABLE TRIGGER USER;
        UPDATE revisions SET identity = 'another' WHERE page = 'home' AND number = 2;
        ALTER TABLE revisions ENABLE TRIGGER USER;
        UPDATE changes SET number = number;
        """, database: database)
      try await waitUntil { try await Self.status(nodes[0]).contains("history was cut") }
    }
  }

  @Test func `a lock that somebody has for long is told of by all nodes`() async throws {
    let lines = LogLines()
    try await withNodes(logger: lines.logger) { nodes, server, database async throws in
      let holding = Task.detached {
        try server.psql("BEGIN; LOCK TABLE audit IN EXCLUSIVE MODE; SELECT pg_sleep(300); COMMIT", database: database)
      }
      for node in nodes {
        try await waitUntil {
          try await Self.status(node).contains("(hearth, psql, active) has had a lock of the database for")
        }
        let metrics = try await Reply(port: node.server.adminPort, "GET", "/metrics", [:], nil).text
        #expect(metrics.contains(#/\nhearth_lock_held_seconds [1-9]/#))
      }
      try server.psql(
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()"
      )
      _ = await holding.result
      for node in nodes { try await waitUntil { try await !Self.status(node).contains("has had a lock") } }
      // One line of each node when it began, and one when it was over.
      let told = "error somebody has a lock of the database that changes wait for"
      try await waitUntil { lines.with("is free again").count == nodes.count }
      #expect(lines.with(told).count == nodes.count && lines.with(told).allSatisfy { $0.contains("(hearth, psql") })
    }
  }

  @Test func `a database that is to be read-only is left as it is, and changed again once it may be`() async throws {
    try await withNodes(1) { nodes, server, database async throws in
      try server.psql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
      try server.cut(database)
      #expect(try await Self.push("refused", to: nodes[0]) == 503)
      try await waitUntil { try await Self.status(nodes[0]).contains("read-only") }
      #expect(try await nodes[0].get("/v1/home").status == 200)
      #expect(try await !Self.serves("refused", nodes[0]))
      try server.psql(
        "SET default_transaction_read_only = off; ALTER DATABASE \(database) RESET default_transaction_read_only")
      try server.cut(database)
      try await waitUntil { try await Self.push("taken", to: nodes[0]) == 200 }
    }
  }

  @Test func `a node that is cut off answers nobody who wants to know what is live, and all go on without`()
    async throws
  {
    let own = try PostgreSQLServer()
    try await withNodes(1, on: own) { nodes, server, database async throws in
      try server.psql("CREATE ROLE cut LOGIN SUPERUSER")
      let lone = try await RunningServer([], at: DatabaseLocation(server.place(database, user: "cut")))
      let front = try Front(before: [nodes[0].server.publicPort, lone.server.publicPort], isEncrypted: false)
      let fresh = ["Hearth-Age-Max": "2"]
      func poll(_ node: RunningServer, _ path: String, _ fields: [String: String] = [:]) async throws -> Reply {
        try await node.get(path, fields)
      }
      for node in [nodes[0], lone] {
        for path in ["/v1/home", "/v1/pages", "/v1/pages/home/sort-rule", "/readyz?fresh=2"] {
          #expect(try await poll(node, path, fresh).status == 200, "\(path)")
        }
        #expect(try await poll(node, "/readyz?fresh=x").code == "malformed-parameter")
        #expect(try await poll(node, "/v1/home", ["Hearth-Age-Max": "x"]).status == 200)
      }
      try server.psql("ALTER ROLE cut NOLOGIN")
      try server.psql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'cut'")
      try await waitUntil { try await poll(lone, "/v1/home", fresh).code == "not-fresh" }
      #expect(try await poll(lone, "/v1/pages", fresh).code == "not-fresh")
      #expect(try await poll(lone, "/readyz?fresh=2").code == "not-fresh")
      let admin = try await Reply(port: lone.server.adminPort, "GET", "/readyz?fresh=2", [:], nil)
      #expect(admin.code == "not-fresh" && admin["Retry-After"] == "1")
      for path in ["/readyz", "/healthz", "/v1/home", "/readyz?fresh=1000"] {
        #expect(try await poll(lone, path).status == 200, "\(path)")
      }
      #expect(try await poll(nodes[0], "/v1/home", fresh).status == 200)
      // The front sends nobody to it: nobody goes back.
      try await waitUntil { try await poll(lone, "/v1/home", ["Hearth-Age-Max": "3"]).status == 503 }
      #expect(try await Self.push("newest", to: nodes[0]) == 200)
      for number in 0..<30 {
        let reply = try await Reply(port: front.port, "GET", "/v1/home?n=\(number)", [:], nil)
        #expect(reply["Hearth-Revision"] == "1.2", "\(number)")
      }
      // Where no node knows, what they have is served, and not what the front has.
      try server.stop()
      try await waitUntil { try await poll(nodes[0], "/v1/home", ["Hearth-Age-Max": "3"]).status == 503 }
      let before = try await nodes[0].answered() + lone.answered()
      for number in 100..<120 {
        #expect(try await Reply(port: front.port, "GET", "/v1/home?n=\(number)", [:], nil).status == 200, "\(number)")
      }
      #expect(try await nodes[0].answered() + lone.answered() >= before + 20)
      try server.start()
      try await waitUntil { try await poll(nodes[0], "/v1/home", fresh).status == 200 }
      try await lone.stop()
    }
  }

  private static func status(_ node: RunningServer) async throws -> String {
    try await Reply(port: node.server.adminPort, "GET", "/status", [:], nil).text
  }

  @Test func `while the server is gone polls go on and changes are refused, and afterwards all is as ever`()
    async throws
  {
    let own = try PostgreSQLServer()
    try await withNodes(on: own) { nodes, _, _ async throws in
      let before = try await nodes[1].get("/v1/home")
      try own.stop()
      for node in nodes {
        #expect(try await node.get("/v1/home").text == before.text)
        #expect(try await node.get("/readyz").status == 200)
        let refused = try await node.admin(
          "PUT", "/pages/home/sections/bottom/content?publish=true", Self.content("lost"), Self.force)
        #expect(refused.status == 503)
        #expect(refused.json["code"] == "database-unavailable")
        #expect(refused["Retry-After"] != nil)
      }
      try own.start()
      #expect(try await Self.push("found again", to: nodes[0]) == 200)
      for node in nodes { try await waitUntil { try await Self.serves("found again", node) } }
    }
  }

  @Test func `a node that starts serves what is live, and one that ends is missed by nobody`() async throws {
    try await withNodes { nodes, server, database async throws in
      #expect(try await Self.push("before", to: nodes[0]) == 200)
      let late = try await RunningServer([], at: DatabaseLocation(server.place(database)))
      #expect(try await Self.serves("before", late))
      #expect(try await Self.push("by the third", to: late) == 200)
      try await late.stop()
      for node in nodes { try await waitUntil { try await Self.serves("by the third", node) } }
    }
  }
}
