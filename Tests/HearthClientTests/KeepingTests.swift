import Foundation
import HomePayload
import Synchronization
import Testing

@testable import Polling

/// What a client keeps, in which order, and what it does not put over what others kept.
@Suite struct KeepingTests {
  /// A client whose answers are given in turn, on a date that a test sets.
  private static func client(
    _ answers: [TransportAnswer], _ storage: PageStorage?,
    change: (inout PageClientSettings) -> Void = { _ in }
  ) throws -> PageClient {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.timing.pauseMin = 0
    change(&settings)
    let left = Mutex(answers)
    return PageClient(
      settings, storage: storage,
      transport: { _ in
        let answer = left.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let answer else { throw ClientError.unreachable("no network") }
        return answer
      })
  }

  private static func whole(_ page: Page, _ revision: String?) -> TransportAnswer {
    TransportAnswer(
      status: 200, fields: revision.map { ["Hearth-Revision": $0] } ?? [:], body: page.canonicalBytes)
  }

  private static func same(_ revision: String) -> TransportAnswer {
    TransportAnswer(status: 304, fields: ["Hearth-Revision": revision], body: [])
  }

  @Test func `a confirmation is kept, once a minute at most, and the last one when the app goes`() async throws {
    let memory = Memory()
    let day = Day()
    let client = try Self.client(
      [Self.whole(Sample.first, "1.4")] + Array(repeating: Self.same("1.4"), count: 100), memory.storage)
    await client.use { day.date }
    for _ in 0..<12 {
      _ = try await client.poll()
      day.advance(by: 7)
    }
    #expect(memory.saved == 2)
    await client.enterBackground()
    #expect(memory.saved == 3)
    await client.enterBackground()
    #expect(memory.saved == 3)
    day.advance(by: 7 * 86_400)
    _ = try await client.poll()
    #expect(memory.saved == 4)
    let cold = try Self.client([], memory.storage)
    await cold.use { day.date }
    _ = try? await cold.poll()
    #expect(await cold.state.standing == .stale(since: day.date))
  }

  @Test func `a page is kept before it is shown, and a storage that hangs holds it up for a time`() async throws {
    let memory = Memory()
    let shown = Mutex<[Page?]>([])
    let box = Mutex<PageClient?>(nil)
    let storage = PageStorage(
      load: memory.storage.load,
      save: { record in
        let page = await box.withLock { $0 }?.page
        shown.withLock { $0.append(page) }
        try await memory.storage.save(record)
      })
    let client = try Self.client([Self.whole(Sample.first, "1.4"), Self.whole(Sample.second, "1.5")], storage)
    box.withLock { $0 = client }
    _ = try await client.poll()
    _ = try await client.poll()
    #expect(shown.withLock { $0 } == [nil, Sample.first])
    #expect(memory.page == Sample.second)
    box.withLock { $0 = nil }
    let never = PageStorage(load: { nil }, save: { _ in try await sleep(3_600) })
    let patient = try Self.client([Self.whole(Sample.first, "1.4")], never) { $0.timing.keepMax = 0.01 }
    let update = try await patient.poll()
    #expect(update?.page == Sample.first)
    #expect(await patient.storageFailure == "the storage takes longer than 0.01 s")
    await patient.enterBackground()
  }

  @Test func `a storage that brings nothing holds a start up for a time, and replaces nothing newer`() async throws {
    let late = Late()
    let client = try Self.client([Self.whole(Sample.first, "1.7")], late.storage) { $0.timing.keepMax = 0.05 }
    let update = try await client.poll()
    #expect(update?.page == Sample.first)
    try await late.bring(Sample.second, "1.5")
    #expect(await client.page == Sample.first)
    #expect(await client.revision == PageRevision("1.7"))
  }

  @Test func `what a storage brings after a reset is not shown`() async throws {
    let late = Late()
    let client = try Self.client([], late.storage) { $0.timing.keepMax = 0.05 }
    await client.load()
    #expect(await client.storageFailure == "the storage takes longer than 0.05 s")
    await client.reset()
    try await late.bring(Sample.second, "1.5")
    #expect(await client.page == nil)
  }

  @Test func `what a storage brings late is shown at once, though the server does not answer`() async throws {
    let late = Late()
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.timing.keepMax = 0.05
    let client = PageClient(settings, storage: late.storage) { _ in
      try await sleep(3_600)
      throw ClientError.unreachable("no network")
    }
    var states = client.states.makeAsyncIterator()
    #expect(await states.next() == PageState(standing: .noData))
    let bringing = Task {
      await eventually { await client.interruption != nil }
      try await late.bring(Sample.second, "1.5")
    }
    let state = await states.next()
    try await bringing.value
    #expect(state?.standing == .cached)
    #expect(state?.update == PageUpdate(from: nil, to: Sample.second, changes: nil))
    #expect(await client.storageFailure == nil)
  }

  @Test func `of two clients with one storage the one that lags behind keeps nothing over the other`() async throws {
    let memory = Memory()
    let day = Day()
    let late = try Self.client(
      [Self.whole(Sample.first, "1.4"), Self.same("1.4"), Self.whole(Sample.third, "1.6")], memory.storage)
    let early = try Self.client([Self.whole(Sample.second, "1.5")], memory.storage)
    for client in [late, early] { await client.use { day.date } }
    _ = try await late.poll()
    _ = try await early.poll()
    day.advance(by: 86_400)
    _ = try await late.poll()
    #expect(memory.revision == "1.5")
    #expect(memory.page == Sample.second)
    _ = try await late.poll()
    #expect(memory.revision == "1.6")
  }

  @Test func `many clients write one file, and the newest edition stays`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-page-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("home.page")
    let clients = try await withThrowingTaskGroup(of: PageClient.self) { group in
      for number in 1...20 {
        group.addTask {
          let client = try Self.client(
            [Self.whole(number.isMultiple(of: 2) ? Sample.first : Sample.second, "1.\(number)")], .file(file))
          // What each finds there at first is not to count.
          _ = try? await client.poll()
          return client
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(clients.count == 20)
    let stored = try #require(StoredPage(record: try Data(contentsOf: file)))
    #expect(stored.revision == PageRevision("1.20"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["home.page"])
  }

  @Test func `what an app left that ended while it wrote is written over`() async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-page-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appendingPathComponent("home.page")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Data(repeating: 7, count: 1_000).write(to: file.appendingPathExtension("new"))
    let client = try Self.client([Self.whole(Sample.first, "1.4")], .file(file))
    _ = try await client.poll()
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["home.page"])
    #expect(StoredPage(record: try Data(contentsOf: file))?.revision == PageRevision("1.4"))
  }

  @Test func `after a reset a client has nothing, and takes what comes`() async throws {
    let memory = Memory()
    let client = try Self.client(
      [
        Self.whole(Sample.second, "1.57"), Self.whole(Sample.first, "1.2"), Self.whole(Sample.first, "1.2"),
        Self.whole(Sample.first, "1.2"),
      ], memory.storage)
    _ = try await client.poll()
    let older = try #require(PageRevision("1.2"))
    await #expect(throws: ClientError.dropped(older)) { try await client.poll() }
    await client.reset()
    #expect(await client.state == PageState(standing: .noData))
    #expect(await client.revision == nil)
    let cold = try Self.client([], memory.storage)
    await cold.load()
    #expect(await cold.page == nil)
    #expect(await cold.storageFailure == nil)
    let update = try await client.poll()
    #expect(update?.page == Sample.first)
    #expect(memory.revision == "1.2")
  }

  @Test func `who asked before a reset gets what is asked after it`() async throws {
    try await withServer([.silence, .whole(Sample.first).of("1.2")], holding: Sample.second) { client, script in
      let poll = Task { try await client.poll() }
      await eventually { script.asked.count == 1 }
      await client.reset()
      let update = try await poll.value
      #expect(update?.page == Sample.first)
      #expect(script.asked.map(\.held) == [Sample.second.tag, ""])
    }
  }

  @Test func `a preview is nobody's last good page`() async throws {
    let memory = Memory()
    _ = try await Self.client([Self.whole(Sample.first, "1.4")], memory.storage).poll()
    let client = try Self.client([Self.whole(Sample.second, nil)], memory.storage) { $0.preview = "link" }
    let update = try await client.poll()
    #expect(update?.page == Sample.second)
    #expect(memory.page == Sample.first)
  }

  @Test func `a transport that brings more than is allowed brings nothing`() async throws {
    let client = try Self.client([Self.whole(Sample.first, "1.4")], nil) { $0.bodyMax = 100 }
    await #expect(throws: ClientError.tooLong(100)) { try await client.poll() }
  }
}

/// A storage in memory.
private final class Memory: Sendable {
  private let records = Mutex<[Data]>([])

  var storage: PageStorage {
    PageStorage(
      load: { self.records.withLock { $0.last } }, save: { record in self.records.withLock { $0.append(record) } })
  }
  var saved: Int { records.withLock { $0.count } }
  private var stored: StoredPage? { records.withLock { $0.last }.flatMap { StoredPage(record: $0) } }
  var revision: String? { stored?.revision?.description }
  var page: Page? { stored.flatMap { try? Page(bytes: $0.bytes) } }
}

/// A storage that brings what it has when a test says so, and then has nothing.
private final class Late: Sendable {
  private let (brought, bring) = AsyncStream<Data>.makeStream()

  var storage: PageStorage {
    PageStorage(load: { [brought] in await brought.first { _ in true } }, save: { _ in })
  }

  /// Brings a page, and waits until a client may have taken it.
  func bring(_ page: Page, _ revision: String) async throws {
    let record = StoredPage(
      address: "https://home.example.com/v1/pages/home", revision: PageRevision(revision),
      since: Date(timeIntervalSince1970: 0),
      bytes: page.canonicalBytes, signed: nil, highest: [:])
    bring.yield(record.record)
    bring.finish()
    try await sleep(0.1)
  }
}

/// A date that goes on when it is told to.
private final class Day: Sendable {
  private let now = Mutex(Date(timeIntervalSince1970: 1_000_000_000))

  var date: Date { now.withLock { $0 } }
  func advance(by seconds: TimeInterval) { now.withLock { $0 += seconds } }
}

extension PageClient {
  fileprivate func use(date: @escaping @Sendable () -> Date) { self.date = date }
}
