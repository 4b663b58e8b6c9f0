import GRDB
public import Layout

/// A version of a variant that clients may still hold.
public struct KnownVersion: Hashable, Sendable {
  /// The page.
  public var page: String
  /// The outcome's key.
  public var outcome: String
  /// The version.
  public var version: String
  /// The revision it was assembled from.
  public var revision: Int
  /// The instant it was assembled for.
  public var at: Instant

  /// A version.
  public init(page: String, outcome: String, version: String, revision: Int, at: Instant) {
    self.page = page
    self.outcome = outcome
    self.version = version
    self.revision = revision
    self.at = at
  }
}

extension Store {
  /// Notes versions that are served now, and forgets all but the last of each variant.
  ///
  /// - Parameter keep: How many of each variant stay known.
  public func note(_ versions: [KnownVersion], keep: Int) async throws {
    do {
      try await pool.write { db in
        for version in versions {
          try db.execute(
            sql: "DELETE FROM known_versions WHERE page = ? AND outcome = ? AND version = ?",
            arguments: [version.page, version.outcome, version.version])
          try db.execute(
            sql: "INSERT INTO known_versions (page, outcome, version, revision, at) VALUES (?, ?, ?, ?, ?)",
            arguments: [
              version.page, version.outcome, version.version, version.revision, version.at.secondsSinceEpoch,
            ])
          try db.execute(
            sql: """
              DELETE FROM known_versions WHERE page = :page AND outcome = :outcome AND id <= (
                SELECT id FROM known_versions WHERE page = :page AND outcome = :outcome
                ORDER BY id DESC LIMIT 1 OFFSET :keep)
              """, arguments: ["page": version.page, "outcome": version.outcome, "keep": keep])
        }
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// The known versions of a page, oldest first.
  public func knownVersions(_ page: String) async throws -> [KnownVersion] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM known_versions WHERE page = ? ORDER BY id", arguments: [page]).map {
        KnownVersion(
          page: page, outcome: $0["outcome"], version: $0["version"], revision: $0["revision"],
          at: Instant(secondsSinceEpoch: $0["at"]))
      }
    }
  }
}
