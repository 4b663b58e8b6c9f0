import Foundation
import Peers
import PostgreSQL
import Testing

/// The tables of `migrations/postgresql`.
@Suite struct SchemaTests {
  private static let migrations = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../../migrations/postgresql")

  /// Runs with a database that has the tables.
  private func withTables(_ body: (PostgreSQLPool, PostgreSQLServer, String) async throws -> Void) async throws {
    try await withPool { pool, server, database async throws in
      let files = try FileManager.default.contentsOfDirectory(atPath: Self.migrations.path).sorted()
      for file in files {
        let sql = try String(contentsOf: Self.migrations.appending(path: file), encoding: .utf8)
        try await pool.write { try $0.script(sql) }
      }
      try await body(pool, server, database)
    }
  }

  @Test func `every text is compared by code points`() async throws {
    try await withTables { pool, _, _ async throws in
      let others = try await pool.found(
        """
        SELECT c.relname || '.' || a.attname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND a.attnum > 0
          AND NOT (a.atttypid = 'bigint'::regtype OR a.atttypid = 'bytea'::regtype
            OR a.atttypid = 'text'::regtype AND a.attcollation = '"C"'::regcollation)
        """)
      #expect(others == [])
      try await pool.write { connection in
        for name in ["b", "B", "a", "é", "Z", "\u{1F600}", "\u{FF5E}"] {
          try connection.query("INSERT INTO audiences VALUES ($1, '{}', 1)", [name])
        }
      }
      #expect(
        try await pool.found("SELECT name FROM audiences ORDER BY name") == [
          "B", "Z", "a", "b", "é", "\u{FF5E}", "\u{1F600}",
        ])
    }
  }

  @Test func `what is immutable stays as it is`() async throws {
    try await withTables { pool, _, _ async throws in
      try await pool.write { connection in
        try connection.script(
          """
          INSERT INTO audit (id, at, actor, action) VALUES (1, 1, 'a', 'b');
          INSERT INTO section_documents VALUES ('f', '{}');
          INSERT INTO revisions VALUES ('home', 1, 'publish', NULL, 'a', 1, NULL, 'f', '{}', '{}', '{}', '[]');
          INSERT INTO revision_sections VALUES ('home', 1, 0, 's', 'f');
          """)
      }
      for sql in [
        "UPDATE audit SET actor = 'b'", "DELETE FROM audit", "TRUNCATE audit",
        "INSERT INTO audit (id, at, actor, action) VALUES (1, 2, 'b', 'b') ON CONFLICT (id) DO UPDATE SET actor = 'b'",
        "UPDATE revisions SET message = 'b'", "UPDATE revisions SET identity = 'b'",
        "UPDATE revision_sections SET position = 1", "UPDATE section_documents SET document = 'b'",
      ] {
        #expect(await failure { try await pool.run(sql) } == .raised, "\(sql)")
      }
      try await pool.write { try $0.query("UPDATE revisions SET is_pinned = 1") }
      try await pool.write { try $0.query("DELETE FROM revisions") }
      #expect(try await pool.found("SELECT count(*) FROM revision_sections") == ["0"])
    }
  }

  @Test func `a version of a lineage is known once, however long the lineage is`() async throws {
    try await withTables { pool, _, _ async throws in
      let lineage = (0..<4_000).map { String($0 * 7_919 % 10_007) }.joined(separator: ",")
      let sql =
        "INSERT INTO known_versions (page, lineage, version, revision, outcome, at) VALUES ('home', $1, $2, 1, '', 1)"
      try await pool.write { try $0.query(sql, [lineage, "a"]) }
      try await pool.write { try $0.query(sql, [lineage, "b"]) }
      #expect(await failure { try await pool.run(sql, [lineage, "a"]) } == .uniqueViolation)
    }
  }

  @Test func `raising the number of changes wakes who listens, once it is committed`() async throws {
    try await withTables { pool, server, database async throws in
      let woken = AsyncStream.makeStream(of: Void.self)
      let listener = try PostgreSQLListener(server.place(database), channel: "hearth") { woken.continuation.yield() }
      defer { listener.stop() }
      var wakes = woken.stream.makeAsyncIterator()
      await wakes.next()
      try await pool.write { try $0.query("UPDATE changes SET number = number + 1") }
      await wakes.next()
      #expect(try await pool.found("SELECT number FROM changes") == ["1"])
    }
  }
}
