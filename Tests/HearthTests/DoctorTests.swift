import Foundation
import JSON
import Peers
import Testing

/// What `hearth doctor` tells of a database before a server is started on it.
@Suite struct DoctorTests {
  /// A database that was served, with its server gone.
  private func served() async throws -> (workshop: Workshop, token: String) {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    #expect(try workshop.serve().end() == 0)
    return (workshop, token)
  }

  private func doctor(_ workshop: Workshop, _ arguments: [String] = []) throws -> ProgramResult {
    try workshop.run(["doctor"] + arguments + workshop.place, environment: ["TMPDIR": workshop.folder + "/scratch"])
  }

  /// Every file in the folder of the database with its bytes and its time of change.
  private func files(_ workshop: Workshop) throws -> [String: [String]] {
    var files: [String: [String]] = [:]
    for suffix in ["", "-wal", "-shm", ".served", ".tokens", ".snapshot"] {
      let name = "hearth.db" + suffix
      let path = workshop.folder + "/" + name
      guard FileManager.default.fileExists(atPath: path) else { continue }
      let data = try Data(contentsOf: URL(filePath: path))
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      files[name] = [data.base64EncodedString(), "\(attributes[.modificationDate] ?? "")"]
    }
    return files
  }

  @Test func `a database that lacks nothing ends with 0, and nothing is left or changed`() async throws {
    let (workshop, _) = try await served()
    try workshop.shell("mkdir scratch")
    let before = try files(workshop)
    let found = try doctor(workshop)
    #expect(found.status == 0, "\(found.output)\(found.error)")
    for line in ["whole: yes", "history: not cut", "page: home, served 1.1, database 1.1"] {
      #expect(found.output.contains(line), "\(found.output)")
    }
    #expect(try files(workshop) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.folder + "/scratch").isEmpty)
  }

  @Test func `after a kill the last changes are found in the log, which stays as it is`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    try workshop.shell("mkdir scratch")
    let server = try workshop.serve()
    let token = try workshop.run(["token", "create", "--name", "late", "--role", "viewer"] + workshop.place)
    #expect(token.status == 0)
    _ = server.end(SIGKILL)
    let before = try files(workshop)
    #expect(before["hearth.db-wal"]?[0].isEmpty == false)
    let found = try doctor(workshop, ["--json"])
    #expect(found.status == 0, "\(found.output)\(found.error)")
    #expect(try files(workshop) == before)
  }

  @Test func `after a restore it names what is cut, which tokens are gone or back, and what would run`() async throws {
    let (workshop, _) = try await served()
    try workshop.shell("mkdir scratch; cp hearth.db before.db")
    let list = try workshop.run(["token", "list"] + workshop.place).output
    let selector = try #require(list.split(separator: " ").first.map(String.init))
    let export = try workshop.run(["export"] + workshop.place).output
    let changed = try workshop.write(export.replacing("title: Home\n", with: "title: Another\n"), to: "changed.yaml")
    #expect(try workshop.run(["import", changed, "--publish"] + workshop.place).status == 0)
    #expect(try workshop.run(["token", "create", "--name", "later", "--role", "viewer"] + workshop.place).status == 0)
    #expect(try workshop.serve().end() == 0)
    #expect(try workshop.run(["token", "revoke", selector] + workshop.place).status == 0)
    try workshop.shell("rm -f hearth.db-wal hearth.db-shm; cp before.db hearth.db")

    let before = try files(workshop)
    let found = try doctor(workshop)
    #expect(found.status == 1, "\(found.error)")
    for line in [
      "history: cut, home: revision 2, which was served, is not in the database",
      "page: home, served 1.2, database 1.1", "token: \(selector) ops, a token that was revoked had come back",
      "later, a token is not in the database any more",
    ] { #expect(found.output.contains(line), "\(line): \(found.output)") }
    let json = try JSON.parse(Array(try doctor(workshop, ["--json"]).output.utf8))
    #expect(json["cut"]?.string?.hasPrefix("home: revision 2") == true)
    #expect(json["served"]?["pages"]?.array?.contains { $0["page"] == "home" && $0["served"]?.int == 2 } == true)
    #expect(Set(json["tokens"]?.array?.compactMap { $0["fate"]?.string } ?? []) == ["revokedAgain", "lost"])
    #expect(try files(workshop) == before)
    // What it said is what a start does.
    let server = try workshop.serve()
    try server.read(until: "history was cut: home: revision 2")
    #expect(try await server.status()["status"] == "degraded")
    #expect(server.end() == 0)
  }

  @Test func `a schedule that is due is told before it runs`() async throws {
    let (workshop, token) = try await served()
    try workshop.shell("mkdir scratch")
    let server = try workshop.serve()
    let answer = try await ask(
      server.admin, "/admin/v1/pages/home/scheduled", method: "POST", token: token,
      body: #"{"at": "2099-01-01T00:00:00", "zone": "UTC"}"#)
    #expect(answer.status == 201, "\(answer.text)")
    #expect(server.end() == 0)
    let later = try doctor(workshop)
    #expect(later.status == 0 && later.output.contains("at 2099-01-01T00:00:00Z, by ops: later"), "\(later.output)")
    let script =
      #"import sqlite3; d = sqlite3.connect("hearth.db"); d.execute("UPDATE scheduled_publishes SET at = 1")"#
    try workshop.shell("python3 -c '\(script); d.commit()'")
    let due = try doctor(workshop)
    #expect(due.status == 1 && due.output.contains("by ops: at the start"), "\(due.output)")
  }

  @Test func `a damaged file and one that is no database end with 74`() async throws {
    let (workshop, _) = try await served()
    try workshop.shell("mkdir scratch; cp hearth.db whole.db")
    try workshop.shell(
      "rm -f hearth.db-wal; dd if=/dev/urandom of=hearth.db bs=4096 seek=20 count=40 conv=notrunc 2>&1")
    let damaged = try doctor(workshop)
    let told = damaged.output + damaged.error
    #expect(damaged.status == 74 && told.contains("damaged"), "\(told)")
    try workshop.shell("echo nothing > hearth.db")
    let other = try doctor(workshop)
    #expect(other.status == 74 && other.error.contains("not an SQLite database"), "\(other.error)")
    try workshop.shell("rm hearth.db")
    #expect(try doctor(workshop).status == 74)
    #expect(try FileManager.default.contentsOfDirectory(atPath: workshop.folder + "/scratch").isEmpty)
  }

  @Test(arguments: ["0400 hearth.db", "0400 hearth.db-wal", "0400 hearth.db-shm", "0500 ."])
  func `what a start cannot write ends with 74, as the start does`(rights: String) async throws {
    let (workshop, _) = try await served()
    // What is killed leaves its log.
    if rights.contains("-") { _ = try workshop.serve().end(SIGKILL) }
    let scratch = FileManager.default.temporaryDirectory.path + "/hearth-doctor-rights-\(UUID().uuidString)"
    try workshop.shell("mkdir \(scratch); chmod \(rights)")
    defer { try? workshop.shell("chmod 0700 .; rm -r \(scratch)") }
    func run(_ arguments: [String]) throws -> ProgramResult {
      try workshop.run(arguments + workshop.place, environment: ["TMPDIR": scratch], isHeldByRights: true)
    }
    let found = try run(["doctor"])
    let folder = URL(filePath: workshop.folder).lastPathComponent
    let file = rights.hasSuffix(".") ? "" : "/\(rights.dropFirst(5))"
    #expect(found.status == 74 && found.output.contains("/\(folder)\(file)\n"), "\(found.output)\(found.error)")
    #expect(found.output.contains("history: not cut"), "\(found.output)")
    let started = try run(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"])
    #expect(started.status == 74, "\(started.error)")
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP]) func `a signal ends it and leaves nothing of the copy`(signal: Int32)
    async throws
  {
    let (workshop, _) = try await served()
    try workshop.shell("mkdir scratch")
    let scratch = workshop.folder + "/scratch"
    let database = URL(filePath: workshop.database)
    // As long as somebody writes, it copies again.
    let writing = Task {
      while !Task.isCancelled {
        try FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: database.path)
        try await Task.sleep(for: .milliseconds(1))
      }
    }
    var ended = (reason: Process.TerminationReason.exit, status: Int32(0))
    // It may be done before the signal comes.
    for _ in 0..<20 {
      let process = try workshop.process(["doctor"] + workshop.place, ["TMPDIR": scratch])
      (process.standardOutput, process.standardError) = (Pipe(), Pipe())
      try process.run()
      try await eventually {
        try !process.isRunning
          || FileManager.default.contentsOfDirectory(atPath: scratch).contains {
            FileManager.default.fileExists(atPath: "\(scratch)/\($0)/hearth.db")
          }
      }
      kill(process.processIdentifier, signal)
      process.waitUntilExit()
      ended = (process.terminationReason, process.terminationStatus)
      if ended.reason == .uncaughtSignal { break }
    }
    writing.cancel()
    #expect(ended.reason == .uncaughtSignal && ended.status == signal)
    #expect(try FileManager.default.contentsOfDirectory(atPath: scratch) == [])
  }

  @Test func `on PostgreSQL it tells the same of the database itself, and changes nothing`() async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let workshop = try Workshop()
    workshop.database = server.place(database)
    let token = try workshop.loadDemo()
    let served = try workshop.serve()
    for _ in 0..<2 {
      let published = try await ask(
        served.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{}")
      #expect(published.status == 200, "\(published.text)")
    }
    let scheduled = try await ask(
      served.admin, "/admin/v1/pages/home/scheduled", method: "POST", token: token,
      body: #"{"at": "2099-01-01T00:00:00", "zone": "UTC"}"#)
    #expect(scheduled.status == 201, "\(scheduled.text)")
    #expect(served.end() == 0)
    func doctor(_ words: [String] = []) throws -> ProgramResult {
      try workshop.run(["doctor"] + words + workshop.place)
    }
    let state = "SELECT number, identity FROM changes"
    let before = try server.psql(state, database: database)
    let well = try doctor()
    #expect(well.status == 0, "\(well.output)\(well.error)")
    for line in [
      "whole: not looked at, pg_amcheck of PostgreSQL tells", "history: not cut",
      "page: home, served 1.3, database 1.3", "by ops: later",
    ] { #expect(well.output.contains(line), "\(line): \(well.output)") }
    #expect(try server.psql(state, database: database) == before)
    // As a dump has it that is older.
    _ = try server.psql(
      """
      UPDATE pages SET live = 2 WHERE id = 'home'; DELETE FROM revisions WHERE page = 'home' AND number = 3;
      UPDATE revision_numbers SET last = 2 WHERE page = 'home'; DELETE FROM tokens;
      """, database: database)
    let changed = try server.psql(state, database: database)
    let cut = try doctor()
    #expect(cut.status == 1, "\(cut.output)\(cut.error)")
    for line in [
      "history: cut, home: revision 3, which was served, is not in the database",
      "page: home, served 1.3, database 1.2", "ops, a token is not in the database any more", "by ops: held",
    ] { #expect(cut.output.contains(line), "\(line): \(cut.output)") }
    let json = try JSON.parse(Array(try doctor(["--json"]).output.utf8))
    #expect(json["damageLookedFor"] == false)
    #expect(json["damage"] == .null)
    #expect(try server.psql(state, database: database) == changed)
  }
}
