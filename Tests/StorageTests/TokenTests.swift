import Foundation
import Layout
import Peers
import Storage
import Testing

@Suite struct TokenTests {
  @Test func `a token is found by its text, and its secret is nowhere in the database`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let made = try await store.createToken(name: "feed", role: .source, scopes: ["home/top"], by: editor)
      let found = try #require(try await store.token(made.text))
      #expect(found.name == "feed")
      #expect(found.role == .source)
      #expect(found.scopes == ["home/top"])
      #expect(found.createdBy == "editor")
      for suffix in TestEngine.isPostgreSQL ? [] : ["", "-wal"] {
        let bytes = try Data(contentsOf: URL(fileURLWithPath: temporary.path + suffix))
        #expect(bytes.range(of: Data(made.text.secret.utf8)) == nil)
      }
      #expect(
        try temporary.value("SELECT secret_hash FROM tokens", String.self) == Fingerprint.of(made.text.secret.utf8))
    }
  }

  @Test func `another secret, selector or form is refused`() async throws {
    try await withStore { temporary in
      let text = try await temporary.store.createToken(name: "a", role: .viewer, by: editor).text.text
      let other = try await temporary.store.createToken(name: "b", role: .viewer, by: editor).text
      let wrong = [text + "x", String(text.dropLast()), text.replacing("hearth_", with: "hearth_x"), text.lowercased()]
      for wrong in wrong {
        if let parsed = TokenText(wrong) { #expect(try await temporary.store.token(parsed) == nil, "\(wrong)") }
      }
      let parts = text.split(separator: "_")
      let mixed = try #require(TokenText("hearth_\(parts[1])_\(other.secret)"))
      #expect(try await temporary.store.token(mixed) == nil)
      for malformed in ["", "hearth", "hearth__", "hearth_selector1_", "bearer_selector1_x", "hearth_a_b_c_d"] {
        #expect(TokenText(malformed) == nil)
      }
    }
  }

  @Test func `a token is refused from the second it expires`() async throws {
    try await withStore { temporary in
      let end = temporary.clock.now.adding(seconds: 60)
      let text = try await temporary.store.createToken(name: "a", role: .admin, expiresAt: end, by: editor).text
      temporary.clock.advance(by: 59)
      #expect(try await temporary.store.token(text) != nil)
      temporary.clock.advance(by: 1)
      #expect(try await temporary.store.token(text) == nil)
    }
  }

  @Test func `a rotated token is taken for its grace, and the new one is like it`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let old = try await store.createToken(name: "a", role: .editor, scopes: ["home"], by: editor)
      let new = try await store.rotateToken(old.token.selector, grace: 30, by: editor)
      #expect(new.token.selector != old.token.selector)
      #expect(new.token.role == .editor)
      #expect(new.token.scopes == ["home"])
      #expect(new.token.expiresAt == nil)
      temporary.clock.advance(by: 29)
      #expect(try await store.token(old.text) != nil)
      temporary.clock.advance(by: 1)
      #expect(try await store.token(old.text) == nil)
      #expect(try await store.token(new.text) != nil)
    }
  }

  @Test func `a grace never prolongs a token that ends before it`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let end = temporary.clock.now.adding(seconds: 10)
      let old = try await store.createToken(name: "a", role: .editor, expiresAt: end, by: editor)
      let new = try await store.rotateToken(old.token.selector, grace: 1_000, by: editor)
      #expect(new.token.expiresAt == end)
      temporary.clock.advance(by: 10)
      #expect(try await store.token(old.text) == nil)
    }
  }

  @Test func `a revoked token is refused at once`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let made = try await store.createToken(name: "a", role: .editor, by: editor)
      try await store.revokeToken(made.token.selector, by: editor)
      #expect(try await store.token(made.text) == nil)
      #expect(await refusal { try await store.revokeToken(made.token.selector, by: editor) } == "notFound token")
      #expect(await refusal { _ = try await store.rotateToken("unknown1", grace: 0, by: editor) } == "notFound token")
      #expect(try await store.audit(limit: 2).map(\.action) == ["token.revoke", "token.create"])
    }
  }

  @Test func `the last use is kept to the minute`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let text = try await store.createToken(name: "a", role: .viewer, by: editor).text
      var seen: [Int64?] = []
      let start = temporary.clock.now
      for _ in 0..<5 {
        _ = try await store.token(text)
        let used = try await store.tokens().first?.lastUsedAt
        seen.append(used.map { $0.secondsSinceEpoch - start.secondsSinceEpoch })
        temporary.clock.advance(by: 25)
      }
      #expect(seen == [0, 0, 0, 75, 75])
    }
  }
}
