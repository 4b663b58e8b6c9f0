import Tracing

/// A connection inside a transaction that is traced: each statement is a span.
final class TracedConnection: DatabaseConnection {
  private let connection: any DatabaseConnection
  /// The transaction. What an engine runs on a thread of its own inherits nothing.
  private let context: ServiceContext
  private let system: String

  init(_ connection: any DatabaseConnection, in transaction: any Span, of system: String) {
    self.connection = connection
    context = transaction.context
    self.system = system
  }

  func execute(_ sql: String, _ arguments: Arguments) throws -> Int {
    try traced(sql) { span in try connection.execute(sql, arguments) }
  }

  func rows(_ sql: String, _ arguments: Arguments, max: Int) throws -> [Row] {
    try traced(sql) { span in
      let rows = try connection.rows(sql, arguments, max: max)
      span.attributes["db.response.returned_rows"] = rows.count
      return rows
    }
  }

  private func traced<Value>(_ sql: String, _ body: (any Span) throws -> Value) throws -> Value {
    let shape = StatementShape(sql)
    return try withSpan(shape.name, context: context, ofKind: .client) { span in
      var attributes: SpanAttributes = ["db.system.name": .string(system), "db.query.text": .string(shape.text)]
      attributes["db.operation.name"] = shape.verb
      span.attributes = attributes
      return try body(span)
    }
  }

  func knownByteCount(of column: String) -> String { connection.knownByteCount(of: column) }
  var keepsDifferences: Bool { connection.keepsDifferences }
  func changeNumber() throws -> Int { try connection.changeNumber() }
  func lastNumber(of table: String) throws -> Int { try connection.lastNumber(of: table) }
  func setLastNumber(of table: String, _ number: Int) throws { try connection.setLastNumber(of: table, number) }
  func isOutOfPlace() throws -> Bool { try connection.isOutOfPlace() }
  func takePlace() throws { try connection.takePlace() }
}

/// What a trace tells of a statement. Its values are none of it: they are arguments, and never in its text.
struct StatementShape {
  /// The most characters of a statement that a trace has.
  static let textMax = 1_000

  let verb: String
  /// The statement on one line.
  let text: String
  /// What it does to which table: `SELECT pages`.
  let name: String

  init(_ sql: String) {
    let words = sql.split { $0.isWhitespace }
    verb = words.first?.uppercased() ?? ""
    text = String(words.joined(separator: " ").prefix(Self.textMax))
    let tables = words.indices.dropLast().lazy.filter { ["FROM", "INTO", "UPDATE"].contains(words[$0].uppercased()) }
      .map { words[$0 + 1].prefix { $0.isLetter || $0 == "_" } }
    name = ([verb] + [tables.first { !$0.isEmpty }].compactMap { $0.map(String.init) }).joined(separator: " ")
  }
}

extension Database {
  /// The same, with a span for each statement where there is a transaction's.
  func traced(in transaction: (any Span)?, of system: String) -> Database {
    guard let transaction else { return self }
    return Database(connection: TracedConnection(connection, in: transaction, of: system))
  }
}

extension Store {
  /// What traces call the engine.
  var systemName: String { isShared ? "postgresql" : "sqlite" }

  /// Runs a transaction in a span of its own, where it is a part of something that is traced.
  ///
  /// - Parameter body: Gets the span; `nil` where nothing is recorded.
  func traced<Value>(
    _ name: String, _ body: ((any Span)?) async throws -> Value
  ) async throws -> Value {
    guard let context = ServiceContext.current, !context.isEmpty else { return try await body(nil) }
    return try await withSpan(name) { span in try await body(span.isRecording ? span : nil) }
  }
}
