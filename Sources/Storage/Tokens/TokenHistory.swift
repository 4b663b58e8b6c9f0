public import Layout

/// What a node knows of the database's tokens. By it the node notices that a restored backup, or a failover of PostgreSQL,
/// has brought back tokens that were revoked, or has lost some that were made.
public struct TokenHistory: Hashable, Sendable {
  /// A token as it was seen last.
  public struct Known: Hashable, Sendable {
    /// Its name.
    public var name: String
    /// From when on it is refused; `nil` for never.
    public var end: Instant?

    /// A token.
    public init(name: String, end: Instant?) {
      self.name = name
      self.end = end
    }
  }

  /// A token that somebody should look at.
  public struct Finding: Hashable, Sendable {
    /// The public part that finds it.
    public var selector: String
    /// Its name.
    public var name: String
    /// What became of it.
    public var fate: Fate
    /// When that was found.
    public var at: Instant

    /// A token to look at.
    public init(selector: String, name: String, fate: Fate, at: Instant) {
      self.selector = selector
      self.name = name
      self.fate = fate
      self.at = at
    }
  }

  /// What a restore does to a token.
  public enum Fate: String, Hashable, Sendable, CaseIterable {
    /// It was revoked, the restore brought it back, and it was revoked again.
    case revokedAgain
    /// It was made, but the database lacks it now; its bearer is refused.
    case lost
    /// It is one of a copy, and nobody here knows whether it was revoked since the copy was made.
    case unchecked

    /// The state and what to do, in words.
    public var words: String {
      switch self {
      case .revokedAgain: "a token that was revoked had come back, and was revoked again"
      case .lost: "a token is not in the database any more, and is refused; make one for whoever used it"
      case .unchecked:
        "a token of a copy is taken again, and may have been revoked since the copy was made; if so, revoke it"
      }
    }
  }

  /// Which database they are of (``LinkKey/databaseName``); `nil` where an earlier version did not write it.
  public var database: String?
  /// The tokens that were there at the last look, by their selectors.
  public var known: [String: Known]
  /// The names of revoked tokens, by selector. A node never accepts them again.
  public var revoked: [String: String]
  /// What looks have found, for a week.
  public var findings: [Finding]

  /// A record.
  public init(
    of database: String? = nil, known: [String: Known] = [:], revoked: [String: String] = [:], findings: [Finding] = []
  ) {
    self.database = database
    self.known = known
    self.revoked = revoked
    self.findings = findings
  }

  /// How long a finding is kept, in seconds: a week.
  private static let findingSeconds: Int64 = 604_800

  /// The findings that are not over.
  public func findings(at now: Instant) -> [Finding] {
    findings.filter { now < $0.at.adding(seconds: Self.findingSeconds) }
  }
}

extension Store {
  /// The database's tokens, as one look finds them.
  private struct Found: Sendable {
    var database: String
    /// Whether the node's record is of this database.
    var isKnown: Bool
    var tokens: [String: TokenHistory.Known]
    /// The names of the requested tokens that the audit lists as revoked, by selector.
    var revoked: [String: String]
    /// Of a copy that the node knows nothing of, the tokens that it was made with.
    var copied: Set<String>
  }

  /// Compares the database's tokens with a node's record, and ends again what was ended before: a revoked token is
  /// revoked, and one whose end was brought forward ends then.
  ///
  /// - Parameters:
  ///   - history: What the node knows; `nil` when it knows nothing.
  ///   - selector: A token that was just revoked: the node may not have seen it yet.
  ///   - ends: Whether it ends what was ended before; without, it tells alone what it would end.
  /// - Returns: What it knows from now on.
  public func compareTokens(with history: TokenHistory?, revoked selector: String? = nil, ending ends: Bool = true)
    async throws -> TokenHistory
  {
    let now = clock()
    let found = try await tokensFound(history, revoked: selector)
    var next = history ?? TokenHistory()
    next.database = found.database
    // What was lost in another database is nobody's here. What was revoked there stays: it refuses nobody else.
    next.findings = found.isKnown ? next.findings(at: now) : []
    func note(_ fate: TokenHistory.Fate, _ selector: String, _ name: String) {
      next.findings.removeAll { $0.selector == selector }
      next.findings.append(TokenHistory.Finding(selector: selector, name: name, fate: fate, at: now))
    }
    // Somebody has seen to it: what was lost has been made anew.
    let made = found.tokens.filter { history?.known[$0.key] == nil }.map(\.value.name)
    next.findings.removeAll { finding in
      finding.fate == .lost && made.contains(finding.name)
        || finding.fate == .unchecked && found.tokens[finding.selector] == nil
    }
    next.revoked.merge(found.revoked) { own, _ in own }
    for (selector, token) in next.known.sorted(by: { $0.key < $1.key }) where found.tokens[selector] == nil {
      if found.isKnown, next.revoked[selector] == nil { note(.lost, selector, token.name) }
    }
    next.known = found.tokens
    for (selector, token) in found.tokens.sorted(by: { $0.key < $1.key }) {
      if next.revoked[selector] != nil {
        if try await ends ? endAgain(selector, token.name) : true { note(.revokedAgain, selector, token.name) }
        next.known[selector] = nil
      } else if let end = history?.known[selector]?.end, token.end.map({ end < $0 }) ?? true {
        if try await ends ? endAgain(selector, token.name, at: end) : true { note(.revokedAgain, selector, token.name) }
        next.known[selector]?.end = end
      } else if found.copied.contains(selector), token.end.map({ now < $0 }) ?? true {
        note(.unchecked, selector, token.name)
      }
    }
    return next
  }

  private func tokensFound(_ history: TokenHistory?, revoked selector: String?) async throws -> Found {
    try await read { db in
      let rows = try Row.fetchAll(db, sql: "SELECT selector, name, created_at, expires_at FROM tokens")
      let tokens = Dictionary(
        rows.map { row in
          (row["selector"] as String, TokenHistory.Known(name: row["name"], end: row["expires_at"]))
        }, uniquingKeysWith: { first, _ in first })
      let name = LinkKey(try String.fetchOne(db, sql: "SELECT link_key FROM history") ?? "").databaseName
      // A record of an earlier version is taken for this database's.
      let own = history.flatMap { $0.database ?? name == name ? $0 : nil }
      let gone = own.map { own in
        Set(own.known.keys).union([selector].compactMap(\.self)).subtracting(tokens.keys).subtracting(own.revoked.keys)
      }
      // The audit is asked when a token has gone, and of a node that knows nothing yet.
      let revoked: [String: String] = gone?.isEmpty ?? false ? [:] : try Self.revokedTokens(db)
      var copied: Set<String> = []
      if own == nil, try HistoryCut.since(ServedHistory(), db) != nil {
        // Whoever was given a token by the copy itself was given it since. A backup says when it was made.
        let copiedAt = try Instant.fetchOne(
          db, sql: "SELECT backed_up_at FROM history WHERE copy IS NOT NULL AND backed_up_at IS NOT NULL")
        let theirs = rows.filter { row in copiedAt.map { row["created_at"] <= $0 } ?? true }
        copied = Set(theirs.map { $0["selector"] })
      }
      return Found(
        database: name, isKnown: own != nil, tokens: tokens,
        revoked: gone.map { gone in revoked.filter { gone.contains($0.key) } } ?? revoked, copied: copied)
    }
  }

  /// The names of the tokens that were revoked, by their selectors.
  private static func revokedTokens(_ db: Database) throws -> [String: String] {
    let details = try String.fetchAll(db, sql: "SELECT detail FROM audit WHERE action = 'token.revoke'")
    return Dictionary(
      details.map { detail in
        // The detail is the selector, a space and the name.
        let parts = detail.split(separator: " ", maxSplits: 1).map(String.init)
        return (parts.first ?? "", parts.last ?? "")
      }, uniquingKeysWith: { first, _ in first })
  }

  /// Ends a token that was ended before: at once, or at an instant.
  ///
  /// - Returns: Whether it was not ended already, by another node.
  private func endAgain(_ selector: String, _ name: String, at end: Instant? = nil) async throws -> Bool {
    try await write(end == nil ? "token.revoke" : "token.end", by: Actor(name: "server")) { change in
      change.detail = "\(selector) \(name)"
      let count: Int
      if let end {
        count = try change.db.execute(
          sql:
            "UPDATE tokens SET expires_at = :end WHERE selector = :selector AND coalesce(expires_at, :end + 1) > :end",
          arguments: ["end": end, "selector": selector])
      } else {
        count = try change.db.execute(sql: "DELETE FROM tokens WHERE selector = ?", arguments: [selector])
      }
      change.isVoid = count == 0
      return count > 0
    }
  }
}
