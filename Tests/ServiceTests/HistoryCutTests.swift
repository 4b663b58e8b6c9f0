import Foundation
import GRDB
import JSON
import Layout
import Peers
import Service
import Storage
import Testing

@testable import Serving

/// A restored backup is noticed: what was served stays, nothing is published, and nothing of the past is run.
@Suite(.disabled(if: TestEngine.isPostgreSQL, "it restores files of SQLite")) struct HistoryCutTests {
  private static let force = ["If-Match": "*"]
  private static let push = "/pages/home/sections/bottom/content?publish=true"

  private static let other = Demo.tiny.replacing("home:\n", with: "other:\n").replacing("title: Home", with: "title: O")

  private static func content(_ title: String) -> String {
    #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
  }

  private static func start(
    _ documents: [String] = [], in folder: String, clock: TestClock = TestClock(), keepsSnapshot: Bool = false,
    tokens keepsTokens: Bool = false
  ) async throws -> RunningServer {
    try await RunningServer(documents, folder: folder, clock: clock) {
      $0.servedFile = folder + "/served"
      if keepsSnapshot { $0.snapshotFile = folder + "/snapshot" }
      if keepsTokens { $0.tokensFile = folder + "/tokens" }
    }
  }

  /// Puts the backup in the place of the database of a server that has ended.
  private static func restore(_ folder: String) throws {
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder + "/hearth.db" + suffix) }
    try FileManager.default.moveItem(atPath: folder + "/backup.db", toPath: folder + "/hearth.db")
  }

  /// A folder whose server has served revision 3 of a page, and whose database was set back to revision 2.
  private static func restored(
    clock: TestClock = TestClock(), keepsSnapshot: Bool = false,
    before: (RunningServer) async throws -> Void = { _ in }, after: (RunningServer) async throws -> Void = { _ in }
  ) async throws -> String {
    let folder = try RunningServer.makeFolder()
    let first = try await start([Demo.tiny, other], in: folder, clock: clock, keepsSnapshot: keepsSnapshot)
    #expect(try await first.admin("PUT", push, content("two")).status == 200)
    try await before(first)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    try await after(first)
    #expect(try await first.admin("PUT", push, content("last")).status == 200)
    try await first.stop(keepsFolder: true)
    try restore(folder)
    return folder
  }

  /// The same, where the database was set back by other means than a backup: what is restored does not say that it is a copy.
  private static func setBack() async throws -> String {
    let folder = try await restored()
    let database = try DatabaseQueue(path: folder + "/hearth.db")
    try await database.write { try $0.execute(sql: "UPDATE history SET copy = NULL") }
    try database.close()
    return folder
  }

  /// What the file says that was served.
  private static func served(_ path: String) throws -> JSON {
    try JSON.parse(Array(TwoSlotFile(path: path).read()?.utf8 ?? "".utf8))
  }

  private static func status(_ server: RunningServer) async throws -> JSON {
    try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
  }

  private static func reason(_ server: RunningServer) async throws -> String? {
    try await status(server)["reasons"]?.array?.first?.string
  }

  /// What another process does with the database.
  private static func anotherProcess(_ folder: String, clock: TestClock = TestClock()) throws -> Store {
    try RunningServer.openStore(in: folder, clock: StoreClock { clock.now })
  }

  @Test func `after a restore nothing is published and no page goes back, until the generation is raised`() async throws
  {
    let folder = try await Self.restored()
    let server = try await Self.start(in: folder)
    #expect(try await Self.status(server)["status"] == "degraded")
    #expect(try await Self.reason(server)?.hasPrefix("history was cut: home: revision 3") == true)
    let poll = try await server.get("/v1/home")
    #expect(poll.status == 503, "\(poll.text)")
    #expect(poll.code == "page-withheld")
    #expect(poll["Retry-After"] != nil)
    for (method, path, body) in [
      ("PUT", Self.push, Self.content("new")), ("POST", "/pages/home/publish", "{}"),
      ("POST", "/pages/home/rollback", #"{"revision": 1}"#), ("POST", "/pages/other/publish", "{}"),
      (
        "PUT", "/pages/home/sections/bottom/items/n?publish=true", #"{"kind": "navigation", "content": {"title": "N"}}"#
      ),
    ] {
      let reply = try await server.admin(method, path, body, Self.force)
      #expect(reply.status == 409, "\(path) \(reply.text)")
      #expect(reply.code == "history-cut")
      #expect(reply.json["detail"]?.string?.contains("hearth generation raise --reason") == true)
    }
    let draft = try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("draft"))
    #expect(draft.status == 200)
    let raised = try await Self.anotherProcess(folder).raiseGeneration(reason: "a test", by: Actor(name: "operator"))
    #expect(raised.generation > 1_700_000_000)
    try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).2" }
    #expect(try await server.get("/v1/pages/other")["Hearth-Revision"] == "\(raised.generation).1")
    #expect(try await Self.status(server)["status"] == "ok")
    let pushed = try await server.admin("PUT", Self.push, Self.content("new"))
    #expect(pushed["Hearth-Revision"] == "\(raised.generation).3")
    let entry = try await server.admin("GET", "/audit?action=generation").json["entries"]?.array?.first
    #expect(entry?["actor"] == "operator")
    #expect(entry?["detail"]?.string?.contains("a test") == true)
    try await server.stop(keepsFolder: true)
    let again = try await Self.start(in: folder)
    #expect(try await Self.status(again)["status"] == "ok")
    #expect(try await again.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).3")
    try await again.stop()
  }

  @Test func `what the database lacks is served from the snapshot as it was, until the generation is raised`()
    async throws
  {
    let folder = try await Self.restored(keepsSnapshot: true)
    for _ in 0..<2 {
      // The snapshot outlives a restart in between.
      let server = try await Self.start(in: folder, keepsSnapshot: true)
      #expect(try await Self.status(server)["status"] == "degraded")
      let poll = try await server.get("/v1/home")
      #expect(poll["Hearth-Revision"] == "1.3")
      #expect(poll.text.contains("last"), "\(poll.text)")
      #expect(try await server.get("/v1/pages/other")["Hearth-Revision"] == "1.1")
      #expect(try await server.admin("PUT", Self.push, Self.content("new")).code == "history-cut")
      try await server.stop(keepsFolder: true)
    }
    let server = try await Self.start(in: folder, keepsSnapshot: true)
    let raised = try await Self.anotherProcess(folder).raiseGeneration(reason: "a test", by: Actor(name: "operator"))
    try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).2" }
    try await server.stop()
  }

  @Test(arguments: ["a schedule is called off", "a page is deleted", "a draft is edited"])
  func `a backup that lacks no revision is noticed by what was done since`(what: String) async throws {
    let clock = TestClock()
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny, Self.other], in: folder, clock: clock)
    #expect(try await first.admin("POST", "/pages/home/sections/top/hide", "{}", Self.force).status == 204)
    let at = clock.now.adding(seconds: 60)
    let scheduled = try await first.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    switch what {
    case "a schedule is called off":
      let id = try #require(scheduled.json["id"]?.int)
      #expect(try await first.admin("DELETE", "/pages/home/scheduled/\(id)").status == 204)
    case "a page is deleted":
      #expect(try await first.admin("DELETE", "/pages/other", nil, Self.force).status == 204)
    default:
      let path = "/pages/home/sections/bottom/content"
      #expect(try await first.admin("PUT", path, Self.content("edited")).status == 200)
    }
    try await first.stop(keepsFolder: true)
    try Self.restore(folder)
    clock.advance(by: 3_600)
    let server = try await Self.start(in: folder, clock: clock)
    #expect(try await Self.status(server)["status"] == "degraded")
    let home = try await server.get("/v1/home")
    #expect(home["Hearth-Revision"] == "1.1")
    #expect(home.sections.contains("top"))
    #expect(try await (server.get("/v1/pages/other").status == 404) == (what == "a page is deleted"))
    // Nothing of what is done now hides what is missing, and no page goes off.
    for _ in 0..<5 {
      #expect(
        try await server.admin("PUT", "/pages/home/sections/bottom/content", Self.content("draft")).status == 200)
    }
    #expect(try await server.admin("DELETE", "/pages/home", nil, Self.force).code == "history-cut")
    let none = #"{"hearth": 1, "pages": {}, "audiences": {}}"#
    #expect(try await server.admin("POST", "/import?delete=true", none).code == "history-cut")
    #expect(try await server.get("/v1/home").status == 200)
    let raised = try await Self.anotherProcess(folder, clock: clock).raiseGeneration(
      reason: "a test", by: Actor(name: "operator"))
    try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).1" }
    #expect(try await server.get("/v1/home").sections.contains("top"))
    // It may have been called off: somebody has to say.
    try await waitUntil { try await Self.reason(server)?.hasPrefix("what is scheduled is held") == true }
    let held = try #require(scheduled.json["id"]?.int)
    #expect(try await server.admin("DELETE", "/pages/home/scheduled/\(held)").status == 204)
    #expect(try await Self.status(server)["status"] == "ok")
    try await server.stop(keepsFolder: true)
    // What was made since the raise is noted anew.
    let again = try await Self.start(in: folder, clock: clock)
    #expect(try await Self.status(again)["status"] == "ok")
    try await again.stop()
  }

  @Test(arguments: ["a new disk", "the same disk"])
  func `a backup is noticed whatever lies beside it, and serves what it has`(disk: String) async throws {
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny], in: folder)
    #expect(try await first.admin("PUT", Self.push, Self.content("two")).status == 200)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    if disk == "a new disk" {
      for title in ["three", "four", "five"] {
        #expect(try await first.admin("PUT", Self.push, Self.content(title)).status == 200)
      }
    }
    try await first.stop(keepsFolder: true)
    try Self.restore(folder)
    if disk == "a new disk" { try FileManager.default.removeItem(atPath: folder + "/served") }
    // A restart in between is no answer.
    for _ in 0..<2 {
      let server = try await Self.start(in: folder)
      #expect(try await Self.status(server)["status"] == "degraded")
      #expect(try await Self.reason(server)?.hasPrefix("history was cut: the database is the backup of ") == true)
      let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
      #expect(metrics.contains("\nhearth_history_cut 1\n"))
      #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.2")
      #expect(try await server.admin("PUT", Self.push, Self.content("new")).code == "history-cut")
      try await server.stop(keepsFolder: true)
    }
    let server = try await Self.start(in: folder)
    let raised = try await Self.anotherProcess(folder).raiseGeneration(reason: "a test", by: Actor(name: "operator"))
    try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).2" }
    #expect(try await Self.status(server)["status"] == "ok")
    let pushed = try await server.admin("PUT", Self.push, Self.content("new"))
    #expect(pushed["Hearth-Revision"] == "\(raised.generation).3")
    try await server.stop(keepsFolder: true)
    let again = try await Self.start(in: folder)
    #expect(try await Self.status(again)["status"] == "ok")
    try await again.stop()
  }

  @Test func `what was revoked stays revoked over a restore, and what was lost is named`() async throws {
    let clock = TestClock()
    let folder = try RunningServer.makeFolder()
    func start() async throws -> RunningServer {
      try await RunningServer(
        [Demo.tiny].filter { _ in !FileManager.default.fileExists(atPath: folder + "/tokens") },
        folder: folder, clock: clock
      ) {
        $0.servedFile = folder + "/served"
        $0.tokensFile = folder + "/tokens"
      }
    }
    func token(_ name: String, _ server: RunningServer) async throws -> (selector: String, text: String) {
      let made = try await server.admin("POST", "/tokens", #"{"name": "\#(name)", "role": "viewer"}"#)
      return (try #require(made.json["selector"]?.string), try #require(made.json["token"]?.string))
    }
    func works(_ text: String, _ server: RunningServer) async throws -> Bool {
      try await server.admin("GET", "/pages", nil, ["Authorization": "Bearer \(text)"]).status == 200
    }
    let first = try await start()
    let revoked = try await token("leaked", first)
    let rotated = try await token("rotated", first)
    let kept = try await token("kept", first)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    #expect(try await first.admin("DELETE", "/tokens/\(revoked.selector)").status == 204)
    #expect(try await first.admin("POST", "/tokens/\(rotated.selector)/rotate", #"{"grace": 60}"#).status == 201)
    let lost = try await token("nightly backup", first)
    #expect(try await !works(revoked.text, first))
    try await first.stop(keepsFolder: true)
    try Self.restore(folder)
    clock.advance(by: 120)

    let server = try await start()
    #expect(try await !works(revoked.text, server))
    #expect(try await !works(rotated.text, server))
    #expect(try await !works(lost.text, server))
    #expect(try await works(kept.text, server))
    // In the database too, for whoever else opens it.
    let listed = try await server.store.tokens()
    #expect(!listed.contains { $0.selector == revoked.selector })
    #expect(listed.first { $0.selector == rotated.selector }?.expiresAt.map { $0 < clock.now } == true)
    let found = try await Self.status(server)["tokens"]
    #expect(Set(found?["revokedAgain"]?.array?.compactMap { $0["name"]?.string } ?? []) == ["leaked", "rotated"])
    #expect(Set(found?["lost"]?.array?.compactMap { $0["name"]?.string } ?? []) == ["nightly backup", "rotated"])
    _ = try await Self.anotherProcess(folder, clock: clock).raiseGeneration(
      reason: "a test", by: Actor(name: "operator"))
    try await waitUntil { try await Self.status(server)["status"] == "ok" }
    _ = try await token("nightly backup", server)
    #expect(try await Self.status(server)["tokens"]?["lost"]?.array?.map { $0["name"] } == ["rotated"])
    try await server.stop(keepsFolder: true)
    // It is named for a week.
    let again = try await start()
    #expect(try await Self.status(again)["tokens"]?["revokedAgain"]?.array?.count == 2)
    clock.advance(by: 8 * 86_400)
    #expect(try await Self.status(again)["tokens"] == nil)
    try await again.stop()
  }

  @Test func `of a copy on a new disk all tokens are named, since nobody knows which were revoked`() async throws {
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny], in: folder)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    try await first.stop(keepsFolder: true)
    try Self.restore(folder)
    try FileManager.default.removeItem(atPath: folder + "/served")
    let server = try await Self.start(in: folder)
    let found = try await Self.status(server)["tokens"]?["unchecked"]?.array
    #expect(found?.contains { $0["name"] == "tester" } == true)
    try await server.stop()
  }

  @Test func `another database's record of tokens says nothing of a copy, and what was made since is not named`()
    async throws
  {
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny], in: folder)
    _ = try await first.store.backup(to: folder + "/backup.db", by: Actor(name: "test"))
    try await first.stop(keepsFolder: true)
    // Of a database that was made there before the backup was put in its place.
    let other = try RunningServer.makeFolder()
    let made = try await RunningServer([Demo.tiny], folder: other) { $0.tokensFile = folder + "/tokens" }
    #expect(try await made.admin("POST", "/tokens", #"{"name": "of init", "role": "viewer"}"#).status == 201)
    try await made.stop()
    try Self.restore(folder)
    try FileManager.default.removeItem(atPath: folder + "/served")
    let clock = TestClock()
    clock.advance(by: 60)
    _ = try await Self.anotherProcess(folder, clock: clock).createToken(
      name: "of after", role: .viewer, by: Actor(name: "operator"))
    let server = try await Self.start(in: folder, tokens: true)
    let found = try await Self.status(server)["tokens"]
    let unchecked = found?["unchecked"]?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(unchecked.contains("tester") && !unchecked.contains("of after"), "\(unchecked)")
    #expect(found?["lost"] == [])
    try await server.stop(keepsFolder: true)
    // From now on the record is this database's.
    let again = try await Self.start(in: folder, tokens: true)
    #expect(try await Self.status(again)["tokens"] == found)
    try await again.stop()
  }

  @Test func `sources that push on beyond what was served hide nothing`() async throws {
    let folder = try await Self.setBack()
    let store = try Self.anotherProcess(folder)
    for _ in 0..<5 {
      _ = try await store.publish("home", .draft, message: nil, if: .none, by: Actor(name: "s")) { _ in ((), .array([]))
      }
    }
    let server = try await Self.start(in: folder)
    #expect(try await Self.reason(server)?.contains("home: revision 3 in the database is not the one") == true)
    #expect(try await server.get("/v1/home").status == 503)
    try await server.stop()
  }

  @Test func `a page that is there as it was served is served, and not what was published of it since`() async throws {
    let folder = try await Self.setBack()
    let store = try Self.anotherProcess(folder)
    _ = try await store.publish("other", .draft, message: nil, if: .none, by: Actor(name: "s")) { _ in ((), .array([]))
    }
    let server = try await Self.start(in: folder)
    let poll = try await server.get("/v1/pages/other")
    #expect(poll.status == 200)
    #expect(poll["Hearth-Revision"] == "1.1")
    #expect(try await server.get("/v1/pages").json["pages"] == ["home", "other"])
    try await server.stop()
  }

  @Test func `a server whose database is set back while it runs serves on, and publishes nothing from then on`()
    async throws
  {
    let folder = try RunningServer.makeFolder()
    let server = try await Self.start([Demo.tiny], in: folder)
    for title in ["two", "three"] {
      #expect(try await server.admin("PUT", Self.push, Self.content(title)).status == 200)
    }
    let before = try await server.get("/v1/home")
    #expect(before["Hearth-Revision"] == "1.3")
    try await DatabaseQueue(path: folder + "/hearth.db").write { db in
      try db.execute(
        sql: """
          DELETE FROM kept_revisions WHERE number > 1; UPDATE pages SET live = 1;
          """)
    }
    let refused = try await server.admin("PUT", Self.push, Self.content("four"))
    #expect(refused.code == "history-cut")
    try await waitUntil { try await Self.status(server)["status"] == "degraded" }
    let after = try await server.get("/v1/home")
    #expect(after["Hearth-Revision"] == "1.3")
    #expect(after.body == before.body)
    let raised = try await Self.anotherProcess(folder).raiseGeneration(reason: "a test", by: Actor(name: "operator"))
    try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).1" }
    try await server.stop()
  }

  @Test func `what is scheduled is held when the generation is raised, and runs when somebody has released it`()
    async throws
  {
    let clock = TestClock()
    func schedule(_ seconds: Int64, _ server: RunningServer) async throws {
      let at = clock.now.adding(seconds: seconds)
      let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force)
      #expect(made.status == 201, "\(made.text)")
    }
    let folder = try await Self.restored(
      clock: clock,
      before: { server in
        #expect(try await server.admin("POST", "/pages/home/sections/top/hide", "{}", Self.force).status == 204)
        try await schedule(60, server)
        try await schedule(90_000, server)
      },
      after: { _ in clock.advance(by: 120) })
    clock.advance(by: 3_600)
    let server = try await Self.start(in: folder, clock: clock)
    let raised = try await Self.anotherProcess(folder, clock: clock).raiseGeneration(
      reason: "a test", by: Actor(name: "operator"))
    #expect(raised.held.map(\.page) == ["home", "home"])
    try await waitUntil { try await server.get("/v1/home").status == 200 }
    #expect(try await server.get("/v1/home").sections.contains("top"))
    try await waitUntil { try await Self.reason(server)?.hasPrefix("what is scheduled is held") == true }
    let kinds = try await server.admin("GET", "/pages/home/revisions?kind=scheduled").json["revisions"]?.array
    #expect(kinds?.isEmpty == true)
    let listed = try await server.admin("GET", "/pages/home/scheduled").json["scheduled"]?.array ?? []
    #expect(listed.map { $0["missed"] != nil } == [true, false])
    #expect(listed.allSatisfy { $0["held"] == true })
    let ids = listed.compactMap { $0["id"]?.int }
    #expect(try await server.admin("DELETE", "/pages/home/scheduled/\(ids[0])").status == 204)
    clock.advance(by: 90_000)
    #expect(try await Self.reason(server)?.contains("(home \(ids[1]))") == true)
    let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    #expect(metrics.contains("\nhearth_schedules_held 1\n"))
    let released = try await server.admin("POST", "/pages/home/scheduled/\(ids[1])/release")
    #expect(released.status == 200)
    #expect(released.json["held"] == nil)
    try await waitUntil { try await !server.get("/v1/home").sections.contains("top") }
    #expect(try await Self.status(server)["status"] == "ok")
    try await server.stop()
  }

  @Test func `a restart without a restore goes on, also when retention or somebody has removed what was served`()
    async throws
  {
    let clock = TestClock()
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny, Self.other], in: folder, clock: clock)
    #expect(try await first.admin("DELETE", "/pages/other", nil, Self.force).status == 204)
    try await first.stop(keepsFolder: true)
    let store = try Self.anotherProcess(folder, clock: clock)
    for _ in 0..<3 {
      _ = try await store.publish("home", .draft, message: nil, if: .none, by: Actor(name: "s")) { _ in ((), .array([]))
      }
    }
    clock.advance(by: 10)
    #expect(try await store.prune(keep: 1, madeBefore: clock.now, batch: 10) == 3)
    let second = try await Self.start(in: folder, clock: clock)
    #expect(try await Self.status(second)["status"] == "ok")
    #expect(try await second.get("/v1/home")["Hearth-Revision"] == "1.4")
    #expect(try await second.get("/v1/pages/other").status == 404)
    try await second.stop()
  }

  @Test func `the file is its owner's alone, and holds what is served before it is served`() async throws {
    let folder = try RunningServer.makeFolder()
    let server = try await Self.start([Demo.tiny], in: folder)
    let pushed = try await server.admin("PUT", Self.push, Self.content("two"))
    #expect(pushed["Hearth-Revision"] == "1.2")
    let json = try Self.served(folder + "/served")
    #expect(json["generation"] == 1)
    #expect(json["pages"]?["home"]?["revision"] == 2)
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/served")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder).allSatisfy { !$0.contains("unfinished") })
    try await server.stop()
  }

  @Test func `a folder that cannot be written is reported, and pages go on`() async throws {
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer(folder: folder) { $0.servedFile = folder + "/nowhere/served" }
    #expect(try await Self.status(server)["status"] == "degraded")
    #expect(try await Self.reason(server)?.contains("/nowhere/served") == true)
    #expect(try await server.admin("PUT", Self.push, Self.content("two")).status == 200)
    #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.2")
    try FileManager.default.createDirectory(atPath: folder + "/nowhere", withIntermediateDirectories: true)
    try await waitUntil { try await Self.status(server)["status"] == "ok" }
    let json = try Self.served(folder + "/nowhere/served")
    #expect(json["pages"]?["home"]?["revision"] == 2)
    try await server.stop()
  }

  @Test(arguments: ["", "{}", "[1]", #"{"generation": 1, "pages": {"home": 3}}"#])
  func `a damaged file is no reason not to serve`(text: String) async throws {
    let folder = try RunningServer.makeFolder()
    try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/served"))
    let server = try await Self.start([Demo.tiny], in: folder)
    #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.1")
    let json = try Self.served(folder + "/served")
    #expect(json["pages"]?["home"]?["revision"] == 1)
    try await server.stop()
  }
}

/// `Hearth-Revision` tells which edition an answer is of.
@Suite struct EditionNumberTests {
  @Test func `pages, rules and sections tell their edition, whatever the status`() async throws {
    try await withServer([Demo.long]) { server in
      let paths = ["/v1/home", "/v1/pages/home/sort-rule", "/v1/pages/home/sections/top"]
      let held = try await server.get("/v1/home")["ETag"] ?? ""
      for path in paths {
        let whole = try await server.get(path)
        #expect(whole["Hearth-Revision"] == "1.1", "\(path)")
        let plain = try await server.get(path, ["Accept-Encoding": "identity"])
        #expect(plain["Hearth-Revision"] == "1.1")
        let same = try await server.get(path, ["If-None-Match": whole["ETag"] ?? ""])
        #expect(same.status == 304)
        #expect(same["Hearth-Revision"] == "1.1")
      }
      let item = #"{"kind": "navigation", "content": {"title": "New"}}"#
      let path = "/pages/home/sections/bottom/items/n?publish=true"
      #expect(try await server.admin("PUT", path, item)["Hearth-Revision"] == "1.2")
      for path in paths { #expect(try await server.get(path)["Hearth-Revision"] == "1.2", "\(path)") }
      let changed = try await server.get("/v1/home", ["If-None-Match": held, "A-IM": "hearth-changes"])
      #expect(changed.status == 226)
      #expect(changed["Hearth-Revision"] == "1.2")
      let missing = try await server.get("/v1/pages/home/sections/nothing")
      #expect(missing.status == 404)
      #expect(missing["Hearth-Revision"] == "1.2")
    }
  }

  @Test func `a publish and a roll back tell the edition that is live, a repeated answer too`() async throws {
    try await withServer { server in
      let fields = ["If-Match": "*", "Idempotency-Key": "k"]
      for _ in 0..<2 {
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", fields)["Hearth-Revision"] == "1.2")
      }
      let back = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, ["If-Match": "*"])
      #expect(back["Hearth-Revision"] == "1.3")
    }
  }
}
