public import Layout

/// The database: drafts, revisions, tokens and the audit.
///
/// Every public method is one transaction. Methods that change something take the ``Actor`` and write the audit's row in
/// the same transaction. They throw ``StoreError``.
public final class Store: Sendable {
  let engine: any Engine
  let clock: @Sendable () -> Instant
  let sectionCache = SectionCache(itemsMax: 49_152)
  /// What is stored is read against: it was checked when it was written, by limits that may have changed since.
  let context: DefinitionContext
  /// How large what is written may be.
  let limits: LayoutLimits
  let writing: WriteSettings
  let writes: WriteQueue
  let failures = WriteFailures()
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
    engine = try SQLiteEngine(path: path, migrations: migrations, makes: makes, now: clock())
  }

  /// Which file is open.
  public var fileIdentity: FileIdentity? { engine.fileIdentity }

  /// What of the migrations a database has, without changing it.
  public static func migrationStatus(path: String, migrations: [Migration]) throws -> [MigrationStatus] {
    try SQLiteEngine.migrationStatus(path: path, migrations: migrations)
  }

  /// Reads in one snapshot.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await engine.read(body)
  }

  func reader(_ db: Database) -> PageReader { PageReader(db: db, cache: sectionCache, context: context) }

  /// A number that changes whenever another process changes the database.
  public func externalChangeCounter() async throws -> Int { try await engine.changesOfOthers() }

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

  /// Closes the database, once what waits to be written is written.
  public func close() async {
    try? await writeLater()
    await engine.close()
  }
}
