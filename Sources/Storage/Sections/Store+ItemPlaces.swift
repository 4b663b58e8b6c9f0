import Layout

/// Remembers removed items: one that comes back gets its place again (S2.4), and stays hidden if it was.
enum PlaceMemory {
  /// The most items of a section that are remembered, and the most of one edit, hidden ones aside: of a feed that is
  /// another one each minute nobody wants to know.
  static let (itemsMax, editMax) = (500, 50)

  /// An item that goes.
  struct Gone: Sendable {
    var item: String
    /// The one that it stood behind; in a slot the last one of the list.
    var after: String?
    var isHidden: Bool
  }

  /// The items that an edit removes: from the list, and hidden ones from slots.
  static func gone(from before: SectionContent, to after: SectionContent) -> [Gone] {
    let (before, after) = (before.opened, after.opened)
    let items = before.items
    // Most edits leave all items where they are.
    guard !items.elementsEqual(after.items, by: { $0.id == $1.id }) || before.slots != after.slots else { return [] }
    let left = Set(after.everyItem.map(\.id))
    var gone: [Gone] = []
    var last: String?
    for item in items {
      if !left.contains(item.id) { gone.append(Gone(item: item.id, after: last, isHidden: item.isHidden)) }
      last = item.id
    }
    for item in before.slots.values where item.isHidden && !left.contains(item.id) {
      gone.append(Gone(item: item.id, after: last, isHidden: true))
    }
    return gone.count <= editMax ? gone : gone.filter(\.isHidden)
  }
}

/// What is remembered of the items that were removed from a section.
public struct RemovedItems: Sendable {
  /// Those that were hidden when they went.
  public private(set) var hidden: Set<String> = []
  /// What each stood behind; `nil` for the first.
  private var behind: [String: String?] = [:]

  /// Nothing.
  public init() {}

  /// What a database remembers.
  init(_ db: Database, _ page: String, _ section: String) throws {
    let rows = try Row.fetchAll(
      db, sql: "SELECT item, \"after\", is_hidden FROM item_places WHERE page = ? AND section = ?",
      arguments: [page, section])
    for row in rows {
      let item: String = row["item"]
      behind.updateValue(row["after"] as String?, forKey: item)
      if row["is_hidden"] { hidden.insert(item) }
    }
  }

  /// Whether none is remembered.
  var isEmpty: Bool { behind.isEmpty }

  /// Whether an item is remembered.
  func contains(_ item: String) -> Bool { behind[item] != nil }

  /// Where an item stood among the present items, which have these places; `nil` if unknown.
  func place(of item: String, among places: [String: Int]) -> Int? {
    var next = item
    // What it stood behind may be gone as well.
    for _ in 0...PlaceMemory.itemsMax {
      guard let found = behind[next] else { return nil }
      guard let after = found else { return 0 }
      if let place = places[after] { return place + 1 }
      next = after
    }
    return nil
  }
}

extension Change {
  /// Notes where items stood that go now: behind one that there is, or behind one that went before and stood behind
  /// that. Forgets those that have come.
  func remember(
    _ gone: [PlaceMemory.Gone], came: [String], of content: SectionContent, _ page: String, _ section: String
  ) throws {
    for item in came {
      try db.execute(
        sql: "DELETE FROM item_places WHERE page = ? AND section = ? AND item = ?", arguments: [page, section, item])
    }
    guard !gone.isEmpty else { return }
    let rows = try Row.fetchAll(
      db, sql: "SELECT item, \"after\" FROM item_places WHERE page = ? AND section = ?", arguments: [page, section])
    let leaving = Set(gone.map(\.item))
    let present = Set(content.items.map(\.id)).union(leaving)
    let earlier = rows.map { (item: $0["item"] as String, after: $0["after"] as String?) }
      .filter { !present.contains($0.item) }
    let behind = Dictionary(earlier.map { ($0.after ?? "", $0.item) }, uniquingKeysWith: { _, last in last })
    for item in gone {
      var after = item.after
      // Items have no empty ids.
      for _ in earlier {
        guard let next = behind[after ?? ""] else { break }
        after = next
      }
      try db.execute(
        sql: """
          INSERT INTO item_places (page, section, item, "after", is_hidden, changed) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (page, section, item) DO UPDATE
            SET "after" = excluded."after", is_hidden = excluded.is_hidden, changed = excluded.changed
          """, arguments: [page, section, item.item, after, item.isHidden, id])
    }
    try db.execute(
      sql: """
        DELETE FROM item_places WHERE page = :page AND section = :section AND item NOT IN (
          SELECT item FROM item_places WHERE page = :page AND section = :section
          ORDER BY is_hidden DESC, changed DESC, item LIMIT \(PlaceMemory.itemsMax))
        """, arguments: ["page": page, "section": section])
  }

  /// Demands of an edit that says where an item goes that there is such a place.
  ///
  /// - Throws: ``StoreError``.
  func requirePlace(of edit: ContentEdit, in content: SectionContent) throws {
    guard let id = edit.item, let destination = edit.destination else { return }
    let known = content.items.map(\.id)
    // A slot has one place.
    if content.slots.values.contains(where: { $0.id == id }) { throw StoreError.order(.unknownItem(id)) }
    switch destination {
    case .first, .last: break
    case .before(let other), .after(let other):
      guard other != id else { throw StoreError.order(.itemNextToItself(id)) }
      guard known.contains(other) else { throw StoreError.order(.unknownItem(other)) }
    }
  }
}
