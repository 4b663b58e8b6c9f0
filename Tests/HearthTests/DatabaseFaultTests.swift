import Foundation
import JSON
import Testing

/// The program when something happens to its database: what it answers, says and leaves alone.
@Suite struct DatabaseFaultTests {
  /// A served demo, and a token for it.
  private func withDemo(
    after shell: String = "", environment: [String: String] = [:],
    _ body: (Workshop, ServedProgram, _ token: String) async throws -> Void
  ) async throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve(after: shell, environment: environment)
    try await body(workshop, server, token)
  }

  private func publish(_ server: ServedProgram, _ token: String) async throws -> (status: Int, text: String) {
    let answer = try await ask(
      server.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{\"message\": \"m\"}")
    return (answer.status, answer.text)
  }

  private func database(_ server: ServedProgram) async throws -> String {
    let text = try await ask(server.admin, "/status").text
    return text.firstMatch(of: /"database":"([a-z-]+)"/).map { String($0.1) } ?? text
  }

  @Test(arguments: ["move", "cp"])
  func `without its database a server polls on, acknowledges nothing and says so, until the file is back`(
    way: String
  ) async throws {
    try await withDemo { workshop, server, token in
      #expect(try await publish(server, token).status == 200)
      let files = FileManager.default
      // A copy over the file, as cp makes it, keeps its device and number.
      #expect(try workshop.run(["migrate", "up", "--database", workshop.folder + "/other/hearth.db"]).status == 0)
      let undo: () throws -> Void
      if way == "move" {
        try files.moveItem(atPath: workshop.database, toPath: workshop.database + ".moved")
        undo = { try files.moveItem(atPath: workshop.database + ".moved", toPath: workshop.database) }
      } else {
        try workshop.shell("cp hearth.db kept.db; cp other/hearth.db hearth.db")
        undo = { try workshop.shell("cp kept.db hearth.db") }
      }
      let refused = try await publish(server, token)
      #expect(refused.status == 503)
      #expect(refused.text.contains("\"code\":\"database-gone\""))
      #expect(try await ask(server.polls, "/v1/home").status == 200)
      try await eventually { try await database(server) == "gone" }
      #expect(try await server.metric("hearth_database_up") == 0)
      let status = try await server.status()
      #expect(status["status"] == "degraded")
      #expect(status["reasons"]?.array?.contains { $0.string?.contains("it is put back or restored") == true } == true)
      // No command makes another in its place.
      if way == "move" {
        #expect(try workshop.run(["token", "list"] + workshop.place).status == 74)
        #expect(!files.fileExists(atPath: workshop.database))
      }
      try undo()
      #expect(try await publish(server, token).status == 200)
      try await eventually { try await database(server) == "ok" }
      #expect(try await server.metric("hearth_database_up") == 1)
      #expect(server.end() == 0)
      let log = try #require(server.rest)
      #expect(
        log.contains("\"the database cannot be used\" failure=gone reason=\"the database file was removed"), "\(log)")
      // Errors are told in sentences, not by the names that they have in the source.
      #expect(!log.contains("DatabaseFailure") && !log.contains("StoreError"), "\(log)")
      #expect(log.contains("\"the database can be used again\""), "\(log)")
      // Everything that was acknowledged is there, and nothing else.
      let again = try workshop.serve()
      let revisions = try await ask(again.admin, "/admin/v1/pages/home/revisions", token: token).text
      #expect(revisions.matches(of: /"revision":/).count == 3, "\(revisions)")
    }
  }

  @Test func `a backup copied over the database, then restored as recover-md says`() async throws {
    let folder = NSTemporaryDirectory() + "/hearth-backups-\(UUID().uuidString)"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withDemo(environment: ["HEARTH_ADMIN_BACKUP_FOLDER": folder]) { workshop, server, token in
      let made = try await ask(server.admin, "/admin/v1/backup", method: "POST", token: token).text
      let name = try #require(made.firstMatch(of: /"file":"([^"]+)"/)).1
      #expect(try await publish(server, token).status == 200)
      try workshop.shell("cp \(folder)/\(name) hearth.db")
      #expect(try await publish(server, token).text.contains("database-gone"))
      let restored = try Data(contentsOf: URL(filePath: workshop.database))
      #expect(server.end() == 0)
      #expect(try Data(contentsOf: URL(filePath: workshop.database)) == restored)
      try workshop.shell("rm -f hearth.db-wal hearth.db-shm; cp \(folder)/\(name) hearth.db")
      #expect(try workshop.run(["generation", "raise", "--reason", "restored"] + workshop.place).status == 0)
      let again = try workshop.serve()
      #expect(try await publish(again, token).status == 200)
      #expect(again.end() == 0)
    }
  }

  @Test func `what was acknowledged outlives the removal of the log, and of the process right after`() async throws {
    try await withDemo { workshop, server, token in
      #expect(try await publish(server, token).status == 200)
      try workshop.shell("rm hearth.db-wal hearth.db-shm")
      #expect(try await publish(server, token).text.contains("database-gone"))
      try await eventually { try await database(server) == "gone" }
      _ = server.end(SIGKILL)
      let again = try workshop.serve()
      let revisions = try await ask(again.admin, "/admin/v1/pages/home/revisions", token: token).text
      #expect(revisions.matches(of: /"revision":/).count == 2, "\(revisions)")
    }
  }

  @Test func `after a clean end the one file holds everything`() async throws {
    try await withDemo { workshop, server, token in
      #expect(try await publish(server, token).status == 200)
      #expect(server.end() == 0)
      let names = try FileManager.default.contentsOfDirectory(atPath: workshop.folder)
      #expect(!names.contains("hearth.db-wal"), "\(names)")
    }
  }

  @Test func `a full disk is a 507 that changes nothing, and polls go on`() async throws {
    // A limit of the size of files stands for the disk: SQLite's log may grow to 600 KiB.
    try await withDemo(after: "ulimit -f 1200;") { _, server, token in
      let long = String(repeating: "x", count: 200_000)
      var statuses: [Int] = []
      for _ in 0..<10 where statuses.last != 507 {
        let body = """
          {"items": [{"id": "a", "kind": "navigation", "content": {"title": "A"},
            "action": {"url": "app://a", "attributes": {"number": \(statuses.count), "bulk": "\(long)"}}}]}
          """
        let answer = try await ask(
          server.admin, "/admin/v1/pages/home/sections/wallet/content", method: "PUT", token: token, body: body)
        statuses.append(answer.status)
        if answer.status == 507 { #expect(answer.text.contains("\"code\":\"disk-full\"")) }
        #expect([200, 204, 507].contains(answer.status), "\(answer.text.prefix(300))")
      }
      #expect(statuses.last == 507, "\(statuses)")
      #expect(try await ask(server.polls, "/v1/home").status == 200)
      try await eventually {
        let refused = try await publish(server, token)
        let found = try await database(server)
        return refused.status == 507 && found == "full"
      }
      #expect(server.end() == 0)
    }
  }

  @Test
  func `a held lock: a change waits its time in all and is a 503, a bad token and a token's first use do not wait`()
    async throws
  {
    try await withDemo(environment: ["HEARTH_ADMIN_WRITE_WAIT_SECONDS_MAX": "2"]) { workshop, server, token in
      let second = try workshop.run(["token", "create", "--name", "b", "--role", "viewer"] + workshop.place).output
        .trimmingCharacters(in: .newlines)
      let holder = try workshop.hold()
      let admin = server.admin
      let statuses = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
        for _ in 0..<12 {
          group.addTask {
            let answer = try await ask(
              admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{\"message\": \"m\"}")
            return (answer.status, answer.fields["retry-after"])
          }
        }
        for token in [second, "hearth_unknown12345_x"] {
          // Had it waited for the lock, it would be a 503 as the changes are.
          let status = try await ask(admin, "/admin/v1/pages", token: token).status
          #expect(status == (token == second ? 200 : 401))
        }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      for (status, wait) in statuses {
        #expect(status == 503)
        #expect(wait != nil)
      }
      try await eventually { try await database(server) == "locked" }
      // Whether a child heeds SIGTERM depends on the thread that started it.
      kill(holder.processIdentifier, SIGKILL)
      holder.waitUntilExit()
      #expect(try await publish(server, token).status == 200)
      try await eventually { try await database(server) == "ok" }
      let audit = try await ask(admin, "/admin/v1/audit?action=authorisation.failed", token: token).text
      #expect(audit.contains("no such token"), "\(audit)")
    }
  }

  @Test(arguments: ["ln -s hearth.db other.db", "ln hearth.db other.db"])
  func `one server serves a file, whatever its name`(link: String) async throws {
    try await withDemo { workshop, server, _ in
      try workshop.shell(link)
      var serving = workshop.serving
      serving[4] = workshop.folder + "/other.db"
      let second = try workshop.run(serving)
      #expect(second.status == 74)
      #expect(second.error.contains("another hearth serves it"), "\(second.error)")
      #expect(server.end() == 0)
    }
  }

  @Test func `only commands that say so make a database`() throws {
    let workshop = try Workshop()
    let document = try workshop.write("hearth: 1\npages: {}\n", to: "pages.yaml")
    for command in [
      ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"], ["token", "list"], ["export"],
      ["token", "create", "--name", "a", "--role", "admin"], ["token", "revoke", "x"], ["import", document],
    ] {
      let result = try workshop.run(command + workshop.place)
      #expect(result.status == 74, "\(command)")
      #expect(result.error.contains("hearth migrate up"), "\(result.error)")
      #expect(result.output.isEmpty)
      #expect(!FileManager.default.fileExists(atPath: workshop.database))
    }
    // An empty file is no database either.
    _ = try workshop.write("", to: "hearth.db")
    #expect(try workshop.run(["token", "list"] + workshop.place).status == 74)
    try FileManager.default.removeItem(atPath: workshop.database)
    for command in [["migrate", "up"], ["demo"]] {
      #expect(try workshop.run(command + workshop.place).status == 0)
      try workshop.shell("rm hearth.db*")
    }
  }

  @Test func `a log without its database is no missing database`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let server = try workshop.serve()
    #expect(try workshop.run(["token", "create", "--name", "last", "--role", "viewer"] + workshop.place).status == 0)
    _ = server.end(SIGKILL)
    try workshop.shell("mv hearth.db away.db; rm hearth.db-shm")
    for command in [
      ["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"], ["doctor"], ["migrate", "up"], ["export"],
      ["demo"],
    ] {
      let result = try workshop.run(command + workshop.place)
      #expect(result.status == 74, "\(command)")
      #expect(result.error.contains("the log of one beside it (-wal); put the database back"), "\(result.error)")
    }
    // The last changes are in it.
    try workshop.shell("mv away.db hearth.db")
    let tokens = try workshop.run(["token", "list"] + workshop.place)
    #expect(tokens.output.contains("last"), "\(tokens.output)\(tokens.error)")
  }

  @Test func `serve --create makes a database on an empty volume alone`() async throws {
    let workshop = try Workshop()
    // The configuration lies beside it: no empty volume.
    let refused = try workshop.run(workshop.serving + ["--create"])
    #expect(refused.status == 74)
    #expect(refused.error.contains("config"), "\(refused.error)")
    let volume = workshop.folder + "/volume"
    try FileManager.default.createDirectory(atPath: volume + "/lost+found", withIntermediateDirectories: true)
    workshop.database = volume + "/hearth.db"
    let server = try workshop.serve(["--create"])
    #expect(try await ask(server.polls, "/readyz").status == 200)
    #expect(server.end() == 0)
    #expect(try workshop.run(["token", "list"] + workshop.place).status == 0)
    // What else is there says that this is not the first start.
    try workshop.shell("mv volume/hearth.db volume/hearth.db.moved")
    #expect(try workshop.run(workshop.serving + ["--create"]).status == 74)
    #expect(!FileManager.default.fileExists(atPath: workshop.database))
  }

  @Test func `a server serves what another process publishes`() async throws {
    try await withDemo { workshop, server, _ in
      let page = """
        hearth: 1
        pages: {late: {title: Late, defaultLocale: en, locales: [en], sections: [{id: a, kind: middleNav}]}}
        """
      let document = try workshop.write(page, to: "late.yaml")
      #expect(try await ask(server.polls, "/v1/pages/late").status == 404)
      #expect(try workshop.run(["import", document, "--publish"] + workshop.place).status == 0)
      try await eventually { try await ask(server.polls, "/v1/pages/late").status == 200 }
      #expect(server.end() == 0)
    }
  }
}
