import Foundation
import Peers
import Testing

/// The program on a database that a server keeps, as a shell runs it.
@Suite struct PostgreSQLProgramTests {
  /// What a connection string stands for in these tests.
  private func run(
    _ words: [String], at place: String, _ environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let workshop = try Workshop()
    let all = ["HEARTH_DATABASE": place, "HEARTH_SNAPSHOT_FOLDER": workshop.folder + "/node"]
    return try workshop.run(
      words + ["--config", workshop.config], environment: all.merging(environment) { _, own in own })
  }

  private func withDatabase(
    _ options: String = "", _ body: (PostgreSQLServer, String) throws -> Void
  ) throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase(options)
    defer { server.drop(database) }
    try body(server, database)
  }

  @Test func `without libpq it says what has it, and a file needs none`() throws {
    let workshop = try Workshop()
    // In a namespace of its own, where libpq's file has nothing in it.
    let emptied = #"""
      for file in $(/sbin/ldconfig -p | sed -n 's/.*=> \(.*libpq\.so\.5\)$/\1/p'); do
        mount --bind /dev/null "$file" || exit 1
      done
      exec "$0" "$@"
      """#
    func without(_ database: String) throws -> ProgramResult {
      let process = Process()
      process.executableURL = URL(filePath: "/usr/bin/unshare")
      process.arguments = [
        "--user", "--map-root-user", "--mount", "sh", "-c", emptied,
        try Workshop.program().path, "migrate", "up", "--config", workshop.config,
      ]
      process.environment = Workshop.environment.merging(["HEARTH_DATABASE": database]) { $1 }
      let (output, error) = (Pipe(), Pipe())
      (process.standardOutput, process.standardError) = (output, error)
      try process.run()
      let texts = [output, error].map { String(decoding: $0.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self) }
      process.waitUntilExit()
      return ProgramResult(status: process.terminationStatus, output: texts[0], error: texts[1])
    }
    let refused = try without("postgresql://user:s3cret@127.0.0.1/name")
    #expect(refused.status == 78, "\(refused.error)")
    #expect(refused.error.contains("libpq cannot be loaded") && refused.error.contains("libpq5"), "\(refused.error)")
    #expect(!refused.error.contains("s3cret"))
    let made = try without(workshop.database)
    #expect(made.status == 0, "\(made.error)")
  }

  @Test func `every command takes the connection string`() throws {
    try withDatabase { server, database in
      let place = server.place(database)
      for words in [
        ["migrate", "status"], ["migrate", "up"], ["migrate", "up"], ["demo"], ["export"], ["token", "list"],
        ["token", "create", "--name", "a", "--role", "admin"], ["generation", "raise", "--reason", "a test"],
        ["kinds", "check"],
      ] {
        let result = try run(words, at: place)
        #expect(result.status == 0, "\(words): \(result.error)")
      }
      #expect(try run(["migrate", "status"], at: place).output.contains("0001_tables.sql  applied"))
      #expect(try server.psql("SELECT count(*) FROM revisions", database: database) != "0")
      let named = try run(["serve", "--print-config"], at: "postgresql://user:s3cret@host/name")
      #expect(named.output.contains("postgresql://user@host/name"))
      #expect(!named.output.contains("s3cret"))
    }
  }

  @Test(arguments: [
    "postgresql://user:s3cret/x@host/name", "postgresql://user:s3cret@host/name?s3cret", "host=a s3cret",
    "postgresql://user:s3c%ret@host/name",
  ])
  func `a connection string that is wrong ends with 78, and is not shown`(place: String) throws {
    let result = try run(["migrate", "up"], at: place)
    #expect(result.status == 78, "\(result.error)")
    #expect(!(result.error + result.output).contains("s3c"), "\(result.error)")
  }

  @Test func `a server that is not there ends with 74 after the wait, and one that refuses with 78`() throws {
    let nobody = try run(
      ["serve"], at: "postgresql://user:s3cret@127.0.0.1:1/name", ["HEARTH_DATABASE_START_WAIT": "0.3"])
    #expect(nobody.status == 74, "\(nobody.error)")
    #expect(!nobody.error.contains("s3cret"))
    let server = try PostgreSQLServer.running()
    try server.psql("DROP ROLE IF EXISTS locked; CREATE ROLE locked LOGIN PASSWORD 'right'")
    let refused = try run(["serve"], at: server.place("postgres", user: "locked", password: "s3cret"))
    #expect(refused.status == 78, "\(refused.error)")
    #expect(!refused.error.contains("s3cret"))
  }

  @Test func `a database that is another program's, or of another encoding, is refused untouched`() throws {
    try withDatabase { server, database in
      try server.psql("CREATE TABLE albums (x bigint)", database: database)
      let result = try run(["migrate", "up"], at: server.place(database))
      #expect(result.status == 78)
      #expect(result.error.contains("albums"))
      let tables = try server.psql("SELECT tablename FROM pg_tables WHERE schemaname = 'public'", database: database)
      #expect(tables == "albums")
    }
    try withDatabase("ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'") { server, database in
      let result = try run(["migrate", "up"], at: server.place(database))
      #expect(result.status == 78)
      #expect(result.error.contains("LATIN1"))
    }
  }

  @Test func `only migrate, demo and serve --create make the tables`() throws {
    try withDatabase { server, database in
      let result = try run(["token", "list"], at: server.place(database))
      #expect(result.status == 74)
      #expect(try server.psql("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", database: database) == "0")
    }
  }

  @Test func `a newer schema is used as long as it allows this program`() throws {
    try withDatabase { server, database in
      let place = server.place(database)
      #expect(try run(["migrate", "up"], at: place).status == 0)
      try server.psql(
        "INSERT INTO migrations (number, name, checksum, applied_at, oldest) VALUES (999, '0999_later.sql', 'x', 1, 1)",
        database: database)
      #expect(try run(["token", "list"], at: place).status == 0)
      try server.psql("UPDATE migrations SET oldest = 999 WHERE number = 999", database: database)
      let result = try run(["token", "list"], at: place)
      #expect(result.status == 78)
      #expect(result.error.contains("0999_later.sql"))
    }
  }

  @Test func `the right that a role is missing is named`() throws {
    try withDatabase { server, database in
      #expect(try run(["migrate", "up"], at: server.place(database)).status == 0)
      try server.psql(
        "DROP ROLE IF EXISTS looker; CREATE ROLE looker LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO looker",
        database: database)
      let result = try run(["token", "list"], at: server.place(database, user: "looker"))
      #expect(result.status == 74)
      #expect(result.error.contains("INSERT on pages"), "\(result.error)")
      try server.psql("DROP OWNED BY looker; DROP ROLE looker", database: database)
    }
  }
}
