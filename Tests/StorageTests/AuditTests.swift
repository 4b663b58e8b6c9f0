import Layout
import Storage
import Testing

@Suite struct AuditTests {
  @Test(arguments: [
    "UPDATE audit SET actor = 'nobody'", "DELETE FROM audit", "DELETE FROM audit WHERE id = 1",
    "INSERT OR REPLACE INTO audit (id, at, actor, action) VALUES (1, 0, 'nobody', 'nothing')",
    "REPLACE INTO audit (id, at, actor, action) VALUES (1, 0, 'nobody', 'nothing')",
    """
    INSERT INTO audit (id, at, actor, action) VALUES (1, 0, 'nobody', 'nothing')
    ON CONFLICT (id) DO UPDATE SET actor = 'nobody'
    """,
  ])
  func `the audit is append-only, for every writer of the database`(sql: String) async throws {
    try await withStore { temporary async throws in
      #expect(throws: (any Error).self) { try temporary.execute(sql) }
      #expect(try temporary.value("SELECT actor FROM audit WHERE id = 1", String.self) == "editor")
    }
  }

  @Test func `a row tells who, from where, what, and the fingerprints before and after`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let before = try await store.draft("home").fingerprints[1]
      try await store.fill("middle", Pages.content("x"))
      let row = try #require(try await store.audit(limit: 1).first)
      #expect(row.actor == editor)
      #expect(row.action == "content.put")
      #expect(row.page == "home")
      #expect(row.section == "middle")
      #expect(row.at == temporary.clock.now)
      #expect(row.before == before)
      #expect(try await store.draft("home").fingerprints[1] == row.after)
    }
  }

  @Test func `the row is in the transaction of the change: as many rows as changes, and none for a refusal`()
    async throws
  {
    try await withStore { temporary async throws in
      let store = temporary.store
      let count = try #require(try temporary.value("SELECT count(*) FROM audit", Int.self))
      #expect(await refusal { try await store.fill("nowhere", SectionContent()) } == "notFound section")
      #expect(await refusal { try await store.publish(if: .matches(["\"0\""])) } == "stale")
      try await store.fill("middle", Pages.content("x"))
      try await store.publish()
      #expect(try temporary.value("SELECT count(*) FROM audit", Int.self) == count + 2)
    }
  }

  @Test func `rows are found by page, actor, action and time, the newest first`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let start = temporary.clock.now
      temporary.clock.advance(by: 10)
      try await store.fill("middle", Pages.content("x"))
      temporary.clock.advance(by: 10)
      try await store.publish()
      await store.recordRefusal("authorisation.failed", by: Actor(name: "unknown"), detail: "GET /")
      func actions(_ change: (inout AuditFilter) -> Void) async throws -> [String] {
        var filter = AuditFilter()
        change(&filter)
        return try await store.audit(filter, limit: 100).map(\.action)
      }
      #expect(try await actions { $0.page = "home" } == ["page.publish", "content.put", "page.import"])
      #expect(try await actions { $0.actor = "unknown" } == ["authorisation.failed"])
      #expect(try await actions { $0.action = "page" } == ["page.publish", "page.import"])
      #expect(try await actions { $0.action = "page.publish" } == ["page.publish"])
      #expect(try await actions { $0.from = start.adding(seconds: 10) }.count == 3)
      #expect(
        try await actions { $0.until = start.adding(seconds: 10) } == [
          "page.import", "audience.put", "audience.put", "import",
        ])
      let all = try await store.audit(limit: 2)
      #expect(all.map(\.action) == ["authorisation.failed", "page.publish"])
      #expect(
        try await actions { $0.before = all.last?.id } == [
          "content.put", "page.import", "audience.put", "audience.put", "import",
        ])
    }
  }

  @Test func `an import tells of every page that it touched`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let before = try await store.export()
      _ = try await store.import(Pages.document(Pages.other), deletes: true, by: editor)
      let rows = try await store.audit(limit: 5)
      #expect(
        rows.map(\.action) == ["page.import", "page.delete", "audience.delete", "audience.delete", "import"])
      #expect(rows.map(\.page) == ["other", "home", nil, nil, nil])
      #expect(rows.map(\.detail).dropFirst(2).prefix(2) == ["vip", "members"])
      #expect(rows.map { $0.before != nil } == [false, true, true, true, true])
      #expect(rows.map { $0.after != nil } == [true, false, false, false, true])
      _ = try await store.import(before, by: editor)
      #expect(try await store.audit(limit: 1).first?.page == "home")
      #expect(try await store.audit(limit: 1).first?.after == rows[1].before)
    }
  }

  @Test func `what is removed or replaced leaves its fingerprint`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let rule = try await store.sortRule("home", "spring").value
      _ = try await store.putSortRule("home", rule, if: .none, by: editor)
      try await store.deleteSortRule("home", "spring", if: .none, by: editor)
      try await store.deletePage("home", if: .none, by: editor)
      try await store.deleteAudience("vip", if: .none, by: editor)
      let rows = try await store.audit(limit: 4)
      #expect(rows.map(\.action) == ["audience.delete", "page.delete", "sortRule.delete", "sortRule.put"])
      for row in rows { #expect(row.before?.count == 64, "\(row.action)") }
      #expect(rows[3].before == rows[3].after)
    }
  }
}
