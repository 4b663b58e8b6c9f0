import GRDB
import JSON
import Layout

/// Reads drafts and revisions inside a transaction.
struct PageReader {
  let db: Database
  let cache: SectionCache
  let context: DefinitionContext

  func pageRow(_ page: String) throws -> Row {
    if let row = try Row.fetchOne(db, sql: "SELECT * FROM pages WHERE id = ?", arguments: [page]) { return row }
    let known = try String.fetchAll(db, sql: "SELECT id FROM pages ORDER BY id LIMIT 50")
    throw StoreError.notFound(what: "page", name: page, known: known)
  }

  func sectionRow(_ page: String, _ section: String) throws -> Row {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM sections WHERE page = ? AND id = ?", arguments: [page, section])
    if let row { return row }
    _ = try pageRow(page)
    let known = try String.fetchAll(
      db, sql: "SELECT id FROM sections WHERE page = ? ORDER BY position LIMIT 500", arguments: [page])
    throw StoreError.notFound(what: "section", name: section, known: known)
  }

  func definition(_ page: String) throws -> (definition: PageDefinition, fingerprints: [String]) {
    let row = try pageRow(page)
    let settings = try PageSettings(json: JSON.stored(row["settings"] as String), pageID: page, in: context)
    var sections: [SectionDefinition] = []
    var fingerprints: [String] = []
    let rows = try Row.fetchAll(
      db, sql: "SELECT id, settings, fingerprint FROM sections WHERE page = ? ORDER BY position", arguments: [page])
    for row in rows {
      fingerprints.append(row["fingerprint"])
      sections.append(try section(page, row))
    }
    let definition = PageDefinition(
      id: page, settings: settings, sections: sections, sortRules: try sortRules(page), audiences: try audiences())
    return (definition, fingerprints)
  }

  func section(_ page: String, _ row: Row) throws -> SectionDefinition {
    let fingerprint: String = row["fingerprint"]
    let id: String = row["id"]
    if let known = cache.section(fingerprint), known.id == id { return known }
    let section = SectionDefinition(
      id: id, settings: try settings(row), content: try content(page, id))
    cache.insert(section, fingerprint: fingerprint)
    return section
  }

  func settings(_ row: Row) throws -> SectionSettings {
    try SectionSettings(json: JSON.stored(row["settings"] as String), sectionID: row["id"], in: context)
  }

  func content(_ page: String, _ section: String) throws -> SectionContent {
    let rows = try Row.fetchAll(
      db, sql: "SELECT slot, id, document FROM items WHERE page = ? AND section = ? ORDER BY slot, position",
      arguments: [page, section])
    var content = SectionContent()
    for row in rows {
      let item = try ItemDefinition(json: JSON.stored(row["document"] as String), id: row["id"], in: context)
      let slot: String = row["slot"]
      if slot.isEmpty { content.items.append(item) } else { content.slots[slot] = item }
    }
    return content
  }

  func sortRules(_ page: String) throws -> [SortRule] {
    var indices: [String: [String: Int]] = [:]
    let listed = try Row.fetchAll(
      db, sql: "SELECT rule, section, position FROM sort_rule_indices WHERE page = ?", arguments: [page])
    for row in listed { indices[row["rule"], default: [:]][row["section"]] = row["position"] }
    return try Row.fetchAll(db, sql: "SELECT * FROM sort_rules WHERE page = ? ORDER BY name", arguments: [page])
      .map { try sortRule($0, indices: indices[$0["name"]] ?? [:]) }
  }

  private func sortRule(_ row: Row, indices: [String: Int]) throws -> SortRule {
    var object: JSONObject = ["indices": .object(JSONObject(indices.mapValues { .number(JSONNumber($0)) }))]
    let priority: Int = row["priority"]
    if priority != 0 { object["priority"] = .number(JSONNumber(priority)) }
    if let audience = row["audience"] as String? { object["audience"] = try JSON.stored(audience) }
    if let schedule = row["schedule"] as String? { object["schedule"] = try JSON.stored(schedule) }
    return try SortRule(json: .object(object), name: row["name"], in: context)
  }

  func audiences() throws -> [String: Predicate] {
    var audiences: [String: Predicate] = [:]
    for row in try Row.fetchAll(db, sql: "SELECT name, predicate FROM audiences") {
      audiences[row["name"]] = try Predicate(json: JSON.stored(row["predicate"] as String), in: context)
    }
    return audiences
  }

  /// The live revision of a page, `nil` when it has none.
  func live(_ page: String) throws -> (definition: PageDefinition, fingerprints: [String])? {
    try (pageRow(page)["live"] as Int?).map { try revision(page, $0) }
  }

  func revisionRow(_ page: String, _ number: Int) throws -> Row {
    let row = try Row.fetchOne(
      db, sql: "SELECT * FROM revisions WHERE page = ? AND number = ?", arguments: [page, number])
    guard let row else { throw StoreError.notFound(what: "revision", name: String(number), known: []) }
    return row
  }

  /// A revision's definition and the fingerprints of its sections.
  func revision(_ page: String, _ number: Int) throws -> (definition: PageDefinition, fingerprints: [String]) {
    let row = try revisionRow(page, number)
    var object = try JSON.stored(row["settings"] as String).object ?? JSONObject()
    object["sortRules"] = try JSON.stored(row["sort_rules"] as String)
    var definition = try PageDefinition(
      json: .object(object), id: page, audiences: storedAudiences(row["audiences"]), in: context)
    var fingerprints: [String] = []
    let rows = try Row.fetchAll(
      db,
      sql: """
        SELECT s.section, s.fingerprint FROM revision_sections s WHERE s.page = ? AND s.number = ? ORDER BY s.position
        """, arguments: [page, number])
    for row in rows {
      let fingerprint: String = row["fingerprint"]
      fingerprints.append(fingerprint)
      definition.sections.append(try storedSection(fingerprint))
    }
    return (definition, fingerprints)
  }

  /// Sort rules as revisions and schedules keep them.
  func storedRules(_ text: String) throws -> [SortRule] {
    try (JSON.stored(text).object?.members ?? []).map { try SortRule(json: $0.value, name: $0.name, in: context) }
  }

  /// Audiences as revisions and schedules keep them.
  func storedAudiences(_ text: String) throws -> [String: Predicate] {
    var audiences: [String: Predicate] = [:]
    for member in try JSON.stored(text).object ?? JSONObject() {
      audiences[member.name] = try Predicate(json: member.value, in: context)
    }
    return audiences
  }

  /// A section as revisions and schedules keep it, by its fingerprint.
  func storedSection(_ fingerprint: String) throws -> SectionDefinition {
    if let known = cache.section(fingerprint) { return known }
    let document = try String.fetchOne(
      db, sql: "SELECT document FROM section_documents WHERE fingerprint = ?", arguments: [fingerprint])
    let section = try SectionDefinition(json: JSON.stored(document ?? ""), in: context)
    cache.insert(section, fingerprint: fingerprint)
    return section
  }

  func draft(_ page: String) throws -> Draft {
    let row = try pageRow(page)
    let (definition, fingerprints) = try definition(page)
    let live: Int? = row["live"]
    var changed = definition.sections.map(\.id)
    var isChanged = true
    if let live {
      let published = try revision(page, live)
      let known = Dictionary(
        zip(published.definition.sections.map(\.id), published.fingerprints), uniquingKeysWith: { first, _ in first })
      changed = zip(definition.sections, fingerprints).filter { known[$0.id] != $1 }.map(\.0.id)
      let kept = Set(definition.sections.map(\.id))
      changed += published.definition.sections.map(\.id).filter { !kept.contains($0) }
      isChanged =
        fingerprints != published.fingerprints || definition.settings != published.definition.settings
        || definition.sortRules != published.definition.sortRules
        || definition.usedAudiences != published.definition.audiences
    }
    return Draft(
      definition: definition, fingerprints: fingerprints, tag: EntityTag.text(row["draft_changed"]),
      settingsTag: EntityTag.text(row["changed"]), orderTag: EntityTag.text(row["order_changed"]), live: live,
      changedSections: changed, isChanged: isChanged)
  }
}
