import Foundation
import Layout
import PostgreSQL
import Synchronization
import Threads

/// A database that a server of PostgreSQL keeps, for any number of nodes.
///
/// A transaction that writes takes one lock of the whole database before all else, so that the audit's numbers, which
/// entity tags are made of, are committed in their order (docs/decisions/0042).
final class PostgreSQLEngine: Engine, Cluster {
  private let pool: PostgreSQLPool
  private let connection: String
  private let preparation: PostgreSQLPreparation
  /// The connection that listens for other nodes' changes.
  private let listener = Mutex<PostgreSQLListener?>(nil)
  private let own = OwnChanges()
  private let held = Mutex<HeldLock?>(nil)
  private let clock: StoreClock
  /// The number of the newest migration that this program knows.
  private let schema: Int
  /// Whether a commit was seen to wait for a synchronous standby, and none has been made since.
  private let lacksStandby = Atomic<Bool>(false)
  /// The advisory lock of writers: "hearth" and a number.
  private static let writeLock: Int64 = 0x6865_6172_7468_0001
  /// How long a change may take once it has the lock: an import of a hundred thousand items takes seconds.
  private static let writeMax = Duration.seconds(60)
  /// How long a reading transaction may take in all.
  private static let readMax = Duration.seconds(30)

  /// Reads the connection string; the first transaction, or ``connect(waiting:)``, applies the migrations.
  ///
  /// - Throws: ``ConnectionFailure``.
  init(
    _ connection: String, _ settings: ConnectionSettings, migrations: [Migration], makes: Bool,
    clock: StoreClock
  ) throws {
    let pool = try Self.pool(connection, settings)
    self.pool = pool
    self.connection = connection
    self.clock = clock
    schema = migrations.map(\.number).max() ?? 0
    let migrator = Migrator(migrations: migrations, knowsOldest: true)
    preparation = PostgreSQLPreparation {
      let status = try Self.status(pool, migrator, clock)
      guard makes || status.contains(where: { $0.appliedAt != nil }) else { throw StoreError.database(.missing) }
      if status.contains(where: { $0.appliedAt == nil }) { try Self.migrate(pool, migrator, now: clock()) }
      try Self.checkRights(pool)
    }
  }

  /// Applies the migrations on the thread that calls, which waits: for what is not a task.
  ///
  /// - Throws: ``StoreError``, ``MigrationError`` or ``ConnectionFailure``; the database is untouched then.
  func connectBlocking(waiting wait: Duration) throws { try Self.waitingForServer(wait) { try preparation.run() } }

  func connect(waiting wait: Duration) async throws {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { [self] in continuation.resume(with: Result { try connectBlocking(waiting: wait) }) }
    }
  }

  var unsuitableReason: String? { preparation.unsuitableReason }
  var isStandbyMissing: Bool { lacksStandby.load(ordering: .relaxed) }

  /// Tries again while the server does not answer.
  ///
  /// - Throws: ``ConnectionFailure`` for what the server, or nobody, says.
  private static func waitingForServer<Value>(_ wait: Duration, _ body: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + wait
    while true {
      do { return try body() } catch let error as PostgreSQLError {
        guard error.isAway, ContinuousClock.now < end else { throw ConnectionFailure(error) }
        Thread.sleep(forTimeInterval: 0.25)
      }
    }
  }

  /// What of the migrations a database has, without changing it.
  static func migrationStatus(
    _ connection: String, _ settings: ConnectionSettings, migrations: [Migration]
  ) throws -> [MigrationStatus] {
    let pool = try pool(connection, settings)
    defer { pool.close() }
    return try waitingForServer(settings.startWait) {
      try status(pool, Migrator(migrations: migrations, knowsOldest: true), StoreClock())
    }
  }

  private static func pool(_ connection: String, _ settings: ConnectionSettings) throws -> PostgreSQLPool {
    var pooling = PostgreSQLSettings()
    pooling.connectionsMax = settings.connectionsMax
    do { return try PostgreSQLPool(connection, pooling) } catch { throw ConnectionFailure(error) }
  }

  private static func status(
    _ pool: PostgreSQLPool, _ migrator: Migrator, _ clock: StoreClock
  ) throws -> [MigrationStatus] {
    try pool.blockingTransaction(.snapshot, until: .now + readMax) { connection in
      let db = Database(connection)
      try read(clock, db)
      let tables = try String.fetchAll(
        db, sql: "SELECT tablename FROM pg_tables WHERE schemaname = current_schema() ORDER BY tablename")
      let columns = try String.fetchAll(
        db,
        sql: """
          SELECT attname FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
          JOIN pg_namespace ON pg_namespace.oid = relnamespace
          WHERE nspname = current_schema() AND relname = 'migrations' AND attnum > 0 AND NOT attisdropped
          """)
      return try migrator.status(db, tables: tables, columns: columns)
    }
  }

  /// Applies what is pending, each in a transaction of its own.
  private static func migrate(_ pool: PostgreSQLPool, _ migrator: Migrator, now: Instant) throws {
    for _ in migrator.migrations {
      let isDone = try pool.blockingTransaction(
        .write(lock: writeLock), until: .now + migrationMax, statementTimeout: migrationMax
      ) { connection in
        // With the first migration, so that one that fails leaves nothing.
        try connection.script(
          """
          CREATE TABLE IF NOT EXISTS migrations (
            number BIGINT PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at BIGINT NOT NULL,
            oldest BIGINT NOT NULL DEFAULT 0)
          """)
        // Another node may have applied it while this one waited for the lock.
        guard let migration = try migrator.pending(Database(connection)).first else { return true }
        do { try connection.script(migration.sql) } catch let error as PostgreSQLError where error.kind == .statement {
          throw MigrationError.failed(name: migration.name, detail: error.message)
        }
        try migrator.note(migration, Database(connection), now: now)
        return false
      }
      if isDone { return }
    }
  }

  /// How long one migration may take.
  private static let migrationMax = Duration.seconds(600)

  /// What this process does to each table.
  private static let rights: [String: [String]] = {
    let all = StoredTable.all.map(\.name) + StoredTable.ofOneDatabase
    var rights = Dictionary(uniqueKeysWithValues: all.map { ($0, ["SELECT", "INSERT", "UPDATE", "DELETE"]) })
    rights["audit"] = ["SELECT", "INSERT"]
    return rights
  }()

  private static func checkRights(_ pool: PostgreSQLPool) throws {
    let missing = try pool.blockingTransaction(.snapshot, until: .now + readMax) { connection in
      try connection.missingRights(rights)
    }
    guard !missing.isEmpty else { return }
    throw ConnectionFailure(
      isOfTheSetting: false,
      "the role lacks the rights \(missing.joined(separator: ", ")); grant them to it, or use another")
  }

  /// The server's clock in milliseconds since 1970.
  static let milliseconds = "CAST(extract(epoch FROM clock_timestamp()) * 1000 AS bigint)"

  /// Sets a clock by the server's.
  private static func read(_ clock: StoreClock, _ db: Database) throws {
    if let now = try Int64.fetchOne(db, sql: "SELECT \(milliseconds)") { clock.take(serverMilliseconds: now) }
  }

  var fileIdentity: FileIdentity? { nil }

  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await transaction(.snapshot, until: .now + Self.readMax) { connection in
      giveWayToLoops()
      return try body(Database(connection))
    }
  }

  /// Runs a transaction whose changes may be lost without harm.
  func transaction<Value: Sendable>(
    _ mode: TransactionMode, until deadline: ContinuousClock.Instant,
    _ body: @Sendable @escaping (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await preparation.require()
    do {
      let value = try await pool.transaction(mode, until: deadline, body)
      preparation.note(nil)
      return value
    } catch let error as PostgreSQLError {
      preparation.note(error)
      // Nobody need ask whether a change was made.
      throw StoreError.database(error.kind == .connectionLost ? .unreachable : StoreError.DatabaseFailure(error))
    }
  }

  func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, whenLocked: @Sendable @escaping () -> Void,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await preparation.require()
    let change = OwnChanges.Change()
    do {
      let value = try await pool.transaction(
        .write(lock: Self.writeLock), begunBy: deadline, until: deadline + Self.writeMax
      ) { [own] connection in
        giveWayToLoops()
        whenLocked()
        let database = PostgreSQLDatabase(connection)
        let value = try body(Database(connection: database))
        // What changes nothing writes nothing.
        if database.changesCount > 0 {
          let found = try connection.query(
            """
            UPDATE changes SET number = changes.number + 1 FROM (SELECT identity FROM changes) AS before
            RETURNING before.identity, changes.identity
            """, [])
          // Before the commit: what is committed must never look like another's change.
          own.add(change, from: found.rows.first?[0] ?? "", to: found.rows.first?[1] ?? "")
        }
        return value
      }
      own.finish(change)
      // What has changed nothing has waited for no standby.
      if change.isMade { lacksStandby.store(false, ordering: .relaxed) }
      return value
    } catch {
      own.remove(change)
      guard let error = error as? PostgreSQLError else { throw error }
      preparation.note(error)
      if [.unconfirmed, .standbyMissing].contains(error.kind) { lacksStandby.store(true, ordering: .relaxed) }
      // They wait for whoever waits for the standby.
      guard !isStandbyMissing || ![.busy, .lockTimeout].contains(error.kind) else {
        throw StoreError.database(.standbyMissing)
      }
      throw StoreError.database(StoreError.DatabaseFailure(error))
    }
  }

  /// How long a copy of the whole database may take, and each of its statements.
  private static let lengthMax = (all: Duration.seconds(86_400), statement: Duration.seconds(600))

  func readAtLength(_ body: (Database) throws -> Void) throws {
    try atLength(.snapshot) { try body(Database($0)) }
  }

  func writeAtLength(_ body: (Database) throws -> Void) throws {
    try atLength(.write(lock: Self.writeLock)) { connection in
      try body(Database(connection))
      try connection.query("UPDATE changes SET number = number + 1")
    }
  }

  private func atLength(_ mode: TransactionMode, _ body: (PostgreSQLConnection) throws -> Void) throws {
    do {
      try pool.blockingTransaction(
        mode, until: .now + Self.lengthMax.all, statementTimeout: Self.lengthMax.statement, body)
    } catch let error as PostgreSQLError { throw ConnectionFailure(error) }
  }

  func changesOfOthers() async throws -> Int {
    own.beginLook()
    return try await read { [own, preparation, schema, clock] db in
      try Self.read(clock, db)
      // A newer program may have applied a migration since, that whoever uses the database must know.
      if try Int.fetchOne(db, sql: "SELECT max(oldest) FROM migrations") ?? 0 > schema { preparation.lookAgain() }
      // In this order: what is counted as its own meanwhile is looked at again.
      guard let row = try Row.fetchOne(db, sql: "SELECT number, identity FROM changes") else { return 0 }
      return (row["number"] as Int) - own.count(seeing: row["identity"])
    }
  }

  func whenOthersChange(says: @escaping @Sendable (String) -> Void, _ wake: @escaping @Sendable () -> Void) {
    // The connection string was read at the start.
    listener.withLock { listener in
      listener = try? PostgreSQLListener(
        connection, channel: "hearth", whenChanged: { says(Self.words(for: $0)) }, onWake: wake)
    }
  }

  private static func words(for state: PostgreSQLListener.State) -> String {
    switch state {
    case .connecting, .listening: "notifications of other nodes' changes arrive at once"
    case .throughPooler:
      "PostgreSQL is behind a pooler: notifications of other nodes' changes arrive at once in session mode only; otherwise "
        + "changes are noticed within a second"
    case .lost(let error):
      "the connection for notifications is lost; other nodes' changes are noticed within a second: \(error)"
    }
  }

  func size() async throws -> Int {
    try await read { db in try Int.fetchOne(db, sql: "SELECT pg_database_size(current_database())") ?? 0 }
  }

  func claim() {}

  func backup(to path: String, at instant: Instant) throws -> Int {
    throw StoreError.conflict(
      code: "backup-elsewhere", detail: "PostgreSQL keeps the database; back it up there, with pg_dump")
  }

  func makeProbe() -> @Sendable () async -> StoreError.DatabaseFailure? {
    { [self] in
      do {
        let (isReadOnly, lacks, holder) = try await transaction(.snapshot, until: .now + Self.readMax) { connection in
          let found = try connection.query(
            "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only') = 'on'")
          let lacks = try connection.isStandbyMissing()
          // Whoever waits for a standby has the lock meanwhile, and is no other failure.
          return (found.rows.first?.first == "t", lacks, lacks ? nil : try connection.lockHolder(of: Self.writeLock))
        }
        lacksStandby.store(lacks, ordering: .relaxed)
        held.withLock { $0 = HeldLock(holder, after: $0) }
        return isReadOnly ? .readOnly : lacks ? .standbyMissing : nil
      } catch StoreError.database(let failure) {
        held.withLock { $0 = nil }
        return failure
      } catch {
        return .inputOutput
      }
    }
  }

  var lockHeld: LockHeld? { held.withLock { $0?.told } }

  func close() {
    listener.withLock { listener in
      listener?.stop()
      listener = nil
    }
    pool.close()
  }
}
