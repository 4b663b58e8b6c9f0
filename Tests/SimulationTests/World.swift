import CSimulation
import JSON
import Layout
import Synchronization

@testable import Serving
@testable import Storage

/// Some nodes, those who ask them for changes, and who watches that all is as the ``Model`` says.
final class World: Sendable {
  /// What became of a request.
  private enum Fate {
    case running, acknowledged, refused
    /// Whoever asked cannot know.
    case unknown
  }

  private struct State {
    /// The node at each address.
    var nodes: [SimulatedNode] = []
    var requests: [(request: Request, fate: Fate)] = []
    /// The addresses at which a successor has come.
    var takenOver: Set<Int> = []
    /// What was scheduled, and may be called off: its request, and its id.
    var scheduled: [(request: Int, page: String, id: Int64)] = []
    /// What each address has promised of each page: nothing older is served there again.
    var promised: [[String: EditionNumber]] = []
    /// The addresses at which nothing withheld may be served.
    var withholds: Set<Int> = []
    /// What a loop of each node serves.
    var loops: [Int: Lineup] = [:]
    /// The lineups that were looked at last, by address.
    var seen: [UInt64] = []
    /// What was served of each page by each revision.
    var served: [String: [Int: Model.Content]] = [:]
    var violations: [String] = []
    var nodesMade = 0
  }

  private let state = Mutex(State())
  private let database: SimulatedDatabase
  private let chance: Chance

  /// - Parameters:
  ///   - former: One that is over, whose connection to the database it takes.
  ///   - tells: Whether what happens is noted.
  init(seed: UInt64, copying template: SimulatedDatabase, after former: World?, tells: Bool = false) throws {
    chance = Chance(seed: seed)
    database = try SimulatedDatabase(chance, copying: template, after: former?.database, tells: tells)
  }

  /// Runs the simulation of a seed.
  ///
  /// - Returns: How it went.
  func simulate() -> Simulation.Course {
    let course = Simulation.run(chance, durationMax: .seconds(300), afterEach: { self.look() }) { await self.run() }
    if !course.isOver, violations.isEmpty { noteHang(course) }
    return course
  }

  /// A database with the pages that simulations begin with.
  static func template() throws -> SimulatedDatabase {
    let chance = Chance(seed: 0)
    let database = try SimulatedDatabase(chance)
    let node = try SimulatedNode(database, number: 0)
    let failure = Mutex<(any Error)?>(nil)
    _ = Simulation.run(chance) {
      do {
        let actor = Actor(name: "beginning")
        _ = try await node.store.storeFirstKinds(StoredKinds(Documents.kinds[0]), by: actor)
        _ = try await node.store.import(Documents.document(), by: actor)
        for page in Documents.pages { _ = try await node.publisher.publish(page, .draft, if: .forced, by: actor) }
      } catch { failure.withLock { $0 = error } }
    }
    if let failure = failure.withLock({ $0 }) { throw failure }
    return database
  }

  var violations: [String] { state.withLock { $0.violations } }

  /// What has happened.
  var story: String { database.story.text }

  private func violated(_ what: String) { state.withLock { $0.violations.append(what) } }

  // MARK: What happens

  /// Lets it all happen, and looks at the end whether it was right.
  private func run() async {
    do {
      // One alone has nobody who makes up for what it has missed.
      try await begin(nodes: chance.isOne(in: 3) ? 1 : 2)
      let weather = Task { await changeWeather() }
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<3 { group.addTask { await self.ask() } }
        for _ in 0..<chance.below(3) { group.addTask { await self.takeOver() } }
      }
      weather.cancel()
      await weather.value
      database.weather = .calm
      // Until all that was scheduled is due, what was slow is over, and every node has looked.
      try? await Task.sleep(for: .seconds(8))
      try judge()
      for node in state.withLock({ $0.nodes }) { await node.end() }
    } catch { violated("the simulation failed: \(error)") }
  }

  /// Withholds a kind at one node, and at once again at the other.
  func withholdTwice() {
    _ = Simulation.run(chance, afterEach: { self.look() }) { [self] in
      do {
        try await begin(nodes: 2)
        for address in 0..<2 {
          let request = state.withLock { state in
            let request = Request(number: state.requests.count, change: .withhold, hasKey: false)
            state.requests.append((request, .running))
            return request
          }
          try await perform(request, at: state.withLock { $0.nodes[address] }, address)
          acknowledge(request, address)
        }
        for node in state.withLock({ $0.nodes }) { await node.end() }
      } catch { violated("the simulation failed: \(error)") }
    }
  }

  /// Starts the nodes.
  private func begin(nodes count: Int) async throws {
    for _ in 0..<count {
      let node = try makeNode()
      try await node.run()
      state.withLock { state in
        state.nodes.append(node)
        state.promised.append([:])
        state.seen.append(.max)
      }
    }
  }

  private func makeNode() throws -> SimulatedNode {
    let number = state.withLock { state in
      state.nodesMade += 1
      return state.nodesMade
    }
    return try SimulatedNode(database, number: number)
  }

  private func drawAddress() -> Int { chance.below(state.withLock { $0.nodes.count }) }

  private func changeWeather() async {
    while !Task.isCancelled {
      database.weather = chance.one(of: Weather.allCases)
      try? await Task.sleep(for: chance.milliseconds(upTo: 1_500))
    }
  }

  /// A successor takes the place of a node.
  private func takeOver() async {
    try? await Task.sleep(for: chance.milliseconds(upTo: 4_000))
    let address = drawAddress()
    guard state.withLock({ $0.takenOver.insert(address).inserted }) else { return }
    let predecessor = state.withLock { $0.nodes[address] }
    for _ in 0..<10 {
      do {
        let successor = try makeNode()
        try await successor.run { await predecessor.publisher.settle() }
        state.withLock { state in
          state.nodes[address] = successor
          state.seen[address] = .max
        }
        return await predecessor.end()
      } catch { predecessor.publisher.resume() }
      try? await Task.sleep(for: .milliseconds(500))
    }
  }

  /// One who asks for one change after the other.
  private func ask() async {
    for _ in 0..<(2 + chance.below(4)) {
      try? await Task.sleep(for: chance.milliseconds(upTo: 1_500))
      let change = drawChange()
      if case .publish(let page) = change {
        // Others write on meanwhile.
        await withTaskGroup(of: Void.self) { group in
          group.addTask { await self.ask(for: change) }
          for _ in 0..<3 {
            group.addTask {
              try? await Task.sleep(for: self.chance.milliseconds(upTo: 100))
              await self.ask(for: .edit(page))
            }
          }
        }
      } else {
        await ask(for: change)
      }
    }
  }

  private func ask(for change: Request.Change) async {
    let request = makeRequest(change)
    // Who does not get an answer in time asks again, at another node maybe.
    if request.hasKey, chance.isOne(in: 4) {
      async let other: Void = carryOut(request)
      await carryOut(request)
      await other
    } else {
      await carryOut(request)
    }
    settle(request)
  }

  private func drawChange() -> Request.Change {
    let page = chance.one(of: Documents.pages)
    let due = hearth_simulation_now() / 1_000_000_000 + 1 + Int64(chance.below(5))
    return switch chance.below(20) {
    case 0..<4: .push(page, into: .feed)
    case 4, 5: .push(page, into: .notes)
    case 6..<9: .edit(page)
    case 9..<11: .publish(page)
    case 11..<14: .schedule(page, at: due)
    case 14: cancellation ?? .push(page, into: .feed)
    case 15, 16: .withhold
    case 17: .lift
    default: .kinds(chance.below(Documents.kinds.count))
    }
  }

  private func makeRequest(_ change: Request.Change) -> Request {
    state.withLock { state in
      let request = Request(number: state.requests.count, change: change, hasKey: chance.isOne(in: 2))
      state.requests.append((request, .running))
      if case .lift = change { state.withholds = [] }
      return request
    }
  }

  /// Calls off what was scheduled first.
  private var cancellation: Request.Change? {
    state.withLock { state in
      guard !state.scheduled.isEmpty else { return nil }
      let first = state.scheduled.removeFirst()
      return .cancel(first.page, of: first.request, id: first.id)
    }
  }

  /// Asks until there is an answer.
  private func carryOut(_ request: Request) async {
    var isUnknown = false
    for attempt in 0..<6 {
      let address = drawAddress()
      let node = state.withLock { $0.nodes[address] }
      database.story.tell("\(request) at node \(node.number)")
      do {
        if request.hasKey, try await node.store.keptAnswer(token: "client", key: request.name) != nil {
          try await node.publisher.serveCommitted()
        } else {
          try await perform(request, at: node, address)
        }
        return acknowledge(request, address)
      } catch StoreError.database(let failure) {
        database.story.tell("\(request.name) at node \(node.number): \(failure.rawValue)")
        if failure == .connectionLost { isUnknown = true }
        guard request.hasKey || !isUnknown else { break }
      } catch is NotServedYet {
        isUnknown = true
        guard request.hasKey else { break }
      } catch is HandingOver {
      } catch StoreError.conflict(code: "idempotency-key-running", _, _) {
        isUnknown = true
      } catch {
        // What another attempt has done may be why this one is refused.
        if request.hasKey, attempt > 0 { isUnknown = true }
        if !isUnknown { return refuse(request, error) }
        break
      }
      try? await Task.sleep(for: chance.milliseconds(upTo: 800))
    }
    if !isUnknown { refuse(request, HandingOver()) }
  }

  private func perform(_ request: Request, at node: SimulatedNode, _ address: Int) async throws {
    let (store, publisher, actor) = (node.store, node.publisher, Actor(name: request.name))
    let item = ItemDefinition(id: "item", kind: "card", content: ["title": .string(request.text)])
    switch request.change {
    case .push(let page, let section):
      let made = try await publisher.publish(
        page, .content(section: section.rawValue, .put(item)), if: .none, by: actor, keeping: keeper(of: request))
      promise([made.revision], at: address)
    case .edit(let page):
      try await store.edit(page, "notes", .put(item), if: .none, by: actor, keeping: keeper(of: request))
    case .publish(let page):
      let made = try await publisher.publish(page, .draft, if: .forced, by: actor, keeping: keeper(of: request))
      promise([made.revision], at: address)
    case .schedule(let page, let at):
      let made = try await store.schedulePublish(
        page, .sections(["notes"]), at: Instant(secondsSinceEpoch: at), zone: "UTC", message: nil, if: .forced,
        by: actor, keeping: keeper(of: request)
      ) { _ = publisher.makeEdition($0) }
      await publisher.takeSchedules(adding: made)
      state.withLock { $0.scheduled.append((request.number, page, made.id)) }
    case .cancel(let page, _, let id):
      try await store.cancelScheduledPublish(page, id, by: actor, keeping: keeper(of: request))
      await publisher.takeSchedules()
    case .withhold:
      let made = try await publisher.changeWithheld(
        .items, "picture", .withhold(Documents.phones, reason: request.text), if: .none, by: actor,
        keeping: keeper(of: request), problems: { _, _ in .array([]) })
      promise(made.revisions.map(\.revision), at: address)
    case .lift:
      let made = try await publisher.changeWithheld(
        .items, "picture", .lift, if: .forced, by: actor, keeping: keeper(of: request), problems: { _, _ in .array([]) }
      )
      promise(made.revisions.map(\.revision), at: address)
    case .kinds(let kinds):
      let made = try await publisher.changeKinds(
        to: Documents.kinds[kinds], isForced: false, by: actor, keeping: keeper(of: request))
      promise(made.revisions, at: address)
    }
  }

  private func keeper<Value: Sendable>(of request: Request) -> AnswerKeeper<Value>? {
    guard request.hasKey else { return nil }
    return AnswerKeeper(token: "client", key: request.name) { _ in
      KeptAnswer(fingerprint: request.name, status: 200, body: "", tag: nil)
    }
  }

  // MARK: What must be so

  private func promise(_ revisions: [Revision], at address: Int) {
    state.withLock { state in
      for revision in revisions {
        let former = state.promised[address][revision.page]
        state.promised[address][revision.page] = max(former ?? revision.edition, revision.edition)
      }
      // What was promised must be so at once.
      state.seen[address] = .max
    }
    look()
  }

  private func acknowledge(_ request: Request, _ address: Int) {
    database.story.tell("\(request.name) is acknowledged")
    state.withLock { state in
      let isRepeated = state.requests[request.number].fate == .acknowledged
      state.requests[request.number].fate = .acknowledged
      guard case .withhold = request.change else { return }
      // What was asked for before may be done after it, and a repeat tells of what was done.
      let lifts = state.requests.contains {
        guard case .lift = $0.request.change else { return false }
        return $0.request.number > request.number || $0.fate == .running || isRepeated
      }
      if !lifts { state.withholds.insert(address) }
      state.seen[address] = .max
    }
    if mainRows(of: request) == 0, mustLeaveRow(request) {
      violated("\(request) was acknowledged, and is not in the store")
    }
    look()
  }

  /// The same kinds again are no change.
  private func mustLeaveRow(_ request: Request) -> Bool {
    if case .kinds = request.change { false } else { true }
  }

  private func refuse(_ request: Request, _ error: any Error) {
    database.story.tell("\(request.name) is refused: \(error)")
    let isAlone = state.withLock { state in
      guard state.requests[request.number].fate == .running else { return false }
      if !request.hasKey { state.requests[request.number].fate = .refused }
      return !request.hasKey
    }
    if isAlone, mainRows(of: request) > 0 { violated("\(request) was refused (\(error)), and is in the store") }
  }

  /// Nobody asks for it any more.
  private func settle(_ request: Request) {
    state.withLock { state in
      if state.requests[request.number].fate == .running { state.requests[request.number].fate = .unknown }
    }
  }

  private func mainRows(of request: Request) -> Int {
    (try? database.changes(by: request.name))?.count { !$0.isTouch } ?? 0
  }

  /// Looks at what is served.
  ///
  /// - Returns: Whether something was wrong.
  @discardableResult
  private func look() -> Bool {
    state.withLock { state in
      for (address, node) in state.nodes.enumerated() {
        // As a loop does, which keeps the lineup that it has taken.
        var lineup = state.loops[node.number] ?? node.publisher.live.lineup
        if lineup.isOver { lineup = lineup.newest }
        state.loops[node.number] = lineup
        guard lineup.number != state.seen[address] else { continue }
        state.seen[address] = lineup.number
        let numbers = lineup.inOrder.map { "\($0.page) \($0.number)" }.joined(separator: ", ")
        database.story.tell("node \(node.number) serves \(numbers); due: \(lineup.scheduled)")
        for (page, promised) in state.promised[address] {
          let number = lineup.edition(of: page)?.number
          if number.map({ $0 < promised }) ?? true {
            state.violations.append(
              "\(page) at \(address): \(promised) was served or promised, and now \(number.map { "\($0)" } ?? "nothing")"
            )
          }
        }
        for edition in lineup.inOrder {
          let former = state.promised[address][edition.page]
          state.promised[address][edition.page] = max(former ?? edition.number, edition.number)
          let content = Model.Content(edition.plan.definition, edition.plan.kinds)
          if !content.isWithheld, state.withholds.contains(address) {
            state.violations.append("\(edition.page) at \(address) shows what is withheld")
          }
          if let other = state.served[edition.page]?[edition.revision], other != content {
            state.violations.append("\(edition.page) \(edition.number) was served as \(other), and as \(content)")
          }
          state.served[edition.page, default: [:]][edition.revision] = content
        }
      }
      return !state.violations.isEmpty
    }
  }

  /// Compares what there is at the end with the model.
  private func judge() throws {
    look()
    let (requests, nodes, served) = state.withLock { ($0.requests, $0.nodes, $0.served) }
    var model = Model(pages: Documents.pages)
    var rows: [Int: Int] = [:]
    for change in try database.changes() where change.actor.contains("request") {
      guard let number = change.actor.split(separator: " ").last.flatMap({ Int($0) }) else { continue }
      if !change.isTouch, change.action != "page.publish.scheduled" { rows[number, default: 0] += 1 }
      let wrong = model.carryOut(requests[number].request, change.action, page: change.page, at: change.at)
      if let wrong { violated("\(change.actor), \(change.action): \(wrong)") }
    }
    for (request, fate) in requests {
      let count = rows[request.number, default: 0]
      let isRight =
        switch fate {
        case .acknowledged: count == 1 || count == 0 && !mustLeaveRow(request)
        case .refused: count == 0
        case .unknown: count <= 1
        case .running: false
        }
      if !isRight { violated("\(request) is \(fate), and \(count) times in the store") }
    }
    for (_, due) in model.scheduled.sorted(by: { $0.key < $1.key }) {
      violated("\(due.page) was due at \(due.at), and was not published")
    }
    for (page, wanted) in model.pages.sorted(by: { $0.key < $1.key }) {
      let live = try database.live(page)
      if live != wanted.live { violated("\(page): revision \(live ?? 0) is live in the store, and not \(wanted.live)") }
      for (number, content) in (served[page] ?? [:]).sorted(by: { $0.key < $1.key })
      where wanted.revisions[number] != content {
        violated("\(page) \(number) was served as \(content), and is \(wanted.revisions[number] ?? Model.Content())")
      }
      for node in nodes {
        let number = node.publisher.live.lineup.edition(of: page)?.revision
        let content = node.content(of: page)
        if number != wanted.live || content != wanted.content {
          violated(
            "node \(node.number) serves \(page) \(number ?? 0) as \(content ?? Model.Content()), and not \(wanted.live), \(wanted.content)"
          )
        }
      }
    }
    for node in nodes {
      if node.publisher.kinds.hash != Documents.kinds[model.kinds].hash {
        violated("node \(node.number) has other kinds")
      }
      let scheduled = node.publisher.live.lineup.scheduled
      if !scheduled.isEmpty { violated("node \(node.number) waits for \(scheduled)") }
    }
  }

  /// What is not over, where the simulation did not end.
  private func noteHang(_ course: Simulation.Course) {
    let running = state.withLock { $0.requests.filter { $0.fate == .running }.map(\.request) }
    violated("nothing goes on after \(course.duration): \(running)")
  }
}
