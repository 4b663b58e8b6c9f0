import JSON
import Layout
import Storage
import Testing

@Suite struct PublishingTests {
  @Test func `a revision holds the draft, and later edits of the draft do not reach it`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let draft = try await store.draft("home").definition
      let revision = try await store.publish()
      #expect(revision.number == 1)
      #expect(revision.isLive)
      #expect(try await store.draft("home").isChanged == false)
      try await store.fill("middle", Pages.content("later"))
      var expected = draft
      expected.audiences = draft.usedAudiences
      #expect(try await store.revisionDefinition("home", 1).definition == expected)
      #expect(try await store.draft("home").changedSections == ["middle"])
    }
  }

  @Test func `some sections are published and the rest stays as it is live`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await store.fill("middle", Pages.content("wanted"))
      try await store.fill("bottom", Pages.content("unfinished"))
      _ = try await store.putSection(
        "home", "new", settings: SectionSettings(kind: "list"), index: 2, if: .forced, by: editor, check: { _ in })
      try await store.deleteSection("home", "top", if: .forced, by: editor)
      try await store.publish(.sections(["middle", "new"]))
      #expect(
        try await store.published(2) == ["top": ["scan", "pay"], "middle": ["wanted"], "bottom": [], "new": []])
      try await store.publish(.sections(["top"]))
      #expect(try await store.published(3).keys.sorted() == ["bottom", "middle", "new"])
      #expect(try await store.revisionDefinition("home", 2).definition.indices()["new"] == 2)
      #expect(await refusal { try await store.publish(.sections(["nothing"])) } == "notFound section")
    }
  }

  @Test func `a source's content goes live without an operator's unfinished work, and into the draft too`() async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      #expect(
        await refusal { try await store.publish(.content(section: "middle", .replace(Pages.content("x")))) }
          == "conflict not-published")
      #expect(try await store.section("home", "middle").section.content.items.map(\.id) == ["a"])
      try await store.publish()
      _ = try await store.hide("home", "middle", if: .forced, by: editor)
      _ = try await store.setOrder("home", .move("bottom", .first), if: .forced, by: editor)
      try await store.publish(.content(section: "middle", .replace(Pages.content("fresh"))))
      let live = try await store.revisionDefinition("home", 2).definition
      #expect(try await store.published(2)["middle"] == ["fresh"])
      #expect(live.sections.first { $0.id == "middle" }?.settings.isHidden == false)
      #expect(live.order() == ["top", "middle", "bottom"])
      let draft = try await store.draft("home").definition
      #expect(draft.sections.first { $0.id == "middle" }?.content == Pages.content("fresh"))
      #expect(draft.sections.first { $0.id == "middle" }?.settings.isHidden == true)
      _ = try await store.putSection(
        "home", "new", settings: SectionSettings(kind: "list"), if: .forced, by: editor, check: { _ in })
      #expect(
        await refusal { try await store.publish(.content(section: "new", .replace(Pages.content("x")))) }
          == "conflict not-published")
    }
  }

  @Test func `a publish that fails changes nothing`() async throws {
    struct Refused: Error {}
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let before = (try await store.draft("home"), try await store.audit(limit: 1).first?.id)
      for scope in [PublishScope.draft, .content(section: "middle", .replace(Pages.content("lost")))] {
        await #expect(throws: Refused.self) {
          _ = try await store.publish("home", scope, message: nil, if: .none, by: editor) { _ -> (Int, JSON) in
            throw Refused()
          }
        }
      }
      #expect(await refusal { try await store.publish(if: .matches(["\"0\""])) } == "stale")
      #expect(try await store.draft("home") == before.0)
      #expect(try await store.audit(limit: 1).first?.id == before.1)
      #expect(try await store.revisions("home", limit: 10).map(\.number) == [1])
      #expect(try temporary.value("SELECT count(*) FROM section_documents", Int.self) == 3)
    }
  }

  @Test(arguments: [false, true])
  func `a roll back equals the old revision, and resets the draft only when asked`(resets: Bool) async throws {
    try await withStore { temporary in
      let store = temporary.store
      let first = try await store.publish()
      try await store.fill("middle", Pages.content("second"))
      _ = try await store.setOrder("home", .move("bottom", .first), if: .forced, by: editor)
      try await store.deleteSortRule("home", "spring", if: .forced, by: editor)
      try await store.publish()
      let untouched = try await store.section("home", "top").contentTag
      let back = try await store.publish(.revision(1, resetsDraft: resets))
      #expect(back.number == 3)
      #expect(back.source == 1)
      #expect(back.fingerprint == first.fingerprint)
      #expect(
        try await store.revisionDefinition("home", 3).definition == store.revisionDefinition("home", 1).definition)
      let draft = try await store.draft("home")
      #expect(draft.isChanged == !resets)
      #expect(draft.definition.sortRules.map(\.name) == (resets ? ["default", "spring"] : ["default"]))
      // A section that the reset leaves as it is keeps its tag.
      #expect(try await store.section("home", "top").contentTag == untouched)
      #expect(
        await refusal { try await store.publish(.revision(99, resetsDraft: false)) }
          == "notFound revision")
    }
  }

  @Test func `a section's document is kept once, however many revisions hold it`() async throws {
    try await withStore { temporary in
      for number in 0..<5 {
        try await temporary.store.fill("middle", Pages.content("n\(number)"))
        try await temporary.store.publish()
      }
      #expect(try temporary.value("SELECT count(*) FROM section_documents", Int.self) == 2 + 5)
      #expect(try temporary.value("SELECT count(*) FROM revision_sections", Int.self) == 3 * 5)
    }
  }

  @Test func `a revision keeps the audiences as they were`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let everyone = try Predicate(json: ["attribute": "memberTier", "atLeast": 0], in: Pages.context)
      _ = try await store.putAudience("members", everyone, if: .forced, by: editor)
      #expect(try await store.draft("home").isChanged)
      #expect(try await store.draft("home").changedSections == [])
      #expect(try await store.revisionDefinition("home", 1).definition.audiences["members"] != everyone)
      #expect(Set(try await store.revisionDefinition("home", 1).definition.audiences.keys) == ["members", "vip"])
    }
  }

  @Test func `numbers are never given again, not even after the page was deleted`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      for _ in 0..<3 { try await store.publish() }
      let settings = try await store.settings("home").value
      try await store.deletePage("home", if: .forced, by: editor)
      for table in ["revisions", "revision_sections", "section_documents", "sections", "items", "sort_rules"] {
        #expect(try temporary.value("SELECT count(*) FROM \(table)", Int.self) == 0, "\(table)")
      }
      _ = try await store.putPage("home", settings: settings, if: .absent, by: editor)
      #expect(try await store.publish().number == 4)
    }
  }

  @Test(arguments: [
    "UPDATE revisions SET author = 'someone else'", "UPDATE revision_sections SET position = 7",
    "UPDATE section_documents SET document = '{}'",
  ])
  func `a revision is immutable, for every writer of the database`(sql: String) async throws {
    try await withStore { temporary in
      try await temporary.store.publish()
      #expect(throws: (any Error).self) { try temporary.execute(sql) }
    }
  }

  @Test(.ofSQLite) func `an older program that is still there makes no revision, and a publish after it is whole`()
    async throws
  {
    try await withStore { temporary in
      try await temporary.store.publish()
      // As it did: the revision, then its number, then its sections.
      #expect(throws: (any Error).self) {
        try temporary.execute(
          """
          INSERT INTO revisions
            (page, number, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems)
          SELECT page, 2, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems FROM revisions
          """)
      }
      try await temporary.store.fill("middle", Pages.content("new"))
      #expect(try await temporary.store.publish().number == 2)
      #expect(try await temporary.store.published(2) == ["top": ["scan", "pay"], "middle": ["new"], "bottom": []])
    }
  }

  @Test func `concurrent publishes of one page get numbers of their own, and the last is live`() async throws {
    try await withStore { temporary in
      let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 { group.addTask { try await temporary.store.publish().number } }
        return try await group.reduce(into: Set<Int>()) { $0.insert($1) }
      }
      #expect(numbers == Set(1...20))
      #expect(try await temporary.store.draft("home").live == 20)
    }
  }
}

extension Store {
  @discardableResult
  fileprivate func publish(_ scope: PublishScope) async throws -> Revision { try await publish("home", scope) }
}
