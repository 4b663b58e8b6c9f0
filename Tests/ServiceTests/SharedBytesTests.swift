import Foundation
import Service
import Testing

/// A document is kept once, however many outcomes come to it, and what was known before a publish goes on after it.
@Suite struct SharedBytesTests {
  private static let force = ["If-Match": "*"]

  private static func put(
    _ section: String, _ predicate: String, on server: RunningServer, _ precondition: [String: String] = force
  ) async throws {
    let body = #"{"kind": "broadcast", "audience": {"attribute": "memberTier", \#(predicate)}}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/\(section)", body, precondition)
    #expect(reply.status < 300, "\(reply.text)")
    let published = try await server.admin("POST", "/pages/home/publish", "{}", force)
    #expect(published.status == 200, "\(published.text)")
  }

  @Test func `outcomes that come to the same document share its bytes`() async throws {
    try await withServer([Demo.long]) { server in
      // A section that shows nothing: members and others get the same page.
      try await Self.put("nothing", #""atLeast": 5"#, on: server, ["If-None-Match": "*"])
      // With br more bytes would come while the test looks.
      let gzip = ["Accept-Encoding": "gzip"]
      let others = try await server.get("/v1/home?memberTier=1", gzip)
      let bytes = try await server.metric(#"hearth_page_variant_bytes{page="home"}"#)
      let count = try await server.metric(#"hearth_page_variants{page="home"}"#)
      let members = try await server.get("/v1/home?memberTier=9", gzip)
      #expect(members["ETag"] == others["ETag"])
      #expect(members.body == others.body)
      #expect(try await server.metric(#"hearth_page_variants{page="home"}"#) == count + 1)
      #expect(try await server.metric(#"hearth_page_variant_bytes{page="home"}"#) == bytes)
    }
  }

  @Test func `who sees what is judged anew for known requests when a publish changes that`() async throws {
    try await withServer { server in
      // The page has as many conditions as before, each time.
      for (predicate, tiers) in [(#""atLeast": 5"#, [9]), (#""below": 5"#, [1]), (#""atLeast": 1"#, [1, 9])] {
        try await Self.put("bottom", predicate, on: server)
        for tier in [1, 9, 1, 9] {
          let sections = try await server.get("/v1/home?memberTier=\(tier)").sections
          #expect(sections.contains("bottom") == tiers.contains(tier), "\(predicate), tier \(tier)")
        }
      }
    }
  }

  @Test func `all of many known requests are answered with what is new, publish after publish`() async throws {
    // More than go on at once.
    try await withServer(settings: { $0.loops = 1 }) { server in
      for round in 0..<3 {
        let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "T\#(round)"}}]}"#
        let path = "/pages/home/sections/bottom/content?publish=true"
        #expect(try await server.admin("PUT", path, body).status == 200)
        for number in 0..<1_200 {
          let reply = try await server.get("/v1/home?shape=\(number)")
          if !reply.text.contains("\"T\(round)\"") { Issue.record("shape \(number) in round \(round)") }
        }
      }
    }
  }
}
