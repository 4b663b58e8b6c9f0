import Layout
import Storage
import Testing

/// What a node knows of tokens wins over a database that was set back.
@Suite struct TokenHistoryTests {
  /// Sets the tokens back to what they are now when it is called, as a restore or a failover does.
  private func settingBack(_ temporary: TemporaryStore) throws -> () throws -> Void {
    try temporary.execute("CREATE TABLE kept AS SELECT * FROM tokens")
    return {
      try temporary.execute("DELETE FROM tokens; INSERT INTO tokens SELECT * FROM kept; DROP TABLE kept")
    }
  }

  @Test func `what was ended before is ended again, by one node of several, and what was lost is named`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      func make(_ name: String) async throws -> (token: Token, text: TokenText) {
        try await store.createToken(name: name, role: .viewer, by: editor)
      }
      let (leaked, rotated, kept) = (try await make("leaked"), try await make("rotated"), try await make("kept"))
      var known = try await store.compareTokens(with: nil)
      #expect(known.known.count == 3)
      #expect(known.revoked.isEmpty && known.findings.isEmpty)
      let setBack = try settingBack(temporary)
      try await store.revokeToken(leaked.token.selector, by: editor)
      _ = try await store.rotateToken(rotated.token.selector, grace: 60, by: editor)
      let lost = try await make("lost")
      known = try await store.compareTokens(with: known)
      #expect(known.revoked == [leaked.token.selector: "leaked"])
      #expect(known.findings.isEmpty)
      try setBack()
      #expect(try await store.token(leaked.text) != nil)

      let others = known
      known = try await store.compareTokens(with: known)
      #expect(try await store.token(leaked.text) == nil)
      #expect(try await store.formerToken(leaked.text)?.name == "leaked")
      let end = temporary.clock.now.adding(seconds: 60)
      #expect(try await store.tokens().first { $0.name == "rotated" }?.expiresAt == end)
      #expect(try await store.tokens().first { $0.name == "kept" }?.expiresAt == nil)
      #expect(Set(known.findings.filter { $0.fate == .revokedAgain }.map(\.name)) == ["leaked", "rotated"])
      #expect(Set(known.findings.filter { $0.fate == .lost }.map(\.name)) == ["lost", "rotated"])
      // Another node finds nothing left to end, and tells the audit of nothing.
      let rows = try await store.audit(limit: 100).count
      let another = try await store.compareTokens(with: others)
      #expect(!another.findings.contains { $0.fate == .revokedAgain })
      #expect(try await store.audit(limit: 100).count == rows)
      // Once seen, and once made anew.
      #expect(try await store.compareTokens(with: known) == known)
      _ = try await make("lost")
      known = try await store.compareTokens(with: known)
      #expect(known.findings.filter { $0.fate == .lost }.map(\.name) == ["rotated"])
      #expect(known.known[lost.token.selector] == nil && known.known[kept.token.selector] != nil)
      temporary.clock.advance(by: 604_800)
      #expect(known.findings(at: temporary.clock.now).isEmpty)
    }
  }

  @Test func `a token that was made and revoked between two looks stays revoked`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      var known = try await store.compareTokens(with: nil)
      let made = try await store.createToken(name: "brief", role: .viewer, by: editor)
      let setBack = try settingBack(temporary)
      try await store.revokeToken(made.token.selector, by: editor)
      known = try await store.compareTokens(with: known, revoked: made.token.selector)
      #expect(known.revoked == [made.token.selector: "brief"])
      try setBack()
      known = try await store.compareTokens(with: known)
      #expect(try await store.token(made.text) == nil)
      #expect(known.findings.map(\.fate) == [.revokedAgain])
    }
  }

  @Test func `a node that knows nothing yet learns from the audit what was revoked`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let made = try await store.createToken(name: "of before", role: .viewer, by: editor)
      let setBack = try settingBack(temporary)
      try await store.revokeToken(made.token.selector, by: editor)
      let known = try await store.compareTokens(with: nil)
      #expect(known.revoked == [made.token.selector: "of before"])
      try setBack()
      _ = try await store.compareTokens(with: known)
      #expect(try await store.token(made.text) == nil)
    }
  }
}
