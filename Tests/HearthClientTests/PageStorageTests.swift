import Foundation
import HomePayload
import Synchronization
import Testing

@testable import Polling

/// What a client keeps of a page, and what it makes of what it finds.
@Suite struct PageStorageTests {
  /// A file that is not there yet, in a folder that is not there either.
  private static func withFile(_ body: (URL) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hearth-page-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.appendingPathComponent("home/page"))
  }

  /// A client of answers, whose storage is a file; answers are given in turn, and then there is no network.
  private static func client(
    _ answers: [TransportAnswer] = [], storage: PageStorage, change: (inout PageClientSettings) -> Void = { _ in }
  ) throws -> (PageClient, Requests) {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.appVersion = "6.0.0"
    settings.timing.pauseMin = 0
    change(&settings)
    let requests = Requests(answers)
    return (PageClient(settings, storage: storage, transport: { try requests.answer($0) }), requests)
  }

  /// A client that got the first page and kept it.
  private static func keep(_ file: URL, page: Page = Sample.first) async throws {
    let (client, _) = try client([.whole(page, "1.7")], storage: .file(file))
    let update = try await client.poll()
    #expect(update?.page == page)
    await client.enterBackground()
    #expect(await client.storageFailure == nil)
  }

  @Test func `a cold start shows what was kept, offline as well, and goes on from there`() async throws {
    try await Self.withFile { file in
      try await Self.keep(file)
      let (client, requests) = try Self.client(storage: .file(file))
      var states = client.states.makeAsyncIterator()
      let first = await states.next()
      #expect(first?.standing == .cached)
      #expect(first?.page == Sample.first)
      #expect(requests.asked.isEmpty)
      let second = await states.next()
      if case .stale(since: _?)? = second?.standing {} else { Issue.record("\(String(describing: second))") }
      #expect(requests.asked.map { $0["If-None-Match"] } == [Sample.first.tag])
      let (online, _) = try Self.client(
        [.whole(Sample.second, "1.6"), .whole(Sample.second, "1.6")], storage: .file(file))
      let older = try #require(PageRevision("1.6"))
      await #expect(throws: ClientError.dropped(older)) { try await online.poll() }
      let shown = try await online.waitForPage(timeout: 0)
      #expect(shown == Sample.first)
    }
  }

  @Test func `what is cut anywhere, damaged, foreign or too large is as good as nothing`() async throws {
    try await Self.withFile { file in
      try await Self.keep(file)
      let whole = try Data(contentsOf: file)
      var records = (0..<whole.count).map { whole.prefix($0) }
      for at in stride(from: 0, to: whole.count, by: 7) {
        records.append(whole)
        records[records.count - 1][at] ^= 1
      }
      records += [
        Data("hearth-page 2 ".utf8) + whole.dropFirst(14), Data("{}".utf8), Data(repeating: 10, count: 4_096),
      ]
      for record in records {
        let (client, requests) = try Self.client(
          [.whole(Sample.second, "1.1")], storage: PageStorage(load: { Data(record) }, save: { _ in }))
        let update = try await client.poll()
        #expect(update?.page == Sample.second)
        #expect(requests.asked.map { $0["If-None-Match"] } == [nil])
        #expect(await client.revision == PageRevision("1.1"))
      }
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: UInt64(PageStorage.bytesMax) + 1)
      try handle.close()
      let (client, _) = try Self.client([.whole(Sample.second, "1.1")], storage: .file(file))
      #expect(await client.state.standing == .noData)
      let later = try await client.poll()
      #expect(later?.page == Sample.second)
    }
  }

  @Test func `another page's or server's is not shown; another version's is, and asked for whole`() async throws {
    try await Self.withFile { file in
      try await Self.keep(file)
      let elsewhere: [(inout PageClientSettings) -> Void] = [
        { $0.page = "activity" }, { $0.server = URL(string: "https://other.example.com") ?? $0.server },
      ]
      for change in elsewhere {
        let (client, _) = try Self.client(storage: .file(file), change: change)
        await client.load()
        #expect(await client.state.standing == .noData)
      }
      let (client, requests) = try Self.client([.whole(Sample.first, "1.7")], storage: .file(file)) {
        $0.appVersion = "6.1.0"
      }
      await client.load()
      #expect(await client.state.page == Sample.first)
      let again = try await client.poll()
      #expect(again == nil)
      #expect(requests.asked.map { $0["If-None-Match"] } == [nil])
      await client.enterBackground()
      let (next, later) = try Self.client(storage: .file(file)) { $0.appVersion = "6.1.0" }
      _ = try? await next.poll()
      #expect(later.asked.map { $0["If-None-Match"] } == [Sample.first.tag])
    }
  }

  @Test func `what a newer server adds is kept, for a later version of the library`() async throws {
    try await Self.withFile { file in
      let text = String(decoding: Sample.first.canonicalBytes, as: UTF8.self)
      let bare = text.replacing(",\"version\":\"\(Sample.first.version)\"", with: "").dropLast() + ",\"later\":1}"
      let version = Page.version(of: Array(bare.utf8))
      let newer = bare.replacing("{\"page\":\"home\"", with: "{\"page\":\"home\",\"version\":\"\(version)\"")
      let answer = TransportAnswer(status: 200, fields: ["Hearth-Revision": "1.7"], body: Array(newer.utf8))
      let same = TransportAnswer(status: 304, fields: ["Hearth-Revision": "1.8"], body: [])
      let (client, _) = try Self.client([answer, same], storage: .file(file))
      let update = try await client.poll()
      #expect(update?.page.version == version)
      let unchanged = try await client.poll()
      #expect(unchanged == nil)
      await client.enterBackground()
      let stored = try #require(StoredPage(record: try Data(contentsOf: file)))
      #expect(stored.bytes == Array(newer.utf8))
      #expect(stored.revision == PageRevision("1.8"))
      let (next, requests) = try Self.client(storage: .file(file))
      _ = try? await next.poll()
      #expect(requests.asked.map { $0["If-None-Match"] } == ["W/\"\(version)\""])
    }
  }

  @Test func `a storage that is full or read-only harms nothing, and is tried again`() async throws {
    try await Self.withFile { file in
      try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
      let same = TransportAnswer(status: 304, fields: [:], body: [])
      let (client, _) = try Self.client([.whole(Sample.first, "1.7"), same], storage: .file(file))
      let update = try await client.poll()
      #expect(update?.page == Sample.first)
      await client.enterBackground()
      #expect(await client.storageFailure != nil)
      #expect(await client.page == Sample.first)
      try FileManager.default.removeItem(at: file)
      let unchanged = try await client.poll()
      #expect(unchanged == nil)
      await client.enterBackground()
      #expect(await client.storageFailure == nil)
      let kept = try Data(contentsOf: file)
      #expect(StoredPage(record: kept)?.revision == PageRevision("1.7"))
    }
  }

  @Test func `of processes that share a file each finds it whole, and never older than what it kept itself`()
    async throws
  {
    try await Self.withFile { file in
      async let first: Void = Self.keepAgainAndAgain(file.path)
      async let second: Void = Self.keepAgainAndAgain(file.path)
      async let third: Void = Self.keepAgainAndAgain(file.path)
      _ = await (first, second, third)
      let record = try Data(contentsOf: file)
      #expect(StoredPage(record: record)?.revision == PageRevision("1.200"))
      let left = try FileManager.default.contentsOfDirectory(atPath: file.deletingLastPathComponent().path)
      #expect(left == ["page"])
    }
  }

  /// Another process of the app, which keeps 200 editions.
  private static func keepAgainAndAgain(_ path: String) async {
    await #expect(processExitsWith: .success) { [path = path as String] in
      let storage = PageStorage.file(URL(fileURLWithPath: path))
      for number in 1...200 {
        let page = StoredPage(
          address: "https://home.example.com/v1/pages/home", revision: PageRevision(generation: 1, number: number),
          since: Date(timeIntervalSince1970: 0), bytes: Array(repeating: 0x20, count: 20_000))
        var isKept = false
        while !isKept {
          do {
            try await storage.replace(with: page.record) { there in
              StoredPage(record: there).map { !page.isOlder(than: $0, at: Date()) } ?? true
            }
            isKept = true
          } catch let error as CocoaError where error.code == .fileLocking {
            // On a busy machine the others may have the folder for longer than one waits.
          }
        }
        let there = try #require(try await storage.load().flatMap { StoredPage(record: $0) })
        try #require(there.revision.map { $0.number >= number } == true)
      }
    }
  }

  @Test func `while another process has the store nothing is kept, which is said, and it is tried again`() async throws
  {
    try await Self.withFile { file in
      let folder = file.deletingLastPathComponent()
      let lock = try #require(try await FolderLock.take(folder))
      let same = TransportAnswer(status: 304, fields: [:], body: [])
      let (client, _) = try Self.client([.whole(Sample.first, "1.7"), same], storage: .file(file))
      #expect(try await client.poll()?.page == Sample.first)
      // A poll does not wait for long.
      await eventually { await client.storageFailure != nil }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      lock.release()
      #expect(try await client.poll() == nil)
      await eventually { await client.storageFailure == nil }
      #expect(StoredPage(record: try Data(contentsOf: file))?.revision == PageRevision("1.7"))
    }
  }

  @Test func `the date that jumps is no reason to take a page for newer than now`() async throws {
    let ahead = StoredPage(
      address: "https://home.example.com/v1/pages/home?appVersion=6.0.0", revision: nil,
      since: Date(timeIntervalSinceNow: 1e9), bytes: Sample.first.canonicalBytes
    ).record
    let (client, _) = try Self.client(storage: PageStorage(load: { ahead }, save: { _ in }))
    _ = try? await client.poll()
    if case .stale(let since?) = await client.state.standing {
      #expect(since <= Date())
    } else {
      Issue.record("not stale")
    }
  }

  /// Against FIPS 180-4 by the system's library.
  @Test func `our own SHA-256 is that of others, at any length`() {
    for count in 0..<300 {
      let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ count) }
      #expect(PortableSHA256.hash(bytes) == Digest.sha256(bytes), "\(count)")
    }
  }
}

/// Answers in turn, then no network; and what was asked.
private final class Requests: Sendable {
  private let answers: Mutex<[TransportAnswer]>
  private let requests = Mutex<[TransportRequest]>([])

  init(_ answers: [TransportAnswer]) { self.answers = Mutex(answers) }

  var asked: [TransportRequest] { requests.withLock { $0 } }

  func answer(_ request: TransportRequest) throws -> TransportAnswer {
    requests.withLock { $0.append(request) }
    let answer = answers.withLock { $0.isEmpty ? nil : $0.removeFirst() }
    guard let answer else { throw ClientError.unreachable("no network") }
    return answer
  }
}

extension TransportAnswer {
  fileprivate static func whole(_ page: Page, _ revision: String) -> TransportAnswer {
    TransportAnswer(status: 200, fields: ["Hearth-Revision": revision], body: page.canonicalBytes)
  }
}
