import Foundation
import GRDB
import JSON
import Layout
import Storage
import Testing

@Suite struct DocumentTests {
  @Test func `export and import are each other's inverse, to the byte`() async throws {
    try await withStore { temporary async throws in
      let exported = try await temporary.store.export()
      #expect(try Pages.document(Pages.home).json.canonicalText == exported.json.canonicalText)
      try await withStore(Pages.other) { second in
        let result = try await second.store.import(exported, deletes: true, by: editor)
        #expect(result.added == ["home"])
        #expect(result.deleted == ["other"])
        #expect(try await second.store.export().json.canonicalText == exported.json.canonicalText)
        try await second.store.publish()
        try await temporary.store.publish()
        let (left, right) = (try await temporary.store.revision("home", 1), try await second.store.revision("home", 1))
        #expect(left.fingerprint == right.fingerprint)
      }
    }
  }

  @Test func `the same document again changes nothing`() async throws {
    try await withStore { temporary async throws in
      let before = try await temporary.store.draft("home")
      let vip = try await temporary.store.audiences()["vip"]?.tag
      let result = try await temporary.store.import(Pages.document(Pages.home), by: editor)
      #expect(result.unchanged == ["home"])
      #expect(result.changed + result.added + result.deleted == [])
      #expect(try await temporary.store.draft("home") == before)
      #expect(try await temporary.store.audiences()["vip"]?.tag == vip)
    }
  }

  @Test func `a section that stays as it is keeps its tags`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let (top, middle) = (try await store.section("home", "top"), try await store.section("home", "middle"))
      let changed = Pages.home.replacing(#""title": "A""#, with: #""title": "B""#)
      #expect(try await store.import(Pages.document(changed), by: editor).changed == ["home"])
      #expect(try await store.section("home", "top").contentTag == top.contentTag)
      #expect(try await store.section("home", "top").settingsTag == top.settingsTag)
      #expect(try await store.section("home", "middle").contentTag != middle.contentTag)
    }
  }

  @Test func `a dry run tells the same and does nothing`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let before = (try await store.export(), try await store.audit(limit: 1).first?.id)
      let other = try Pages.document(Pages.other)
      let told = try await store.import(other, deletes: true, dryRun: true, by: editor)
      #expect(try await store.export() == before.0)
      #expect(try await store.audit(limit: 1).first?.id == before.1)
      #expect(try await store.import(other, deletes: true, by: editor) == told)
    }
  }

  @Test func `what a document does not have stays, unless deleting is asked for`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      _ = try await store.import(Pages.document(Pages.other), by: editor)
      #expect(try await store.pages().map(\.id) == ["home", "other"])
      #expect(try await store.audiences().keys.sorted() == ["members", "vip"])
      _ = try await store.import(Pages.document(Pages.other), deletes: true, by: editor)
      #expect(try await store.pages().map(\.id) == ["other"])
      #expect(try await store.audiences().isEmpty)
    }
  }

  @Test func `a redefined audience changes the drafts that use it`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      try await store.publish()
      let changed = Pages.home.replacing(#""atLeast": 5"#, with: #""atLeast": 6"#)
      let tag = try await store.draft("home").tag
      #expect(try await store.import(Pages.document(changed), by: editor).changed == ["home"])
      #expect(try await store.draft("home").tag != tag)
      #expect(try await store.draft("home").isChanged)
    }
  }

  @Test(arguments: [
    #""members": {"attribute": "memberTier", "atLeast": 1}"#: "/audiences/vip",
    #"{"attribute": "memberTier", "atLeast": 1}"#: "/audiences/members /audiences/vip",
  ])
  func `audiences that refer to nothing or to themselves are refused at their place`(
    replaced: String, places: String
  ) async throws {
    try await withStore(Pages.other) { temporary async throws in
      let isRemoval = replaced.hasPrefix("\"members\"")
      let document = Pages.home.replacing(replaced, with: isRemoval ? #""x": "x1""# : #"{"audience": "vip"}"#)
        .replacing(#""x": "x1","#, with: "")
      #expect(
        await refusal { _ = try await temporary.store.import(Pages.document(document), by: editor) }
          == "invalid \(places)")
      #expect(try await temporary.store.pages().map(\.id) == ["other"])
    }
  }

  @Test func `an import never touches tokens, revisions or the audit`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      _ = try await store.createToken(name: "a", role: .admin, by: editor)
      try await store.publish()
      let (tokens, audit) = (try await store.tokens(), try await store.audit(limit: 100))
      _ = try await store.import(Pages.document(Pages.home.replacing("Kept", with: "Held")), by: editor)
      #expect(try await store.tokens() == tokens)
      #expect(try await store.revisions("home", limit: 10).map(\.number) == [1])
      #expect(try await store.audit(limit: 100).suffix(audit.count) == audit[...])
    }
  }

  @Test func `a backup is whole, opens as a database, and is made while others write`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      try await store.publish()
      let copy = temporary.folder + "/copy.db"
      async let writing: Void = {
        for number in 0..<50 { try await store.fill("middle", Pages.content("n\(number)")) }
      }()
      let bytes = try await store.backup(to: copy, by: editor)
      try await writing
      #expect(try Data(contentsOf: URL(fileURLWithPath: copy)).count == bytes)
      let opened = try Store(path: copy, migrations: Migration.bundled(), context: Pages.context)
      #expect(try await opened.published(1)["top"] == ["scan", "pay"])
      #expect(await refusal { _ = try await store.backup(to: copy, by: editor) } == "conflict backup-exists")
      #expect(await refusal { _ = try await store.backup(to: "/nowhere/at/all", by: editor) } == "database cannotOpen")
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: temporary.folder).allSatisfy { !$0.hasSuffix("unfinished") }
      )
    }
  }
}
