import Layout

/// An engine that keeps a database.
protocol Engine: Sendable {
  /// Runs a body in one snapshot.
  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value

  /// Runs a body in a transaction that has the one write lock from its beginning, and commits it.
  ///
  /// - Parameters:
  ///   - deadline: Until when it waits for the lock.
  ///   - whenLocked: Called once it has the lock.
  /// - Throws: ``StoreError/database(_:)``, or what the body throws; then nothing has changed.
  func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, whenLocked: @Sendable @escaping () -> Void,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value

  /// Runs a body in one snapshot on the thread that calls, however long it takes.
  func readAtLength(_ body: (Database) throws -> Void) throws
  /// Changes the database in one transaction on the thread that calls, however long it takes.
  func writeAtLength(_ body: (Database) throws -> Void) throws

  /// A number that changes whenever another process changes the database.
  func changesOfOthers() async throws -> Int
  /// The size of the database in bytes.
  func size() async throws -> Int
  /// The file that is open, `nil` where a server keeps the database.
  var fileIdentity: FileIdentity? { get }
  /// Makes this process the one that serves the database, where there can be only one.
  func claim() async throws
  /// Copies the database, as it is at an instant, to a file that is marked as a copy, and returns the copy's bytes.
  func backup(to path: String, at instant: Instant) async throws -> Int
  /// Makes a probe of the database, which returns its failure; `nil` if it can be used.
  func makeProbe() throws -> @Sendable () async -> StoreError.DatabaseFailure?
  /// Closes the database.
  func close() async
}

/// What a server that keeps the database does beyond that: it may be away, and several nodes use it.
protocol Cluster: Sendable {
  /// Waits until the database can be used.
  ///
  /// - Throws: ``StoreError``, ``MigrationError`` or ``ConnectionFailure``.
  func connect(waiting wait: Duration) async throws
  /// Why what the server has is nothing for this program, as the last look at it found.
  var unsuitableReason: String? { get }
  /// Whether a write waits for a synchronous standby of the server, as far as this process has seen.
  var isStandbyMissing: Bool { get }
  /// Who keeps writers waiting, as the last look found.
  var lockHeld: LockHeld? { get }
  /// Calls whenever others may have changed the database, and says how it stands with hearing of that.
  func whenOthersChange(says: @escaping @Sendable (String) -> Void, _ wake: @escaping @Sendable () -> Void)
  /// Tells the other nodes of the database what this one serves, and returns all of them.
  ///
  /// - Parameter isFirst: Whether it has just started.
  func announce(_ node: Node, isFirst: Bool) async throws -> [SeenNode]
  /// The nodes of the database.
  func nodes(until deadline: ContinuousClock.Instant) async throws -> [SeenNode]
  /// Tells the other nodes that one has ended.
  func withdraw(_ instance: String) async throws
}
