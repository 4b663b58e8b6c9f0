import Foundation
import JSON
import Peers
import Testing

/// A database that moves to another house, as an operator does it.
@Suite struct CopyTests {
  private static let demo = "/v1/home?locale=vi"

  /// What clients and operators get of a server, the same words from any house.
  private static func answers(_ server: ServedProgram, _ token: String, since old: String) async throws -> [String] {
    var answers: [String] = []
    for path in ["/v1/home", demo, "/v1/pages/activity-spring", "/v1/pages"] {
      let answer = try await ask(server.polls, path)
      answers += [answer.text, answer.fields["etag"] ?? "", answer.fields["hearth-revision"] ?? ""]
    }
    let changes = try await ask(
      server.polls, "/v1/home", fields: ["A-IM": "hearth-changes", "If-None-Match": old, "Accept-Encoding": "identity"])
    #expect(changes.status == 226, "\(old) \(changes.text.prefix(200))")
    answers.append(changes.text)
    for path in [
      "/pages/home/draft", "/pages/home/revisions", "/pages/home/revisions/1", "/pages/home/scheduled",
      "/pages/home/sort-rules", "/audiences", "/audit?limit=200", "/export",
    ] {
      let answer = try await ask(server.admin, "/admin/v1" + path, token: token)
      #expect(answer.status == 200, "\(path)")
      answers += [path, answer.text, answer.fields["etag"] ?? ""]
    }
    return answers
  }

  /// Makes some of everything that a database can hold; returns a version that a client may hold.
  private static func fill(_ server: ServedProgram, _ token: String) async throws -> String {
    let old = try #require(try await ask(server.polls, "/v1/home").fields["etag"])
    func change(_ method: String, _ path: String, _ body: String, _ fields: [String: String] = [:]) async throws {
      let answer = try await ask(
        server.admin, "/admin/v1" + path, method: method, token: token, body: body, fields: fields)
      #expect((200...204).contains(answer.status), "\(path): \(answer.text)")
    }
    try await change("PUT", "/audiences/gold", #"{"attribute": "bucket", "between": [0, 9]}"#)
    try await change("POST", "/pages/home/sections/otc/move", #"{"first": true}"#)
    try await change(
      "POST", "/pages/home/publish", #"{"message": "Größe ''\" 🏠\n"}"#, ["Idempotency-Key": "the-one"])
    try await change(
      "POST", "/pages/home/scheduled",
      #"{"at": "2099-01-01T00:00:00", "zone": "Asia/Shanghai", "sections": ["wallet"]}"#)
    try await change("POST", "/pages/home/scheduled", #"{"at": "2099-01-02T00:00:00", "zone": "UTC"}"#)
    try await change("POST", "/pages/home/sections/wallet/hide", "{}")
    return old
  }

  private static func copy(_ workshop: Workshop, from: String, to: String) throws -> ProgramResult {
    try workshop.run(["copy", "--from", from, "--to", to])
  }

  @Test func `a server on the copy serves the same bytes, versions and change sets, and goes on from there`()
    async throws
  {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    var server = try workshop.serve()
    let old = try await Self.fill(server, token)
    #expect(server.end() == 0)

    let postgresql = try PostgreSQLServer.running()
    let database = try postgresql.makeDatabase()
    defer { postgresql.drop(database) }
    let (file, place) = (workshop.database, postgresql.place(database))
    let copied = try Self.copy(workshop, from: file, to: place)
    #expect(copied.status == 0, "\(copied.error)")
    let refused = try Self.copy(workshop, from: file, to: place)
    #expect(refused.status == 78)
    #expect(refused.error.contains("not empty"), "\(refused.error)")

    // And back, into a file that is not there yet.
    let back = workshop.folder + "/back.db"
    let returned = try Self.copy(workshop, from: place, to: back)
    #expect(returned.status == 0, "\(returned.error)")
    #expect(returned.output == copied.output)

    server = try workshop.serve()
    let first = try await Self.answers(server, token, since: old)
    #expect(server.end() == 0)
    for (number, house) in [place, back].enumerated() {
      workshop.database = house
      server = try workshop.serve(environment: ["HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/node\(number)"])
      #expect(try await Self.answers(server, token, since: old) == first)
      let replayed = try await ask(
        server.admin, "/admin/v1/pages/home/publish", method: "POST", token: token,
        body: #"{"message": "Größe ''\" 🏠\n"}"#, fields: ["Idempotency-Key": "the-one"])
      #expect(replayed.fields["idempotency-replayed"] == "true", "\(replayed)")
      // Numbers go on after those that were given.
      let next = try await ask(
        server.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: #"{"waiting": "leave"}"#)
      #expect(next.status == 200, "\(next.text)")
      #expect(try JSON.parse(Array(next.text.utf8))["revision"] == 3)
      let scheduled = try await ask(
        server.admin, "/admin/v1/pages/home/scheduled", method: "POST", token: token,
        body: #"{"at": "2099-01-03T00:00:00", "zone": "UTC"}"#)
      #expect(scheduled.status == 201, "\(scheduled.text)")
      #expect(try JSON.parse(Array(scheduled.text.utf8))["id"] == 3)
      #expect(server.end() == 0)
    }
  }

  @Test func `what cannot be copied is refused, and nothing is touched`() throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let place = server.place(database)
    func tables() throws -> String {
      try server.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database: database)
    }
    let missing = try Self.copy(workshop, from: workshop.folder + "/none.db", to: place)
    #expect(missing.status == 74)
    #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/none.db"))
    #expect(try Self.copy(workshop, from: place, to: workshop.folder + "/new.db").status == 74)
    #expect(!FileManager.default.fileExists(atPath: workshop.folder + "/new.db"))
    #expect(try Self.copy(workshop, from: workshop.database, to: workshop.database).status == 78)
    #expect(try tables() == "0")

    try server.psql("CREATE TABLE albums (x bigint)", database: database)
    let foreign = try Self.copy(workshop, from: workshop.database, to: place)
    #expect(foreign.status == 78)
    #expect(foreign.error.contains("albums"))
    #expect(try tables() == "1")
    try server.psql("DROP TABLE albums", database: database)

    // A document that is not what it is known by: the copy is given up, and the tables that were made stay empty.
    try workshop.shell(
      """
      python3 - <<END
      import sqlite3
      db = sqlite3.connect("hearth.db")
      db.execute("DROP TRIGGER section_documents_are_not_changed")
      db.execute("UPDATE section_documents SET document = replace(document, 'a', 'b') WHERE fingerprint IN "
                 "(SELECT fingerprint FROM section_documents WHERE pieces IS NULL ORDER BY fingerprint DESC LIMIT 1)")
      db.commit()
      END
      """)
    let damaged = try Self.copy(workshop, from: workshop.database, to: place)
    #expect(damaged.status == 74)
    #expect(damaged.error.contains("another fingerprint"), "\(damaged.error)")
    #expect(try server.psql("SELECT count(*) FROM pages", database: database) == "0")
    #expect(try server.psql("SELECT count(*) FROM audit", database: database) == "0")
    let secret = try Self.copy(workshop, from: workshop.database, to: "postgresql://u:s3cret@127.0.0.1:1/x")
    #expect(secret.status == 74)
    #expect(!secret.error.contains("s3cret"))
  }
}
