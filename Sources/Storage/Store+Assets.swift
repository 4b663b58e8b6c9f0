public import Layout

extension Store {
  /// Keeps a picture. One that is there already is the same: it is kept for longer.
  ///
  /// - Parameter isOfSource: Whether a source brings it, which may have its share of the room and no more.
  /// - Returns: The picture, and whether it was not there.
  /// - Throws: ``AssetRefusal``, ``StoreError``.
  public func keep(
    _ asset: NewAsset, within limits: AssetLimits, isOfSource: Bool = false, by actor: Actor
  ) async throws -> (asset: Asset, isNew: Bool) {
    try await write("asset.put", by: actor) { change in
      let isNew = try change.keep(asset, within: limits, isOfSource: isOfSource)
      change.isVoid = !isNew
      change.detail = "\(asset.name)"
      let row = try Row.fetchOne(
        change.db, sql: "SELECT \(Asset.columns) FROM assets WHERE name = ?", arguments: ["\(asset.name)"])
      guard let kept = row.flatMap(Asset.init) else {
        throw StoreError.notFound(what: "asset", name: "\(asset.name)", known: [])
      }
      return (kept, isNew)
    }
  }

  /// The pictures, the newest first.
  ///
  /// - Parameters:
  ///   - names: Only those; all when `nil`.
  ///   - before: Only with a smaller id.
  public func assets(named names: Set<AssetName>? = nil, before: Int64? = nil, limit: Int) async throws -> [Asset] {
    try await read { db in
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
        let part = rows.compactMap(Asset.init)
        found += part.filter { asset in names?.contains(asset.name) ?? true }
        guard rows.count == Asset.part, let end = part.last else { break }
        last = end.id
      }
      return Array(found.prefix(limit))
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

  /// The pictures that a page's draft refers to.
  public func assets(ofDraft page: String) async throws -> Set<AssetName> {
    try await read { db in
      var names: Set<AssetName> = []
      for sql in [
        "SELECT document FROM items WHERE page = ? AND document LIKE ?",
        "SELECT settings FROM sections WHERE page = ? AND settings LIKE ?",
        "SELECT settings FROM pages WHERE id = ? AND settings LIKE ?",
      ] {
        for text in try String.fetchAll(db, sql: sql, arguments: [page, Asset.pattern]) {
          names.formUnion(AssetName.mentioned(in: text))
        }
      }
      return names
    }
  }
}

extension Change {
  /// Puts a picture into the table, unless it is there; then it is of use from now on.
  ///
  /// - Returns: Whether it was not there.
  func keep(_ asset: NewAsset, within limits: AssetLimits, isOfSource: Bool = false) throws -> Bool {
    let name = asset.name.description
    let known = try db.execute(
      sql: "UPDATE assets SET used_at = ? WHERE name = ?", arguments: [now.secondsSinceEpoch, name])
    guard known == 0 else { return false }
    let row = try Row.fetchOne(db, sql: "SELECT count(*) AS many, coalesce(sum(size), 0) AS bytes FROM assets")
    let (count, bytes) = (row?["many"] as Int? ?? 0, row?["bytes"] as Int? ?? 0)
    guard count < limits.countMax, bytes + asset.bytes.count <= limits.totalBytesMax else {
      throw AssetRefusal.full(bytes: bytes, count: count, limits)
    }
    if isOfSource { try checkShare(of: asset, within: limits, whereAllAre: (count, bytes)) }
    try db.execute(
      sql: """
        INSERT INTO assets (name, width, height, size, created_at, created_by, used_at, bytes)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        name, asset.picture.width, asset.picture.height, asset.bytes.count, now.secondsSinceEpoch, actor.name,
        now.secondsSinceEpoch, asset.bytes,
      ])
    return true
  }

  /// Holds a source to its share. Tokens of one name count together, so that a new one for an old one begins with what is
  /// there.
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
  /// What the text of whatever refers to a picture is like.
  static let pattern = "%\(AssetName.folder)%"
  /// All but the bytes.
  fileprivate static let columns = "id, name, width, height, size, created_at, created_by"

  fileprivate init?(_ row: Row) {
    guard let name = AssetName(row["name"] as String) else { return nil }
    self.init(
      id: row["id"], name: name, width: row["width"], height: row["height"], size: row["size"],
      createdAt: Instant(secondsSinceEpoch: row["created_at"]), createdBy: row["created_by"])
  }
}
