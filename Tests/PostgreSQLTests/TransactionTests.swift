import Foundation
import Peers
import PostgreSQL
import Synchronization
import Testing

/// The key of the lock that these tests write under.
let lock: Int64 = 7

/// Runs with a pool on a database of its own.
func withPool(
  _ settings: PostgreSQLSettings = PostgreSQLSettings(), on server: PostgreSQLServer? = nil,
  _ body: (PostgreSQLPool, PostgreSQLServer, String) async throws -> Void
) async throws {
  let server = try server ?? .running()
  let database = try server.makeDatabase()
  defer { server.drop(database) }
  let pool = try PostgreSQLPool(server.place(database), settings)
  defer { pool.close() }
  try await body(pool, server, database)
}

extension PostgreSQLPool {
  /// Writes, with five seconds for it.
  @discardableResult
  func write<Value: Sendable>(
    within wait: Duration = .seconds(5), _ body: @Sendable @escaping (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await transaction(.write(lock: lock), until: .now + wait, body)
  }

  /// Writes by one statement.
  func run(_ sql: String, _ parameters: [String?] = []) async throws {
    try await write { _ = try $0.query(sql, parameters) }
  }

  /// What a query finds, as text, rows and columns one after the other.
  func found(_ sql: String, _ parameters: [String?] = []) async throws -> [String?] {
    try await transaction(.snapshot, until: .now + .seconds(5)) { connection in
      try connection.query(sql, parameters).rows.flatMap { $0 }
    }
  }
}

/// The kind of the failure that a body ends with.
func failure(_ body: () async throws -> Void) async -> PostgreSQLError.Kind? {
  do { try await body() } catch { return (error as? PostgreSQLError)?.kind }
  return nil
}

@Suite struct TransactionTests {
  @Test func `values come back as they were sent, whatever is in them`() async throws {
    try await withPool { pool, _, _ async throws in
      let texts = [
        "", "a", "it's \"quoted\" \\ $1 ?", "空 \u{1F600} e\u{301}", String(repeating: "x", count: 3_000_000),
      ]
      for text in texts { #expect(try await pool.found("SELECT CAST($1 AS text)", [text]) == [text]) }
      #expect(try await pool.found("SELECT CAST($1 AS text), CAST($2 AS bigint) + 1", [nil, "41"]) == [nil, "42"])
    }
  }

  @Test func `results name their columns and count what was changed`() async throws {
    try await withPool { pool, _, _ async throws in
      try await pool.write { connection in
        try connection.script("CREATE TABLE t (a bigint, b text); INSERT INTO t VALUES (1, 'x'), (2, NULL)")
        let rows = try connection.query("SELECT a, b FROM t ORDER BY a")
        #expect(rows.columns == ["a", "b"])
        #expect(rows.rows == [["1", "x"], ["2", nil]])
        #expect(try connection.query("UPDATE t SET b = $1", ["y"]).changesCount == 2)
        #expect(try connection.query("DELETE FROM t WHERE a > $1 RETURNING a", ["1"]).rows == [["2"]])
        #expect(connection.serverVersion >= 130_000)
      }
    }
  }

  @Test func `a statement may be given more time, as a migration is`() async throws {
    var settings = PostgreSQLSettings()
    settings.statementTimeout = .milliseconds(500)
    try await withPool(settings) { pool, _, _ async throws in
      func sleep(_ statementTimeout: Duration?) throws {
        try pool.blockingTransaction(.snapshot, until: .now + .seconds(60), statementTimeout: statementTimeout) {
          try $0.query("SELECT pg_sleep(1)")
        }
      }
      #expect(await failure { try sleep(nil) } == .timeout)
      try sleep(.seconds(30))
    }
  }

  @Test func `what is noted waits for no lock`() async throws {
    try await withPool { pool, _, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      try await pool.write { _ in
        try pool.blockingTransaction(.note, until: .now + .seconds(5)) { _ = try $0.query("INSERT INTO t VALUES (1)") }
      }
      #expect(try await pool.found("SELECT a FROM t") == ["1"])
    }
  }

  @Test func `what throws changes nothing, and the connection goes on`() async throws {
    struct Stop: Error {}
    try await withPool { pool, _, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint PRIMARY KEY)") }
      await #expect(throws: Stop.self) {
        try await pool.write { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          throw Stop()
        }
      }
      #expect(try await pool.found("SELECT count(*) FROM t") == ["0"])
    }
  }

  @Test func `a failed statement that nobody heeds keeps its transaction from being taken for committed`() async throws
  {
    try await withPool { pool, _, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      let kind = await failure {
        try await pool.write { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          _ = try? connection.query("no SQL at all")
        }
      }
      #expect(kind == .statement)
      #expect(try await pool.found("SELECT count(*) FROM t") == ["0"])
    }
  }

  @Test func `what the server says is told apart`() async throws {
    try await withPool { pool, _, _ async throws in
      try await pool.write { connection in
        try connection.script(
          """
          CREATE TABLE t (a bigint PRIMARY KEY CHECK (a < 9)); INSERT INTO t VALUES (1);
          CREATE FUNCTION no() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'not so'; END $$;
          CREATE TRIGGER no BEFORE DELETE ON t FOR EACH ROW EXECUTE FUNCTION no();
          """)
      }
      let cases: [(String, PostgreSQLError.Kind)] = [
        ("INSERT INTO t VALUES (1)", .uniqueViolation), ("INSERT INTO t VALUES (10)", .statement),
        ("DELETE FROM t", .raised), ("SELECT * FROM nothing", .statement), ("SELECT 1; SELECT 2", .statement),
        ("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '40001'; END $$", .serializationFailure),
        ("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53100'; END $$", .full),
        ("DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '53300'; END $$", .tooManyConnections),
      ]
      for (sql, kind) in cases {
        let found = await failure { try await pool.run(sql) }
        #expect(found == kind, "\(sql)")
      }
      let readOnly = await failure {
        _ = try await pool.found("INSERT INTO t VALUES (2)")
      }
      #expect(readOnly == .readOnly)
    }
  }

  @Test func `a message has no value that was sent`() async throws {
    try await withPool { pool, _, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a text PRIMARY KEY, CHECK (a <> 's3cret'))") }
      do {
        try await pool.write { try $0.query("INSERT INTO t VALUES ($1)", ["s3cret"]) }
        Issue.record("not refused")
      } catch { #expect(!"\(error)".contains("s3cret")) }
    }
  }

  @Test func `a snapshot sees one moment`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)") }
      let counts = try await pool.transaction(.snapshot, until: .now + .seconds(5)) { connection in
        let before = try connection.query("SELECT count(*) FROM t").rows
        try server.psql("INSERT INTO t VALUES (2)", database: database)
        return (before, try connection.query("SELECT count(*) FROM t").rows)
      }
      #expect(counts.0 == counts.1)
    }
  }

  @Test func `those who write are one after the other, and see what the one before has committed`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint); INSERT INTO t VALUES (0)") }
      let other = try PostgreSQLPool(server.place(database))
      defer { other.close() }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<40 {
          group.addTask {
            try await (number.isMultiple(of: 2) ? pool : other).write { connection in
              let value = try connection.query("SELECT a FROM t").rows[0][0].flatMap(Int.init) ?? -1
              try connection.query("UPDATE t SET a = $1", [String(value + 1)])
            }
          }
        }
        try await group.waitForAll()
      }
      #expect(try await pool.found("SELECT a FROM t") == ["40"])
    }
  }

  @Test func `who waits for the lock too long, or works too long, is stopped by the server`() async throws {
    try await withPool { pool, server, database async throws in
      let other = try PostgreSQLPool(server.place(database))
      defer { other.close() }
      try await pool.write { connection in
        let kind = try Blocking.run {
          await failure { try await other.write(within: .milliseconds(600)) { _ in } }
        }
        #expect(kind == .lockTimeout)
      }
      let slow = await failure {
        _ = try await pool.write(within: .milliseconds(600)) { try $0.query("SELECT pg_sleep(60)") }
      }
      #expect(slow == .timeout)
      // The connection is still good.
      #expect(try await pool.found("SELECT 1") == ["1"])
    }
  }

  @Test func `the wait for the lock may take longer than a statement`() async throws {
    var settings = PostgreSQLSettings()
    settings.statementTimeout = .milliseconds(800)
    try await withPool(settings) { pool, _, _ async throws in
      let (held, holding) = AsyncStream.makeStream(of: Void.self)
      async let first: Void = pool.write { connection in
        holding.yield()
        let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
        while try connection.query(waiting).rows == [["0"]] {}
        for _ in 0..<4 { try connection.query("SELECT pg_sleep(0.3)") }
      }
      for await _ in held { break }
      try await pool.write(within: .seconds(60)) { _ in }
      try await first
    }
  }

  @Test func `all connections busy is told in time`() async throws {
    var settings = PostgreSQLSettings()
    settings.connectionsMax = 1
    settings.waitingMax = 1
    try await withPool(settings) { pool, _, _ async throws in
      let isIn = AsyncStream.makeStream(of: Void.self)
      let mayGo = DispatchSemaphore(value: 0)
      async let first: Void = pool.write { _ in
        isIn.continuation.finish()
        mayGo.wait()
      }
      for await _ in isIn.stream {}
      let late = await failure { try await pool.write(within: .milliseconds(100)) { _ in } }
      #expect(late == .busy)
      mayGo.signal()
      try await first
      #expect(try await pool.found("SELECT 1") == ["1"])
    }
  }

  @Test func `a closed pool refuses`() async throws {
    try await withPool { pool, _, _ async throws in
      pool.close()
      #expect(await failure { try await pool.write { _ in } } == .closed)
    }
  }

  @Test func `the same without a task`() throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let pool = try PostgreSQLPool(server.place(database))
    let rows = try pool.blockingTransaction(.write(lock: lock), until: .now + .seconds(5)) { connection in
      try connection.script("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)")
      return try connection.query("SELECT a FROM t").rows
    }
    #expect(rows == [["1"]])
  }
}

/// Waits for a task on a thread that may block.
enum Blocking {
  static func run<Value: Sendable>(_ body: @Sendable @escaping () async -> Value) throws -> Value {
    let value = Mutex<Value?>(nil)
    let isDone = DispatchSemaphore(value: 0)
    Task {
      let found = await body()
      value.withLock { $0 = found }
      isDone.signal()
    }
    isDone.wait()
    return try #require(value.withLock { $0 })
  }
}
