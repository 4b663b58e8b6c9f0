import Foundation
import JSON
import Layout
import Peers
import Service
import Storage
import Synchronization
import Testing

/// Kinds change while polls go on: the database's nodes agree on them, and what they would break is refused.
@Suite struct KindsReloadTests {
  private static let force = ["If-Match": "*"]
  private static let higher = Demo.tinyKinds.replacing("points: 80", with: "points: 90")
  /// A second page, which shows no grid.
  private static let other = """
    hearth: 1
    pages:
      other:
        title: Other
        defaultLocale: en
        locales: [en]
        sections: [{id: only, kind: broadcast, items: [{id: a, kind: navigation, content: {title: A}}]}]
        sortRules: {default: {indices: {only: 0}}}
    """

  /// Writes a server's file of kinds, and has it reloaded.
  private static func reload(
    _ kinds: String, _ server: RunningServer, force isForced: Bool = false
  ) async throws -> Reply {
    try kinds.write(toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    return try await server.admin("POST", "/kinds/reload\(isForced ? "?force=true" : "")")
  }

  private static func status(_ server: RunningServer) async throws -> JSON {
    try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
  }

  @Test func `each page that may look different gets a revision with the content that is live`() async throws {
    let folder = try RunningServer.makeFolder()
    func start(_ documents: [String], _ kinds: String) async throws -> RunningServer {
      try await RunningServer(documents, kinds: kinds, folder: folder) {
        $0.servedFile = folder + "/served"
        $0.snapshotFile = folder + "/snapshot"
      }
    }
    let server = try await start([Demo.tiny, Self.other], Demo.tinyKinds)
    let before = try await server.get("/v1/home")
    let draft = try await server.admin(
      "PUT", "/pages/home/sections/bottom/content", #"{"items": []}"#, Self.force)
    #expect(draft.status == 200)
    let reply = try await Self.reload(Self.higher, server)
    #expect(reply.status == 200, "\(reply.text)")
    #expect(reply.json["revisions"] == [["page": "home", "revision": 2]])
    #expect(reply.json["differences"]?.array?.count == 1)
    let after = try await server.get("/v1/home")
    #expect(after["Hearth-Revision"] == "1.2")
    #expect(
      after.text
        == before.text.replacing("80", with: "90").replacing(
          before.json["version"]?.string ?? "?", with: after.json["version"]?.string ?? "?"))
    #expect(try await server.get("/v1/pages/other")["Hearth-Revision"] == "1.1")
    // The draft's edit is still a draft's.
    #expect(after.text.contains(#""id":"b""#))
    let revisions = try await server.admin("GET", "/pages/home/revisions?kind=kinds").json["revisions"]?.array ?? []
    #expect(revisions.compactMap { $0["revision"]?.int } == [2])
    let audit = try await server.admin("GET", "/audit?action=kinds.reload").json["entries"]?.array ?? []
    #expect(audit.first?["actor"] == "tester")
    #expect(audit.first?["after"] == reply.json["hash"])
    #expect(try await Self.status(server)["kinds"] == ["hash": reply.json["hash"] ?? .null, "fileDiffers": false])
    // The same again changes nothing.
    #expect(try await server.admin("POST", "/kinds/reload").json["revisions"] == [])
    // Clients that hold what was before get what is now, whatever else is published.
    #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
    let last = try await server.get("/v1/home")
    #expect(last["Hearth-Revision"] == "1.3")
    #expect(last.text.contains("90"))
    try await server.stop(keepsFolder: true)

    let again = try await start([], Self.higher)
    #expect(try await again.get("/v1/home").text == last.text)
    #expect(try await again.get("/v1/home")["Hearth-Revision"] == "1.3")
    try await again.stop()
  }

  @Test func `another value of a token is sent at once, and a rollback has it, too`() async throws {
    func kinds(_ tokens: String) -> String { "tokens: \(tokens)\n" + Demo.tinyKinds }
    let layout = "layout: {itemSpacing: {$token: gap}, background: {color: {$token: brand}}}"
    let page = Self.other.replacing("kind: broadcast,", with: "kind: broadcast, \(layout),")
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer(
      [Demo.tiny, page], kinds: kinds("{gap: 4, brand: \"#FF0000\"}"), folder: folder)
    let before = try await server.get("/v1/pages/other")
    #expect(before.text.contains(#""itemSpacing":4"#) && before.text.contains("#FF0000"))
    let reply = try await Self.reload(kinds("{gap: 6, brand: {light: \"#00FF00\", dark: \"#008800\"}}"), server)
    #expect(reply.status == 200, "\(reply.text)")
    #expect(reply.json["revisions"]?.array?.count == 2)
    let after = try await server.get("/v1/pages/other")
    #expect(after.text.contains(#""itemSpacing":6"#) && after.text.contains(##""light":"#00FF00","dark":"#008800""##))
    let back = try await server.admin("POST", "/pages/other/rollback", #"{"revision": 1}"#, Self.force)
    #expect(back.status == 200, "\(back.text)")
    #expect(try await server.get("/v1/pages/other").text.contains(#""itemSpacing":6"#))
    // Without one that is in use, the file is refused, and what is live stays.
    let refused = try await Self.reload(kinds("{gap: 6}"), server)
    #expect(refused.status == 409, "\(refused.text)")
    #expect(refused.text.contains("unknown-token") || refused.text.contains("there is no token"))
    #expect(try await server.get("/v1/pages/other").text.contains("#00FF00"))
    let put = try await server.admin(
      "PUT", "/pages/other/sections/only",
      #"{"kind": "broadcast", "layout": {"itemSpacing": {"$token": "space"}}, "items": []}"#, Self.force)
    #expect(put.status == 422 && put.text.contains("unknown-token"), "\(put.text)")
    try await server.stop()
  }

  @Test func `what a file would break is refused by page, state, place, kind and keyword`() async throws {
    try await withServer { server async throws in
      let before = try await server.get("/v1/home")
      let narrower = Demo.tinyKinds.replacing(
        "minLength: 1, x-localized: true", with: "minLength: 1, maxLength: 3, x-localized: true")
      let refused = try await Self.reload(narrower, server)
      #expect(refused.status == 409)
      #expect(refused.code == "kinds-break-content")
      let errors = refused.json["errors"]?.array ?? []
      #expect(Set(errors.compactMap { $0["state"]?.string }) == ["live", "draft"])
      let first = try #require(errors.first)
      #expect(first["file"]?.string == server.folder + "/kinds.yaml")
      #expect(first["page"] == "home")
      #expect(first["kind"] == "navigation")
      #expect(first["keyword"] == "maxLength")
      #expect(first["pointer"]?.string?.hasPrefix("/sections/") == true)
      #expect(try await server.get("/v1/home").text == before.text)
      #expect(try await Self.status(server)["kinds"]?["fileDiffers"] == true)
      #expect(try await !server.admin("GET", "/kinds").text.contains("maxLength"))

      #expect(try await Self.reload(narrower, server, force: true).status == 200)
      #expect(try await server.admin("GET", "/kinds").text.contains("maxLength"))
      // What is wrong by both breaks by neither.
      #expect(try await Self.reload(narrower.replacing("points: 80", with: "points: 90"), server).status == 200)
    }
  }

  @Test func `what is live stays although its kinds are gone, and nothing with them is published again`() async throws {
    let without = """
      itemKinds:
        title: {content: {type: object, required: [text], properties: {text: {type: string, x-localized: true}}}}
      sectionKinds:
        other: {layout: {style: list}, items: {kinds: [title]}}
        broadcast: {layout: {style: list, itemSize: {width: container, height: {points: 44}}}, items: {kinds: [title], maximum: 100}, slots: {hot: {kinds: [title]}}}
      """
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer([Demo.tiny], kinds: Demo.tinyKinds, folder: folder)
    let before = try await server.get("/v1/home")
    #expect(try await Self.reload(without, server).status == 409)
    let reply = try await Self.reload(without, server, force: true)
    #expect(reply.status == 200, "\(reply.text)")
    #expect(reply.json["kept"] == ["items/navigation", "sections/grid"])
    let after = try await server.get("/v1/home")
    #expect(after.body == before.body)
    #expect(after["ETag"] == before["ETag"])
    // The same again changes nothing.
    #expect(try await Self.reload(without, server, force: true).json["revisions"] == [])
    // Nobody publishes it, nor pushes it, nor makes more of it.
    let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
    #expect(published.status == 422 && published.code == "not-publishable", "\(published.text)")
    let item = #"{"kind": "navigation", "content": {"title": "B"}}"#
    let pushed = try await server.admin("PUT", "/pages/home/sections/bottom/items/b?publish=true", item)
    #expect(pushed.status == 422 && !pushed.text.contains(#""known":["navigation"#), "\(pushed.text)")
    #expect(try await server.admin("PUT", "/pages/home/sections/new", #"{"kind": "grid"}"#).status == 422)
    try await server.stop(keepsFolder: true)

    // A start with the file does no more harm than a reload, and once nothing that is live uses them they are gone.
    let again = try await RunningServer([], kinds: without, folder: folder)
    #expect(try await again.get("/v1/home").body == before.body)
    for section in ["top", "middle", "bottom"] {
      #expect(try await again.admin("DELETE", "/pages/home/sections/\(section)", nil, Self.force).status == 204)
    }
    #expect(try await again.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
    #expect(try await Self.reload(without, again).json["kept"] == [])
    #expect(try await !again.admin("GET", "/kinds").text.contains("navigation"))
    try await again.stop()
  }

  @Test(.disabled(if: TestEngine.isPostgreSQL, "there a start never takes the file"))
  func `a start beside a kinds.yaml that what is live was not made with keeps the kinds of the database`() async throws
  {
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer([Demo.tiny], kinds: Demo.tinyKinds, folder: folder)
    let before = try await server.get("/v1/home")
    let kinds = try await server.admin("GET", "/kinds").text
    let push = "/pages/home/sections/bottom/items/b?publish=true"
    try await server.stop(keepsFolder: true)
    let stock = """
      itemKinds:
        title: {content: {type: object, required: [text], properties: {text: {type: string, x-localized: true}}}}
      sectionKinds:
        other: {layout: {style: list}, items: {kinds: [title]}}
      """
    let beside = try await RunningServer([], kinds: stock, folder: folder)
    let after = try await beside.get("/v1/home")
    #expect(after.body == before.body && after["Hearth-Revision"] == before["Hearth-Revision"])
    #expect(try await beside.admin("GET", "/kinds").text == kinds)
    #expect(try await Self.status(beside)["kinds"]?["fileDiffers"] == true)
    let pushed = try await beside.admin("PUT", push, #"{"kind": "navigation", "content": {"title": "B"}}"#)
    #expect(pushed.status < 300, "\(pushed.text)")
    try await beside.stop(keepsFolder: true)
    // What breaks nothing is taken.
    let wider = try await RunningServer(
      [], kinds: Demo.tinyKinds + "\n  wider: {layout: {style: list}, items: {kinds: [title]}}", folder: folder)
    #expect(try await wider.admin("GET", "/kinds").text.contains("wider"))
    // Whoever means the other file says so.
    #expect(try await Self.reload(stock, wider, force: true).status == 200)
    #expect(try await Self.status(wider)["kinds"]?["fileDiffers"] == true)
    try await wider.stop()
  }

  @Test func `after a reload by force a source is refused for what it sends, and for nothing that others had sent`()
    async throws
  {
    let row = "{kind: navigation, content: {title: Long}}"
    let document = Demo.tiny.replacing(
      "items: [{id: b, kind: navigation, content: {title: B}}]",
      with: "items: [\(row.replacing("{k", with: "{id: b, k")), \(row.replacing("{k", with: "{id: c, k"))]\n"
        + "        slots: {hot: \(row)}")
    try await withServer([document]) { server async throws in
      let path = "/pages/home/sections/bottom"
      func item(_ title: String) -> String { #"{"kind": "navigation", "content": {"title": "\#(title)"}}"# }
      func send(_ method: String, _ place: String, _ body: String? = nil) async throws -> Reply {
        try await server.admin(method, path + place, body)
      }
      func live() async throws -> [String] {
        try await server.get("/v1/pages/home/sections/bottom").json["items"]?.array?.compactMap { $0["id"]?.string }
          ?? []
      }
      let narrower = Demo.tinyKinds.replacing(
        "minLength: 1, x-localized: true", with: "minLength: 1, maxLength: 3, x-localized: true"
      ).replacing(
        "items: {kinds: [navigation], maximum: 100}\n    slots",
        with: "items: {kinds: [navigation], maximum: 3}\n    slots")
      #expect(try await Self.reload(narrower, server, force: true).status == 200)

      // What is valid goes in, and live.
      #expect(try await send("PUT", "/items/n", item("N")).status == 201)
      let put = try await send("PUT", "/items/n?publish=true", item("M"))
      #expect(put.status == 200, "\(put.text)")
      #expect(try await live() == ["b", "c", "n"])
      let unsaved = #"{"items": {"bottom": {"n": \#(item("O"))}}}"#
      let preview = try await server.admin("POST", "/pages/home/preview", unsaved)
      #expect(preview.status == 200, "\(preview.text)")
      // What is not is refused at places of its own body, also where it was so before.
      for (place, title) in [("/items/n", "Longer"), ("/items/n?publish=true", "Longer"), ("/items/b", "Long")] {
        let refused = try await send("PUT", place, item(title))
        let pointers = refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string }
        #expect(refused.status == 422 && pointers == ["/content/title"], "\(refused.text)")
      }
      // So is one too many, which is new.
      let tooMany = try await send("PUT", "/items/o?publish=true", item("O"))
      #expect(tooMany.status == 422 && tooMany.text.contains("must have at most 3 items, has 4"), "\(tooMany.text)")
      // What is wrong moves, hides and goes, and is not shown again.
      #expect(try await send("POST", "/items/c/move?publish=true", #"{"first": true}"#).status == 200)
      let hidden = try await send("POST", "/items/c/hide?publish=true", "{}")
      #expect(hidden.status == 200, "\(hidden.text)")
      #expect(try await live() == ["b", "n"])
      #expect(try await send("POST", "/items/c/restore?publish=true", "{}").status == 422)
      #expect(try await send("POST", "/items/n/hide?publish=true", "{}").status == 200)
      #expect(try await send("POST", "/items/n/restore?publish=true", "{}").status == 200)
      let gone = try await send("DELETE", "/items/c?publish=true")
      #expect(gone.status == 204, "\(gone.text)")
      // Whatever the draft has, and the body of a whole content counts as a whole.
      #expect(try await send("PUT", "/items/d", item("D")).status == 201)
      #expect(try await send("PUT", "/items/n?publish=true", item("N")).status == 200)
      #expect(try await live() == ["b", "n"])
      let wrong = try await send("PUT", "/content?publish=true", #"{"items": [\#(item("Long"))]}"#)
      #expect(wrong.json["errors"]?.array?.last?["pointer"] == "/items/0/content/title", "\(wrong.text)")
      let whole = try await send(
        "PUT", "/content?publish=true", #"{"items": [\#(item("X").replacing("{\"k", with: "{\"id\": \"x\", \"k"))]}"#)
      #expect(whole.status == 200, "\(whole.text)")
      #expect(try await live() == ["x"])
      // An operator's publish stands for the whole page.
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
      #expect(published.status == 422 && published.code == "not-publishable", "\(published.text)")
    }
  }

  @Test func `a file that is wrong is refused with its file, line, kind and keyword, and the kinds before stay`()
    async throws
  {
    try await withServer { server async throws in
      let kinds = try await server.admin("GET", "/kinds").text
      let misspelt = Demo.tinyKinds.replacing("minLength: 1", with: "minLenght: 1")
      let refused = try await Self.reload(misspelt, server)
      #expect(refused.status == 422)
      #expect(refused.code == "invalid-kinds")
      let first = try #require(refused.json["errors"]?.array?.first)
      #expect(first["file"]?.string == server.folder + "/kinds.yaml")
      #expect(first["line"]?.int == 9)
      #expect(first["kind"] == "navigation")
      #expect(first["keyword"] == "minLenght", "\(refused.text)")
      let torn = try await Self.reload("itemKinds: {a: [", server)
      #expect(torn.status == 422)
      #expect(torn.json["errors"]?.array?.first?["keyword"] == "yaml")
      try FileManager.default.removeItem(atPath: server.folder + "/kinds.yaml")
      #expect(try await server.admin("POST", "/kinds/reload").status == 422)
      #expect(try await server.admin("GET", "/kinds").text == kinds)
      let token = try await server.store.createToken(name: "p", role: .publisher, by: Actor(name: "test")).text.text
      let forbidden = try await server.admin("POST", "/kinds/reload", nil, ["Authorization": "Bearer \(token)"])
      #expect(forbidden.status == 403)
      // Nothing is wrong any more: it is taken.
      #expect(try await Self.reload(Self.higher, server).status == 200)
    }
  }

  @Test func `content is held against the new kinds from then on`() async throws {
    try await withServer { server async throws in
      let path = "/pages/home/sections/bottom/content?publish=true"
      let body = #"{"items": [{"id": "b", "kind": "navigation", "content": {"title": "B", "badge": "new"}}]}"#
      #expect(try await server.admin("PUT", path, body, Self.force).status == 422)
      let wider = Demo.tinyKinds.replacing(
        "date: {type: string, format: date-time}", with: "badge: {type: string}")
      #expect(try await Self.reload(wider, server).status == 200)
      #expect(try await server.admin("PUT", path, body, Self.force).status == 200)
      #expect(try await server.get("/v1/home").text.contains(#""badge":"new""#))
    }
  }

  @Test func `no poll fails while 200 kinds are reloaded`() async throws {
    let many = (0..<200).map { number in
      """
        kind\(number):
          title: Kind \(number)
          content: {type: object, required: [title], additionalProperties: false, properties: {title: {type: string, maxLength: \(number + 1)}, date: {type: string, format: date-time}}}
      """
    }.joined(separator: "\n")
    let kinds = Demo.tinyKinds.replacing("sectionKinds:", with: many + "\nsectionKinds:")
    try await withServer(kinds: kinds) { server async throws in
      let isDone = Flag()
      async let polls: [Int] = withThrowingTaskGroup(of: [Int].self) { group in
        for _ in 0..<4 {
          group.addTask {
            var statuses: [Int] = []
            while !isDone.isSet { statuses.append(try await server.get("/v1/home").status) }
            return statuses
          }
        }
        return try await group.reduce(into: []) { $0 += $1 }
      }
      var slowest = Duration.zero
      for round in 1...5 {
        let began = ContinuousClock.now
        let reply = try await Self.reload(kinds.replacing("points: 80", with: "points: \(80 + round)"), server)
        slowest = max(slowest, .now - began)
        #expect(reply.status == 200, "\(reply.text)")
        #expect(try await server.get("/v1/home").text.contains("\(80 + round)"))
      }
      isDone.set()
      let statuses = try await polls
      print("reloads of 200 kinds: slowest \(slowest), \(statuses.count) polls meanwhile")
      #expect(statuses.allSatisfy { $0 == 200 })
    }
  }
}

/// Set once.
private final class Flag: Sendable {
  private let value = Atomic<Bool>(false)
  var isSet: Bool { value.load(ordering: .acquiring) }
  func set() { value.store(true, ordering: .releasing) }
}

/// The kinds of several nodes.
@Suite struct KindsOfNodesTests {
  @Test func `what one node has reloaded all go by, whatever their own files say`() async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let location = DatabaseLocation(server.place(database))
    let first = try await RunningServer([Demo.tiny], at: location)
    let second = try await RunningServer([], at: location)
    let higher = Demo.tinyKinds.replacing("points: 80", with: "points: 90")
    try higher.write(toFile: first.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await first.admin("POST", "/kinds/reload").status == 200)
    try await waitUntil { try await second.get("/v1/home")["Hearth-Revision"] == "1.2" }
    #expect(try await second.get("/v1/home").text == first.get("/v1/home").text)
    #expect(try await second.get("/v1/home").text.contains("90"))
    #expect(try await second.admin("GET", "/kinds").text == first.admin("GET", "/kinds").text)
    let status = try await Reply(port: second.server.adminPort, "GET", "/status", [:], nil).json
    #expect(status["kinds"]?["fileDiffers"] == true)

    // A node that has not heard of it yet publishes by the kinds that count.
    try server.psql("ALTER TABLE changes DISABLE TRIGGER ALL", database: database)
    let highest = Demo.tinyKinds.replacing("points: 80", with: "points: 95")
    try highest.write(toFile: first.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await first.admin("POST", "/kinds/reload").status == 200)
    let published = try await second.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"])
    #expect(published.json["revision"]?.int == 4, "\(published.text)")
    #expect(try await second.get("/v1/home").text.contains("95"))

    // Nor does it withhold a kind by others.
    let lower = Demo.tinyKinds.replacing("points: 80", with: "points: 85")
    try lower.write(toFile: first.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await first.admin("POST", "/kinds/reload").status == 200)
    let body = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}"#
    let withheld = try await second.admin("PUT", "/withheld/sections/grid", body)
    #expect(withheld.json["pages"] == [["page": "home", "revision": 6]], "\(withheld.text)")
    #expect(try await second.get("/v1/home").text.contains("85"))

    // One that starts with another file goes by them, too.
    let third = try await RunningServer([], at: location)
    #expect(try await third.get("/v1/home").text == second.get("/v1/home").text)
    for node in [first, second, third] { try await node.stop() }
  }

  @Test func `the kinds of a backup count once the generation is raised, and not before`() async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let location = DatabaseLocation(server.place(database))
    let nodes = [try await RunningServer([Demo.tiny], at: location), try await RunningServer([], at: location)]
    try server.psql("CREATE SCHEMA kept; CREATE TABLE kept.kinds AS SELECT * FROM kinds", database: database)
    let higher = Demo.tinyKinds.replacing("points: 80", with: "points: 90")
    try higher.write(toFile: nodes[0].folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await nodes[0].admin("POST", "/kinds/reload").status == 200)
    for node in nodes { try await waitUntil { try await node.get("/v1/home").text.contains("90") } }
    try server.psql(
      """
      UPDATE kinds SET (hash, document, changed) = (SELECT hash, document, changed FROM kept.kinds);
      UPDATE changes SET number = number + 1
      """, database: database)
    // No older row counts by itself.
    let refused = try await nodes[1].admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"])
    #expect(refused.status == 409 && refused.code == "kinds-changed", "\(refused.text)")
    #expect(try await nodes[1].get("/v1/home").text.contains("90"))
    _ = try await nodes[0].store.raiseGeneration(reason: "restored", by: Actor(name: "test"))
    for node in nodes { try await waitUntil { try await node.get("/v1/home").text.contains("80") } }
    #expect(try await nodes[1].admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
    for node in nodes { try await node.stop() }
  }

  @Test func `nodes that cannot read the kinds of the database serve on, and say why in every list`() async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let location = DatabaseLocation(server.place(database))
    let nodes = [try await RunningServer([Demo.tiny], at: location), try await RunningServer([], at: location)]
    func problems() async throws -> [String?] {
      let listed = try await nodes[0].admin("GET", "/nodes").json["nodes"]?.array ?? []
      return listed.map { $0["problem"]?.string }
    }
    func status() async throws -> JSON {
      try await Reply(port: nodes[1].server.adminPort, "GET", "/status", [:], nil).json["status"] ?? .null
    }
    try await waitUntil { try await problems() == [nil, nil] }
    try server.psql(
      """
      CREATE SCHEMA kept; CREATE TABLE kept.kinds AS SELECT * FROM kinds;
      UPDATE kinds SET hash = repeat('f', 64), document = '{"itemKinds": {"a": {"unheardOf": 1}}}', changed = changed + 1000;
      UPDATE changes SET number = number + 1
      """, database: database)
    try await waitUntil { try await problems().allSatisfy { $0?.contains("run a newer one") == true } }
    #expect(try await nodes[1].get("/v1/home").status == 200)
    let publish = try await nodes[1].admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"])
    #expect(publish.status == 409 && publish.code == "kinds-unusable", "\(publish.text)")
    let metrics = try await Reply(port: nodes[0].server.adminPort, "GET", "/metrics", [:], nil).text
    #expect(metrics.contains("\nhearth_nodes_failing 2\n"))
    #expect(try await status() == "degraded")
    try server.psql(
      """
      UPDATE kinds SET (hash, document) = (SELECT hash, document FROM kept.kinds);
      UPDATE changes SET number = number + 1
      """, database: database)
    try await waitUntil { try await problems() == [nil, nil] }
    #expect(try await status() == "ok")
    for node in nodes { try await node.stop() }
  }
}
