import JSON
public import Layout

extension Store {
  /// A page's order by a rule.
  public func order(_ page: String, rule: String = SortRule.defaultName) async throws -> Tagged<[String]> {
    try await read { [self] db in
      let draft = try reader(db).draft(page)
      try draft.definition.requireRule(rule)
      return Tagged(draft.definition.order(of: rule), tag: draft.orderTag)
    }
  }

  /// Gives a rule's sections an order: the whole one, or one section moved (S1.2, S2.2).
  ///
  /// - Returns: The new tag, and the indices that changed.
  public func setOrder(
    _ page: String, _ order: OrderEdit, rule: String = SortRule.defaultName, if precondition: WritePrecondition,
    by actor: Actor, keeping: AnswerKeeper<Tagged<OrderChange>>? = nil
  ) async throws -> Tagged<OrderChange> {
    try await write(order.action, by: actor, page: page, section: order.section, keeping: keeping) { [self] change in
      let result = try change.setOrder(page, order, rule: rule, if: precondition, self)
      return Tagged(result, tag: change.tag)
    }
  }

  /// Shows a section again that was hidden, with its content as it was, and puts it somewhere (S2.4).
  public func restore(
    _ page: String, _ section: String, to destination: Destination?, rule: String = SortRule.defaultName,
    if precondition: WritePrecondition, by actor: Actor, keeping: AnswerKeeper<Tagged<OrderChange>>? = nil
  ) async throws -> Tagged<OrderChange> {
    try await write("section.restore", by: actor, page: page, section: section, keeping: keeping) { [self] change in
      try change.setHidden(false, page, section, if: precondition, or: ["draft_changed", "order_changed"], self)
      var result = OrderChange(indices: [:])
      if let destination {
        result = try change.setOrder(page, .move(section, destination), rule: rule, if: .none, self)
      }
      return Tagged(result, tag: change.tag)
    }
  }
}

/// An edit of a page's order.
public enum OrderEdit: Hashable, Sendable {
  /// All sections in their new order.
  case whole([String])
  /// One section goes elsewhere.
  case move(String, Destination)

  var action: String {
    switch self {
    case .whole: "order.put"
    case .move: "section.move"
    }
  }

  var section: String? {
    guard case .move(let section, _) = self else { return nil }
    return section
  }
}

extension Change {
  mutating func setOrder(
    _ page: String, _ edit: OrderEdit, rule: String, if precondition: WritePrecondition, _ store: Store
  ) throws -> OrderChange {
    let reader = store.reader(db)
    let row = try reader.pageRow(page)
    try check(precondition, of: row["order_changed"], or: [row["draft_changed"]])
    var definition = try reader.frame(page)
    try definition.requireRule(rule)
    if let section = edit.section { _ = try reader.sectionRow(page, section) }
    let result: OrderChange
    do {
      switch edit {
      case .whole(let order): result = try definition.setOrder(order, rule: rule)
      case .move(let section, let destination):
        let order = try definition.order(moving: section, to: destination, rule: rule)
        result = try definition.setOrder(order, rule: rule, moved: section)
      }
    } catch {
      throw StoreError.order(error)
    }
    for (section, index) in result.indices { try setIndex(page, rule, section, index) }
    try db.execute(sql: "UPDATE sort_rules SET changed = ? WHERE page = ? AND name = ?", arguments: [id, page, rule])
    detail = JSONObject(result.indices.mapValues { .number(JSONNumber($0)) }).text
    try touchDraft(of: page, orderToo: true)
    return result
  }

  func setIndex(_ page: String, _ rule: String, _ section: String, _ index: Int) throws {
    try db.execute(
      sql: """
        INSERT INTO sort_rule_indices (page, rule, section, position) VALUES (?, ?, ?, ?)
        ON CONFLICT (page, rule, section) DO UPDATE SET position = excluded.position
        """, arguments: [page, rule, section, index])
  }
}

extension PageDefinition {
  fileprivate func requireRule(_ rule: String) throws {
    guard !sortRules.contains(where: { $0.name == rule }) else { return }
    throw StoreError.notFound(what: "sort rule", name: rule, known: sortRules.map(\.name))
  }
}

extension JSONObject {
  /// The canonical text.
  var text: String { JSON.object(self).canonicalText }
}
