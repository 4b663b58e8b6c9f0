import Peers
import Testing

@testable import Storage

@Suite struct CopiedTablesTests {
  @Test func `every table is copied but those that are of a database itself`() async throws {
    try await withStore { temporary in
      let tables = try temporary.values(
        TestEngine.isPostgreSQL
          ? "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
          : "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      let own = StoredTable.ofOneDatabase.filter { TestEngine.isPostgreSQL || !["changes", "nodes"].contains($0) }
      // Which sections revisions have is copied by rows, which SQLite makes of its spans, and spans of.
      let rows = tables.map { $0 == "revision_spans" ? "revision_sections" : $0 }
      #expect(Set(rows) == Set(StoredTable.all.map(\.name) + own + ["migrations"]))
    }
  }
}
