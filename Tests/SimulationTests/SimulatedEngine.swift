import Layout

@testable import Storage

/// One node's way to the database.
final class SimulatedEngine: Engine, Cluster {
  private let base: SimulatedDatabase
  private let node: Int

  init(_ base: SimulatedDatabase, node: Int) { (self.base, self.node) = (base, node) }

  func read<Value: Sendable>(_ body: @Sendable @escaping (Database) throws -> Value) async throws -> Value {
    try await travel()
    let value = try base.snapshot { try body(Database(connection: $0)) }
    try await travel()
    return value
  }

  func write<Value: Sendable>(
    until deadline: ContinuousClock.Instant, whenLocked: @Sendable @escaping () -> Void,
    _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    try await travel()
    guard ContinuousClock.now < deadline else { throw StoreError.database(.locked) }
    let isCut = base.weather == .cutting && base.chance.isOne(in: 3)
    let value = try base.commit(by: node, isCut ? base.chance.one(of: Cut.allCases) : nil) { connection in
      whenLocked()
      return try body(Database(connection: connection))
    }
    await delay()
    return value
  }

  /// The way there, or back.
  private func travel() async throws {
    await delay()
    guard base.weather != .gone else { throw StoreError.database(.unreachable) }
  }

  private func delay() async {
    let chance = base.chance
    switch chance.below(base.weather == .slow ? 4 : 3) {
    case 0: break
    case 1: await Task.yield()
    case 2: try? await Task.sleep(for: chance.milliseconds(upTo: 40))
    default: try? await Task.sleep(for: chance.milliseconds(upTo: 2_000))
    }
  }

  func changesOfOthers() async throws -> Int {
    try await travel()
    let changes = base.changes(notOf: node)
    try await travel()
    return changes
  }

  func whenOthersChange(says: @escaping @Sendable (String) -> Void, _ wake: @escaping @Sendable () -> Void) {
    base.whenChanged(by: node, wake)
  }

  /// Nothing else of a server is simulated.
  func readAtLength(_ body: (Database) throws -> Void) throws {
    try base.snapshot { try body(Database(connection: $0)) }
  }
  func writeAtLength(_ body: (Database) throws -> Void) throws {
    try base.commit(by: node, nil) { try body(Database(connection: $0)) }
  }
  func size() async throws -> Int { 0 }
  var fileIdentity: FileIdentity? { nil }
  func claim() async throws {}
  func backup(to path: String, at instant: Instant) async throws -> Int { throw StoreError.database(.notPermitted) }
  func makeProbe() throws -> @Sendable () async -> StoreError.DatabaseFailure? { { nil } }
  func connect(waiting wait: Duration) async throws {}
  var unsuitableReason: String? { nil }
  var isStandbyMissing: Bool { false }
  var lockHeld: LockHeld? { nil }
  func announce(_ node: Node, isFirst: Bool) async throws -> [SeenNode] { [] }
  func nodes(until deadline: ContinuousClock.Instant) async throws -> [SeenNode] { [] }
  func withdraw(_ instance: String) async throws {}
  func close() async {}
}
