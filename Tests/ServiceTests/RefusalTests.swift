import JSON
import Service
import Testing

/// What a change's conditions are held against, and what a refusal tells.
@Suite struct RefusalTests {
  private static let item = #"{"kind": "navigation", "content": {"title": "T"}}"#

  private static let rule = #"{"audience": {"attribute": "bucket", "below": 5}, "indices": {}}"#

  /// What can be put, by its path and a body that is right.
  private static let resources = [
    ("/pages/home", #"{"title": "Home", "defaultLocale": "zh-Hans", "locales": ["zh-Hans", "en"]}"#),
    ("/pages/home/sections/bottom", #"{"kind": "broadcast"}"#), ("/pages/home/sections/middle/items/a", item),
    ("/pages/home/sort-rules/spring", rule),
    ("/audiences/newcomers", #"{"attribute": "bucket", "below": 5}"#),
  ]

  @Test func `If-Match - star forces a change, and makes what is not there, whatever it is`() async throws {
    try await withServer { server in
      for (path, body) in [
        ("/pages/other", Self.resources[0].1), ("/pages/home/sections/new", Self.resources[1].1),
        ("/pages/home/sections/middle/items/new", Self.item),
        ("/pages/home/sort-rules/spring", Self.rule),
        ("/audiences/newcomers", Self.resources[4].1),
      ] {
        for status in [201, 200] {
          let reply = try await server.admin("PUT", path, body, ["If-Match": "*"])
          #expect(reply.status == status, "\(path): \(reply.text)")
        }
      }
    }
  }

  @Test func `a 412 tells the tag, who changed it and when, and nothing of what is not there`() async throws {
    try await withServer { server in
      for (path, body) in Self.resources {
        let known = try await server.admin("PUT", path, body, ["If-Match": "*"])
        #expect([200, 201].contains(known.status), "\(path): \(known.text)")
        for condition in [["If-Match": "\"nope\""], ["If-None-Match": "*"]] {
          let reply = try await server.admin("PUT", path, body, condition)
          #expect(reply.status == 412)
          #expect(reply.json["etag"]?.string == known["ETag"])
          #expect(reply["ETag"] == known["ETag"])
          #expect(reply.json["changedBy"]?.string == "tester")
          #expect(reply.json["changedAt"]?.string?.isEmpty == false)
        }
        let absent = path.replacing(/[a-z]+$/, with: "absent")
        let reply = try await server.admin("PUT", absent, body, ["If-Match": "\"nope\""])
        #expect(reply.status == 412, "\(absent)")
        #expect(reply.json["etag"] == nil && reply.json["changedBy"] == nil && reply.json["changedAt"] == nil)
      }
    }
  }

  @Test func `S1.9 an item has a tag of its own, that of what it is`() async throws {
    try await withServer { server in
      let path = "/pages/home/sections/top/items/"
      let tag = try #require(try await server.admin("GET", path + "scan")["ETag"])
      #expect(try await server.admin("PUT", path + "pay", Self.item).status == 200)
      let same = try await server.admin("GET", path + "scan", nil, ["If-None-Match": tag])
      #expect(same.status == 304)
      let put = try await server.admin("PUT", path + "scan", Self.item, ["If-Match": tag])
      #expect(put.status == 200, "\(put.text)")
      #expect(put["ETag"] != tag)
      #expect(try await server.admin("GET", path + "scan")["ETag"] == put["ETag"])
      #expect(try await server.admin("DELETE", path + "scan", nil, ["If-Match": tag]).status == 412)
      let next = try #require(put["ETag"])
      #expect(try await server.admin("DELETE", path + "scan", nil, ["If-Match": next]).status == 204)
    }
  }
}
