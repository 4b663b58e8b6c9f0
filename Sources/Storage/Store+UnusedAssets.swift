public import Layout

extension Store {
  /// Removes pictures that nothing has referred to for a while: no draft, nothing scheduled, no revision that is kept.
  ///
  /// What refers to them is read in parts and without the write lock; what has changed meanwhile is looked at again when
  /// they are removed.
  ///
  /// - Parameter unusedSince: Those go that nothing has referred to at or after it.
  /// - Returns: Those that were removed.
  public func removeUnusedAssets(unusedSince: Instant) async throws -> Set<AssetName> {
    let now = clock()
    let start = try await read { db in
      (change: try Change.last(db), isAny: try Int.fetchOne(db, sql: "SELECT 1 FROM assets LIMIT 1") != nil)
    }
    guard start.isAny else { return [] }
    let used = try await mentionedAssets()
    // Once a day is enough to know how long one has been of no use.
    let dayAgo = now.adding(seconds: -86_400)
    let (stale, doomed) = try await read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT name, used_at FROM assets WHERE used_at < ? ORDER BY used_at",
        arguments: [max(dayAgo, unusedSince).secondsSinceEpoch])
      let known = rows.compactMap { row in AssetName(row["name"] as String).map { ($0, row["used_at"] as Int64) } }
      return (
        known.filter { used.contains($0.0) && $0.1 < dayAgo.secondsSinceEpoch }.map(\.0),
        known.filter { !used.contains($0.0) && $0.1 < unusedSince.secondsSinceEpoch }.map(\.0)
      )
    }
    for part in stale.parts(of: 500) {
      try await transaction { db in
        for name in part {
          try db.execute(
            sql: "UPDATE assets SET used_at = ? WHERE name = ?", arguments: [now.secondsSinceEpoch, "\(name)"])
        }
      }
    }
    var removed: Set<AssetName> = []
    for part in doomed.parts(of: 20) {
      removed.formUnion(
        try await transaction { db in
          let meanwhile = try Self.assetsMentioned(since: start.change, db)
          return try part.filter { name in
            guard !meanwhile.contains(name) else { return false }
            return try db.execute(
              sql: "DELETE FROM assets WHERE name = ? AND used_at < ?",
              arguments: ["\(name)", unusedSince.secondsSinceEpoch]) > 0
          }
        })
    }
    return removed
  }

  /// The pictures that each section of what is live refers to, by the section's fingerprint; below `settings`, those that
  /// the settings of pages do.
  ///
  /// - Parameter known: What this said before: those sections are not looked at again.
  public func assetsOfLivePages(known: [String: Set<AssetName>]) async throws -> [String: Set<AssetName>] {
    let live = try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT r.fingerprint FROM revision_sections r JOIN pages p ON p.id = r.page AND p.live = r.number
          """)
    }
    var found: [String: Set<AssetName>] = [:]
    for fingerprint in live {
      if let names = known[fingerprint] {
        found[fingerprint] = names
        continue
      }
      let text = try await read { db in
        try String.fetchOne(
          db, sql: "SELECT document FROM section_documents WHERE fingerprint = ? AND document LIKE ?",
          arguments: [fingerprint, Asset.pattern])
      }
      found[fingerprint] = AssetName.mentioned(in: text ?? "")
    }
    let settings = try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT r.settings FROM revisions r JOIN pages p ON p.id = r.page AND p.live = r.number
          WHERE r.settings LIKE ?
          """, arguments: [Asset.pattern])
    }
    // No fingerprint has this form.
    found["settings"] = settings.reduce(into: []) { $0.formUnion(AssetName.mentioned(in: $1)) }
    return found
  }

  /// Every picture that anything refers to. Drafts first: what goes from a draft into a revision meanwhile is found twice.
  private func mentionedAssets() async throws -> Set<AssetName> {
    var names: Set<AssetName> = []
    for table in Self.mentioning {
      var last: [String]?
      while true {
        let after = last
        let rows = try await read { db in try table.rows(db, after: after) }
        for row in rows { names.formUnion(AssetName.mentioned(in: row.text)) }
        guard rows.count == table.part else { break }
        last = rows.last?.key
      }
    }
    let scheduled = try await read { db in
      try String.fetchAll(
        db, sql: "SELECT settings FROM scheduled_publishes WHERE settings LIKE ?", arguments: [Asset.pattern])
    }
    return scheduled.reduce(into: names) { $0.formUnion(AssetName.mentioned(in: $1)) }
  }

  /// What drafts that have changed since a change refer to.
  static func assetsMentioned(since change: Int64, _ db: Database) throws -> Set<AssetName> {
    var names: Set<AssetName> = []
    for sql in [
      """
      SELECT i.document FROM items i JOIN sections s ON s.page = i.page AND s.id = i.section
      WHERE (s.content_changed > ? OR s.settings_changed > ?) AND i.document LIKE ?
      """,
      "SELECT settings FROM sections WHERE (content_changed > ? OR settings_changed > ?) AND settings LIKE ?",
      "SELECT settings FROM pages WHERE (changed > ? OR draft_changed > ?) AND settings LIKE ?",
    ] {
      for text in try String.fetchAll(db, sql: sql, arguments: [change, change, Asset.pattern]) {
        names.formUnion(AssetName.mentioned(in: text))
      }
    }
    return names
  }

  /// The tables whose texts may refer to pictures, with what orders their rows.
  private static let mentioning = [
    MentioningTable(name: "items", key: ["page", "section", "slot", "id"], text: "document", part: 500),
    MentioningTable(name: "sections", key: ["page", "id"], text: "settings", part: 500),
    MentioningTable(name: "pages", key: ["id"], text: "settings", part: 100),
    MentioningTable(name: "section_documents", key: ["fingerprint"], text: "document", part: 20),
    MentioningTable(name: "revisions", key: ["page", "identity"], text: "settings", part: 100),
  ]
}

/// A table whose texts may refer to pictures.
private struct MentioningTable: Sendable {
  let name: String
  /// Columns of text whose values together are there once.
  let key: [String]
  let text: String
  /// How many rows are read at once.
  let part: Int

  func rows(_ db: Database, after last: [String]?) throws -> [(key: [String], text: String)] {
    let columns = key.joined(separator: ", ")
    let places = key.map { _ in "?" }.joined(separator: ", ")
    let beyond = last == nil ? "" : "(\(columns)) > (\(places)) AND "
    let rows = try Row.fetchAll(
      db,
      sql: "SELECT \(columns), \(text) FROM \(name) WHERE \(beyond)\(text) LIKE ? ORDER BY \(columns) LIMIT \(part)",
      arguments: .listed((last ?? []).map { .text($0) } + [.text(Asset.pattern)]))
    return rows.map { row in (key.map { row[$0] as String }, row[text] as String) }
  }
}

extension Array {
  fileprivate func parts(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
