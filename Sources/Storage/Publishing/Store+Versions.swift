public import Layout

/// A version of a variant that clients may still hold.
public struct KnownVersion: Hashable, Sendable {
  /// The page.
  public var page: String
  /// A client that the variant was made for, as text.
  public var lineage: String
  /// The version.
  public var version: String
  /// The revision it was assembled from.
  public var revision: Int
  /// The client's outcome for that revision, as text.
  public var outcome: String
  /// The instant it was assembled for.
  public var at: Instant

  /// A version.
  public init(page: String, lineage: String, version: String, revision: Int, outcome: String, at: Instant) {
    self.page = page
    self.lineage = lineage
    self.version = version
    self.revision = revision
    self.outcome = outcome
    self.at = at
  }
}

extension Store {
  /// The most versions that are known of all pages together; the oldest go first.
  static let knownVersionsMax = 65_536
  /// The bytes that all known versions may take, counting each as the longest one noted.
  static let knownVersionBytesMax = 32 * 1_024 * 1_024

  /// Notes versions that are served now, and forgets all but the last of each variant.
  ///
  /// - Parameter keep: How many of each variant stay known.
  public func note(_ versions: [KnownVersion], keep: Int) async throws {
    // Outcomes are as long as a page has conditions, and clients choose among them.
    let longest = versions.map { $0.lineage.utf8.count + $0.outcome.utf8.count }.max() ?? 0
    let known = min(Self.knownVersionsMax, Self.knownVersionBytesMax / (256 + longest))
    try await transaction { db in
      for version in versions {
        try db.execute(
          sql: "DELETE FROM known_versions WHERE page = ? AND lineage = ? AND version = ?",
          arguments: [version.page, version.lineage, version.version])
        try db.execute(
          sql: """
            INSERT INTO known_versions (page, lineage, version, revision, outcome, at) VALUES (?, ?, ?, ?, ?, ?)
            """,
          arguments: [version.page, version.lineage, version.version, version.revision, version.outcome, version.at])
        try db.execute(
          sql: """
            DELETE FROM known_versions WHERE page = :page AND lineage = :lineage AND id <= (
              SELECT id FROM known_versions WHERE page = :page AND lineage = :lineage
              ORDER BY id DESC LIMIT 1 OFFSET :keep)
            """, arguments: ["page": version.page, "lineage": version.lineage, "keep": keep])
      }
      // Numbers ascend, so that no more than so many rows can lie above it.
      try db.execute(
        sql: "DELETE FROM known_versions WHERE id <= (SELECT max(id) FROM known_versions) - ?",
        arguments: [known])
    }
  }

  /// The known versions of a page, oldest first.
  public func knownVersions(_ page: String) async throws -> [KnownVersion] {
    try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM known_versions WHERE page = ? ORDER BY id", arguments: [page]).map {
        KnownVersion(
          page: page, lineage: $0["lineage"], version: $0["version"], revision: $0["revision"], outcome: $0["outcome"],
          at: $0["at"])
      }
    }
  }
}
