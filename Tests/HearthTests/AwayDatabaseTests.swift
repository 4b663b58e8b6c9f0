import Foundation
import JSON
import Peers
import Testing

/// The program starts and goes on while the server that keeps its database is away.
@Suite struct AwayDatabaseTests {
  private static let push = "/admin/v1/pages/home/sections/marquee/content?publish=true"

  /// A node with a folder of its own on a database of its own, and what has to be set for it.
  private struct Place {
    let workshop: Workshop
    let server: PostgreSQLServer
    let environment: [String: String]
    let token: String

    init() throws {
      workshop = try Workshop()
      server = try PostgreSQLServer()
      workshop.database = server.place(try server.makeDatabase())
      environment = ["HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/node", "HEARTH_DATABASE_START_WAIT": "0.5"]
      _ = try workshop.run(["migrate", "up"] + workshop.place)
      token = try workshop.loadDemo()
    }

    func serve() throws -> ServedProgram { try workshop.serve(environment: environment) }

    func awaitSnapshot() async throws {
      let path = workshop.folder + "/node/snapshot"
      try await eventually { FileManager.default.fileExists(atPath: path) }
    }
  }

  private static func content(_ title: String) -> String {
    let text = #"{"en": "\#(title)", "zh-Hans": "\#(title)", "vi": "\#(title)"}"#
    return #"{"items": [{"id": "x", "kind": "ticker", "content": {"text": \#(text)}}]}"#
  }

  @Test func `a node starts from its snapshot while the database is away, says so, and finds it again by itself`()
    async throws
  {
    let place = try Place()
    let first = try place.serve()
    let last = try await ask(first.polls, "/v1/home")
    let discover = try await ask(first.polls, "/v1/pages/discover")
    let link = try #require(discover.text.firstMatch(of: #/"href":"(\/v1\/pages\/discover\/[^"]*cursor=[^"]*)"/#)?.1)
    let list = try await ask(first.polls, String(link))
    #expect(list.status == 200)
    #expect(try await first.status()["stale"]?.bool == false)
    #expect(try await first.metric("hearth_stale") == 0)
    try await place.awaitSnapshot()
    _ = first.end(SIGKILL)
    try place.server.stop()

    let again = try place.serve()
    #expect(try await ask(again.polls, "/readyz").status == 200)
    let poll = try await ask(again.polls, "/v1/home")
    #expect(poll.text == last.text)
    #expect(poll.fields["hearth-revision"] == last.fields["hearth-revision"])
    // Nobody had asked for these: they are made of the definitions.
    #expect(try await ask(again.polls, "/v1/home?locale=vi&platform=ios&appVersion=9.0").status == 200)
    #expect(try await ask(again.polls, "/v1/pages/home/sections/wallet").status == 200)
    // The links are made and checked by the key that the snapshot has.
    #expect(try await ask(again.polls, "/v1/pages/discover").text == discover.text)
    #expect(try await ask(again.polls, String(link)).text == list.text)
    let vietnamese = try await ask(again.polls, "/v1/pages/discover?locale=vi&platform=ios&appVersion=9.0").text
    #expect(vietnamese.contains("cursor="))
    let status = try await again.status()
    #expect(status["stale"]?.bool == true)
    #expect(status["status"] == "degraded")
    #expect((status["reasons"]?.array ?? []).contains { $0.string?.contains("since the start") == true })
    #expect(try await again.metric("hearth_stale") == 1)
    let refused = try await ask(
      again.admin, Self.push, method: "PUT", token: place.token, body: Self.content("lost"))
    #expect(refused.status == 503)
    #expect(refused.text.contains("database-unavailable"))
    #expect(refused.fields["retry-after"] == "5")

    try place.server.start()
    try await eventually { try await again.status()["stale"]?.bool == false }
    #expect(try await again.metric("hearth_stale") == 0)
    let made = try await ask(
      again.admin, "/admin/v1/pages/home/sections/otc/move", method: "POST", token: place.token,
      body: #"{"first": true}"#)
    #expect(made.status == 200, "\(made.text)")
    let published = try await ask(
      again.admin, "/admin/v1/pages/home/publish", method: "POST", token: place.token, body: "{}")
    #expect(published.status == 200, "\(published.text)")
    // The version that was served before it all is known still.
    let changes = try await ask(
      again.polls, "/v1/home", fields: ["If-None-Match": last.fields["etag"] ?? "", "A-IM": "hearth-changes"])
    #expect(changes.status == 226)
    #expect(changes.fields["hearth-revision"] == "1.2")
    #expect(again.end() == 0)
  }

  @Test func `a node that the server lets not in starts from its snapshot, and is let in once it may be`() async throws
  {
    let place = try Place()
    let first = try place.serve()
    try await place.awaitSnapshot()
    _ = first.end(SIGKILL)
    try place.server.letIn("local all all reject\n")
    let again = try place.serve()
    #expect(try await ask(again.polls, "/v1/home").status == 200)
    let status = try await again.status()
    #expect(status["stale"]?.bool == true)
    #expect(status["reasons"]?.array?.contains { $0.string?.contains("pg_hba.conf") == true } == true)
    try place.server.letIn("local all all trust\n")
    try await eventually { try await again.status()["stale"]?.bool == false }
    #expect(again.end() == 0)
    // Without a snapshot there is nothing to serve, and waiting is of no use.
    try place.workshop.shell("rm node/snapshot")
    try place.server.letIn("local all all reject\n")
    let refused = try place.workshop.run(place.workshop.serving, environment: place.environment)
    #expect(refused.status == 78, "\(refused.error)")
  }

  @Test func `a server that runs lets go of a database that a newer program has made one for newer programs`()
    async throws
  {
    let place = try Place()
    let server = try place.serve()
    func isSaid() async throws -> Bool {
      (try await server.status()["reasons"]?.array ?? []).contains { $0.string?.contains("0099_later") == true }
    }
    func move(_ way: String) async throws -> (status: Int, text: String) {
      let answer = try await ask(
        server.admin, "/admin/v1/pages/home/sections/otc/move", method: "POST", token: place.token,
        body: #"{"\#(way)": true}"#)
      return (answer.status, answer.text)
    }
    // One that older programs may use.
    try place.server.psql(
      """
      INSERT INTO migrations (number, name, checksum, applied_at, oldest) VALUES (98, '0098_new', 'x', 1, 1);
      UPDATE changes SET number = number + 1
      """, database: "test1")
    #expect(try await move("first").status == 200)
    try place.server.psql(
      "INSERT INTO migrations (number, name, checksum, applied_at, oldest) VALUES (99, '0099_later', 'x', 1, 99)",
      database: "test1")
    try await eventually { try await isSaid() }
    let refused = try await move("last")
    #expect(refused.status == 503 && refused.text.contains("database-unavailable"), "\(refused.text)")
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    try place.server.psql("DELETE FROM migrations WHERE number = 99", database: "test1")
    try await eventually { try await move("last").status == 200 }
    #expect(try await !isSaid())
    #expect(server.end() == 0)
  }

  @Test func `a hangup that comes before the server runs is a reload once it does`() async throws {
    let place = try Place()
    try place.server.stop()
    // The server waits for its database meanwhile.
    let hangingUp = Task { [server = place.server, folder = place.workshop.folder] in
      try await eventually { FileManager.default.fileExists(atPath: folder + "/node/lock") }
      #expect(kill(try #require(Processes.running("serve --config \(folder)").first), SIGHUP) == 0)
      try server.start()
    }
    let again = try place.workshop.serve(
      environment: place.environment.merging(["HEARTH_DATABASE_START_WAIT": "60"]) { $1 })
    try await hangingUp.value
    try again.read(until: "the kinds are those of the file")
    #expect(again.end() == 0)
  }

  @Test func `what was published since the snapshot is there after a crash, without the database`() async throws {
    let place = try Place()
    let first = try place.serve()
    try await place.awaitSnapshot()
    try place.workshop.shell("cp node/snapshot older")
    for title in ["one", "two", "three"] {
      let pushed = try await ask(
        first.admin, Self.push, method: "PUT", token: place.token, body: Self.content(title))
      #expect(pushed.status == 200, "\(pushed.text)")
    }
    let withheld = try await ask(
      first.admin, "/admin/v1/withheld/sections/wallet", method: "PUT", token: place.token,
      body: #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "r"}"#)
    #expect(withheld.status == 201, "\(withheld.text)")
    let paths = ["/v1/home", "/v1/home?platform=ios", "/v1/pages/activity-spring", "/v1/home?locale=vi"]
    var last: [String: String] = [:]
    for path in paths {
      let answer = try await ask(first.polls, path)
      last[path] = (answer.fields["hearth-revision"] ?? "") + answer.text
    }
    _ = first.end(SIGKILL)
    // No snapshot was written since, as when it is killed within the second.
    try place.workshop.shell("cp older node/snapshot")
    try place.server.stop()
    let again = try place.serve()
    for path in paths {
      let answer = try await ask(again.polls, path)
      #expect((answer.fields["hearth-revision"] ?? "") + answer.text == last[path], "\(path): \(answer.status)")
    }
    try place.server.start()
    try await eventually { try await again.status()["stale"]?.bool == false }
    // What is told of the database itself is as of the last look, which is every few seconds.
    let reasons = try await again.status()["reasons"]?.array ?? []
    #expect(reasons.allSatisfy { $0.string?.hasPrefix("the server that keeps the database") == true }, "\(reasons)")
    try await eventually { try await again.status()["status"] == "ok" }
    for title in ["four", "five"] {
      let pushed = try await ask(
        again.admin, Self.push, method: "PUT", token: place.token, body: Self.content(title))
      #expect(pushed.status == 200, "\(pushed.text)")
    }
    let newest = try await ask(again.polls, "/v1/home")
    _ = again.end(SIGKILL)
    // A torn end costs what it had, and what clients have is still not gone below.
    try place.server.stop()
    let third = try place.serve()
    #expect(try await ask(third.polls, "/v1/home").text == newest.text)
    let said = "the end of the journal is not used"
    #expect(![first, again, third].contains { $0.text.contains(said) })
    _ = third.end(SIGKILL)
    try place.workshop.shell(
      "cp older node/snapshot && truncate -s 100 node/snapshot.journal0 && truncate -s 0 node/snapshot.journal1")
    let torn = try place.serve()
    #expect(torn.text.components(separatedBy: said).count == 2)
    #expect(torn.text.contains("snapshot.journal0: the record at byte 0 is torn or damaged"))
    #expect(try await ask(torn.polls, "/v1/home").status == 503)
    #expect(try await ask(torn.polls, "/v1/pages/activity-spring").status == 200)
    _ = torn.end(SIGKILL)
  }

  @Test func `a page that was served in a newer state than the snapshot has is withheld until the database is there`()
    async throws
  {
    let place = try Place()
    let first = try place.serve()
    try await place.awaitSnapshot()
    try place.workshop.shell("cp node/snapshot older")
    let published = try await ask(
      first.admin, "/admin/v1/pages/home/publish", method: "POST", token: place.token, body: "{}")
    #expect(published.status == 200, "\(published.text)")
    _ = first.end(SIGKILL)
    try place.workshop.shell("cp older node/snapshot && rm node/snapshot.journal?")
    try place.server.stop()

    let again = try place.serve()
    let withheld = try await ask(again.polls, "/v1/home")
    #expect(withheld.status == 503)
    #expect(withheld.text.contains("page-withheld"))
    #expect(try await ask(again.polls, "/v1/pages/activity-spring").status == 200)
    try place.server.start()
    try await eventually { try await ask(again.polls, "/v1/home").fields["hearth-revision"] == "1.2" }
    _ = again.end(SIGKILL)

    // Without anything to serve there is no start, and it says so after the wait.
    try place.server.stop()
    try place.workshop.shell("rm node/snapshot")
    let refused = try place.workshop.run(place.workshop.serving, environment: place.environment)
    #expect(refused.status == 74, "\(refused.error)")
  }

  @Test func `a database that turns out to be another program's is left alone, and the snapshot is served on`()
    async throws
  {
    let place = try Place()
    let first = try place.serve()
    try await place.awaitSnapshot()
    _ = first.end(SIGKILL)
    try place.server.cut("test1")
    try place.server.psql("ALTER DATABASE test1 RENAME TO kept")
    try place.server.psql("CREATE DATABASE test1 TEMPLATE template0")
    try place.server.psql("CREATE TABLE albums (x bigint)", database: "test1")
    try place.server.stop()
    let again = try place.serve()
    try place.server.start()
    try await eventually {
      (try await again.status()["reasons"]?.array ?? []).contains { $0.string?.contains("albums") == true }
    }
    #expect(try await ask(again.polls, "/v1/home").status == 200)
    #expect(try await ask(again.admin, Self.push, method: "PUT", token: place.token, body: "{}").status == 503)
    try place.server.psql("DROP DATABASE test1 WITH (FORCE)")
    try place.server.psql("ALTER DATABASE kept RENAME TO test1")
    try await eventually { try await again.status()["stale"]?.bool == false }
    #expect(again.end() == 0)
  }
}
