import Tracing

/// A database inside a transaction, on any engine.
///
/// SQL is written once, in what the engines have in common (docs/decisions/0041).
struct Database {
  let connection: any DatabaseConnection
  /// What its statements are traced by; `nil` where nothing is.
  var trace: StatementTrace?

  /// Runs one statement.
  ///
  /// - Returns: How many rows it has inserted, updated or deleted itself.
  @discardableResult
  func execute(sql: String, arguments: Arguments = []) throws -> Int {
    guard let trace else { return try connection.execute(sql, arguments) }
    return try trace.span(of: sql) { _ in try connection.execute(sql, arguments) }
  }

  /// Where revisions are changed and removed. Where frames are kept once, `revisions` is a view of them and these rows.
  var revisionTable: String { connection.keepsDifferences ? "kept_revisions" : "revisions" }

  /// The rows of a query, at most so many.
  fileprivate func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row] {
    guard let trace else { return try connection.rows(sql, arguments, max: max) }
    return try trace.span(of: sql) { span in
      let rows = try connection.rows(sql, arguments, max: max)
      span.attributes["db.response.returned_rows"] = rows.count
      return rows
    }
  }
}

/// An engine's connection inside a transaction.
protocol DatabaseConnection: AnyObject {
  /// Runs one statement, and returns how many rows it has changed itself.
  func execute(_ sql: String, _ arguments: Arguments) throws -> Int
  /// The rows of a query, at most so many.
  func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row]
  /// SQL for how many bytes the text of a column has, where the engine knows that without reading the text; `0` elsewhere.
  func knownByteCount(of column: String) -> String
  /// Whether what revisions share is kept once: the pieces of long sections (docs/decisions/0147), which sections a
  /// revision has (docs/decisions/0153), and what it has beside them (docs/decisions/0158).
  var keepsDifferences: Bool { get }
  /// The number that rises with every change of a server and its commands, as of this transaction.
  func changeNumber() throws -> Int
  /// The last number that a table gave to a row by itself; 0 before the first.
  func lastNumber(of table: String) throws -> Int
  /// Makes a table number its next row after `number`; 0 starts it anew.
  func setLastNumber(of table: String, _ number: Int) throws
  /// Whether the tables are elsewhere than when ``takePlace()`` was called last, as far as the engine can tell.
  func isOutOfPlace() throws -> Bool
  /// Has the tables belong to where they are.
  func takePlace() throws
}

/// A row of a result.
struct Row: Sendable {
  /// The columns' names, which all rows of a result share.
  let columns: [String]
  let values: [SQLValue]

  /// The value of a column, which must be there and be of the type: the schema says so.
  subscript<Value: SQLDecodable>(_ column: String) -> Value {
    guard let index = columns.firstIndex(of: column), let value = Value(sql: values[index]) else {
      preconditionFailure("the column \(column) is not there, or is no \(Value.self)")
    }
    return value
  }

  /// The value of a column of a table that may be another program's; `nil` when it is not there, or of another type.
  func value<Value: SQLDecodable>(_ column: String) -> Value? {
    columns.firstIndex(of: column).flatMap { Value(sql: values[$0]) }
  }

  static func fetchAll(_ db: Database, sql: String, arguments: Arguments = []) throws -> [Row] {
    try db.rows(sql, arguments, max: .max)
  }

  static func fetchOne(_ db: Database, sql: String, arguments: Arguments = []) throws -> Row? {
    try db.rows(sql, arguments, max: 1).first
  }
}
