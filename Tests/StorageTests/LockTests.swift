import Foundation
import GRDB
import Layout
import Testing

@testable import Storage

/// The write lock that another process has, until it ends.
final class Lock {
  private let connection: DatabaseQueue

  init(_ temporary: TemporaryStore) throws {
    var configuration = Configuration()
    configuration.allowsUnsafeTransactions = true
    connection = try DatabaseQueue(path: temporary.path, configuration: configuration)
    try connection.inDatabase { db in try db.execute(sql: "BEGIN IMMEDIATE") }
  }

  func end() throws { try connection.inDatabase { db in try db.execute(sql: "ROLLBACK") } }
}

/// While another process holds the database: writes wait for a bounded time, and what only reads for none.
@Suite(.ofSQLite) struct LockTests {
  /// A store whose writes wait for two tenths of a second, or as long as is said.
  private func withHurriedStore(
    waitingMax: Int = 256, waitMax: Duration = .milliseconds(200), _ body: (TemporaryStore) async throws -> Void
  ) async throws {
    try await withStore { temporary in
      var writing = WriteSettings()
      writing.waitMax = waitMax
      writing.waitingMax = waitingMax
      let clock = temporary.clock
      let store = try Store(
        at: .file(temporary.path), migrations: Migration.bundled(), context: Pages.context, writing: writing,
        clock: StoreClock { clock.now })
      try await body(TemporaryStore(folder: temporary.folder, store: store, clock: clock))
    }
  }

  @Test func `many writes wait together as long as one does, and then all go on`() async throws {
    try await withHurriedStore(waitMax: .seconds(1)) { temporary in
      let lock = try Lock(temporary)
      let started = ContinuousClock.now
      let refusals = await withTaskGroup(of: String?.self) { group in
        for _ in 0..<40 { group.addTask { await refusal { try await temporary.store.publish() } } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      // One after the other they would take forty seconds.
      #expect(ContinuousClock.now - started < .seconds(20))
      #expect(refusals == Array(repeating: "database locked", count: 40))
      try lock.end()
      #expect(try await temporary.store.publish().number == 1)
    }
  }

  @Test func `more writes than may wait are refused at once`() async throws {
    let queue = WriteQueue(waitersMax: 2)
    try await queue.enter(until: .now)
    let deadline = ContinuousClock.now + .seconds(30)
    let waiting = (0..<2).map { _ in Task { try await queue.enter(until: deadline) } }
    #expect(try await eventually { queue.count == 2 })
    #expect(await refusal { try await queue.enter(until: deadline) } == "database locked")
    queue.noteLock()
    #expect(await refusal { try await queue.enter(until: deadline) } == "database busy")
    queue.leave()
    try await waiting[0].value
    queue.leave()
    try await waiting[1].value
    queue.leave()
    try await queue.enter(until: .now)
  }

  @Test func `an emergency has its turn before all others, however many wait`() async throws {
    let queue = WriteQueue(waitersMax: 2)
    try await queue.enter(until: .now)
    let deadline = ContinuousClock.now + .seconds(30)
    let sources = (0..<2).map { _ in Task { try await queue.enter(until: deadline) } }
    #expect(try await eventually { queue.count == 2 })
    #expect(await refusal { try await queue.enter(until: deadline) } == "database locked")
    let withheld = Task { try await queue.enter(until: deadline, isUrgent: true) }
    #expect(try await eventually { queue.count == 3 })
    let reloaded = Task { try await queue.enter(until: deadline, isUrgent: true) }
    #expect(try await eventually { queue.count == 4 })
    for next in [withheld, reloaded] + sources {
      queue.leave()
      try await next.value
    }
    queue.leave()
  }

  @Test func `turns are given in order, and a deadline takes none along`() async throws {
    let queue = WriteQueue(waitersMax: 10)
    try await queue.enter(until: .now)
    let late = Task { await refusal { try await queue.enter(until: .now + .milliseconds(50)) } }
    #expect(await late.value == "database locked")
    let next = Task { try await queue.enter(until: .now + .seconds(30)) }
    queue.leave()
    try await next.value
    #expect(await refusal { try await queue.enter(until: .now) } == "database locked")
  }

  @Test func `a token is taken, and a refusal noted, while another process holds the lock`() async throws {
    try await withStore { temporary in
      let store = temporary.store
      let text = try await store.createToken(name: "a", role: .viewer, by: editor).text
      let lock = try Lock(temporary)
      let started = ContinuousClock.now
      for number in 0..<20 {
        #expect(try await store.token(text)?.name == "a")
        await store.recordRefusal("authorisation.failed", by: Actor(name: "unknown"), detail: "request \(number)")
      }
      // Each of them waiting for the lock would take five seconds, and all a hundred.
      #expect(ContinuousClock.now - started < .seconds(50))
      #expect(try await store.tokens().first?.lastUsedAt == temporary.clock.now)
      try lock.end()
      var filter = AuditFilter()
      filter.action = "authorisation.failed"
      let failed = filter
      #expect(try await eventually { try await store.audit(failed, limit: 100).count == 20 })
      let details = try await store.audit(failed, limit: 100).map(\.detail)
      #expect(details == (0..<20).reversed().map { "request \($0)" })
      let saved = try await eventually {
        try temporary.value("SELECT last_used_at FROM tokens", Int64.self) == temporary.clock.now.secondsSinceEpoch
      }
      #expect(saved)
    }
  }

  @Test func `refusals that wait have a bound that counts their bytes, and the audit says how many found no room`()
    async throws
  {
    try await withStore { temporary in
      let store = temporary.store
      let lock = try Lock(temporary)
      let detail = String(repeating: "x", count: 8_000)
      for _ in 0..<400 { await store.recordRefusal("authorisation.failed", by: Actor(name: "unknown"), detail: detail) }
      let waiting = store.laterWrites.batch
      #expect(waiting.refusals.count + waiting.unrecorded == 400)
      #expect(waiting.refusals.count * 8_000 <= LaterWrites.bytesMax)
      try lock.end()
      #expect(try await eventually { store.laterWrites.batch.isEmpty })
      var filter = AuditFilter()
      filter.action = "authorisation.unrecorded"
      // A try that began while refusals came writes what it has found, and the next one the rest.
      let told = try await store.audit(filter, limit: 100).map { $0.detail?.prefix(while: \.isNumber) ?? "" }
      #expect(told.compactMap { Int($0) }.reduce(0, +) == waiting.unrecorded)
    }
  }

  @Test func `a lock that is held is noticed, and its end`() async throws {
    try await withStore { temporary in
      let probe = try DatabaseProbe(temporary.store)
      #expect(await probe.examine() == nil)
      let lock = try Lock(temporary)
      #expect(await probe.examine() == .locked)
      try lock.end()
      #expect(await probe.examine() == nil)
    }
  }
}
