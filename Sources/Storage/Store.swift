import Foundation
import GRDB
import Glibc
public import Layout
import Synchronization
import Threads

/// The embedded database: drafts, revisions, tokens and the audit.
///
/// Every public method is one transaction. Methods that change something take the ``Actor`` and write the audit's row in
/// the same transaction. They throw ``StoreError``.
public final class Store: Sendable {
  let pool: DatabasePool
  let clock: @Sendable () -> Instant
  let sectionCache = SectionCache(itemsMax: 49_152)
  /// What is stored is read against: it was checked when it was written, by limits that may have changed since.
  let context: DefinitionContext
  /// How large what is written may be.
  let limits: LayoutLimits
  let file: DatabaseFile
  let writing: WriteSettings
  let writes: WriteQueue
  let failures = WriteFailures()
  /// What the last transaction saw of other connections' changes (``DatabaseState/outside``).
  let outsideChanges = Atomic<Int>(0)
  let later = LaterWrites()
  /// One at a time writes what is written later.
  let laterTurn = WriteQueue(waitersMax: 256)

  /// Opens the database and applies the migrations.
  ///
  /// - Parameters:
  ///   - path: The file, which its owner alone may read from now on.
  ///   - makes: Whether it is made when it is not there. Without, a file that no migration was applied to is refused.
  ///   - migrations: What to apply.
  ///   - context: The declared client attributes, which predicates are read against, and how large drafts may be.
  ///   - clock: Tells the time for the audit and revisions.
  /// - Throws: ``StoreError`` or ``MigrationError``; the file is untouched then.
  public init(
    path: String, migrations: [Migration], makes: Bool = true, context: DefinitionContext = DefinitionContext(),
    writing: WriteSettings = WriteSettings(), clock: @escaping @Sendable () -> Instant = { .now }
  ) throws {
    self.clock = clock
    self.context = context.withoutLimits
    limits = context.limits
    self.writing = writing
    writes = WriteQueue(waitersMax: writing.waitingMax)
    try Self.checkLog(of: path)
    if makes { try FileMaking.make(path) }
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
        try pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA synchronous = FULL") }
        try Migrator(migrations: migrations).migrate(pool, now: clock())
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

  /// Which file is open.
  public var fileIdentity: FileIdentity { file.identity }

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
  public static func migrationStatus(path: String, migrations: [Migration]) throws -> [MigrationStatus] {
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
        try Migrator(migrations: migrations).status(db)
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// - Parameter file: What each connection must find at the path, those that are opened later too.
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
        if let failure = try file.failure(db) { throw StoreError.database(failure) }
        return try body(db)
      }
    } catch let error as DatabaseError { throw StoreError.database(file.failure(of: error)) }
  }

  func reader(_ db: Database) -> PageReader { PageReader(db: db, cache: sectionCache, context: context) }

  /// A number that changes whenever another process changes the database.
  public func externalChangeCounter() async throws -> Int {
    try await pool.writeWithoutTransaction { db in try Int.fetchOne(db, sql: "PRAGMA data_version") ?? 0 }
  }

  /// The size of the database in bytes.
  public func size() async throws -> Int {
    try await read { db in
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }
}

extension StoreError {
  init(_ error: DatabaseError) {
    self = .database(DatabaseFailure(error))
  }
}

extension StoreError.DatabaseFailure {
  init(_ error: DatabaseError) {
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
}
