import JSON
public import Layout

extension Store {
  /// All drafts and audiences as one document.
  public func export() async throws -> LayoutDocument {
    try await read { [self] db in
      let reader = reader(db)
      return LayoutDocument(
        audiences: try reader.audiences(), pages: try reader.pageIDs().map { try reader.definition($0).definition })
    }
  }

  /// Puts the pictures that a document's pages refer to into it, as far as the database keeps them.
  ///
  /// - Throws: ``StoreError`` `export-too-large` when they have more bytes than they may.
  public func addAssets(to document: inout LayoutDocument, bytesMax: Int = .max) async throws {
    let sizes = try await assetSizes()
    guard !sizes.isEmpty else { return }
    var names: Set<AssetName> = []
    for page in document.pages {
      names.formUnion(AssetName.mentioned(in: String(decoding: page.canonicalBytes, as: UTF8.self)))
    }
    names.formIntersection(sizes.keys)
    let bytes = names.reduce(0) { $0 + (sizes[$1] ?? 0) }
    guard bytes <= bytesMax else {
      throw StoreError.conflict(
        code: "export-too-large",
        detail:
          "the pages refer to pictures of \(bytes) bytes, and an answer may have \(bytesMax); leave them out with "
          + "?assets=false, or run hearth export on the server's machine",
        values: ["bytes": .count(bytes), "most": .number(JSONNumber(bytesMax))])
    }
    for name in names {
      document.assets[name] = try await assetBytes(name)
      let details = try await asset(name).details
      if details != AssetDetails() { document.assetDetails[name] = details }
    }
  }

  /// Brings drafts to what a document says; what it does not name stays, unless `deletes` is set.
  ///
  /// - Parameters:
  ///   - deletes: Whether pages, sections, items, slots, sort rules, indices and audiences that are not named go.
  ///   - dryRun: Whether to tell only what would be done.
  ///   - kinds: What sections that keep items the document does not name are held against.
  ///   - assets: How many pictures may be kept, and how large they may be.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  public func `import`(
    _ document: LayoutDocument, deletes: Bool = false, dryRun: Bool = false, kinds: Kinds? = nil,
    assets limits: AssetLimits = AssetLimits(), since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<ImportResult>? = nil
  ) async throws -> ImportResult {
    let assets = try document.newAssets(within: limits)
    if dryRun {
      return try await read { [self] db in try difference(db, to: document, deletes: deletes, kinds: kinds) }
    }
    return try await write(
      "import", by: actor, keeping: keeping, reading: .all,
      making: { [self] change, _ in try plan(change.db, document, deletes: deletes, kinds: kinds) }
    ) { [self] change, plan in
      if !plan.result.deleted.isEmpty { try change.requireUncut(since: served) }
      var result = plan.result
      result.lastEditions = try change.import(plan, self)
      // Before anything refers to them for anyone.
      for var asset in assets {
        asset.details = document.assetDetails[asset.name] ?? AssetDetails()
        _ = try change.keep(asset, within: limits)
      }
      for name in result.changedAssets { try change.store(document.assetDetails[name] ?? AssetDetails(), of: name) }
      return result
    }
  }
}

extension Store {
  /// An import with all that takes time.
  func plan(_ db: Database, _ document: LayoutDocument, deletes: Bool, kinds: Kinds?) throws -> ImportPlan {
    try ImportPlan(difference(db, to: document, deletes: deletes, kinds: kinds), reader(db))
  }

  /// What an import would do.
  ///
  /// - Throws: ``StoreError`` when what there would be does not hold together, or is larger than it may be.
  private func difference(
    _ db: Database, to document: LayoutDocument, deletes: Bool, kinds: Kinds?
  ) throws -> ImportResult {
    let result = try reader(db).difference(to: document, deletes: deletes, kinds: kinds)
    try requireAtMost(result.audiences.after.count)
    let problems = result.after.flatMap { page in page.problems(within: limits).map { $0.withWhatStays(of: page.id) } }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    return result
  }
}

/// An import with all that takes time to find out.
struct ImportPlan: Sendable {
  let result: ImportResult
  let before: String
  let after: String
  let pagesBefore: [String: String]
  let pagesAfter: [String: String]
  /// The drafts that there will be.
  let drafts: [WrittenDraft]
  /// The pages that do not change themselves but use an audience that does.
  let touched: [String]

  init(_ result: ImportResult, _ reader: PageReader) throws {
    self.result = result
    let audiences = result.audiences
    before = Fingerprint.of(
      LayoutDocument(audiences: audiences.before, pages: Array(result.before.values)).canonicalBytes)
    self.after = Fingerprint.of(LayoutDocument(audiences: audiences.after, pages: result.after).canonicalBytes)
    pagesBefore = result.before.mapValues { Fingerprint.of($0.canonicalBytes) }
    let after = Dictionary(
      result.after.map { ($0.id, Fingerprint.of($0.canonicalBytes)) }, uniquingKeysWith: { first, _ in first })
    pagesAfter = after
    drafts = result.after.map(WrittenDraft.init)
    let changed = Set(audiences.changed)
    let users = changed.isEmpty ? [] : try reader.pages(using: changed, in: audiences.after)
    touched = users.filter { after[$0] == nil && !result.deleted.contains($0) }
  }
}

extension Change {
  /// - Returns: The last edition of each page that was removed and had one.
  fileprivate mutating func `import`(_ plan: ImportPlan, _ store: Store) throws -> [String: EditionNumber] {
    let result = plan.result
    detail = "added \(result.added), changed \(result.changed), deleted \(result.deleted)"
    before = plan.before
    after = plan.after
    try importAudiences(result.audiences)
    let last = try deletePages(result.deleted)
    for page in result.deleted {
      touched.append(Touched(action: "page.delete", page: page, before: plan.pagesBefore[page]))
    }
    for draft in plan.drafts {
      let page = draft.definition
      try put(draft, isNew: result.added.contains(page.id), store)
      touched.append(
        Touched(
          action: "page.import", page: page.id, before: plan.pagesBefore[page.id], after: plan.pagesAfter[page.id]))
    }
    for page in plan.touched { try touchDraft(of: page) }
    return last
  }

  private mutating func importAudiences(_ audiences: AudienceChanges) throws {
    func fingerprint(_ name: String, in audiences: [String: Predicate]) -> String? {
      audiences[name].map { Fingerprint.of($0.json) }
    }
    for name in audiences.added + audiences.changed {
      guard let predicate = audiences.after[name] else { continue }
      try storeAudience(name, predicate, onlyIfAbsent: false)
      touched.append(
        Touched(
          action: "audience.put", detail: name, before: fingerprint(name, in: audiences.before),
          after: Fingerprint.of(predicate.json)))
    }
    for name in audiences.deleted {
      try db.execute(sql: "DELETE FROM audiences WHERE name = ?", arguments: [name])
      touched.append(Touched(action: "audience.delete", detail: name, before: fingerprint(name, in: audiences.before)))
    }
  }
}

extension PageReader {
  /// What an import would do.
  ///
  /// - Throws: ``StoreError`` when the audiences, or what is named and what stays, would not hold together.
  fileprivate func difference(to document: LayoutDocument, deletes: Bool, kinds: Kinds?) throws -> ImportResult {
    let audiences = try merged(document.audiences, deletes: deletes)
    let known = try pageIDs()
    var result = ImportResult(audiences: AudienceChanges(before: try self.audiences(), after: audiences))
    for name in document.assets.keys.sorted(by: { $0.hash < $1.hash }) {
      let isThere = try Int.fetchOne(db, sql: "SELECT 1 FROM assets WHERE name = ?", arguments: ["\(name)"]) != nil
      if !isThere { result.addedAssets.append(name) }
    }
    result.changedAssets = try changedAssets(document)
    for page in document.pages {
      let current = known.contains(page.id) ? try definition(page.id).definition : nil
      var wanted = page
      if let current, !deletes { wanted = try self.page(page, keeping: current, kinds: kinds) }
      wanted.audiences = audiences
      wanted.withheld = try withheld()
      guard let current else {
        result.added.append(page.id)
        result.after.append(wanted)
        continue
      }
      if current.canonicalBytes == wanted.canonicalBytes, current.usedAudiences == wanted.usedAudiences {
        result.unchanged.append(page.id)
      } else {
        result.changed.append(page.id)
        result.before[page.id] = current
        result.after.append(wanted)
      }
    }
    if deletes { result.deleted = known.filter { id in !document.pages.contains { $0.id == id } } }
    for page in result.deleted { result.before[page] = try definition(page).definition }
    return result
  }

  /// The existing pictures whose details a document changes.
  ///
  /// - Throws: ``StoreError`` if it has details of a picture that does not exist.
  private func changedAssets(_ document: LayoutDocument) throws -> [AssetName] {
    var problems: [DocumentProblem] = []
    var changed: [AssetName] = []
    for (name, details) in document.assetDetails.sorted(by: { $0.key.hash < $1.key.hash }) {
      let text = try String.fetchOne(db, sql: "SELECT details FROM assets WHERE name = ?", arguments: ["\(name)"])
      if let text {
        if try JSON.stored(text) != details.json { changed.append(name) }
      } else if document.assets[name] == nil {
        let place = JSONPointer(["assetDetails", name.description])
        problems.append(
          DocumentProblem(pointer: place, Sentence(.noPicture, "names a picture that is neither brought nor kept")))
      }
    }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    return changed
  }

  /// A document's page, with the current state of parts that it does not name.
  private func page(_ page: PageDefinition, keeping current: PageDefinition, kinds: Kinds?) throws -> PageDefinition {
    let merged = page.keeping(current)
    guard merged != page else { return page }
    var problems: [DocumentProblem] = []
    do { _ = try PageDefinition(json: merged.json, id: page.id, in: context) } catch { problems = error.problems }
    var named = merged
    named.sections = Array(merged.sections.prefix(page.sections.count))
    if problems.isEmpty, let kinds, named.sections != page.sections { problems = kinds.problems(in: named) }
    guard problems.isEmpty else {
      throw StoreError.invalid(problems.map { $0.withWhatStays(of: page.id) })
    }
    return merged
  }

  /// The audiences that there will be.
  private func merged(_ audiences: [String: Predicate], deletes: Bool) throws -> [String: Predicate] {
    let merged = deletes ? audiences : try self.audiences().merging(audiences) { _, new in new }
    let graph = AudienceGraph(merged)
    let problems = audiences.keys.sorted().compactMap { name in
      graph.problem(of: name).map { DocumentProblem(pointer: JSONPointer(["audiences", name]), $0) }
    }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    return merged
  }
}

extension DocumentProblem {
  /// The problem of a page as it would be with what the document does not name.
  fileprivate func withWhatStays(of page: String) -> DocumentProblem {
    DocumentProblem(
      pointer: JSONPointer(["pages", page]).appending(pointer),
      sentence.saying("\(detail), counting what the document does not name and therefore stays"))
  }
}

extension LayoutDocument {
  /// Its pictures, each looked at.
  ///
  /// - Throws: ``StoreError/invalid(_:)`` that names every one that is not taken.
  fileprivate func newAssets(within limits: AssetLimits) throws -> [NewAsset] {
    var problems: [DocumentProblem] = []
    var found: [NewAsset] = []
    for (name, bytes) in assets.sorted(by: { $0.key.hash < $1.key.hash }) {
      let place = JSONPointer(["assets", name.description])
      do {
        let asset = try NewAsset(bytes, within: limits)
        if asset.name == name {
          found.append(asset)
        } else {
          let text = "is a picture of another format: \(asset.name)"
          problems.append(DocumentProblem(pointer: place, Sentence(.noPicture, text)))
        }
      } catch { problems.append(DocumentProblem(pointer: place, Sentence(.noPicture, error.description))) }
    }
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    return found
  }
}
