import JSON
public import Layout

extension Store {
  /// One sort rule of a draft.
  public func sortRule(_ page: String, _ name: String) async throws -> Tagged<SortRule> {
    try await read { [self] db in
      let reader = reader(db)
      _ = try reader.pageRow(page)
      let rules = try reader.sortRules(page)
      guard let rule = rules.first(where: { $0.name == name }) else {
        throw StoreError.notFound(what: "sort rule", name: name, known: rules.map(\.name))
      }
      return Tagged(rule, tag: EntityTag.text(try reader.ruleChanged(page, name) ?? 0))
    }
  }

  /// Makes a sort rule, or replaces it.
  ///
  /// - Returns: The new tag, and whether the rule is new.
  public func putSortRule(
    _ page: String, _ rule: SortRule, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<(tag: String, isNew: Bool)>? = nil
  ) async throws -> (tag: String, isNew: Bool) {
    try await write("sortRule.put", by: actor, page: page, keeping: keeping) { [self] change in
      let reader = reader(change.db)
      let pageRow = try reader.pageRow(page)
      let changed = try reader.ruleChanged(page, rule.name)
      try change.check(precondition, of: changed, or: [pageRow["draft_changed"], pageRow["order_changed"]])
      let count = try Int.fetchOne(
        change.db, sql: "SELECT count(*) FROM sort_rules WHERE page = ?", arguments: [page])
      if changed == nil, count ?? 0 >= limits.sortRulesMax {
        throw StoreError.tooManySortRules(limits)
      }
      change.detail = rule.name
      change.before = try reader.ruleFingerprint(page, rule.name)
      change.after = Fingerprint.of(rule.json)
      try change.storeRule(page, rule)
      try change.touchDraft(of: page, orderToo: true)
      return (change.tag, changed == nil)
    }
  }

  /// Removes a sort rule; the default one stays.
  public func deleteSortRule(
    _ page: String, _ name: String, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write("sortRule.delete", by: actor, page: page, keeping: keeping) { [self] change in
      let reader = reader(change.db)
      let pageRow = try reader.pageRow(page)
      guard let changed = try reader.ruleChanged(page, name) else {
        throw StoreError.notFound(what: "sort rule", name: name, known: try reader.sortRules(page).map(\.name))
      }
      try change.check(precondition, of: changed, or: [pageRow["draft_changed"], pageRow["order_changed"]])
      guard name != SortRule.defaultName else {
        throw StoreError.conflict(code: "default-rule", detail: "the default rule always exists; change its indices")
      }
      change.detail = name
      change.before = try reader.ruleFingerprint(page, name)
      try change.db.execute(sql: "DELETE FROM sort_rules WHERE page = ? AND name = ?", arguments: [page, name])
      try change.touchDraft(of: page, orderToo: true)
    }
  }
}

extension PageReader {
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

  /// The number of a rule's last change; `nil` when it is not there.
  func ruleChanged(_ page: String, _ name: String) throws -> Int64? {
    try WholeText.check(name)
    return try Int64.fetchOne(
      db, sql: "SELECT changed FROM sort_rules WHERE page = ? AND name = ?", arguments: [page, name])
  }

  fileprivate func ruleFingerprint(_ page: String, _ name: String) throws -> String? {
    try sortRules(page).first { $0.name == name }.map { Fingerprint.of($0.json) }
  }

  /// Sort rules as revisions and schedules keep them.
  func storedRules(_ text: String) throws -> [SortRule] {
    try (JSON.stored(text).object?.members ?? []).map { try SortRule(json: $0.value, name: $0.name, in: context) }
  }
}

extension Change {
  func storeRule(_ page: String, _ rule: SortRule) throws {
    try db.execute(
      sql: """
        INSERT INTO sort_rules (page, name, priority, audience, schedule, changed) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (page, name) DO UPDATE SET priority = excluded.priority, audience = excluded.audience,
          schedule = excluded.schedule, changed = excluded.changed
        """,
      arguments: [
        page, rule.name, rule.priority, rule.audience?.json.canonicalText, rule.schedule?.json.canonicalText, id,
      ])
    try db.execute(sql: "DELETE FROM sort_rule_indices WHERE page = ? AND rule = ?", arguments: [page, rule.name])
    for (section, index) in rule.indices { try setIndex(page, rule.name, section, index) }
  }
}
