import Foundation
import HearthClient
import HomePayload
import Layout
import Synchronization
import Testing

@testable import Serving
@testable import Service

/// An app that requires signatures against a server that signs, over a network that does what it likes.
@Suite struct SignedAppTests {
  /// What carries requests to the server, and may change what comes back.
  private final class Network: Sendable {
    typealias Change = @Sendable (TransportAnswer) -> TransportAnswer
    private let changes = Mutex<[Change]>([])
    private let seen = Mutex<[Int]>([])
    let port: UInt16

    init(_ server: RunningServer) { port = server.server.publicPort }

    /// What is done to the next answers, in turn.
    func next(_ changes: Change...) { self.changes.withLock { $0 = changes } }

    /// The statuses of the answers since the last call, as the server sent them.
    func statuses() -> [Int] {
      seen.withLock { seen in
        defer { seen = [] }
        return seen
      }
    }

    func send(_ request: TransportRequest) async throws -> TransportAnswer {
      let target = request.url.path + (request.url.query(percentEncoded: true).map { "?\($0)" } ?? "")
      let answer = Self.answer(try await Reply(port: port, "GET", target, request.fields, nil))
      seen.withLock { $0.append(answer.status) }
      let change = changes.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      return change?(answer) ?? answer
    }

    static let names = [
      "ETag", "Hearth-Revision", "Cache-Control", "IM", "Unencoded-Digest", "Signature-Input", "Signature",
    ]

    static func answer(_ reply: Reply) -> TransportAnswer {
      TransportAnswer(
        status: reply.status, fields: names.reduce(into: [:]) { $0[$1] = reply[$1] }, body: Array(reply.body))
    }
  }

  @Test func `nothing but what the server signed is shown, whatever the network does and while keys change`()
    async throws
  {
    let keys = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    defer { try? FileManager.default.removeItem(atPath: keys.path) }
    let (old, clock) = (try keys.create(at: .now.adding(seconds: -3_600)), TestClock())
    try await withServer([Demo.long], clock: clock, settings: { $0.signing.keysFolder = keys.path }) { server in
      let new = try keys.create(at: .now)
      var settings = PageClientSettings(server: try #require(URL(string: "http://127.0.0.1")))
      settings.signatures = try SignaturePolicy(.require, keys: [old.publicKey, new.publicKey])
      let network = Network(server)
      let client = PageClient(settings, transport: { try await network.send($0) })
      func expect(_ failure: ClientError, _ statuses: [Int], line: Int = #line) async throws {
        let page = await client.page
        let error = await #expect(throws: ClientError.self) { try await client.poll() }
        #expect(error == failure && network.statuses() == statuses, "line \(line): \(String(describing: error))")
        #expect(await client.page == page)
      }
      func publish(_ title: String) async throws {
        let path = "/pages/home/sections/bottom/items/\(title)?publish=true"
        let made = try await server.admin("PUT", path, #"{"kind":"navigation","content":{"title":"\#(title)"}}"#)
        #expect((200..<300).contains(made.status), "\(made.text)")
      }

      _ = try await client.poll()
      #expect(await client.verification == .verified(by: old.id))
      let yesterday = Network.answer(
        try await server.get("/v1/pages/home", ["Accept-Signature": PageSignature.accepted]))
      try await publish("a")
      _ = try await client.poll()
      _ = try await client.poll()
      #expect(network.statuses() == [200, 226, 304])
      let revision = try #require(yesterday["Hearth-Revision"].flatMap(PageRevision.init))

      // Yesterday's page, signed as it is; under today's edition; and its signature on today's page.
      network.next({ _ in yesterday }, { _ in yesterday })
      try await expect(.dropped(revision), [304, 200])
      let change: Network.Change = {
        Self.answer(yesterday, with: ["Hearth-Revision": $0["Hearth-Revision"]])
      }
      network.next(change, change)
      try await expect(.unverified(.wrongSignature(old.id)), [304])
      network.next(
        { _ in TransportAnswer(status: 503, fields: [:], body: []) })
      _ = try? await client.poll()
      network.next(
        { Self.answer($0, with: ["Signature": nil]) },
        { Self.answer($0, with: ["Unencoded-Digest": yesterday["Unencoded-Digest"]]) })
      _ = network.statuses()
      try await expect(.unverified(.wrongSignature(old.id)), [304, 200])
      // A 304 that freezes: the one of before, once there is more.
      let frozen = Mutex<TransportAnswer?>(nil)
      network.next({ answer in
        frozen.withLock { $0 = answer }
        return answer
      })
      _ = try await client.poll()
      try await publish("b")
      let last = frozen.withLock { $0 }
      let before = try #require(last)
      _ = network.statuses()
      network.next({ Self.answer(before, with: ["Hearth-Revision": $0["Hearth-Revision"]]) })
      #expect(Self.has("b", try await client.poll()?.page))
      #expect(network.statuses() == [226, 200])
      network.next({ _ in before }, { $0 })
      #expect(try await client.poll() == nil)
      #expect(network.statuses() == [304, 200])

      // Both keys sign, then the new one alone, then none; and the server's clock goes wrong.
      await server.server.reloadSigningKeys()
      _ = try await client.poll()
      #expect(await client.verification == .verified(by: new.id))
      try keys.retire(old.id, at: .now)
      await server.server.reloadSigningKeys()
      _ = try await client.poll()
      #expect(await client.verification == .verified(by: new.id))
      clock.advance(by: -172_800)
      await server.server.reloadSigningKeys()
      try await publish("c")
      _ = network.statuses()
      let late = await #expect(throws: ClientError.self) { try await client.poll() }
      if case .unverified(.expired)? = late {} else { Issue.record("\(String(describing: late))") }
      #expect(network.statuses().count == 2)
      clock.advance(by: 172_800 + 7_200)
      await server.server.reloadSigningKeys()
      try await publish("d")
      let early = await #expect(throws: ClientError.self) { try await client.poll() }
      if case .unverified(.notYet)? = early {} else { Issue.record("\(String(describing: early))") }
      clock.advance(by: -7_200)
      try keys.retire(new.id, at: .now)
      await server.server.reloadSigningKeys()
      _ = network.statuses()
      try await expect(.unverified(.unsigned), [226, 200])
      let page = await client.page
      #expect(Self.has("b", page) && !Self.has("c", page))
    }
  }

  private static func has(_ item: String, _ page: Page?) -> Bool {
    page?.sections.contains { $0.items.contains { $0.id == item } } ?? false
  }

  /// An answer with other fields.
  private static func answer(_ answer: TransportAnswer, with changes: [String: String?]) -> TransportAnswer {
    var fields: [String: String] = Network.names.reduce(into: [:]) { $0[$1] = answer[$1] }
    for (name, value) in changes { fields[name] = value }
    return TransportAnswer(status: answer.status, fields: fields, body: answer.body)
  }
}
