import Layout

/// Reads drafts and revisions inside a transaction; each resource's file says how.
struct PageReader {
  let db: Database
  let cache: SectionCache
  let context: DefinitionContext

  /// All pages, ascending.
  func pageIDs() throws -> [String] { try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id") }
}
