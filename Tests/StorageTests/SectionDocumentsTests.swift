import JSON
import Layout
import Peers
import SeededRandom
import Testing

@testable import Storage

/// Published sections with many items, which are kept in pieces on SQLite.
@Suite struct SectionDocumentsTests {
  private static func item(_ id: String, _ title: String = "Title") -> ItemDefinition {
    ItemDefinition(
      id: id, kind: "navigation",
      content: ["title": .string(title), "text": .string(String(repeating: "\"What [stands], \\ {here} ", count: 8))])
  }

  private static func content(_ count: Int, _ title: String = "Title") -> SectionContent {
    SectionContent(
      items: (0..<count).map { item("i\($0)", title) }, slots: count > 0 ? ["hot": item("hot", "Hot")] : [:])
  }

  private static func section(_ content: SectionContent) -> SectionDefinition {
    SectionDefinition(id: "middle", settings: SectionSettings(kind: "list"), content: content)
  }

  private static func texts(_ section: SectionDefinition) -> [String] {
    SectionPieces.cut(section.canonicalBytes).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `pieces are the text again, and none is large that has several items`() {
    for count in [0, 1, 30, 1_000] {
      let section = Self.section(Self.content(count))
      let pieces = Self.texts(section)
      #expect(pieces.joined() == String(decoding: section.canonicalBytes, as: UTF8.self))
      #expect(pieces.allSatisfy { $0.utf8.count <= SectionPieces.bytesMax })
      #expect(pieces.dropLast().allSatisfy { $0.utf8.count >= SectionPieces.bytesMin })
    }
    var content = Self.content(100)
    content.items[50].content["text"] = .string(String(repeating: "long, ", count: 10_000))
    #expect(Self.texts(Self.section(content)).filter { $0.utf8.count > SectionPieces.bytesMax }.count == 1)
  }

  @Test func `another item, one more, one less and one elsewhere are few other pieces`() {
    let content = Self.content(2_000)
    let pieces = Set(Self.texts(Self.section(content)))
    #expect(pieces.count > 50)
    for place in stride(from: 0, to: 2_000, by: 397) {
      var (changed, inserted, removed, moved) = (content, content, content, content)
      changed.items[place] = Self.item("i\(place)", "Another, longer title")
      inserted.items.insert(Self.item("new"), at: place)
      removed.items.remove(at: place)
      moved.items.insert(moved.items.remove(at: place), at: 1_000)
      for (edited, most) in [(changed, 12), (inserted, 12), (removed, 12), (moved, 24)] {
        #expect(Set(Self.texts(Self.section(edited))).subtracting(pieces).count <= most)
      }
    }
  }

  @Test func `lists of pieces are written in runs, and read as they were`() throws {
    func read(_ text: String) throws -> [Int64]? {
      try PieceList(of: Row(columns: ["pieces"], values: [.text(text)]))?.ids
    }
    for (ids, text) in [([], ""), ([7], "7"), ([1, 2, 3, 9, 4, 5], "1-3,9,4-5"), ([3, 2, 1], "3,2,1")]
      as [([Int64], String)]
    {
      #expect(PieceList(ids).text == text)
      #expect(try read(text) == ids)
    }
    for text in ["a", "3-1", "1-9223372036854775806", "-"] {
      #expect(throws: StoreError.self) { try read(text) }
    }
  }

  @Test func `documents share the pieces that are the same, where they are kept in pieces`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      try await store.fill("middle", Self.content(1_000))
      try await store.publish()
      let first = try temporary.value("SELECT count(*) FROM section_pieces", Int.self) ?? 0
      for number in 0..<10 {
        try await store.publish(
          "home", .content(section: "middle", .put(Self.item("i\(number * 99)", "Number \(number)"))))
      }
      let later = try temporary.value("SELECT count(*) FROM section_pieces", Int.self) ?? 0
      #expect(TestEngine.isPostgreSQL ? later == 0 : first > 20 && later <= first + 30)
      try await store.checkDocuments()
      for number in 1...11 { #expect(try await store.published(number)["middle"]?.count == 1_000) }
    }
  }

  @Test(.ofSQLite) func `a piece does not change, and one that is missing is damage`() async throws {
    try await withStore { temporary in
      try await temporary.store.fill("middle", Self.content(200))
      try await temporary.store.publish()
      #expect(throws: (any Error).self) { try temporary.execute("UPDATE section_pieces SET text = ''") }
      try temporary.execute("DELETE FROM section_pieces WHERE id = 2")
      let another = try temporary.another()
      #expect(await refusal { _ = try await another.published(1) } == "database corrupt")
    }
  }

  @Test(.ofSQLite)
  func `what successive revisions have beside sections is kept once, and is damage where it is missing`()
    async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      let frames = "SELECT group_concat(number) FROM (SELECT number FROM revision_frames ORDER BY number)"
      try await store.publish()
      for number in 0..<3 {
        try await store.publish("home", .content(section: "middle", .put(Self.item("i\(number)", "Later"))))
      }
      #expect(try temporary.value(frames, String.self) == "1")
      let rule = SortRule(name: SortRule.defaultName, indices: ["middle": 7])
      _ = try await store.putSortRule("home", rule, if: .none, by: editor)
      try await store.publish()
      #expect(try temporary.value(frames, String.self) == "1,5")
      temporary.clock.advance(by: 1)
      #expect(try await store.prune(keep: 2, madeBefore: temporary.clock.now, batch: 9) == 3)
      #expect(try temporary.value(frames, String.self) == "1,5")
      #expect(try await store.revisionDefinition("home", 4).definition.sortRules[0].indices["middle"] != 7)
      #expect(try await store.revisionDefinition("home", 5).definition.sortRules[0].indices["middle"] == 7)
      for change in ["UPDATE revision_frames SET settings = '{}'", "UPDATE revisions SET settings = '{}'"] {
        #expect(throws: (any Error).self) { try temporary.execute(change) }
      }
      try temporary.execute("DELETE FROM revision_frames WHERE number = 1")
      #expect(await refusal { _ = try await store.revisionDefinition("home", 4) } == "database corrupt")
      #expect(await refusal { _ = try await store.revisions("home", limit: 9) } == "database corrupt")
    }
  }

  @Test func `a picture is found in a piece, and in what has that piece`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let name = try #require(AssetName("\(String(repeating: "ab", count: 32)).png"))
      let other = try #require(AssetName("\(String(repeating: "cd", count: 32)).png"))
      var content = Self.content(300)
      content.items[150].content["image"] = .string(name.url)
      try await store.fill("middle", content)
      try await store.publish()
      for number in 0..<3 {
        try await store.publish("home", .content(section: "middle", .put(Self.item("i\(number)", "Later"))))
      }
      func uses() async throws -> [AssetUse] { Mention.uses(try await store.mentions(of: name)) }
      let draft = AssetUse(place: .draft, page: "home", section: "middle")
      #expect(
        try await uses() == [
          AssetUse(place: .live, page: "home", section: "middle", revision: 4), draft,
          AssetUse(place: .revision, page: "home", section: "middle", revision: 3),
        ])
      #expect(try await store.mentions(of: other).isEmpty)
      #expect(try await store.assetsOfLivePages(known: [:]).values.contains([name]))
      let moment = try await store.read(Moment.init)
      content.items[20].content["image"] = .string(other.url)
      try await store.fill("middle", content)
      try await store.publish()
      let since = try await store.read { db in try moment.mentionsSince(of: other, known: [], db) }
      #expect(
        Mention.uses(since) == [AssetUse(place: .live, page: "home", section: "middle", revision: 5), draft])
    }
  }

  @Test(arguments: 1...UInt64(Trials.count(20)))
  func `whatever is published, scheduled, copied and removed, all that is kept is whole, and nothing else is`(
    seed: UInt64
  ) async throws {
    try await withStore { temporary in
      var play = Play(temporary, seed: seed)
      for _ in 0..<120 {
        let step = try await play.step()
        do {
          try await temporary.store.checkDocuments()
          try await temporary.store.checkRevisions()
        } catch {
          Issue.record("seed \(seed), after \(step): \(error)")
          return
        }
      }
      guard !TestEngine.isPostgreSQL else { return }
      // A version that had a row for each section of each revision, or all of a revision in its row, brings all of them here.
      for change in ["_spans.sql", "_frames.sql"] {
        let folder = try temporary.older(before: change)
        defer { TestEngine.remove(folder) }
        let again = try Store(
          at: .file(folder + "/hearth.db"), migrations: DatabaseLocation.file("").migrations(), context: Pages.context)
        #expect(try await again.revisionsAsKept() == temporary.store.revisionsAsKept())
        #expect(try await again.sectionsOfRevisions() == temporary.store.sectionsOfRevisions())
        try await again.checkRevisions()
        try await again.checkDocuments()
      }
    }
  }

  /// Random changes of two pages with sections of the same ids.
  private struct Play {
    let temporary: TemporaryStore
    var random: SeededGenerator

    init(_ temporary: TemporaryStore, seed: UInt64) {
      (self.temporary, random) = (temporary, SeededGenerator(seed: seed))
    }

    private mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }

    private mutating func edit() -> ContentEdit {
      let item = "i\(number(150))"
      return switch number(6) {
      case 0: .remove(item)
      case 1: .move(item, .first)
      case 2: .replace(SectionDocumentsTests.content(number(200), "Title \(number(3))"))
      case 3: .put(SectionDocumentsTests.item("new\(number(20))", "Title \(number(9))"))
      default: .put(SectionDocumentsTests.item(item, "Title \(number(9))"))
      }
    }

    /// - Returns: What it was.
    mutating func step() async throws -> String {
      temporary.clock.advance(by: 1)
      let page = number(3) == 0 ? "twin" : "home"
      let kind = number(20)
      let (edit, count, flag) = (self.edit(), number(12), number(2) == 0)
      let (store, clock) = (temporary.store, temporary.clock)
      let revisions = (try? await store.revisions(page, limit: 100).map(\.number)) ?? []
      let revision = revisions.randomElement(using: &random) ?? 1
      let refused = await refusal {
        switch kind {
        case 0...4: try await store.publish(page, .content(section: "middle", edit))
        case 5: try await store.edit(page, "middle", edit, if: .none, by: editor)
        case 6: try await store.publish(page)
        case 7: try await store.publish(page, .revision(revision, resetsDraft: flag))
        case 8, 9:
          let scopes: [PublishScope] = [.draft, .sections(["middle"]), .revision(revision)]
          _ = try await store.schedulePublish(
            page, scopes[count % 3], at: clock.now.adding(seconds: Int64(count + 1)), zone: "UTC", message: nil,
            if: .none, by: editor
          ) { _ in }
        case 10, 11:
          guard let first = try await store.scheduledPublishes(of: page).first else { return }
          if flag || first.at > clock.now {
            try await store.cancelScheduledPublish(page, first.id, by: editor)
          } else {
            try await store.publish(page, .scheduled(first.id))
          }
        case 12:
          _ = try await store.copyPage(
            page, to: page == "home" ? "twin" : "home", title: nil, keepsSchedules: true, by: editor)
        case 13 where count < 3: try await store.deletePage(page, if: .forced, by: editor)
        case 14: try await store.setPinned(flag, page, revision, by: editor)
        case 15: try await store.deleteSection(page, ["top", "middle", "more"][count % 3], if: .none, by: editor)
        case 16:
          _ = try await store.putSection(
            page, ["top", "middle", "more"][count % 3], settings: SectionSettings(kind: "list"), if: .none, by: editor
          ) { _ in }
        case 18:
          var settings = try await store.draft(page).definition.settings
          settings.title = "Title \(count)"
          _ = try await store.putPage(page, settings: settings, by: editor)
        case 19:
          let rule = SortRule(name: SortRule.defaultName, indices: ["middle": count, "top": 5])
          _ = try await store.putSortRule(page, rule, if: .none, by: editor)
        default: _ = try await store.prune(keep: 1 + count / 3, madeBefore: clock.now, batch: 1 + count % 4)
        }
      }
      return "\(page) \(kind) \(edit) \(revision): \(refused ?? "done")"
    }
  }
}

/// What is wrong with what is kept.
private struct Wrong: Error { var what: String }

extension Store {
  /// Checks that each revision has the sections that it was made of, and that nothing is kept of others.
  fileprivate func checkRevisions() async throws {
    try await read { db in
      for revision in try Row.fetchAll(db, sql: "SELECT * FROM revisions") {
        let (page, number): (String, Int) = (revision["page"], revision["number"])
        let rows = try Row.fetchAll(
          db,
          sql: "SELECT position, fingerprint FROM revision_sections WHERE page = ? AND number = ? ORDER BY position",
          arguments: [page, number])
        guard rows.map({ $0["position"] as Int }) == Array(rows.indices) else {
          throw Wrong(what: "\(page) \(number) has a section too many or too few")
        }
        let withheld: String = revision["withheld"]
        let parts =
          ["settings", "sort_rules", "audiences"].map { revision[$0] as String }
          + rows.map { $0["fingerprint"] as String } + (withheld == "[]" ? [] : [withheld])
        guard Fingerprint.of(parts.joined(separator: "\n").utf8) == revision["fingerprint"] as String else {
          throw Wrong(what: "\(page) \(number) has other sections")
        }
      }
      guard db.connection.keepsDifferences else { return }
      let lost = try Row.fetchOne(
        db,
        sql: """
          SELECT * FROM revision_spans s WHERE NOT EXISTS (
            SELECT 1 FROM revisions r WHERE r.page = s.page AND r.number >= s.number AND r.number < s.until)
          """)
      if let lost { throw Wrong(what: "\(lost.values) is of no revision") }
      let unused = try Row.fetchOne(
        db,
        sql: """
          SELECT page, number FROM revision_frames f WHERE NOT EXISTS (
            SELECT 1 FROM revisions r WHERE r.page = f.page AND r.number >= f.number AND r.number < coalesce(
              (SELECT min(n.number) FROM revision_frames n WHERE n.page = f.page AND n.number > f.number), \(Int.max)))
          """)
      if let unused { throw Wrong(what: "\(unused.values) is the frame of no revision") }
    }
  }

  /// All that is kept of revisions themselves.
  fileprivate func revisionsAsKept() async throws -> [[SQLValue]] {
    try await read { db in try Row.fetchAll(db, sql: "SELECT * FROM revisions ORDER BY page, number").map(\.values) }
  }

  /// Which sections revisions have.
  fileprivate func sectionsOfRevisions() async throws -> [[SQLValue]] {
    try await read { db in
      try Row.fetchAll(
        db,
        sql:
          "SELECT page, number, position, section, fingerprint FROM revision_sections ORDER BY page, number, position"
      ).map(\.values)
    }
  }

  /// Checks that each document comes to its fingerprint and is named, and each piece is of a document.
  fileprivate func checkDocuments() async throws {
    try await read { db in
      var pieces = Set<Int64>()
      var documents = Set<String>()
      for row in try Row.fetchAll(db, sql: "SELECT * FROM section_documents") {
        let fingerprint: String = row["fingerprint"]
        documents.insert(fingerprint)
        guard Fingerprint.of(try db.text(ofDocument: row).utf8) == fingerprint else {
          throw Wrong(what: "\(fingerprint) is another text")
        }
        pieces.formUnion(try PieceList(of: row)?.ids ?? [])
      }
      let named = try String.fetchAll(
        db,
        sql: """
          SELECT fingerprint FROM revision_sections UNION
          SELECT fingerprint FROM scheduled_sections WHERE fingerprint IS NOT NULL
          """)
      let present = try Int64.fetchAll(db, sql: "SELECT id FROM section_pieces")
      guard documents == Set(named) else { throw Wrong(what: "documents \(documents), named \(named)") }
      guard pieces == Set(present) else {
        throw Wrong(what: "pieces \(present), of documents \(pieces)")
      }
    }
  }
}
