import JSON
import Layout
import Service
import Testing

/// Limits other than the defaults hold wherever something is put together, not only where a document is read.
@Suite struct LayoutLimitTests {
  private static let force = ["If-Match": "*"]
  private static let section =
    #"{"kind": "broadcast", "items": [{"id": "n", "kind": "navigation", "content": {"title": "N"}}]}"#

  /// The limits that the tiny home just keeps.
  private static var tight: LayoutLimits {
    var limits = LayoutLimits()
    limits.sectionsMax = 3
    limits.itemsMax = 2
    limits.sortRulesMax = 2
    limits.audiencesMax = 2
    limits.predicateDepthMax = 2
    return limits
  }

  /// A page of so many sections.
  private static func document(sections: Int) -> String {
    let all = (0..<sections).map {
      "{id: s\($0), kind: broadcast, items: [{id: a, kind: navigation, content: {title: A}}]}"
    }
    return "hearth: 1\npages: {home: {defaultLocale: en, sections: [\(all.joined(separator: ", "))]}}"
  }

  private func imported(_ document: String, _ server: RunningServer, _ query: String = "") async throws -> Reply {
    try await server.admin("POST", "/import" + query, document, ["Content-Type": "application/yaml"])
  }

  @Test func `more than the default is imported, published and taken back`() async throws {
    var limits = LayoutLimits()
    limits.sectionsMax = 600
    try await withServer(limits: limits) { server in
      let whole = try await imported(Self.document(sections: 550), server, "?delete=true")
      #expect(whole.status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      #expect(try await server.get("/v1/home").sections.count == 550)
      #expect(try await server.admin("DELETE", "/pages/home/sections/s3", nil, Self.force).status == 204)
      let back = #"{"revision": 2, "draft": "reset"}"#
      #expect(try await server.admin("POST", "/pages/home/rollback", back, Self.force).status == 200)
      #expect(try await server.admin("GET", "/pages/home/draft").json["sections"]?.array?.count == 550)
    }
  }

  @Test func `an import is held to the limits together with what it does not name`() async throws {
    try await withServer(limits: Self.tight) { server in
      let named = try await imported(Self.document(sections: 4), server, "?delete=true")
      #expect(named.status == 422)
      #expect(named.json["errors"]?.array?.first?["pointer"] == "/pages/home/sections")
      for query in ["", "?dryRun=true"] {
        let kept = try await imported(Self.document(sections: 1), server, query)
        #expect(kept.status == 422, "\(kept.text)")
        #expect(kept.json["errors"]?.array?.first?["pointer"] == "/pages/home/sections")
      }
      #expect(try await imported(Self.document(sections: 3), server, "?delete=true").status == 200)
      let audiences = "hearth: 1\naudiences: {a: {attribute: bucket, below: 5}, b: a, c: b}"
      #expect(try await imported(audiences, server).code == "too-many-audiences")
    }
  }

  @Test func `a page has so many scheduled publishes at most`() async throws {
    var limits = LayoutLimits()
    limits.scheduledMax = 2
    try await withServer(limits: limits) { server in
      func schedule(_ year: Int) async throws -> Reply {
        try await server.admin(
          "POST", "/pages/home/scheduled", #"{"at": "\#(year)-01-01T00:00:00Z", "waiting": "leave"}"#, Self.force)
      }
      for year in [2098, 2099] { #expect(try await schedule(year).status == 201) }
      let third = try await schedule(2097)
      #expect(third.status == 409)
      #expect(third.code == "too-many-scheduled")
      #expect(try await server.admin("DELETE", "/pages/home/scheduled/1", nil, Self.force).status == 204)
      #expect(try await schedule(2097).status == 201)
    }
  }

  @Test func `what is put one by one is held to the limits`() async throws {
    try await withServer(limits: Self.tight) { server in
      #expect(try await server.admin("PUT", "/pages/home/sections/new", Self.section).code == "too-many-sections")
      let copy = try await server.admin("POST", "/pages/home/sections/top/duplicate", #"{"id": "copy"}"#)
      #expect(copy.code == "too-many-sections")
      let item = #"{"kind": "navigation", "content": {"title": "T"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/items/c", item).status == 201)
      let third = try await server.admin("PUT", "/pages/home/sections/bottom/items/d", item)
      #expect(third.status == 422)
      #expect(third.json["errors"]?.array?.first?["pointer"] == "/items")
      for (name, status) in [("a", 201), ("b", 201), ("c", 409), ("a", 200)] {
        let audience = #"{"attribute": "bucket", "below": 5}"#
        #expect(
          try await server.admin("PUT", "/audiences/\(name)", audience, status == 200 ? Self.force : [:]).status
            == status)
      }
      let deep = #"{"not": {"not": {"attribute": "bucket", "below": 5}}}"#
      #expect(try await server.admin("PUT", "/audiences/a", deep, Self.force).status == 422)
      #expect(try await server.admin("PUT", "/audiences/a", #"{"not": {"not": "b"}}"#, Self.force).status == 200)
      #expect(try await server.admin("GET", "/audiences/a").json == ["not": ["not": ["audience": "b"]]])
    }
  }

  @Test func `a publish puts no more together than the limits allow`() async throws {
    try await withServer(limits: Self.tight) { server in
      #expect(try await server.admin("DELETE", "/pages/home/sections/top", nil, Self.force).status == 204)
      #expect(try await server.admin("PUT", "/pages/home/sections/new", Self.section).status == 201)
      let part = try await server.admin("POST", "/pages/home/publish", #"{"sections": ["new"]}"#, Self.force)
      #expect(part.status == 422, "\(part.text)")
      #expect(part.code == "not-publishable")
      #expect(part.json["errors"]?.array?.first?["pointer"] == "/sections")
      let dry = try await server.admin("POST", "/pages/home/publish?dryRun=true", #"{"sections": ["new"]}"#, Self.force)
      #expect(dry.json["isPublishable"] == false)
      #expect(dry.json["problems"]?.array?.first?["code"] == "over-limit")
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
    }
  }

  @Test func `limits that were lowered refuse a publish and a rollback, and what is live stays`() async throws {
    let first = try await RunningServer([Demo.long])
    #expect(try await first.admin("DELETE", "/pages/home/sections/top", nil, Self.force).status == 204)
    #expect(try await first.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
    try await first.stop(keepsFolder: true)
    let second = try await RunningServer([], folder: first.folder, limits: Self.tight)
    do {
      #expect(try await second.get("/v1/home").sections == ["middle", "bottom"])
      for draft in ["keep", "reset"] {
        let body = #"{"revision": 1, "draft": "\#(draft)"}"#
        let back = try await second.admin("POST", "/pages/home/rollback", body, Self.force)
        #expect(back.status == 422)
        #expect(back.json["errors"]?.array?.first?["pointer"] == "/sections/0/items", "\(back.text)")
      }
      #expect(try await second.get("/v1/home").sections == ["middle", "bottom"])
      #expect(try await second.admin("GET", "/pages/home/draft").json["sections"]?.array?.count == 2)
    }
    try await second.stop()
  }
}
