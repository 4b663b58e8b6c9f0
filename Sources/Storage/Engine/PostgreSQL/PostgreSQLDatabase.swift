import PostgreSQL

/// libpq's connection, inside a transaction.
final class PostgreSQLDatabase: DatabaseConnection {
  private let connection: PostgreSQLConnection
  /// How many rows were changed in this transaction.
  private(set) var changesCount = 0

  init(_ connection: PostgreSQLConnection) { self.connection = connection }

  func execute(_ sql: String, _ arguments: Arguments) throws -> Int { try run(sql, arguments).changesCount }

  func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row] {
    let result = try run(sql, arguments)
    return result.rows.prefix(max).map { row in
      Row(columns: result.columns, values: row.map { $0.map(SQLValue.text) ?? .null })
    }
  }

  private func run(_ sql: String, _ arguments: Arguments) throws -> PostgreSQLResult {
    let text = PostgreSQLText.of(sql)
    let result = try connection.query(text.sql, text.values(arguments))
    // Of a query it is the rows that were found.
    if !text.isQuery { changesCount += result.changesCount }
    return result
  }

  func knownByteCount(of column: String) -> String { "coalesce(octet_length(\(column)), 0)" }

  /// Other nodes may be older and know whole documents, and rows of each revision, alone. The server compresses texts.
  var keepsDifferences: Bool { false }

  func changeNumber() throws -> Int {
    try connection.query("SELECT number FROM changes", []).rows.first?.first.flatMap { $0.flatMap { Int($0) } } ?? 0
  }

  func lastNumber(of table: String) throws -> Int {
    let found = try connection.query(
      "SELECT pg_sequence_last_value(CAST(pg_get_serial_sequence($1, 'id') AS regclass))", [table])
    return found.rows.first?.first.flatMap { $0.flatMap { Int($0) } } ?? 0
  }

  func setLastNumber(of table: String, _ number: Int) throws {
    guard number > 0 else { return }
    try connection.query(
      "SELECT setval(CAST(pg_get_serial_sequence($1, 'id') AS regclass), $2)", [table, String(number)])
  }

  func isOutOfPlace() throws -> Bool {
    try connection.query("SELECT place <> hearth_place() FROM changes", []).rows.first?.first == "t"
  }

  func takePlace() throws { _ = try run("UPDATE changes SET place = hearth_place()", []) }
}

extension Database {
  init(_ connection: PostgreSQLConnection) { self.init(connection: PostgreSQLDatabase(connection)) }
}

extension StoreError.DatabaseFailure {
  init(_ error: PostgreSQLError) {
    switch error.kind {
    case .connectionLost: self = .connectionLost
    case .unconfirmed: self = .unconfirmed
    case .standbyMissing: self = .standbyMissing
    case .unreachable, .tooManyConnections, .closed: self = .unreachable
    case .refused, .connectionString, .libraryMissing, .unsuitable: self = .unsuitable
    case .busy, .timeout, .serializationFailure: self = .busy
    case .lockTimeout: self = .locked
    case .full: self = .full
    case .readOnly: self = .readOnly
    case .notPermitted: self = .notPermitted
    default: self = .inputOutput
    }
  }
}

extension PostgreSQLError {
  /// Whether it may be another matter in a moment: the server does not answer, or has no connection left.
  var isAway: Bool {
    [.unreachable, .connectionLost, .unconfirmed, .standbyMissing, .tooManyConnections, .busy].contains(kind)
  }

  /// Whether waiting cannot help: the setting, or the server, must be changed.
  var isForGood: Bool { [.libraryMissing, .connectionString, .refused, .unsuitable].contains(kind) }
}

extension ConnectionFailure {
  init(_ error: PostgreSQLError) {
    switch error.kind {
    case .connectionString: self.init(isOfTheSetting: true, "the connection string is wrong: \(error.message)")
    case .libraryMissing: self.init(isOfTheSetting: true, error.description)
    case .unsuitable: self.init(isOfTheSetting: true, "the server cannot be used: \(error.message)")
    case .refused:
      self.init(isOfTheSetting: true, isRefusal: true, "the server cannot be used: \(error.message)")
    case .unconfirmed, .standbyMissing: self.init(isOfTheSetting: false, isAway: true, error.description)
    case .notPermitted: self.init(isOfTheSetting: false, "the role lacks a right: \(error.message)")
    case .readOnly: self.init(isOfTheSetting: false, "the server is a standby, or read-only: \(error.message)")
    default: self.init(isOfTheSetting: false, isAway: error.isAway, error.message)
    }
  }
}
