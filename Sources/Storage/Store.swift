public import Layout
import Synchronization

/// The database: drafts, revisions, tokens and the audit.
///
/// Every public method is one transaction. Methods that change something take the ``Actor`` and write the audit's row in
/// the same transaction. They throw ``StoreError``.
public final class Store: Sendable {
  let engine: any Engine
  /// The server that keeps the database; `nil` where a file is the database.
  let cluster: (any Cluster)?
  /// What time it is for all that is kept.
  public let clock: StoreClock
  let sectionCache = SectionCache(bytesMax: 48 * 1024 * 1024)
  /// What is stored is read against: it was checked when it was written, by limits that may have changed since.
  let context: DefinitionContext
  /// How large what is written may be.
  let limits: LayoutLimits
  let writeSettings: WriteSettings
  /// One at a time changes something.
  let writeTurns: WriteQueue
  /// One at a time publishes a page.
  let publishTurns = PageTurns()
  let writeFailures = WriteFailures()
  let laterWrites = LaterWrites()
  let answerCounts = AnswerCounts()
  private let foundNobody = Atomic<Bool>(false)
  private let committed = Atomic<UInt64>(0)
  /// One at a time writes what is written later.
  let laterTurns = WriteQueue(waitersMax: 256)

  /// Opens the database and applies the migrations.
  ///
  /// - Parameters:
  ///   - location: Where it is. An SQLite file its owner alone may read from now on.
  ///   - makes: Whether it is made when it is not there. Without, one that no migration was applied to is refused.
  ///   - connects: Whether a server that keeps the database is waited for, until it could be used. Without, whatever needs it
  ///     fails until it can be: ``connect(waiting:)`` waits for it.
  ///   - migrations: What to apply: those of its engine.
  ///   - context: The declared client attributes, which predicates are read against, and how large drafts may be.
  ///   - writing: How changes wait.
  ///   - server: How a server that keeps the database is connected to.
  ///   - clock: Tells the time for all that is kept, until the database's server does.
  /// - Throws: ``StoreError``, ``MigrationError`` or ``ConnectionFailure``; the database is untouched then.
  public convenience init(
    at location: DatabaseLocation, migrations: [Migration], makes: Bool = true, connects: Bool = true,
    context: DefinitionContext = DefinitionContext(), writing: WriteSettings = WriteSettings(),
    server: ConnectionSettings = ConnectionSettings(), clock: StoreClock = StoreClock()
  ) throws {
    switch location {
    case .file(let path):
      self.init(
        try SQLiteEngine(path: path, migrations: migrations, makes: makes, now: clock()), cluster: nil,
        schema: migrations.count, context: context, writing: writing, clock: clock)
    case .postgresql(let connection):
      let engine = try PostgreSQLEngine(connection, server, migrations: migrations, makes: makes, clock: clock)
      if connects { try engine.connectBlocking(waiting: server.startWait) }
      self.init(
        engine, cluster: engine, schema: migrations.count, context: context, writing: writing, clock: clock)
    }
  }

  init(
    _ engine: any Engine, cluster: (any Cluster)?, schema: Int, context: DefinitionContext, writing: WriteSettings,
    clock: StoreClock
  ) {
    self.engine = engine
    self.cluster = cluster
    self.clock = clock
    self.context = context.withoutLimits
    limits = context.limits
    writeSettings = writing
    self.schema = schema
    writeTurns = WriteQueue(waitersMax: writing.waitingMax)
  }

  /// Waits until the server that keeps the database can be used; a file can be at once.
  ///
  /// - Throws: ``StoreError``, ``MigrationError`` or ``ConnectionFailure`` that says what it is that there is instead.
  public func connect(waiting wait: Duration) async throws {
    try await cluster?.connect(waiting: wait)
    foundNobody.store(false, ordering: .relaxed)
  }

  /// Why what the database's server has is nothing for this program, as the last look at it found; `nil` when it is, or
  /// when nobody could look.
  public var unsuitableReason: String? { cluster?.unsuitableReason }

  /// Whether the last read found no server. What can do without the database then need not wait for it.
  public var isAway: Bool { foundNobody.load(ordering: .relaxed) }

  /// The session that has long kept writers waiting by a lock, as last seen on the database's server.
  public var lockHeld: LockHeld? { cluster?.lockHeld }

  /// How many transactions that write this process has committed.
  public var commits: UInt64 { committed.load(ordering: .acquiring) }

  func noteCommit() { committed.add(1, ordering: .acquiringAndReleasing) }

  /// The number of the newest migration that this program knows.
  public let schema: Int

  /// Whether several processes may serve it: a server keeps it.
  public var isShared: Bool { cluster != nil }

  /// Which file is open; `nil` where a server keeps the database.
  public var fileIdentity: FileIdentity? { engine.fileIdentity }

  /// What of the migrations a database has, without changing it.
  public static func migrationStatus(
    at location: DatabaseLocation, migrations: [Migration], server: ConnectionSettings = ConnectionSettings()
  ) throws -> [MigrationStatus] {
    switch location {
    case .file(let path): return try SQLiteEngine.migrationStatus(path: path, migrations: migrations)
    case .postgresql(let connection):
      return try PostgreSQLEngine.migrationStatus(connection, server, migrations: migrations)
    }
  }

  /// Reads in one snapshot.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await traced("read transaction") { [engine, systemName] span in
      try await notingWhetherAway { try await engine.read { db in try body(db.traced(in: span, of: systemName)) } }
    }
  }

  private func notingWhetherAway<Value: Sendable>(_ reading: () async throws -> Value) async throws -> Value {
    do {
      let value = try await reading()
      if isAway { foundNobody.store(false, ordering: .relaxed) }
      return value
    } catch StoreError.database(let failure) {
      if failure.isAway { foundNobody.store(true, ordering: .relaxed) }
      throw StoreError.database(failure)
    }
  }

  func reader(_ db: Database) -> PageReader { PageReader(db: db, cache: sectionCache, context: context) }

  /// A number that changes whenever another process changes the database.
  public func externalChangeCounter() async throws -> Int {
    try await notingWhetherAway { try await engine.changesOfOthers() }
  }

  /// Calls whenever other processes may have changed the database, where a server tells of it at once:
  /// ``externalChangeCounter()`` says whether they have. A call may come late, twice, or not at all.
  ///
  /// - Parameter says: Is told, for the log, how it stands with that.
  public func whenOthersChange(
    says: @escaping @Sendable (String) -> Void, _ wake: @escaping @Sendable () -> Void
  ) { cluster?.whenOthersChange(says: says, wake) }

  /// The size of the database in bytes.
  public func size() async throws -> Int { try await engine.size() }

  /// Makes this process the one that serves the database: from now on nothing is written once something else was written
  /// over its file.
  ///
  /// - Throws: ``StoreError``.
  public func claim() async throws {
    try await transaction { _ in }
    try await engine.claim()
  }

  /// Writes what waits to be written.
  public func finishWriting() async { try? await writeLater() }

  /// Closes the database, once what waits to be written is written.
  public func close() async {
    try? await writeLater()
    await engine.close()
  }
}
