import Foundation
import GRDB
import JSON
import Layout
import Storage
import Testing

@Suite struct ScheduledOverlayTests {
  private func schedule(
    _ scope: ScheduleScope, _ temporary: TemporaryStore, in seconds: Int64 = 60
  ) async throws -> ScheduledPublish {
    try await temporary.store.schedulePublish(
      "home", scope, at: temporary.clock.now.adding(seconds: seconds), zone: "UTC", message: nil, if: .none, by: editor
    ) { _ in .array([]) }
  }

  /// A copy of a database as the version before had it: with the first migrations alone.
  private func older(_ temporary: TemporaryStore, migrations count: Int) async throws -> String {
    let path = temporary.folder + "/older.db"
    _ = try Store(at: .file(path), migrations: Array(Migration.bundled().prefix(count)))
    try await DatabaseQueue(path: path).writeWithoutTransaction { db in
      try db.execute(sql: "ATTACH ? AS newer", arguments: [temporary.path])
      for table in [
        "audit", "pages", "sections", "items", "sort_rules", "sort_rule_indices", "audiences", "section_documents",
        "revisions", "revision_sections", "revision_numbers", "scheduled_publishes",
      ] {
        let columns = try db.columns(in: table, in: "main").map(\.name).joined(separator: ", ")
        try db.execute(sql: "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM newer.\(table)")
      }
    }
    return path
  }

  @Test(.ofSQLite) func `what an older version has scheduled is laid over what is live too`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await store.publish("home", .content(section: "top", .replace(Pages.content("before"))))
      try await store.fill("middle", Pages.content("planned"))
      let scheduled = try await schedule(.draft, temporary)
      try await store.publish("home", .content(section: "bottom", .replace(Pages.content("after"))))
      let path = try await older(temporary, migrations: 3)
      let clock = temporary.clock
      let reopened = try Store(
        at: .file(path), migrations: Migration.bundled(), context: Pages.context, clock: StoreClock { clock.now })
      #expect(try await reopened.scheduledPublishes() == [scheduled])
      clock.advance(by: 60)
      let made = try await reopened.publish("home", .scheduled(scheduled.id))
      #expect(made.kind == .scheduled)
      #expect(made.source == scheduled.revision)
      #expect(
        try await reopened.published(made.number) == ["top": ["before"], "middle": ["planned"], "bottom": ["after"]])
      #expect(try await reopened.scheduledPublishes() == [])
    }
  }

  @Test func `the documents of scheduled sections stay until they are live or called off`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let documents = "SELECT count(*) FROM section_documents"
      let before = try temporary.value(documents, Int.self)
      try await store.fill("middle", Pages.content("planned"))
      let scheduled = try await schedule(.sections(["middle"]), temporary)
      #expect(scheduled.revision == nil)
      #expect(try await store.revisions("home", limit: 9).map(\.number) == [1])
      try await store.fill("middle", Pages.content("later"))
      #expect(try temporary.value(documents, Int.self) == before.map { $0 + 1 })
      try await store.cancelScheduledPublish("home", scheduled.id, by: editor)
      #expect(try temporary.value(documents, Int.self) == before)
      _ = try await schedule(.sections(["middle"]), temporary)
      try await store.deletePage("home", if: .forced, by: editor)
      #expect(try temporary.value(documents, Int.self) == 0)
      for table in ["scheduled_publishes", "scheduled_sections", "scheduled_kept"] {
        #expect(try temporary.value("SELECT count(*) FROM \(table)", Int.self) == 0)
      }
    }
  }

  @Test func `what sources publish meanwhile takes no more notes than there are items`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      _ = try await schedule(.draft, temporary)
      let notes = "SELECT count(*) FROM scheduled_kept"
      for number in 0..<50 {
        try await store.publish("home", .content(section: "middle", .put(Pages.item("n\(number)"))))
        try await store.publish("home", .content(section: "middle", .remove("n\(number)")))
      }
      #expect(try temporary.value(notes, Int.self) == 0)
      try await store.publish("home", .content(section: "middle", .put(Pages.item("stays"))))
      #expect(try temporary.value(notes, Int.self) == 1)
      for _ in 0..<3 {
        try await store.publish("home", .content(section: "middle", .replace(Pages.content("all"))))
        try await store.publish("home", .content(section: "middle", .put(Pages.item("more"))))
      }
      #expect(try temporary.value(notes, Int.self) == 1)
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
