import Foundation
import GRDB
import GRDBSQLite
import Glibc
import Layout
import Synchronization
import Threads

/// A database in a file of this machine, through GRDB.
final class SQLiteEngine: Engine {
  let pool: DatabasePool
  let file: DatabaseFile

  /// Opens the file and applies the migrations.
  ///
  /// - Throws: ``StoreError`` or ``MigrationError``; the file is untouched then.
  init(path: String, migrations: [Migration], makes: Bool, now: Instant) throws {
    try Self.checkLog(of: path)
    if makes { do { try FileMaking.make(path) } catch { throw StoreError(error) } }
    let file = try DatabaseFile(path: path)
    self.file = file
    pool = try Self.waitingForLock {
      // Looked at first by a connection that cannot write, so that a file that is refused stays as it is.
      let status = try Self.migrationStatus(path: path, migrations: migrations)
      guard makes || status.contains(where: { $0.appliedAt != nil }) else { throw StoreError.database(.missing) }
      for suffix in ["", "-wal", "-shm"] { FileMaking.keepToOwner(path + suffix) }
      do {
        let pool = try DatabasePool(path: path, configuration: Self.configuration(of: file))
        // Opening the log has set it to NORMAL, with which a loss of power loses what was acknowledged.
        try pool.writeWithoutTransaction { db in
          try db.execute(sql: "PRAGMA synchronous = FULL")
          try Self.migrate(db, Migrator(migrations: migrations), now: now)
        }
        return pool
      } catch let error as DatabaseError {
        throw StoreError(error)
      }
    }
    try file.checkNames()
    file.noteCompanions()
  }

  /// Refuses a log that has no database beside it: it may hold the last changes of one that was moved away, and SQLite
  /// would remove it, even for a reader.
  private static func checkLog(of path: String) throws {
    var found = stat()
    guard unsafe stat(path, &found) != 0 || found.st_size == 0 else { return }
    guard FileIdentity(path: path + "-wal") == nil else { throw StoreError.database(.logAlone) }
  }

  var fileIdentity: FileIdentity? { file.identity }

  /// Opens again while another process that starts holds the file: SQLite's own waiting does not cover the change to
  /// the write-ahead log, nor its recovery.
  private static func waitingForLock<Value>(_ open: () throws -> Value) throws -> Value {
    let end = ContinuousClock.now + .seconds(lockWaitSeconds)
    while true {
      do { return try open() } catch StoreError.database(.locked) where ContinuousClock.now < end {
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  /// How long a connection waits for another one's lock, in seconds.
  private static let lockWaitSeconds = 5.0

  /// What of the migrations a database has, without changing it.
  static func migrationStatus(path: String, migrations: [Migration]) throws -> [MigrationStatus] {
    try checkLog(of: path)
    guard FileIdentity(path: path) != nil else {
      // A folder that this user cannot look into may well have a database.
      guard errno == ENOENT else { throw StoreError.database(.cannotOpen) }
      return migrations.map { MigrationStatus(name: $0.name) }
    }
    var configuration = Self.configuration(of: nil)
    configuration.readonly = true
    do {
      return try DatabaseQueue(path: path, configuration: configuration).read { db in
        let tables = try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table'")
        let columns = try String.fetchAll(db, sql: "SELECT name FROM pragma_table_info('migrations')")
        return try Migrator(migrations: migrations).status(Database(db), tables: tables, columns: columns)
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// Applies what is pending, each in a transaction of its own.
  private static func migrate(_ db: GRDB.Database, _ migrator: Migrator, now: Instant) throws {
    try db.execute(
      sql: """
        CREATE TABLE IF NOT EXISTS migrations (
          number INTEGER PRIMARY KEY, name TEXT NOT NULL, checksum TEXT NOT NULL, applied_at INTEGER NOT NULL) STRICT
        """)
    for migration in try migrator.pending(Database(db)) {
      do {
        try db.inTransaction(.immediate) {
          // Another process may have applied it while this one waited for the lock.
          guard try migrator.pending(Database(db)).contains(migration) else { return .commit }
          try db.execute(sql: migration.sql)
          try migrator.note(migration, Database(db), now: now)
          return .commit
        }
      } catch let error as DatabaseError where isOfTheMigration(error) {
        throw MigrationError.failed(name: migration.name, detail: error.message ?? "")
      }
    }
  }

  /// Whether the SQL is what failed, and not the disk or the lock.
  private static func isOfTheMigration(_ error: DatabaseError) -> Bool {
    [.SQLITE_ERROR, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH, .SQLITE_TOOBIG, .SQLITE_MISUSE].contains(error.resultCode)
  }

  /// - Parameter file: What each connection must find at the path, also one opened later.
  static func configuration(of file: DatabaseFile?) -> Configuration {
    var configuration = Configuration()
    configuration.label = "hearth"
    configuration.busyMode = .timeout(lockWaitSeconds)
    configuration.maximumReaderCount = 4
    configuration.prepareDatabase { db in
      try file?.checkNames()
      guard !db.configuration.readonly else { return }
      // After a large transaction the log gives its room back.
      try db.execute(sql: "PRAGMA journal_size_limit = 16777216")
    }
    return configuration
  }

  /// Reads in one snapshot: never what somebody has written over the file.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    do {
      return try await pool.read { [file] db in
        giveWayToLoops()
        try file.checkContent(db)
        return try db.forgettingDamage { try body(Database(db)) }
      }
    } catch let error as DatabaseError { throw StoreError.database(StoreError.DatabaseFailure(ofOpen: error)) }
  }

  func readAtLength(_ body: (Database) throws -> Void) throws {
    do {
      try pool.read { db in
        try file.checkContent(db)
        try db.forgettingDamage { try body(Database(db)) }
      }
    } catch let error as DatabaseError { throw StoreError.database(StoreError.DatabaseFailure(ofOpen: error)) }
  }

  func writeAtLength(_ body: (Database) throws -> Void) throws {
    try pool.writeWithoutTransaction { db in
      try change(db, until: .now + .seconds(Self.lockWaitSeconds), whenLocked: {}, body)
    }
  }

  /// Commits into the file that is at the database's path.
  func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, whenLocked: @Sendable @escaping () -> Void,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await pool.writeWithoutTransaction { [self] db in
      giveWayToLoops()
      return try change(db, until: deadline, whenLocked: whenLocked, body)
    }
  }

  private func change<Value>(
    _ db: GRDB.Database, until deadline: ContinuousClock.Instant, whenLocked: () -> Void,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    var isCommitting = false
    do {
      return try db.forgettingDamage {
        try file.check(db)
        let left = max(deadline - ContinuousClock.now, .zero) / .milliseconds(1)
        unsafe sqlite3_busy_timeout(db.sqliteConnection, Int32(clamping: Int(left)))
        return try db.committing {
          whenLocked()
          let before = db.totalChangesCount
          let value = try body(Database(db))
          // The last moment before the commit: the number that is looked at is one that is committed already.
          try file.check(db)
          let number = try ChangeNumber.current(db)
          // What changes nothing writes nothing.
          if db.totalChangesCount != before || number.value == 0 {
            try (number.value == 0 ? .random() : number.next).set(db)
          }
          isCommitting = true
          return value
        }
      }
    } catch let error as DatabaseError {
      if error.resultCode.primaryResultCode == .SQLITE_IOERR {
        // Whole in the log, where what failed came after it was written, it would be found by a start after a crash.
        if isCommitting, error.extendedResultCode != .SQLITE_IOERR_WRITE { throw StoreError.database(.inDoubt) }
        if db.hasNoRoom { throw StoreError.database(.full) }
      }
      throw StoreError.database(StoreError.DatabaseFailure(ofOpen: error))
    }
  }

  func changesOfOthers() async throws -> Int {
    try await pool.writeWithoutTransaction { db in
      try db.forgettingDamage { try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
    }
  }

  func size() async throws -> Int {
    do {
      return try await pool.read { db in try db.forgettingDamage { try db.bytes } }
    } catch let error as DatabaseError {
      throw StoreError.database(StoreError.DatabaseFailure(ofOpen: error))
    }
  }
}

extension GRDB.Database {
  /// The value of a body that runs in a transaction, which has the write lock from its beginning.
  fileprivate func committing<Value>(_ body: () throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body()
      return .commit
    }
    guard let value else { throw StoreError.database(.inputOutput) }
    return value
  }

  /// Forgets what was read of the file where that was damaged: as long as nobody commits, SQLite would find it in its
  /// cache, although the file has been put right.
  fileprivate func forgettingDamage<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch {
      if StoreError.isDamage(error) { try? execute(sql: "PRAGMA shrink_memory") }
      throw error
    }
  }

  /// The size of the database, including its free pages.
  var bytes: Int {
    get throws {
      let pages = try Int.fetchOne(self, sql: "PRAGMA page_count") ?? 0
      return try pages * (Int.fetchOne(self, sql: "PRAGMA page_size") ?? 0)
    }
  }
}

extension StoreError {
  init(_ error: DatabaseError) {
    self = .database(DatabaseFailure(error))
  }

  /// Whether an error means that the database is damaged.
  static func isDamage(_ error: any Error) -> Bool {
    switch error {
    case StoreError.database(.corrupt): true
    case let error as DatabaseError:
      [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode.primaryResultCode)
    default: false
    }
  }
}

extension StoreError.DatabaseFailure {
  init(_ error: DatabaseError) {
    // The log's index takes room on the disk, too.
    if error.extendedResultCode == .SQLITE_IOERR_SHMSIZE {
      self = .full
      return
    }
    switch error.resultCode.primaryResultCode {
    case .SQLITE_FULL: self = .full
    case .SQLITE_READONLY, .SQLITE_PERM: self = .readOnly
    case .SQLITE_NOTADB: self = .notADatabase
    case .SQLITE_CORRUPT: self = .corrupt
    case .SQLITE_BUSY, .SQLITE_LOCKED: self = .locked
    case .SQLITE_CANTOPEN: self = .cannotOpen
    default: self = .inputOutput
    }
  }

  /// What an error means for a file that was a database when it was opened.
  init(ofOpen error: DatabaseError) {
    self.init(error)
    if self == .notADatabase { self = .corrupt }
  }
}
