public import JSON
public import Layout

/// One change of a field: in a revision, or in the draft since the live one.
public struct FieldChange: Hashable, Sendable {
  /// The revision that brought it live; `nil` in the draft.
  public var revision: Int?
  /// When it was changed, or when the revision was made where nothing else is known.
  public var at: Instant
  /// Who changed it. If the audit does not say which change touched the field: everyone who changed the section in that
  /// period, latest first. Without any: the publisher.
  public var by: [String]
  /// Who published it.
  public var publishedBy: String?
  /// The value before.
  public var from: JSON?
  /// The value since then.
  public var to: JSON?
}

/// The field whose history is asked for.
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

  func value(in section: SectionDefinition?) -> JSON? {
    guard let section else { return nil }
    guard let item else { return pointer.value(in: section.json) }
    let settings = [section.settings.header, section.settings.footer].compactMap(\.self)
    // Packed content is opened once.
    let content = section.opened.content
    return Self.find(item, among: settings + Array(content.slots.values) + content.items).flatMap {
      pointer.value(in: $0.json)
    }
  }

  /// The items whose changes may be the field's: its own, and those that hold it in some sections.
  func holders(in sections: [SectionDefinition?]) -> Set<String> {
    guard let item else { return [] }
    let holders = sections.compactMap(\.self).compactMap { section in
      let content = section.opened.content
      return (content.items + content.slots.values).first { Self.find(item, among: [$0]) != nil }?.id
    }
    return Set([item] + holders)
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
          SELECT r.number, r.author, r.made_at, r.change, (\(db.fingerprintOfSection)) AS fingerprint
          FROM revisions r WHERE r.page = :page AND r.number < :before ORDER BY r.number DESC LIMIT :limit
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
      let draft = try reader.presentSectionRow(page, section).map { try reader.section(page, $0) }
      let newest = try (rows.first?["fingerprint"] as String??).flatMap(\.self).map { try reader.storedSection($0) }
      let edits = try reader.edits(
        of: field, in: field.holders(in: [draft, newest]), section, page,
        until: before == nil ? .max : rows.first.map { $0["change"] as Int64 } ?? .max)
      /// The first revision in which the section was as the one at a place has it: earlier publishes may have left edits
      /// behind.
      func first(_ place: Int?) -> Row? {
        guard var place, rows.indices.contains(place) else { return nil }
        let fingerprint: String? = rows[place]["fingerprint"]
        while rows.indices.contains(place + 1), rows[place + 1]["fingerprint"] as String? == fingerprint { place += 1 }
        return rows[place]
      }
      if before == nil {
        let since = first(rows.firstIndex { $0["number"] as Int == live })
        changes = try reader.changes(of: field, to: draft, section, page, live: live, since: since, edits)
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
        let madeAt: Instant = row["made_at"]
        let author: String = row["author"]
        for step in edits.steps(from: from, to: to, after: first(place + 1)?["change"] ?? 0, until: row["change"]) {
          changes.append(
            FieldChange(
              revision: row["number"], at: step.last?.at ?? madeAt,
              by: step.by.isEmpty ? [author] : step.by, publishedBy: author, from: step.from, to: step.to))
        }
        if changes.count >= limit || bytes >= bytesMax { return (changes, row["number"]) }
      }
      return (changes, rows.count > revisionsMax ? rows[revisionsMax - 1]["number"] : nil)
    }
  }
}

extension Database {
  /// SQL for the fingerprint that a section has in a revision `r`.
  ///
  /// Of spans the newest alone is asked for: one that is over may have thousands before it.
  fileprivate var fingerprintOfSection: String {
    connection.keepsDifferences
      ? """
      SELECT CASE WHEN s.until > r.number THEN s.fingerprint END FROM revision_spans s
      WHERE s.page = r.page AND s.section = :section AND s.number <= r.number ORDER BY s.number DESC LIMIT 1
      """
      : """
      SELECT s.fingerprint FROM revision_sections s
      WHERE s.page = r.page AND s.number = r.number AND s.section = :section
      """
  }
}

extension PageReader {
  /// The draft's changes of a field since the live revision.
  fileprivate func changes(
    of field: FieldPlace, to draft: SectionDefinition?, _ section: String, _ page: String, live: Int?, since: Row?,
    _ edits: [AuditedEdit]
  ) throws -> [FieldChange] {
    let before = try live.flatMap { number in
      try String.fetchOne(
        db, sql: "SELECT fingerprint FROM revision_sections WHERE page = ? AND number = ? AND section = ?",
        arguments: [page, number, section]
      ).map { try storedSection($0) }
    }
    let (from, to) = (field.value(in: before), field.value(in: draft))
    guard from != to else { return [] }
    let madeAt: Instant = since?["made_at"] ?? Instant(secondsSinceEpoch: 0)
    return edits.steps(from: from, to: to, after: since?["change"] ?? 0, until: .max).map {
      FieldChange(revision: nil, at: $0.last?.at ?? madeAt, by: $0.by, from: $0.from, to: $0.to)
    }
  }

  /// What the audit has of changes that may have touched a field, the last 1,000 at most, the last one first.
  fileprivate func edits(
    of field: FieldPlace, in holders: Set<String>, _ section: String, _ page: String, until: Int64
  ) throws -> [AuditedEdit] {
    let bySection = [
      "section.put", "section.duplicate", "section.hide", "section.restore", "section.delete", Store.pictureAction,
    ]
    let byContent = [
      "content.put", "content.publish", "item.put", "item.publish", "item.delete", "item.delete.publish",
      "item.hide", "item.hide.publish", "item.restore", "item.restore.publish", "item.move", "item.move.publish",
    ]
    // What others may have put in its place, with the page as a whole.
    let byPage = ["page.import", "page.rollback", "page.publish.scheduled", "page.delete"]
    // A field of the section itself is none of those who fill it.
    let isContent = field.item != nil || ["items", "slots"].contains(field.pointer.tokens.first ?? "items")
    let ofSection = isContent ? bySection + byContent : bySection
    func marks(_ actions: [String]) -> String { Array(repeating: "?", count: actions.count).joined(separator: ", ") }
    func newest(where condition: String) -> String {
      "SELECT * FROM (SELECT id, at, actor, action, edits FROM audit WHERE \(condition) ORDER BY id DESC LIMIT 1000) AS a"
    }
    // What an item says is found at the item, and among what was done to the whole content, which may name others alone.
    let item = field.item.map(FieldEdit.pattern) ?? "%"
    let isOfItems = isContent && field.item == nil
    let sections = "page = ? AND section = ? AND action IN (\(marks(ofSection))) AND id <= ?"
    var looks = [
      newest(where: sections + (isOfItems ? "" : " AND item IS NULL") + " AND (edits IS NULL OR edits LIKE ?)"),
      newest(where: "page = ? AND section IS NULL AND action IN (\(marks(byPage))) AND id <= ?"),
    ]
    var arguments = [page.sql, section.sql] + ofSection.map(\.sql) + [until.sql, item.sql]
    arguments += [page.sql] + byPage.map(\.sql) + [until.sql]
    for holder in holders.sorted() {
      looks.append(newest(where: "page = ? AND section = ? AND item = ? AND id <= ?"))
      arguments += [page.sql, section.sql, holder.sql, until.sql]
    }
    let sql = looks.joined(separator: "\nUNION ALL\n") + "\nORDER BY id DESC LIMIT 1000"
    let rows = try Row.fetchAll(db, sql: sql, arguments: .listed(arguments))
    return try rows.prefix { ($0["action"] as String) != "page.delete" }.compactMap { row in
      let edits = try (row["edits"] as String?).map { try JSON.stored($0).array?.compactMap(FieldEdit.init) ?? [] }
      let effect = edits.map { FieldEdit.effect(of: $0, at: field) } ?? .unknown
      return effect == .none ? nil : AuditedEdit(id: row["id"], at: row["at"], actor: row["actor"], effect: effect)
    }
  }
}

/// A change that the audit tells of, and what it did to a field.
private struct AuditedEdit {
  /// Its row in the audit.
  var id: Int64
  var at: Instant
  var actor: String
  var effect: FieldEdit.Effect
}

/// One step of a field from a value to the next.
private struct Step {
  /// The last change that made it, where it is known.
  var last: AuditedEdit?
  var by: [String]
  var from: JSON?
  var to: JSON?
}

extension [AuditedEdit] {
  /// The steps in which a field came from one value to another, the last one first; at most 100.
  ///
  /// Edits are followed from the last value back as far as each is what the next one found. What is left between, the
  /// changes have made of which it is not known what they did.
  ///
  /// - Parameters:
  ///   - after: The change after which others count of which it is not known what they did.
  ///   - until: The last change that counts.
  fileprivate func steps(from: JSON?, to: JSON?, after: Int64, until: Int64) -> [Step] {
    var steps: [Step] = []
    var value = to
    var unknown: [AuditedEdit] = []
    func close(to old: JSON?) {
      steps.append(Step(last: unknown.first, by: unknown.map(\.actor).uniqued, from: old, to: value))
      (value, unknown) = (old, [])
    }
    for edit in self where edit.id <= until {
      guard value != from, steps.count < 100 else { break }
      guard case .values(let found, let made) = edit.effect else {
        if edit.id > after { unknown.append(edit) }
        continue
      }
      if made != value {
        // One that came later than the state that is asked for, or what nobody knows of lies between.
        guard !unknown.isEmpty else {
          if steps.isEmpty { continue }
          break
        }
        close(to: made)
        guard value != from else { break }
      }
      steps.append(Step(last: edit, by: [edit.actor], from: found, to: value))
      (value, unknown) = (found, [])
    }
    guard value != from, steps.count < 100 else { return steps }
    // A way that leads elsewhere is not the one: all that is known is who changed it in that time.
    if unknown.isEmpty, steps.contains(where: { ($0.last?.id ?? 0) <= after }) {
      let recent = steps.filter { ($0.last?.id ?? 0) > after }
      return [Step(last: recent.first?.last, by: recent.flatMap(\.by).uniqued, from: from, to: to)]
    }
    close(to: from)
    return steps
  }
}

extension [String] {
  /// Each once.
  fileprivate var uniqued: [String] {
    reduce(into: []) { names, name in if !names.contains(name) { names.append(name) } }
  }
}
