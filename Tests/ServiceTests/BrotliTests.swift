import HomePayload
import JSON
import Layout
import Service
import Storage
import Testing

/// `br` beside gzip and identity (RFC 7932, RFC 9110 §12.5.3).
@Suite struct BrotliTests {
  /// A poll, unpacked by curl; `Content-Encoding` and `Content-Length` are of what was sent.
  private static func poll(
    _ server: RunningServer, _ path: String = "/v1/home", _ codings: String = "br, gzip",
    _ fields: [String: String] = [:], options: [String] = []
  ) throws -> CurlReply {
    try CurlReply(
      "http://127.0.0.1:\(server.server.publicPort)\(path)", fields.merging(["Accept-Encoding": codings]) { $1 },
      options: ["--compressed"] + options)
  }

  /// Polls until `br` is there.
  private static func pollBrotli(
    _ server: RunningServer, _ path: String = "/v1/home", _ fields: [String: String] = [:]
  ) async throws -> CurlReply {
    try await waitUntil { try poll(server, path, "br, gzip", fields)["Content-Encoding"] == "br" }
    return try poll(server, path, "br, gzip", fields)
  }

  private static func metric(_ server: RunningServer, _ name: String) async throws -> Double? {
    let text = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap {
      Double($0)
    }
  }

  private static func publish(_ title: String, _ server: RunningServer) async throws {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
    #expect(reply.status == 200)
  }

  @Test func `br is made for who asks for it, and until then gzip stands in; all codings have one tag`() async throws {
    try await withServer([Demo.long]) { server in
      let plain = try Self.poll(server, "/v1/home", "identity")
      let first = try Self.poll(server)
      #expect(first["Content-Encoding"] == "gzip")
      let packed = try await Self.pollBrotli(server)
      for reply in [first, packed] {
        #expect(reply.status == 200)
        #expect(reply.body == plain.body)
        for name in ["ETag", "Vary", "Cache-Control", "Content-Type", "Hearth-Revision"] {
          #expect(reply[name] == plain[name], "\(name)")
        }
      }
      #expect(packed["Vary"] == "Accept-Encoding, Accept-Language")
      let size = try #require(packed["Content-Length"].flatMap { Int($0) })
      let gzip = try #require(first["Content-Length"].flatMap { Int($0) })
      #expect(size < gzip)
      let head = try Self.poll(server, "/v1/home", "br", options: ["-I"])
      #expect(head["Content-Encoding"] == "br")
      #expect(head["Content-Length"] == "\(size)")
      // A range is of no use to anybody here: the whole page.
      let range = try Self.poll(server, "/v1/home", "br", ["Range": "bytes=0-9"])
      #expect(range.status == 200)
      #expect(range.body == plain.body)
      let tag = try #require(packed["ETag"])
      #expect(try Self.poll(server, "/v1/home", "br", ["If-None-Match": tag]).status == 304)
    }
  }

  @Test func `the coding has the most weight, br before gzip before identity where they weigh the same`() async throws {
    let cases = [
      ("br", "br"), ("BR", "br"), ("gzip, br", "br"), ("gzip, deflate, br, zstd", "br"), ("*", "br"),
      ("br;q=0.5, gzip", "gzip"), ("br;q=0.5, gzip;q=0.5", "br"), ("br;q=0.5, identity", "none"),
      ("br;q=0, gzip", "gzip"), ("br;q=0", "none"), ("br;q=0, *", "gzip"), ("gzip;q=0, *", "br"),
      ("identity;q=0, br", "br"), ("identity;q=0", "gzip"), ("*;q=0, br", "br"),
      ("gzip;q=0, identity;q=0, *;q=0.1", "br"),
      ("brotli", "none"), ("", "none"), ("br;q=1.5, gzip", "gzip"),
    ]
    try await withServer([Demo.long]) { server in
      let paths = ["/v1/home", "/v1/pages/home/sections/top", "/v1/pages/home/sort-rule", "/v1/pages"]
      for path in paths {
        _ = try await Self.pollBrotli(server, path)
        for (accepted, coding) in cases {
          let reply = try Self.poll(server, path, accepted)
          #expect(reply.status == 200, "\(path) \(accepted)")
          #expect(reply["Content-Encoding"] ?? "none" == coding, "\(path) \(accepted)")
        }
      }
    }
  }

  @Test func `the first poll is answered in what the client prefers after br`() async throws {
    let cases = [
      ("br, gzip;q=0.5", "gzip"), ("br", "none"), ("br, gzip;q=0.1, identity;q=0.5", "none"), ("*", "gzip"),
      ("br, gzip;q=0", "none"), ("br, identity;q=0.5", "none"),
      // They take nothing else: they wait for it.
      ("identity;q=0, br", "br"), ("*;q=0, br", "br"), ("br, gzip;q=0, identity;q=0", "br"),
      ("gzip;q=0, identity;q=0, *", "br"),
    ]
    try await withServer([Demo.long]) { server in
      for (accepted, coding) in cases {
        try await server.makeAnew()
        // The second one is of a variant of first use.
        for path in ["/v1/home", "/v1/pages/home/sections/bottom?locale=en"] {
          let reply = try Self.poll(server, path, accepted)
          #expect(reply.status == 200, "\(path) \(accepted)")
          #expect(reply["Content-Encoding"] ?? "none" == coding, "\(path) \(accepted)")
          #expect((try? JSON.parse(reply.body)) != nil, "\(path) \(accepted)")
        }
      }
    }
  }

  @Test func `who forbids every coding is refused, and who leaves one open is not`() async throws {
    try await withServer { server in
      let cases = [
        ("*;q=0", 406), ("identity;q=0, gzip;q=0, br;q=0", 406), ("identity;q=0, gzip;q=0, *", 200), ("br;q=0", 200),
      ]
      for path in ["/v1/home", "/v1/pages"] {
        for (accepted, status) in cases {
          let reply = try Self.poll(server, path, accepted)
          #expect(reply.status == status, "\(path) \(accepted)")
        }
      }
    }
  }

  @Test func `changes come as br, too, and have the same status before and after it is there`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try Page(bytes: Self.poll(server, "/v1/home", "identity").body)
      let holding = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      try await Self.publish("New", server)
      let first = try Self.poll(server, "/v1/home", "br, gzip", holding)
      #expect(first.status == 226)
      #expect(first["Content-Encoding"] == "gzip")
      let packed = try await Self.pollBrotli(server, "/v1/home", holding)
      #expect(packed.status == 226)
      #expect(packed.body == first.body)
      for name in ["ETag", "Vary", "Cache-Control", "Delta-Base", "IM"] {
        #expect(packed[name] == first[name], "\(name)")
      }
      #expect(packed["Vary"] == "Accept-Encoding, Accept-Language, A-IM, If-None-Match")
      let new = try old.applying(ChangeSet(bytes: packed.body))
      #expect(packed["ETag"] == "W/\"\(new.version)\"")
      // A client that takes nothing else waits for the changes as it does for a page.
      try await Self.publish("Newer", server)
      let only = try Self.poll(server, "/v1/home", "br, *;q=0", holding)
      #expect(only.status == 226)
      #expect(only["Content-Encoding"] == "br")
    }
  }

  @Test func `a publish supersedes what was made, and nothing of the old page is sent`() async throws {
    try await withServer([Demo.long]) { server in
      for number in 0..<12 {
        try await Self.publish("Title \(number)", server)
        let reply = try Self.poll(server)
        #expect(String(decoding: reply.body, as: UTF8.self).contains("Title \(number)\""))
        #expect(reply.status == 200)
      }
      let last = try await Self.pollBrotli(server)
      #expect(String(decoding: last.body, as: UTF8.self).contains("Title 11\""))
      try await waitUntil { try await Self.metric(server, "hearth_brotli_waiting") == 0 }
      #expect(try await Self.metric(server, #"hearth_page_brotli_variants{page="home"}"#) == 1)
    }
  }

  @Test func `what a publish does not change stays ready as br`() async throws {
    try await withServer([Demo.long]) { server in
      func publish(english: String) async throws {
        let title = #"{"zh-Hans": "甲", "en": "\#(english)"}"#
        let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": \#(title)}}]}"#
        let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
        #expect(reply.status == 200)
      }
      try await publish(english: "One")
      let before = try await Self.pollBrotli(server, "/v1/home?locale=zh-Hans")
      try await publish(english: "Two")
      let after = try Self.poll(server, "/v1/home?locale=zh-Hans")
      #expect(after["Content-Encoding"] == "br")
      #expect(after["ETag"] == before["ETag"])
      #expect(after["Hearth-Revision"] != before["Hearth-Revision"])
      #expect(try Self.poll(server, "/v1/home?locale=en")["Content-Encoding"] == "gzip")
    }
  }

  @Test func `br is counted: variants, bytes, time, and against the budget`() async throws {
    try await withServer([Demo.long]) { server in
      _ = try Self.poll(server, "/v1/home", "gzip")
      let before = try #require(try await Self.metric(server, "hearth_ready_bytes"))
      #expect(try await Self.metric(server, #"hearth_page_brotli_bytes{page="home"}"#) == 0)
      let reply = try await Self.pollBrotli(server)
      let size = try #require(reply["Content-Length"].flatMap { Double($0) })
      #expect(try await Self.metric(server, #"hearth_page_brotli_bytes{page="home"}"#) == size)
      #expect(try await Self.metric(server, #"hearth_page_brotli_variants{page="home"}"#) == 1)
      #expect(try await Self.metric(server, "hearth_brotli_seconds_count") == 1)
      try await waitUntil { try await Self.metric(server, "hearth_brotli_waiting") == 0 }
      let after = try #require(try await Self.metric(server, "hearth_ready_bytes"))
      #expect(after - before >= size)
      #expect(after - before < size + 2_048)
      let status = try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
      let page = status["pages"]?.array?.first { $0["page"]?.string == "home" }
      #expect(page?["brotliVariants"]?.int == 1)
    }
  }

  @Test func `where too many wait for br, clients get gzip, and who takes nothing else is sent away`() async throws {
    try await withServer([Demo.crowded], settings: { $0.brotliWaitingMax = 1 }) { server in
      // The large section keeps the queue for a while.
      #expect(try Self.poll(server, "/v1/pages/home/sections/top")["Content-Encoding"] == "gzip")
      let replies = try (0..<8).map { number in
        try Self.poll(server, "/v1/pages/home/sections/bottom?memberTier=\(number)", "br, *;q=0")
      }
      for reply in replies {
        #expect([200, 503].contains(reply.status))
        if reply.status == 503 { #expect(reply["Retry-After"] == "1") }
      }
      #expect(try Self.poll(server, "/v1/pages/home/sections/middle")["Content-Encoding"] == "gzip")
      // When there is room again it is made for who asks again.
      _ = try await Self.pollBrotli(server, "/v1/pages/home/sections/middle")
    }
  }

  @Test func `a drain does not wait for what is being made`() async throws {
    let server = try await RunningServer([Demo.crowded])
    #expect(try Self.poll(server)["Content-Encoding"] == "gzip")
    #expect(try Self.poll(server, "/v1/pages/home/sections/top")["Content-Encoding"] == "gzip")
    try await server.stop()
  }

  @Test func `what is given up or deleted while it waits harms nobody`() async throws {
    try await withServer([Demo.long], settings: { $0.variantBytesMax = 64 * 1024 }) { server in
      for tier in 0..<10 {
        for path in ["/v1/home", "/v1/pages/home/sections/top", "/v1/pages/home/sections/middle"] {
          let reply = try Self.poll(server, "\(path)?memberTier=\(tier)&locale=en")
          #expect(reply.status == 200)
          #expect((try? JSON.parse(reply.body)) != nil)
        }
      }
      try await waitUntil { try await Self.metric(server, "hearth_brotli_waiting") == 0 }
      try await waitUntil { try await Self.metric(server, "hearth_ready_bytes") ?? .infinity <= 64 * 1024 }
      _ = try Self.poll(server)
      #expect(try await server.admin("DELETE", "/pages/home", nil, ["If-Match": "*"]).status == 204)
      #expect(try Self.poll(server, "/v1/home", "br, *;q=0").status == 404)
    }
  }
}
