import Layout
import Synchronization

@testable import Storage

/// A database that goes away at a statement, and does not come back until it is let: for whoever asks, whatever they ask.
final class CuttingEngine: Engine {
  /// Where it goes away.
  enum Cut: Hashable, Sendable {
    /// At a statement, which is not carried out; the first one is 1.
    case statement(Int)
    /// While it answers a commit, which takes place.
    case commit
    /// Right after a commit, of which is heard.
    case afterCommit
  }

  private struct State {
    var cut: Cut?
    var isAway = false
    /// Whether the open transaction makes a change that the audit tells of; the server notes other things by itself.
    var isChange = false
    var statements = 0
    /// The statements before the last commit.
    var committed = 0
  }

  private let base: any Engine
  private let state = Mutex(State())

  init(_ base: any Engine) { self.base = base }

  /// Counts from now on, and goes away where it is said.
  func begin(_ cut: Cut?) { state.withLock { $0 = State(cut: cut) } }

  /// Comes back.
  ///
  /// - Returns: The statements since it began, and those of them before the last commit.
  func end() -> (statements: Int, committed: Int) {
    state.withLock { state in
      defer { state = State() }
      return (state.statements, state.committed)
    }
  }

  fileprivate func statement(_ sql: String = "") throws {
    let isAway = state.withLock { state in
      state.statements += 1
      if sql.contains("INTO audit") { state.isChange = true }
      if state.cut == .statement(state.statements) { state.isAway = true }
      return state.isAway
    }
    if isAway { throw StoreError.database(.unreachable) }
  }

  private func requireThere() throws {
    if state.withLock({ $0.isAway }) { throw StoreError.database(.unreachable) }
  }

  private func cutting(_ database: Database) -> Database {
    Database(connection: CuttingConnection(base: database.connection, engine: self))
  }

  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try requireThere()
    return try await base.read { [self] in try body(cutting($0)) }
  }

  func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, whenLocked: @Sendable @escaping () -> Void,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try requireThere()
    let value = try await base.write(until: deadline, whenLocked: whenLocked) { [self] database in
      let value = try body(cutting(database))
      try requireThere()
      return value
    }
    let isCut = state.withLock { state in
      guard state.isChange else { return false }
      (state.isChange, state.committed) = (false, state.statements)
      if state.cut == .commit || state.cut == .afterCommit { state.isAway = true }
      return state.cut == .commit
    }
    if isCut { throw StoreError.database(base.fileIdentity == nil ? .connectionLost : .inDoubt) }
    return value
  }

  func readAtLength(_ body: (Database) throws -> Void) throws { try base.readAtLength(body) }
  func writeAtLength(_ body: (Database) throws -> Void) throws { try base.writeAtLength(body) }
  func changesOfOthers() async throws -> Int {
    try requireThere()
    return try await base.changesOfOthers()
  }
  func size() async throws -> Int { try await base.size() }
  var fileIdentity: FileIdentity? { base.fileIdentity }
  func claim() async throws { try await base.claim() }
  func backup(to path: String, at instant: Instant) async throws -> Int {
    try statement()
    return try await base.backup(to: path, at: instant)
  }
  func makeProbe() throws -> @Sendable () async -> StoreError.DatabaseFailure? { try base.makeProbe() }
  func close() async { await base.close() }
}

/// A connection whose statements are counted.
private final class CuttingConnection: DatabaseConnection {
  private let base: any DatabaseConnection
  private let engine: CuttingEngine

  init(base: any DatabaseConnection, engine: CuttingEngine) { (self.base, self.engine) = (base, engine) }

  func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
    try engine.statement(sql)
    return try base.execute(sql, arguments)
  }

  func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row] {
    try engine.statement()
    return try base.rows(sql, arguments, max: max)
  }

  func knownByteCount(of column: String) -> String { base.knownByteCount(of: column) }
  var keepsDifferences: Bool { base.keepsDifferences }
  func changeNumber() throws -> Int { try base.changeNumber() }
  func lastNumber(of table: String) throws -> Int { try base.lastNumber(of: table) }
  func setLastNumber(of table: String, _ number: Int) throws { try base.setLastNumber(of: table, number) }
  func isOutOfPlace() throws -> Bool { try base.isOutOfPlace() }
  func takePlace() throws { try base.takePlace() }
}

extension Store {
  /// The same database, which goes away when it is told.
  func cutting() -> Store {
    Store(
      CuttingEngine(engine), cluster: cluster, schema: schema,
      context: DefinitionContext(attributes: Demo.attributes), writing: writeSettings, clock: clock)
  }

  /// All that a change could have changed.
  func everything() async throws -> [String] {
    // A server notes which versions it serves, and when a token was used, whether it is asked or not.
    let tables = StoredTable.all.map(\.name).filter { !["known_versions", "tokens"].contains($0) }
    let queries = tables.map { "SELECT * FROM \($0)" } + ["SELECT selector, name, expires_at FROM tokens"]
    return try await read { db in
      try queries.flatMap { query in
        try Row.fetchAll(db, sql: query).map { "\(query): \($0.values)" }.sorted()
      }
    }
  }
}
