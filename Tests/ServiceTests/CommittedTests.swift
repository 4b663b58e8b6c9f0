import Foundation
import JSON
import Layout
import Peers
import Testing

@testable import Service
@testable import Storage

/// What is said of a change when the database goes away in its midst: "Nothing was changed" where that is so, and only there.
@Suite struct CommittedTests {
  private static let cases = ChangingRequest.all

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

  private func check(_ one: ChangingRequest, _ index: Int, _ server: RunningServer) async throws {
    let engine = try #require(server.store.engine as? CuttingEngine)
    var number = 1
    func answer(_ cut: CuttingEngine.Cut?) async throws -> (
      Reply, isSame: Bool, counts: (statements: Int, committed: Int)
    ) {
      number += 1
      let path = try await one.prepare(number, server)
      let before = try await server.store.everything()
      engine.begin(cut)
      let reply = try await one.send(to: path, number, server)
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
        let path = try await one.prepare(number + 1, server)
        let before = try await direct.everything()
        try proxy.cut(cut)
        let reply = try await one.send(to: path, number + 1, server)
        try proxy.cut(nil)
        try await waitUntil {
          try await server.admin("PUT", "/audiences/probe", ChangingRequest.audience, ["If-Match": "*"]).status < 300
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
      let routes = server.server.api.routes.filter(\.isChange)
      let names = Set(routes.map(\.name))
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
