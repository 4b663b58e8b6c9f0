import Peers
import Testing

@testable import Storage

@Suite struct CopiedTablesTests {
  /// The sections of each revision.
  private static let sections = """
    SELECT number || ' ' || position || ' ' || section || ' ' || fingerprint FROM revision_sections
    ORDER BY page, number, position
    """

  /// After the first revision, 300 that have no section, and 300 with two of the first one's.
  private static let manyRevisions = """
    INSERT INTO revision_numbers (page, last) VALUES ('home', 601) ON CONFLICT (page) DO UPDATE SET last = excluded.last;
    \(TestEngine.isPostgreSQL ? "" : "UPDATE revision_spans SET until = 2;")
    INSERT INTO revisions (page, number, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems)
    WITH RECURSIVE numbers (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM numbers WHERE number < 601)
    SELECT page, n.number, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems
    FROM revisions r CROSS JOIN numbers n WHERE r.number = 1;
    INSERT INTO revision_sections (page, number, position, section, fingerprint)
    SELECT s.page, r.number, s.position, s.section, s.fingerprint
    FROM revision_sections s JOIN revisions r ON r.page = s.page
    WHERE s.number = 1 AND s.position < 2 AND r.number > 301 ORDER BY r.number
    """

  @Test func `every table is copied but those that are of a database itself`() async throws {
    try await withStore { temporary in
      let tables = try temporary.values(
        TestEngine.isPostgreSQL
          ? "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
          : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      let own = StoredTable.ofOneDatabase.filter { TestEngine.isPostgreSQL || !["changes", "nodes"].contains($0) }
      // Revisions and which sections they have are copied by rows, which SQLite makes of its frames and spans, and those of.
      let views = [
        "kept_revisions": "revisions", "revision_frames": "revisions", "revision_spans": "revision_sections",
      ]
      let rows = tables.map { views[$0] ?? $0 }
      #expect(Set(rows) == Set(StoredTable.all.map(\.name) + own + ["migrations"]))
    }
  }

  @Test func `of every revision the sections are copied, however many come before and have none`() async throws {
    try await withStore { temporary in
      try await temporary.store.publish()
      try temporary.execute(Self.manyRevisions)
      let there = try temporary.values(Self.sections)
      #expect(there.count == 3 + 2 * 300)
      let folder = try TemporaryStore.makeFolder()
      defer { TestEngine.remove(folder) }
      let location = DatabaseLocation(try TestEngine.database(in: folder))
      let copy = TemporaryStore(
        folder: folder,
        store: try Store(at: location, migrations: location.migrations(), context: Pages.context),
        clock: temporary.clock)
      _ = try DatabaseCopy.copy(from: temporary.store, to: copy.store) { _ in }
      #expect(try copy.values(Self.sections) == there)
    }
  }
}
