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

  /// A part of the home: one section with another item in place of the two, one with settings alone, a rule less.
  private static let part = """
    {"hearth": 1, "pages": {"home": {
      "title": "House", "defaultLocale": "en", "locales": ["zh-Hans", "en"], "pollInterval": 30,
      "sections": [{"id": "middle", "kind": "list"},
        {"id": "top", "kind": "grid", "items": [
          {"id": "new", "kind": "navigation", "content": {}}, {"id": "pay", "kind": "outline", "content": {}}]}],
      "sortRules": {"default": {"indices": {"top": 7}}}}}}
    """

  @Test func `sections, items, slots, rules and indices that are not named stay, behind those that are`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let before = try await store.draft("home").definition
      let told = try await store.import(Pages.document(Self.part), dryRun: true, by: editor)
      #expect(try await store.import(Pages.document(Self.part), by: editor) == told)
      let after = try await store.draft("home").definition
      #expect(after.settings.title == "House")
      #expect(after.sections.map(\.id) == ["middle", "top", "bottom"])
      #expect(after.sections[0].content.items.map(\.id) == ["a"])
      #expect(after.sections[1].content.items.map(\.id) == ["new", "pay", "scan"])
      #expect(after.sections[1].content.items[1].children.isEmpty)
      #expect(after.sections[1].content.slots == before.sections[0].content.slots)
      #expect(after.sections[2] == before.sections[2])
      #expect(after.sortRules.first { $0.name == "spring" } == before.sortRules.first { $0.name == "spring" })
      #expect(after.indices() == ["top": 7, "middle": 5, "bottom": 9])
      #expect(told.audiences.deleted.isEmpty && told.deleted.isEmpty && told.changed == ["home"])
      #expect(told.after == [after])
      // What is there now, imported again, is what is there.
      let exported = try await store.export()
      for deletes in [false, true] {
        #expect(try await store.import(exported, deletes: deletes, by: editor).unchanged == ["home"])
      }
      #expect(try await store.export().json == exported.json)
    }
  }

  @Test func `with deletes, all that is not named goes, and is reported`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let document = try Pages.document(Self.part)
      let told = try await store.import(document, deletes: true, by: editor)
      #expect(told.changed == ["home"])
      #expect(told.audiences.deleted == ["members", "vip"])
      #expect(try await store.export().json == document.json)
    }
  }

  @Test func `an item that is named in a slot, or below another, does not stay where it was`() async throws {
    try await withStore { temporary async throws in
      let moved = Self.part
        .replacing(
          #"{"id": "new", "kind": "navigation", "content": {}}"#,
          with:
            #"{"id": "new", "kind": "outline", "content": {}, "children": [{"id": "pay1", "kind": "row", "content": {}}]}"#
        )
        .replacing(
          #""kind": "grid","#,
          with: #""kind": "grid", "slots": {"side": {"id": "scan", "kind": "navigation", "content": {}}},"#)
      _ = try await temporary.store.import(Pages.document(moved), by: editor)
      let content = try await temporary.store.section("home", "top").section.content
      #expect(content.items.map(\.id) == ["new", "pay"])
      #expect(content.slots.keys.sorted() == ["hot", "side"])
    }
  }

  @Test func `what stays must go with what is named`() async throws {
    let kinds = try Kinds(
      json: JSON.parse(
        #"""
        {"itemKinds": {"navigation": {"title": "N", "content": {"type": "object"}}},
         "sectionKinds": {"list": {"title": "L", "layout": {"style": "list"}, "items": {"kinds": ["navigation"], "maximum": 1}}}}
        """#))
    let document = #"""
      {"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "sections": [
        {"id": "middle", "kind": "list", "items": [{"id": "b", "kind": "navigation", "content": {}}]}]}}}
      """#
    try await withStore { temporary async throws in
      let store = temporary.store
      let before = try await store.export()
      let wanted = try Pages.document(document)
      #expect(
        await refusal { _ = try await store.import(wanted, kinds: kinds, by: editor) }
          == "invalid /pages/home/sections/0/items")
      #expect(try await store.export() == before)
      #expect(try await store.import(wanted, deletes: true, kinds: kinds, by: editor).changed == ["home"])
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

  @Test(.ofSQLite) func `a backup is whole, opens as a database, and is made while others write`() async throws {
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
      let opened = try Store(at: .file(copy), migrations: Migration.bundled(), context: Pages.context)
      #expect(try await opened.published(1)["top"] == ["scan", "pay"])
      #expect(await refusal { _ = try await store.backup(to: copy, by: editor) } == "conflict backup-exists")
      await #expect(throws: BackupFailure.self) { try await store.backup(to: "/dev/null/at/all", by: editor) }
      #expect(
        try FileManager.default.contentsOfDirectory(atPath: temporary.folder).allSatisfy { !$0.hasSuffix("unfinished") }
      )
    }
  }
}
