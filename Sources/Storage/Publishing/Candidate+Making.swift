import JSON
import Layout

/// What is taken by a publish or a schedule, and what would go live by it.
struct Taken {
  var overlay: Overlay
  var candidate: Candidate
}

/// What a publish would make live, found without changing anything.
struct Prospect {
  var candidate: Candidate
  /// The draft's section after a source's edit.
  var edit: EditedContent?
  /// The live section's content after it, where it is other than the draft's.
  var content: SectionContent?
  /// What a source's edit has made of the section's states: the draft's, the live one, and those that wait.
  var edited: EditedStates = [:]
  /// The named audiences, where something of the section waits.
  var audiences: [String: Predicate] = [:]
  /// The scheduled publish, if it is due.
  var scheduled: ScheduledPublish?
  /// What the draft becomes, of a rollback that resets it, once it is written.
  var draft: WrittenDraft?
}

/// A section after a source's edit with its fingerprint, by the fingerprint before.
typealias EditedStates = [String: (section: SectionDefinition, fingerprint: String)]

extension Prospect {
  /// Notes what a source's edit has made of a section in the draft and in what is live.
  fileprivate mutating func noteEdited(_ section: String) {
    if let former = candidate.live?.sections.firstIndex(where: { $0.id == section }),
      let next = candidate.definition.sections.firstIndex(where: { $0.id == section })
    {
      edited[candidate.liveFingerprints[former]] = (candidate.definition.sections[next], candidate.fingerprints[next])
    }
    if let edit { edited[edit.former] = (edit.kept, edit.fingerprint) }
  }
}

/// What a publish would make live, with what was made ready of it: nothing where it is live already.
struct Prepared<Ready: Sendable>: Sendable {
  var prospect: Prospect
  var ready: Ready?
}

extension PublishScope {
  /// The places of a page that a publish is made of.
  func places(of page: String, if precondition: WritePrecondition) -> Places {
    let all = Places.common + .live(page)
    // A request that names the draft's tag is about all of the draft.
    let named = precondition.namesTags && !Candidate.isNamed(by: precondition) ? all + .draft(page) : all
    return switch self {
    case .draft: all + .draft(page)
    case .parts(let names): named + .draft(page, sections: names.sections)
    // A revision does not change.
    case .revision: named
    case .content(let section, _, _): all + .section(page, section)
    case .scheduled(let id): all + .schedule(id)
    }
  }
}

extension Store {
  /// Finds out what a publish would make live, and has `prepare` make it ready.
  func preparing<Ready: Sendable>(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition, since served: ServedHistory? = nil,
    check: @escaping ContentCheck = { _, _ in },
    _ prepare: @Sendable @escaping (Candidate) throws -> Ready
  ) -> @Sendable (Change, Earlier<Prepared<Ready>>?) throws -> Prepared<Ready> {
    { [self] change, earlier in
      try change.requireUncut(since: served)
      // What an edit makes of a state of the section stays right as long as the draft's is the same.
      let known = earlier.flatMap { earlier in
        earlier.moved.contains { $0.kind == .section } ? nil : earlier.made.prospect
      }
      let isSame = earlier?.moved.contains { $0.kind == .live } == false
      let prospect = try change.prospect(
        page, scope, if: precondition, self, known: isSame ? known?.edit : nil, edited: known?.edited ?? [:],
        check: check)
      return Prepared(prospect: prospect, ready: prospect.candidate.isLive ? nil : try prepare(prospect.candidate))
    }
  }
}

extension Change {
  /// What a publish would make live, and how it would change draft and schedule.
  ///
  /// - Parameters:
  ///   - known: The draft's section after a source's edit, if it was made already.
  ///   - edited: The section's other states after it that were made already.
  fileprivate func prospect(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition, _ store: Store,
    known: EditedContent?, edited: EditedStates, check checkSection: ContentCheck
  ) throws -> Prospect {
    switch scope {
    case .content(let section, let edit, let asked):
      var prospect = try contentProspect(
        page, section, edit, asked, if: precondition, store, known: known, check: checkSection)
      prospect.edited = edited
      prospect.noteEdited(section)
      try editWaiting(page, section, edit, of: asked, &prospect, store)
      return prospect
    case .scheduled(let id):
      let scheduled = try ScheduledPublish.fetch(db, page, id)
      guard scheduled.isDue(at: now) else {
        throw StoreError.notFound(what: "scheduled publish", name: String(id))
      }
      return Prospect(candidate: try take(page, scope, store).candidate, scheduled: scheduled)
    case .draft, .parts, .revision:
      let candidate = try take(page, scope, if: precondition, store).candidate
      let resetsDraft = if case .revision(_, true) = scope { true } else { false }
      return Prospect(candidate: candidate, draft: resetsDraft ? WrittenDraft(candidate.definition) : nil)
    }
  }

  /// Takes the draft, parts of it or a revision, when the precondition holds for the draft or for what would go live.
  func take(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition, _ store: Store
  ) throws -> Taken {
    let draft: Int64 = try store.reader(db).pageRow(page)["draft_changed"]
    guard Candidate.isNamed(by: precondition) else {
      try check(precondition, of: draft)
      return try take(page, scope, store)
    }
    let taken = try take(page, scope, store)
    guard precondition.holds(for: EntityTag.text(draft), or: [taken.candidate.tag]) else {
      throw try stale(tag: EntityTag.text(draft), since: draft)
    }
    return taken
  }

  /// Takes the draft, parts of it, a revision or what waits, and lays it over what is live.
  private func take(_ page: String, _ scope: PublishScope, _ store: Store) throws -> Taken {
    let reader = store.reader(db)
    let live = try reader.live(page)
    let overlay = try reader.overlay(page, scope, over: live)
    guard let base = live ?? overlay.page(page) else { throw StoreError.notPublished }
    var candidate = try candidate(overlay.laid(over: base), live: live, bringsBack: scope.bringsBack, store)
    candidate.source = overlay.source
    return Taken(overlay: overlay, candidate: candidate)
  }

  /// Changes the draft and the schedule as a publish does.
  ///
  /// - Returns: What a source's edit has made of the draft.
  mutating func carryOut(
    _ prospect: Prospect, _ page: String, _ scope: PublishScope, _ store: Store
  ) throws -> MadeContent? {
    switch scope {
    case .content(let section, let edit, let asked):
      (self.section, item) = (section, edit.item)
      // What was scheduled meanwhile waits, too.
      var all = prospect
      let waiting = try editWaiting(page, section, edit, of: asked, &all, store)
      let hasChanged = try storeWaiting(waiting, page, section, all)
      guard let edited = prospect.edit else {
        isVoid = prospect.candidate.isLive && !hasChanged
        return nil
      }
      if prospect.candidate.isLive { (action, isVoid) = (edit.action, !edited.hasChanged && !hasChanged) }
      var made = try self.store(edited, page)
      made.live = prospect.content
      return made
    case .scheduled: if let scheduled = prospect.scheduled { try remove(scheduled) }
    case .revision: if let draft = prospect.draft { try resetDraft(to: draft, store) }
    case .draft, .parts: break
    }
    return nil
  }

  /// What an edit makes of a section's content in the draft and, apart from what else is in the draft, in what is live.
  private func contentProspect(
    _ page: String, _ section: String, _ edit: ContentEdit, _ asked: AskedBy?, if precondition: WritePrecondition,
    _ store: Store, known: EditedContent?, check checkSection: ContentCheck
  ) throws -> Prospect {
    let reader = store.reader(db)
    let live = try reader.live(page)
    let isLive = live?.definition.sections.contains { $0.id == section } ?? false
    if asked != nil, !isLive { throw AnswerTooLate.sectionChanged }
    guard var made = live else { throw StoreError.notPublished }
    guard let position = made.definition.sections.firstIndex(where: { $0.id == section }) else {
      _ = try reader.sectionRow(page, section)
      throw StoreError.conflict(
        code: "not-published", detail: "the section \(section) is not live yet; publish it first",
        values: ["section": .string(section)])
    }
    let former = (section: made.definition.sections[position], fingerprint: made.fingerprints[position])
    try requirePresent(asked, former.section)
    if try isOfLiveAlone(asked, page, section, store) {
      return try liveProspect(made, at: position, edit, store, check: checkSection)
    }
    let edited =
      try known
      ?? self.edited(page, section, edit, if: precondition, store, live: former.section, check: checkSection)
    var other: SectionContent?
    if former.fingerprint != edited.former {
      let content = store.sectionCache.opened(former.section, fingerprint: former.fingerprint)
      try requireLive(edit, in: content, section)
      other = content.applying(edit, like: edited.section.content)
      made.definition.sections[position].content = other ?? content
      (made.definition.sections[position], made.fingerprints[position]) =
        store.sectionCache.insert(edited: made.definition.sections[position])
    }
    // All that the edit brings is in the items that it changes, where it is made of what is live.
    let brought = former.fingerprint == edited.former ? (edited.changedItems ?? edited.written.items).map(\.text) : nil
    // What is live and the draft are mostly the same section, before the edit or after it.
    if former.fingerprint == edited.former || made.fingerprints[position] == edited.fingerprint {
      made.fingerprints[position] = edited.fingerprint
      made.definition.sections[position] = edited.kept
    }
    made.definition.audiences.merge(try reader.audiences()) { live, _ in live }
    var candidate = try candidate(made, live: live, bringing: brought, store)
    candidate.isLive = made.fingerprints[position] == live?.fingerprints[position]
    candidate.confirm(made.definition.sections[position], at: now)
    return Prospect(candidate: candidate, edit: edited, content: other)
  }

  /// Refuses to say of an item that clients get it, or where, as long as the live section has none of its id.
  private func requireLive(_ edit: ContentEdit, in live: SectionContent, _ section: String) throws {
    guard edit.placesItem, let id = edit.item, live.item(id) == nil else { return }
    throw StoreError.conflict(
      code: "not-published",
      detail: "the item \(id) is not live yet; put it with publish=true, or publish \(section)",
      values: ["item": .string(id), "section": .string(section)])
  }

  /// What an edit makes of a live section's content, and of nothing in the draft.
  private func liveProspect(
    _ live: Fingerprinted, at position: Int, _ edit: ContentEdit, _ store: Store,
    check checkSection: ContentCheck
  ) throws -> Prospect {
    var made = live
    var section = live.definition.sections[position]
    let content = store.sectionCache.opened(section, fingerprint: live.fingerprints[position])
    section.content = content.applying(edit)
    let isMore = section.content.items.count > content.items.count
    let problems = isMore ? section.content.problems(within: store.limits) : []
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    try checkSection(section, live.definition.sections[position])
    let written = section.written
    made.fingerprints[position] = written.fingerprint
    made.definition.sections[position] = store.sectionCache.insert(
      written.section, fingerprint: written.fingerprint, isEdited: true)
    made.definition.audiences.merge(try store.reader(db).audiences()) { live, _ in live }
    var candidate = try candidate(made, live: live, bringing: written.items.map(\.text), store)
    candidate.isLive = made.fingerprints[position] == live.fingerprints[position]
    candidate.confirm(made.definition.sections[position], at: now)
    return Prospect(candidate: candidate)
  }

  /// Makes the candidate without the kinds withheld now, from any origin.
  ///
  /// - Parameters:
  ///   - bringsBack: Whether it was live, or scheduled, before. Then it may go live although its pictures were removed
  ///     since.
  ///   - texts: The texts that contain everything new, if known.
  func candidate(
    _ made: Fingerprinted, live: Fingerprinted?, bringsBack: Bool = false, bringing texts: [String]? = nil,
    _ store: Store
  ) throws -> Candidate {
    var definition = made.definition
    definition.withheld = try store.reader(db).withheld()
    definition.audiences = definition.usedAudiences
    let last = try db.lastRevision(of: definition.id)
    var candidate = try Candidate(
      definition: definition, fingerprints: made.fingerprints, live: live?.definition,
      liveFingerprints: live?.fingerprints ?? [], number: last + 1, generation: Generation.present(db),
      kinds: StoredKinds.hash(db))
    candidate.definition.takeConfirmations(
      of: live?.definition, live: live?.fingerprints ?? [], made.fingerprints, at: now)
    candidate.withoutSource = try store.reader(db).sectionsWithoutSource(definition, at: now)
    try findPictures(of: &candidate, bringsBack: bringsBack, bringing: texts)
    return candidate
  }

  mutating func insertRevision(
    _ candidate: Candidate, _ kind: Revision.Kind, message: String?, problems: JSON
  ) throws -> Revision {
    try WholeText.check(message)
    let definition = candidate.definition
    let page = definition.id
    let rules = definition.sortRules.storedText
    let audiences = definition.audiences.storedText
    let settings = definition.settings.json.canonicalText
    let withheld = definition.withheld.storedText
    let rest = definition.withheld.isEmpty ? [] : [withheld]
    let fingerprint = Fingerprint.of(
      ([settings, rules, audiences] + candidate.fingerprints + rest).joined(separator: "\n").utf8)
    let former = try candidate.live.flatMap { _ in try liveRevision("number, fingerprint", of: page) }
    before = former?["fingerprint"]
    after = fingerprint
    detail = String(candidate.number)
    // The number comes first: SQLite's tables refuse the revision of an older program, which notes it afterwards.
    try db.execute(sql: "UPDATE pages SET live = ? WHERE id = ?", arguments: [candidate.number, page])
    try db.execute(
      sql: """
        INSERT INTO revisions (page, number, kind, source, author, made_at, message, fingerprint, settings, sort_rules,
          audiences, problems, identity, withheld, confirmed, change)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        page, candidate.number, kind.rawValue, candidate.source, actor.name, now, message, fingerprint, settings, rules,
        audiences, problems.canonicalText, candidate.identity, withheld, definition.confirmed.storedText, id,
      ])
    if db.connection.keepsDifferences {
      try insertSpans(candidate)
    } else {
      try insertRows(candidate, after: former?["number"])
    }
    let revision = Revision(
      page: page, number: candidate.number, kind: kind, source: candidate.source, author: actor.name, madeAt: now,
      message: message, fingerprint: fingerprint, problems: problems,
      withheld: .array(candidate.definition.withheld.map(\.json)), isPinned: false, isLive: true,
      generation: candidate.generation)
    try writeOutbox(revision, limits)
    return revision
  }

  /// Columns of a page's live revision; `nil` when it has none.
  func liveRevision(_ columns: String, of page: String) throws -> Row? {
    try Row.fetchOne(
      db,
      sql: "SELECT \(columns) FROM revisions WHERE page = :page AND number = (SELECT live FROM pages WHERE id = :page)",
      arguments: ["page": page])
  }

  /// Ends what the newest revision has and this one does not, and begins what this one has anew.
  private func insertSpans(_ candidate: Candidate) throws {
    let page = candidate.definition.id
    let rows = try Row.fetchAll(
      db, sql: "SELECT position, section, number, fingerprint FROM revision_spans WHERE page = ? AND until = ?",
      arguments: [page, Int.max])
    let sections = candidate.definition.sections
    var begun = Set(sections.indices)
    var kept = 0
    for row in rows {
      let (position, section, fingerprint): (Int, String, String) = (
        row["position"], row["section"], row["fingerprint"]
      )
      let stays =
        sections.indices.contains(position) && sections[position].id == section
        && candidate.fingerprints[position] == fingerprint
      if stays {
        begun.remove(position)
        kept += 1
      } else {
        try db.execute(
          sql: "UPDATE revision_spans SET until = ? WHERE page = ? AND section = ? AND number = ?",
          arguments: [candidate.number, page, section, row["number"] as Int])
      }
    }
    // A revision is whole, or there is none.
    guard kept + begun.count == sections.count else { throw StoreError.database(.corrupt) }
    for position in begun.sorted() {
      try db.keep(sections[position], candidate.fingerprints[position], of: page)
      try db.execute(
        sql: "INSERT INTO revision_spans (page, section, number, position, fingerprint) VALUES (?, ?, ?, ?, ?)",
        arguments: [page, sections[position].id, candidate.number, position, candidate.fingerprints[position]])
    }
  }

  /// Has a row for each section. Where few have changed, the others are copied at once.
  ///
  /// - Parameter former: The number of the revision that was live before.
  private func insertRows(_ candidate: Candidate, after former: Int?) throws {
    let page = candidate.definition.id
    // Nodes of older versions count on from it.
    try db.execute(
      sql: """
        INSERT INTO revision_numbers (page, last) VALUES (?, ?) ON CONFLICT (page) DO UPDATE SET last = excluded.last
        """, arguments: [page, candidate.number])
    let sections = Array(zip(candidate.definition.sections.map(\.id), candidate.fingerprints))
    let live = Array(zip((candidate.live?.sections ?? []).map(\.id), candidate.liveFingerprints))
    let others = sections.indices.filter { $0 >= live.count || live[$0] != sections[$0] }
    let copies = others.count < sections.count && others.count <= Self.changedSectionsMax
    for position in copies ? others : Array(sections.indices) {
      try db.keep(candidate.definition.sections[position], sections[position].1, of: page)
      try db.execute(
        sql: "INSERT INTO revision_sections (page, number, position, section, fingerprint) VALUES (?, ?, ?, ?, ?)",
        arguments: [page, candidate.number, position, sections[position].0, sections[position].1])
    }
    guard copies else { return }
    // Nothing stands at -1: the list is never empty.
    let left = [-1] + others
    let places = left.map { _ in "?" }
    let copied = try db.execute(
      sql: """
        INSERT INTO revision_sections (page, number, position, section, fingerprint)
        SELECT page, CAST(? AS BIGINT), position, section, fingerprint FROM revision_sections
        WHERE page = ? AND number = ? AND position < ? AND position NOT IN (\(places.joined(separator: ", ")))
        """,
      arguments: .listed([candidate.number.sql, page.sql, (former ?? 0).sql, sections.count.sql] + left.map(\.sql)))
    // A revision is whole, or there is none.
    guard copied == sections.count - others.count else { throw StoreError.database(.corrupt) }
  }

  /// The most changed sections of a revision whose other sections are copied from the live one.
  private static let changedSectionsMax = 8
}

extension StoreError {
  static let notPublished = StoreError.conflict(
    code: "not-published", detail: "the page has no live revision yet; publish the whole draft first")
}
