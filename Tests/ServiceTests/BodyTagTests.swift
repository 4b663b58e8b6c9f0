import JSON
import Testing

@testable import Service

/// What is put together when it is asked for has a tag as well.
@Suite struct BodyTagTests {
  private static let names = ["page": "home", "section": "top", "item": "scan", "rule": "default", "revision": "1"]

  @Test func `whatever can be read has an entity tag, and is not sent again to who holds it`() async throws {
    try await withServer { server in
      #expect(
        try await server.admin("PUT", "/audiences/a", #"{"attribute": "bucket", "below": 5}"#).status == 201)
      for kind in ["items/navigation", "sections/grid"] {
        let withheld = try await server.admin(
          "PUT", "/withheld/\(kind)", #"{"audience": {"attribute": "bucket", "below": 1}, "reason": "It crashes."}"#)
        #expect(withheld.status == 201, "\(withheld.text)")
      }
      let webhook = try await server.admin("POST", "/webhooks", #"{"name": "cache", "url": "https://example.com/"}"#)
      #expect(webhook.status == 201, "\(webhook.text)")
      let picture = try await AssetLibraryTests.bring(AssetLibraryTests.picture(40), to: server)
      let names = Self.names.merging([
        "asset": String(picture.split(separator: "/").last ?? ""), "webhook": String(webhook.json["id"]?.int ?? 0),
      ]) { $1 }
      var paths = ["/openapi.json", "/openapi.yaml", "/audit?limit=1", "/pages/home/preview?at=2031-01-01T00:00:00Z"]
      for route in server.server.api.routes where route.method == "GET" {
        let segments = route.pattern.map { segment in
          segment == "{kind}"
            ? route.pattern.contains("items") ? "navigation" : "grid"
            : segment.hasPrefix("{") ? names[String(segment.dropFirst().dropLast())] ?? "a" : segment
        }
        paths.append("/" + segments.joined(separator: "/") + (segments == ["search"] ? "?q=a" : ""))
      }
      for path in paths {
        let reply = try await server.admin("GET", path)
        #expect(reply.status == 200, "\(path): \(reply.text)")
        let tag = try #require(reply["ETag"], "\(path)")
        #expect(tag.hasPrefix("\""))
        #expect(try await server.admin("HEAD", path)["ETag"] != nil, "\(path)")
        // A preview without a time is of another instant every second.
        guard !path.hasSuffix("/preview") else { continue }
        let same = try await server.admin("GET", path, nil, ["If-None-Match": tag])
        #expect(same.status == 304, "\(path)")
        #expect(same["ETag"] == tag)
        #expect(same.body.isEmpty)
        #expect(try await server.admin("GET", path, nil, ["If-None-Match": "\"other\""]).status == 200, "\(path)")
      }
    }
  }

  @Test func `the tag changes with what is read`() async throws {
    try await withServer { server in
      for (path, method, change, body) in [
        ("/pages", "PUT", "/pages/other", #"{"defaultLocale": "en"}"#),
        ("/audiences", "PUT", "/audiences/a", #"{"attribute": "bucket", "below": 5}"#),
        ("/pages/home/revisions", "POST", "/pages/home/publish", "{}"), ("/export", "DELETE", "/audiences/a", nil),
      ] as [(String, String, String, String?)] {
        let before = try #require(try await server.admin("GET", path)["ETag"])
        let changed = try await server.admin(method, change, body, ["If-Match": "*"])
        #expect(changed.status < 300, "\(change): \(changed.text)")
        let after = try await server.admin("GET", path, nil, ["If-None-Match": before])
        #expect(after.status == 200)
        #expect(after["ETag"] != before)
      }
    }
  }
}
