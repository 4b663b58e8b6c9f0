import Foundation
import HTTPClient
import JSON
import Layout
import Peers
import Service
import Serving
import Storage
import Synchronization
import Testing

/// A section whose content is asked of an endpoint has what that answered last and could be published.
@Suite struct AskingTests {
  private static let force = ["If-Match": "*"]
  private static let path = "/pages/home/sections/bottom"

  /// What an endpoint does, changed by a test as it goes.
  private final class Plan: Sendable {
    private let deed: Mutex<FakeEndpoint.Deed>

    init(_ deed: FakeEndpoint.Deed) { self.deed = Mutex(deed) }

    var now: FakeEndpoint.Deed {
      get { deed.withLock { $0 } }
      set { deed.withLock { $0 = newValue } }
    }
  }

  private static func offers(_ names: String...) -> String {
    let offers = names.enumerated().map { #"{"sku": \#($0 + 1), "name": "\#($1)", "stock": 3}"# }
    return #"{"offers": [\#(offers.joined(separator: ", "))]}"#
  }

  private static func asks(_ port: UInt16, _ members: String = "") -> String {
    """
    {"url": "http://127.0.0.1:\(port)/offers", "every": 10, "timeout": 1, "items": {"from": "/offers", \
    "item": {"kind": "navigation"}, "members": {"/id": "/sku", "/content/title": "/name"}}\(members)}
    """
  }

  private static func document(_ port: UInt16, _ members: String = "") -> String {
    Demo.tiny.replacing("- id: bottom\n", with: "- id: bottom\n        asks: \(asks(port, members))\n")
  }

  /// Has a server ask this machine, about four times a second.
  private static func asking(_ settings: inout ServerSettings) {
    settings.sources.isOn = true
    settings.sources.second = .milliseconds(10)
    settings.webhooks.client.addressesAllowed = AddressRanges(["127.0.0.1"]) ?? AddressRanges()
  }

  private static func titles(_ server: RunningServer) async throws -> [String] {
    let page = try await server.get("/v1/home").json
    let section = page["sections"]?.array?.first { $0["id"] == "bottom" }
    return (section?["items"]?.array ?? []).compactMap { $0["content"]?["title"]?.string }
  }

  private static func state(_ server: RunningServer) async throws -> JSON {
    try await server.admin("GET", path + "/asked").json
  }

  private static func revision(_ server: RunningServer) async throws -> String? {
    try await server.get("/v1/home")["Hearth-Revision"]
  }

  private static func publish(_ server: RunningServer) async throws {
    let reply = try await server.admin("POST", "/pages/home/publish", "{}", force)
    #expect(reply.status == 200, "\(reply.text)")
  }

  private static func putAsks(_ asks: String?, _ server: RunningServer) async throws -> Reply {
    let member = asks.map { #", "asks": \#($0)"# } ?? ""
    return try await server.admin("PUT", path, #"{"kind": "broadcast"\#(member)}"#, force)
  }

  @Test func `an answer goes live as a push does, and one that is equal changes nothing`() async throws {
    let plan = Plan(.json(Self.offers("One", "Two"), ["ETag: \"a\""]))
    let endpoint = try FakeEndpoint { request in
      request.contains("If-None-Match: \"a\"") ? .answer("304 Not Modified", ["ETag: \"a\""]) : plan.now
    }
    defer { endpoint.stop() }
    try await withServer([Self.document(endpoint.port)], settings: Self.asking) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["One", "Two"] }
      #expect(try await Self.revision(server) == "1.2")
      let draft = try await server.admin("GET", Self.path + "/content").json
      #expect(draft["items"]?.array?.map { $0["id"] } == ["1", "2"])
      let audit = try await server.admin("GET", "/audit?page=home").json["entries"]?.array
      let rows = audit?.count
      #expect(audit?.first?["actor"] == "endpoint of home/bottom")
      #expect(audit?.first?["action"] == "content.publish")
      let tag = try await server.store.draftTag("home")
      // Answers of 304, then an equal one without a tag.
      let seen = endpoint.requests.count
      try await waitUntil { endpoint.requests.count >= seen + 3 }
      #expect(endpoint.requests.last?.contains("If-None-Match: \"a\"") == true)
      #expect(try await Self.revision(server) == "1.2")
      #expect(try await server.store.draftTag("home") == tag)
      #expect(try await server.admin("GET", "/audit?page=home").json["entries"]?.array?.count == rows)
      let state = try await Self.state(server)
      #expect(state["isOn"] == true && state["failure"] == nil && state["answeredAt"] != nil, "\(state)")
      #expect(state["asks"]?["every"] == 10)
    }
  }

  @Test func `what an operator changes is asked for again, though the endpoint has nothing new`() async throws {
    let endpoint = try FakeEndpoint { request in
      request.contains("If-None-Match") ? .answer("304 Not Modified") : .json(Self.offers("One"), ["ETag: \"a\""])
    }
    defer { endpoint.stop() }
    try await withServer([Self.document(endpoint.port)], settings: Self.asking) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["One"] }
      let content = #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "By hand"}}]}"#
      #expect(try await server.admin("PUT", Self.path + "/content", content, Self.force).status == 200)
      try await waitUntil {
        try await server.admin("GET", Self.path + "/content").json["items"]?.array?.first?["id"] == "1"
      }
      #expect(try await Self.titles(server) == ["One"])
    }
  }

  @Test func `what is wrong with an answer is told, and what is live stays`() async throws {
    let other = try FakeEndpoint { _ in .json(Self.offers("Elsewhere")) }
    let huge = String(repeating: "x", count: 30_000)
    let long = "HTTP/1.1 200 OK\r\nContent-Length: 500\r\nConnection: close\r\n\r\n"
    let short = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\n"
    let bad: [(deed: FakeEndpoint.Deed, words: String)] = [
      (.answer("500 Internal Server Error"), "it answered 500"),
      (
        .answer("302 Found", ["Location: http://127.0.0.1:\(other.port)/offers"]),
        "it answered 302; redirects are not followed"
      ),
      (.answer("304 Not Modified"), "it answered 304"), (.answer("204 No Content"), "it answered 204"),
      (.json(huge), "longer than 20000 bytes"), (.drips(Array(long.utf8)), "timed out"), (.waits, "timed out"),
      // It says more than it sends, and less.
      (.sends(Array((long + Self.offers("Cut")).utf8)), "bytes remaining"),
      (.sends(Array((short + Self.offers("Cut")).utf8)), "no JSON"),
      (.sends(Array("nonsense\r\n\r\n".utf8)), "HTTP"), (.json("<html>"), "no JSON"),
      (.json(#"{"prices": []}"#), "/asks/items/from leads to nothing"),
      (.json(#"{"offers": {}}"#), "/asks/items/from must be the place of an array"),
      (.json(#"{"offers": [{"sku": 1, "name": ""}]}"#), "/items/0/content/title"),
      (.json(#"{"offers": [{"sku": "a b", "name": "A"}]}"#), "/items/0/id must be"),
      (.json(#"{"offers": [{"sku": 1}]}"#), "/items/0/content/title"),
      (.json(#"{"offers": [{"sku": 1, "name": "A"}, {"sku": 1, "name": "B"}]}"#), "1"),
    ]
    let plan = Plan(.json(Self.offers("Good")))
    let endpoint = try FakeEndpoint { _ in plan.now }
    defer { endpoint.stop() }
    try await withServer(
      [Self.document(endpoint.port)],
      settings: {
        Self.asking(&$0)
        $0.sources.answerBytesMax = 20_000
      }
    ) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["Good"] }
      let revision = try await Self.revision(server)
      for (deed, words) in bad {
        plan.now = deed
        try await waitUntil { try await Self.state(server)["failure"] != nil }
        let failure = try await Self.state(server)["failure"]?.string ?? ""
        #expect(failure.contains(words), "\(words): \(failure)")
        #expect(try await Self.titles(server) == ["Good"])
        let status = try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
        #expect(status["asked"]?["sections"]?.array?.first?["failure"] == .string(failure))
        let metrics = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
        #expect(metrics.contains("\nhearth_source_failing{page=\"home\",section=\"bottom\"} 1\n"))
        plan.now = .json(Self.offers("Good"))
        try await waitUntil { try await Self.state(server)["failure"] == nil }
      }
      #expect(try await Self.revision(server) == revision)
      #expect(other.requests.isEmpty)
      other.stop()
    }
  }

  @Test func `of an endpoint that fails half of the time each new content goes live, and of a slow one none waits`()
    async throws
  {
    let slow = try FakeEndpoint { _ in .waits }
    let count = Mutex(0)
    let plan = Plan(.json(Self.offers("0")))
    let endpoint = try FakeEndpoint { _ in
      let fails = count.withLock { count in
        count += 1
        return count.isMultiple(of: 2)
      }
      return fails ? .answer("503 Service Unavailable") : plan.now
    }
    defer { endpoint.stop() }
    let asks = Self.asks(slow.port).replacing("\"timeout\": 1", with: "\"timeout\": 60")
    let document = Self.document(endpoint.port).replacing(
      "- id: middle\n", with: "- id: middle\n        asks: \(asks)\n")
    try await withServer([document], settings: Self.asking) { server async throws in
      for number in 1...6 {
        plan.now = .json(Self.offers("\(number)"))
        try await waitUntil { try await Self.titles(server) == ["\(number)"] }
      }
      #expect(slow.requests.count == 1)
      slow.stop()
    }
  }

  @Test func `no address is asked that is not public, unless it is listed`() async throws {
    let endpoint = try FakeEndpoint { _ in .json(Self.offers("Inside")) }
    defer { endpoint.stop() }
    try await withServer(
      [Self.document(endpoint.port)],
      settings: {
        Self.asking(&$0)
        $0.webhooks.client.addressesAllowed = AddressRanges()
      }
    ) { server async throws in
      try await waitUntil { try await Self.state(server)["failure"] != nil }
      #expect(try await Self.state(server)["failure"]?.string?.contains("no public address") == true)
      let put = try await Self.putAsks(Self.asks(endpoint.port), server)
      #expect(put.status == 422)
      #expect(put.json["errors"]?.array?.first?["pointer"] == "/asks/url")
      let tried = try await server.admin("GET", Self.path + "/asked/answer").json
      #expect(tried["failure"]?.string?.contains("no public address") == true)
      #expect(endpoint.requests.isEmpty)
      #expect(try await Self.titles(server) == ["B"])
    }
  }

  @Test(arguments: ["url", "none", "section"])
  func `an answer that comes after the section was changed is not published`(change: String) async throws {
    let (isAsked, mayAnswer) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let late = try FakeEndpoint { _ in
      isAsked.signal()
      mayAnswer.wait()
      return .json(Self.offers("Late"))
    }
    let other = try FakeEndpoint { _ in .json(Self.offers("Other")) }
    defer { other.stop() }
    let document = Self.document(late.port).replacing("\"timeout\": 1", with: "\"timeout\": 60")
    let lines = LogLines()
    let server = try await RunningServer([document], logger: lines.logger, settings: Self.asking)
    await withCheckedContinuation { continuation in
      Thread.detachNewThread {
        isAsked.wait()
        continuation.resume()
      }
    }
    switch change {
    case "url": #expect(try await Self.putAsks(Self.asks(other.port), server).status == 200)
    case "none": #expect(try await Self.putAsks(nil, server).status == 200)
    default: #expect(try await server.admin("DELETE", Self.path, nil, Self.force).status == 204)
    }
    try await Self.publish(server)
    if change == "url" { try await waitUntil { try await Self.titles(server) == ["Other"] } }
    let revision = try await Self.revision(server)
    mayAnswer.signal()
    try await waitUntil { !lines.with("an endpoint's answer is dropped").isEmpty }
    #expect(try await Self.revision(server) == revision)
    let expected = ["url": ["Other"], "none": ["B"], "section": []]
    #expect(try await Self.titles(server) == expected[change])
    try await server.stop()
    late.stop()
  }

  @Test func `a draft that asks otherwise is left alone, and what is live goes on`() async throws {
    let plan = Plan(.json(Self.offers("One")))
    let endpoint = try FakeEndpoint { _ in plan.now }
    defer { endpoint.stop() }
    try await withServer([Self.document(endpoint.port)], settings: Self.asking) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["One"] }
      #expect(try await Self.putAsks(nil, server).status == 200)
      let content = #"{"items": [{"id": "x", "kind": "navigation", "content": {"title": "By hand"}}]}"#
      #expect(try await server.admin("PUT", Self.path + "/content", content, Self.force).status == 200)
      plan.now = .json(Self.offers("Two"))
      try await waitUntil { try await Self.titles(server) == ["Two"] }
      let draft = try await server.admin("GET", Self.path + "/content").json
      #expect(draft["items"]?.array?.map { $0["content"]?["title"] } == ["By hand"])
      // Nor does one that has not the section any more keep it from going on.
      #expect(try await server.admin("DELETE", Self.path, nil, Self.force).status == 204)
      plan.now = .json(Self.offers("Three"))
      try await waitUntil { try await Self.titles(server) == ["Three"] }
      let audit = try await server.admin("GET", "/audit?page=home").json["entries"]?.array?.first
      #expect(audit?["section"] == "bottom" && audit?["action"] == "content.publish")
    }
  }

  @Test func `a credential goes to its own server alone, and is in no answer, export or trail`() async throws {
    let endpoint = try FakeEndpoint { _ in .json(Self.offers("One")) }
    defer { endpoint.stop() }
    let folder = try RunningServer.makeFolder()
    func write(_ port: UInt16, _ lines: String = "Authorization: Bearer s3cret-word") throws {
      try "http://127.0.0.1:\(port)\n\(lines)\n".write(toFile: folder + "/prices", atomically: true, encoding: .utf8)
    }
    try write(endpoint.port)
    try await withServer(
      [Self.document(endpoint.port, #", "credential": "prices""#)],
      settings: {
        Self.asking(&$0)
        $0.sources.credentialsFolder = folder
      }
    ) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["One"] }
      #expect(endpoint.requests.allSatisfy { $0.contains("Authorization: Bearer s3cret-word\r\n") })
      let texts = [
        try await server.admin("GET", "/export").text, try await server.admin("GET", "/audit").text,
        try await server.admin("GET", Self.path).text, try await server.admin("GET", Self.path + "/asked").text,
        try await server.admin("GET", Self.path + "/asked/answer").text,
      ]
      #expect(texts.allSatisfy { !$0.contains("s3cret") })
      #expect(texts[0].contains("prices"))
      // It is read anew each time.
      for (port, lines, words) in [
        (endpoint.port &+ 1, "Authorization: Bearer s3cret-word", "for another server"),
        (endpoint.port, "", "must have 1 to 16 lines"),
        (endpoint.port, "Host: other.example", "must have 1 to 16 lines"),
      ] {
        try write(port, lines)
        let seen = endpoint.requests.count
        let failure = try await server.admin("GET", Self.path + "/asked/answer").json["failure"]?.string ?? ""
        #expect(failure.contains(words) && !failure.contains("s3cret"), "\(failure)")
        try await waitUntil { try await Self.state(server)["failure"]?.string?.contains(words) == true }
        let more = endpoint.requests.dropFirst(seen)
        #expect(more.allSatisfy { $0.contains("s3cret") }, "\(more)")
      }
    }
  }

  @Test func `an editor sees what would come of the draft's mapping, and nothing changes`() async throws {
    let endpoint = try FakeEndpoint { _ in .json(Self.offers("One", "")) }
    defer { endpoint.stop() }
    try await withServer(settings: Self.asking) { server async throws in
      #expect(
        try await server.admin("GET", Self.path + "/asked/answer").json["failure"]?.string?.contains("asks nothing")
          == true)
      #expect(try await Self.putAsks(Self.asks(endpoint.port), server).status == 200)
      let tried = try await server.admin("GET", Self.path + "/asked/answer")
      #expect(tried.status == 200)
      #expect(tried.json["content"]?["items"]?.array?.count == 2)
      #expect(tried.json["errors"]?.array?.map { $0["pointer"] } == ["/items/1/content/title"], "\(tried.text)")
      let draft = try await server.admin("GET", Self.path + "/content").json
      #expect(draft["items"]?.array?.map { $0["id"] } == ["b"])
      #expect(endpoint.requests.count == 1)
    }
  }

  @Test func `slots are filled, and an element may be an item as it is`() async throws {
    let answer = #"{"best": {"name": "Best"}, "all": [{"id": "x", "kind": "navigation", "content": {"title": "X"}}]}"#
    let endpoint = try FakeEndpoint { _ in .json(answer) }
    defer { endpoint.stop() }
    let asks = """
      {"url": "http://127.0.0.1:\(endpoint.port)/", "every": 10, "items": {"from": "/all"}, "slots": {"hot": \
      {"from": "/best", "item": {"kind": "navigation", "aspect": 2}, "members": {"/content/title": "/name"}}}}
      """
    let document = Demo.tiny.replacing("- id: bottom\n", with: "- id: bottom\n        asks: \(asks)\n")
    try await withServer([document], settings: Self.asking) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["X"] }
      let content = try await server.admin("GET", Self.path + "/content").json
      #expect(content["slots"]?["hot"]?["content"] == ["title": "Best"])
      #expect(content["slots"]?["hot"]?["aspect"] == 2)
    }
  }

  @Test(arguments: [
    (#"{"url": "ftp://a.example/", "every": 10, "items": {"from": ""}}"#, "/asks/url"),
    (#"{"url": "https://a.example/#x", "every": 10, "items": {"from": ""}}"#, "/asks/url"),
    (#"{"url": "https://a.example/", "every": 9, "items": {"from": ""}}"#, "/asks/every"),
    (#"{"url": "https://a.example/", "items": {"from": ""}}"#, "/asks/every"),
    (#"{"url": "https://a.example/", "every": 10}"#, "/asks/items"),
    (#"{"url": "https://a.example/", "every": 10, "items": {}}"#, "/asks/items/from"),
    (#"{"url": "https://a.example/", "every": 10, "items": {"from": "offers"}}"#, "/asks/items/from"),
    (#"{"url": "https://a.example/", "every": 10, "timeout": 61, "items": {"from": ""}}"#, "/asks/timeout"),
    (#"{"url": "https://a.example/", "every": 10, "credential": "../x", "items": {"from": ""}}"#, "/asks/credential"),
    (
      #"{"url": "https://a.example/", "every": 10, "items": {"from": "", "members": {"/id": 1}}}"#,
      "/asks/items/members/~1id"
    ),
    (
      #"{"url": "https://a.example/", "every": 10, "items": {"from": "", "members": {"id": "/x"}}}"#,
      "/asks/items/members/id"
    ),
    (#"{"url": "https://a.example/", "every": 10, "slots": {"a b": {"from": ""}}}"#, "/asks/slots/a b"),
    (#"{"url": "https://a.example/", "every": 10, "items": {"from": ""}, "then": 1}"#, "/asks/then"),
  ]) func `what is asked for must be right`(asks: String, place: String) async throws {
    try await withServer { server async throws in
      let reply = try await Self.putAsks(asks, server)
      #expect(reply.status == 422, "\(reply.text)")
      #expect(reply.json["errors"]?.array?.map { $0["pointer"]?.string } == [place], "\(reply.text)")
    }
  }

  @Test func `where more are to be asked for than may be, and where nobody asks, that is told`() async throws {
    let endpoint = try FakeEndpoint { _ in .json(Self.offers("One")) }
    defer { endpoint.stop() }
    let document = Self.document(endpoint.port).replacing(
      "- id: middle\n", with: "- id: middle\n        asks: \(Self.asks(endpoint.port))\n")
    try await withServer(
      [document],
      settings: {
        Self.asking(&$0)
        $0.sources.countMax = 1
      }
    ) { server async throws in
      try await waitUntil { try await Self.titles(server) == ["One"] }
      let other = try await server.admin("GET", "/pages/home/sections/middle/asked").json
      #expect(other["failure"]?.string?.contains("sources.countMax is 1") == true, "\(other)")
    }
    try await withServer([document]) { server async throws in
      let state = try await Self.state(server)
      #expect(state["isOn"] == false && state["asks"] != nil)
      #expect(
        try await server.admin("GET", Self.path + "/asked/answer").json["failure"]?.string?.contains("sources.on")
          == true)
    }
  }

  @Test func `of several nodes one asks, and when it has gone the next`() async throws {
    let postgres = try PostgreSQLServer.running()
    let database = try postgres.makeDatabase()
    defer { postgres.drop(database) }
    let location = DatabaseLocation(postgres.place(database))
    let plan = Plan(.json(Self.offers("One")))
    let endpoint = try FakeEndpoint { _ in plan.now }
    defer { endpoint.stop() }
    let one = try await RunningServer([Self.document(endpoint.port)], at: location, settings: Self.asking)
    try await waitUntil { try await Self.titles(one) == ["One"] }
    let asker = try await one.store.asker()
    let other = try await RunningServer([], at: location, settings: Self.asking)
    // The other one knows what came of it.
    try await waitUntil { try await Self.state(other)["answeredAt"] != nil }
    #expect(try await one.store.asker()?.instance == asker?.instance)
    // An answer to a process that asks no more is not published.
    let content = SectionContent(items: [ItemDefinition(id: "x", kind: "navigation")])
    let asking = try #require(
      try await one.store.section("home", "bottom").section.settings.loading.asks)
    await #expect(throws: AnswerTooLate.self) {
      _ = try await one.store.publish(
        "home", .content(section: "bottom", .replace(content), asked: AskedBy(asking, by: "former")), message: nil,
        if: .none, by: Actor(name: "test")
      ) { _ in ((), .array([])) }
    }
    try await one.stop()
    plan.now = .json(Self.offers("Two"))
    try await waitUntil { try await Self.titles(other) == ["Two"] }
    #expect(try await other.store.asker()?.instance != asker?.instance)
    try await other.stop()
  }
}
