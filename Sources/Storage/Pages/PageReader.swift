import Layout

/// Reads drafts and revisions inside a transaction; each resource's file says how.
struct PageReader {
  let db: Database
  let cache: SectionCache
  let context: DefinitionContext
}
