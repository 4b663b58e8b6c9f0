import JSON
public import Layout

extension Store {
  /// Keeps a picture. One that is there already is the same: it is kept for longer.
  ///
  /// - Parameter isOfSource: Whether a source brings it, which may have its share of the room and no more.
  /// - Returns: The picture, and whether it was not there.
  /// - Throws: ``AssetRefusal``, ``StoreError``.
  public func keep(
    _ asset: NewAsset, within limits: AssetLimits, isOfSource: Bool = false, by actor: Actor,
    keeping: AnswerKeeper<(asset: Asset, isNew: Bool)>? = nil
  ) async throws -> (asset: Asset, isNew: Bool) {
    try await write("asset.put", by: actor, keeping: keeping) { change in
      let isNew = try change.keep(asset, within: limits, isOfSource: isOfSource)
      change.isVoid = !isNew
      change.detail = "\(asset.name)"
      return (try Asset.required(asset.name, change.db), isNew)
    }
  }

  /// The pictures, the newest first.
  ///
  /// - Parameter before: Only with a smaller id.
  public func assets(_ filter: AssetFilter = AssetFilter(), before: Int64? = nil, limit: Int) async throws -> [Asset] {
    let folded = filter.text?.folded
    return try await read { db in
      var found: [Asset] = []
      var last = before
      // In parts: what is wanted may be few of many.
      while found.count < limit {
        let rows = try Row.fetchAll(
          db,
          sql: """
            SELECT \(Asset.columns) FROM assets WHERE (CAST(:last AS BIGINT) IS NULL OR id < :last)
            ORDER BY id DESC LIMIT :part
            """, arguments: ["last": last, "part": Asset.part])
        let part = try rows.compactMap(Asset.init)
        found += part.filter { filter.lets($0, folded: folded) }
        guard rows.count == Asset.part, let end = part.last else { break }
        last = end.id
      }
      return Array(found.prefix(limit))
    }
  }

  /// One picture, without its bytes.
  public func asset(_ name: AssetName) async throws -> Asset { try await read { db in try Asset.required(name, db) } }

  /// The tags of all pictures, in the order of their code points, at most so many.
  public func assetTags(atMost countMax: Int) async throws -> [String] {
    try await read { db in
      let texts = try String.fetchAll(db, sql: "SELECT DISTINCT details FROM assets WHERE details LIKE '%\"tags\"%'")
      let tags = try texts.reduce(into: Set<String>()) { tags, text in
        tags.formUnion(try JSON.stored(text)["tags"]?.array?.compactMap(\.string) ?? [])
      }
      return Array(tags.sorted().prefix(countMax))
    }
  }

  /// The names of all pictures with their bytes' count.
  public func assetSizes() async throws -> [AssetName: Int] {
    try await read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT name, size FROM assets")
      let pairs = rows.compactMap { row in AssetName(row["name"] as String).map { ($0, row["size"] as Int) } }
      return Dictionary(pairs, uniquingKeysWith: { first, _ in first })
    }
  }

  /// What tells whether there are other pictures than a moment ago.
  public func assetState() async throws -> [Int64] {
    try await read { db in
      let row = try Row.fetchOne(db, sql: "SELECT count(*) AS many, coalesce(max(id), 0) AS newest FROM assets")
      return row.map { [$0["many"], $0["newest"]] } ?? []
    }
  }

  /// A picture itself, `nil` when it is not there.
  public func assetBytes(_ name: AssetName) async throws -> [UInt8]? {
    try await read { db in
      try [UInt8].fetchOne(db, sql: "SELECT bytes FROM assets WHERE name = ?", arguments: ["\(name)"])
    }
  }

  /// Says something else of a picture.
  ///
  /// - Parameter isOwnOnly: Whether it has to be one that the actor brought.
  /// - Throws: ``StoreError``, ``AssetOfOthers``.
  public func putDetails(
    _ details: AssetDetails, of name: AssetName, if precondition: WritePrecondition, isOwnOnly: Bool, by actor: Actor,
    keeping: AnswerKeeper<Asset>? = nil
  ) async throws -> Asset {
    try await write("asset.describe", by: actor, keeping: keeping) { change in
      let former = try Asset.required(name, change.db)
      guard !isOwnOnly || former.createdBy == actor.name else { throw AssetOfOthers() }
      let changed = try Int64.fetchOne(
        change.db, sql: "SELECT changed FROM assets WHERE name = ?", arguments: ["\(name)"])
      try change.check(precondition, of: changed)
      change.isVoid = former.details == details
      guard former.details != details else { return former }
      change.detail = "\(name)"
      change.before = Fingerprint.of(former.details.json)
      change.after = Fingerprint.of(details.json)
      try change.store(details, of: name)
      return try Asset.required(name, change.db)
    }
  }

  /// The pictures that items of a kind show in drafts, at any depth.
  ///
  /// - Parameter page: The only page to look at.
  public func assets(ofKind kind: String, page: String? = nil) async throws -> Set<AssetName> {
    try WholeText.check(kind, page)
    @Sendable func add(_ item: JSON, to names: inout Set<AssetName>) {
      if item["kind"]?.string == kind, let content = item["content"] {
        names.formUnion(AssetName.mentioned(in: content.canonicalText))
      }
      for child in item["children"]?.array ?? [] { add(child, to: &names) }
    }
    return try await readInParts(.items) { db, part in
      let (sql, arguments) = part.query("page, document", like: Asset.pattern)
      return try Row.fetchAll(db, sql: sql, arguments: arguments).map { row in
        var names: Set<AssetName> = []
        if page == nil || page == row["page"] as String { add(try JSON.stored(row["document"]), to: &names) }
        return names
      }
    }.reduce(into: []) { $0.formUnion($1) }
  }

  /// The pictures that a page's draft refers to.
  public func assets(ofDraft page: String) async throws -> Set<AssetName> {
    try await read { db in
      let texts = try [
        "SELECT document FROM items WHERE page = ? AND document LIKE ?",
        "SELECT settings FROM sections WHERE page = ? AND settings LIKE ?",
        "SELECT settings FROM pages WHERE id = ? AND settings LIKE ?",
      ].flatMap { try String.fetchAll(db, sql: $0, arguments: [page, Asset.pattern]) }
      return Set(texts.flatMap { AssetName.mentioned(in: $0) })
    }
  }
}

extension Change {
  /// Puts a picture into the table, unless it is there; then it is of use from now on.
  ///
  /// - Returns: Whether it was not there.
  func keep(_ asset: NewAsset, within limits: AssetLimits, isOfSource: Bool = false) throws -> Bool {
    let name = asset.name.description
    let known = try db.execute(sql: "UPDATE assets SET used_at = ? WHERE name = ?", arguments: [now, name])
    guard known == 0 else { return false }
    let row = try Row.fetchOne(db, sql: "SELECT count(*) AS many, coalesce(sum(size), 0) AS bytes FROM assets")
    let (count, bytes) = (row?["many"] as Int? ?? 0, row?["bytes"] as Int? ?? 0)
    guard count < limits.countMax, bytes + asset.bytes.count <= limits.totalBytesMax else {
      throw AssetRefusal.full(bytes: bytes, count: count, limits)
    }
    if isOfSource { try checkShare(of: asset, within: limits, whereAllAre: (count, bytes)) }
    var details = asset.details
    if let original = asset.original, original != asset.name {
      let former = try Asset.required(original, db).details
      details.name = details.name ?? former.name
      details.alt = details.alt ?? former.alt
      if details.tags.isEmpty { details.tags = former.tags }
    }
    try db.execute(
      sql: """
        INSERT INTO assets
          (name, width, height, size, created_at, created_by, used_at, details, changed, original, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        name, asset.picture.width, asset.picture.height, asset.bytes.count, now, actor.name, now,
        details.json.canonicalText, id, asset.original == asset.name ? nil : asset.original?.description, asset.bytes,
      ])
    return true
  }

  /// Stores a picture's name, alt texts, tags and focus. That counts as a use of the picture.
  func store(_ details: AssetDetails, of name: AssetName) throws {
    try db.execute(
      sql: "UPDATE assets SET details = ?, changed = ?, used_at = ? WHERE name = ?",
      arguments: [details.json.canonicalText, id, now, "\(name)"])
  }

  /// Holds a source to its share. Tokens of one name count together, so a renewed token keeps its past.
  private func checkShare(
    of asset: NewAsset, within limits: AssetLimits, whereAllAre all: (count: Int, bytes: Int)
  ) throws {
    let most = (count: limits.sourceCountMax, bytes: limits.sourceBytesMax)
    // Nobody has more than all have: rows are counted by who brought them only where the share is within reach.
    guard all.count >= most.count || all.bytes + asset.bytes.count > most.bytes else { return }
    let row = try Row.fetchOne(
      db, sql: "SELECT count(*) AS many, coalesce(sum(size), 0) AS bytes FROM assets WHERE created_by = ?",
      arguments: [actor.name])
    let (count, bytes) = (row?["many"] as Int? ?? 0, row?["bytes"] as Int? ?? 0)
    guard count < most.count, bytes + asset.bytes.count <= most.bytes else {
      throw AssetRefusal.shareFull(bytes: bytes, count: count, limits)
    }
  }
}

extension Asset {
  /// How many rows are read at once.
  static let part = 500
  /// A `LIKE` pattern that matches each text with a reference to a picture.
  static let pattern = "%\(AssetName.folder)%"
  /// All but the bytes.
  fileprivate static let columns = "id, name, width, height, size, created_at, created_by, details, changed, original"

  /// - Throws: ``StoreError`` if no picture has the name.
  static func required(_ name: AssetName, _ db: Database) throws -> Asset {
    let row = try Row.fetchOne(db, sql: "SELECT \(columns) FROM assets WHERE name = ?", arguments: ["\(name)"])
    guard let asset = try row.flatMap(Asset.init) else {
      throw StoreError.notFound(what: "asset", name: "\(name)")
    }
    return asset
  }

  fileprivate init?(_ row: Row) throws {
    guard let name = AssetName(row["name"] as String) else { return nil }
    self.init(
      id: row["id"], name: name, width: row["width"], height: row["height"], size: row["size"],
      createdAt: row["created_at"], createdBy: row["created_by"],
      details: try AssetDetails(json: JSON.stored(row["details"] as String)),
      original: (row["original"] as String?).flatMap { AssetName($0) }, tag: EntityTag.text(row["changed"]))
  }
}

/// A source would say something of a picture that it did not bring.
public struct AssetOfOthers: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problem and what would be right, in words.
  public var description: String { "a source describes the pictures that it brought itself; an editor describes any" }
}
