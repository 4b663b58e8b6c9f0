import JSON
import Layout
import Synchronization
import Testing

@testable import Storage

/// Sources' edits that wait for their turn together, and are committed together (docs/decisions/0156).
@Suite struct WriteGroupTests {
  private static let count = 12
  /// A page with a section for each of some sources.
  private static let page: String = {
    let sections = (0..<count).map { #"{"id": "s\#($0)", "kind": "list"}"# }.joined(separator: ", ")
    let indices = (0..<count).map { #""s\#($0)": \#($0)"# }.joined(separator: ", ")
    return """
      {"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "locales": ["en"], "pollInterval": 60,
        "sections": [\(sections)], "sortRules": {"default": {"indices": {\(indices)}}}}}}
      """
  }()

  /// What became of an edit.
  private enum Outcome: Equatable {
    case done(tag: String)
    case refused(String)

    var isDone: Bool { if case .done = self { true } else { false } }
  }

  /// Edits that wait behind one turn, in this order.
  private static func together(
    _ store: Store, _ edits: [@Sendable (Store) async throws -> MadeContent]
  ) async throws -> [Outcome] {
    try await store.writeTurns.enter(until: .now + .seconds(30))
    var waiting: [Task<Outcome, Never>] = []
    for (number, edit) in edits.enumerated() {
      waiting.append(
        Task {
          do { return .done(tag: try await edit(store).tag) } catch { return .refused("\(error)") }
        })
      #expect(try await eventually { store.writeTurns.count == number + 1 })
    }
    store.writeTurns.leave()
    var outcomes: [Outcome] = []
    for task in waiting { outcomes.append(await task.value) }
    return outcomes
  }

  /// Replaces the content of a section by one item.
  private static func put(
    _ section: Int, _ title: String = "New", if precondition: WritePrecondition = .none,
    keeping: AnswerKeeper<MadeContent>? = nil
  ) -> @Sendable (Store) async throws -> MadeContent {
    { store in
      try await store.edit(
        "home", "s\(section)", .replace(SectionContent(items: [Pages.item("a", title)])), if: precondition, by: editor,
        keeping: keeping)
    }
  }

  private static func titles(_ store: Store) async throws -> [String?] {
    var titles: [String?] = []
    for section in 0..<count {
      titles.append(
        try await store.section("home", "s\(section)").section.content.items.first?.content["title"]?.string)
    }
    return titles
  }

  @Test func `what waits together is committed together, each with a number of its own`() async throws {
    try await withStore(Self.page) { temporary in
      let store = temporary.store
      let last = try await store.audit(AuditFilter(), limit: 1).first?.id ?? 0
      let commits = store.commits
      let outcomes = try await Self.together(store, (0..<Self.count).map { Self.put($0) })
      // A slow machine makes two of it or three.
      #expect(store.commits - commits < 6)
      #expect(outcomes == (1...Self.count).map { .done(tag: "\"\(Int(last) + $0)\"") })
      #expect(try await Self.titles(store) == Array(repeating: "New", count: Self.count))
      let entries = try await store.audit(AuditFilter(), limit: Self.count)
      #expect(entries.map(\.section) == (0..<Self.count).reversed().map { "s\($0)" })
      #expect(store.writeTurns.count == 0)
    }
  }

  @Test func `one that is refused leaves nothing, and the others go on`() async throws {
    struct Unkept: Error {}
    try await withStore(Self.page) { temporary in
      let store = temporary.store
      let tag = try await store.section("home", "s3").contentTag
      // Fails once everything of it is written.
      let unkept = AnswerKeeper<MadeContent>(token: "a", key: "b") { _ in throw Unkept() }
      let asRead = WritePrecondition.matches([tag])
      var edits = (0..<Self.count).map { Self.put($0) }
      edits[2] = Self.put(2, keeping: unkept)
      edits[3] = Self.put(3, "First", if: asRead)
      edits[4] = Self.put(3, "Second", if: asRead)
      let outcomes = try await Self.together(store, edits)
      #expect(outcomes[2] == .refused("Unkept()"))
      #expect(!outcomes[4].isDone)
      #expect(outcomes.filter(\.isDone).count == Self.count - 2)
      let expected: [String?] = ["New", "New", nil, "First", nil] + Array(repeating: "New", count: Self.count - 5)
      #expect(try await Self.titles(store) == expected)
    }
  }

  @Test func `an edit of many items is committed alone`() async throws {
    try await withStore(Self.page) { temporary in
      let many = SectionContent(items: (0...100).map { Pages.item("i\($0)") })
      var edits = [Self.put(0), Self.put(1)]
      edits.append { try await $0.edit("home", "s2", .replace(many), if: .none, by: editor) }
      edits.append(Self.put(3))
      let commits = temporary.store.commits
      let outcomes = try await Self.together(temporary.store, edits)
      #expect(outcomes.map(\.isDone) == [true, true, true, true])
      #expect(temporary.store.commits - commits == 3)
    }
  }

  @Test func `others keep their place: an emergency before all, and what came before a change is committed before it`()
    async throws
  {
    try await withStore(Self.page) { temporary in
      let store = temporary.store
      let first = try await store.transaction { try Change.last($0) }
      try await store.writeTurns.enter(until: .now + .seconds(30))
      let early = (0..<3).map { number in Task { try await Self.put(number)(store) } }
      #expect(try await eventually { store.writeTurns.count == 3 })
      let change = Task { try await store.transaction { try Change.last($0) } }
      #expect(try await eventually { store.writeTurns.count == 4 })
      let late = Task { try await Self.put(5)(store) }
      #expect(try await eventually { store.writeTurns.count == 5 })
      let emergency = Task { try await store.transaction(isUrgent: true) { try Change.last($0) } }
      #expect(try await eventually { store.writeTurns.count == 6 })
      store.writeTurns.leave()
      #expect(try await emergency.value == first)
      #expect(try await change.value == first + 3)
      for edit in early + [late] { _ = try await edit.value }
      #expect(try await store.transaction { try Change.last($0) } == first + 4)
    }
  }

  @Test func `those who publish a page at once make it once each, and those who wait too long go on`() async throws {
    try await withStore(Self.page) { temporary in
      let store = temporary.store
      let made = Atomic(0)
      let publish: @Sendable (Int) async throws -> Int = { section in
        let content = SectionContent(items: [Pages.item("a", "New")])
        return try await store.publish(
          "home", .content(section: "s\(section)", .replace(content)), message: nil, if: .none, by: editor
        ) { _ in
          made.add(1, ordering: .relaxed)
          return ((), .array([]))
        }.published.revision.number
      }
      let first = try await store.publish().number
      let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
        for section in 0..<Self.count { group.addTask { try await publish(section) } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(numbers.sorted() == (1...Self.count).map { first + $0 })
      #expect(made.load(ordering: .relaxed) == Self.count)
      // It is live already.
      let late = try await store.publishTurns.pass("home") { try await publish(0) }
      #expect(late == first + Self.count)
    }
  }

  @Suite(.ofSQLite) struct OfSQLite {
    private static func refusing(_ section: String, _ how: String) -> String {
      """
      CREATE TRIGGER refusing BEFORE INSERT ON items WHEN NEW.section = '\(section)'
      BEGIN SELECT RAISE(\(how), 'refused'); END
      """
    }

    @Test func `what the database refuses of one is told to that one`() async throws {
      try await withStore(WriteGroupTests.page) { temporary in
        try temporary.execute(Self.refusing("s3", "ABORT"))
        let outcomes = try await together(temporary.store, (0..<count).map { put($0) })
        #expect(outcomes.filter(\.isDone).count == count - 1)
        let titles = try await titles(temporary.store)
        #expect(titles[3] == nil && titles[4] == "New")
      }
    }

    /// How a section's edit takes the whole transaction down: at once, or at the commit.
    private static let failing = [
      refusing("s3", "ROLLBACK"),
      """
      CREATE TABLE kept (id INTEGER PRIMARY KEY);
      CREATE TABLE keeping (id INTEGER REFERENCES kept (id) DEFERRABLE INITIALLY DEFERRED);
      CREATE TRIGGER refusing BEFORE INSERT ON items WHEN NEW.section = 's3'
      BEGIN INSERT INTO keeping (id) VALUES (1); END
      """,
    ]

    @Test(arguments: failing)
    func `one that takes the transaction down is refused alone`(trigger: String) async throws {
      try await withStore(WriteGroupTests.page) { temporary in
        let store = temporary.store
        try temporary.execute(trigger)
        let outcomes = try await together(store, (0..<count).map { put($0) })
        #expect(outcomes.map(\.isDone) == (0..<count).map { $0 != 3 })
        #expect(try await titles(store) == (0..<count).map { $0 == 3 ? nil : "New" })
        try temporary.execute("DROP TRIGGER refusing")
        let again = try await together(store, (0..<count).map { put($0, "Again") })
        #expect(again.map(\.isDone) == (0..<count).map { _ in true })
      }
    }
  }
}
