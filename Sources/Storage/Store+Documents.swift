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
  /// - Parameters:
  ///   - dryRun: Whether to tell only what would be done.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  public func `import`(
    _ document: LayoutDocument, deletes: Bool = false, dryRun: Bool = false, by actor: Actor,
    keeping: AnswerKeeper<ImportResult>? = nil
  ) async throws -> ImportResult {
    if dryRun { return try await read { [self] db in try reader(db).difference(to: document, deletes: deletes) } }
    return try await write("import", by: actor) { [self] change in
      let result = try reader(change.db).difference(to: document, deletes: deletes)
      change.detail = "added \(result.added), changed \(result.changed), deleted \(result.deleted)"
      change.after = Fingerprint.of(document.json)
      for page in result.deleted {
        try change.deletePage(page)
        change.touched.append(TouchedPage(action: "page.delete", page: page))
      }
      let audiences = try change.importAudiences(document.audiences, deletes: deletes, self)
      for page in document.pages where !result.unchanged.contains(page.id) {
        try change.storeDefinition(page, isNew: result.added.contains(page.id))
        change.touched.append(
          TouchedPage(
            action: "page.import", page: page.id, before: result.before[page.id].map { Fingerprint.of($0.json) },
            after: Fingerprint.of(page.json)))
      }
      for name in audiences { for page in try change.pages(using: name, self) { try change.touchDraft(of: page) } }
      try change.keep(keeping, result)
      return result
    }
  }
}

extension Change {
  /// Brings the audiences to what a document says.
  ///
  /// - Returns: The names of those that were there and differ.
  fileprivate func importAudiences(
    _ audiences: [String: Predicate], deletes: Bool, _ store: Store
  ) throws -> [String] {
    let known = try store.reader(db).audiences()
    for (name, predicate) in audiences where known[name] != predicate {
      try storeAudience(name, predicate, onlyIfAbsent: false)
    }
    if deletes {
      for name in known.keys where audiences[name] == nil {
        try db.execute(sql: "DELETE FROM audiences WHERE name = ?", arguments: [name])
      }
    }
    return known.filter { name, predicate in audiences[name].map { $0 != predicate } ?? false }.keys.sorted()
  }
}

extension PageReader {
  /// What an import would do.
  ///
  /// - Throws: ``StoreError`` when the audiences would not hold together.
  fileprivate func difference(to document: LayoutDocument, deletes: Bool) throws -> ImportResult {
    let audiences = try merged(document.audiences, deletes: deletes)
    let known = try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id")
    var result = ImportResult(added: [], changed: [], unchanged: [], deleted: [])
    for page in document.pages {
      guard known.contains(page.id) else {
        result.added.append(page.id)
        continue
      }
      let current = try definition(page.id).definition
      var wanted = page
      wanted.audiences = audiences
      if current.json == page.json, current.usedAudiences == wanted.usedAudiences {
        result.unchanged.append(page.id)
      } else {
        result.changed.append(page.id)
        result.before[page.id] = current
      }
    }
    if deletes { result.deleted = known.filter { id in !document.pages.contains { $0.id == id } } }
    return result
  }

  /// The audiences that there will be.
  private func merged(_ audiences: [String: Predicate], deletes: Bool) throws -> [String: Predicate] {
    let merged = deletes ? audiences : try self.audiences().merging(audiences) { _, new in new }
    guard merged.count <= LayoutLimits().audiencesMax else {
      throw StoreError.conflict(
        code: "too-many-audiences", detail: "there are at most \(LayoutLimits().audiencesMax)")
    }
    let problems = audiences.keys.sorted().compactMap { name in
      merged.problem(of: name).map { DocumentProblem(pointer: JSONPointer(["audiences", name]), detail: $0) }
    }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    return merged
  }
}
