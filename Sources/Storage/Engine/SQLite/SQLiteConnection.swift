import Foundation
import GRDB
import GRDBSQLite

/// GRDB's connection, inside a transaction.
///
/// Every statement is prepared once for as long as the connection is open: there are about a hundred.
final class SQLiteConnection: DatabaseConnection {
  private let db: GRDB.Database

  init(_ db: GRDB.Database) { self.db = db }

  func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
    try db.cachedStatement(sql: sql).execute(arguments: StatementArguments(arguments))
    return db.changesCount
  }

  func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row] {
    let statement = try db.cachedStatement(sql: sql)
    let found = try GRDB.Row.fetchCursor(statement, arguments: StatementArguments(arguments))
    var rows: [Row] = []
    var columns: [String] = []
    while rows.count < max, let row = try found.next() {
      // Asked for anew: a migration by another process may have added columns to those of `SELECT *`.
      if rows.isEmpty {
        columns = (0..<row.count).map { column in
          unsafe String(cString: sqlite3_column_name(statement.sqliteStatement, Int32(column)))
        }
      }
      rows.append(Row(columns: columns, values: columns.indices.map { SQLValue(row[$0] as DatabaseValue) }))
    }
    return rows
  }

  /// Nothing: before 3.43 it would read the text, and no statement is ended here for the time it takes.
  func knownByteCount(of column: String) -> String { "0" }

  /// A published item writes few pages of the log then, whatever the size of its section.
  var keepsDifferences: Bool { true }

  func changeNumber() throws -> Int { Int(try ChangeNumber.current(db).value) }

  func lastNumber(of table: String) throws -> Int {
    try Int.fetchOne(db, sql: "SELECT seq FROM sqlite_sequence WHERE name = ?", arguments: [table]) ?? 0
  }

  func setLastNumber(of table: String, _ number: Int) throws {
    try db.execute(sql: "DELETE FROM sqlite_sequence WHERE name = ?", arguments: [table])
    guard number > 0 else { return }
    try db.execute(sql: "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", arguments: [table, number])
  }

  /// A file may be anywhere: its backups know themselves.
  func isOutOfPlace() -> Bool { false }
  func takePlace() {}
}

extension Database {
  init(_ db: GRDB.Database) { self.init(connection: SQLiteConnection(db)) }
}

extension StatementArguments {
  fileprivate init(_ arguments: Arguments) {
    switch arguments {
    // Of values of one type GRDB makes a key path each time.
    case .listed(let values): self.init(values.map { $0.databaseValue as (any DatabaseValueConvertible)? })
    case .named(let values): self.init(values.mapValues(\.databaseValue))
    }
  }
}

extension SQLValue {
  fileprivate init(_ value: DatabaseValue) {
    switch value.storage {
    case .int64(let number): self = .integer(number)
    case .string(let text): self = .text(text)
    case .blob(let data): self = .bytes([UInt8](data))
    // Strict tables hold nothing else.
    case .null, .double: self = .null
    }
  }

  fileprivate var databaseValue: DatabaseValue {
    switch self {
    case .null: .null
    case .integer(let number): number.databaseValue
    case .text(let text): text.databaseValue
    case .bytes(let bytes): Data(bytes).databaseValue
    }
  }
}
