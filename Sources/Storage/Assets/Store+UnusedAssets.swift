public import Layout

extension Store {
  /// Removes pictures that have been unused for a while: by drafts, schedules, kept revisions and pictures cut from
  /// them.
  ///
  /// References are read in parts and without the write lock; the removing transaction reads again what has changed
  /// meanwhile.
  ///
  /// - Parameter unusedSince: Pictures last referred to before this instant are removed.
  /// - Returns: The removed pictures.
  public func removeUnusedAssets(unusedSince: Instant) async throws -> Set<AssetName> {
    let now = clock()
    let start = try await read { db in
      (moment: try Moment(db), isAny: try Int.fetchOne(db, sql: "SELECT 1 FROM assets LIMIT 1") != nil)
    }
    guard start.isAny else { return [] }
    let used = try await mentionedAssets()
    // Once a day is enough to know how long one has been of no use.
    let dayAgo = now.adding(seconds: -86_400)
    let (stale, doomed) = try await read { db in
      let rows = try Row.fetchAll(
        db, sql: "SELECT name, used_at FROM assets WHERE used_at < ? ORDER BY used_at",
        arguments: [max(dayAgo, unusedSince)])
      let known = rows.compactMap { row in AssetName(row["name"] as String).map { ($0, row["used_at"] as Instant) } }
      return (
        known.filter { used.contains($0.0) && $0.1 < dayAgo }.map(\.0),
        known.filter { !used.contains($0.0) && $0.1 < unusedSince }.map(\.0)
      )
    }
    for part in stale.parts(of: 500) {
      try await transaction { db in
        for name in part {
          try db.execute(sql: "UPDATE assets SET used_at = ? WHERE name = ?", arguments: [now, "\(name)"])
        }
      }
    }
    var removed: Set<AssetName> = []
    for part in doomed.parts(of: 20) {
      removed.formUnion(
        try await transaction { db in
          try part.filter { name in
            guard try start.moment.mentionsSince(of: name, known: [], db).isEmpty else { return false }
            return try db.execute(
              sql: """
                DELETE FROM assets WHERE name = ? AND used_at < ?
                  AND NOT EXISTS (SELECT 1 FROM assets c WHERE c.original = assets.name)
                """,
              arguments: ["\(name)", unusedSince]) > 0
          }
        })
    }
    return removed
  }

  /// The pictures of each live section, by the section's fingerprint; below `settings`, those of the pages' settings.
  ///
  /// - Parameter known: The former answer, whose sections are not read again.
  public func assetsOfLivePages(known: [String: Set<AssetName>]) async throws -> [String: Set<AssetName>] {
    let live = try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT DISTINCT r.fingerprint FROM revision_sections r
          WHERE (r.page, r.number) IN (SELECT id, live FROM pages)
          """)
    }
    var found: [String: Set<AssetName>] = [:]
    for fingerprint in live {
      if let names = known[fingerprint] {
        found[fingerprint] = names
        continue
      }
      let texts = try await read { db in try db.texts(ofDocument: fingerprint, like: Asset.pattern) }
      found[fingerprint] = Set(texts.flatMap { AssetName.mentioned(in: $0) })
    }
    let settings = try await read { db in
      try String.fetchAll(
        db,
        sql: """
          SELECT r.settings FROM revisions r WHERE (r.page, r.number) IN (SELECT id, live FROM pages) AND r.settings LIKE ?
          """, arguments: [Asset.pattern])
    }
    // No fingerprint has this form.
    found["settings"] = Set(settings.flatMap { AssetName.mentioned(in: $0) })
    return found
  }

  /// Every picture that anything refers to.
  private func mentionedAssets() async throws -> Set<AssetName> {
    var names: Set<AssetName> = []
    for table in MentioningTable.all {
      names.formUnion(
        try await readInParts(table) { db, part in
          let (sql, arguments) = part.query(table.text, like: Asset.pattern)
          return try String.fetchAll(db, sql: sql, arguments: arguments).flatMap { AssetName.mentioned(in: $0) }
        })
    }
    return names
  }

  /// The `page` and `section` of each match of a pattern in drafts changed since a given change.
  static func draftTexts(like pattern: String, since change: Int64, _ db: Database) throws -> [Row] {
    try [
      """
      SELECT i.page AS page, i.section AS section FROM items i
      JOIN sections s ON s.page = i.page AND s.id = i.section
      WHERE (s.content_changed > ? OR s.settings_changed > ?) AND i.document LIKE ?
      """,
      """
      SELECT page AS page, id AS section FROM sections
      WHERE (content_changed > ? OR settings_changed > ?) AND settings LIKE ?
      """,
      """
      SELECT id AS page, NULL AS section FROM pages
      WHERE (changed > ? OR draft_changed > ?) AND settings LIKE ?
      """,
    ].flatMap { try Row.fetchAll(db, sql: $0, arguments: [change, change, pattern]) }
  }
}

extension Array {
  /// Its elements, so many at a time.
  func parts(of size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }

  /// The same, each of that size: the last element again and again where there are fewer.
  func filledParts(of size: Int) -> [[Element]] {
    parts(of: size).map { part in part + (part.count..<size).compactMap { _ in part.last } }
  }
}
