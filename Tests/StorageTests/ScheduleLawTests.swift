import JSON
import Layout
import SeededRandom
import Storage
import Testing

/// What several schedules come to, whatever is pushed, edited, published and called off meanwhile: the same as in a model
/// of their laws (decisions 0020, 0097, 0151 and 0159).
@Suite struct ScheduleLawTests {
  @Test(arguments: 1...12)
  func `schedules come due by their laws, and nothing else takes a number`(seed: UInt64) async throws {
    try await withStore { temporary in
      var play = Play(temporary, seed: seed)
      for section in Model.sections { try await play.fill(section) }
      try await play.publish(.draft, .leave)
      for _ in 0..<80 {
        try await play.step()
        try await play.expectAsModelled()
      }
      for id in play.model.waiting.map(\.id) { try await play.cancel(id) }
      #expect(try temporary.value("SELECT count(*) FROM pushed", Int.self) == 0)
      #expect(try temporary.value("SELECT count(*) FROM revisions", Int.self) == play.model.revisions.count)
    }
  }
}

extension ScheduleLawTests {
  @Test(arguments: 1...12)
  func `with nothing but pushes meanwhile, what is due comes to the draft`(seed: UInt64) async throws {
    try await withStore { temporary in
      var play = Play(temporary, seed: seed)
      for section in Model.sections { try await play.fill(section) }
      try await play.publish(.draft, .leave)
      for _ in 0..<8 {
        for _ in 0..<3 { try await play.pushSomething() }
        for section in Model.sections { try await play.fill(section) }
        try await play.schedule(.draft)
        for _ in 0..<12 { try await play.pushSomething() }
        while !play.model.waiting.isEmpty { try await play.passTime() }
        #expect(try await temporary.store.draft("home").changedSections == [])
      }
    }
  }
}

/// The sections of a page with the titles of their items.
private typealias Page = [String: [String: String]]

/// What is to come of it all. Where items stand is not part of it.
private struct Model {
  struct Waiting {
    var id: Int64
    var at: Instant
    var pinned: Page
  }

  static let sections = ["bottom", "middle", "top"]

  var draft = Page()
  var live = Page()
  /// By their numbers, which are those from 1 on.
  var revisions: [Page] = []
  var waiting: [Waiting] = []

  mutating func push(_ section: String, _ edit: ContentEdit) {
    func change(_ page: inout Page) {
      switch edit {
      case .put(let item): page[section]?[item.id] = item.content["title"]?.string
      case .remove(let id): page[section]?[id] = nil
      case .replace(let content): if page[section] != nil { page[section] = content.titles }
      case .move, .hide, .restore: break
      }
    }
    change(&draft)
    change(&live)
    for index in waiting.indices { change(&waiting[index].pinned) }
  }

  mutating func comeDue(_ due: Waiting) {
    waiting.removeAll { $0.id == due.id }
    live.merge(due.pinned) { _, pinned in pinned }
    revisions.append(live)
  }
}

/// A store and the model, to which the same is done.
private struct Play {
  let temporary: TemporaryStore
  var model = Model()
  private var random: SeededGenerator
  private var store: Store { temporary.store }

  init(_ temporary: TemporaryStore, seed: UInt64) {
    self.temporary = temporary
    random = SeededGenerator(seed: seed)
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }
  private mutating func section() -> String { Model.sections[number(0...2)] }
  private mutating func item() -> ItemDefinition { Pages.item("i\(number(1...4))", "\(number(1...3))") }

  private mutating func content() -> SectionContent {
    let items = (0..<number(0...3)).map { _ in item() }
    return SectionContent(items: items.enumerated().filter { !items.prefix($0.0).map(\.id).contains($0.1.id) }.map(\.1))
  }

  private mutating func some() -> [String] { Array(Model.sections.shuffled(using: &random).prefix(number(1...2))) }

  mutating func step() async throws {
    switch number(0...14) {
    case 0...3: try await pushSomething()
    case 4, 5: try await fill(section())
    case 6...8:
      try await schedule([.draft, .sections(some()), .revision(number(1...model.revisions.count))][number(0...2)])
    case 9:
      guard let id = model.waiting.randomElement(using: &random)?.id else { return }
      try await cancel(id)
    case 10...12:
      let back = PublishScope.revision(number(1...model.revisions.count), resetsDraft: number(0...1) == 0)
      try await publish([.draft, .sections(some()), back][number(0...2)], number(0...1) == 0 ? .carry : .leave)
    default: try await passTime()
    }
  }

  mutating func pushSomething() async throws {
    let section = section()
    let gone = model.draft[section]?.keys.filter { model.live[section]?[$0] != nil }.sorted()
      .randomElement(using: &random)
    guard let gone else { return try await push(section, .put(item())) }
    let edits: [ContentEdit] = [
      .put(item()), .put(item()), .put(item()), .replace(content()), .replace(content()), .remove(gone), .hide(gone),
      .restore(gone, nil), .move(gone, .first), .move(gone, .last),
    ]
    try await push(section, edits[number(0...edits.count - 1)])
  }

  private mutating func push(_ section: String, _ edit: ContentEdit) async throws {
    model.push(section, edit)
    let made = try await store.publish("home", .content(section: section, edit))
    if made.number > model.revisions.count { model.revisions.append(model.live) }
    #expect(made.number == model.revisions.count)
  }

  mutating func fill(_ section: String) async throws {
    let content = content()
    model.draft[section] = content.titles
    try await store.fill(section, content)
  }

  mutating func schedule(_ scope: PublishScope) async throws {
    let pinned: Page =
      switch scope {
      case .draft: model.draft
      case .parts(let names): model.draft.filter { names.sections.contains($0.key) }
      case .revision(let number, _): model.revisions[number - 1]
      case .content, .scheduled: [:]
      }
    let at = temporary.clock.now.adding(seconds: Int64(number(1...5)) * 10)
    let made = try await store.schedulePublish(
      "home", scope, at: at, zone: "UTC", message: nil, if: .none, by: editor
    ) { _ in }
    model.waiting.append(Model.Waiting(id: made.id, at: at, pinned: pinned))
  }

  mutating func cancel(_ id: Int64) async throws {
    model.waiting.removeAll { $0.id == id }
    try await store.cancelScheduledPublish("home", id, by: editor)
  }

  mutating func publish(_ scope: PublishScope, _ choice: WaitingChoice) async throws {
    var target = model.draft
    if case .revision(let number, let resetsDraft) = scope {
      target = model.revisions[number - 1]
      if resetsDraft { model.draft = target }
    }
    let named: [String]? = if case .parts(let names) = scope { names.sections } else { nil }
    let before = try await shown()
    for section in named ?? Model.sections { model.live[section] = target[section] }
    model.revisions.append(model.live)
    let made = try await store.publish(
      "home", scope, message: nil, if: .none, waiting: choice, by: editor
    ) { _ in ((), .array([])) }
    #expect(made.published.revision.number == model.revisions.count)
    guard choice == .carry else { return }
    // What is named is carried, and else what has changed, if only its place.
    let now = try await shown()
    let carried = named ?? Model.sections.filter { before[$0] != now[$0] }
    for (index, section) in model.waiting.indices.flatMap({ index in carried.map { (index, $0) } })
    where model.waiting[index].pinned[section] != nil {
      model.waiting[index].pinned[section] = target[section]
    }
  }

  mutating func passTime() async throws {
    temporary.clock.advance(by: 10)
    for due in try await store.scheduledPublishes() where due.isDue(at: temporary.clock.now) {
      model.comeDue(try #require(model.waiting.first { $0.id == due.id }))
      #expect(try await store.publish("home", .scheduled(due.id)).number == model.revisions.count)
    }
  }

  /// What is live, with the places of items.
  private func shown() async throws -> [String: SectionContent] {
    guard let live = try await store.draft("home").live else { return [:] }
    let sections = try await store.revisionDefinition("home", live).definition.sections
    return Dictionary(uniqueKeysWithValues: sections.map { ($0.id, $0.content) })
  }

  func expectAsModelled() async throws {
    let draft = try await store.draft("home")
    #expect(draft.definition.titles == model.draft)
    #expect(draft.live == model.revisions.count)
    #expect(try await store.revisionDefinition("home", model.revisions.count).definition.titles == model.live)
    #expect(Set(try await store.scheduledPublishes().map(\.id)) == Set(model.waiting.map(\.id)))
  }
}

extension SectionContent {
  fileprivate var titles: [String: String] {
    Dictionary(uniqueKeysWithValues: items.map { ($0.id, $0.content["title"]?.string ?? "") })
  }
}

extension PageDefinition {
  fileprivate var titles: [String: [String: String]] {
    Dictionary(uniqueKeysWithValues: sections.map { ($0.id, $0.content.titles) })
  }
}
