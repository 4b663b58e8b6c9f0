import Layout

/// The published sections, each once by its fingerprint, which revisions and schedules share.
///
/// The text of one with many items is kept in pieces (docs/decisions/0147). Documents in pieces are versions of a page's
/// section, and a version takes pieces of the one before it alone. So the versions that have a piece follow each other:
/// what neither neighbour of a version has, no other one has.
extension Database {
  /// Keeps a section's document, unless it is kept.
  ///
  /// - Parameter page: The page that it is published with.
  func keep(_ section: SectionDefinition, _ fingerprint: String, of page: String) throws {
    let known = try Int.fetchOne(
      self, sql: "SELECT 1 FROM section_documents WHERE fingerprint = ?", arguments: [fingerprint])
    guard known == nil else { return }
    let text = section.canonicalBytes
    guard connection.keepsDifferences, text.count > SectionPieces.wholeBytesMax else {
      try execute(
        sql: "INSERT INTO section_documents (fingerprint, document) VALUES (?, ?)",
        arguments: [fingerprint, String(decoding: text, as: UTF8.self)])
      return
    }
    let former = try version(of: page, section.id, "ORDER BY version DESC")
    let pieces = try keep(SectionPieces.cut(text), sharing: former?.pieces ?? PieceList())
    try execute(
      sql: """
        INSERT INTO section_documents (fingerprint, document, page, section, version, pieces) VALUES (?, '', ?, ?, ?, ?)
        """, arguments: [fingerprint, page, section.id, (former?.number ?? 0) + 1, pieces.text])
  }

  /// Keeps the pieces that are not there.
  ///
  /// - Parameter former: Those that are.
  private func keep(_ texts: [ArraySlice<UInt8>], sharing former: PieceList) throws -> PieceList {
    let rows = try rows(of: former, "id, fingerprint")
    var known = Dictionary(rows.map { ($0["fingerprint"] as String, $0["id"] as Int64) }, uniquingKeysWith: min)
    var last = try Int64.fetchOne(self, sql: "SELECT max(id) FROM section_pieces") ?? 0
    return PieceList(
      try texts.map { text in
        let fingerprint = Fingerprint.of(text)
        if let id = known[fingerprint] { return id }
        last += 1
        try execute(
          sql: "INSERT INTO section_pieces (id, fingerprint, text) VALUES (?, ?, ?)",
          arguments: [last, fingerprint, String(decoding: text, as: UTF8.self)])
        known[fingerprint] = last
        return last
      })
  }

  /// The text of a document; `nil` when it is not there.
  func document(_ fingerprint: String) throws -> String? {
    try Row.fetchOne(
      self, sql: "SELECT document, pieces FROM section_documents WHERE fingerprint = ?", arguments: [fingerprint]
    ).map(text(ofDocument:))
  }

  /// The text of a document, by its row.
  ///
  /// - Throws: ``StoreError/DatabaseFailure/corrupt`` when a piece is missing.
  func text(ofDocument row: Row) throws -> String {
    guard let pieces = try PieceList(of: row) else { return row["document"] }
    let texts = Dictionary(
      try rows(of: pieces, "id, text").map { ($0["id"] as Int64, $0["text"] as String) },
      uniquingKeysWith: { first, _ in first })
    return try pieces.ids.map { id in
      guard let text = texts[id] else { throw StoreError.database(.corrupt) }
      return text
    }.joined()
  }

  /// The row of a document as it is where none is kept in pieces.
  func whole(_ row: Row) throws -> Row {
    guard try PieceList(of: row) != nil else { return row }
    let whole: [String: SQLValue] = [
      "document": .text(try text(ofDocument: row)), "page": .null, "section": .null, "version": .null, "pieces": .null,
    ]
    return Row(columns: row.columns, values: zip(row.columns, row.values).map { whole[$0] ?? $1 })
  }

  /// The document, or the pieces of it, where these match a `LIKE` pattern.
  func texts(ofDocument fingerprint: String, like pattern: String) throws -> [String] {
    let row = try Row.fetchOne(
      self,
      sql: """
        SELECT document, pieces FROM section_documents
        WHERE fingerprint = ? AND (document LIKE ? OR pieces IS NOT NULL)
        """, arguments: [fingerprint, pattern])
    guard let row else { return [] }
    guard let pieces = try PieceList(of: row) else { return [row["document"]] }
    return try rows(of: pieces, "text", like: pattern).map { $0["text"] }
  }

  /// The fingerprints of the documents of a part that have any of some pieces.
  func documents(in part: MentioningTable.Part, withAny pieces: Set<Int64>) throws -> [String] {
    guard !pieces.isEmpty else { return [] }
    let (sql, arguments) = part.query("fingerprint, pieces", where: "pieces IS NOT NULL")
    return try Row.fetchAll(self, sql: sql, arguments: arguments)
      .filter { try PieceList(of: $0)?.ids.contains(where: pieces.contains) == true }.map { $0["fingerprint"] }
  }

  /// Removes the given documents, except those that a revision or a schedule still names, with the pieces that no other
  /// has.
  func removeUnused(documents fingerprints: Set<String>) throws {
    for fingerprint in fingerprints {
      let removed = try Row.fetchOne(
        self,
        sql: """
          DELETE FROM section_documents WHERE fingerprint = :fingerprint
            AND NOT EXISTS (SELECT 1 FROM revision_sections r WHERE r.fingerprint = :fingerprint)
            AND NOT EXISTS (SELECT 1 FROM scheduled_sections s WHERE s.fingerprint = :fingerprint)
          RETURNING page, section, version, pieces
          """, arguments: ["fingerprint": fingerprint])
      if let removed, let pieces = try PieceList(of: removed) { try remove(pieces, of: removed) }
    }
  }

  /// Removes the pieces of a version that neither of its neighbours has.
  private func remove(_ pieces: PieceList, of removed: Row) throws {
    let (page, section, number): (String, String, Int64) = (removed["page"], removed["section"], removed["version"])
    let before = try version(of: page, section, "AND version < ? ORDER BY version DESC", [number])
    let after = try version(of: page, section, "AND version > ? ORDER BY version", [number])
    let kept = Set((before?.pieces.ids ?? []) + (after?.pieces.ids ?? []))
    for batch in PieceList(pieces.ids.filter { !kept.contains($0) }).batches {
      try execute(sql: "DELETE FROM section_pieces WHERE id IN \(PieceList.places)", arguments: .listed(batch))
    }
  }

  /// The first version of a page's section that the rest of a query finds.
  private func version(
    of page: String, _ section: String, _ rest: String, _ numbers: [Int64] = []
  ) throws -> (number: Int64, pieces: PieceList)? {
    let row = try Row.fetchOne(
      self,
      sql: """
        SELECT version, pieces FROM section_documents
        WHERE page = ? AND section = ? AND pieces IS NOT NULL \(rest) LIMIT 1
        """, arguments: .listed([page.sql, section.sql] + numbers.map(\.sql)))
    guard let row, let pieces = try PieceList(of: row) else { return nil }
    return (row["version"], pieces)
  }

  /// Columns of pieces, in no order.
  private func rows(of pieces: PieceList, _ columns: String, like pattern: String? = nil) throws -> [Row] {
    let condition = pattern == nil ? "" : " AND text LIKE ?"
    return try pieces.batches.flatMap { batch in
      try Row.fetchAll(
        self, sql: "SELECT \(columns) FROM section_pieces WHERE id IN \(PieceList.places)\(condition)",
        arguments: .listed(batch + [pattern?.sql].compactMap(\.self)))
    }
  }
}
