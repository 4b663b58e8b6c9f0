import JSON
public import Layout

/// Throws what is wrong with a section after an edit of its content. Gets the section after and before.
public typealias ContentCheck = @Sendable (SectionDefinition, SectionDefinition) throws -> Void

/// Edits of a draft's content, each of which changes nothing where the draft is that already: no tag, no audit.
extension Store {
  /// Edits a section's content: replaces all of it, puts one item (appended where it was absent, replaced in place where it
  /// was there, S1.4), or moves, hides, restores or removes one (S2).
  ///
  /// - Parameter check: Throws when the content does not go with the section's kind. Gets the section after and before.
  /// - Returns: What it has made, as the transaction has it.
  @discardableResult
  public func edit(
    _ page: String, _ section: String, _ edit: ContentEdit, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<MadeContent>? = nil,
    check: @escaping ContentCheck = { _, _ in }
  ) async throws -> MadeContent {
    try WholeText.check(edit.item)
    // An edit is made faster than the turn comes that another attempt waits for.
    return try await write(
      edit.action, by: actor, page: page, section: section, item: edit.item, keeping: keeping, isBrief: \.isBrief,
      attempts: 1, reading: .section(page, section),
      making: { [self] change, _ in try change.edited(page, section, edit, if: precondition, self, check: check) }
    ) { change, edited in
      change.isVoid = !edited.hasChanged
      return try change.store(edited, page)
    }
  }
}

/// What an edit has made of a section's content in the draft.
public struct MadeContent: Sendable {
  /// The content's tag.
  public let tag: String
  /// The content. What was hidden and is not said to be restored is hidden still.
  public let content: SectionContent
  /// Whether an item that was put was not there.
  public let isNew: Bool
  /// The section's live content after a publish, where it is other than the draft's.
  public internal(set) var live: SectionContent?
}

extension PageReader {
  func content(_ page: String, _ section: String) throws -> SectionContent {
    let rows = try Row.fetchAll(
      db, sql: "SELECT slot, id, document FROM items WHERE page = ? AND section = ? ORDER BY slot, position",
      arguments: [page, section])
    var items: [ItemDefinition] = []
    var slots: [String: ItemDefinition] = [:]
    for row in rows {
      let item = try ItemDefinition(json: JSON.stored(row["document"] as String), id: row["id"], in: context)
      let slot: String = row["slot"]
      if slot.isEmpty { items.append(item) } else { slots[slot] = item }
    }
    return SectionContent(items: items, slots: slots)
  }
}

/// The result of an edit of a draft's section.
struct EditedContent: Sendable {
  var section: SectionDefinition
  /// The section as the cache keeps it.
  var kept: SectionDefinition
  var fingerprint: String
  /// The fingerprint of the section before.
  var former: String
  /// As it is kept, written before the write lock is taken.
  var written: WrittenSection
  /// The items that are others than before or come behind them, where all else is as it was.
  var changedItems: [WrittenSection.Item]?
  /// Whether the item that is put is not there yet.
  var isNew: Bool
  /// The entity tag of the content before.
  var formerTag: String
  /// The edits of each field, for the audit; `nil` if they are too many.
  var edits: String?
  /// The removed items to remember.
  var gone: [PlaceMemory.Gone]
  /// The remembered items that came back.
  var came: [String]

  /// Whether the draft is something else before.
  var hasChanged: Bool { fingerprint != former }
  /// Whether it has so few items to write that others need not wait for it.
  var isBrief: Bool { (changedItems ?? written.items).count <= 100 }
}

extension Change {
  /// What an edit makes of a section's content in the draft.
  ///
  /// - Parameter live: The section that is live, when the edit is to be published: what is to be removed may be there
  ///   alone, or wait alone.
  func edited(
    _ page: String, _ section: String, _ edit: ContentEdit, if precondition: WritePrecondition, _ store: Store,
    live: SectionDefinition? = nil, check checkSection: ContentCheck
  ) throws -> EditedContent {
    let (row, definition) = try self.section(page, section, store)
    let content = store.sectionCache.opened(definition, fingerprint: row["fingerprint"])
    let old = edit.item.flatMap(content.item)
    if edit.needsItem, let id = edit.item, old == nil, live?.content.item(id) == nil,
      try live == nil || edit.placesItem || !isWaiting(id, page, section, store)
    {
      throw StoreError.notFound(what: "item", name: id, known: content.items.prefix(500).map(\.id))
    }
    try requirePlace(of: edit, in: content)
    if let item = edit.item {
      try check(precondition, item: item, of: definition, row)
    } else {
      try check(precondition, of: row["content_changed"])
    }
    let removed = try edit.needsItem ? RemovedItems() : RemovedItems(db, page, section)
    var edited = definition
    edited.content = content.applying(edit, hiding: removed.hidden)
    if case .put(let item) = edit, old == nil, edited.content.items.last?.id == item.id,
      let place = removed.place(of: item.id, among: content.places)
    {
      var items = edited.content.items
      items.insert(items.removeLast(), at: place)
      edited.content.items = items
    }
    // What becomes less may be too much still, when the limits were others.
    let isMore = edited.content.items.count > content.items.count
    let problems = isMore ? edited.content.problems(within: store.limits) : []
    guard problems.isEmpty else { throw StoreError.invalid(problems) }
    try checkSection(edited, definition)
    let written = edited.written
    let fingerprint = written.fingerprint
    let kept = store.sectionCache.insert(written.section, fingerprint: fingerprint, isEdited: true)
    store.sectionCache.keepOpen(edited.content, of: kept, fingerprint: fingerprint)
    return EditedContent(
      section: edited, kept: kept, fingerprint: fingerprint, former: row["fingerprint"], written: written,
      changedItems: Self.changedItems(edit, content, edited.content, written), isNew: old == nil,
      formerTag: EntityTag.text(row["content_changed"]),
      edits: FieldEdit.edits(edit, from: content, to: edited.content),
      gone: PlaceMemory.gone(from: content, to: edited.content),
      came: removed.isEmpty ? [] : edited.content.everyItem.map(\.id).filter(removed.contains))
  }

  /// The items that are others than before or come behind them, `nil` where there are others beside them, or in another
  /// order.
  private static func changedItems(
    _ edit: ContentEdit, _ before: SectionContent, _ after: SectionContent, _ written: WrittenSection
  ) -> [WrittenSection.Item]? {
    if case .put(let item) = edit, let position = after.items.firstIndex(where: { $0.id == item.id }),
      after.items.count == before.items.count || position == before.items.count
    {
      return [written.items[position]]
    }
    guard before.slots == after.slots, before.items.map(\.id) == after.items.map(\.id) else { return nil }
    return zip(zip(before.items, after.items), written.items).compactMap { $0.0 == $0.1 ? nil : $1 }
  }

  /// Writes an edit into the draft, unless the draft is that already.
  ///
  /// - Returns: What is there now.
  mutating func store(_ edited: EditedContent, _ page: String) throws -> MadeContent {
    edits = edited.hasChanged ? edited.edits : FieldEdit.none
    let made = MadeContent(
      tag: edited.hasChanged ? tag : edited.formerTag, content: edited.section.content, isNew: edited.isNew)
    guard edited.hasChanged else { return made }
    before = edited.former
    after = edited.fingerprint
    try remember(edited.gone, came: edited.came, of: edited.section.content, page, edited.section.id)
    try replaceContent(page, edited.section.id, edited.written, changed: edited.changedItems)
    try db.execute(
      sql: "UPDATE sections SET fingerprint = ?, content_changed = ? WHERE page = ? AND id = ?",
      arguments: [edited.fingerprint, id, page, edited.section.id])
    try touchDraft(of: page)
    return made
  }
}
