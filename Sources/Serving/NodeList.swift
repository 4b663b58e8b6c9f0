import Foundation
package import JSON
package import Layout
package import Storage
import Synchronization

/// The nodes that serve one database: tells the others what this one serves, and knows what they said. Where one process
/// alone can serve the database, that is all there is.
package final class NodeList: BackgroundService {
  /// A node silent for longer is gone.
  package static let silenceMax = Duration.seconds(15)
  /// How often a node tells that it is there.
  private static let interval = Duration.seconds(5)
  /// How often a waiting publish checks the nodes that it waits for.
  private static let lookInterval = Duration.milliseconds(20)

  private struct State {
    var own: Node
    /// The number of the lineup that its pages are of.
    var lineup: UInt64 = 0
    var others: [SeenNode] = []
    /// When the others were read.
    var readAt = ContinuousClock.now
    /// When the others are told next.
    var tellAt = ContinuousClock.now
    /// Whether they were never told.
    var isFirst = true
  }

  private let store: Store
  private let state: Mutex<State>
  package let wake = Wake()

  package init(store: Store, name: String, address: String, version: String, since: Instant) {
    self.store = store
    let own = Node(
      instance: UUID().uuidString, name: name, address: address, since: since, version: version, schema: store.schema)
    state = Mutex(State(own: own))
  }

  /// For how long this node has not known whether it serves what is live.
  package let age = ServedAge()

  /// Takes up what all loops serve, and tells the others.
  package func serves(_ lineup: Lineup) {
    let pages = lineup.editions.mapValues(\.number)
    let isNew = state.withLock { state in
      // Two calls may come in the wrong order.
      guard lineup.number >= state.lineup else { return false }
      state.lineup = lineup.number
      defer { state.own.pages = pages }
      return state.own.pages != pages
    }
    if isNew { wake() }
  }

  /// Takes up why this node cannot serve what the database has, and tells the others; `nil` once it can.
  ///
  /// - Returns: Whether that is new.
  package func note(problem: Node.Problem?) -> Bool {
    let isNew = state.withLock { state in
      defer { state.own.problem = problem }
      return state.own.problem != problem
    }
    if isNew { wake() }
    return isNew
  }

  /// The live nodes that cannot serve what the database has.
  package var failing: [Node] { alive.filter { $0.problem != nil } }

  package var isDue: Bool { store.isShared && state.withLock { $0.tellAt.hasCome } }

  /// Tells the others what this node serves, and that it is there.
  package func turn() async {
    guard store.isShared else { return }
    let (own, isFirst) = state.withLock { state in
      // What could not be told is told soon.
      state.tellAt = .now
      return (state.own, state.isFirst)
    }
    guard let report = try? await store.announce(own, isFirst: isFirst) else { return }
    state.withLock { state in
      state.isFirst = false
      state.tellAt = .now + Self.interval
    }
    take(report)
  }

  /// Tells the others that this node has ended.
  package func end() async { try? await store.withdraw(state.withLock { $0.own.instance }) }

  private func take(_ report: [SeenNode]) {
    state.withLock { state in
      state.others = report.filter { $0.node.instance != state.own.instance }
      state.readAt = .now
    }
  }

  /// Reads what the others serve.
  ///
  /// - Throws: ``StoreError`` when the database cannot be read; what was known of them stays.
  package func refresh(until deadline: ContinuousClock.Instant) async throws {
    if let report = try await store.nodes(until: deadline) { take(report) }
  }

  /// The nodes that were heard of within an hour, this one first.
  package var nodes: [(node: Node, silence: Duration, isThis: Bool)] {
    state.withLock { state in
      let since = ContinuousClock.now - state.readAt
      return [(state.own, .zero, true)] + state.others.map { ($0.node, $0.silence + since, false) }
    }
  }

  /// The nodes that are alive, this one first.
  package var alive: [Node] { nodes.filter { $0.silence <= Self.silenceMax }.map(\.node) }

  /// Which of some nodes say why they cannot serve what the database has; `nil` when none does.
  package static func problems(of nodes: some Sequence<Node>) -> JSON? {
    let problems = nodes.compactMap { node in
      node.problem.map { problem in
        JSON.object([
          "name": .string(node.name), "problem": .string(problem.text), "problemCode": .string(problem.code),
        ])
      }
    }
    return problems.isEmpty ? nil : .array(problems)
  }

  /// Which nodes serve an edition of a page, or a later one, as they said last.
  package func serving(_ page: String, _ edition: EditionNumber) -> ServingNodes {
    let alive = alive
    return ServingNodes(
      aliveCount: alive.count, missing: alive.filter { node in node.pages[page].map { $0 < edition } ?? true })
  }

  /// Which nodes serve the editions of some pages, or later ones, as soon as all that are alive do.
  ///
  /// - Parameters:
  ///   - end: Until when to wait for them; what is known then is the answer.
  ///   - isOver: Whether nobody may wait any longer.
  package func serving(
    _ editions: [String: EditionNumber], until end: ContinuousClock.Instant, unless isOver: () -> Bool
  ) async -> ServingNodes {
    while true {
      // What cannot be read is as it was known last.
      try? await refresh(until: max(end, .now + .milliseconds(200)))
      let alive = alive
      let missing = alive.dropFirst().filter { node in
        editions.contains { page, edition in node.pages[page].map { $0 < edition } ?? true }
      }
      if missing.isEmpty || ContinuousClock.now >= end || isOver() {
        return ServingNodes(aliveCount: alive.count, missing: Array(missing))
      }
      try? await Task.sleep(for: Self.lookInterval)
    }
  }
}

/// Which nodes serve what was made live.
package struct ServingNodes {
  package var aliveCount: Int
  /// Those that are alive and do not.
  package var missing: [Node]

  /// As a body has it.
  package var json: JSON {
    var object: JSONObject = ["serving": .count(aliveCount - missing.count), "of": .count(aliveCount)]
    if !missing.isEmpty { object["missing"] = .names(missing.map(\.name)) }
    object["problems"] = NodeList.problems(of: missing)
    return .object(object)
  }

  /// As `Hearth-Nodes` has it, a dictionary of RFC 8941, where the body is something else.
  package var fieldValue: String {
    let counts = "serving=\(aliveCount - missing.count), of=\(aliveCount)"
    guard !missing.isEmpty else { return counts }
    // The characters that a string of it may have.
    let names = missing.map { node in
      "\"" + node.name.map { (" "..."~").contains($0) && $0 != "\"" && $0 != "\\" ? String($0) : "?" }.joined() + "\""
    }
    return "\(counts), missing=(\(names.joined(separator: " ")))"
  }
}
