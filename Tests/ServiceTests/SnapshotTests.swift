import Foundation
import GRDB
import Glibc
import JSON
import Layout
import Peers
import Service
import Storage
import Testing

@testable import Serving

/// A node begins with what it had ready, where the database confirms it; whatever is wrong with the file costs a slower
/// start and nothing else.
@Suite struct SnapshotTests {
  private static let push = "/pages/home/sections/bottom/content?publish=true"

  private static func content(_ title: String) -> String {
    #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
  }

  private static func start(
    _ documents: [String] = [], kinds: String = Demo.tinyKinds, in folder: String, clock: TestClock = TestClock()
  ) async throws -> RunningServer {
    try await RunningServer(documents, kinds: kinds, folder: folder, clock: clock) {
      $0.servedFile = folder + "/served"
      $0.snapshotFile = folder + "/snapshot"
    }
  }

  /// A folder whose server has ended, and what it answered last.
  private static func ended(
    _ document: String = Demo.long, _ body: (RunningServer) async throws -> Void = { _ in }
  ) async throws -> (folder: String, last: Reply) {
    let folder = try RunningServer.makeFolder()
    let server = try await start([document], in: folder)
    try await body(server)
    let last = try await server.get("/v1/home")
    try await server.stop(keepsFolder: true)
    return (folder, last)
  }

  /// Changes the content of what is stored behind the back of all fingerprints, so that only what was ready is as before.
  private static func spoil(_ folder: String) throws {
    let spoiling = """
      UPDATE section_documents SET document = replace(document, 'Scan', 'Spoiled');
      UPDATE section_pieces SET text = replace(text, 'Scan', 'Spoiled')
      """
    guard !TestEngine.isPostgreSQL else {
      try TestEngine.psql("ALTER TABLE section_documents DISABLE TRIGGER ALL; \(spoiling)", in: folder)
      return
    }
    var configuration = Configuration()
    configuration.busyMode = .timeout(10)
    try DatabaseQueue(path: folder + "/hearth.db", configuration: configuration).write { db in
      let triggers = """
        SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name IN ('section_documents', 'section_pieces')
        """
      for name in try String.fetchAll(db, sql: triggers) { try db.execute(sql: "DROP TRIGGER \(name)") }
      try db.execute(sql: spoiling)
    }
  }

  private static func reasons(_ server: RunningServer) async throws -> [String] {
    let status = try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
    return (status["reasons"]?.array ?? []).compactMap(\.string)
  }

  @Test func `a start takes what was ready, and no more from the database than that it is live`() async throws {
    let (folder, last) = try await Self.ended()
    try Self.spoil(folder)
    let server = try await Self.start(in: folder)
    let poll = try await server.get("/v1/home")
    #expect(poll.text == last.text)
    #expect(poll["ETag"] == last["ETag"])
    #expect(poll["Hearth-Revision"] == last["Hearth-Revision"])
    #expect(try await server.get("/v1/home", ["If-None-Match": last["ETag"] ?? ""]).status == 304)
    // A client that nobody has asked for yet, of the same definitions.
    #expect(try await server.get("/v1/home?locale=en").text.contains(#""title":"Scan""#))
    try await server.stop()
  }

  @Test func `what is published goes on from what a start took`() async throws {
    let (folder, last) = try await Self.ended()
    let server = try await Self.start(in: folder)
    #expect(try await server.admin("PUT", Self.push, Self.content("new"), ["If-Match": "*"]).status == 200)
    let poll = try await server.get("/v1/home")
    #expect(poll.text.contains(#""title":"new""#))
    let changes = try await server.get("/v1/home", ["If-None-Match": last["ETag"] ?? "", "A-IM": "hearth-changes"])
    #expect([200, 226].contains(changes.status))
    try await server.stop()
  }

  @Test func `the file is the owner's, and holds what is live within seconds of a publish`() async throws {
    let folder = try RunningServer.makeFolder()
    let server = try await Self.start([Demo.tiny], in: folder)
    func revision() throws -> Int? {
      let file = SnapshotFile(path: folder + "/snapshot", setup: try Self.setup(folder))
      return try file.read().flatMap(Snapshot.init)?.pages.first?.number.revision
    }
    try await waitUntil { FileManager.default.fileExists(atPath: folder + "/snapshot") }
    #expect(try await server.admin("PUT", Self.push, Self.content("new"), ["If-Match": "*"]).status == 200)
    try await waitUntil { try revision() == 2 }
    let mode = try FileManager.default.attributesOfItem(atPath: folder + "/snapshot")[.posixPermissions] as? Int
    #expect(mode == 0o600)
    let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    #expect(metrics.contains("hearth_snapshot_failed 0"))
    #expect(metrics.contains("hearth_snapshot_age_seconds "))
    try await server.stop()
  }

  /// The word of the file's first line that says what it was made with.
  private static func setup(_ folder: String) throws -> String {
    let bytes = FileManager.default.contents(atPath: folder + "/snapshot") ?? Data()
    let words = String(decoding: bytes.prefix(256), as: UTF8.self).split(separator: " ")
    return words.count > 2 ? String(words[2]) : ""
  }

  /// What can be in the place of a snapshot.
  enum Damage: String, CaseIterable {
    case cutOff, lineAlone, empty, bit, textOfOthers, otherForm, folder, pipe, huge

    func apply(to path: String) throws {
      let files = FileManager.default
      switch self {
      case .cutOff: try SnapshotTests.cut(path, to: 0.7)
      case .lineAlone: try SnapshotTests.cut(path, to: 0.01)
      case .empty: try SnapshotTests.cut(path, to: 0)
      case .bit:
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: URL(filePath: path))
      case .textOfOthers: try "not a snapshot\n".write(toFile: path, atomically: false, encoding: .utf8)
      case .otherForm:
        var bytes = try Data(contentsOf: URL(filePath: path))
        bytes.replaceSubrange(0..<17, with: Data("hearth-snapshot 9".utf8))
        try bytes.write(to: URL(filePath: path))
      case .folder:
        try files.removeItem(atPath: path)
        try files.createDirectory(atPath: path, withIntermediateDirectories: false)
      case .pipe:
        try files.removeItem(atPath: path)
        let made = unsafe mkfifo(path, 0o600)
        try #require(made == 0)
      case .huge:
        try SnapshotTests.cut(path, to: 0)
        let file = try #require(FileHandle(forWritingAtPath: path))
        try file.truncate(atOffset: UInt64(SnapshotFile.bytesMax) + 1)
      }
    }
  }

  private static func cut(_ path: String, to share: Double) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    let size = try file.seekToEnd()
    try file.truncate(atOffset: UInt64(Double(size) * share))
  }

  @Test(arguments: Damage.allCases)
  func `a file that is none is left aside, and the database is served`(damage: Damage) async throws {
    let (folder, last) = try await Self.ended()
    try damage.apply(to: folder + "/snapshot")
    try Self.spoil(folder)
    let server = try await Self.start(in: folder)
    let poll = try await server.get("/v1/home?locale=en")
    #expect(poll.status == 200)
    #expect(poll.text.contains("Spoiled"))
    #expect(poll["Hearth-Revision"] == last["Hearth-Revision"])
    try await server.stop()
  }

  @Test(.disabled(if: TestEngine.isPostgreSQL, "there the kinds of the database count"))
  func `a start with other kinds is a revision of each page, and none of it is of the snapshot`() async throws {
    let (folder, _) = try await Self.ended()
    let kinds = Demo.tinyKinds.replacing("points: 80", with: "points: 90")
    let server = try await Self.start(kinds: kinds, in: folder)
    let poll = try await server.get("/v1/home?locale=en")
    #expect(poll["Hearth-Revision"] == "1.2")
    #expect(poll.text.contains("90"))
    #expect(!poll.text.contains(#""points":80"#))
    try await server.stop()
  }

  @Test func `a revision of meanwhile is served, and the pages that stayed are as they were`() async throws {
    let other = Demo.tiny.replacing("home:\n", with: "other:\n")
    let (folder, _) = try await Self.ended { server in
      let document = try LayoutDocument(json: YAMLDocument(other).json, in: DefinitionContext())
      _ = try await server.store.import(document, by: Actor(name: "test"))
      #expect(try await server.admin("POST", "/pages/other/publish", "{}", ["If-Match": "*"]).status == 200)
    }
    let store = try RunningServer.openStore(in: folder)
    _ = try await store.publish("home", .draft, message: nil, if: .none, by: Actor(name: "s")) { _ in ((), .array([])) }
    try Self.spoil(folder)
    let server = try await Self.start(in: folder)
    #expect(try await server.get("/v1/home?locale=en").text.contains("Spoiled"))
    #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.2")
    #expect(try await server.get("/v1/pages/other?locale=en").text.contains("Scan"))
    try await server.stop()
  }

  @Test func `a page that was deleted meanwhile is not served`() async throws {
    let (folder, _) = try await Self.ended()
    let store = try RunningServer.openStore(in: folder)
    try await store.deletePage("home", if: .none, by: Actor(name: "s"))
    let server = try await Self.start(in: folder)
    #expect(try await server.get("/v1/home").status == 404)
    try await server.stop()
  }

  @Test func `the snapshot of another database is not served`() async throws {
    let (folder, _) = try await Self.ended(Demo.tiny.replacing("Scan", with: "Foreign"))
    let second = try await Self.ended(Demo.tiny).folder
    try FileManager.default.removeItem(atPath: second + "/snapshot")
    try FileManager.default.copyItem(atPath: folder + "/snapshot", toPath: second + "/snapshot")
    let server = try await Self.start(in: second)
    let text = try await server.get("/v1/home?locale=en").text
    #expect(text.contains("Scan"))
    #expect(!text.contains("Foreign"))
    try await server.stop()
    TestEngine.remove(folder)
  }

  @Test func `a raised generation is served at once`() async throws {
    let (folder, _) = try await Self.ended()
    let store = try RunningServer.openStore(in: folder)
    let raised = try await store.raiseGeneration(reason: "a test", by: Actor(name: "operator"))
    let server = try await Self.start(in: folder)
    #expect(try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).1")
    try await server.stop()
  }

  @Test func `what is due at the start is live before the first poll`() async throws {
    let clock = TestClock()
    let folder = try RunningServer.makeFolder()
    let first = try await Self.start([Demo.tiny], in: folder, clock: clock)
    let draft = try await first.admin(
      "PUT", "/pages/home/sections/bottom/content", Self.content("due"), ["If-Match": "*"])
    #expect(draft.status == 200)
    let at = clock.now.adding(seconds: 3_600).description
    let scheduled = try await first.admin(
      "POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, ["If-Match": "*"])
    #expect(scheduled.status == 201, "\(scheduled.text)")
    try await first.stop(keepsFolder: true)
    clock.advance(by: 7_200)
    let server = try await Self.start(in: folder, clock: clock)
    #expect(try await server.get("/v1/home").text.contains(#""title":"due""#))
    try await server.stop()
  }

  @Test func `a flip while the server is down shows at the start`() async throws {
    let clock = TestClock()
    let folder = try RunningServer.makeFolder()
    let from = clock.now.adding(seconds: 60).description
    let document = Demo.tiny.replacing(
      "{id: b, kind", with: "{id: b, schedule: {from: \"\(from)\"}, kind")
    let first = try await Self.start([document], in: folder, clock: clock)
    #expect(try await !first.get("/v1/home").text.contains(#""id":"b""#))
    try await first.stop(keepsFolder: true)
    clock.advance(by: 120)
    let server = try await Self.start(in: folder, clock: clock)
    #expect(try await server.get("/v1/home").text.contains(#""id":"b""#))
    try await server.stop(keepsFolder: true)
    clock.advance(by: -180)
    let back = try await Self.start(in: folder, clock: clock)
    #expect(try await !back.get("/v1/home").text.contains(#""id":"b""#))
    try await back.stop()
  }

  @Test func `a snapshot that cannot be written is said, and written once it can be`() async throws {
    let folder = try RunningServer.makeFolder()
    let server = try await RunningServer([Demo.tiny], folder: folder) { $0.snapshotFile = folder + "/none/snapshot" }
    try await waitUntil { try await Self.reasons(server).contains { $0.contains("/none/snapshot cannot be written") } }
    let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    #expect(metrics.contains("hearth_snapshot_failed 1"))
    #expect(try await server.get("/v1/home").status == 200)
    try FileManager.default.createDirectory(atPath: folder + "/none", withIntermediateDirectories: false)
    try await waitUntil { try await Self.reasons(server).isEmpty }
    #expect(FileManager.default.fileExists(atPath: folder + "/none/snapshot"))
    try await server.stop()
  }

  @Test func `while another process writes the file, this one waits for its next turn`() throws {
    let folder = try RunningServer.makeFolder()
    let path = folder + "/snapshot"
    let file = SnapshotFile(path: path, setup: Fingerprint.of("a".utf8))
    #expect(try file.write(["pages": []], [[1, 2, 3]]) != nil)
    let other = unsafe open(path + ".unfinished", O_WRONLY | O_CREAT, 0o600)
    try #require(flock(other, LOCK_EX) == 0)
    #expect(try file.write(["pages": []], []) == nil)
    #expect(try file.read()?.pieces.count == 3)
    close(other)
    // What one that was killed has left is written over.
    #expect(try file.write(["pages": []], []) != nil)
    #expect(try file.read()?.pieces.isEmpty == true)
    #expect(!FileManager.default.fileExists(atPath: path + ".unfinished"))
    TestEngine.remove(folder)
  }
}
