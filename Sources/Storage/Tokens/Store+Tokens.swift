import JSON
public import Layout

extension Store {
  /// The token of a bearer text; `nil` if it is unknown or has expired.
  ///
  /// The secret is compared in constant time, even for an unknown selector.
  public func token(_ text: TokenText) async throws -> Token? {
    let now = clock()
    // Looked at first: what is written meanwhile is in the row then.
    let waiting = laterWrites.use(of: text.selector)
    let found = try await read { db -> (token: Token, hash: String)? in
      let row = try Row.fetchOne(db, sql: "SELECT * FROM tokens WHERE selector = ?", arguments: [text.selector])
      return try row.map { (try Token($0), $0["secret_hash"]) }
    }
    let expected = found?.hash ?? String(repeating: "0", count: 64)
    let isRight = Secret.isSame(expected.utf8.span, text.secretHash.utf8.span)
    guard isRight, let token = found?.token, token.expiresAt.map({ now < $0 }) ?? true else { return nil }
    noteUse(of: token, since: waiting ?? token.lastUsedAt, at: now)
    return token
  }

  /// The expired or revoked token of a bearer text; `nil` if nothing is known of it.
  ///
  /// Of a revoked one only the selector is known: the secret is gone, and its bearer may be anyone.
  public func formerToken(_ text: TokenText) async throws -> FormerToken? {
    let now = clock()
    return try await read { db in
      if let row = try Row.fetchOne(db, sql: "SELECT * FROM tokens WHERE selector = ?", arguments: [text.selector]) {
        let token = try Token(row)
        let hash: String = row["secret_hash"]
        let isRight = Secret.isSame(hash.utf8.span, text.secretHash.utf8.span)
        guard isRight, let end = token.expiresAt, end <= now else { return nil }
        return FormerToken(selector: token.selector, name: token.name, end: .expired)
      }
      // The detail is the selector, a space and the name.
      let detail = try String.fetchOne(
        db,
        sql: """
          SELECT detail FROM audit
          WHERE action = 'token.revoke' AND substr(detail || ' ', 1, length(:selector) + 1) = :selector || ' '
          """, arguments: ["selector": text.selector])
      guard let detail else { return nil }
      let name = detail.dropFirst(text.selector.count + 1)
      return FormerToken(selector: text.selector, name: name.isEmpty ? text.selector : String(name), end: .revoked)
    }
  }

  /// Makes a token; its text is shown this once.
  public func createToken(
    name: String, role: Role, scopes: [String] = [], expiresAt: Instant? = nil, by actor: Actor,
    keeping: AnswerKeeper<Token>? = nil
  ) async throws -> (token: Token, text: TokenText) {
    let text = TokenText.random()
    let token = try await write("token.create", by: actor, keeping: keeping) { change in
      change.detail = "\(text.selector) \(role.rawValue) \(name)"
      return try change.insertToken(text, name: name, role: role, scopes: scopes, expiresAt: expiresAt)
    }
    return (token, text)
  }

  /// The tokens in the order they were made.
  public func tokens() async throws -> [Token] {
    let waiting = laterWrites.batch.uses
    let tokens = try await read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM tokens ORDER BY created_at, selector").map(Token.init)
    }
    return tokens.map { token in
      var token = token
      token.lastUsedAt = waiting[token.selector] ?? token.lastUsedAt
      return token
    }
  }

  /// Removes a token at once, and the preview links that were made with it.
  public func revokeToken(_ selector: String, by actor: Actor, keeping: AnswerKeeper<Void>? = nil) async throws {
    try await write("token.revoke", by: actor, keeping: keeping) { change in
      try WholeText.check(selector)
      let name = try String.fetchOne(
        change.db, sql: "SELECT name FROM tokens WHERE selector = ?", arguments: [selector])
      guard let name else { throw StoreError.notFound(what: "token", name: selector) }
      change.detail = "\(selector) \(name)"
      try change.db.execute(sql: "DELETE FROM tokens WHERE selector = ?", arguments: [selector])
      // Of links that were made before they said by which token, the name of their maker is all that is known.
      try change.db.execute(
        sql: "DELETE FROM previews WHERE token = ? OR (token IS NULL AND created_by = ?)", arguments: [selector, name])
    }
  }

  /// Makes a token like another, which stays valid for a while.
  ///
  /// - Parameter grace: Seconds that the old one is still taken.
  public func rotateToken(
    _ selector: String, grace: Int64, by actor: Actor, keeping: AnswerKeeper<Token>? = nil
  ) async throws -> (token: Token, text: TokenText) {
    let text = TokenText.random()
    let token = try await write("token.rotate", by: actor, keeping: keeping) { change in
      try WholeText.check(selector)
      let row = try Row.fetchOne(change.db, sql: "SELECT * FROM tokens WHERE selector = ?", arguments: [selector])
      guard let old = try row.map(Token.init) else {
        throw StoreError.notFound(what: "token", name: selector)
      }
      change.detail = "\(selector) to \(text.selector)"
      // They end with the token that is in the place of this one.
      try change.db.execute(sql: "UPDATE previews SET token = ? WHERE token = ?", arguments: [text.selector, selector])
      let end = change.now.adding(seconds: grace)
      try change.db.execute(
        sql: "UPDATE tokens SET expires_at = :end WHERE selector = :selector AND coalesce(expires_at, :end) >= :end",
        arguments: ["end": end, "selector": selector])
      return try change.insertToken(text, name: old.name, role: old.role, scopes: old.scopes, expiresAt: old.expiresAt)
    }
    return (token, text)
  }
}

extension Change {
  fileprivate func insertToken(
    _ text: TokenText, name: String, role: Role, scopes: [String], expiresAt: Instant?
  ) throws -> Token {
    try WholeText.check(name)
    let token = Token(
      selector: text.selector, name: name, role: role, scopes: scopes, createdAt: now, createdBy: actor.name,
      expiresAt: expiresAt)
    try db.execute(
      sql: """
        INSERT INTO tokens (selector, secret_hash, name, role, scopes, created_at, created_by, expires_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        """,
      arguments: [
        token.selector, text.secretHash, name, role.rawValue, JSON.array(scopes.map { .string($0) }).canonicalText,
        now, actor.name, expiresAt,
      ])
    return token
  }
}

extension Token {
  init(_ row: Row) throws {
    self.init(
      selector: row["selector"], name: row["name"], role: Role(rawValue: row["role"]) ?? .viewer,
      scopes: try JSON.stored(row["scopes"] as String).array?.compactMap(\.string) ?? [],
      createdAt: row["created_at"], createdBy: row["created_by"],
      expiresAt: row["expires_at"],
      lastUsedAt: row["last_used_at"])
  }
}
