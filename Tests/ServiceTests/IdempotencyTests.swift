import Foundation
import JSON
import Layout
import Peers
import Testing

@testable import Service
@testable import Storage

/// Every change takes `Idempotency-Key`: it happens once, however often it is sent.
@Suite struct IdempotencyTests {
  /// It changes something after a raise alone; its answer is kept all the same.
  private static let release = ChangingRequest(
    "POST pages/{page}/scheduled/{scheduled}/release", "/pages/home/scheduled/$/release",
    before: [("POST", "/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#)], member: "id")
  private static let cases = ChangingRequest.all + [release]

  @Test func `every changing route is among those that are tried twice`() async throws {
    try await withServer { server in
      let routes = server.server.api.routes.filter(\.isChange)
      let names = Set(routes.map(\.name))
      #expect(names == Set(Self.cases.map(\.route)))
      #expect(routes.count == names.count)
    }
  }

  @Test(arguments: cases.indices)
  func `a change that is sent again happens once and is answered the same, whenever the first answer was lost`(
    index: Int
  ) async throws {
    let one = Self.cases[index]
    if one.isOfSQLite, TestEngine.isPostgreSQL { return }
    let server = try await RunningServer(cuts: true) {
      $0.admin.backupFolder = NSTemporaryDirectory() + "/hearth-\(UUID().uuidString)"
    }
    do {
      let routes = server.server.api.routes
      let keeps = try #require(routes.first { $0.name == one.route }?.keeps)
      try await sendTwice(one, keeps, server)
      try await cutAtTheCommit(one, keeps, server)
    } catch {
      try await server.stop()
      throw error
    }
    try await server.stop()
  }

  private func sendTwice(_ one: ChangingRequest, _ keeps: KeptPart, _ server: RunningServer) async throws {
    let key = ["Idempotency-Key": "twice"]
    let path = try await one.prepare(2, server)
    let before = try await server.store.everything()
    let first = try await one.send(to: path, 2, server, key)
    let text = "\(one.route): \(first.status) \(first.text.prefix(300))"
    #expect((200..<300).contains(first.status) && first["Idempotency-Replayed"] == nil, "\(text)")
    let after = try await server.store.everything()
    #expect(after != before, "\(text)")
    let again = try await one.send(to: path, 2, server, key)
    check(again, isReplayOf: first, keeps, text)
    #expect(try await server.store.everything() == after, "\(text)")
    let other = try await one.another.send(to: path, 2, server, key)
    #expect(other.status == 422 && other.json["code"] == "idempotency-key-reused", "\(one.route): \(other.text)")
    #expect(try await server.store.everything() == after, "\(text)")
  }

  private func check(_ again: Reply, isReplayOf first: Reply, _ keeps: KeptPart, _ text: String) {
    if keeps == .allButSecret {
      #expect(again.status == 409 && again.json["code"] == "secret-told-once", "\(text), then \(again.text)")
      let made = again.json["made"]?.object ?? JSONObject()
      // What was made is told as it was, but for what is told once.
      for member in made { #expect(first.json[member.name] == member.value, "\(text), then \(again.text)") }
      #expect(made["id"] != nil || made["selector"] != nil, "\(text), then \(again.text)")
      let secret = (first.json["token"] ?? first.json["secret"])?.string ?? ""
      #expect(!secret.isEmpty && !again.text.contains(secret), "\(text), then \(again.text)")
      return
    }
    #expect(again["Idempotency-Replayed"] == "true", "\(text), then \(again.text)")
    #expect(again.status == first.status, "\(text), then \(again.text)")
    for field in ["ETag", "Hearth-Revision"] { #expect(again[field] == first[field], "\(text), then \(again.text)") }
    #expect(again.text == (keeps == .head ? "" : first.text), "\(text), then \(again.text)")
  }

  /// The database is lost while it answers the commit: nobody knows then whether the change was made, and it was.
  private func cutAtTheCommit(_ one: ChangingRequest, _ keeps: KeptPart, _ server: RunningServer) async throws {
    let engine = try #require(server.store.engine as? CuttingEngine)
    let key = ["Idempotency-Key": "cut"]
    let path = try await one.prepare(3, server)
    engine.begin(.commit)
    let lost = try await one.send(to: path, 3, server, key)
    _ = engine.end()
    let after = try await server.store.everything()
    let again = try await one.send(to: path, 3, server, key)
    let text = "\(one.route): \(lost.status) \(lost.text.prefix(200)), then \(again.status) \(again.text.prefix(200))"
    #expect(lost.status == 503 || one.route == Self.release.route, "\(text)")
    if keeps == .allButSecret {
      #expect(again.status == 409 && again.json["code"] == "secret-told-once", "\(text)")
    } else {
      #expect((200..<300).contains(again.status) && again["Idempotency-Replayed"] == "true", "\(text)")
    }
    #expect(try await server.store.everything() == after, "\(text)")
  }

  @Test func `a repeat of what changed nothing does not undo what came between`() async throws {
    try await withServer { server in
      let path = "/pages/home/sections/bottom/items/b"
      let first = #"{"kind": "navigation", "content": {"title": "One"}}"#
      let other = #"{"kind": "navigation", "content": {"title": "Two"}}"#
      #expect(try await server.admin("PUT", path, first).status < 300)
      let key = ["Idempotency-Key": "same"]
      #expect(try await server.admin("PUT", path, first, key).status == 200)
      #expect(try await server.admin("PUT", path, other).status == 200)
      let again = try await server.admin("PUT", path, first, key)
      #expect(again.status == 200 && again["Idempotency-Replayed"] == "true")
      #expect(try await server.admin("GET", path).json["content"]?["title"] == "Two")
    }
  }

  @Test func `refusals and dry runs are not kept, and each token has keys of its own`() async throws {
    try await withServer { server in
      let key = ["Idempotency-Key": "k", "If-Match": "*"]
      #expect(try await server.admin("DELETE", "/pages/later", nil, key).status == 404)
      #expect(try await server.admin("POST", "/pages/home/publish?dryRun=true", "{}", key).status == 200)
      let hidden = try await server.admin("POST", "/pages/home/sections/top/hide", nil, key)
      #expect(hidden.status == 204 && hidden["Idempotency-Replayed"] == nil)
      let source = try await server.store.createToken(name: "source", role: .source, by: Actor(name: "test"))
      let own = ["Idempotency-Key": "k", "Authorization": "Bearer \(source.text.text)"]
      let body = #"{"items": []}"#
      let put = try await server.admin("PUT", "/pages/home/sections/middle/content", body, own)
      #expect(put.status == 200 && put["Idempotency-Replayed"] == nil)
      let malformed = try await server.admin(
        "PUT", "/pages/home/sections/middle/content", body, ["Idempotency-Key": "a b"])
      #expect(malformed.status == 400 && malformed.json["code"] == "malformed-idempotency-key")
    }
  }

  @Test func `a secret is nowhere in the database`() async throws {
    try await withServer { server in
      let key = ["Idempotency-Key": "k"]
      let made = try await server.admin("POST", "/tokens", #"{"name": "n", "role": "viewer"}"#, key)
      let secret = try #require(made.json["token"]?.string)
      let link = try await server.admin("POST", "/pages/home/previews", "{}", ["Idempotency-Key": "l"])
      let text = try #require(link.json["token"]?.string)
      let rows = try await server.store.everything()
      #expect(rows.contains { $0.contains("idempotency_keys") })
      #expect(!rows.contains { $0.contains(secret) || $0.contains(text) })
    }
  }
}
