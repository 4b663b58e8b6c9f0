import JSON
import Layout

/// When the content of sections was confirmed last, by their ids, as the row of their revision keeps it.
extension [String: Instant] {
  init(stored text: String) throws {
    let members = try JSON.stored(text).object ?? JSONObject()
    self.init(
      members.compactMap { member in member.value.int.map { (member.name, Instant(secondsSinceEpoch: Int64($0))) } },
      uniquingKeysWith: { first, _ in first })
  }

  var storedText: String { JSONObject(mapValues { .number(JSONNumber(Int($0.secondsSinceEpoch))) }).text }
}

extension Candidate {
  /// Takes up that a source confirms a section's content with a push.
  ///
  /// - Parameter section: The section, as it is live.
  mutating func confirm(_ section: SectionDefinition, at now: Instant) {
    let confirmation = Confirmation(of: section, confirmed: definition.confirmed[section.id], at: now)
    if confirmation == .shows { isLive = false }
    if !isLive, definition.confirmed[section.id] != nil { definition.confirmed[section.id] = now }
  }
}

extension PageReader {
  /// The sections whose content counts for a time only, and that no token of the role `source` is for.
  func sectionsWithoutSource(_ page: PageDefinition, at now: Instant) throws -> Set<String> {
    let ids = page.sections.filter { $0.settings.loading.freshFor != nil }.map(\.id)
    guard !ids.isEmpty else { return [] }
    let rows = try Row.fetchAll(db, sql: "SELECT * FROM tokens WHERE role = ?", arguments: [Role.source.rawValue])
    let sources = try rows.map(Token.init).filter { token in token.expiresAt.map { now < $0 } ?? true }
    return Set(ids.filter { id in !sources.contains { $0.covers(page: page.id, section: id) } })
  }
}

extension Change {
  /// Notes with the live revision that a source has confirmed a section's content, unless that was noted a moment ago.
  ///
  /// - Returns: When the content of the page's sections was confirmed last.
  func noteConfirmation(of section: String, _ candidate: Candidate) throws -> [String: Instant] {
    let page = candidate.definition.id
    var confirmed = try [String: Instant](stored: liveRevision("confirmed", of: page)?["confirmed"] ?? "{}")
    guard let definition = candidate.definition.sections.first(where: { $0.id == section }),
      Confirmation(of: definition, confirmed: confirmed[section], at: now) != .none
    else { return confirmed }
    confirmed[section] = now
    try db.execute(
      sql: """
        UPDATE \(db.revisionTable) SET confirmed = ?
        WHERE page = ? AND number = (SELECT live FROM pages WHERE id = ?)
        """,
      arguments: [confirmed.storedText, page, page])
    return confirmed
  }
}
