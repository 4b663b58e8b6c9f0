import Foundation
import JSON
import Layout
import Storage
import Testing

/// Whatever keeps a page keeps every member of it, of its sections, its items and its rules.
@Suite struct EveryMemberTests {
  private static let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .appending(path: "../EveryMember/document.json")
  private static let parts = PageParts(
    sections: ["s", "listed"], hasSettings: true, rules: ["other"], hasOrder: true, audiences: ["vip"])

  /// Runs with a draft that has every member.
  private func withPage(
    _ body: (TemporaryStore, _ whole: PageDefinition) async throws -> Void
  ) async throws {
    let text = try String(contentsOf: Self.document, encoding: .utf8)
    let whole = try #require(try Pages.document(text).pages.first)
    // It takes the place of a page that has next to nothing.
    let least = #"{"hearth": 1, "pages": {"p": {"title": "Q", "defaultLocale": "en", "locales": ["en"]}}}"#
    try await withStore(least) { temporary async throws in
      try await temporary.store.publish("p")
      _ = try await temporary.store.import(Pages.document(text), by: editor)
      try await body(temporary, whole)
    }
  }

  @Test func `a draft, a revision, a copy and an export have every member`() async throws {
    try await withPage { temporary, whole async throws in
      let store = temporary.store
      #expect(try await store.export().pages == [whole])
      _ = try await store.copyPage("p", to: "q", title: nil, keepsSchedules: true, by: editor)
      #expect(try await store.export().pages.last?.json == whole.json)
      for scope in [PublishScope.parts(Self.parts), .draft] {
        let revision = try await store.publish("p", scope)
        let kept = try await store.revisionDefinition("p", revision.number).definition
        #expect(kept.json == whole.json)
        #expect(kept.audiences == whole.audiences)
      }
    }
  }

  @Test(arguments: [PublishScope.draft, .parts(parts)])
  func `what is scheduled has every member`(scope: PublishScope) async throws {
    try await withPage { temporary, whole async throws in
      let store = temporary.store
      let at = temporary.clock.now.adding(seconds: 600)
      _ = try await store.schedulePublish("p", scope, at: at, zone: "UTC", message: nil, if: .none, by: editor) { _ in }
      let page = try #require(try await store.outlook(of: "p").then.first?.definition)
      #expect(page.json == whole.json)
      #expect(page.audiences == whole.audiences)
    }
  }
}
