import Foundation
import JSON
import Peers
import Testing

/// Databases, servers and roles that the program cannot use, and those that it just can.
@Suite struct PostgreSQLRefusalTests {
  private func run(_ words: [String], at place: String) throws -> ProgramResult {
    let workshop = try Workshop()
    workshop.database = place
    return try workshop.run(
      words + workshop.place,
      environment: ["HEARTH_DATABASE_START_WAIT": "0.3"])
  }

  private func withDatabase(_ body: (PostgreSQLServer, String) async throws -> Void) async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    try await body(server, database)
  }

  /// Everything that somebody has made in a database.
  private func everything(_ server: PostgreSQLServer, _ database: String) throws -> String {
    try server.psql(
      """
      SELECT relname, attname, atttypid FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE pg_class.oid >= 16384 UNION ALL SELECT proname, '', 0 FROM pg_proc WHERE oid >= 16384 ORDER BY 1, 2
      """, database: database)
  }

  @Test(arguments: [
    "(id bigint, migration text, batch bigint)", "(number bigint, applied_at timestamptz)",
    "(number text, name text, checksum text, applied_at text, oldest text)",
    "(number bigint, name text, checksum text, applied_at bigint, oldest bigint)",
  ])
  func `another program's table of migrations is refused, and left as it is`(columns: String) async throws {
    try await withDatabase { server, database async throws in
      try server.psql("CREATE TABLE migrations \(columns)", database: database)
      if columns.contains("oldest") {
        let values = columns.contains("oldest text") ? "'v1', 'a', 'b', 'c', 'd'" : "NULL, NULL, NULL, NULL, NULL"
        try server.psql("INSERT INTO migrations VALUES (\(values))", database: database)
      }
      let before = try everything(server, database)
      for words in [["migrate", "up"], ["migrate", "status"], ["demo"], ["serve"]] {
        let result = try run(words, at: server.place(database))
        #expect(result.status == 78, "\(words): \(result.error)")
        #expect(result.error.contains("another program's"), "\(result.error)")
      }
      #expect(try everything(server, database) == before)
    }
  }

  @Test func `when the first migration cannot be applied nothing is left of it`() async throws {
    try await withDatabase { server, database async throws in
      try server.psql(
        "CREATE FUNCTION wake_nodes() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
        database: database)
      let before = try everything(server, database)
      let failed = try run(["migrate", "up"], at: server.place(database))
      #expect(failed.status == 78)
      #expect(failed.error.contains("0001_tables.sql"), "\(failed.error)")
      #expect(try everything(server, database) == before)
    }
  }

  @Test func `a role that may not make tables, or not read them, is told the right that it lacks`() async throws {
    try await withDatabase { server, database async throws in
      try server.psql("DROP ROLE IF EXISTS guest; CREATE ROLE guest LOGIN")
      defer { _ = try? server.psql("DROP ROLE guest") }
      let place = server.place(database, user: "guest")
      let empty = try run(["migrate", "up"], at: place)
      #expect(empty.status == 74)
      #expect(empty.error.contains("the role lacks a right: permission denied for schema public"), "\(empty.error)")
      #expect(try run(["migrate", "up"], at: server.place(database)).status == 0)
      let blind = try run(["token", "list"], at: place)
      #expect(blind.status == 74)
      #expect(blind.error.contains("permission denied for table migrations"), "\(blind.error)")
    }
  }

  @Test func `a role with the rights of docs/nodes.md, and no others, can do everything`() async throws {
    try await withDatabase { server, database async throws in
      #expect(try run(["migrate", "up"], at: server.place(database)).status == 0)
      let rights = try #require(
        try Documents.text("docs/nodes.md").firstMatch(of: /```sql\n(GRANT[\s\S]*?)```/)
      ).1.replacing("worker", with: "worker_of_test")
      try server.psql("DROP ROLE IF EXISTS worker_of_test; CREATE ROLE worker_of_test LOGIN")
      defer { _ = try? server.psql("DROP OWNED BY worker_of_test; DROP ROLE worker_of_test", database: database) }
      try server.psql(
        "REVOKE ALL ON SCHEMA public FROM PUBLIC; GRANT USAGE ON SCHEMA public TO worker_of_test; \(rights)",
        database: database)

      let workshop = try Workshop()
      workshop.database = server.place(database, user: "worker_of_test")
      let token = try workshop.loadDemo()
      let served = try workshop.serve()
      #expect(try await ask(served.polls, "/v1/home").status == 200)
      let scheduled = try await ask(
        served.admin, "/admin/v1/pages/home/scheduled", method: "POST", token: token,
        body: #"{"at": "2099-01-03T00:00:00", "zone": "UTC"}"#)
      #expect(scheduled.status == 201, "\(scheduled.text)")
      let made = try await ask(
        served.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: "{}",
        fields: ["Prefer": "wait=5"])
      #expect(try JSON.parse(Array(made.text.utf8))["nodes"] == ["serving": 1, "of": 1], "\(made.text)")
      #expect(try await ask(served.polls, "/v1/home").status == 200)
      #expect(served.end() == 0)
      let raise = ["generation", "raise", "--reason", "a test"]
      #expect(try workshop.run(raise + workshop.place).status == 0)
      #expect(try server.psql("SELECT count(*) > 0 FROM known_versions", database: database) == "t")
      // Not even the audit's owner changes it; a role without the right is not let near.
      #expect(throws: (any Error).self) {
        try server.psql("SET ROLE worker_of_test; DELETE FROM audit", database: database)
      }
    }
  }

  @Test func `tables may be in a schema whose name has capitals`() async throws {
    try await withDatabase { server, database async throws in
      try server.psql("CREATE SCHEMA \"Home\"", database: database)
      func place(_ user: String) -> String {
        server.place(database, user: user) + "&options=-csearch_path%3D%22Home%22"
      }
      #expect(try run(["migrate", "up"], at: place("hearth")).status == 0)
      #expect(try run(["token", "list"], at: place("hearth")).status == 0)
      try server.psql(
        """
        DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT USAGE ON SCHEMA "Home" TO reader;
        GRANT SELECT ON ALL TABLES IN SCHEMA "Home" TO reader;
        """, database: database)
      defer { _ = try? server.psql("DROP OWNED BY reader; DROP ROLE reader", database: database) }
      let result = try run(["token", "list"], at: place("reader"))
      #expect(result.status == 74)
      #expect(result.error.contains("INSERT on pages"), "\(result.error)")
    }
  }

  @Test func `what is wrong for good with the connection ends with 78, and says nothing of what it holds`() async throws
  {
    let server = try PostgreSQLServer.running()
    try server.psql("DROP ROLE IF EXISTS locked2; CREATE ROLE locked2 LOGIN PASSWORD 's3cret'")
    let wrong = [
      "postgresql://u@127.0.0.1/x?sslmode=quatsch": "sslmode", "postgresql://u@127.0.0.1:99999/x": "65535",
      "postgresql://u@127.0.0.1/x?target_session_attrs=quatsch": "target_session_attrs",
      "postgresql://u@127.0.0.1:1/x?sslmode=verify-full&sslrootcert=/quatsch.crt": "sslrootcert",
      server.place("postgres", user: "locked2") + "&passfile=/nowhere": "password",
      server.place("postgres", user: "locked2", password: "quatsch"): "password",
    ]
    for (place, word) in wrong {
      let result = try run(["serve", "--listen", "127.0.0.1:0", "--admin-listen", "127.0.0.1:0"], at: place)
      #expect(result.status == 78, "\(place): \(result.error)")
      #expect(result.error.contains(word), "\(result.error)")
      #expect(!result.error.contains("quatsch") && !result.error.contains("99999"), "\(result.error)")
    }
  }

  /// Speaks the protocol (https://www.postgresql.org/docs/15/protocol-flow.html) as far as a server says of itself what
  /// it is, and answers libpq, which asks an older one than 14 whether it is in recovery before it hands over.
  private static let oldServer = #"""
    import socket, struct, sys
    listener = socket.create_server(("127.0.0.1", 0))
    listener.settimeout(60)
    def say(word):
        with open(sys.argv[1], "a") as file: file.write(f"{word}\n")
    say(listener.getsockname()[1])
    def message(kind, body): return kind + struct.pack("!i", len(body) + 4) + body
    def parameter(name, value): return message(b"S", name + b"\0" + value + b"\0")
    while True:
        client, _ = listener.accept()
        while True:
            head = client.recv(8, socket.MSG_WAITALL)
            # The last one wants TLS, and goes away.
            if not head: sys.exit()
            length, code = struct.unpack("!ii", head)
            client.recv(length - 8, socket.MSG_WAITALL)
            if code == 196608: break
            client.sendall(b"N")
        client.sendall(message(b"R", struct.pack("!i", 0)) + parameter(b"server_version", b"12.22")
                       + parameter(b"server_encoding", b"UTF8") + parameter(b"client_encoding", b"UTF8")
                       + message(b"K", struct.pack("!ii", 1, 2)) + message(b"Z", b"I"))
        while True:
            head = client.recv(5, socket.MSG_WAITALL)
            if head[:1] in (b"", b"X"): break
            asked = client.recv(struct.unpack("!xi", head)[0] - 4, socket.MSG_WAITALL)
            say("asked " + asked.rstrip(b"\0").decode())
            value = b"off" if asked.startswith(b"SHOW") else b"f"
            client.sendall(message(b"T", struct.pack("!h", 1) + b"is\0" + struct.pack("!ihihih", 0, 0, 25, -1, -1, 0))
                           + message(b"D", struct.pack("!hi", 1, len(value)) + value)
                           + message(b"C", b"SELECT 1\0") + message(b"Z", b"I"))
        client.close()
    """#

  @Test func `a server that says that it is older than 13 is asked no more than whether it is the primary`()
    async throws
  {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let folder = try Workshop().folder
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    process.arguments = ["python3", "-c", Self.oldServer, folder + "/said"]
    func said() -> String { (try? String(contentsOfFile: folder + "/said", encoding: .utf8)) ?? "" }
    try process.run()
    defer { kill(process.processIdentifier, SIGKILL) }
    try await eventually { said().hasSuffix("\n") }
    let port = said().trimmingCharacters(in: .newlines)
    let result = try run(["migrate", "up"], at: "postgresql://u@127.0.0.1:\(port)/x")
    #expect(result.status == 78, "\(result.error)")
    #expect(result.error.contains("12.22") && result.error.contains("13"), "\(result.error)")
    // It is tried once, and what it is asked comes from libpq.
    let asked = said().split(separator: "\n").dropFirst()
    #expect(asked.count <= 1, "\(asked)")
    #expect(asked.allSatisfy { $0.contains(#/(pg_is_in_recovery\(\)|SHOW transaction_read_only)$/#) }, "\(asked)")
    // It has no TLS either.
    let plain = try run(["migrate", "up"], at: "postgresql://u@127.0.0.1:\(port)/x?sslmode=require")
    #expect(plain.status == 78, "\(plain.error)")
    #expect(plain.error.contains("does not support SSL"), "\(plain.error)")
  }
}
