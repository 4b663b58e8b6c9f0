import Crypto
import Foundation
import HTTPClient
import HTTPServer
import JSON
import Layout
import Peers
import Service
import Serving
import Synchronization
import Testing

@testable import Storage

@Suite struct WebhookTests {
  private static let force = ["If-Match": "*"]

  /// Has a server send to this machine, and try again at once.
  private static func sends(_ settings: inout ServerSettings) {
    settings.webhooks.isOn = true
    settings.webhooks.client.addressesAllowed = AddressRanges(["127.0.0.1"]) ?? AddressRanges()
    settings.webhooks.retryFirst = .zero
  }

  /// Makes a webhook, and returns its id and secret.
  private static func make(
    _ server: RunningServer, _ receiver: Receiver, _ members: String = ""
  ) async throws -> (id: Int, secret: String) {
    let body = #"{"name": "hook", "url": "http://127.0.0.1:\#(receiver.port)/hook"\#(members)}"#
    let made = try await server.admin("POST", "/webhooks", body)
    #expect(made.status == 201, "\(made.text)")
    return (try #require(made.json["id"]?.int), try #require(made.json["secret"]?.string))
  }

  private static func publish(_ server: RunningServer, _ title: String, page: String = "home") async throws {
    let content = #"{"items": [{"id": "b", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let path = "/pages/\(page)/sections/bottom/content"
    #expect(try await server.admin("PUT", path, content, force).status == 200)
    #expect(try await server.admin("POST", "/pages/\(page)/publish", #"{"message": "\#(title)"}"#, force).status == 200)
  }

  private static func deliveries(_ server: RunningServer, _ id: Int) async throws -> [JSON] {
    try await server.admin("GET", "/webhooks/\(id)/deliveries?limit=100").json["deliveries"]?.array ?? []
  }

  /// A signature by Standard Webhooks, made from its specification.
  private static func signature(_ received: Receiver.Received, _ secret: String) throws -> String {
    let key = try #require(Data(base64Encoded: String(secret.dropFirst("whsec_".count))))
    let head = "\(received.fields["webhook-id"] ?? "").\(received.fields["webhook-timestamp"] ?? "")."
    let code = HMAC<SHA256>.authenticationCode(for: Array(head.utf8) + received.body, using: SymmetricKey(data: key))
    return "v1," + Data(code).base64EncodedString()
  }

  @Test func `of a receiver that fails half of the time none is lost, each page is in order, and no poll is older`()
    async throws
  {
    let publicPort = Mutex<UInt16>(0)
    let older = Mutex<[String]>([])
    let count = Mutex(0)
    let receiver = try Receiver { received in
      let data = (try? JSON.parse(received.body))?["data"]
      let page = data?["page"]?.string ?? ""
      let answer = try? ServerQuery.get(
        host: "127.0.0.1", port: publicPort.withLock { $0 }, path: "/v1/pages/\(page)", fields: [], bytesMax: 1_000_000,
        timeout: .seconds(5))
      let served = answer?.fields.first { $0.name == "Hearth-Revision" }?.value.split(separator: ".").last
      let told = data?["revision"]?.int ?? .max
      if served.flatMap({ Int($0) }) ?? 0 < told { older.withLock { $0.append("\(page) \(told)") } }
      let isTaken = count.withLock { count in
        count += 1
        return count.isMultiple(of: 2)
      }
      return Response(isTaken ? 204 : 500)
    }
    try await withServer([Demo.tiny, Demo.tiny.replacing("home:", with: "second:")], settings: Self.sends) { server in
      publicPort.withLock { $0 = server.server.publicPort }
      let (id, secret) = try await Self.make(server, receiver)
      for round in 1...10 {
        for page in ["home", "second"] { try await Self.publish(server, "\(page) \(round)", page: page) }
      }
      try await waitUntil { try await server.admin("GET", "/webhooks/\(id)").json["waiting"]?.int == 0 }
      let listed = try await Self.deliveries(server, id)
      #expect(listed.count == 20)
      #expect(listed.allSatisfy { $0["state"] == "delivered" && $0["status"] == 204 })
      let received = receiver.received
      for page in ["home", "second"] {
        let revisions = try received.compactMap { received -> Int? in
          let data = try JSON.parse(received.body)["data"]
          return data?["page"] == .string(page) ? data?["revision"]?.int : nil
        }
        #expect(revisions == revisions.sorted())
        #expect(Set(revisions) == Set(2...11))
      }
      // Each event has one id, and one body, however often it is sent.
      #expect(Set(received.map { $0.fields["webhook-id"] }).count == 20)
      #expect(Set(received.map(\.body)).count == 20)
      for each in received { #expect(each.fields["webhook-signature"] == (try Self.signature(each, secret))) }
      #expect(older.withLock { $0 } == [])
    }
    await receiver.stop()
  }

  @Test func `an event says what went live`() async throws {
    let receiver = try Receiver()
    let slack = try Receiver()
    let clock = TestClock()
    try await withServer(clock: clock, settings: Self.sends) { server in
      let all = #", "kinds": ["publish", "content", "rollback", "scheduled", "withheld", "kinds"]"#
      _ = try await Self.make(server, receiver, all)
      _ = try await Self.make(server, slack, #", "format": "slack", "kinds": ["publish"], "pages": ["home"]"#)
      _ = try await Self.make(server, slack, #", "pages": ["other"]"#)
      _ = try await Self.make(server, slack, #", "on": false"#)
      try await Self.publish(server, "A <b> & c")
      let rollback = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, Self.force)
      #expect(rollback.status == 200)
      let withheld = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "r"}"#
      #expect(try await server.admin("PUT", "/withheld/items/navigation", withheld).status == 201)
      try Demo.tinyKinds.replacing("points: 80", with: "points: 81").write(
        toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
      #expect(try await server.admin("POST", "/kinds/reload").status == 200)
      let at = clock.now.adding(seconds: 600)
      #expect(try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, Self.force).status == 201)
      clock.advance(by: 600)
      try await waitUntil { receiver.received.count == 5 && slack.received.count == 1 }
      let events = try receiver.received.map { try JSON.parse($0.body) }
      #expect(
        events.map { $0["type"] } == [
          "revision.publish", "revision.rollback", "revision.withheld", "revision.kinds", "revision.scheduled",
        ])
      let revisions = try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array ?? []
      let published = try #require(revisions.first { $0["revision"] == 2 })
      #expect(
        events[0]["data"] == [
          "page": "home", "edition": "1.2", "generation": 1, "revision": 2, "kind": "publish", "author": "tester",
          "hash": published["fingerprint"] ?? .null, "message": "A <b> & c",
        ])
      #expect(events[1]["data"]?["source"] == 1)
      #expect(
        try JSON.parse(slack.received[0].body) == [
          "text": "home: revision 2 is live (publish, by tester): A &lt;b&gt; &amp; c"
        ])
    }
    await receiver.stop()
    await slack.stop()
  }

  @Test func `what came of a try and could not be written is not forgotten: it is sent again, by the same id`()
    async throws
  {
    let engine = Mutex<CuttingEngine?>(nil)
    let count = Mutex(0)
    let receiver = try Receiver { _ in
      let isFirst = count.withLock { count in
        count += 1
        return count == 1
      }
      // The database goes away while it answers.
      if isFirst { engine.withLock { $0?.begin(.statement(1)) } }
      return Response(204)
    }
    let server = try await RunningServer(cuts: true, settings: Self.sends)
    do {
      let (id, _) = try await Self.make(server, receiver)
      engine.withLock { $0 = server.store.engine as? CuttingEngine }
      try await Self.publish(server, "once more")
      try await waitUntil { server.store.isAway }
      // Longer than a look at what waits.
      try await Task.sleep(for: .seconds(2))
      #expect(receiver.received.count == 1)
      _ = engine.withLock { $0?.end() }
      try await waitUntil { try await Self.deliveries(server, id).map { $0["state"] } == ["delivered"] }
      #expect(receiver.received.count == 2)
      #expect(Set(receiver.received.map { $0.fields["webhook-id"] }).count == 1)
      try await server.stop()
    } catch {
      try await server.stop()
      throw error
    }
    await receiver.stop()
  }

  @Test func `after a rotation both secrets sign, until the time of the older one is over`() async throws {
    let receiver = try Receiver()
    let clock = TestClock()
    try await withServer(clock: clock, settings: Self.sends) { server in
      let (id, first) = try await Self.make(server, receiver)
      let rotated = try await server.admin("POST", "/webhooks/\(id)/rotate", #"{"grace": 3600}"#)
      #expect(rotated.status == 201)
      let second = try #require(rotated.json["secret"]?.string)
      #expect(try await server.admin("GET", "/webhooks/\(id)").json["secret"] == nil)
      try await Self.publish(server, "both")
      try await waitUntil { receiver.received.count == 1 }
      clock.advance(by: 3_601)
      try await Self.publish(server, "one")
      try await waitUntil { receiver.received.count == 2 }
      let (both, one) = (receiver.received[0], receiver.received[1])
      let signatures = try [second, first].map { try Self.signature(both, $0) }
      #expect(both.fields["webhook-signature"] == signatures.joined(separator: " "))
      #expect(one.fields["webhook-signature"] == (try Self.signature(one, second)))
    }
    await receiver.stop()
  }

  @Test func `what is off goes on waiting, 410 switches off, and a delivery can be sent again`() async throws {
    let status = Mutex<Status>(410)
    let receiver = try Receiver { _ in Response(status.withLock { $0 }) }
    try await withServer(settings: Self.sends) { server in
      let (id, _) = try await Self.make(server, receiver)
      try await Self.publish(server, "gone")
      try await waitUntil { try await server.admin("GET", "/webhooks/\(id)").json["on"] == false }
      let off = try await server.admin("GET", "/webhooks/\(id)")
      #expect(off.json["offReason"] == "it answered 410 Gone")
      #expect(off.json["waiting"] == 1)
      try await Self.publish(server, "not told")
      status.withLock { $0 = 204 }
      let on = #"{"name": "hook", "url": "http://127.0.0.1:\#(receiver.port)/", "on": true}"#
      #expect(try await server.admin("PUT", "/webhooks/\(id)", on, ["If-Match": #""0""#]).status == 412)
      let tag = ["If-Match": try #require(off["ETag"])]
      #expect(try await server.admin("PUT", "/webhooks/\(id)", on, tag).status == 200)
      try await waitUntil { receiver.received.count == 2 }
      try await waitUntil { try await Self.deliveries(server, id).map { $0["state"] } == ["delivered"] }
      let delivery = try #require(try await Self.deliveries(server, id).first?["id"]?.int)
      #expect(try await server.admin("POST", "/webhooks/deliveries/\(delivery)/send").status == 200)
      try await waitUntil { receiver.received.count == 3 }
      #expect(Set(receiver.received.map { $0.fields["webhook-id"] }).count == 1)
      #expect(try await server.admin("POST", "/webhooks/deliveries/99/send").code == "unknown-webhook-delivery")
      #expect(try await server.admin("DELETE", "/webhooks/\(id)", nil, Self.force).status == 204)
      #expect(try await server.admin("GET", "/webhooks/\(id)").code == "unknown-webhook")
    }
    await receiver.stop()
  }

  @Test func `what cannot be taken for its time is given up, and what is wrong is said`() async throws {
    let receiver = try Receiver { _ in Response(503) }
    try await withServer(settings: {
      Self.sends(&$0)
      $0.webhooks.retryFirst = .seconds(5)
      $0.webhooks.retryFor = .seconds(1)
      $0.webhooks.countMax = 1
    }) { server in
      let (id, _) = try await Self.make(server, receiver)
      try await Self.publish(server, "given up")
      try await waitUntil { try await Self.deliveries(server, id).first?["state"] == "given-up" }
      #expect(try await Self.deliveries(server, id).first?["detail"] == "it answered 503")
      #expect(receiver.received.count == 1)
      let another = #"{"name": "x", "url": "https://hook.example/"}"#
      let full = try await server.admin("POST", "/webhooks", another)
      #expect(full.status == 409)
      #expect(full.code == "too-many-webhooks")
    }
    await receiver.stop()
  }

  @Test(
    arguments: [
      (#"{"name": "x"}"#, "/url"), (#"{"name": "x", "url": "http://10.0.0.1/"}"#, "/url"),
      (#"{"name": "x", "url": "http://127.1/"}"#, "/url"), (#"{"name": "x", "url": "file:///etc/passwd"}"#, "/url"),
      (#"{"url": "https://a.example"}"#, "/name"),
      (#"{"name": "x", "url": "https://a.example", "kinds": []}"#, "/kinds"),
      (#"{"name": "x", "url": "https://a.example", "kinds": ["all"]}"#, "/kinds"),
      (#"{"name": "x", "url": "https://a.example", "pages": ["a b"]}"#, "/pages"),
      (#"{"name": "x", "url": "https://a.example", "format": "teams"}"#, "/format"),
      (#"{"name": "x", "url": "https://a.example", "secret": "s"}"#, "/secret"),
    ])
  func `what cannot be a webhook is refused, and its place is named`(body: String, pointer: String) async throws {
    try await withServer(settings: Self.sends) { server in
      let reply = try await server.admin("POST", "/webhooks", body)
      #expect(reply.status == 422)
      #expect(reply.json["errors"]?.array?.map { $0["pointer"] } == [.string(pointer)], "\(reply.text)")
      #expect(try await server.admin("GET", "/webhooks").json["webhooks"] == [])
    }
  }

  @Test func `an event of a page that was deleted meanwhile waits for no node`() async throws {
    let isDeleted = DispatchSemaphore(value: 0)
    let receiver = try Receiver { _ in
      isDeleted.wait()
      isDeleted.signal()
      return Response(204)
    }
    try await withServer([Demo.tiny, Demo.tiny.replacing("home:", with: "second:")], settings: Self.sends) { server in
      _ = try await Self.make(server, receiver)
      for title in ["first", "last"] { try await Self.publish(server, title, page: "second") }
      try await waitUntil { receiver.received.count == 1 }
      #expect(try await server.admin("DELETE", "/pages/second", nil, Self.force).status == 204)
      isDeleted.signal()
      try await waitUntil { receiver.received.count == 2 }
      let last = try JSON.parse(receiver.received[1].body)["data"]
      #expect(last?["revision"] == 3)
      #expect(last?["nodes"] == nil)
    }
    await receiver.stop()
  }

  @Test func `while no server sends, what goes live waits`() async throws {
    try await withServer { server in
      #expect(try await server.admin("GET", "/webhooks").json == ["webhooks": [], "isSending": false, "most": 20])
      let made = try await server.admin("POST", "/webhooks", #"{"name": "x", "url": "https://hook.example/"}"#)
      let id = try #require(made.json["id"]?.int)
      for title in ["a", "b"] { try await Self.publish(server, title) }
      #expect(try await server.admin("GET", "/webhooks/\(id)").json["waiting"] == 2)
      #expect(try await Self.deliveries(server, id).map { $0["edition"] } == ["1.3", "1.2"])
    }
  }

  @Test func `metrics say how much waits for those that are on, and since when`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      func metric(_ name: String) async throws -> Double? {
        let text = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
        return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }.flatMap {
          Double($0.dropFirst(name.count + 1))
        }
      }
      #expect(try await metric("hearth_webhooks_waiting") == 0)
      #expect(try await metric("hearth_webhooks_waiting_seconds") == 0)
      let body = #"{"name": "x", "url": "https://hook.example/"}"#
      let id = try #require(try await server.admin("POST", "/webhooks", body).json["id"]?.int)
      try await Self.publish(server, "waits")
      try await Self.publish(server, "too")
      #expect(try await metric("hearth_webhooks_waiting") == 2)
      clock.advance(by: 700)
      // Of a database on a server that one's clock counts.
      if !TestEngine.isPostgreSQL { #expect(try await metric("hearth_webhooks_waiting_seconds") ?? 0 >= 700) }
      let off = #"{"name": "x", "url": "https://hook.example/", "on": false}"#
      #expect(try await server.admin("PUT", "/webhooks/\(id)", off, Self.force).status == 200)
      #expect(try await metric("hearth_webhooks_waiting") == 0)
      #expect(try await metric("hearth_webhooks_waiting_seconds") == 0)
    }
  }

  @Test func `of several nodes one sends, each event once all serve it, and one that does not is named`() async throws {
    let ports = Mutex<[UInt16]>([])
    let older = Mutex(0)
    let receiver = try Receiver { received in
      let data = (try? JSON.parse(received.body))?["data"]
      for port in ports.withLock({ $0 }) {
        let answer = try? ServerQuery.get(
          host: "127.0.0.1", port: port, path: "/v1/home", fields: [], bytesMax: 1_000_000, timeout: .seconds(5))
        let served = answer?.fields.first { $0.name == "Hearth-Revision" }?.value.split(separator: ".").last
        if served.flatMap({ Int($0) }) ?? 0 < data?["revision"]?.int ?? .max { older.withLock { $0 += 1 } }
      }
      return Response(204)
    }
    let postgres = try PostgreSQLServer.running()
    let database = try postgres.makeDatabase()
    defer { postgres.drop(database) }
    let location = DatabaseLocation(postgres.place(database))
    var nodes: [RunningServer] = []
    for number in 0..<3 {
      nodes.append(
        try await RunningServer(number == 0 ? [Demo.tiny] : [], at: location) {
          Self.sends(&$0)
          $0.webhooks.nodesWait = .seconds(2)
        })
    }
    ports.withLock { $0 = nodes.map(\.server.publicPort) }
    try await waitUntil { try await nodes[0].admin("GET", "/nodes").json["alive"] == 3 }
    let (id, _) = try await Self.make(nodes[1], receiver)
    for round in 0..<9 { try await Self.publish(nodes[round % 3], "round \(round)") }
    try await waitUntil { try await nodes[2].admin("GET", "/webhooks/\(id)").json["waiting"] == 0 }
    let sent = try receiver.received.map { try JSON.parse($0.body)["data"] }
    #expect(sent.map { $0?["revision"]?.int } == Array(2...10))
    #expect(sent.allSatisfy { $0?["nodes"] == nil })
    #expect(older.withLock { $0 } == 0)
    ports.withLock { $0 = [] }
    try postgres.psql(
      """
      INSERT INTO nodes SELECT 'stuck', 'stuck', 'a:1', since, seen + 20000, version, schema, '{"home":"1.1"}' FROM nodes
      LIMIT 1
      """, database: database)
    try await Self.publish(nodes[0], "stuck")
    try await waitUntil { receiver.received.count == 10 }
    let last = try JSON.parse(receiver.received[9].body)["data"]
    #expect(last?["nodes"] == ["serving": 3, "of": 4, "missing": ["stuck"]])
    for node in nodes { try await node.stop() }
    await receiver.stop()
  }
}
