import JSON
import Layout
import Storage
import Testing

@Suite struct RetentionTests {
  private func numbers(_ store: Store) async throws -> [Int] {
    try await store.revisions("home", limit: 1_000).map(\.number).reversed()
  }

  /// Prunes until nothing is left to prune, and tells the batches.
  private func prune(_ temporary: TemporaryStore, keep: Int, days: Int64 = 0, batch: Int = 5) async throws -> [Int] {
    var batches: [Int] = []
    let before = temporary.clock.now.adding(seconds: -days * 86_400)
    while true {
      let removed = try await temporary.store.prune(keep: keep, madeBefore: before, batch: batch)
      if removed == 0 { return batches }
      batches.append(removed)
    }
  }

  @Test func `the newest stay, and so do the live, the pinned and the scheduled ones`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      for number in 1...20 {
        try await store.fill("middle", Pages.content("n\(number)"))
        try await store.publish()
        temporary.clock.advance(by: 1)
      }
      try await store.setPinned(true, "home", 4, by: editor)
      _ = try await store.schedulePublish(
        "home", .revision(7), at: temporary.clock.now.adding(seconds: 3_600), zone: "UTC", message: nil, if: .none,
        by: editor
      ) { _ in }
      #expect(try await prune(temporary, keep: 3) == [5, 5, 5])
      #expect(try await numbers(store) == [4, 7, 18, 19, 20])
      for number in [4, 7, 18, 19, 20] { #expect(try await store.published(number)["middle"] == ["n\(number)"]) }
      // Documents that only removed revisions held are gone; those of `top` and `bottom` are held by all.
      #expect(try temporary.value("SELECT count(*) FROM section_documents", Int.self) == 2 + 5)
      try await store.setPinned(false, "home", 4, by: editor)
      #expect(try await prune(temporary, keep: 3) == [1])
    }
  }

  @Test func `what is scheduled and called off is no revision and leaves no gap`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.publish()
      for _ in 0..<10 {
        let scheduled = try await store.schedulePublish(
          "home", .draft, at: temporary.clock.now.adding(seconds: 60), zone: "UTC", message: nil, if: .none,
          by: editor
        ) { _ in }
        try await store.cancelScheduledPublish("home", scheduled.id, by: editor)
      }
      #expect(try await numbers(store) == [1])
      #expect(try await store.publish().number == 2)
    }
  }

  @Test func `what is younger than the days stays`() async throws {
    try await withStore { temporary in
      for _ in 0..<10 {
        try await temporary.store.publish()
        temporary.clock.advance(by: 86_400)
      }
      #expect(try await prune(temporary, keep: 2, days: 4) == [5, 1])
      #expect(try await numbers(temporary.store) == [7, 8, 9, 10])
      #expect(try await prune(temporary, keep: 2, days: 0) == [2])
    }
  }

  @Test func `each page has its own newest, and a document that two pages hold stays for the other`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let home = try await store.export().pages[0]
      var twin = home
      twin.id = "twin"
      _ = try await store.import(LayoutDocument(audiences: [:], pages: [twin]), by: editor)
      for _ in 0..<3 { try await store.publish("home") }
      try await store.publish("twin")
      try await store.deletePage("home", if: .forced, by: editor)
      #expect(try await store.published(1, "twin").count == 3)
      temporary.clock.advance(by: 1)
      #expect(try await prune(temporary, keep: 1) == [])
    }
  }

  @Test func `numbers of removed revisions are reported as not found`() async throws {
    try await withStore { temporary in
      for _ in 0..<3 { try await temporary.store.publish() }
      temporary.clock.advance(by: 1)
      _ = try await prune(temporary, keep: 1)
      #expect(await refusal { _ = try await temporary.store.revision("home", 1) } == "notFound revision")
      #expect(await refusal { _ = try await temporary.store.published(1) } == "notFound revision")
      #expect(await refusal { try await temporary.store.setPinned(true, "home", 1, by: editor) } == "notFound revision")
    }
  }
}
