import GRDB
public import Layout

extension Store {
  /// Puts one item: appended where it was absent, replaced in place where it was there (S1.4).
  ///
  /// - Returns: The item's new tag, and whether the item is new.
  public func putItem(
    _ page: String, _ section: String, _ item: ItemDefinition, if precondition: WritePrecondition, by actor: Actor,
    check: @Sendable @escaping (SectionDefinition) throws -> Void
  ) async throws -> (tag: String, isNew: Bool) {
    try await write("item.put", by: actor, page: page, section: section, item: item.id) { [self] change in
      let (row, definition) = try change.section(page, section, self)
      var edited = definition
      let position = definition.content.items.firstIndex { $0.id == item.id }
      let slot = definition.content.slots.first { $0.value.id == item.id }?.key
      try change.check(precondition, item: item.id, of: definition, row)
      if let position {
        edited.content.items[position] = item
      } else if let slot {
        edited.content.slots[slot] = item
      } else {
        edited.content.items.append(item)
      }
      try check(edited)
      try change.storeContent(page, row, edited)
      return (item.entityTag, position == nil && slot == nil)
    }
  }

  /// Removes one item, wherever in the section it is.
  public func deleteItem(
    _ page: String, _ section: String, _ item: String, if precondition: WritePrecondition, by actor: Actor
  ) async throws {
    try await write("item.delete", by: actor, page: page, section: section, item: item) { [self] change in
      let (row, definition) = try change.section(page, section, self)
      var edited = definition
      edited.content.items.removeAll { $0.id == item }
      edited.content.slots = edited.content.slots.filter { $0.value.id != item }
      guard edited != definition else {
        throw StoreError.notFound(what: "item", name: item, known: definition.content.items.map(\.id))
      }
      try change.check(precondition, item: item, of: definition, row)
      try change.storeContent(page, row, edited)
    }
  }
}

extension ItemDefinition {
  /// The entity tag of an item: it has one of its own, made of what it is, whatever happens to the items beside it.
  public var entityTag: String { "\"\(Fingerprint.of(json).prefix(16))\"" }
}

extension Change {
  fileprivate func check(
    _ precondition: WritePrecondition, item id: String, of section: SectionDefinition, _ row: Row
  ) throws {
    let item = (section.content.items + section.content.slots.values).first { $0.id == id }
    guard !precondition.holds(for: item?.entityTag) else { return }
    guard let item else { throw StoreError.stale(nil) }
    throw try stale(tag: item.entityTag, since: lastChange(of: id, row))
  }

  /// The number of the change that an item was last part of: the content's, unless that was another item's.
  private func lastChange(of item: String, _ section: Row) throws -> Int64 {
    let content: Int64 = section["content_changed"]
    let other = try String.fetchOne(
      db, sql: "SELECT item FROM audit WHERE id = ? AND item <> ?", arguments: [content, item])
    guard other != nil else { return content }
    // The page's newest rows are enough: an older change is told as the content's, and a refusal stays quick.
    let found = try Int64.fetchOne(
      db,
      sql: """
        SELECT id FROM (SELECT * FROM audit WHERE page = :page AND id < :content ORDER BY id DESC LIMIT 10000)
        WHERE section = :section AND (item = :item OR action IN ('content.put', 'content.publish'))
        ORDER BY id DESC LIMIT 1
        """,
      arguments: [
        "page": section["page"] as String, "section": section["id"] as String, "item": item, "content": content,
      ])
    return found ?? content
  }
}
