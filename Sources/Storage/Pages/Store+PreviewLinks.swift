import JSON
import Layout

extension Store {
  /// Makes a link; its text is shown this once. Expired links make room.
  ///
  /// - Parameters:
  ///   - link: What it shows; its id, maker and time of making are set here.
  ///   - most: How many links there may be.
  /// - Throws: ``StoreError`` `too-many-previews`, or for an unknown page.
  public func createPreviewLink(
    _ link: PreviewLink, most: Int, by actor: Actor, keeping: AnswerKeeper<PreviewLink>? = nil
  ) async throws -> (link: PreviewLink, text: String) {
    let text = TokenText.letters(PreviewLink.textLength)
    let made = try await write("preview.create", by: actor, page: link.page, keeping: keeping) { [self] change in
      try WholeText.check([link.name, link.revision] + link.client.flatMap { [$0.key, $0.value] })
      _ = try reader(change.db).pageRow(link.page)
      let now = change.now
      try change.db.execute(sql: "DELETE FROM previews WHERE expires_at <= ?", arguments: [now])
      let count = try Int.fetchOne(change.db, sql: "SELECT count(*) FROM previews") ?? 0
      guard count < most else {
        throw StoreError.conflict(
          code: "too-many-previews",
          detail: "there may be \(most) preview links at a time; revoke some, or raise the limit",
          values: ["most": .count(most)])
      }
      var made = link
      (made.createdAt, made.createdBy) = (change.now, change.actor.name)
      let id = try Int.fetchOne(
        change.db,
        sql: """
          INSERT INTO previews (hash, page, name, revision, at, client, created_at, created_by, expires_at, token)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id
          """,
        arguments: [
          PreviewLink.hash(of: text), link.page, link.name, link.revision, link.at,
          JSONObject(link.client.mapValues { .string($0) }).text, now, change.actor.name,
          link.expiresAt, change.actor.token,
        ])
      made.id = id ?? 0
      change.detail = "\(made.id) of \(made.revision) until \(made.expiresAt)"
      return made
    }
    return (made, text)
  }

  /// The links of a page that are not over, the newest first.
  public func previewLinks(of page: String) async throws -> [PreviewLink] {
    let now = clock()
    return try await read { [self] db in
      _ = try reader(db).pageRow(page)
      return try Row.fetchAll(
        db, sql: "SELECT * FROM previews WHERE page = ? AND expires_at > ? ORDER BY id DESC",
        arguments: [page, now]
      ).map(PreviewLink.init)
    }
  }

  /// Ends a link at once.
  public func revokePreviewLink(
    _ page: String, _ id: Int, by actor: Actor, keeping: AnswerKeeper<Void>? = nil
  ) async throws {
    try await write("preview.revoke", by: actor, page: page, keeping: keeping) { [self] change in
      _ = try reader(change.db).pageRow(page)
      change.detail = String(id)
      let count = try change.db.execute(sql: "DELETE FROM previews WHERE page = ? AND id = ?", arguments: [page, id])
      if count == 0 { throw StoreError.notFound(what: "preview", name: String(id)) }
    }
  }

  /// The link whose text has this hash; `nil` if it is unknown or has expired.
  public func previewLink(hash: String) async throws -> PreviewLink? {
    let now = clock()
    return try await read { db in
      try Row.fetchOne(
        db, sql: "SELECT * FROM previews WHERE hash = ? AND expires_at > ?",
        arguments: [hash, now]
      ).map(PreviewLink.init)
    }
  }

  /// The hashes of all links that are not over.
  public func previewHashes() async throws -> Set<String> {
    let now = clock()
    return try await read { db in
      Set(try String.fetchAll(db, sql: "SELECT hash FROM previews WHERE expires_at > ?", arguments: [now]))
    }
  }
}

extension PreviewLink {
  fileprivate init(_ row: Row) throws {
    let client = try JSON.stored(row["client"] as String).object ?? JSONObject()
    self.init(
      page: row["page"], name: row["name"], revision: row["revision"], at: row["at"],
      client: Dictionary(
        client.members.map { ($0.name, $0.value.string ?? "") }, uniquingKeysWith: { first, _ in first }),
      expiresAt: row["expires_at"])
    (id, createdAt, createdBy) = (row["id"], row["created_at"], row["created_by"])
  }
}
