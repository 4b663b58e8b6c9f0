import Foundation
import HomePayload
import JSON
import Layout
import Serving
import Service
import Storage
import Testing

/// What is live has one owner: what was answered is served by every loop, and looking changes nothing.
@Suite struct LiveTests {
  private static let force = ["If-Match": "*"]

  private static func push(_ title: String, to section: String = "bottom", of page: String, on server: RunningServer)
    async throws
  {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let path = "/pages/\(page)/sections/\(section)/content?publish=true"
    let reply = try await server.admin("PUT", path, body)
    #expect(reply.status == 200, "\(reply.text)")
  }

  private static let pages = ["home", "p1", "p2", "p3"]

  /// The tiny page under other names.
  private static var documents: [String] {
    pages.map { Demo.tiny.replacingOccurrences(of: "  home:", with: "  \($0):") }
  }

  @Test func `pages that are published at one moment are served by every loop once all are answered`() async throws {
    try await withServer(Self.documents, settings: { $0.loops = 4 }) { server in
      for round in 0..<40 {
        try await withThrowingTaskGroup(of: Void.self) { group in
          for page in Self.pages {
            group.addTask { try await Self.push("T\(round)", of: page, on: server) }
          }
          try await group.waitForAll()
        }
        // Each over a connection of its own, which goes to the loop that the kernel picks.
        try await withThrowingTaskGroup(of: (String, Bool).self) { group in
          for page in Self.pages {
            for _ in 0..<4 {
              group.addTask {
                let reply = try await server.get("/v1/pages/\(page)", ["Connection": "close"])
                return (page, reply.text.contains("\"T\(round)\""))
              }
            }
          }
          for try await (page, isNew) in group { #expect(isNew, "\(page) in round \(round)") }
        }
      }
    }
  }

  @Test func `a page is gone when its deletion is answered, and there again after its next publish`() async throws {
    try await withServer(Self.documents, settings: { $0.loops = 4 }) { server in
      for round in 0..<10 {
        let deleted = try await server.admin("DELETE", "/pages/p1", nil, Self.force)
        #expect(deleted.status == 204)
        for _ in 0..<4 {
          #expect(try await server.get("/v1/pages/p1", ["Connection": "close"]).status == 404)
        }
        #expect(try await server.get("/v1/pages").json["pages"]?.array?.count == 3)
        let settings = #"{"title": "One", "defaultLocale": "en"}"#
        #expect(try await server.admin("PUT", "/pages/p1", settings, ["If-None-Match": "*"]).status == 201)
        let item = #"{"id": "a", "kind": "navigation", "content": {"title": "R\#(round)"}}"#
        let section = #"{"kind": "grid", "items": [\#(item)]}"#
        #expect(try await server.admin("PUT", "/pages/p1/sections/s", section, ["If-None-Match": "*"]).status == 201)
        #expect(try await server.admin("POST", "/pages/p1/publish", "{}", Self.force).status == 200)
        for _ in 0..<4 {
          #expect(try await server.get("/v1/pages/p1", ["Connection": "close"]).text.contains("R\(round)"))
        }
      }
    }
  }

  @Test func `looking at a draft leaves no trace, and who holds the live version still gets changes`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home").body))
      for number in 0..<12 {
        let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "D\#(number)"}}]}"#
        #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content", body).status == 200)
        #expect(try await server.admin("GET", "/pages/home/problems").status == 200)
        #expect(try await server.admin("POST", "/pages/home/publish?dryRun=true", "{}", Self.force).status == 200)
        #expect(try await server.admin("GET", "/pages/home/preview").status == 200)
        #expect(try await server.admin("GET", "/pages/home/timeline").status == 200)
      }
      let known = try await server.store.knownVersions("home")
      #expect(Set(known.map(\.revision)) == [1])
      try await Self.push("New", of: "home", on: server)
      let held = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      #expect(try await server.get("/v1/home", held).status == 226)
    }
  }

  @Test func `what another process publishes, deletes and schedules is picked up`() async throws {
    try await withServer(Self.documents) { server in
      let other = try RunningServer.openStore(in: server.folder)
      let actor = Actor(name: "other")
      let content = SectionContent(
        items: [ItemDefinition(id: "x", kind: "navigation", content: ["title": "Elsewhere"])], slots: [:])
      _ = try await other.publish(
        "home", .content(section: "bottom", .replace(content)), message: nil, if: .none, by: actor
      ) { _ in ((), .array([])) }
      try await waitUntil { try await server.get("/v1/home").text.contains("Elsewhere") }
      try await other.deletePage("p2", if: .none, by: actor)
      try await waitUntil { try await server.get("/v1/pages/p2").status == 404 }
    }
  }

  @Test func `a section's wait goes on while other sections change, and ends when its own does`() async throws {
    try await withServer([Demo.long], settings: { $0.polls.waitSecondsMax = 30 }) { server in
      for path in ["/v1/pages/home/sections/bottom", "/v1/pages/home/sort-rule"] {
        let tag = try #require(try await server.get(path)["ETag"])
        async let answer = server.get(path, ["If-None-Match": tag, "Prefer": "wait=25"])
        try await waitUntil { try await server.waiting == 1 }
        for number in 0..<3 {
          try await Self.push("Other \(path.count) \(number)", to: "top", of: "home", on: server)
          try await waitUntil { try await server.waiting == 1 }
        }
        if path.hasSuffix("bottom") {
          try await Self.push("Own", of: "home", on: server)
        } else {
          let move = #"{"first": true}"#
          #expect(
            try await server.admin("POST", "/pages/home/sections/bottom/move", move, Self.force).status == 200)
          #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
        }
        let changed = try await answer
        #expect(changed.status == 200, "\(path): \(changed.status)")
        #expect(changed["ETag"] != tag)
      }
    }
  }

  @Test func `a section that no page has is refused before anything is made or kept`() async throws {
    try await withServer { server in
      // What is asked for with br is made in the background, and counted when it is there.
      _ = try await server.get("/v1/home", ["Accept-Encoding": "gzip"])
      let before = try await server.metric("hearth_ready_bytes")
      for number in 0..<200 {
        let reply = try await server.get("/v1/pages/home/sections/none\(number)?platform=ios")
        #expect(reply.status == 404)
        #expect(reply.code == "unknown-section")
      }
      #expect(try await server.metric("hearth_ready_bytes") == before)
    }
  }

  @Test func `a section that is not shown yet is absent until its time and no longer`() async throws {
    try await withServer { server in
      let from = Instant.now.adding(seconds: 20)
      let section = #"{"kind": "grid", "schedule": {"from": "\#(from)"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top", section, Self.force).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      let absent = try await server.get("/v1/pages/home/sections/top")
      #expect(absent.status == 404)
      #expect(absent.code == "section-not-shown")
      let field = try #require(absent["Cache-Control"])
      let age = try #require(field.split(separator: "max-age=").last.flatMap { Int($0.prefix { $0.isNumber }) })
      #expect(field.hasPrefix("public, max-age="))
      #expect((1...20).contains(age), "\(field)")
      let visible = #"{"kind": "grid", "hidden": true}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top", visible, Self.force).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      let hidden = try await server.get("/v1/pages/home/sections/top")
      #expect(hidden["Cache-Control"] == "public, max-age=30")
    }
  }

  @Test func `what was sent last is kept and made ready by the next publish; what was not goes first`() async throws {
    let conditional = (0..<10).map { bit in
      """
            - id: c\(bit)
              kind: grid
              audience: {attribute: memberTier, atLeast: \(bit)}
              items: [{id: x\(bit), kind: navigation, content: {title: "\(String(repeating: "t\(bit)", count: 400))"}}]
      """
    }.joined(separator: "\n")
    let document = Demo.tiny.replacingOccurrences(of: "    sortRules:", with: conditional + "\n    sortRules:")
    try await withServer([document], settings: { $0.variantBytesMax = 24_000 }) { server in
      let hot = "/v1/home?memberTier=9"
      // What else a client takes would be made while this counts.
      let gzip = ["Accept-Encoding": "gzip"]
      _ = try await server.get(hot, gzip)
      for _ in 0..<5 {
        for tier in 0..<9 {
          _ = try await server.get("/v1/home?memberTier=\(tier)", gzip)
          _ = try await server.get("/v1/home?memberTier=\(tier)&locale=en", gzip)
          _ = try await server.get(hot, gzip)
        }
        // Use is noted by the second.
        try await waitUntil { Instant.now.secondsSinceEpoch.isMultiple(of: 2) }
      }
      try await waitUntil { try await server.metric("hearth_ready_bytes") <= 24_000 }
      _ = try await server.get(hot, gzip)
      let before = try await server.metric("hearth_ready_bytes")
      _ = try await server.get(hot, gzip)
      // What was given up may be freed meanwhile; nothing is made again.
      #expect(try await server.metric("hearth_ready_bytes") <= before)
    }
  }
}

extension RunningServer {
  /// A sample of its metrics.
  func metric(_ name: String) async throws -> Double {
    let text = try await Reply(port: server.adminPort, "GET", "/metrics", [:], nil).text
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix(name + " ") }, "\(name)")
    return try #require(Double(line.dropFirst(name.count + 1)))
  }

  /// The clients of the public listener that wait for a change.
  var waiting: Int { get async throws { Int(try await metric(#"hearth_http_waiting{listener="public"}"#)) } }
}
