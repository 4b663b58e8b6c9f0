import JSON
import Layout
import Peers
import Storage
import Testing

@Suite struct DraftTests {
  @Test func `S1.4 content is appended where it was absent and replaced where it was there, never twice`() async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      for _ in 0..<3 { try await store.fill("middle", Pages.content("x", "y")) }
      #expect(try await store.section("home", "middle").section.content == Pages.content("x", "y"))
      for title in ["One", "Two"] {
        for id in ["y", "z"] {
          let made = try await store.edit("home", "middle", .put(Pages.item(id, title)), if: .none, by: editor)
          #expect(made.isNew == (id == "z" && title == "One"))
        }
      }
      let items = try await store.section("home", "middle").section.content.items
      #expect(items.map(\.id) == ["x", "y", "z"])
      #expect(items.map { $0.content["title"]?.string } == ["Title", "Two", "Two"])
    }
  }

  @Test func `an item that is put is written alone, and what is read is what was put`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.fill("middle", Pages.content("x", "y", "z"))
      func rows() throws -> [String] {
        // Where the row is: another one is written elsewhere.
        let place = TestEngine.isPostgreSQL ? "ctid" : "rowid"
        return try temporary.values(
          "SELECT \(place) || ' ' || id || ' ' || position FROM items WHERE section = 'middle' ORDER BY position")
      }
      let before = try rows()
      _ = try await store.edit("home", "middle", .put(Pages.item("y", "Other")), if: .none, by: editor)
      // PostgreSQL writes a row anew, but those beside it stay where they are.
      #expect(
        try rows().filter { !TestEngine.isPostgreSQL || !$0.contains(" y ") }
          == before.filter { !TestEngine.isPostgreSQL || !$0.contains(" y ") })
      // Read by a process that has nothing in memory.
      let other = try temporary.another()
      let items = try await other.section("home", "middle").section.content.items
      #expect(items == [Pages.item("x"), Pages.item("y", "Other"), Pages.item("z")])
      #expect(try await other.draft("home").fingerprints == store.draft("home").fingerprints)
      // The order counts as well.
      try await store.fill("middle", Pages.content("z", "x", "y"))
      #expect(try rows().map { $0.split(separator: " ")[1] } == ["z", "x", "y"])
    }
  }

  @Test func `each resource has a tag of its own, which changes with it alone`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      func tags() async throws -> [String: String] {
        let draft = try await store.draft("home")
        let (top, middle) = (try await store.section("home", "top"), try await store.section("home", "middle"))
        return [
          "settings": draft.settingsTag, "order": draft.orderTag, "top": top.settingsTag,
          "top content": top.contentTag, "middle": middle.settingsTag, "middle content": middle.contentTag,
          "spring": try await store.sortRule("home", "spring").tag,
          "vip": try await store.audiences()["vip"]?.tag ?? "",
        ]
      }
      let settings = try await store.settings("home").value
      let spring = try await store.sortRule("home", "spring").value
      let vip = try #require(try await store.audiences()["vip"]?.value)
      let edits: [(changes: Set<String>, edit: () async throws -> Void)] = [
        (["middle content"], { try await store.fill("middle", Pages.content("q")) }),
        (["middle"], { _ = try await store.hide("home", "middle", if: .forced, by: editor) }),
        (["order"], { _ = try await store.setOrder("home", .move("bottom", .first), if: .forced, by: editor) }),
        (["settings"], { _ = try await store.putPage("home", settings: settings, if: .forced, by: editor) }),
        (["spring", "order"], { _ = try await store.putSortRule("home", spring, if: .forced, by: editor) }),
        (["vip"], { _ = try await store.putAudience("vip", vip, if: .forced, by: editor) }),
      ]
      for (changes, edit) in edits {
        let before = try await tags()
        let draft = try await store.draft("home").tag
        try await edit()
        let after = try await tags()
        #expect(Set(before.keys.filter { before[$0] != after[$0] }) == changes)
        #expect(try await store.draft("home").tag != draft)
      }
    }
  }

  @Test func `a stale tag is refused with who changed it and when, and nothing is changed`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let old = try await store.section("home", "middle").contentTag
      temporary.clock.advance(by: 60)
      let new = try await store.fill("middle", Pages.content("first"), if: .matches([old]))
      temporary.clock.advance(by: 60)
      do {
        try await store.fill("middle", Pages.content("second"), if: .matches([old]))
        Issue.record("not refused")
      } catch StoreError.stale(let stale) {
        #expect(stale?.tag == new)
        #expect(stale?.changedBy == "editor")
        #expect(stale?.changedAt == temporary.clock.now.adding(seconds: -60))
      }
      #expect(try await store.section("home", "middle").section.content == Pages.content("first"))
      #expect(try await store.audit(limit: 1).first?.action == "content.put")
      #expect(try await store.audit(limit: 10).filter { $0.action == "content.put" }.count == 1)
    }
  }

  @Test func `the draft's tag speaks for its parts until any of them changes`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let tag = try await store.draft("home").tag
      let order = try await store.setOrder("home", .move("bottom", .first), if: .matches([tag]), by: editor)
      #expect(try await store.draft("home").tag == order.tag)
      #expect(
        await refusal { _ = try await store.setOrder("home", .move("bottom", .last), if: .matches([tag]), by: editor) }
          == "stale")
    }
  }

  @Test func `preconditions of what is not there`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let settings = try await store.settings("home").value
      let check: @Sendable (SectionDefinition) throws -> Void = { _ in }
      let section = SectionSettings(kind: "list")
      let cases: [(expected: String?, body: () async throws -> Void)] = [
        ("stale", { _ = try await store.putPage("home", settings: settings, if: .absent, by: editor) }),
        ("stale", { _ = try await store.putPage("new", settings: settings, if: .matches(["\"1\""]), by: editor) }),
        (nil, { _ = try await store.putPage("new", settings: settings, if: .absent, by: editor) }),
        (nil, { _ = try await store.putPage("newer", settings: settings, if: .forced, by: editor) }),
        (
          "stale",
          { _ = try await store.putSection("home", "top", settings: section, if: .absent, by: editor, check: check) }
        ),
        (
          nil,
          { _ = try await store.putSection("home", "more", settings: section, if: .absent, by: editor, check: check) }
        ),
        (
          "stale",
          { _ = try await store.edit("home", "top", .put(Pages.item("scan")), if: .absent, by: editor) }
        ),
        (
          "stale",
          {
            _ = try await store.edit(
              "home", "top", .put(Pages.item("n")), if: .matches(["\"1\""]), by: editor)
          }
        ),
        (
          nil, { _ = try await store.edit("home", "top", .put(Pages.item("n")), if: .forced, by: editor) }
        ),
        ("notFound page", { _ = try await store.draft("nowhere") }),
        ("notFound section", { try await store.fill("nowhere", SectionContent()) }),
        ("notFound item", { try await store.edit("home", "top", .remove("nothing"), if: .none, by: editor) }),
        ("notFound sort rule", { try await store.deleteSortRule("home", "nothing", if: .forced, by: editor) }),
        ("conflict default-rule", { try await store.deleteSortRule("home", "default", if: .forced, by: editor) }),
      ]
      for (index, (expected, body)) in cases.enumerated() { #expect(await refusal(body) == expected, "\(index)") }
    }
  }

  @Test func `S1.9 an item's tag changes with the item alone, and a refusal names who changed that item`() async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      func put(_ id: String, _ title: String, if precondition: WritePrecondition, by name: String) async throws
        -> String
      {
        try await store.edit(
          "home", "middle", .put(Pages.item(id, title)), if: precondition, by: Actor(name: name)
        ).content.item(id)?.entityTag ?? ""
      }
      try await store.fill("middle", Pages.content("x", "y"))
      let tag = Pages.item("x").entityTag
      temporary.clock.advance(by: 60)
      let next = try await put("x", "Next", if: .matches([tag]), by: "wang")
      temporary.clock.advance(by: 60)
      for title in ["One", "Two"] { _ = try await put("y", title, if: .none, by: "li") }
      #expect(next == Pages.item("x", "Next").entityTag)
      let refusals: [WritePrecondition] = [.matches([tag]), .absent]
      for precondition in refusals {
        do {
          _ = try await put("x", "Last", if: precondition, by: "zhao")
          Issue.record("not refused")
        } catch StoreError.stale(let stale) {
          #expect(stale?.tag == next)
          #expect(stale?.changedBy == "wang")
          #expect(stale?.changedAt == temporary.clock.now.adding(seconds: -60))
        }
      }
      _ = try await put("x", "Last", if: .matches([next]), by: "zhao")
      #expect(
        await refusal { try await store.edit("home", "middle", .remove("x"), if: .matches([next]), by: editor) }
          == "stale"
      )
      try await store.edit(
        "home", "middle", .remove("x"), if: .matches([Pages.item("x", "Last").entityTag]), by: editor)
    }
  }

  @Test func `S1.9 fifty sources fill fifty sections at once, and none is lost`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      for number in 0..<50 {
        _ = try await store.putSection(
          "home", "s\(number)", settings: SectionSettings(kind: "list"), if: .absent, by: editor, check: { _ in })
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<50 {
          group.addTask {
            for turn in 0..<5 { try await store.fill("s\(number)", Pages.content("i\(number)-\(turn)")) }
          }
        }
        try await group.waitForAll()
      }
      let draft = try await store.draft("home").definition
      for number in 0..<50 {
        #expect(draft.sections.first { $0.id == "s\(number)" }?.content == Pages.content("i\(number)-4"))
      }
    }
  }

  @Test func `S1.10 a removed section takes its items and its indices along`() async throws {
    try await withStore { temporary in
      try await temporary.store.deleteSection("home", "top", if: .forced, by: editor)
      #expect(try temporary.value("SELECT count(*) FROM items WHERE section = 'top'", Int.self) == 0)
      #expect(try temporary.value("SELECT count(*) FROM sort_rule_indices WHERE section = 'top'", Int.self) == 0)
      #expect(try await temporary.store.draft("home").definition.order() == ["middle", "bottom"])
    }
  }

  @Test func `what a check refuses is not stored, not even halves`() async throws {
    struct Refused: Error {}
    try await withStore { temporary in
      let store = temporary.store
      let before = try await store.draft("home")
      await #expect(throws: Refused.self) {
        _ = try await store.putSection(
          "home", "new", settings: SectionSettings(kind: "list"), content: Pages.content("n"), if: .forced, by: editor,
          check: { _ in throw Refused() })
      }
      await #expect(throws: Refused.self) {
        _ = try await store.edit("home", "top", .replace(SectionContent()), if: .none, by: editor) { _, _ in
          throw Refused()
        }
      }
      #expect(try await store.draft("home") == before)
    }
  }

  @Test func `a new section comes last by the default rule unless the caller says otherwise`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      for (id, index) in [("next", nil), ("typed", 3), ("last", nil)] as [(String, Int?)] {
        _ = try await store.putSection(
          "home", id, settings: SectionSettings(kind: "list"), index: index, if: .forced, by: editor, check: { _ in })
      }
      let indices = try await store.draft("home").definition.indices()
      #expect(indices == ["top": 0, "middle": 5, "bottom": 9, "next": 10, "typed": 3, "last": 11])
    }
  }

  @Test func `a new section comes last where the default rule leaves others unlisted (S1.4)`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      func put(_ id: String) async throws {
        _ = try await store.putSection(
          "home", id, settings: SectionSettings(kind: "list", title: "Put"), index: nil, if: .forced, by: editor,
          check: { _ in })
      }
      for (indices, order) in [
        ([:], ["top", "middle", "bottom"]), (["middle": 4], ["middle", "top", "bottom"]),
        (["top": 1_000_000, "bottom": 0], ["bottom", "top", "middle"]),
      ] as [([String: Int], [String])] {
        _ = try await store.putSortRule(
          "home", SortRule(name: SortRule.defaultName, indices: indices), if: .forced, by: editor)
        // One that is there keeps its place when it is put.
        for id in order.reversed() { try await put(id) }
        #expect(try await store.order("home").value == order)
        for id in ["new", "newer"] { try await put(id) }
        #expect(try await store.order("home").value == order + ["new", "newer"])
        _ = try await store.copySection("home", order[1], to: "copy", by: editor) { _ in }
        #expect(try await store.order("home").value == [order[0], order[1], "copy", order[2], "new", "newer"])
        for id in ["new", "newer", "copy"] { try await store.deleteSection("home", id, if: .forced, by: editor) }
      }
    }
  }
}
