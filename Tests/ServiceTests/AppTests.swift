import Foundation
import HearthClient
import HomePayload
import JSON
import Layout
import Service
import Testing

/// An app on HearthClient against a server with the demo home.
@Suite struct AppTests {
  private static let force = ["If-Match": "*"]

  /// A file under `config/`.
  private static func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "config/\(path)"), encoding: .utf8)
  }

  private static func withDemo(_ body: (RunningServer) async throws -> Void) async throws {
    try await withServer([try text("demo/home.yaml")], kinds: try text("kinds.yaml")) { try await body($0) }
  }

  private static func settings(_ server: RunningServer, locale: String) throws -> PageClientSettings {
    var settings = PageClientSettings(server: try #require(URL(string: "http://127.0.0.1:\(server.server.publicPort)")))
    settings.locale = locale
    return settings
  }

  private static func edit(_ server: RunningServer, _ method: String, _ path: String, _ body: String) async throws {
    let reply = try await server.admin(method, "/pages/home\(path)", body, force)
    #expect((200..<300).contains(reply.status), "\(reply.text)")
  }

  /// One item's title, one section from last to first, one banner section more; each with what it may cost of the page.
  private static let edits: [(percent: Double, calls: [(method: String, path: String, body: String)])] = [
    (
      6,
      [
        (
          "PUT", "/sections/hxPrefecture/items/tea",
          #"{"kind":"banner","content":{"image":{"url":"https://cdn.example.com/a.png","width":3,"height":1},"title":"B"}}"#
        )
      ]
    ), (3, [("POST", "/sections/bottomFloat/move", #"{"first":true}"#)]),
    (
      20,
      [
        ("PUT", "/sections/autumn", #"{"kind":"middleAd","title":"Autumn"}"#),
        (
          "PUT", "/sections/autumn/content",
          #"{"items":[{"id":"leaf","kind":"banner","content":{"image":{"url":"https://cdn.example.com/b.png","#
            + #""width":1047,"height":342},"title":{"zh-Hans":"秋天","en":"Autumn","vi":"Mùa thu"}},"#
            + #""action":{"url":"app://autumn","event":"home_ad_tap"}}]}"#
        ),
      ]
    ),
  ]

  @Test func `an app follows edits by changes that are a small share of the page`() async throws {
    try await Self.withDemo { server in
      // First without what the edit leaves out, so that it changes the title alone.
      for call in Self.edits[0].calls {
        try await Self.edit(server, call.method, call.path, call.body.replacing("\"B\"", with: "\"A\""))
      }
      try await Self.edit(server, "POST", "/publish", "{}")
      let client = PageClient(try Self.settings(server, locale: "zh-Hans"))
      _ = try await client.poll()
      for edit in Self.edits {
        let old = try #require(await client.page)
        let whole = try await server.get("/v1/home?locale=zh-Hans", ["Accept-Encoding": "gzip"])
        for call in edit.calls { try await Self.edit(server, call.method, call.path, call.body) }
        try await Self.edit(server, "POST", "/publish", "{}")
        let changed = try await server.get(
          "/v1/home?locale=zh-Hans",
          ["Accept-Encoding": "gzip", "A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""])
        #expect(changed.status == 226)
        let share = try 100 * Self.sent(changed) / Self.sent(whole)
        #expect(share <= edit.percent, "\(share) % of the page")
        let update = try #require(try await client.poll())
        let now = try await server.get("/v1/home?locale=zh-Hans")
        #expect(update.page.canonicalBytes == Array(now.body))
        #expect(update.changes == (try ChangeSet(bytes: Array(changed.body))))
      }
    }
  }

  /// The bytes of the body as they were sent.
  private static func sent(_ reply: Reply) throws -> Double {
    #expect(reply["Content-Encoding"] == "gzip")
    return Double(try #require(reply["Content-Length"].flatMap(Int.init)))
  }

  @Test func `an app that waits has the new page as soon as it is published`() async throws {
    try await Self.withDemo { server in
      var settings = try Self.settings(server, locale: "en")
      settings.wait = 20
      settings.timing.spread = 0
      let client = PageClient(settings)
      let polling = Task {
        var updates: [PageUpdate] = []
        for await state in client.states {
          if let update = state.update { updates.append(update) }
          if updates.count == 3 { break }
        }
        return updates
      }
      try await waitUntil { await client.page != nil }
      let first = try #require(await client.page)
      try await Self.edit(server, "POST", "/sections/otc/hide", "{}")
      try await Self.edit(server, "POST", "/publish", "{}")
      try await waitUntil { await client.page != first }
      try await Self.edit(server, "POST", "/sections/otc/restore", #"{"after":"marquee"}"#)
      try await Self.edit(server, "POST", "/publish", "{}")
      let updates = await polling.value
      #expect(updates.map { $0.page.sections.prefix(3).map(\.id) }.last == ["marquee", "otc", "beltAndRoad"])
      #expect(updates[1].changes?.sections.deletes == [5])
      #expect(updates[2].changes?.sections.inserts.map(\.at) == [1])
    }
  }
}
