public import JSON
public import Layout

/// One change of a field: in a revision, or in the draft since the live one.
public struct FieldChange: Hashable, Sendable {
  /// The revision that brought it live; `nil` in the draft.
  public var revision: Int?
  /// When the section was last changed before that, or when the revision was made.
  public var at: Instant
  /// Who changed the section, the last ones first, as the audit has them; who published where it has none.
  public var by: [String]
  /// Who published it.
  public var publishedBy: String?
  /// What was there before.
  public var from: JSON?
  /// What is there since.
  public var to: JSON?
}

/// Which field is asked for.
public struct FieldPlace: Hashable, Sendable {
  /// The item, at any depth; `nil` for the section itself.
  public var item: String?
  /// The place in the item or in the section's settings.
  public var pointer: JSONPointer

  /// A place.
  public init(item: String?, pointer: JSONPointer) {
    self.item = item
    self.pointer = pointer
  }

  fileprivate func value(in section: SectionDefinition?) -> JSON? {
    guard let section else { return nil }
    guard let item else { return pointer.value(in: section.json) }
    let settings = [section.settings.header, section.settings.footer].compactMap(\.self)
    // Packed content is opened once.
    let content = section.opened.content
    return Self.find(item, among: settings + Array(content.slots.values) + content.items).flatMap {
      pointer.value(in: $0.json)
    }
  }

  private static func find(_ id: String, among items: [ItemDefinition]) -> ItemDefinition? {
    for item in items {
      if item.id == id { return item }
      if let child = find(id, among: item.children) { return child }
    }
    return nil
  }
}

extension Store {
  /// How a field came to be what it is: the changes that kept revisions and the draft show, the newest first.
  ///
  /// - Parameters:
  ///   - before: Only revisions with a smaller number; with `nil` the draft, too.
  ///   - revisionsMax: How many revisions are looked at.
  ///   - bytesMax: How many bytes of values are looked at, as JSON; one more value may be beyond it.
  /// - Returns: The changes, and the revision to go on before, `nil` at the end.
  public func changes(
    of field: FieldPlace, in section: String, of page: String, before: Int? = nil, limit: Int, revisionsMax: Int,
    bytesMax: Int
  ) async throws -> (changes: [FieldChange], next: Int?) {
    try WholeText.check(page, section, field.item)
    return try await read { [self] db in
      let reader = reader(db)
      let live: Int? = try reader.pageRow(page)["live"]
      // One more: the oldest that is looked at is only what the one above it came from.
      let rows = try Row.fetchAll(
        db,
        sql: """
          SELECT r.number, r.author, r.made_at, s.fingerprint FROM revisions r
            LEFT JOIN revision_sections s ON s.page = r.page AND s.number = r.number AND s.section = :section
          WHERE r.page = :page AND r.number < :before ORDER BY r.number DESC LIMIT :limit
          """,
        arguments: ["section": section, "page": page, "before": before ?? .max, "limit": revisionsMax + 1])
      // A value is compared with the one before it, so that no more than one is kept.
      var last: (fingerprint: String, value: JSON?)?
      var bytes = 0
      func value(_ row: Row?) throws -> JSON? {
        guard let fingerprint = row?["fingerprint"] as String?? ?? nil else { return nil }
        if let last, last.fingerprint == fingerprint { return last.value }
        let value = field.value(in: try reader.storedSection(fingerprint))
        last = (fingerprint, value)
        bytes += value?.canonicalBytes.count ?? 0
        return value
      }
      var changes: [FieldChange] = []
      if before == nil, let change = try reader.draftChange(of: field, section, page, live: live) {
        changes.append(change)
      }
      for (place, row) in rows.prefix(revisionsMax).enumerated() {
        let older = rows.indices.contains(place + 1) ? rows[place + 1] : nil
        // The oldest kept may have it from one that retention removed.
        guard older != nil || row["number"] as Int == 1 else { break }
        let to = try value(row)
        let from = try value(older)
        guard from != to else {
          if bytes >= bytesMax { return (changes, row["number"]) }
          continue
        }
        let madeAt: Int64 = row["made_at"]
        let edits = try reader.edits(
          of: field, section, page, after: older.map { $0["made_at"] as Int64 } ?? 0, until: madeAt)
        changes.append(
          FieldChange(
            revision: row["number"], at: edits.first?.at ?? Instant(secondsSinceEpoch: madeAt),
            by: edits.isEmpty ? [row["author"]] : edits.names, publishedBy: row["author"], from: from, to: to))
        if changes.count >= limit || bytes >= bytesMax { return (changes, row["number"]) }
      }
      return (changes, rows.count > revisionsMax ? rows[revisionsMax - 1]["number"] : nil)
    }
  }
}

extension PageReader {
  /// What the draft has of a field that what is live has not.
  fileprivate func draftChange(
    of field: FieldPlace, _ section: String, _ page: String, live: Int?
  ) throws -> FieldChange? {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM sections WHERE page = ? AND id = ?", arguments: [page, section])
    let draft = try row.map { try self.section(page, $0) }
    let before = try live.flatMap { number in
      try String.fetchOne(
        db, sql: "SELECT fingerprint FROM revision_sections WHERE page = ? AND number = ? AND section = ?",
        arguments: [page, number, section]
      ).map { try storedSection($0) }
    }
    let (from, to) = (field.value(in: before), field.value(in: draft))
    guard from != to else { return nil }
    let since = try live.flatMap { number in
      try Int64.fetchOne(
        db, sql: "SELECT made_at FROM revisions WHERE page = ? AND number = ?", arguments: [page, number])
    }
    let edits = try edits(of: field, section, page, after: since ?? 0, until: .max)
    return FieldChange(
      revision: nil, at: edits.first?.at ?? Instant(secondsSinceEpoch: since ?? 0), by: edits.names, from: from, to: to)
  }

  /// Who changed a section, or an item of it, in a time, the last ones first.
  fileprivate func edits(
    of field: FieldPlace, _ section: String, _ page: String, after: Int64, until: Int64
  ) throws -> [(at: Instant, name: String)] {
    try Row.fetchAll(
      db,
      sql: """
        SELECT at, actor FROM audit
        WHERE page = :page AND at >= :after AND at <= :until
          AND (section = :section AND (item IS NULL OR CAST(:item AS TEXT) IS NULL OR item = :item)
            AND action IN ('section.put', 'section.duplicate', 'section.hide', 'section.restore', 'section.delete', 'content.put',
              'content.publish', 'item.put', 'item.publish', 'item.delete')
            OR action = 'page.import')
        ORDER BY id DESC LIMIT 20
        """,
      arguments: ["page": page, "section": section, "item": field.item, "after": after, "until": until]
    ).map { (at: Instant(secondsSinceEpoch: $0["at"]), name: $0["actor"]) }
  }
}

extension [(at: Instant, name: String)] {
  /// Each name once.
  fileprivate var names: [String] {
    reduce(into: []) { names, edit in if !names.contains(edit.name) { names.append(edit.name) } }
  }
}
