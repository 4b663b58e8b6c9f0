public import Layout

extension ItemDefinition {
  /// The entity tag of an item. It depends on the item alone, not on its neighbours.
  public var entityTag: String { "\"\(Fingerprint.of(canonicalBytes).prefix(16))\"" }
}

extension Change {
  /// Checks a precondition against an item of a section of the draft.
  func check(
    _ precondition: WritePrecondition, item id: String, of section: SectionDefinition, _ row: Row
  ) throws {
    let item = section.content.item(id)
    guard !precondition.isMissing(for: item) else { throw StoreError.preconditionRequired }
    guard !precondition.holds(for: item?.entityTag) else { return }
    guard let item else { throw StoreError.stale(nil) }
    throw try stale(tag: item.entityTag, since: lastChange(of: item, row))
  }

  /// The number of the change that an item was last part of: the content's, unless that was another item's.
  private func lastChange(of item: ItemDefinition, _ section: Row) throws -> Int64 {
    let content: Int64 = section["content_changed"]
    // A put of the whole content tells which items it changed. Their children have ids of their own.
    let named = item.children.isEmpty ? FieldEdit.pattern(of: item.id) : "%"
    let found = try Int64.fetchOne(
      db,
      sql: """
        SELECT max(id) FROM (
          SELECT id FROM audit WHERE page = :page AND section = :section AND item = :item AND id <= :content
          UNION ALL
          SELECT id FROM audit WHERE page = :page AND section = :section AND item IS NULL AND id <= :content
            AND action IN ('content.put', 'content.publish') AND (edits IS NULL OR edits LIKE :named)
          UNION ALL
          SELECT id FROM audit
          WHERE id = :content AND item IS NULL AND action NOT IN ('content.put', 'content.publish')
        ) AS changes
        """,
      arguments: [
        "page": section["page"] as String, "section": section["id"] as String, "item": item.id, "named": named,
        "content": content,
      ])
    return found ?? content
  }
}
