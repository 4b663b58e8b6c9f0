public import Layout

extension Store {
  /// Removes some revisions that retention does not keep: neither live, pinned nor scheduled, older than the newest
  /// `keep` and made before an instant.
  ///
  /// What goes is found without the write lock.
  ///
  /// - Parameters:
  ///   - keep: How many of the newest revisions of each page stay, at least 1.
  ///   - batch: The most revisions, so that the write lock is held for a moment only.
  /// - Returns: How many were removed.
  public func prune(keep: Int, madeBefore: Instant, batch: Int) async throws -> Int {
    let doomed = try await read { [self] db in
      var doomed: [RevisionName] = []
      for page in try reader(db).pageIDs() where doomed.count < batch {
        doomed += try RevisionName.outlived(
          db, page, keep: max(keep, 1), madeBefore: madeBefore, limit: batch - doomed.count)
      }
      return doomed
    }
    guard !doomed.isEmpty else { return 0 }
    return try await transaction { db in
      var documents = Set<String>()
      let removed = try doomed.filter { try $0.remove(db, documents: &documents) }.count
      try db.removeUnused(documents: documents)
      return removed
    }
  }
}

/// A page and the number of a revision of it.
private struct RevisionName {
  var page: String
  var number: Int

  /// The revisions of a page that retention does not keep, the oldest first.
  static func outlived(
    _ db: Database, _ page: String, keep: Int, madeBefore: Instant, limit: Int
  ) throws -> [RevisionName] {
    try Int.fetchAll(
      db,
      sql: """
        SELECT number FROM revisions r
        WHERE page = :page AND is_pinned = 0 AND made_at < :before
          AND number <= (SELECT number FROM revisions WHERE page = :page ORDER BY number DESC LIMIT 1 OFFSET :keep)
          AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.id = r.page AND p.live = r.number)
          AND NOT EXISTS (SELECT 1 FROM scheduled_publishes s WHERE s.page = r.page AND s.revision = r.number)
        ORDER BY number LIMIT :limit
        """, arguments: ["page": page, "before": madeBefore, "keep": keep, "limit": limit]
    ).map { RevisionName(page: page, number: $0) }
  }

  /// Removes it, unless it has been pinned, scheduled or made live since it was looked for.
  ///
  /// - Parameter documents: Takes up the fingerprints of its sections.
  /// - Returns: Whether it was removed.
  func remove(_ db: Database, documents: inout Set<String>) throws -> Bool {
    let fingerprints = try fingerprints(db)
    let count = try db.execute(
      sql: """
        DELETE FROM \(db.revisionTable) WHERE page = :page AND number = :number AND is_pinned = 0
          AND NOT EXISTS (SELECT 1 FROM pages WHERE id = :page AND live = :number)
          AND NOT EXISTS (SELECT 1 FROM scheduled_publishes WHERE page = :page AND revision = :number)
        """, arguments: ["page": page, "number": number])
    guard count > 0 else { return false }
    try db.execute(
      sql: """
        INSERT INTO revision_numbers (page, last, removed) VALUES (:page, :number, :number)
        ON CONFLICT (page) DO UPDATE SET removed = excluded.removed WHERE revision_numbers.removed < excluded.removed
        """, arguments: ["number": number, "page": page])
    documents.formUnion(fingerprints)
    return true
  }

  /// The fingerprints of its sections; of spans those alone that no other revision has.
  private func fingerprints(_ db: Database) throws -> [String] {
    guard db.connection.keepsDifferences else {
      return try String.fetchAll(
        db, sql: "SELECT fingerprint FROM revision_sections WHERE page = ? AND number = ?", arguments: [page, number])
    }
    return try String.fetchAll(
      db,
      sql: """
        SELECT fingerprint FROM revision_spans WHERE page = :page AND until > :number
          AND until <= coalesce((SELECT min(number) FROM revisions WHERE page = :page AND number > :number), :max)
          AND number > coalesce((SELECT max(number) FROM revisions WHERE page = :page AND number < :number), 0)
        """, arguments: ["page": page, "number": number, "max": Int.max])
  }
}
