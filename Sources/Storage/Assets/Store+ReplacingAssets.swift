import JSON
public import Layout

/// What comes of putting a picture in the place of another one, in all drafts.
public struct AssetReplacement: Sendable {
  /// Why a draft keeps the picture that it has.
  public enum Refusal: String, Sendable {
    /// The token is not for it.
    case scope
    /// The other picture does not go with its kind.
    case kind
    /// The address stands within another text.
    case text
  }

  /// A section of a draft, or a page's own settings, that has the picture.
  public struct Place: Hashable, Sendable {
    /// The page.
    public var page: String
    /// The section, `nil` for the page's own settings.
    public var section: String?
    /// How many times it has the picture.
    public var count: Int
    /// Why it keeps it; `nil` where it does not.
    public var refusal: Refusal?
  }

  /// All places, including ones that keep the picture.
  public var places: [Place]
  /// Where the picture remains: live pages, schedules and kept revisions.
  public var remaining: [AssetUse]
  /// The entity tag of the places as they are now, quotes included.
  public var tag: String
}

extension Store {
  /// The action in the audit, at each place.
  static let pictureAction = "picture.replace"

  /// Replaces a picture by another one in all drafts, as one change. The replaced one stays stored.
  ///
  /// Searches in parts and without the write lock, then checks what came meanwhile.
  ///
  /// - Parameters:
  ///   - dryRun: Whether to report only.
  ///   - kinds: The kinds that each place must satisfy.
  ///   - covers: Whether the actor may change a section's settings and content, or a page's settings.
  /// - Throws: ``StoreError``: stale when `precondition` does not name the tag of what a dry run told.
  public func replaceAsset(
    _ name: AssetName, by other: AssetName, dryRun: Bool, kinds: Kinds, if precondition: WritePrecondition,
    by actor: Actor, covers: @Sendable @escaping (_ page: String, _ section: String?) -> Bool,
    keeping: AnswerKeeper<AssetReplacement>? = nil
  ) async throws -> AssetReplacement {
    let asset = try await asset(other)
    let replacement = PictureReplacement(of: name, by: other, width: asset.width, height: asset.height)
    let start = try await read { db in
      _ = try Asset.required(name, db)
      return try Change.last(db)
    }
    let uses = Mention.uses(try await mentions(of: name))
    let drafts = Set(uses.filter { $0.place == .draft }.map { DraftPlace(page: $0.page, section: $0.section) })
    let remaining = uses.filter { $0.place != .draft }
    @Sendable func plan(_ db: Database) throws -> ReplacementPlan {
      let newer = try Store.draftTexts(like: name.pattern, since: start, db).map {
        DraftPlace(page: $0["page"], section: $0["section"])
      }
      return try ReplacementPlan(drafts.union(newer), replacement, kinds, reader(db), covers: covers)
    }
    guard !dryRun else { return try await read { db in try plan(db).result(remaining) } }
    return try await write(
      "asset.replace", by: actor, keeping: keeping, reading: .all, making: { change, _ in try plan(change.db) }
    ) { change, plan in
      _ = try Asset.required(other, change.db)
      let result = plan.result(remaining)
      guard !precondition.isMissing(for: result.tag) else { throw StoreError.preconditionRequired }
      guard precondition.holds(for: result.tag) else {
        throw try change.stale(tag: result.tag, since: plan.lastChange)
      }
      change.detail = "\(name) by \(other)"
      change.isVoid = plan.isEmpty
      try change.carryOut(plan)
      return result
    }
  }
}

/// A section of a draft, or a page's own settings.
private struct DraftPlace: Hashable, Sendable {
  var page: String
  var section: String?
}

/// What a replacement makes of drafts, made before the write lock is taken.
private struct ReplacementPlan: Sendable {
  struct Section: Sendable {
    let page: String
    let before: String
    let written: WrittenSection
    let settingsChanged: Bool
    let contentChanged: Bool
    let edits: String?
  }

  struct Page: Sendable {
    let id: String
    let before: String
    let settings: PageSettings
  }

  private(set) var places: [AssetReplacement.Place] = []
  private(set) var sections: [Section] = []
  private(set) var pages: [Page] = []
  /// The number of the last change of the places with the picture.
  private(set) var lastChange: Int64 = 0
  private let replacement: PictureReplacement

  var isEmpty: Bool { sections.isEmpty && pages.isEmpty }

  init(
    _ drafts: Set<DraftPlace>, _ replacement: PictureReplacement, _ kinds: Kinds, _ reader: PageReader,
    covers: (_ page: String, _ section: String?) -> Bool
  ) throws {
    self.replacement = replacement
    for place in drafts.sorted(by: { ($0.page, $0.section ?? "") < ($1.page, $1.section ?? "") }) {
      let isCovered = covers(place.page, place.section)
      if let section = place.section {
        try add(section, of: place.page, kinds, reader, isCovered: isCovered)
      } else {
        try add(page: place.page, kinds, reader, isCovered: isCovered)
      }
    }
  }

  private mutating func add(
    _ section: String, of page: String, _ kinds: Kinds, _ reader: PageReader, isCovered: Bool
  ) throws {
    // It may have gone since it was found.
    guard let row = try reader.presentSectionRow(page, section) else { return }
    let former = try reader.section(page, row)
    var count = 0
    let json = former.json.replacing(replacement, counting: &count)
    func keep(_ refusal: AssetReplacement.Refusal?) {
      places.append(AssetReplacement.Place(page: page, section: section, count: count, refusal: refusal))
    }
    lastChange = max(lastChange, row["settings_changed"], row["content_changed"])
    guard count > 0 else {
      // What was found may have been changed meanwhile.
      if String(decoding: former.canonicalBytes, as: UTF8.self).contains(replacement.old.url) { keep(.text) }
      return
    }
    guard isCovered else { return keep(.scope) }
    func problems(_ section: SectionDefinition) -> Set<DocumentProblem> {
      Set(kinds.problems(in: section.settings) + kinds.problems(in: section.content, of: section.settings))
    }
    guard let definition = try? SectionDefinition(json: json, in: reader.context),
      problems(definition).subtracting(problems(former)).isEmpty
    else { return keep(.kind) }
    keep(nil)
    sections.append(
      Section(
        page: page, before: row["fingerprint"], written: definition.written,
        settingsChanged: former.settings != definition.settings, contentChanged: former.content != definition.content,
        edits: FieldEdit.edits(from: former, to: definition, hasContent: true)))
  }

  private mutating func add(page: String, _ kinds: Kinds, _ reader: PageReader, isCovered: Bool) throws {
    let row = try Row.fetchOne(reader.db, sql: "SELECT * FROM pages WHERE id = ?", arguments: [page])
    guard let row else { return }
    let text: String = row["settings"]
    var count = 0
    let json = try JSON.stored(text).replacing(replacement, counting: &count)
    func keep(_ refusal: AssetReplacement.Refusal?) {
      places.append(AssetReplacement.Place(page: page, count: count, refusal: refusal))
    }
    lastChange = max(lastChange, row["changed"])
    guard count > 0 else {
      if text.contains(replacement.old.url) { keep(.text) }
      return
    }
    guard isCovered else { return keep(.scope) }
    let former = try reader.pageSettings(row)
    guard let settings = try? PageSettings(json: json, pageID: page, in: reader.context),
      Set(kinds.problems(in: settings)).subtracting(kinds.problems(in: former)).isEmpty
    else { return keep(.kind) }
    keep(nil)
    pages.append(Page(id: page, before: Fingerprint.of(text.utf8), settings: settings))
  }

  func result(_ remaining: [AssetUse]) -> AssetReplacement {
    let told = places.map { "\($0.page)/\($0.section ?? "")\t\($0.count)\t\($0.refusal?.rawValue ?? "")" }
    let text = (["\(replacement.old)", "\(replacement.new)"] + told).joined(separator: "\n")
    return AssetReplacement(places: places, remaining: remaining, tag: "\"\(Fingerprint.of(text.utf8).prefix(16))\"")
  }
}

extension Change {
  fileprivate mutating func carryOut(_ plan: ReplacementPlan) throws {
    for section in plan.sections {
      let written = section.written
      if section.contentChanged { try replaceContent(section.page, written.section.id, written) }
      try updateSection(
        section.page, written.section, fingerprint: written.fingerprint, settingsChanged: section.settingsChanged,
        contentChanged: section.contentChanged)
      try touchDraft(of: section.page)
      touched.append(
        Touched(
          action: Store.pictureAction, page: section.page, section: written.section.id, detail: detail,
          before: section.before, after: written.fingerprint, edits: section.edits))
    }
    for page in plan.pages {
      try putPage(page.id, page.settings, isNew: false)
      touched.append(
        Touched(
          action: Store.pictureAction, page: page.id, detail: detail, before: page.before,
          after: Fingerprint.of(page.settings.json)))
    }
    after = nil
  }
}
