import Foundation
import GRDB
import JSON
import Layout
import Peers
import Storage
import Testing

@Suite struct ScheduledOverlayTests {
  private func schedule(
    _ scope: PublishScope, _ temporary: TemporaryStore, in seconds: Int64 = 60
  ) async throws -> ScheduledPublish {
    try await temporary.store.schedulePublish(
      "home", scope, at: temporary.clock.now.adding(seconds: seconds), zone: "UTC", message: nil, if: .none, by: editor
    ) { _ in }
  }

  private func push(_ edit: ContentEdit, into section: String, _ store: Store) async throws {
    try await store.publish("home", .content(section: section, edit))
  }

  @Test func `a section that was to go and is carried into a schedule stands where it stands now`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      for section in ["bottom", "middle"] {
        try await store.deleteSection("home", section, if: .forced, by: editor)
      }
      let scheduled = try await schedule(.draft, temporary)
      try await store.publish("home", .revision(1, resetsDraft: true))
      try await store.fill("bottom", Pages.content("carried"))
      try await store.fill("middle", Pages.content("carried too"))
      _ = try await store.publish(
        "home", .sections(["bottom", "middle"]), message: nil, if: .none, waiting: .carry, by: editor
      ) { _ in ((), .array([])) }
      temporary.clock.advance(by: 60)
      let made = try await store.publish("home", .scheduled(scheduled.id))
      let sections = try await store.revisionDefinition("home", made.number).definition.sections
      #expect(sections.map(\.id) == ["top", "middle", "bottom"])
      #expect(sections.map { $0.content.items.map(\.id) }.dropFirst() == [["carried too"], ["carried"]])
    }
  }

  @Test(.ofSQLite) func `what a version without overlays has scheduled is laid over what is live too`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await push(.replace(Pages.content("before")), into: "top", store)
      try await store.fill("middle", Pages.content("planned"))
      let planned = try await store.publish()
      try await store.publish("home", .revision(2, resetsDraft: false))
      let scheduled = try await schedule(.revision(planned.number), temporary)
      try await push(.replace(Pages.content("after")), into: "bottom", store)
      let folder = try temporary.older(before: "_history.sql")
      defer { TestEngine.remove(folder) }
      let reopened = try reopen(folder, temporary.clock)
      #expect(try await reopened.scheduledPublishes() == [scheduled])
      temporary.clock.advance(by: 60)
      let made = try await reopened.publish("home", .scheduled(scheduled.id))
      #expect(made.kind == .scheduled)
      #expect(made.source == planned.number)
      #expect(
        try await reopened.published(made.number) == ["top": ["before"], "middle": ["planned"], "bottom": ["after"]])
      #expect(try await reopened.scheduledPublishes() == [])
    }
  }

  private func reopen(_ folder: String, _ clock: ManualClock) throws -> Store {
    let location = DatabaseLocation(try TestEngine.database(in: folder))
    return try Store(
      at: location, migrations: location.migrations(), context: Pages.context, clock: StoreClock { clock.now })
  }

  @Test func `what a version has scheduled that noted pushes for each schedule comes due as it would have`()
    async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await store.fill("middle", Pages.content("planned"))
      let whole = try await schedule(.revision(1), temporary)
      try await push(.put(Pages.item("p1")), into: "middle", store)
      try await store.fill("bottom", Pages.content("later"))
      let some = try await schedule(.sections(["middle", "bottom"]), temporary, in: 120)
      try await push(.replace(Pages.content("fresh")), into: "top", store)
      try await push(.put(Pages.item("p2")), into: "middle", store)
      try await push(.remove("planned"), into: "middle", store)
      let folder = try temporary.older(before: "_pushed.sql")
      defer { TestEngine.remove(folder) }
      let notes = """
        INSERT INTO scheduled_kept (scheduled, section, item) VALUES
          (\(whole.id), 'middle', 'p1'), (\(whole.id), 'top', ''), (\(whole.id), 'middle', 'p2'),
          (\(some.id), 'middle', 'p2'), (\(some.id), 'middle', 'planned')
        """
      if TestEngine.isPostgreSQL {
        try TestEngine.psql(notes, in: folder)
      } else {
        try await DatabaseQueue(path: folder + "/hearth.db").write { db in try db.execute(sql: notes) }
      }
      let reopened = try reopen(folder, temporary.clock)
      #expect(try await reopened.scheduledPublishes() == [whole, some])
      for (due, content) in [
        (whole, ["top": ["fresh"], "middle": ["a", "p1", "p2"], "bottom": []]),
        (some, ["top": ["fresh"], "middle": ["p1", "p2"], "bottom": ["later"]]),
      ] as [(ScheduledPublish, [String: [String]])] {
        temporary.clock.advance(by: 60)
        let (made, again) = (
          try await store.publish("home", .scheduled(due.id)), try await reopened.publish("home", .scheduled(due.id))
        )
        #expect(try await reopened.published(again.number).mapValues { $0.sorted() } == content)
        #expect(again.number == made.number)
        #expect(again.source == due.revision)
        #expect(again.fingerprint == made.fingerprint)
      }
      await reopened.close()
    }
  }

  @Test(.enabled(if: TestEngine.isPostgreSQL, "nodes share a server alone"))
  func `a node of the version before notes what is pushed, and finds it, in a table that is a view`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      func note(_ scheduled: Int64, _ item: String) throws {
        try temporary.execute(
          """
          DELETE FROM scheduled_kept WHERE scheduled = \(scheduled) AND section = 'middle' AND item = '\(item)';
          INSERT INTO scheduled_kept (scheduled, section, item) VALUES (\(scheduled), 'middle', '\(item)')
          ON CONFLICT DO NOTHING
          """)
      }
      func notes() throws -> [String] {
        try temporary.values("SELECT scheduled || ' ' || item FROM scheduled_kept WHERE section = 'middle' ORDER BY 1")
      }
      try await store.publish()
      let first = try await schedule(.draft, temporary).id
      try note(first, "x")
      // As that version schedules: it does not say when.
      try temporary.execute(
        """
        INSERT INTO scheduled_publishes (page, at, zone, author, sort_rules, audiences)
        VALUES ('home', 2000000000, 'UTC', 'older', '{}', '{}');
        INSERT INTO scheduled_sections SELECT id, 'middle', 0, (SELECT fingerprint FROM scheduled_sections
          WHERE section = 'middle' LIMIT 1) FROM scheduled_publishes WHERE author = 'older';
        INSERT INTO audit (id, at, actor, action) SELECT max(id) + 1, 0, 'older', 'page.schedule' FROM audit
        """)
      let second = first + 1
      #expect(try notes() == ["\(first) x"])
      try await push(.put(Pages.item("y")), into: "middle", store)
      // That it leaves what was pushed is in what waits.
      #expect(try notes() == ["\(first) x"])
      let waiting = try temporary.values(
        "SELECT document FROM scheduled_sections s JOIN section_documents d ON d.fingerprint = s.fingerprint")
      #expect(waiting.filter { $0.contains("\"y\"") }.count == 2)
      try note(first, "")
      #expect(try notes() == ["\(first) ", "\(second) "])
      try await store.cancelScheduledPublish("home", first, by: editor)
      #expect(try notes() == ["\(second) "])
      try temporary.execute("DELETE FROM scheduled_publishes")
      #expect(try notes() == [])
    }
  }

  @Test func `the documents of scheduled sections stay until they are live or called off`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let documents = "SELECT count(*) FROM section_documents"
      let before = try temporary.value(documents, Int.self)
      try await store.fill("middle", Pages.content("planned"))
      for scope in [PublishScope.sections(["middle"]), .draft] {
        let scheduled = try await schedule(scope, temporary)
        #expect(scheduled.revision == nil)
        #expect(try await store.revisions("home", limit: 9).map(\.number) == [1])
        try await store.fill("middle", Pages.content("later"))
        #expect(try temporary.value(documents, Int.self) == before.map { $0 + 1 })
        try await store.cancelScheduledPublish("home", scheduled.id, by: editor)
        #expect(try temporary.value(documents, Int.self) == before)
      }
      _ = try await schedule(.sections(["middle"]), temporary)
      try await push(.replace(Pages.content("pushed")), into: "middle", store)
      try await store.deletePage("home", if: .forced, by: editor)
      #expect(try temporary.value(documents, Int.self) == 0)
      for table in ["scheduled_publishes", "scheduled_sections", "pushed"] {
        #expect(try temporary.value("SELECT count(*) FROM \(table)", Int.self) == 0)
      }
    }
  }

  @Test func `what sources publish meanwhile leaves one document of what waits`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let documents = """
        SELECT count(*) FROM section_documents WHERE fingerprint NOT IN (SELECT fingerprint FROM revision_sections)
        """
      try await store.publish()
      try await store.fill("middle", Pages.content("planned"))
      for _ in 0..<5 { _ = try await schedule(.draft, temporary) }
      try await store.fill("middle", Pages.content("later"))
      for number in 0..<20 {
        try await push(.put(Pages.item("n\(number)")), into: "middle", store)
        #expect(try temporary.value(documents, Int.self) == 1)
        try await push(.remove("n\(number)"), into: "middle", store)
      }
      #expect(try temporary.value(documents, Int.self) == 1)
      try await push(.replace(Pages.content("all")), into: "middle", store)
      #expect(try temporary.value(documents, Int.self) == 0)
      #expect(try temporary.value("SELECT count(*) FROM pushed", Int.self) == 0)
    }
  }

  @Test func `it goes live once, not before its time, and under its own id`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let first = try await schedule(.sections(["top"]), temporary)
      let second = try await schedule(.sections(["top"]), temporary)
      #expect(await refusal { try await store.publish("home", .scheduled(first.id)) } == "notFound scheduled publish")
      temporary.clock.advance(by: 60)
      try await store.publish("home", .scheduled(second.id))
      #expect(await refusal { try await store.publish("home", .scheduled(second.id)) } == "notFound scheduled publish")
      #expect(try await store.scheduledPublishes().map(\.id) == [first.id])
    }
  }
}
