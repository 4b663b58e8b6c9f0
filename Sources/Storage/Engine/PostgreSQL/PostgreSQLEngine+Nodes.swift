import JSON
import Layout
import PostgreSQL

/// Each node writes its row by a transaction of its own, without the write lock, and wakes nobody.
extension PostgreSQLEngine {
  /// How long a node waits for the server to take its row, or to tell of the others.
  private static let noteMax = Duration.seconds(5)
  /// How long a silent node stays listed, in milliseconds, so operators see which one is gone.
  private static let keptMilliseconds = 3_600_000

  func announce(_ node: Node, isFirst: Bool) async throws -> [SeenNode] {
    try await noting { connection in
      if isFirst {
        try connection.query(
          "DELETE FROM nodes WHERE name = $1 AND address = $2 AND instance <> $3",
          [node.name, node.address, node.instance])
      }
      try connection.query(
        """
        INSERT INTO nodes (instance, name, address, since, seen, version, schema, pages)
        VALUES ($1, $2, $3, $4, \(Self.milliseconds), $5, $6, $7)
        ON CONFLICT (instance) DO UPDATE SET seen = excluded.seen, pages = excluded.pages
        """,
        [
          node.instance, node.name, node.address, String(node.since.secondsSinceEpoch), node.version,
          String(node.schema), node.writtenPages,
        ])
      try connection.query("DELETE FROM nodes WHERE seen < \(Self.milliseconds) - \(Self.keptMilliseconds)")
      return try Self.report(connection)
    }
  }

  func nodes(until deadline: ContinuousClock.Instant) async throws -> [SeenNode] {
    try await transaction(.snapshot, until: min(deadline, .now + Self.noteMax)) { try Self.report($0) }
  }

  func withdraw(_ instance: String) async throws {
    try await noting { _ = try $0.query("DELETE FROM nodes WHERE instance = $1", [instance]) }
  }

  private func noting<Value: Sendable>(
    _ body: @Sendable @escaping (PostgreSQLConnection) throws -> Value
  ) async throws -> Value { try await transaction(.note, until: .now + Self.noteMax, body) }

  private static func report(_ connection: PostgreSQLConnection) throws -> [SeenNode] {
    let found = try connection.query(
      """
      SELECT \(milliseconds), instance, name, address, since, seen, version, schema, pages FROM nodes
      ORDER BY name, address, since, instance
      """)
    func number(_ text: String?) -> Int64 { text.flatMap { Int64($0) } ?? 0 }
    let now = try connection.query("SELECT \(milliseconds)").rows.first.map { number($0[0]) } ?? 0
    return found.rows.map { row in
      var node = Node(
        instance: row[1] ?? "", name: row[2] ?? "", address: row[3] ?? "",
        since: Instant(secondsSinceEpoch: number(row[4])), version: row[6] ?? "", schema: Int(number(row[7])),
        pages: Node.pages(written: row[8] ?? ""))
      node.problem = Node.problem(written: row[8] ?? "")
      return SeenNode(node: node, silence: .milliseconds(max(now - number(row[5]), 0)))
    }
  }
}

extension Node {
  /// The members that are no pages: no page's id is empty or blank, and programs that do not know them leave them out.
  private static let problemName = "", problemCodeName = " "

  /// `{"": "what is wrong", " ": "invalid-content", "home": "1.42"}`
  fileprivate var writtenPages: String {
    let members = pages.sorted { $0.key < $1.key }.map { ($0.key, JSON.string($0.value.description)) }
    let problems =
      problem.map { [(Self.problemName, JSON.string($0.text)), (Self.problemCodeName, JSON.string($0.code))] } ?? []
    return JSONObject(problems + members).text
  }

  fileprivate static func problem(written text: String) -> Problem? {
    let object = (try? JSON.parse(Array(text.utf8)))?.object
    return object?[problemName]?.string.map { Problem(code: object?[problemCodeName]?.string ?? "internal", text: $0) }
  }

  /// Leaves out what this version does not write.
  fileprivate static func pages(written text: String) -> [String: EditionNumber] {
    let members = (try? JSON.parse(Array(text.utf8)))?.object ?? JSONObject()
    let pages = members.compactMap { member -> (String, EditionNumber)? in
      let parts = (member.value.string ?? "").split(separator: ".").map { Int($0) }
      guard parts.count == 2, let generation = parts[0], let revision = parts[1] else { return nil }
      return (member.name, EditionNumber(generation: generation, revision: revision))
    }
    return Dictionary(pages, uniquingKeysWith: { first, _ in first })
  }
}
