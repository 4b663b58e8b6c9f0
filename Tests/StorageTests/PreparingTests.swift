import Foundation
import GRDB
import JSON
import Layout
import Peers
import Synchronization
import Testing

@testable import Storage

/// What takes long is made without the write lock, and never of something that is not there any more.
@Suite struct PreparingTests {
  /// Changes the draft as another process does, between two steps of a publish.
  private static func retitle(_ temporary: TemporaryStore, _ title: String) throws {
    let settings =
      TestEngine.isPostgreSQL
      ? "CAST(jsonb_set(CAST(settings AS jsonb), '{title}', '\"\(title)\"') AS text)"
      : "json_set(settings, '$.title', '\(title)')"
    try temporary.execute("UPDATE pages SET settings = \(settings), draft_changed = draft_changed + 1000")
  }

  /// Whether another process can write now.
  private static func isWritable(_ temporary: TemporaryStore) throws -> Bool {
    if TestEngine.isPostgreSQL {
      // The lock of those who write.
      let lock = try temporary.value("SELECT count(*) FROM pg_locks WHERE locktype = 'advisory'", Int.self)
      return lock == 0
    }
    do {
      try temporary.execute("UPDATE pages SET live = live")
      return true
    } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
      return false
    }
  }

  private static func publish(
    _ temporary: TemporaryStore, if precondition: WritePrecondition = .none,
    _ prepare: @Sendable @escaping (Int, Candidate) throws -> Void
  ) async throws -> (title: String, calls: Int) {
    let calls = Atomic<Int>(0)
    let made = try await temporary.store.publish("home", .draft, message: nil, if: precondition, by: editor) {
      candidate in
      try prepare(calls.add(1, ordering: .relaxed).newValue, candidate)
      return (candidate.definition.settings.title, .array([]))
    }
    let live = try await temporary.store.revisionDefinition("home", made.published.revision.number).definition
    #expect(live.settings.title == made.ready)
    return (live.settings.title, calls.load(ordering: .relaxed))
  }

  @Test func `others write while an edition is made`() async throws {
    try await withStore { temporary in
      let made = try await Self.publish(temporary) { _, _ in
        let isWritable = try Self.isWritable(temporary)
        #expect(isWritable)
      }
      #expect(made.calls == 1)
      let scheduled = try await temporary.store.schedulePublish(
        "home", .draft, at: temporary.clock.now.adding(seconds: 60), zone: "UTC", message: nil, if: .none, by: editor
      ) { _ in
        let isWritable = try Self.isWritable(temporary)
        #expect(isWritable)
      }
      #expect(scheduled.id == 1)
    }
  }

  @Test func `what has changed meanwhile is made again, and what is live is what was made`() async throws {
    try await withStore { temporary in
      let made = try await Self.publish(temporary) { call, _ in
        if call <= 2 { try Self.retitle(temporary, "Title \(call)") }
      }
      #expect(made == (title: "Title 2", calls: 3))
    }
  }

  @Test func `what never stands still is made under the lock at last`() async throws {
    try await withStore { temporary in
      let made = try await Self.publish(temporary) { call, _ in
        if call <= 3 { try Self.retitle(temporary, "Title \(call)") } else { #expect(try !Self.isWritable(temporary)) }
      }
      #expect(made == (title: "Title 3", calls: 4))
    }
  }

  @Test func `a picture that goes while an edition is made is missed before it is live`() async throws {
    try await withStore { temporary in
      let head: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13]
      let asset = try NewAsset(
        head + Array("IHDR".utf8) + [0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0], within: AssetLimits())
      _ = try await temporary.store.keep(asset, within: AssetLimits(), by: editor)
      try await temporary.store.publish()
      let item = ItemDefinition(id: "new", kind: "navigation", content: ["image": .string(asset.name.url)])
      let seen = Mutex<[Set<String>]>([])
      _ = try await temporary.store.publish(
        "home", .content(section: "middle", .put(item)), message: nil, if: .none, by: editor
      ) { candidate in
        let isFirst = seen.withLock { seen in
          seen.append(candidate.lacking.unknown)
          return seen.count == 1
        }
        if isFirst { try temporary.execute("DELETE FROM assets") }
        return ((), .array([]))
      }
      #expect(seen.withLock { $0 } == [[], [asset.name.url]])
    }
  }

  @Test func `another publish meanwhile gives the next number, and both are there`() async throws {
    try await withStore { temporary in
      let made = try await Self.publish(temporary) { call, candidate in
        #expect(candidate.number == call)
        guard call == 1 else { return }
        try temporary.execute("INSERT INTO revision_numbers (page, last) VALUES ('home', 1)")
      }
      #expect(made.calls == 2)
      #expect(try await temporary.store.draft("home").live == 2)
    }
  }

  @Test func `If-Match holds at the end, not only at the beginning`() async throws {
    try await withStore { temporary in
      let tag = try await temporary.store.draftTag("home")
      let calls = Atomic<Int>(0)
      let refused = await refusal {
        _ = try await Self.publish(temporary, if: .matches([tag])) { call, _ in
          calls.store(call, ordering: .relaxed)
          try Self.retitle(temporary, "Other")
        }
      }
      #expect(refused == "stale")
      #expect(calls.load(ordering: .relaxed) == 1)
      #expect(try await temporary.store.draft("home").live == nil)
    }
  }

  @Test func `a change of the content's schema check is judged for what is stored`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      let checked = Mutex<[String]>([])
      let made = try await store.publish(
        "home", .content(section: "middle", .put(Pages.item("new"))), message: nil, if: .none, by: editor,
        check: { section, _ in checked.withLock { $0.append(section.settings.title ?? "") } }
      ) { _ in
        if checked.withLock({ $0.count }) == 1 {
          try temporary.execute(
            """
            UPDATE sections SET settings = '{"title":"Other",' || substr(settings, 2), fingerprint = 'other'
            WHERE id = 'middle'
            """)
        }
        return ((), .array([]))
      }
      #expect(checked.withLock { $0 } == ["", "Other"])
      #expect(made.published.revision.number == 2)
      #expect(try await store.section("home", "middle").section.content.items.map(\.id) == ["a", "new"])
    }
  }

  @Test
  func `a source's content is checked before the lock is taken, and again where its section has changed meanwhile`()
    async throws
  {
    try await withStore { temporary in
      let checked = Mutex<[String]>([])
      _ = try await temporary.store.edit("home", "middle", .put(Pages.item("new")), if: .none, by: editor) {
        section, _ in
        let isWritable = try Self.isWritable(temporary)
        let calls = checked.withLock { checked in
          checked.append(section.settings.title ?? "")
          return checked.count
        }
        #expect(isWritable == (calls == 1))
        guard isWritable else { return }
        try temporary.execute(
          """
          UPDATE sections SET settings = '{"title":"Other",' || substr(settings, 2), fingerprint = 'other'
          WHERE id = 'middle'
          """)
      }
      #expect(checked.withLock { $0 } == ["", "Other"])
      let section = try await temporary.store.section("home", "middle").section
      #expect(section.settings.title == "Other")
      #expect(section.content.items.map(\.id) == ["a", "new"])
    }
  }

  /// Has a store go by other kinds than those that it gets first.
  ///
  /// - Parameter check: Gets the number of the call, and which states of which pages are looked at.
  /// - Returns: The revisions that were made.
  private static func changeKinds(
    _ temporary: TemporaryStore, _ check: @Sendable @escaping (Int, [String]) throws -> Void
  ) async throws -> [Revision] {
    let kinds = try Kinds(json: ["itemKinds": [:], "sectionKinds": [:]])
    let first = try await temporary.store.storeFirstKinds(StoredKinds(kinds), by: editor)
    var other = first
    other.hash = String(repeating: "f", count: 64)
    let calls = Atomic<Int>(0)
    let made = try await temporary.store.changeKinds(
      from: first.hash, to: other, since: ServedHistory(), by: editor, isConcerned: { _ in true },
      check: { content in
        let isWritable = try Self.isWritable(temporary)
        #expect(isWritable == (calls.load(ordering: .relaxed) < Store.attemptsMax))
        let states = content.map { "\($0.definition.id) \($0.state.prefix { $0 != " " })" }
        try check(calls.add(1, ordering: .relaxed).newValue, states)
      }, prepare: { _ in })
    return made.revisions.map(\.revision)
  }

  /// Does something meanwhile, from a thread of the database's, so that waiting holds up no task.
  private static func meanwhile(_ change: @Sendable @escaping () async throws -> Void) {
    let isDone = DispatchSemaphore(value: 0)
    Task {
      try await change()
      isDone.signal()
    }
    isDone.wait()
  }

  private static func schedule(_ scope: PublishScope, in temporary: TemporaryStore) {
    meanwhile {
      _ = try await temporary.store.schedulePublish(
        "home", scope, at: temporary.clock.now.adding(seconds: 60), zone: "UTC", message: nil, if: .none, by: editor
      ) { _ in }
    }
  }

  /// Publishes the section `top` while another change is made.
  ///
  /// - Returns: How often it was made ready, and why it was refused.
  private static func publishTop(
    _ temporary: TemporaryStore, if precondition: WritePrecondition = .none,
    while change: @Sendable @escaping () async throws -> Void
  ) async -> (calls: Int, refused: String?) {
    let calls = Atomic<Int>(0)
    let refused = await refusal {
      _ = try await temporary.store.publish(
        "home", .sections(["top"]), message: nil, if: precondition, by: editor
      ) { _ in
        if calls.add(1, ordering: .relaxed).newValue == 1 { meanwhile(change) }
        return ((), .array([]))
      }
    }
    return (calls.load(ordering: .relaxed), refused)
  }

  @Test func `a publish of some sections is made again for what it is made of, and for nothing else`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await store.fill("top", Pages.content("t"))
      let later = temporary.clock.now.adding(seconds: 60)
      let condition = Predicate.attribute("memberTier", .atLeast(.integer(1)))
      let made: [(what: String, calls: Int, change: @Sendable () async throws -> Void)] = [
        ("another section's content", 1, { try await store.fill("middle", Pages.content("m")) }),
        ("its own content", 2, { try await store.fill("top", Pages.content("u")) }),
        ("the order", 2, { _ = try await store.setOrder("home", .move("top", .last), if: .none, by: editor) }),
        ("an audience", 2, { _ = try await store.putAudience("new", condition, if: .none, by: editor) }),
        ("another page", 1, { _ = try await store.import(Pages.document(Pages.other), by: editor) }),
        (
          "a schedule of sections", 1,
          {
            _ = try await store.schedulePublish(
              "home", .sections(["middle"]), at: later, zone: "UTC", message: nil, if: .none, by: editor
            ) { _ in }
          }
        ),
        ("what is live", 2, { try await store.publish("home", .sections(["middle"])) }),
      ]
      for each in made {
        let published = await Self.publishTop(temporary, while: each.change)
        #expect(published == (each.calls, nil), "\(each.what)")
      }
      // A tag of the draft is about all of it.
      let tag = try await store.draftTag("home")
      let refused = await Self.publishTop(temporary, if: .matches([tag])) {
        try await store.fill("middle", Pages.content("n"))
      }
      #expect(refused == (1, "stale"))
    }
  }

  @Test(arguments: [false, true])
  func `new kinds are held against what changed meanwhile alone, and never under the lock`(isWhole: Bool) async throws {
    try await withStore { temporary in
      try await temporary.store.publish()
      let seen = Mutex<[[String]]>([])
      let made = try await Self.changeKinds(temporary) { call, states in
        seen.withLock { $0.append(states) }
        if call == 1 { try Self.retitle(temporary, "Other") }
        if call == 2 { Self.schedule(isWhole ? .draft : .sections(["top"]), in: temporary) }
      }
      #expect(seen.withLock { $0 } == [["home draft", "home live"], ["home draft"], ["home scheduled"]])
      #expect(made.map(\.number) == [2])
      #expect(try await temporary.store.storedKinds()?.hash.hasPrefix("ff") == true)
    }
  }

  @Test func `a draft that is scheduled while a kind is withheld takes no number`() async throws {
    try await withStore { temporary in
      try await temporary.store.publish()
      let clients = try Predicate(json: ["attribute": "platform", "in": ["ios"]], in: Pages.context)
      let calls = Atomic<Int>(0)
      let made = try await temporary.store.changeWithheld(
        .items, "navigation", .withhold(clients, reason: "r"), knowing: "", if: .none, by: editor,
        isConcerned: { _ in true }
      ) { candidate -> (ready: Int, problems: JSON) in
        if calls.add(1, ordering: .relaxed).newValue == 1 { Self.schedule(.draft, in: temporary) }
        return (candidate.number, .array([]))
      }
      #expect(made.revisions.map(\.revision.number) == [2])
      #expect(made.revisions.map(\.ready) == [2])
      #expect(calls.load(ordering: .relaxed) == 1)
    }
  }

  @Test func `kinds, and what is withheld, are carried out though content never stands still`() async throws {
    try await withStore { temporary in
      try await temporary.store.publish()
      let calls = Mutex<[[String]]>([])
      let made = try await Self.changeKinds(temporary) { call, states in
        calls.withLock { $0.append(states) }
        // At last it is made inside the lock, of what has changed alone.
        if call <= Store.attemptsMax { try Self.retitle(temporary, "Title \(call)") }
      }
      #expect(made.map(\.number) == [2])
      #expect(
        calls.withLock { $0 } == [["home draft", "home live"]]
          + Array(repeating: ["home draft"], count: Store.attemptsMax))
      func withhold(
        from platform: JSON, _ sql: @Sendable @escaping (Int) -> String
      ) async throws -> (String?, Int) {
        let clients = try Predicate(json: ["attribute": "platform", "in": [platform]], in: Pages.context)
        let calls = Atomic<Int>(0)
        let refused = await refusal {
          let hash = try await temporary.store.storedKinds()?.hash ?? ""
          _ = try await temporary.store.changeWithheld(
            .items, "navigation", .withhold(clients, reason: "r"), knowing: hash, if: .none, by: editor,
            isConcerned: { _ in true }
          ) { _ -> (ready: Void, problems: JSON) in
            let call = calls.add(1, ordering: .relaxed).newValue
            let isWritable = try Self.isWritable(temporary)
            #expect(isWritable == (call <= Store.attemptsMax))
            if isWritable { try temporary.execute(sql(call)) }
            return ((), .array([]))
          }
        }
        return (refused, calls.load(ordering: .relaxed))
      }
      // What a draft becomes takes what is withheld then.
      let calm = try await withhold(from: "ios") { _ in "UPDATE pages SET draft_changed = draft_changed + 1000" }
      #expect(calm == (nil, 1))
      // Another audience each time.
      let restless = try await withhold(from: "android") {
        #"INSERT INTO audiences (name, predicate, changed) VALUES ('n\#($0)', '{"attribute":"platform","in":["ios"]}', \#($0))"#
      }
      #expect(restless == (nil, Store.attemptsMax + 1))
    }
  }

  @Test func `a kind is withheld though another process has the lock for longer than others wait for it`() async throws
  {
    var writing = WriteSettings()
    writing.waitMax = .milliseconds(500)
    try await withStore(writing: writing) { temporary in
      try await temporary.store.publish()
      let clients = try Predicate(json: ["attribute": "platform", "in": ["ios"]], in: Pages.context)
      let (isHeld, isOver) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
      let other = try temporary.another()
      let holder = Task {
        try await other.transaction { _ in
          isHeld.signal()
          isOver.wait()
        }
      }
      await withCheckedContinuation { continuation in
        Thread.detachNewThread {
          isHeld.wait()
          continuation.resume()
        }
      }
      let withheld = Task {
        try await temporary.store.changeWithheld(
          .items, "navigation", .withhold(clients, reason: "r"), knowing: "", if: .none, by: editor,
          isConcerned: { _ in true }
        ) { _ -> (ready: Void, problems: JSON) in ((), .array([])) }
      }
      // Who waits as long as others do is refused meanwhile.
      let refused = await refusal { try await temporary.store.publish("home", .draft) }
      #expect(refused == "database locked", "\(refused ?? "nil")")
      isOver.signal()
      #expect(try await withheld.value.revisions.map(\.revision.number) == [2])
      try await holder.value
    }
  }

  @Test func `what is confirmed while a kind is withheld is not lost`() async throws {
    let document = Pages.home.replacing(
      #""id": "middle", "kind": "list","#, with: #""id": "middle", "kind": "list", "freshFor": 120,"#)
    try await withStore(document) { temporary in
      try await temporary.store.publish()
      let clients = try Predicate(json: ["attribute": "platform", "in": ["ios"]], in: Pages.context)
      let calls = Atomic<Int>(0)
      let later = #"{"middle":4000000000}"#
      let made = try await temporary.store.changeWithheld(
        .items, "navigation", .withhold(clients, reason: "r"), knowing: "", if: .none, by: editor,
        isConcerned: { _ in true }
      ) { candidate -> (ready: Int64?, problems: JSON) in
        if calls.add(1, ordering: .relaxed).newValue == 1 {
          try temporary.execute("UPDATE revisions SET confirmed = '\(later)'")
        }
        return (candidate.definition.confirmed["middle"]?.secondsSinceEpoch, .array([]))
      }
      #expect(made.revisions.map(\.ready) == [4_000_000_000])
      #expect(try temporary.value("SELECT confirmed FROM revisions WHERE number = 2", String.self) == later)
    }
  }

  @Test func `a rollback that resets the draft has it written before the lock is taken`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      try await store.fill("middle", Pages.content("b", "c"))
      let scope = PublishScope.revision(1, resetsDraft: true)
      // As publish(_:) does, which hands its transaction what was prepared.
      let written = try await store.write(
        "page.rollback", by: editor, reading: scope.places(of: "home", if: .none),
        making: store.preparing("home", scope, if: .none) { _ in
          let isWritable = try Self.isWritable(temporary)
          #expect(isWritable)
        }
      ) { _, made in made.prospect.draft?.sections.first { $0.section.id == "middle" }?.items.map(\.id) }
      #expect(written == ["a"])
      try await store.publish("home", scope)
      #expect(try await store.section("home", "middle").section.content.items.map(\.id) == ["a"])
    }
  }

  @Test func `an import finds out and writes all that it will keep before the lock is taken`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let document = try Pages.document(Pages.other)
      let calls = Atomic<Int>(0)
      // As import(_:) does, which hands its transaction nothing but the plan.
      let written = try await store.write("import", by: editor, reading: .all) { change, _ in
        let plan = try store.plan(change.db, document, deletes: false, kinds: nil)
        let isWritable = try Self.isWritable(temporary)
        let call = calls.add(1, ordering: .relaxed).newValue
        #expect(isWritable == (call <= Store.attemptsMax))
        // Another process is faster each time: at last it is made under the lock.
        if isWritable {
          try temporary.execute(
            """
            INSERT INTO audit (id, at, actor, action) VALUES ((SELECT max(id) + 1 FROM audit), 0, 'other', 'other')
            """)
        }
        return plan
      } _: { _, plan in
        plan.drafts.map { $0.sections.map(\.section.id) }
      }
      #expect(written == [["one"]])
      #expect(calls.load(ordering: .relaxed) == Store.attemptsMax + 1)
    }
  }

  @Test func `imports, audiences and edits at once lose nothing`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let other = try Pages.document(Pages.other)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<6 {
          group.addTask { _ = try await store.import(other, by: editor) }
          group.addTask {
            _ = try await store.putAudience(
              "a\(number)", .attribute("memberTier", .atLeast(.integer(number))), if: .none, by: editor)
          }
          group.addTask {
            _ = try await store.edit(
              "home", "middle", .put(Pages.item("i\(number)")), if: .none, by: editor)
          }
        }
        try await group.waitForAll()
      }
      #expect(try await store.audiences().count == 8)
      #expect(try await store.section("home", "middle").section.content.items.count == 7)
      #expect(try await store.pages().map(\.id) == ["home", "other"])
    }
  }
}
