import Foundation
import Peers
import PostgreSQL
import Synchronization
import Testing

/// Calls, of which a test waits for the next.
private final class Calls: Sendable {
  private let calls = AsyncStream.makeStream(of: Void.self)
  func note() { calls.continuation.yield() }
  func next() async { for await _ in calls.stream { return } }
}

@Suite struct LossTests {
  @Test func `a transaction whose connection is cut is lost, and the next one finds another`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      let kind = await failure {
        try await pool.write { connection in
          try connection.query("INSERT INTO t VALUES (1)")
          try server.cut(database)
          try connection.query("INSERT INTO t VALUES (2)")
        }
      }
      #expect(kind == .connectionLost)
      #expect(try await pool.found("SELECT count(*) FROM t") == ["0"])
    }
  }

  @Test func `connections that were cut while they were idle are replaced without a word`() async throws {
    try await withPool { pool, server, database async throws in
      for _ in 0..<5 {
        #expect(try await pool.found("SELECT 1") == ["1"])
        try server.cut(database)
      }
      try await pool.write { _ in }
    }
  }

  @Test func `a server that is stopped is unreachable, and found again once it is started`() async throws {
    let server = try PostgreSQLServer()
    try await withPool(on: server) { pool, server, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      try server.stop()
      #expect(await failure { try await pool.write { _ in } } == .unreachable)
      #expect(await failure { _ = try await pool.found("SELECT 1") } == .unreachable)
      try server.start()
      try await pool.write { try $0.query("INSERT INTO t VALUES (1)") }
      #expect(try await pool.found("SELECT a FROM t") == ["1"])
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `a server that is stopped in the midst of a change, or of a reading, is given up after a statement's time`()
    async throws
  {
    #expect(PostgreSQLSettings().statementTimeout < .seconds(5))
    var settings = PostgreSQLSettings()
    settings.statementTimeout = .milliseconds(500)
    let server = try PostgreSQLServer()
    try await withPool(settings, on: server) { pool, server, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      for mode in [TransactionMode.write(lock: lock), .snapshot] {
        defer { try? server.freeze(false) }
        let kind = await failure {
          try await pool.transaction(mode, until: .now + .seconds(3_600)) { connection in
            try connection.query("SELECT a FROM t")
            try server.freeze(true)
            try connection.query("SELECT a FROM t")
          }
        }
        #expect(kind == .connectionLost)
      }
      try await pool.write { try $0.query("INSERT INTO t VALUES (1)") }
    }
  }

  @Test func `a commit that its synchronous standby has not confirmed is not one`() async throws {
    let server = try PostgreSQLServer()
    try await withPool(on: server) { pool, server, _ async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      // There is none of that name, so that every commit waits.
      try server.psql("ALTER SYSTEM SET synchronous_standby_names = 'nobody'")
      try server.stop()
      try server.start()
      async let kind = failure { _ = try await pool.write { try $0.script("INSERT INTO t VALUES (1)") } }
      // Then the server commits here alone, and warns.
      let cancel = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
      while try server.psql(cancel) == "0" { await Task.yield() }
      #expect(await kind == .unconfirmed)
      // Nobody cancels this one, which is given up, and goes on to wait with the lock.
      let unconfirmed = await failure { _ = try await pool.write { try $0.script("INSERT INTO t VALUES (2)") } }
      #expect(unconfirmed == .unconfirmed)
      let locked = await failure {
        _ = try await pool.write(within: .seconds(1)) { try $0.script("INSERT INTO t VALUES (3)") }
      }
      #expect(locked == .standbyMissing)
      #expect(try await pool.transaction(.snapshot, until: .now + .seconds(5)) { try $0.isStandbyMissing() })
      try server.psql("ALTER SYSTEM RESET synchronous_standby_names")
      try server.psql("SELECT pg_reload_conf()")
      try await pool.write { try $0.query("INSERT INTO t VALUES (4)") }
      // It is true of all that was said: the third was never made.
      #expect(try await pool.found("SELECT a FROM t ORDER BY a") == ["1", "2", "4"])
      #expect(try await !pool.transaction(.snapshot, until: .now + .seconds(5)) { try $0.isStandbyMissing() })
    }
  }

  @Test func `a server in recovery is not the truth, alone or among several, and is one once it is promoted`()
    async throws
  {
    let (standby, primary) = (try PostgreSQLServer(), try PostgreSQLServer())
    for server in [standby, primary] {
      try server.psql("CREATE DATABASE same")
      try server.psql("CREATE TABLE t AS SELECT '\(server === standby ? "old" : "new")' AS a", database: "same")
    }
    try standby.startInRecovery()
    for attributes in ["", "&target_session_attrs=any", "&target_session_attrs=prefer-standby"] {
      let alone = try PostgreSQLPool(standby.place("same") + attributes)
      await #expect {
        _ = try await alone.found("SELECT a FROM t")
      } throws: { error in
        (error as? PostgreSQLError)?.kind == .unreachable && "\(error)".contains("standby")
      }
      let both = try PostgreSQLPool(
        "postgresql://hearth@/same?host=\(standby.folder),\(primary.folder)" + attributes)
      #expect(try await both.found("SELECT a FROM t") == ["new"])
    }
    try standby.psql("SELECT pg_promote()")
    #expect(try await PostgreSQLPool(standby.place("same")).found("SELECT a FROM t") == ["old"])
  }

  @Test func `where transactions are to be read-only nothing is written`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint)") }
      try server.psql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
      try server.cut(database)
      #expect(await failure { try await pool.run("INSERT INTO t VALUES (1)") } == .readOnly)
      let noted = await failure {
        _ = try await pool.transaction(.note, until: .now + .seconds(5)) { try $0.script("INSERT INTO t VALUES (1)") }
      }
      #expect(noted == .readOnly)
      #expect(try await pool.found("SELECT count(*) FROM t") == ["0"])
    }
  }

  @Test func `whoever has a lock that writers need is found, and nobody else is`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE t (a bigint); INSERT INTO t VALUES (1)") }
      let look: @Sendable () async throws -> PostgreSQLConnection.LockHolder? = {
        try await pool.transaction(.snapshot, until: .now + .seconds(5)) { try $0.lockHolder(of: lock) }
      }
      #expect(try await look() == nil)
      let another = try PostgreSQLPool(server.place(database))
      // The lock of those who write, a table, and a row that somebody waits for.
      for statement in ["SELECT pg_advisory_xact_lock(\(lock))", "LOCK TABLE t", "SELECT a FROM t FOR UPDATE"] {
        let (begun, end) = (AsyncStream.makeStream(of: Int.self), DispatchSemaphore(value: 0))
        let holding = Task {
          try await another.transaction(.note, until: .now + .seconds(30)) { connection in
            try connection.query(statement)
            begun.continuation.yield(
              try connection.query("SELECT pg_backend_pid()").rows[0][0].flatMap { Int($0) } ?? 0)
            end.wait()
          }
        }
        var process = 0
        for await one in begun.stream {
          process = one
          break
        }
        let isRow = statement.contains("FOR UPDATE")
        let waiting = Task { if isRow { try await pool.run("UPDATE t SET a = 2") } }
        var holder = try await look()
        while isRow, holder?.process != process { holder = try await look() }
        #expect(holder?.process == process, "\(statement)")
        #expect(holder?.held != nil && holder?.name.contains("hearth") == true)
        end.signal()
        _ = try await (holding.value, waiting.value)
      }
      // What only reads keeps nobody waiting.
      try await another.transaction(.snapshot, until: .now + .seconds(5)) { connection in
        try connection.query("SELECT a FROM t")
        #expect(try connection.lockHolder(of: lock) == nil)
      }
    }
  }

  @Test func `no more connections than the role may have is told`() async throws {
    try await withPool { _, server, database async throws in
      try server.psql("DROP ROLE IF EXISTS few; CREATE ROLE few LOGIN CONNECTION LIMIT 0")
      let few = try PostgreSQLPool(server.place(database, user: "few"))
      #expect(await failure { _ = try await few.found("SELECT 1") } == .tooManyConnections)
    }
  }

  @Test func `a database that is not there, and one of another encoding, are refused`() async throws {
    let server = try PostgreSQLServer.running()
    let nowhere = try PostgreSQLPool(server.place("nowhere"))
    #expect(await failure { _ = try await nowhere.found("SELECT 1") } == .refused)
    let latin = try server.makeDatabase("ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'")
    defer { server.drop(latin) }
    let pool = try PostgreSQLPool(server.place(latin))
    await #expect { _ = try await pool.found("SELECT 1") } throws: { error in
      (error as? PostgreSQLError)?.kind == .unsuitable && "\(error)".contains("LATIN1")
    }
  }

  @Test func `the rights that a role is missing are named`() async throws {
    try await withPool { pool, server, database async throws in
      try await pool.write { try $0.script("CREATE TABLE pages (a bigint); CREATE TABLE audit (a bigint)") }
      try server.psql(
        "DROP ROLE IF EXISTS reader; CREATE ROLE reader LOGIN; GRANT SELECT ON pages, audit TO reader",
        database: database)
      let reader = try PostgreSQLPool(server.place(database, user: "reader"))
      #expect(
        await failure { try await reader.run("INSERT INTO pages VALUES (1)") } == .notPermitted)
      let wanted = ["pages": ["SELECT", "INSERT", "DELETE"], "audit": ["SELECT", "INSERT"], "gone": ["SELECT"]]
      let missing = try await reader.transaction(.snapshot, until: .now + .seconds(5)) { try $0.missingRights(wanted) }
      #expect(missing == ["INSERT on audit", "INSERT on pages", "DELETE on pages"])
      #expect(try await pool.transaction(.snapshot, until: .now + .seconds(5)) { try $0.missingRights(wanted) } == [])
      try server.psql("DROP OWNED BY reader; DROP ROLE reader", database: database)
    }
  }

  @Test func `a notification wakes, and one is not needed after a cut`() async throws {
    try await withPool { pool, server, database async throws in
      let (calls, other) = (Calls(), Calls())
      let listener = try PostgreSQLListener(server.place(database), channel: "hearth") { calls.note() }
      defer { listener.stop() }
      let second = try PostgreSQLListener(server.place(database), channel: "a \"quoted\" one") { other.note() }
      defer { second.stop() }
      await calls.next()
      await other.next()
      #expect(listener.state == .listening)
      try await pool.write { try $0.query("SELECT pg_notify('hearth', '')") }
      await calls.next()
      try await pool.write { try $0.query("SELECT pg_notify($1, '')", ["a \"quoted\" one"]) }
      await other.next()
      for _ in 0..<3 {
        try server.cut(database)
        // What came meanwhile is not known.
        await calls.next()
        await other.next()
        try await pool.write { try $0.query("SELECT pg_notify('hearth', '')") }
        await calls.next()
      }
    }
  }

  @Test func `who listens finds a server again that was stopped`() async throws {
    let server = try PostgreSQLServer()
    try await withPool(on: server) { pool, server, database async throws in
      let calls = Calls()
      let states = AsyncStream.makeStream(of: PostgreSQLListener.State.self)
      let listener = try PostgreSQLListener(
        server.place(database), channel: "hearth", whenChanged: { states.continuation.yield($0) }
      ) { calls.note() }
      defer { listener.stop() }
      await calls.next()
      try server.stop()
      for await state in states.stream {
        if case .lost = state { break }
      }
      try server.start()
      await calls.next()
      #expect(listener.state == .listening)
      try await pool.write { try $0.query("SELECT pg_notify('hearth', '')") }
      await calls.next()
    }
  }
}
