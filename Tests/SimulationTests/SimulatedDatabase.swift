import GRDB
import Layout
import Synchronization

@testable import Storage

/// What the way to the database is like.
enum Weather: CaseIterable {
  /// Each answer comes, sooner or later.
  case calm
  /// Answers may take seconds.
  case slow
  /// Nobody answers.
  case gone
  /// Some connections end while a change is committed, before or after it is.
  case cutting
}

/// Where the connection ends: before a change is committed, or before that is told.
enum Cut: CaseIterable { case before, after }

/// A database in memory that several nodes share, as those of a server do.
final class SimulatedDatabase: Sendable {
  private struct State {
    var weather = Weather.calm
    /// How many changes there were, and how many of each node it has heard of.
    var changes = 0
    var own: [Int: Int] = [:]
    var wakes: [Int: @Sendable () -> Void] = [:]
  }

  private let queue: DatabaseQueue
  let chance: Chance
  let story: Story
  private let state = Mutex(State())

  /// A database without content.
  init(_ chance: Chance) throws {
    (self.chance, story) = (chance, Story(isOn: false))
    queue = try DatabaseQueue()
    let migrations = try DatabaseLocation.file("").migrations()
    try queue.write { db in for migration in migrations { try db.execute(sql: migration.sql) } }
  }

  /// A database that begins as a template. It takes over the connection of the one before, whose statements are prepared.
  ///
  /// - Parameter tells: Whether what happens is noted.
  init(_ chance: Chance, copying template: SimulatedDatabase, after former: SimulatedDatabase?, tells: Bool) throws {
    (self.chance, story) = (chance, Story(isOn: tells))
    queue = try former?.queue ?? DatabaseQueue()
    try template.queue.backup(to: queue)
  }

  var weather: Weather {
    get { state.withLock { $0.weather } }
    set {
      story.tell("the weather is \(newValue)")
      state.withLock { $0.weather = newValue }
    }
  }

  /// How many changes are those of other nodes, as far as a node can tell.
  func changes(notOf node: Int) -> Int { state.withLock { $0.changes - $0.own[node, default: 0] } }

  func whenChanged(by node: Int, _ wake: @Sendable @escaping () -> Void) {
    state.withLock { $0.wakes[node] = wake }
  }

  /// Counts a change, and tells the other nodes: late, twice, or not at all.
  ///
  /// - Parameter isHeardOf: Whether the node that made it gets the answer.
  private func note(changeOf node: Int, isHeardOf: Bool) {
    let others = state.withLock { state in
      state.changes += 1
      if isHeardOf { state.own[node, default: 0] += 1 }
      return state.wakes.filter { $0.key != node }.sorted { $0.key < $1.key }.map(\.value)
    }
    for wake in others {
      for _ in 0..<chance.one(of: [0, 1, 1, 2]) {
        Task { [chance] in
          try? await Task.sleep(for: chance.milliseconds(upTo: 300))
          wake()
        }
      }
    }
  }

  /// Runs a body in a snapshot.
  func snapshot<Value>(_ body: (any DatabaseConnection) throws -> Value) throws -> Value {
    try queue.writeWithoutTransaction { db in
      var value: Value?
      try db.inTransaction(.deferred) {
        value = try body(SQLiteConnection(db))
        return .commit
      }
      guard let value else { throw StoreError.database(.inputOutput) }
      return value
    }
  }

  /// Runs a body in a transaction, and commits it.
  ///
  /// - Parameter cut: Where the connection ends.
  func commit<Value>(by node: Int, _ cut: Cut?, _ body: (any DatabaseConnection) throws -> Value) throws -> Value {
    var hasChanged = false
    let value = try queue.writeWithoutTransaction { db in
      var value: Value?
      try db.inTransaction(.immediate) {
        let before = db.totalChangesCount
        value = try body(SQLiteConnection(db))
        hasChanged = db.totalChangesCount != before
        if hasChanged { try ChangeNumber.current(db).next.set(db) }
        if cut == .before { throw StoreError.database(.connectionLost) }
        return .commit
      }
      return value
    }
    if hasChanged || cut != nil { story.tell("node \(node) commits, cut \(cut.map { "\($0)" } ?? "never")") }
    if hasChanged { note(changeOf: node, isHeardOf: cut == nil) }
    guard let value, cut == nil else { throw StoreError.database(.connectionLost) }
    return value
  }

  /// The audit, for whoever checks.
  ///
  /// - Parameter actor: Whose part of it; all when `nil`.
  func changes(by actor: String? = nil) throws -> [StoredChange] {
    try queue.read { db in
      let rows = try GRDB.Row.fetchAll(
        db, sql: "SELECT * FROM audit WHERE actor = :actor OR :actor IS NULL ORDER BY id", arguments: ["actor": actor])
      return rows.map { StoredChange(actor: $0["actor"], action: $0["action"], page: $0["page"], at: $0["at"]) }
    }
  }

  /// The live revision of a page.
  func live(_ page: String) throws -> Int? {
    try queue.read { db in try Int.fetchOne(db, sql: "SELECT live FROM pages WHERE id = ?", arguments: [page]) }
  }
}

/// What the audit tells of a change.
struct StoredChange {
  var actor: String
  var action: String
  var page: String?
  var at: Int64

  /// Whether it is of a page that another change has touched.
  var isTouch: Bool { ["page.kinds", "page.withhold", "page.lift"].contains(action) }
}
