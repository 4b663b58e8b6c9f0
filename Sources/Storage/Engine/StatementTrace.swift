import Tracing

/// What a transaction is traced by: each statement is a span.
struct StatementTrace {
  /// The transaction. What an engine runs on a thread of its own inherits nothing.
  let context: ServiceContext
  let system: String

  /// - Parameter body: Runs the statement, and gets its span.
  func span<Value>(of sql: String, _ body: (any Span) throws -> Value) throws -> Value {
    let shape = StatementShape(sql)
    return try withSpan(shape.name, context: context, ofKind: .client) { span in
      var attributes: SpanAttributes = ["db.system.name": .string(system), "db.query.text": .string(shape.text)]
      attributes["db.operation.name"] = shape.verb
      span.attributes = attributes
      return try body(span)
    }
  }
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
    Database(connection: connection, trace: transaction.map { StatementTrace(context: $0.context, system: system) })
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
