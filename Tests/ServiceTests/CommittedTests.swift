import Foundation
import JSON
import Layout
import Peers
import Testing

@testable import Service
@testable import Storage

/// What is said of a change when the database goes away in its midst: "Nothing was changed" where that is so, and only there.
@Suite struct CommittedTests {
  /// A request that changes something, and what must be there before.
  private struct Case: Sendable {
    var route: String
    var query = ""
    /// The path; `#` is the number of the try.
    var path: String
    var body: String?
    var fields: [String: String] = [:]
    /// Requests before it: a method, a path and a body each. What the last one answers at a member stands for `$` in the path.
    var before: [(String, String, String?)] = []
    var member: String?
    var bytes: (@Sendable (Int) -> [UInt8])?
    /// Whether the engine takes it; it is refused by the other.
    var isOfSQLite = false

    init(
      _ route: String, _ path: String, _ body: String? = nil, fields: [String: String] = [:],
      before: [(String, String, String?)] = [], member: String? = nil, bytes: (@Sendable (Int) -> [UInt8])? = nil,
      isOfSQLite: Bool = false
    ) {
      (self.route, self.path, self.body, self.fields, self.before) = (route, path, body, fields, before)
      (self.member, self.bytes, self.isOfSQLite) = (member, bytes, isOfSQLite)
    }
  }

  private static let page = #"{"title": "P#", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30}"#
  private static let item = ##"{"kind": "navigation", "content": {"title": "T#"}}"##
  private static let items = ##"{"items": [{"id": "i#", "kind": "navigation", "content": {"title": "T#"}}]}"##
  private static let section = #"{"kind": "broadcast", "title": "S#"}"#
  private static let audience = #"{"attribute": "memberTier", "atLeast": 1}"#
  private static let withheld = ##"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "r#"}"##
  private static let picture: @Sendable (Int) -> [UInt8] = { number in
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, 0, 0, 0, 0, 9, 8, 6, 0, 0, 0] + Array("\(number)".utf8)
  }
  private static let inHome = "pages/{page}/sections/{section}"
  private static let bottom = "/pages/home/sections/bottom"
  private static let fill = [("PUT", "\(bottom)/content", items as String?)]

  private static let cases: [Case] = [
    Case("PUT pages/{page}", "/pages/p#", page),
    Case("DELETE pages/{page}", "/pages/p#", before: [("PUT", "/pages/p#", page)]),
    Case(
      "DELETE pages/{page}", "/pages/p#",
      before: [
        ("PUT", "/pages/p#", page), ("PUT", "/pages/p#/sections/a", section), ("POST", "/pages/p#/publish", "{}"),
      ]),
    Case("PUT \(inHome)", "/pages/home/sections/s#", section),
    Case("PUT \(inHome)", bottom, section),
    Case("DELETE \(inHome)", "/pages/home/sections/s#", before: [("PUT", "/pages/home/sections/s#", section)]),
    Case("POST \(inHome)/hide", "\(bottom)/hide", before: [("POST", "\(bottom)/restore", "{}")]),
    Case("POST \(inHome)/restore", "\(bottom)/restore", "{}", before: [("POST", "\(bottom)/hide", nil)]),
    Case("POST \(inHome)/duplicate", "\(bottom)/duplicate", ##"{"id": "d#"}"##),
    Case("PUT \(inHome)/content", "\(bottom)/content", items),
    Case("PUT \(inHome)/content", "\(bottom)/content?publish=true", items),
    Case("PUT \(inHome)/items/{item}", "\(bottom)/items/b", item),
    Case("PUT \(inHome)/items/{item}", "\(bottom)/items/b?publish=true", item),
    Case("DELETE \(inHome)/items/{item}", "\(bottom)/items/i#", before: fill),
    Case("POST \(inHome)/items/{item}/hide", "\(bottom)/items/i#/hide", before: fill),
    Case(
      "POST \(inHome)/items/{item}/hide", "\(bottom)/items/i#/hide?publish=true",
      before: [("PUT", "\(bottom)/content?publish=true", items)]),
    Case(
      "POST \(inHome)/items/{item}/restore", "\(bottom)/items/i#/restore", "{}",
      before: fill + [("POST", "\(bottom)/items/i#/hide", nil)]),
    Case(
      "POST \(inHome)/items/{item}/move", "\(bottom)/items/i#/move", #"{"last": true}"#,
      before: fill + [("PUT", "\(bottom)/items/j#", item)]),
    Case(
      "DELETE \(inHome)/items/{item}", "\(bottom)/items/i#?publish=true",
      before: [("PUT", "\(bottom)/content?publish=true", items)]),
    Case(
      "PUT pages/{page}/order", "/pages/home/order", #"{"sections": ["middle", "top", "bottom"]}"#,
      before: [("PUT", "/pages/home/order", #"{"sections": ["top", "middle", "bottom"]}"#)]),
    Case(
      "POST \(inHome)/move", "\(bottom)/move", #"{"first": true}"#,
      before: [("POST", "\(bottom)/move", #"{"last": true}"#)]
    ),
    Case(
      "PUT pages/{page}/sort-rules/{rule}", "/pages/home/sort-rules/r",
      ##"{"audience": \##(audience), "indices": {"top": #}}"##),
    Case(
      "DELETE pages/{page}/sort-rules/{rule}", "/pages/home/sort-rules/r",
      before: [("PUT", "/pages/home/sort-rules/r", #"{"audience": \#(audience), "indices": {"top": 1}}"#)]),
    Case("POST pages/{page}/publish", "/pages/home/publish", "{}", before: fill),
    Case(
      "POST pages/{page}/publish", "/pages/home/publish", "{}", fields: ["Idempotency-Key": "k#"], before: fill),
    Case("POST pages/{page}/rollback", "/pages/home/rollback", #"{"revision": 1, "draft": "reset"}"#),
    Case("POST pages/{page}/scheduled", "/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#),
    Case(
      "POST pages/{page}/scheduled", "/pages/home/scheduled",
      #"{"at": "2099-01-01T00:00:00Z", "sections": ["bottom"]}"#, before: fill),
    Case(
      "DELETE pages/{page}/scheduled/{scheduled}", "/pages/home/scheduled/$",
      before: [("POST", "/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#)], member: "id"),
    Case(
      "PUT pages/{page}/revisions/{revision}/pin", "/pages/home/revisions/1/pin",
      before: [("DELETE", "/pages/home/revisions/1/pin", nil)]),
    Case(
      "DELETE pages/{page}/revisions/{revision}/pin", "/pages/home/revisions/1/pin",
      before: [("PUT", "/pages/home/revisions/1/pin", nil)]),
    Case("POST pages/{page}/previews", "/pages/home/previews", "{}"),
    Case(
      "DELETE pages/{page}/previews/{preview}", "/pages/home/previews/$",
      before: [("POST", "/pages/home/previews", "{}")], member: "id"),
    Case("PUT audiences/{audience}", "/audiences/a#", audience),
    Case("DELETE audiences/{audience}", "/audiences/a#", before: [("PUT", "/audiences/a#", audience)]),
    Case("PUT withheld/items/{kind}", "/withheld/items/navigation", withheld),
    Case(
      "DELETE withheld/items/{kind}", "/withheld/items/navigation",
      before: [("PUT", "/withheld/items/navigation", withheld)]),
    Case("PUT withheld/sections/{kind}", "/withheld/sections/broadcast", withheld),
    Case(
      "DELETE withheld/sections/{kind}", "/withheld/sections/broadcast",
      before: [("PUT", "/withheld/sections/broadcast", withheld)]),
    Case("POST tokens", "/tokens", #"{"name": "n#", "role": "viewer"}"#),
    Case(
      "DELETE tokens/{selector}", "/tokens/$", before: [("POST", "/tokens", #"{"name": "n#", "role": "viewer"}"#)],
      member: "selector"),
    Case(
      "POST tokens/{selector}/rotate", "/tokens/$/rotate", "{}",
      before: [("POST", "/tokens", #"{"name": "n#", "role": "viewer"}"#)], member: "selector"),
    Case("POST kinds/reload", "/kinds/reload"),
    Case("POST import", "/import", ##"{"hearth": 1, "pages": {"p#": \##(page)}}"##),
    Case(
      "POST import", "/import", "picture", fields: ["Idempotency-Key": "k#"]),
    Case(
      "POST import", "/import?delete=true", #"{"hearth": 1, "pages": {"home": \#(home)}}"#,
      before: [
        ("PUT", "/pages/p#", page), ("PUT", "/pages/p#/sections/a", section), ("POST", "/pages/p#/publish", "{}"),
      ]),
    Case("POST backup", "/backup", isOfSQLite: true),
    Case("POST assets", "/assets", fields: ["Content-Type": "image/png"], bytes: picture),
    Case("DELETE assets/{asset}", "/assets/$", before: [("POST", "/assets", "picture")], member: "url"),
  ]

  /// The page that stays when an import removes the others.
  private static let home = """
    {"title": "Home", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30, "sections": [
      {"id": "top", "kind": "grid", "items": []}, {"id": "middle", "kind": "broadcast", "items": []},
      {"id": "bottom", "kind": "broadcast", "items": [{"id": "b", "kind": "navigation", "content": {"title": "B"}}]}],
      "sortRules": {"default": {"indices": {"top": 0, "middle": 5, "bottom": 9}}}}
    """

  private static func send(
    _ method: String, _ path: String, _ body: String?, _ fields: [String: String] = [:], _ number: Int,
    bytes: (@Sendable (Int) -> [UInt8])? = nil, to server: RunningServer
  ) async throws -> Reply {
    func filled(_ text: String) -> String { text.replacing("#", with: "\(number)") }
    let all = ["If-Match": "*"].merging(fields.mapValues(filled)) { _, own in own }
    if let bytes { return try await server.adminBytes(method, path, bytes(number), all) }
    if body == "picture" {
      let bytes = picture(number)
      guard path == "/import" else {
        return try await server.adminBytes(method, path, bytes, ["Content-Type": "image/png"])
      }
      let name = AssetName(of: bytes, format: .png)
      let document = #"{"hearth": 1, "pages": {}, "assets": {"\#(name)": "\#(Data(bytes).base64EncodedString())"}}"#
      return try await server.admin(method, path, document, all)
    }
    // A page of its own each time that it is filled in.
    return try await server.admin(method, filled(path), body.map(filled), all)
  }

  /// Brings about what a case needs, and returns its path.
  private static func prepare(_ one: Case, _ number: Int, _ server: RunningServer) async throws -> String {
    if one.route == "POST kinds/reload" {
      let kinds = Demo.tinyKinds.replacing("points: 80", with: "points: \(80 + number)")
      try kinds.write(toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    }
    var path = one.path
    for (method, place, body) in one.before {
      let reply = try await send(method, place, body, [:], number, to: server)
      guard let member = one.member else { continue }
      let value = reply.json[member].flatMap { $0.string ?? $0.int.map { "\($0)" } }
      let name = try #require(value, "\(reply.text)").split(separator: "/").last.map(String.init)
      path = one.path.replacing("$", with: name ?? "")
    }
    return path
  }

  @Test(arguments: cases.indices)
  func `that nothing was changed is said where nothing was changed, wherever the database goes away`(
    index: Int
  ) async throws {
    let one = Self.cases[index]
    if one.isOfSQLite, TestEngine.isPostgreSQL { return }
    let server = try await RunningServer(cuts: true) {
      $0.admin.backupFolder = NSTemporaryDirectory() + "/hearth-\(UUID().uuidString)"
    }
    do { try await check(one, index, server) } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
  }

  private func check(_ one: Case, _ index: Int, _ server: RunningServer) async throws {
    let engine = try #require(server.store.engine as? CuttingEngine)
    let method = String(one.route.prefix { $0 != " " })
    var number = 1
    func answer(_ cut: CuttingEngine.Cut?) async throws -> (
      Reply, isSame: Bool, counts: (statements: Int, committed: Int)
    ) {
      number += 1
      let path = try await Self.prepare(one, number, server)
      let before = try await server.store.everything()
      engine.begin(cut)
      let reply = try await Self.send(method, path, one.body, one.fields, number, bytes: one.bytes, to: server)
      let counts = engine.end()
      return (reply, try await server.store.everything() == before, counts)
    }
    let (whole, isSame, counts) = try await answer(nil)
    #expect((200..<300).contains(whole.status) && !isSame, "\(one.route): \(whole.status) \(whole.text)")
    let early = Self.early(of: counts.committed)
    let cuts = Set(early + [counts.committed] + (counts.committed...counts.statements)).sorted()
    for cut in cuts.map({ CuttingEngine.Cut.statement($0) }) + [.commit, .afterCommit] {
      let (reply, isSame, _) = try await answer(cut)
      let text = "\(one.route) cut at \(cut) of \(counts): \(reply.status) \(reply.text.prefix(300))"
      if reply.status < 300 { #expect(!isSame, "\(text)") }
      if reply.text.contains("Nothing was changed") { #expect(isSame, "\(text)") }
      if cut == .commit { #expect(reply.status == 503 && reply.text.contains("not known"), "\(text)") }
      #expect(reply.status < 300 || reply.status == 503, "\(text)")
    }
  }

  private static let takesAll = ProcessInfo.processInfo.environment["HEARTH_TEST_CUTS"] == "all"
  /// Which of the cases are asked over a link that is lost: each takes some seconds.
  private static let drawn = Int.random(in: 0..<4)

  /// Those statements before the commit at which it goes away: some that are drawn, or all where `HEARTH_TEST_CUTS=all` says
  /// so.
  private static func early(of committed: Int) -> [Int] {
    guard committed > 0 else { return [] }
    if takesAll { return Array(1...committed) }
    return (0..<2).map { _ in Int.random(in: 1...committed) }
  }

  @Test(.enabled(if: TestEngine.isPostgreSQL, "a file has no link"), arguments: cases.indices)
  func `a link that is lost at the commit, or before the next reading, makes nothing unsaid that was done`(
    index: Int
  ) async throws {
    let one = Self.cases[index]
    guard !one.isOfSQLite, Self.takesAll || index % 4 == Self.drawn else { return }
    let real = try PostgreSQLServer.running()
    let proxy = try CommitProxy(to: real)
    defer { proxy.stop() }
    let folder = try RunningServer.makeFolder()
    let place = try TestEngine.database(in: folder)
    let direct = try RunningServer.openStore(in: folder)
    let server = try await RunningServer(
      folder: folder, at: DatabaseLocation(place.replacing("host=\(real.folder)", with: "host=\(proxy.folder)")))
    do {
      let cuts: [CuttingEngine.Cut?] = [nil, .commit, .afterCommit]
      for (number, cut) in cuts.enumerated() {
        let path = try await Self.prepare(one, number + 1, server)
        let before = try await direct.everything()
        try proxy.cut(cut)
        let reply = try await Self.send(
          String(one.route.prefix { $0 != " " }), path, one.body, one.fields, number + 1, bytes: one.bytes, to: server)
        try proxy.cut(nil)
        try await waitUntil {
          try await server.admin("PUT", "/audiences/probe", Self.audience, ["If-Match": "*"]).status < 300
        }
        let others: ([String]) -> [String] = { rows in rows.filter { !$0.contains("probe") } }
        let isSame = others(try await direct.everything()) == others(before)
        let text = "\(one.route) cut at \(cut.map { "\($0)" } ?? "nothing"): \(reply.status) \(reply.text.prefix(300))"
        #expect(!isSame, "\(text)")
        #expect(!reply.text.contains("Nothing was changed"), "\(text)")
        if cut == .commit {
          #expect(reply.status == 503 && reply.text.contains("not known"), "\(text)")
        } else {
          #expect((200..<300).contains(reply.status), "\(text)")
        }
      }
    } catch {
      try await server.stop()
      throw error
    }
    await direct.close()
    try await server.stop()
  }

  @Test func `no changing route is left out`() async throws {
    try await withServer { server in
      let routes = server.server.api.routes.filter { $0.method != "GET" }
      let names = Set(routes.map { "\($0.method) \($0.pattern.joined(separator: "/"))" })
      // It changes something after a raise alone, and reads nothing after its commit.
      let afterRaise = "POST pages/{page}/scheduled/{scheduled}/release"
      #expect(names.subtracting(Self.cases.map(\.route)).sorted() == [afterRaise])
    }
  }

  @Test func `a page that was removed is off the loops though nothing can be read any more`() async throws {
    let server = try await RunningServer(cuts: true)
    do {
      let engine = try #require(server.store.engine as? CuttingEngine)
      #expect(try await server.get("/v1/home").status == 200)
      engine.begin(.afterCommit)
      let removed = try await server.admin("DELETE", "/pages/home", nil, ["If-Match": "*"])
      #expect(removed.status == 204, "\(removed.text)")
      #expect(try await server.get("/v1/home").status == 404)
      _ = engine.end()
      #expect(try await server.get("/v1/home").status == 404)
    } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
  }
}
