/// A table whose texts may refer to pictures, read in parts: a server ends a statement that takes seconds, and how much is
/// kept has no bound.
struct MentioningTable: Sendable {
  private let table: StoredTable
  /// The texts' column, or what it is made of.
  let text: String

  static let items = MentioningTable(table: .items, text: "document")
  static let sections = MentioningTable(table: .sections, text: "settings")
  static let pages = MentioningTable(table: .pages, text: "settings")
  static let scheduledPublishes = MentioningTable(table: .scheduledPublishes, text: "coalesce(settings, parts)")
  static let sectionPieces = MentioningTable(table: .sectionPieces, text: "text")
  static let sectionDocuments = MentioningTable(table: .sectionDocuments, text: "document")
  static let revisions = MentioningTable(table: .revisions, text: "settings")

  /// All of them, drafts first: what goes from a draft into a revision meanwhile is found twice.
  static let all = [items, sections, pages, scheduledPublishes, sectionPieces, sectionDocuments, revisions]

  /// The most rows of a part.
  static let rowsMax = 500
  /// The most bytes of the texts of a part that has several rows, where the engine knows them: a server looks through
  /// some 200 MB a second.
  private static let bytesMax = 32 << 20

  /// Rows that follow each other.
  struct Part: Sendable {
    fileprivate let table: MentioningTable
    /// The key of the row before the first one; `nil` at the beginning.
    fileprivate let after: [SQLValue]?
    /// The key of the last one.
    fileprivate let through: [SQLValue]

    /// A query for columns of the rows whose text matches a pattern.
    func query(_ columns: String, like pattern: String) -> (sql: String, arguments: Arguments) {
      query(columns, where: "\(table.text) LIKE ?", [.text(pattern)])
    }

    /// A query for columns of the rows that a condition holds for.
    func query(
      _ columns: String, where condition: String, _ values: [SQLValue] = []
    ) -> (sql: String, arguments: Arguments) {
      let keys = table.keys
      let beyond = after == nil ? "" : "(\(keys)) > (\(table.places)) AND "
      return (
        "SELECT \(columns) FROM \(table.name) WHERE \(beyond)(\(keys)) <= (\(table.places)) AND \(condition)",
        .listed((after ?? []) + through + values)
      )
    }
  }

  private var name: String { table.name }
  private var keys: String { table.key.joined(separator: ", ") }
  private var places: String { table.key.map { _ in "?" }.joined(separator: ", ") }

  /// The part behind a row's key, without a look at the texts; `nil` when there is no further row.
  fileprivate func part(_ db: Database, after last: [SQLValue]?) throws -> Part? {
    let beyond = last == nil ? "" : "WHERE (\(keys)) > (\(places)) "
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT \(keys), \(db.connection.knownByteCount(of: text)) AS bytes FROM \(name)
        \(beyond)ORDER BY \(keys) LIMIT \(Self.rowsMax)
        """, arguments: .listed(last ?? []))
    var bytes = 0
    let fitting = rows.prefix { row in
      bytes += row["bytes"] as Int? ?? 0
      return bytes <= Self.bytesMax
    }
    guard let end = fitting.last ?? rows.first else { return nil }
    return Part(table: self, after: last, through: Array(end.values.prefix(table.key.count)))
  }
}

extension Store {
  /// Reads a table in parts, each in a snapshot of its own. A row that is put in place of another meanwhile may be missed.
  ///
  /// - Returns: What `body` found in all parts.
  func readInParts<Value: Sendable>(
    _ table: MentioningTable, _ body: @Sendable @escaping (Database, MentioningTable.Part) throws -> [Value]
  ) async throws -> [Value] {
    var found: [Value] = []
    var last: [SQLValue]?
    while true {
      let after = last
      let next = try await read { db in
        try table.part(db, after: after).map { (end: $0.through, found: try body(db, $0)) }
      }
      guard let next else { return found }
      found += next.found
      last = next.end
    }
  }
}
