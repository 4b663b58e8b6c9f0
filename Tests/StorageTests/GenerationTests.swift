import JSON
import Layout
import Peers
import Storage
import Testing

@Suite struct GenerationTests {
  @Test func `the last change is said once, and nothing where history was cut`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      var served = ServedHistory(generation: try await store.generation())
      let first = try #require(try await store.lastChange(since: served))
      served.note(first.change, of: first.generation)
      #expect(try await store.lastChange(since: served)?.change == nil)
      // What was refused was acknowledged to nobody.
      await store.recordRefusal("authorisation.failed", by: editor, detail: "GET /admin/v1/pages: no token")
      #expect(try await store.lastChange(since: served)?.change == nil)
      try await store.publish()
      #expect(try #require(try await store.lastChange(since: served)).change.id > first.change.id)
      served.lastChange?.fingerprint = "of another"
      #expect(try await store.lastChange(since: served)?.change == nil)
    }
  }

  @Test func `each revision has an identity of its own, which nobody changes`() async throws {
    try await withStore { temporary in
      for _ in 0..<3 { try await temporary.store.publish() }
      #expect(try temporary.value("SELECT count(DISTINCT identity) FROM revisions", Int.self) == 3)
      #expect(try temporary.value("SELECT min(length(identity)) FROM revisions", Int.self) == 32)
      #expect(throws: (any Error).self) { try temporary.execute("UPDATE revisions SET identity = 'x'") }
    }
  }

  @Test func `a raise goes above the present, what was served, and the seconds since 1970`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      #expect(try await store.generation() == 1)
      let now = Int(temporary.clock.now.secondsSinceEpoch)
      #expect(try await store.raiseGeneration(reason: "r", by: editor).generation == now)
      #expect(try await store.raiseGeneration(reason: "r", by: editor).generation == now + 1)
      #expect(try await store.raiseGeneration(reason: "r", above: now + 50, by: editor).generation == now + 51)
      #expect(try await store.generation() == now + 51)
      let entry = try await store.audit(limit: 1).first
      #expect(entry?.action == "generation.raise")
      #expect(entry?.detail == "from \(now + 1) to \(now + 51): r")
    }
  }

  @Test func `no tag of before a raise fits afterwards, and none comes again that was given before the restore`()
    async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      func tags() async throws -> [String] {
        let (page, bottom) = (try await store.draft("home"), try await store.section("home", "bottom"))
        return [page.tag, page.settingsTag, page.orderTag, bottom.settingsTag, bottom.contentTag]
      }
      var given = Set(try await tags())
      for _ in 0..<3 {
        let raised = try await store.raiseGeneration(reason: "r", by: editor).generation
        #expect(try await store.audit(limit: 1).first?.id == Int64(raised) * 1_000_000)
        for held in given {
          let refused = await refusal {
            _ = try await store.deleteSection("home", "bottom", if: .matches([held]), by: editor)
          }
          #expect(refused?.hasPrefix("stale") == true, "\(held)")
        }
        try await store.publish()
        let present = Set(try await tags())
        #expect(given.isDisjoint(with: present))
        given.formUnion(present)
      }
    }
  }

  @Test func `nothing is published into history that was cut, and all of it once the generation is raised`()
    async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      let identity = try await store.liveIdentity(after: store.publish())
      func served(_ generation: Int, _ number: Int, _ identity: String) -> ServedHistory {
        ServedHistory(
          generation: generation, pages: ["home": ServedHistory.Revision(number: number, identity: identity)])
      }
      let cases: [(ServedHistory, Bool)] = [
        (ServedHistory(), false), (served(1, 1, identity), false), (served(1, 1, "another"), true),
        (served(1, 2, identity), true), (served(2, 1, identity), true), (served(0, 9, "older"), false),
      ]
      for (served, isCut) in cases {
        #expect(try await (store.liveRevisions(since: served).cut != nil) == isCut, "\(served)")
        let refused = await refusal {
          _ =
            try await store.publish("home", .draft, message: nil, if: .none, since: served, by: editor) { _ in
              throw StoreError.conflict(code: "tried", detail: "")
            } as (published: Published, ready: Void?)
        }
        #expect(refused == (isCut ? "conflict history-cut" : "conflict tried"), "\(served)")
      }
      let raised = try await store.raiseGeneration(reason: "r", by: editor).generation
      #expect(try await store.liveRevisions(since: served(2, 1, "another")).cut == nil)
      #expect(try await store.liveRevisions().generation == raised)
    }
  }

  @Test(.ofSQLite) func `a backup knows that it is one until somebody says that it counts`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      func copied(_ store: Store, to name: String) async throws -> Store {
        let path = temporary.folder + "/" + name
        _ = try await store.backup(to: path, by: editor)
        return try Store(
          at: .file(path), migrations: Migration.bundled(), context: Pages.context,
          clock: StoreClock { temporary.clock.now })
      }
      let madeAt = temporary.clock.now
      let copy = try await copied(store, to: "one.db")
      temporary.clock.advance(by: 60)
      let ofCopy = try await copied(copy, to: "two.db")
      for copy in [copy, ofCopy] {
        // A new disk has nothing that it could be compared with.
        let cut = try #require(try await copy.liveRevisions().cut)
        #expect(cut.description.contains("hearth generation raise --reason"), "\(cut)")
        #expect(await refusal { try await copy.publish() } == "conflict history-cut")
        // What there is is served, and what is only looked at changes nothing of it.
        #expect(try await copy.liveRevisions().revisions.map(\.number) == [1])
        _ = try await copy.fill("bottom", Pages.content("a"))
      }
      #expect(try await copy.liveRevisions().cut?.description.contains("the backup of \(madeAt)") == true)
      #expect(
        try await ofCopy.liveRevisions().cut?.description.contains("the backup of \(temporary.clock.now)") == true)
      _ = try await copy.raiseGeneration(reason: "r", by: editor)
      #expect(try await copy.liveRevisions().cut == nil)
      try await copy.publish()
      // Where the backup comes from nothing is other than before.
      #expect(try await store.liveRevisions().cut == nil)
      #expect(try await store.publish().number == 2)
      #expect(try await store.backupTimes().last == madeAt)
      #expect(try await ofCopy.backupTimes().last == temporary.clock.now)
    }
  }

  @Test(.enabled(if: TestEngine.isPostgreSQL, "it is about PostgreSQL"))
  func `a dump that is restored under another name is a copy until somebody says that it counts`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      #expect(try await store.liveRevisions().cut == nil)
      let server = try PostgreSQLServer.running()
      let name = try server.makeDatabase()
      defer { server.drop(name) }
      let (text, status) = try Peer.run(
        "sh",
        [
          "-c", "pg_dump \"$0\" | psql -X -q -v ON_ERROR_STOP=1 \"$1\"", TestEngine.database(in: temporary.folder),
          server.place(name),
        ])
      #expect(status == 0, "\(text)")
      let location = DatabaseLocation(server.place(name))
      let copy = try Store(at: location, migrations: location.migrations(), context: Pages.context)
      #expect(try await copy.liveRevisions().cut?.description.contains("brought here from another server") == true)
      #expect(await refusal { try await copy.publish() } == "conflict history-cut")
      _ = try await copy.raiseGeneration(reason: "r", by: editor)
      #expect(try await copy.liveRevisions().cut == nil)
      try await copy.publish()
      await copy.close()
    }
  }

  @Test func `what is scheduled is held after a raise until somebody releases it`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      var ids: [Int64] = []
      for seconds in [10, 20, 1_000] as [Int64] {
        ids.append(
          try await store.schedulePublish(
            "home", .sections(["top"]), at: temporary.clock.now.adding(seconds: seconds), zone: "UTC", message: nil,
            if: .none, by: editor
          ) { _ in }.id)
      }
      temporary.clock.advance(by: 20)
      #expect(try await store.raiseGeneration(reason: "r", by: editor).held.map(\.id) == ids)
      #expect(try await store.audit(limit: 10).filter { $0.action == "page.schedule.hold" }.count == 3)
      #expect(try await store.raiseGeneration(reason: "r", by: editor).held == [])
      temporary.clock.advance(by: 1_000)
      for id in ids {
        #expect(await refusal { try await store.publish("home", .scheduled(id)) } == "notFound scheduled publish")
      }
      #expect(try await store.releaseScheduledPublish("home", ids[2], by: editor).isHeld == false)
      #expect(try await store.audit(limit: 1).first?.action == "page.schedule.release")
      // Once more is nothing that there would be to tell of.
      _ = try await store.releaseScheduledPublish("home", ids[2], by: editor)
      #expect(try await store.audit(limit: 10).filter { $0.action == "page.schedule.release" }.count == 1)
      #expect(try await store.publish("home", .scheduled(ids[2])).kind == .scheduled)
      #expect(try await store.scheduledPublishes().map(\.isHeld) == [true, true])
      #expect(
        await refusal { _ = try await store.releaseScheduledPublish("home", ids[2], by: editor) }
          == "notFound scheduled publish")
    }
  }

  @Test func `numbers that were removed on purpose are known, those of a database of before too`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      for _ in 0..<5 {
        try await store.publish()
        temporary.clock.advance(by: 1)
      }
      let removed = "SELECT removed FROM revision_numbers WHERE page = 'home'"
      #expect(try temporary.value(removed, Int.self) ?? 0 == 0)
      #expect(try await store.prune(keep: 2, madeBefore: temporary.clock.now, batch: 2) == 2)
      #expect(try temporary.value(removed, Int.self) == 2)
      try await store.deletePage("home", if: .forced, by: editor)
      #expect(try temporary.value(removed, Int.self) == 5)
    }
  }
}

extension Store {
  fileprivate func liveIdentity(after _: Revision) async throws -> String {
    try await liveRevisions().revisions.first?.identity ?? ""
  }
}
