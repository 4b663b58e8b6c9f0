import Foundation
import JSON
import Peers
import Testing

/// What a server's database asks of whoever is on call: its standby is missing, or its password is.
@Suite struct StandbyTests {
  @Test func `a lost synchronous standby is named in answers, status, metric and log until it is back`() async throws {
    let workshop = try Workshop()
    let server = try PostgreSQLServer()
    workshop.database = server.place(try server.makeDatabase())
    let environment = ["HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/node"]
    #expect(try workshop.run(["migrate", "up"] + workshop.place).status == 0)
    let token = try workshop.loadDemo()
    let served = try workshop.serve(environment: environment)
    var changes: [(status: Int, text: String)] = []
    func change() async throws -> (status: Int, text: String) {
      let answer = try await ask(
        served.admin, "/admin/v1/pages/home/sections/otc/move", method: "POST", token: token,
        body: changes.count.isMultiple(of: 2) ? #"{"first": true}"# : #"{"last": true}"#)
      changes.append((answer.status, answer.text))
      return (answer.status, answer.text)
    }
    #expect(try await change().status == 200)
    // There is none of that name.
    try server.psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
    try server.psql("SELECT pg_reload_conf()")
    try await eventually { try await change().status == 503 }
    try await eventually { try await served.status()["database"] == "standby-missing" }
    #expect(try await served.metric("hearth_database_up") == 0)
    #expect(try await served.metric("hearth_standby_missing") == 1)
    #expect(try await served.metric("hearth_stale") == 0)
    #expect(try await ask(served.polls, "/v1/home").status == 200)
    try served.read(until: "failure=standby-missing")
    let next = try await change()
    #expect(next.status == 503 && next.text.contains("Nothing was changed"), "\(next.text)")
    for answer in changes where answer.status == 503 {
      #expect(answer.text.contains("synchronous standby"), "\(answer.text)")
      #expect(answer.text.contains("is not known") != answer.text.contains("Nothing was changed"), "\(answer.text)")
    }

    try server.psql("ALTER SYSTEM RESET synchronous_standby_names")
    try server.psql("SELECT pg_reload_conf()")
    try await eventually { try await served.status()["database"] == "ok" }
    try served.read(until: "the database can be used again")
    #expect(try await served.metric("hearth_standby_missing") == 0)
    #expect(try await change().status == 200)
    #expect(served.end() == 0)
    // Once, however many looks there were.
    let log = served.text + (served.rest ?? "")
    #expect(log.matches(of: /failure=standby-missing/).count == 1, "\(log)")
  }

  @Test func `a server that asks for a password that is not there is said to, and ends a start with 78`() async throws {
    let workshop = try Workshop()
    let server = try PostgreSQLServer()
    let database = try server.makeDatabase()
    try server.psql("CREATE ROLE locked LOGIN SUPERUSER PASSWORD 's3cret'")
    workshop.database = server.place(database, user: "locked")
    let file = try workshop.write("*:*:*:locked:s3cret\n", to: "pgpass")
    func protect(_ mode: Int) throws {
      try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }
    try protect(0o600)
    let environment = [
      "HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/node", "HEARTH_DATABASE_START_WAIT": "0.5", "PGPASSFILE": file,
    ]
    for words in [["migrate", "up"], ["demo"]] {
      #expect(try workshop.run(words + workshop.place, environment: environment).status == 0)
    }
    let first = try workshop.serve(environment: environment)
    try await eventually { FileManager.default.fileExists(atPath: workshop.folder + "/node/snapshot") }
    // While it runs: what is connected goes on, and no other connection is made.
    try protect(0o644)
    try server.cut(database)
    func isSaid(_ served: ServedProgram) async throws -> Bool {
      let status = try await served.status()
      return status["database"] == "unsuitable"
        && (status["reasons"]?.array ?? []).contains { $0.string?.contains("0600") == true }
    }
    try await eventually { try await isSaid(first) }
    try first.read(until: "failure=unsuitable")
    #expect(try await ask(first.polls, "/v1/home").status == 200)
    try protect(0o600)
    try await eventually { try await first.status()["status"] == "ok" }
    _ = first.end(SIGKILL)

    try protect(0o644)
    // Where there is no snapshot to serve.
    let bare = environment.merging(["HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/bare"]) { $1 }
    let refused = try workshop.run(workshop.serving, environment: bare)
    #expect(refused.status == 78, "\(refused.error)")
    #expect(refused.error.contains("password") && !refused.error.contains("s3cret"), "\(refused.error)")

    // Where nobody answers at the start, it is found out later.
    try server.stop()
    let again = try workshop.serve(environment: environment)
    try server.start()
    try await eventually { try await isSaid(again) }
    try again.read(until: "failure=unsuitable")
    #expect(!again.text.contains("s3cret"))
    try protect(0o600)
    try await eventually { try await again.status()["status"] == "ok" }
    #expect(again.end() == 0)
  }
}
