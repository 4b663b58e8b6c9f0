import GRDB
import JSON
public import Layout

/// What an import did, or would do.
public struct ImportResult: Hashable, Sendable {
  /// Pages that were not there.
  public var added: [String]
  /// Pages that were there and differ.
  public var changed: [String]
  /// Pages that were there and are the same.
  public var unchanged: [String]
  /// Pages that were removed because the document does not have them.
  public var deleted: [String]
  /// The drafts before, of the pages that were there and differ.
  public var before: [String: PageDefinition] = [:]
}

extension Store {
  /// All drafts and audiences as one document.
  public func export() async throws -> LayoutDocument {
    try await read { [self] db in
      let reader = reader(db)
      let pages = try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id")
      return LayoutDocument(
        audiences: try reader.audiences(), pages: try pages.map { try reader.definition($0).definition })
    }
  }

  /// Brings drafts to what a document says; pages and audiences that it does not have stay, unless `deletes` is set.
  ///
  /// - Parameter dryRun: Whether to tell only what would be done.
  public func `import`(
    _ document: LayoutDocument, deletes: Bool = false, dryRun: Bool = false, by actor: Actor
  ) async throws -> ImportResult {
    if dryRun { return try await read { [self] db in try reader(db).difference(to: document, deletes: deletes) } }
    return try await write("import", by: actor) { [self] change in
      let result = try reader(change.db).difference(to: document, deletes: deletes)
      change.detail = "added \(result.added), changed \(result.changed), deleted \(result.deleted)"
      change.after = Fingerprint.of(document.json)
      for page in result.deleted { try change.deletePage(page) }
      for (name, predicate) in document.audiences { try change.storeAudience(name, predicate, onlyIfAbsent: false) }
      for page in document.pages where !result.unchanged.contains(page.id) {
        try change.storeDefinition(page, isNew: result.added.contains(page.id))
      }
      return result
    }
  }

  /// Copies the database to a file that must not be there, and checks the copy.
  ///
  /// - Returns: The copy's size in bytes.
  public func backup(to path: String, by actor: Actor) async throws -> Int {
    try await record("backup", by: actor, detail: path)
    do {
      try await pool.writeWithoutTransaction { db in try db.execute(sql: "VACUUM INTO ?", arguments: [path]) }
      var configuration = Configuration()
      configuration.readonly = true
      return try await DatabaseQueue(path: path, configuration: configuration).read { db in
        let verdict = try String.fetchOne(db, sql: "PRAGMA integrity_check") ?? ""
        guard verdict == "ok" else { throw StoreError.database(.corrupt) }
        let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
        return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
      }
    } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }
}

extension PageReader {
  fileprivate func difference(to document: LayoutDocument, deletes: Bool) throws -> ImportResult {
    let known = try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id")
    var result = ImportResult(added: [], changed: [], unchanged: [], deleted: [])
    for page in document.pages {
      guard known.contains(page.id) else {
        result.added.append(page.id)
        continue
      }
      let current = try definition(page.id).definition
      if current.json == page.json {
        result.unchanged.append(page.id)
      } else {
        result.changed.append(page.id)
        result.before[page.id] = current
      }
    }
    if deletes { result.deleted = known.filter { id in !document.pages.contains { $0.id == id } } }
    return result
  }
}
