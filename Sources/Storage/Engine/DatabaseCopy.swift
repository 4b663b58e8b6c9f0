import Layout

/// A copy of all that one database holds in another, which may be kept by the other engine.
public enum DatabaseCopy {
  /// A table's copied rows.
  public struct Table: Hashable, Sendable {
    /// The table's name.
    public var name: String
    /// How many rows it has.
    public var rows: Int
    /// The SHA-256 of every value of every row, as both databases have them.
    public var fingerprint: String
  }

  /// Why a database was not copied.
  public enum Failure: Error, CustomStringConvertible {
    /// An older program made the source; it lacks migrations.
    case sourceIsPending(String)
    /// The destination has something.
    case notEmpty(String)
    /// The source holds what cannot be.
    case damaged(String)
    /// What arrived is not what was sent.
    case differs(table: String)
    /// The destination cannot be written.
    case destination(any Error)

    /// The problem and its remedy, in words.
    public var description: String {
      switch self {
      case .sourceIsPending(let migration):
        "the database to copy from lacks the migration \(migration); run hearth migrate up on it first"
      case .notEmpty(let what): "the database to copy to is not empty: \(what); name an empty one"
      case .damaged(let what): "the database to copy from is damaged: \(what); nothing was copied"
      case .differs(let table):
        "the table \(table) arrived as another than it was sent; nothing was copied, so try again"
      case .destination(let error): "the database to copy to cannot be written: \(error); try again while it is empty"
      }
    }
  }

  /// How many rows are in memory at once: a row is at most some megabytes.
  private static let batch = 16

  /// Copies everything, in one transaction of the destination.
  ///
  /// It blocks the thread that calls, for as long as it takes.
  ///
  /// - Parameter says: Is told of each table, once it was compared.
  /// - Returns: Whether the source was changed meanwhile: what came after the copy began is not in it.
  /// - Throws: ``Failure``, or ``StoreError`` or ``ConnectionFailure`` of the source; the destination is as it was then.
  public static func copy(
    from source: Store, to destination: Store, says: (Table) -> Void
  ) throws -> Bool {
    var before = 0
    try source.engine.readAtLength { source in
      before = try source.connection.changeNumber()
      do {
        try destination.engine.writeAtLength { try copy(source, to: $0, says) }
      } catch let error as Failure {
        throw error
      } catch let error as SourceFailure {
        throw error.error
      } catch {
        throw Failure.destination(error)
      }
    }
    var after = 0
    try source.engine.readAtLength { after = try $0.connection.changeNumber() }
    return before != after
  }

  /// Carries an error of the source unchanged through the destination's transaction.
  private struct SourceFailure: Error {
    var error: any Error
  }

  private static func copy(_ source: Database, to destination: Database, _ says: (Table) -> Void) throws {
    try requireEmpty(destination)
    try destination.execute(sql: "DELETE FROM history")
    var sent: [Table] = []
    for kept in StoredTable.all {
      let name = kept.name
      let table = try rows(
        of: kept, in: source,
        fetchedBy: { sql, arguments in
          try reading {
            let rows = try Row.fetchAll(source, sql: sql, arguments: arguments)
            guard !destination.connection.keepsDifferences else { return rows }
            // What is kept in pieces is whole there.
            if name == StoredTable.sectionPieces.name { return [] }
            return name == StoredTable.sectionDocuments.name ? try rows.map(source.whole) : rows
          }
        }
      ) { rows in
        if name == StoredTable.sectionDocuments.name { try checkDocuments(rows, source) }
        try checkTexts(rows, of: name)
        try insert(rows, into: name, destination)
      }
      sent.append(table)
    }
    for table in StoredTable.all where table.isNumbered {
      let last = try reading { try source.connection.lastNumber(of: table.name) }
      try destination.connection.setLastNumber(of: table.name, last)
    }
    for (table, kept) in zip(sent, StoredTable.all) {
      let arrived = try rows(
        of: kept, in: destination, fetchedBy: { try Row.fetchAll(destination, sql: $0, arguments: $1) }
      ) { _ in }
      guard arrived == table else { throw Failure.differs(table: table.name) }
      says(table)
    }
  }

  private static func reading<Value>(_ body: () throws -> Value) throws -> Value {
    do { return try body() } catch { throw SourceFailure(error: error) }
  }

  private static func requireEmpty(_ db: Database) throws {
    for name in StoredTable.all.map(\.name) where name != "history" {
      guard try Row.fetchOne(db, sql: "SELECT 1 FROM \(name)") == nil else {
        throw Failure.notEmpty("it has rows in the table \(name)")
      }
    }
    guard try Generation.present(db) == 1 else { throw Failure.notEmpty("its generation was raised") }
  }

  /// Hands on all rows of a table in their order, some at a time.
  private static func rows(
    of kept: StoredTable, in database: Database, fetchedBy fetch: (String, Arguments) throws -> [Row],
    _ take: ([Row]) throws -> Void
  ) throws -> Table {
    var hash = PieceHash()
    var count = 0
    var last: [SQLValue] = []
    while true {
      let (sql, arguments) = next(of: kept, after: last, in: database)
      var rows = try fetch(sql, arguments)
      if let column = kept.bytes { rows = rows.map { $0.readingBytes(of: column) } }
      guard let end = rows.last else { break }
      for part in rows.parts(of: batch) { try take(Array(part)) }
      for row in rows { hash.update(row.bytes) }
      count += rows.count
      last = kept.key.map { column in end.columns.firstIndex(of: column).map { end.values[$0] } ?? .null }
    }
    return Table(name: kept.name, rows: count, fingerprint: hash.fingerprint)
  }

  /// SQL for the next rows of a table in the order of its key; for none after the last.
  private static func next(
    of kept: StoredTable, after last: [SQLValue], in database: Database
  ) -> (sql: String, arguments: Arguments) {
    let (name, order) = (kept.name, kept.key.joined(separator: ", "))
    if name == StoredTable.revisionSections.name, database.connection.keepsDifferences {
      let revision = last.isEmpty ? [.text(""), .integer(0)] : Array(last.prefix(2))
      return (sectionsOfRevisions, .listed(revision))
    }
    let after = last.isEmpty ? "" : "WHERE (\(order)) > (\(last.map { _ in "?" }.joined(separator: ", ")))"
    // A row of bytes may have some megabytes.
    let limit = kept.bytes == nil ? batch : 1
    return ("SELECT * FROM \(name) \(after) ORDER BY \(order) LIMIT \(limit)", .listed(last))
  }

  /// SQL for the sections of the next revisions that have some, where spans are kept: these are looked through once for
  /// all of the revisions, and not for each, which would take a time that grows with the square of them.
  private static let sectionsOfRevisions = """
    WITH next AS MATERIALIZED (
      SELECT page, number FROM revisions r WHERE (page, number) > (?, ?) AND EXISTS (
        SELECT 1 FROM revision_spans s WHERE s.page = r.page AND s.number <= r.number AND s.until > r.number)
      ORDER BY page, number LIMIT 256),
    near AS MATERIALIZED (
      SELECT s.* FROM (SELECT page, min(number) AS low, max(number) AS high FROM next GROUP BY page) n
      CROSS JOIN revision_spans s ON s.page = n.page AND s.until > n.low AND s.number <= n.high)
    SELECT next.page AS page, next.number AS number, position, section, fingerprint
    FROM next CROSS JOIN near ON near.page = next.page AND near.number <= next.number AND near.until > next.number
    ORDER BY 1, 2, 3
    """

  private static func insert(_ rows: [Row], into name: String, _ db: Database) throws {
    guard let columns = rows.first?.columns else { return }
    let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
    let places = "(\(columns.map { _ in "?" }.joined(separator: ", ")))"
    let all = rows.map { _ in places }.joined(separator: ", ")
    try db.execute(sql: "INSERT INTO \(name) (\(names)) VALUES \(all)", arguments: .listed(rows.flatMap(\.values)))
  }

  /// Checks that a revision's section matches its fingerprint.
  private static func checkDocuments(_ rows: [Row], _ source: Database) throws {
    for row in rows {
      let fingerprint: String = row["fingerprint"]
      let document = try reading { try source.text(ofDocument: row) }
      guard Fingerprint.of(document.utf8) == fingerprint else {
        throw Failure.damaged("the document \(fingerprint) in section_documents has another fingerprint")
      }
    }
  }

  /// PostgreSQL has no place for it.
  private static func checkTexts(_ rows: [Row], of name: String) throws {
    for row in rows {
      for (column, value) in zip(row.columns, row.values) {
        if case .text(let text) = value, text.utf8.contains(0) {
          throw Failure.damaged("\(column) in a row of \(name) holds the character U+0000")
        }
      }
    }
  }
}

extension Row {
  /// Decodes a column's bytes from the engine's own notation.
  fileprivate func readingBytes(of column: String) -> Row {
    Row(
      columns: columns,
      values: zip(columns, values).map { $0 == column ? [UInt8](sql: $1).map { .bytes($0) } ?? $1 : $1 })
  }

  /// The values in the order of their columns' names, each with its length: the same for both engines.
  fileprivate var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for (_, value) in zip(columns, values).sorted(by: { $0.0 < $1.0 }) {
      let text: String
      switch value {
      case .null:
        bytes.append(0)
        continue
      case .integer(let number): text = String(number)
      case .text(let value): text = value
      case .bytes(let value): text = value.hexadecimal
      }
      bytes.append(1)
      bytes.append(contentsOf: "\(text.utf8.count):\(text)".utf8)
    }
    return bytes
  }
}
