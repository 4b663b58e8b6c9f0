import JSON
import Service
import Testing

/// What the one on call sees of a server.
@Suite struct MetricsTests {
  /// The samples by name and labels.
  private static func samples(_ server: RunningServer) async throws -> [String: Double] {
    let reply = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil)
    #expect(reply.status == 200)
    #expect(reply["Content-Type"]?.hasPrefix("text/plain") == true)
    var samples: [String: Double] = [:]
    for line in reply.text.split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: " ")
      try #require(parts.count == 2, "\(line)")
      let value: Double = try #require(Double(parts[1]), "\(line)")
      samples[String(parts[0])] = value
    }
    return samples
  }

  @Test func `polls are counted by status and octets, and the machine's use is reported`() async throws {
    try await withServer { server in
      let before = try await Self.samples(server)
      let page = try await server.get("/v1/home")
      #expect(page.status == 200)
      let tag = try #require(page["ETag"])
      #expect(try await server.get("/v1/home", ["If-None-Match": tag]).status == 304)
      #expect(try await server.get("/v1/pages/nothing").status == 404)
      let after = try await Self.samples(server)
      func grown(_ name: String) -> Double { after[name, default: 0] - before[name, default: 0] }
      for code in [200, 304, 404] {
        #expect(grown(#"hearth_http_responses_total{code="\#(code)",listener="public"}"#) == 1)
      }
      #expect(grown(#"hearth_http_responses_total{code="200",listener="admin"}"#) == 1)
      #expect(grown(#"hearth_http_sent_bytes_total{listener="public"}"#) > Double(page.body.count) / 10)
      #expect(after[#"hearth_http_connections{listener="public"}"#, default: 0] >= 1)
      #expect(after[#"hearth_page_revision{page="home"}"#] == 1)
      #expect(after["hearth_database_up"] == 1)
      #expect(after["process_resident_memory_bytes", default: 0] > 1_000_000)
      #expect(after["process_open_fds", default: 0] > 3)
    }
  }

  @Test func `a request that waits is counted as waiting`() async throws {
    try await withServer { server in
      let tag = try #require(try await server.get("/v1/home")["ETag"])
      async let waiting = server.get("/v1/home", ["If-None-Match": tag, "Prefer": "wait=1"])
      try await waitUntil { try await Self.samples(server)[#"hearth_http_waiting{listener="public"}"#] == 1 }
      #expect(try await waiting.status == 304)
      try await waitUntil { try await Self.samples(server)[#"hearth_http_waiting{listener="public"}"#] == 0 }
    }
  }

  @Test func `publishes, admin requests and first uses are timed, but not what waits for a change`() async throws {
    try await withServer { server in
      let before = try await Self.samples(server)
      let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "New"}}]}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body).status == 200)
      #expect(try await server.get("/v1/home?locale=en&memberTier=3").status == 200)
      #expect(try await server.get("/v1/pages/home/sort-rule").status == 200)
      let draft = try await server.admin("GET", "/pages/home/draft")
      let tag = try #require(draft["ETag"])
      #expect(
        try await server.admin("GET", "/pages/home/draft", nil, ["If-None-Match": tag, "Prefer": "wait=1"]).status
          == 304)
      let after = try await Self.samples(server)
      func grown(_ name: String) -> Double { after[name, default: 0] - before[name, default: 0] }
      #expect(grown("hearth_publish_seconds_count") == 1)
      #expect(grown("hearth_publish_seconds_sum") > 0)
      #expect(grown(#"hearth_publish_seconds_bucket{le="+Inf"}"#) == 1)
      #expect(grown(#"hearth_admin_request_seconds_count{method="PUT"}"#) == 1)
      #expect(grown(#"hearth_admin_request_seconds_count{method="GET"}"#) == 1)
      #expect(grown("hearth_assembly_seconds_count") >= 1)
      #expect(after[#"hearth_edition_age_seconds{page="home"}"#, default: -1] >= 0)
      let buckets = after.filter { $0.key.hasPrefix("hearth_publish_seconds_bucket") }
      #expect(buckets.count == 15)
    }
  }

  @Test func `a node that is alone says so`() async throws {
    try await withServer { server in
      let list = try await server.admin("GET", "/nodes").json
      #expect(list["alive"] == 1)
      #expect(list["nodes"]?.array?.count == 1)
      let own = list["nodes"]?.array?.first
      #expect(own?["pages"]?["home"] == "1.1")
      #expect(own?["alive"] == true && own?["this"] == true && own?["version"] == "test")
      let made = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*", "Prefer": "wait=20"])
      #expect(made.json["nodes"] == ["serving": 1, "of": 1])
      let samples = try await Self.samples(server)
      #expect(samples["hearth_nodes"] == 1)
      #expect(samples["hearth_generation"] == 1)
      #expect(samples["hearth_node_behind_seconds", default: 99] < 10)
    }
  }

  @Test func `each family's lines stand together below its help and type`() async throws {
    try await withServer { server in
      let reply = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil)
      var current = ""
      var kind: Substring = ""
      var seen: Set<String> = []
      for line in reply.text.split(separator: "\n") {
        let words = line.split(separator: " ")
        if line.hasPrefix("# HELP ") {
          current = String(words[2])
          #expect(seen.insert(current).inserted)
        } else if line.hasPrefix("# TYPE ") {
          #expect(words.count == 4 && words[2] == current)
          kind = words[3]
        } else {
          let name = words[0].prefix { $0 != "{" }
          let parts = kind == "histogram" ? ["_bucket", "_sum", "_count"].map { current + $0 } : [current]
          #expect(parts.contains(String(name)), "\(line)")
        }
      }
      #expect(seen.count > 10)
    }
  }
}
