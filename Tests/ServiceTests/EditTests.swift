import JSON
import Service
import Storage
import Testing

/// Edits that were decided beside their transaction.
@Suite struct EditTests {
  private static let force = ["If-Match": "*"]

  /// What makes each kind of resource, twice the same.
  private static let made = [
    ("/pages/new", #"{"defaultLocale": "en"}"#), ("/pages/home/sections/new", #"{"kind": "broadcast"}"#),
    ("/audiences/new", #"{"attribute": "bucket", "below": 5}"#),
    ("/pages/home/sort-rules/new", #"{"indices": {}, "audience": {"attribute": "bucket", "below": 5}}"#),
  ]

  @Test(arguments: made)
  func `of many who make one thing at once, one makes it and the others are asked for If-Match`(
    path: String, body: String
  ) async throws {
    try await withServer { server in
      let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<16 { group.addTask { try await server.admin("PUT", path, body).status } }
        return try await group.reduce(into: []) { $0.append($1) }
      }
      #expect(statuses.filter { $0 == 201 }.count == 1)
      #expect(statuses.filter { $0 == 428 }.count == 15)
      #expect(try await server.admin("PUT", path, body).code == "precondition-required")
      #expect(try await server.admin("PUT", path, body, Self.force).status == 200)
    }
  }

  @Test func `every answer names its request, as the audit does what the request changed`() async throws {
    try await withServer { server in
      let hidden = try await server.admin("POST", "/pages/home/sections/middle/hide", nil, Self.force)
      let name = try #require(hidden["X-Request-Id"])
      let audit = try await server.admin("GET", "/audit?limit=1")
      #expect(audit.json["entries"]?.array?.first?["requestId"]?.string == name)
      let tag = try #require(audit["ETag"])
      let unchanged = try await server.admin("GET", "/audit?limit=1", nil, ["If-None-Match": tag])
      let refused = try await server.admin("DELETE", "/pages/home/sections/nothing", nil, Self.force)
      #expect(unchanged.status == 304 && refused.status == 404)
      #expect(refused["X-Request-Id"] == refused.json["requestId"]?.string)
      #expect(Set([hidden, audit, unchanged, refused].compactMap { $0["X-Request-Id"] }).count == 4)
    }
  }

  @Test func `a copy is one change: its section, its order and one row of the audit`() async throws {
    try await withServer { server in
      let before = try #require(
        try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first?["id"]?.int)
      let copy = try await server.admin("POST", "/pages/home/sections/middle/duplicate", #"{"id": "copy"}"#)
      #expect(copy.status == 201)
      let audit = try await server.admin("GET", "/audit").json["entries"]?.array ?? []
      #expect(audit.first?["id"]?.int == before + 1)
      #expect(audit.first?["action"] == "section.duplicate")
      #expect(audit.first?["section"] == "copy")
      #expect(audit.first?["detail"] == "copy of middle")
      #expect(
        try await server.admin("GET", "/pages/home/order").json["sections"] == ["top", "middle", "copy", "bottom"])
      #expect(try await server.admin("GET", "/pages/home/sections/copy").json == copy.json)
      #expect(try await server.admin("GET", "/pages/home/sections/copy")["ETag"] == copy["ETag"])
      #expect(
        try await server.admin("GET", "/pages/home/sections/copy/content").json["slots"]?["hot"]?["id"] == "copy.hot")
      #expect(try await server.admin("POST", "/pages/home/sections/middle/duplicate", #"{"id": "copy"}"#).status == 412)
      #expect(try await server.admin("POST", "/pages/home/sections/gone/duplicate", #"{"id": "x"}"#).status == 404)
    }
  }

  @Test func `a copy stands below its original in every order that lists it, and may leave the times behind`()
    async throws
  {
    let times = #"{"from": "2031-01-01T00:00:00Z"}"#
    try await withServer { server in
      let section = try await server.admin(
        "PUT", "/pages/home/sections/middle",
        #"""
        {"kind": "broadcast", "schedule": \#(times), "items": [
          {"id": "a", "kind": "navigation", "content": {"title": "A"}, "schedule": \#(times)}]}
        """#, Self.force)
      #expect(section.status == 200, "\(section.text)")
      for (rule, indices) in [("vip", #"{"top": 4, "middle": 5, "bottom": 6}"#), ("ios", #"{"top": 9}"#)] {
        let reply = try await server.admin(
          "PUT", "/pages/home/sort-rules/\(rule)",
          #"""
          {"audience": {"attribute": "platform", "in": ["ios"]}, "schedule": \#(times), "indices": \#(indices)}
          """#, Self.force)
        #expect(reply.status == 201, "\(reply.text)")
      }
      for (id, schedules) in [("kept", "keep"), ("timeless", "drop")] {
        let body = #"{"id": "\#(id)", "schedules": "\#(schedules)"}"#
        let copy = try await server.admin("POST", "/pages/home/sections/middle/duplicate", body)
        #expect(copy.status == 201, "\(copy.text)")
        let item = try await server.admin("GET", "/pages/home/sections/\(id)/items/a").json
        #expect([copy.json["schedule"], item["schedule"]].allSatisfy { ($0 == nil) == (schedules == "drop") })
      }
      let order = try await server.admin("GET", "/pages/home/order?rule=vip").json["sections"]
      #expect(order == ["top", "middle", "timeless", "kept", "bottom"])
      #expect(try await server.admin("GET", "/pages/home/sort-rules/ios").json["indices"] == ["top": 9])

      let draft = try await server.admin("GET", "/pages/home/draft").json
      for (id, schedules) in [("evening", "keep"), ("always", "drop")] {
        let body = #"{"id": "\#(id)", "title": "Another", "schedules": "\#(schedules)"}"#
        let page = try await server.admin("POST", "/pages/home/duplicate", body)
        #expect(page.status == 201 && page.json["title"] == "Another", "\(page.text)")
        let copy = try await server.admin("GET", "/pages/\(id)/draft")
        #expect(copy["ETag"] == page["ETag"] && copy.json["order"] == draft["order"])
        for name in ["vip", "ios", "default"] {
          #expect(copy.json["sortRules"]?[name]?["indices"] == draft["sortRules"]?[name]?["indices"])
        }
        let isSame = copy.json["sections"] == draft["sections"] && copy.json["sortRules"] == draft["sortRules"]
        #expect(isSame == (schedules == "keep"))
        #expect(copy.text.contains("2031") == (schedules == "keep"))
      }
      let audit = try await server.admin("GET", "/audit?limit=1").json["entries"]?.array?.first
      #expect(audit?["action"] == "page.duplicate" && audit?["detail"] == "copy of home" && audit?["page"] == "always")
      #expect(try await server.admin("POST", "/pages/home/duplicate", #"{"id": "always"}"#).status == 412)
      #expect(try await server.admin("POST", "/pages/gone/duplicate", #"{"id": "other"}"#).status == 404)
      let wrong = try await server.admin("POST", "/pages/home/duplicate", #"{"id": "1", "schedules": "some"}"#)
      #expect(wrong.status == 422 && wrong.json["errors"]?.array?.count == 2, "\(wrong.text)")
    }
  }

  @Test func `a token of some pages copies to these alone`() async throws {
    try await withServer { server in
      let token = try await server.store.createToken(
        name: "e", role: .editor, scopes: ["home", "spring"], by: Actor(name: "test")
      ).text.text
      let own = ["Authorization": "Bearer \(token)"]
      let refused = try await server.admin("POST", "/pages/home/duplicate", #"{"id": "other"}"#, own)
      #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.text)")
      let copy = try await server.admin("POST", "/pages/home/duplicate", #"{"id": "spring"}"#, own)
      #expect(copy.status == 201, "\(copy.text)")
    }
  }

  @Test func `a section that is gone cannot be moved, wherever to`() async throws {
    try await withServer { server in
      for place in [#"{"first": true}"#, #"{"after": "top"}"#, #"{"before": "gone"}"#] {
        let reply = try await server.admin("POST", "/pages/home/sections/gone/move", place, Self.force)
        #expect(reply.status == 404, "\(reply.text)")
        #expect(reply.code == "unknown-section")
      }
      let beside = try await server.admin("POST", "/pages/home/sections/top/move", #"{"after": "gone"}"#, Self.force)
      #expect(beside.code == "invalid-order")
    }
  }

  @Test(arguments: [
    "-340282366920938463463374607431768211450", "340282366920938463463374607431768211460", "18446744073709551617",
    "-18446744073709551615", "1000001", "-1000001", "0.5", "1e30", "9223372036854775808",
  ])
  func `an index beyond the range is a 422, wherever it stands`(number: String) async throws {
    try await withServer { server in
      let requests = [
        ("PUT", "/pages/home/sections/top", #"{"kind": "grid", "index": \#(number)}"#),
        ("PUT", "/pages/home/sort-rules/default", #"{"indices": {"top": \#(number)}}"#),
        (
          "PUT", "/pages/home/sort-rules/x",
          #"{"indices": {}, "priority": \#(number), "audience": {"attribute": "bucket", "below": 5}}"#
        ),
        ("PUT", "/audiences/x", #"{"attribute": "bucket", "below": \#(number)}"#),
        ("PUT", "/pages/home", #"{"defaultLocale": "en", "pollInterval": \#(number)}"#),
        ("POST", "/pages/home/rollback", #"{"revision": \#(number)}"#),
        ("POST", "/import", #"{"hearth": \#(number), "pages": {}}"#),
      ]
      for (method, path, body) in requests {
        let reply = try await server.admin(method, path, body, Self.force)
        // Some of these numbers can be revisions, of which there is none.
        #expect(reply.status == 422 || (path.hasSuffix("rollback") && reply.status == 404), "\(path): \(reply.text)")
      }
      #expect(try await server.admin("GET", "/pages/home/sections/top").json["index"]?.int == 0)
    }
  }
}
