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
    throw try stale(tag: item.entityTag, since: lastChange(of: id, row))
  }

  /// The number of the change that an item was last part of: the content's, unless that was another item's.
  private func lastChange(of item: String, _ section: Row) throws -> Int64 {
    let content: Int64 = section["content_changed"]
    let other = try String.fetchOne(
      db, sql: "SELECT item FROM audit WHERE id = ? AND item <> ?", arguments: [content, item])
    guard other != nil else { return content }
    // The page's newest rows are enough: an older change is reported as the content's, and a refusal stays quick.
    let found = try Int64.fetchOne(
      db,
      sql: """
        SELECT id
        FROM (SELECT id, section, item, action FROM audit WHERE page = :page AND id < :content ORDER BY id DESC LIMIT 10000) AS newest
        WHERE section = :section AND (item = :item OR action IN ('content.put', 'content.publish'))
        ORDER BY id DESC LIMIT 1
        """,
      arguments: [
        "page": section["page"] as String, "section": section["id"] as String, "item": item, "content": content,
      ])
    return found ?? content
  }
}
