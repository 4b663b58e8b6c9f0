public import Layout

/// A place that refers to a picture.
public struct AssetUse: Hashable, Sendable {
  /// Where a place is.
  public enum Place: String, Hashable, Sendable {
    /// In the draft of the page.
    case draft
    /// In what is scheduled for the page.
    case scheduled
    /// In what clients get of the page.
    case live
    /// In another revision that is kept.
    case revision
  }

  /// Where it is.
  public var place: Place
  /// The page.
  public var page: String
  /// The section, `nil` for the page's own settings.
  public var section: String?
  /// The newest revision that has it there, of ``Place/live`` and ``Place/revision``.
  public var revision: Int?

  /// A place.
  public init(place: Place, page: String, section: String? = nil, revision: Int? = nil) {
    self.place = place
    self.page = page
    self.section = section
    self.revision = revision
  }
}

/// A picture is not removed, because something refers to it.
public struct AssetInUse: Error, Hashable, Sendable, CustomStringConvertible {
  /// What refers to it; what is live first, kept revisions last.
  public let uses: [AssetUse]

  /// Where it is used, and what would be right.
  public var description: String {
    let places = uses.prefix(10).map { use in
      let place = use.section.map { "\(use.page)/\($0)" } ?? "the settings of \(use.page)"
      return switch use.place {
      case .live: "\(place), live"
      case .draft: "\(place), in the draft"
      case .scheduled: "\(place), scheduled"
      case .revision: "\(place), in revision \(use.revision ?? 0)"
      }
    }
    let others = uses.count > places.count ? " and \(uses.count - places.count) more" : ""
    let remedy =
      uses.allSatisfy { $0.place == .revision }
      ? "fromHistory=true removes it all the same, and these revisions then show none"
      : "take it out there first"
    return "the picture is used in \(places.joined(separator: "; "))\(others); \(remedy)"
  }
}

extension Store {
  /// Removes a picture that nothing refers to.
  ///
  /// What refers to it is looked for without the write lock; what came meanwhile is looked at when it is removed.
  ///
  /// - Parameters:
  ///   - fromHistory: Whether it goes though revisions that are kept, and not live, refer to it.
  ///   - served: What the node has served: where history was cut, what is served may show it.
  /// - Throws: ``AssetInUse``, ``StoreError``.
  public func removeAsset(
    _ name: AssetName, fromHistory: Bool, since served: ServedHistory? = nil, by actor: Actor
  ) async throws {
    let start = try await read { db in
      (change: try Change.last(db), revisions: try Self.revisionNumbers(db), uses: try Self.uses(of: name, db))
    }
    @Sendable func check(_ uses: [AssetUse]) throws {
      guard uses.allSatisfy({ fromHistory && $0.place == .revision }) else { throw AssetInUse(uses: uses) }
    }
    try check(start.uses)
    try await write("asset.delete", by: actor) { change in
      let db = change.db
      try change.requireUncut(since: served)
      if try Self.mayHaveCome(name, since: start.change, start.revisions, db) {
        try check(try Self.uses(of: name, db))
      }
      guard try db.execute(sql: "DELETE FROM assets WHERE name = ?", arguments: ["\(name)"]) > 0 else {
        throw StoreError.notFound(what: "asset", name: "\(name)", known: [])
      }
      change.detail = "\(name)"
    }
  }

  /// The number of each page's newest revision.
  private static func revisionNumbers(_ db: Database) throws -> [String: Int] {
    let rows = try Row.fetchAll(db, sql: "SELECT page, last FROM revision_numbers")
    return Dictionary(rows.map { ($0["page"] as String, $0["last"] as Int) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether a draft, a revision or a schedule that is new since then may refer to a picture.
  private static func mayHaveCome(
    _ name: AssetName, since change: Int64, _ numbers: [String: Int], _ db: Database
  ) throws -> Bool {
    guard try Change.last(db) != change else { return false }
    if try assetsMentioned(since: change, db).contains(name) || !scheduledUses(of: name, db).isEmpty { return true }
    for (page, last) in try revisionNumbers(db) where last > numbers[page] ?? 0 {
      let found = try Int.fetchOne(
        db,
        sql: """
          SELECT 1 FROM revisions r LEFT JOIN revision_sections s ON s.page = r.page AND s.number = r.number
          LEFT JOIN section_documents d ON d.fingerprint = s.fingerprint
          WHERE r.page = ? AND r.number > ? AND (d.document LIKE ? OR r.settings LIKE ?) LIMIT 1
          """, arguments: [page, numbers[page] ?? 0, name.pattern, name.pattern])
      if found != nil { return true }
    }
    return false
  }

  /// Everything that refers to a picture.
  private static func uses(of name: AssetName, _ db: Database) throws -> [AssetUse] {
    let live = "CASE WHEN p.live = r.number THEN 1 ELSE 0 END"
    let published = try Row.fetchAll(
      db,
      sql: """
        SELECT r.page AS page, r.section AS section, \(live) AS live, max(r.number) AS number
        FROM section_documents d JOIN revision_sections r ON r.fingerprint = d.fingerprint
        LEFT JOIN pages p ON p.id = r.page WHERE d.document LIKE ? GROUP BY r.page, r.section, \(live)
        UNION ALL
        SELECT r.page, NULL, \(live), max(r.number) FROM revisions r LEFT JOIN pages p ON p.id = r.page
        WHERE r.settings LIKE ? GROUP BY r.page, \(live) ORDER BY page, section
        """, arguments: [name.pattern, name.pattern])
    let revisions = published.map { row in
      AssetUse(
        place: (row["live"] as Int) == 1 ? .live : .revision, page: row["page"], section: row["section"],
        revision: row["number"])
    }
    let drafts = try Row.fetchAll(
      db,
      sql: """
        SELECT page, section FROM items WHERE document LIKE ? UNION SELECT page, id FROM sections WHERE settings LIKE ?
        UNION SELECT id, NULL FROM pages WHERE settings LIKE ? ORDER BY page, section
        """, arguments: [name.pattern, name.pattern, name.pattern])
    return revisions.filter { $0.place == .live }
      + drafts.map { AssetUse(place: .draft, page: $0["page"], section: $0["section"]) }
      + (try scheduledUses(of: name, db)) + revisions.filter { $0.place == .revision }
  }

  private static func scheduledUses(of name: AssetName, _ db: Database) throws -> [AssetUse] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT p.page AS page, s.section AS section FROM scheduled_publishes p
        JOIN scheduled_sections s ON s.scheduled = p.id JOIN section_documents d ON d.fingerprint = s.fingerprint
        WHERE d.document LIKE ?
        UNION SELECT page, NULL FROM scheduled_publishes WHERE settings LIKE ? ORDER BY page, section
        """, arguments: [name.pattern, name.pattern]
    ).map { AssetUse(place: .scheduled, page: $0["page"], section: $0["section"]) }
  }
}

extension AssetName {
  /// What the text of whatever refers to this picture is like.
  fileprivate var pattern: String { "%\(url)%" }
}
