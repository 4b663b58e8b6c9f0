import Foundation
import FoundationNetworking
import JSON
import Layout
import Logging
import Peers
import Service
import Storage
import Synchronization
import Testing

/// A real server on free ports over a real database in a folder of its own.
final class RunningServer: Sendable {
  let folder: String
  let server: HearthServer
  let store: Store
  let clock: TestClock
  let admin: String
  private let task: Task<Void, any Error>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - documents: What is imported and published before.
  ///   - storeClock: What time it is for all that is kept, where that is not the clock.
  ///   - location: A database beside the folder's own.
  ///   - cuts: Whether the database goes away where a test says (``CuttingEngine``).
  ///   - logger: Takes what the server logs; nothing does when it is `nil`.
  ///   - settings: What is changed of the default settings.
  init(
    _ documents: [String] = [Demo.tiny], kinds: String = Demo.tinyKinds, folder: String? = nil,
    attributes: [AttributeDeclaration] = Demo.attributes, limits: LayoutLimits = LayoutLimits(),
    clock: TestClock = TestClock(), storeClock: StoreClock? = nil, at location: DatabaseLocation? = nil,
    cuts: Bool = false, logger: Logger? = nil,
    settings change: (inout ServerSettings) -> Void = { _ in }
  ) async throws {
    self.clock = clock
    let folder = try folder ?? Self.makeFolder()
    self.folder = folder
    let context = DefinitionContext(attributes: attributes, limits: limits)
    let now: @Sendable () -> Instant = { clock.now }
    let opened = try Self.openStore(in: folder, at: location, context: context, clock: storeClock ?? StoreClock(now))
    store = cuts ? opened.cutting() : opened
    let actor = Actor(name: "test")
    for document in documents {
      let layout = try LayoutDocument(json: YAMLDocument(document).json, in: context)
      _ = try await store.import(layout, by: actor)
      for page in layout.pages {
        _ = try await store.publish(page.id, .draft, message: nil, if: .none, by: actor) { _ in ((), .array([])) }
      }
    }
    admin = try await store.createToken(name: "tester", role: .admin, by: actor).text.text
    var settings = ServerSettings()
    settings.publicListener = .init(host: "127.0.0.1", port: 0)
    settings.adminListener = .init(host: "127.0.0.1", port: 0)
    settings.drainGrace = .seconds(1)
    settings.drainIdle = .zero
    change(&settings)
    var silent = Logger(label: "test")
    silent.logLevel = .critical
    let kindsFile = KindsFile(path: folder + "/kinds.yaml")
    try kinds.write(toFile: kindsFile.path, atomically: true, encoding: .utf8)
    let server = try HearthServer(
      settings: settings, store: store, kinds: try kindsFile.read(), context: context,
      version: ProgramVersion(number: "test", commit: "0123456789ab+"), logger: logger ?? silent,
      kindsFile: kindsFile, clock: now)
    self.server = server
    task = Task { try await server.run() }
    try await waitUntil { try await self.get("/readyz").status == 200 }
  }

  /// The database of a folder, as every process opens it.
  static func openStore(
    in folder: String, at location: DatabaseLocation? = nil,
    context: DefinitionContext = DefinitionContext(attributes: Demo.attributes),
    clock: StoreClock = StoreClock()
  ) throws -> Store {
    let location = try location ?? DatabaseLocation(TestEngine.database(in: folder))
    return try Store(at: location, migrations: location.migrations(), context: context, clock: clock)
  }

  static func makeFolder() throws -> String {
    let path = NSTemporaryDirectory() + "/hearth-tests-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
  }

  /// Drains the server and removes its folder.
  func stop(keepsFolder: Bool = false) async throws {
    task.cancel()
    _ = await task.result
    // A server counts those who are connected.
    if store.fileIdentity == nil { await store.close() }
    if !keepsFolder { TestEngine.remove(folder) }
  }

  /// Deletes the page `home` and makes it again, longer: nothing of it was asked for before.
  func makeAnew() async throws {
    let force = ["If-Match": "*"]
    #expect(try await admin("DELETE", "/pages/home", nil, force).status == 204)
    let document = try LayoutDocument(
      json: YAMLDocument(Demo.long).json, in: DefinitionContext(attributes: Demo.attributes))
    _ = try await store.import(document, by: Actor(name: "test"))
    #expect(try await admin("POST", "/pages/home/publish", "{}", force).status == 200)
  }

  /// Polls the public listener.
  func get(_ path: String, _ fields: [String: String] = [:], method: String = "GET") async throws -> Reply {
    try await Reply(port: server.publicPort, method, path, fields, nil)
  }

  /// Waits until what was scheduled for `home` is done and served: it leaves the list with its commit, a moment before.
  func servesScheduled() async throws {
    try await waitUntil {
      guard try await admin("GET", "/pages/home/scheduled").json["scheduled"]?.array?.isEmpty == true else {
        return false
      }
      let status = try await Reply(port: server.adminPort, "GET", "/status", [:], nil).json
      let served = status["pages"]?.array?.first { $0["page"] == "home" }?["revision"]
      let live = try await admin("GET", "/pages/home/draft").json["live"]
      return live != nil && served == live
    }
  }

  /// Asks the admin API as an admin, unless the fields name another token or none (an empty one).
  func admin(
    _ method: String, _ path: String, _ body: String? = nil, _ fields: [String: String] = [:]
  ) async throws -> Reply {
    var all = ["Authorization": "Bearer \(admin)"]
    if body != nil { all["Content-Type"] = "application/json" }
    all.merge(fields) { _, own in own }
    return try await Reply(port: server.adminPort, method, "/admin/v1" + path, all, body)
  }

  /// The same with a body that need not be text.
  func adminBytes(
    _ method: String, _ path: String, _ body: [UInt8], _ fields: [String: String]
  ) async throws -> Reply {
    let all = ["Authorization": "Bearer \(admin)"].merging(fields) { _, own in own }
    return try await Reply(port: server.adminPort, method, "/admin/v1" + path, all, bytes: body)
  }
}

/// Starts a server, and stops it whatever the body does.
func withServer(
  _ documents: [String] = [Demo.tiny], kinds: String = Demo.tinyKinds, limits: LayoutLimits = LayoutLimits(),
  clock: TestClock = TestClock(), settings change: (inout ServerSettings) -> Void = { _ in },
  _ body: (RunningServer) async throws -> Void
) async throws {
  let server = try await RunningServer(documents, kinds: kinds, limits: limits, clock: clock, settings: change)
  do { try await body(server) } catch {
    try await server.stop()
    throw error
  }
  try await server.stop()
}

/// Waits for a condition, at most two minutes.
func waitUntil(_ condition: () async throws -> Bool) async throws {
  let end = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < end {
    if try await condition() { return }
    try await Task.sleep(for: .milliseconds(10))
  }
  Issue.record("the condition did not come about")
}

/// A clock that runs with the real one, moved by an offset of seconds.
final class TestClock: Sendable {
  private let offset = Mutex<Int64>(0)

  var now: Instant { Instant.now.adding(seconds: offset.withLock { $0 }) }

  func advance(by seconds: Int64) { offset.withLock { $0 += seconds } }
}

/// An HTTP response.
struct Reply: Sendable {
  var status: Int
  var body: Data
  private var fields: [String: String] = [:]

  init(port: UInt16, _ method: String, _ path: String, _ fields: [String: String], _ body: String?) async throws {
    try await self.init(port: port, method, path, fields, bytes: body.map { Array($0.utf8) })
  }

  init(port: UInt16, _ method: String, _ path: String, _ fields: [String: String], bytes: [UInt8]?) async throws {
    let url = try #require(URL(string: "http://127.0.0.1:\(port)\(path)"))
    var request = URLRequest(url: url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 20)
    request.httpMethod = method
    request.httpBody = bytes.map { Data($0) }
    for (name, value) in fields { request.setValue(value.isEmpty ? nil : value, forHTTPHeaderField: name) }
    let (data, response) = try await URLSession.shared.data(for: request)
    let answer = try #require(response as? HTTPURLResponse)
    status = answer.statusCode
    self.body = data
    for (name, value) in answer.allHeaderFields {
      self.fields["\(name)".lowercased()] = "\(value)"
    }
  }

  subscript(name: String) -> String? { fields[name.lowercased()] }

  var text: String { String(decoding: body, as: UTF8.self) }

  /// The body as strict JSON.
  var json: JSON { (try? JSON.parse(Array(body))) ?? .null }

  /// The ids of the sections of a page.
  var sections: [String] { json["sections"]?.array?.compactMap { $0["id"]?.string } ?? [] }

  var code: String? { json["code"]?.string }
}
