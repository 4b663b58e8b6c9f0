#if PostgreSQL

import Foundation
import JSON
import Layout
import Peers
import Service
import Storage
import Testing

/// Several servers on one database of PostgreSQL.
@Suite struct NodesTests {
  private static let force = ["If-Match": "*"]

  /// Runs with servers on one database.
  private func withNodes(
    _ count: Int = 2, on server: PostgreSQLServer? = nil,
    _ body: ([RunningServer], PostgreSQLServer, String) async throws -> Void
  ) async throws {
    let server = try server ?? .running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let location = DatabaseLocation(server.place(database))
    var nodes: [RunningServer] = []
    for number in 0..<count {
      nodes.append(try await RunningServer(number == 0 ? [Demo.tiny] : [], at: location))
    }
    var failure: (any Error)?
    do { try await body(nodes, server, database) } catch { failure = error }
    for node in nodes { try await node.stop() }
    if let failure { throw failure }
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

#endif
