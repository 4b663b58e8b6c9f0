import JSON
import Layout
@testable import Storage
import Testing

/// SQLite ends a text at its first NUL; the store lets none through that would be another one there.
@Suite struct WholeTextTests {
  private typealias Call = @Sendable (Store) async throws -> Void

  private static let list = SectionSettings(kind: "list")
  private static let young = Predicate.attribute("memberTier", .below(.integer(2)))

  private static let calls: [(String, Call)] = [
    ("a draft", { _ = try await $0.draft("home\0") }), ("a tag", { _ = try await $0.draftTag("home\0x") }),
    ("a section", { _ = try await $0.section("home", "top\0") }),
    ("a section of another page", { _ = try await $0.section("home\0", "top") }),
    ("a revision", { _ = try await $0.revision("home\0", 1) }), ("a list", { _ = try await $0.pages(after: "a\0") }),
    ("a page to make", { _ = try await $0.putPage("new\0", settings: $0.settings("home").value, by: editor) }),
    ("a page to remove", { try await $0.deletePage("home\0", if: .forced, by: editor) }),
    (
      "a section to make",
      { _ = try await $0.putSection("home", "new\0", settings: list, if: .forced, by: editor, check: { _ in }) }
    ),
    ("a section to remove", { try await $0.deleteSection("home", "top\0", if: .forced, by: editor) }),
    ("a copy", { _ = try await $0.copySection("home", "top", to: "new\0", by: editor, check: { _ in }) }),
    ("an item", { try await $0.edit("home", "top", .remove("scan\0"), if: .forced, by: editor) }),
    ("an audience", { _ = try await $0.putAudience("vip\0", young, if: .forced, by: editor) }),
    ("an audience to remove", { try await $0.deleteAudience("vip\0", if: .forced, by: editor) }),
    ("a rule to remove", { try await $0.deleteSortRule("home", "spring\0", if: .forced, by: editor) }),
    ("a token's name", { _ = try await $0.createToken(name: "a\0b", role: .viewer, by: editor) }),
    ("a selector", { try await $0.revokeToken("selector1\0", by: editor) }),
    ("an actor", { try await $0.write("test", by: Actor(name: "a\0")) { _ in } }),
    ("a detail", { try await $0.write("test", by: editor) { $0.detail = "a\0b" } }),
    (
      "a message",
      { store in
        _ = try await store.publish("home", .draft, message: "a\0b", if: .none, by: editor) { _ in ((), .array([])) }
      }
    ),
    (
      "a filter",
      { store in
        var filter = AuditFilter()
        filter.action = "import\0"
        _ = try await store.audit(filter, limit: 1)
      }
    ),
  ]

  @Test(arguments: calls.indices)
  func `a text that would not arrive whole is refused, and nothing is changed`(_ number: Int) async throws {
    try await withStore { temporary in
      let store = temporary.store
      let before = try await store.export().json
      let changes = try await store.audit(limit: 100).count
      let (name, call) = Self.calls[number]
      #expect(await refusal { try await call(store) } == "invalid ", "\(name)")
      #expect(try await store.export().json == before, "\(name)")
      #expect(try await store.audit(limit: 100).count == changes, "\(name)")
    }
  }

  @Test func `every other character arrives as it is`() async throws {
    try await withStore { temporary in
      let message = "\u{1}\u{7F}é\u{65}\u{301}\u{2028}😀'\"\\"
      let made = try await temporary.store.publish("home", .draft, message: message, if: .none, by: editor) { _ in
        ((), .array([]))
      }
      let kept = try await temporary.store.revision("home", made.published.revision.number).message
      #expect(kept.map { Array($0.utf8) } == Array(message.utf8))
    }
  }
}
