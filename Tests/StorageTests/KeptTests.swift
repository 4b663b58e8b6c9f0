import JSON
import Layout
import Storage
import Testing

@Suite struct KeptTests {
  private func keeper<Value>(_ key: String, _ body: @Sendable @escaping (Value) throws -> String) -> AnswerKeeper<Value>
  {
    AnswerKeeper(token: "selector1", key: key) {
      KeptAnswer(fingerprint: "f", status: 200, body: try body($0), tag: "\"1\"")
    }
  }

  @Test func `an answer is kept with the change that it is of, by token and key`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      try await store.publish(keeping: keeper("k") { "revision \($0.revision.number)" })
      let kept = KeptAnswer(fingerprint: "f", status: 200, body: "revision 1", tag: "\"1\"")
      #expect(try await store.keptAnswer(token: "selector1", key: "k") == kept)
      #expect(try await store.keptAnswer(token: "selector2", key: "k") == nil)
      #expect(try await store.keptAnswer(token: "selector1", key: "K") == nil)
      // Another process that answers the same request meanwhile changes nothing.
      #expect(
        await refusal { try await store.publish(keeping: keeper("k") { "revision \($0.revision.number)" }) }
          == "conflict idempotency-key-running")
      #expect(try await store.draft("home").live == 1)
    }
  }

  @Test func `an answer that cannot be kept leaves no change, and a refused change no answer`() async throws {
    struct Refused: Error {}
    try await withStore { temporary async throws in
      let store = temporary.store
      await #expect(throws: Refused.self) { try await store.publish(keeping: keeper("k") { _ in throw Refused() }) }
      #expect(try await store.draft("home").live == nil)
      #expect(
        await refusal { try await store.publish(if: .matches(["\"0\""]), keeping: keeper("k") { _ in "" }) } == "stale")
      #expect(try await store.keptAnswer(token: "selector1", key: "k") == nil)
    }
  }

  @Test func `imports and schedules keep their answers too`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      _ = try await store.import(Pages.document(Pages.other), by: editor, keeping: keeper("i") { "\($0.added)" })
      #expect(try await store.keptAnswer(token: "selector1", key: "i")?.body == #"["other"]"#)
      _ = try await store.schedulePublish(
        "home", .draft, at: temporary.clock.now.adding(seconds: 60), zone: "UTC", message: nil, if: .none,
        by: editor, keeping: keeper("s") { "\($0.id)" }
      ) { _ in }
      #expect(try await store.keptAnswer(token: "selector1", key: "s")?.body == "1")
    }
  }

  @Test func `an answer is forgotten after 24 hours, and its key can be used anew`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      try await store.publish(keeping: keeper("k") { _ in "old" })
      temporary.clock.advance(by: Store.answersKeptSeconds - 1)
      #expect(try await store.keptAnswer(token: "selector1", key: "k")?.body == "old")
      temporary.clock.advance(by: 1)
      #expect(try await store.keptAnswer(token: "selector1", key: "k") == nil)
      try await store.publish(keeping: keeper("k") { _ in "new" })
      #expect(try temporary.value("SELECT count(*) FROM idempotency_keys", Int.self) == 1)
    }
  }

  @Test(arguments: [3, 250])
  func `of one token no more answers are kept than may be, and the oldest go first`(most: Int) async throws {
    var writing = WriteSettings()
    writing.answersKeptMax = most
    try await withStore(writing: writing) { temporary async throws in
      let store = temporary.store
      func note(_ token: String, _ number: Int) async throws {
        let keeper = AnswerKeeper<Void>(token: token, key: "k\(number)") {
          KeptAnswer(fingerprint: "f", status: 204, body: "", tag: nil)
        }
        try await store.setPinned(true, "home", 1, by: editor, keeping: keeper)
      }
      try await store.publish()
      try await note("selector2", 0)
      for number in 0..<most + 20 {
        temporary.clock.advance(by: 1)
        try await note("selector1", number)
        guard number % 10 == 0 || number >= most else { continue }
        let count = try temporary.value("SELECT count(*) FROM idempotency_keys WHERE token = 'selector1'", Int.self)
        #expect(try #require(count) <= most)
      }
      #expect(try await store.keptAnswer(token: "selector1", key: "k\(most + 19)") != nil)
      #expect(try await store.keptAnswer(token: "selector1", key: "k\(most + 15)") == nil || most > 3)
      #expect(try await store.keptAnswer(token: "selector1", key: "k\(most + 17)") != nil)
      #expect(try await store.keptAnswer(token: "selector1", key: "k0") == nil)
      #expect(try await store.keptAnswer(token: "selector2", key: "k0") != nil)
    }
  }

  @Test func `a day of answers that are over goes a hundred at a time`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      for number in 0..<150 {
        try temporary.execute(
          """
          INSERT INTO idempotency_keys (token, key, fingerprint, at, status, body)
          VALUES ('t', 'k\(number)', 'f', \(temporary.clock.now.secondsSinceEpoch), 204, '')
          """)
      }
      temporary.clock.advance(by: Store.answersKeptSeconds)
      try await store.publish(keeping: keeper("k") { _ in "" })
      #expect(try temporary.value("SELECT count(*) FROM idempotency_keys", Int.self) == 51)
      try await store.publish(keeping: keeper("l") { _ in "" })
      #expect(try temporary.value("SELECT count(*) FROM idempotency_keys", Int.self) == 2)
    }
  }

  @Test func `a scheduled revision goes live once, and not before its time`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      try await store.publish()
      try await store.fill("middle", Pages.content("planned"))
      let at = temporary.clock.now.adding(seconds: 60)
      let scheduled = try await store.schedulePublish(
        "home", .draft, at: at, zone: "Asia/Shanghai", message: "Noon", if: .none, by: editor
      ) { _ in }
      #expect(scheduled.revision == nil)
      #expect(try await store.draft("home").live == 1)
      let due = PublishScope.scheduled(scheduled.id)
      #expect(await refusal { try await store.publish("home", due) } == "notFound scheduled publish")
      #expect(try await store.revisions("home", limit: 10).map(\.number) == [1])
      try await store.fill("middle", Pages.content("later"))
      temporary.clock.advance(by: 60)
      #expect(try await store.publish("home", due).number == 2)
      #expect(try await store.published(2)["middle"] == ["planned"])
      #expect(await refusal { try await store.publish("home", due) } == "notFound scheduled publish")
      #expect(try await store.scheduledPublishes().isEmpty)
    }
  }

  @Test func `the past, a missing revision and a stale tag cannot be scheduled`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let cases: [(Int64, Int?, WritePrecondition, String)] = [
        (0, nil, .none, "invalid /at"), (-1, nil, .none, "invalid /at"), (60, 9, .none, "notFound revision"),
        (60, nil, .matches(["\"0\""]), "stale"),
      ]
      for (seconds, revision, precondition, expected) in cases {
        let at = temporary.clock.now.adding(seconds: seconds)
        let refused = await refusal {
          _ = try await store.schedulePublish(
            "home", revision.map { .revision($0) } ?? .draft, at: at, zone: "UTC", message: nil, if: precondition,
            by: editor
          ) { _ in }
        }
        #expect(refused == expected)
      }
      #expect(try temporary.value("SELECT count(*) FROM revisions", Int.self) == 0)
    }
  }

  @Test func `versions of pages with very many conditions take no more room than others`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      let outcome = "en:" + String(repeating: "f", count: 1_048_576)
      for number in 0..<40 {
        let version = KnownVersion(
          page: "home", lineage: "client \(number)", version: "v\(number)", revision: 1, outcome: outcome,
          at: Instant(secondsSinceEpoch: 0))
        try await store.note([version], keep: 8)
      }
      let known = try await store.knownVersions("home").map(\.version)
      #expect(known == (9..<40).map { "v\($0)" })
    }
  }

  @Test func `the last versions of each variant are known, and a deleted page's are not`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      func version(_ lineage: String, _ number: Int) -> KnownVersion {
        KnownVersion(
          page: "home", lineage: lineage, version: "v\(number)", revision: number, outcome: "o",
          at: temporary.clock.now)
      }
      try await store.note((1...5).map { version("en", $0) } + [version("zh", 1)], keep: 3)
      try await store.note([version("en", 4)], keep: 3)
      #expect(try await store.knownVersions("home").map(\.version) == ["v3", "v5", "v1", "v4"])
      try await store.deletePage("home", if: .forced, by: editor)
      #expect(try await store.knownVersions("home").isEmpty)
    }
  }

  @Test func `a named audience that something uses cannot be removed`() async throws {
    try await withStore { temporary async throws in
      let store = temporary.store
      #expect(await refusal { try await store.deleteAudience("members", if: .forced, by: editor) } == "conflict in-use")
      #expect(await refusal { try await store.deleteAudience("none", if: .forced, by: editor) } == "notFound audience")
      let cases = [#"{"audience": "vip"}"#, #"{"not": {"audience": "nobody"}}"#]
      for text in cases {
        let predicate = try Predicate(json: .parse(text), in: Pages.context)
        #expect(
          await refusal { _ = try await store.putAudience("members", predicate, if: .forced, by: editor) } == "invalid "
        )
      }
      try await store.deletePage("home", if: .forced, by: editor)
      try await store.deleteAudience("vip", if: .forced, by: editor)
      try await store.deleteAudience("members", if: .forced, by: editor)
    }
  }
}
