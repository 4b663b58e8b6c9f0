import Foundation
import HomePayload
import JSON
import Layout
import Peers
import Service
import Testing

/// nginx before Hearth, as config/nginx.conf has it.
@Suite struct FrontTests {
  /// A poll of the home through the front.
  private func through(
    _ port: UInt16, _ path: String = "/v1/home", _ fields: [String: String] = [:]
  ) throws -> CurlReply {
    try CurlReply("https://127.0.0.1:\(port)\(path)", fields)
  }

  private func withFront(_ body: (RunningServer, Front) async throws -> Void) async throws {
    try await withServer([Demo.long]) { server in
      // The class of the front adds its own words to the same place.
      let front = try Front(
        before: server.server.publicPort, ["server_tokens off;": "add_header X-Cache $upstream_cache_status always;"])
      try await body(server, front)
    }
  }

  private func publish(_ title: String, _ server: RunningServer) async throws {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
    #expect(reply.status == 200)
  }

  @Test func `changes go through the front, once for all who hold the same version, in all codings`() async throws {
    try await withFront { server, front in
      let old = try Page(bytes: Array(try through(front.port).body))
      try await publish("New", server)
      let holding = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      let changes = try through(front.port, "/v1/home", holding)
      #expect(changes.status == 226)
      #expect(changes["Delta-Base"] == "W/\"\(old.version)\"")
      let new = try old.applying(ChangeSet(bytes: Array(changes.body)))
      #expect("W/\"\(new.version)\"" == changes["ETag"])
      try await waitUntil { try through(front.port, "/v1/home", holding)["X-Cache"] == "HIT" }
      // The other coding is another answer.
      let packed = try through(front.port, "/v1/home", holding.merging(["Accept-Encoding": "gzip"]) { $1 })
      #expect(packed.status == 226)
      #expect(packed["Content-Encoding"] == "gzip")
      #expect(packed.body.count < changes.body.count || packed.body != changes.body)
      // So is br, once it is there: nginx passes on that the client takes both.
      let both = holding.merging(["Accept-Encoding": "gzip, deflate, br"]) { $1 }
      try await waitUntil { try through(front.port, "/v1/home", both)["Content-Encoding"] == "br" }
      let refusing = holding.merging(["Accept-Encoding": "br;q=0, gzip"]) { $1 }
      #expect(try through(front.port, "/v1/home", refusing)["Content-Encoding"] == "gzip")
      // Neither who holds nothing nor who takes no changes gets them.
      for others in [[:], ["If-None-Match": "W/\"\(old.version)\""], ["A-IM": "hearth-changes"]] {
        try await waitUntil {
          let whole = try through(front.port, "/v1/home", others)
          return try whole.status == 200 && Page(bytes: Array(whole.body)) == new
        }
      }
      // Who holds what is live gets a 304, by each way.
      for fields in [holding, [:]] {
        let current = fields.merging(["If-None-Match": "W/\"\(new.version)\""]) { $1 }
        try await waitUntil { try through(front.port, "/v1/home", current).status == 304 }
      }
    }
  }

  @Test func `a client waits through the front until something is published, and gets the changes`() async throws {
    try await withFront { server, front in
      let old = try Page(bytes: Array(try through(front.port).body))
      let holding = ["Prefer": "wait=30", "A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      let port = front.port
      let waiting = Task.detached { try through(port, "/v1/home", holding) }
      try await waitUntil { try await server.waiting() == 1 }
      try await publish("Awaited", server)
      let answer = try await waiting.value
      #expect(answer.status == 226)
      #expect(try old.applying(ChangeSet(bytes: Array(answer.body))).version != old.version)
    }
  }

  @Test func `a publish and a rollback behind the front lead to what was there before, with its own fields`()
    async throws
  {
    try await withFront { server, front in
      let first = try through(front.port)
      try await publish("Passing", server)
      try await waitUntil { try through(front.port)["ETag"] != first["ETag"] }
      let back = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, ["If-Match": "*"])
      #expect(back.status == 200)
      try await waitUntil { try through(front.port)["ETag"] == first["ETag"] }
      #expect(try through(front.port).body == first.body)
    }
  }

  @Test func `a flip is seen through the front, and no answer before it says that it holds beyond it`() async throws {
    try await withFront { server, front in
      let flip = Instant.now.adding(seconds: 3)
      let section = #"{"kind": "broadcast", "schedule": {"until": "\#(flip)"}}"#
      #expect(
        try await server.admin("PUT", "/pages/home/sections/middle", section, ["If-Match": "*"]).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", nil, ["If-Match": "*"]).status == 200)
      let dates = DateFormatter()
      dates.locale = Locale(identifier: "en_US_POSIX")
      dates.timeZone = TimeZone(identifier: "UTC")
      dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      var before = 0
      try await waitUntil {
        let answer = try through(front.port)
        guard try Page(bytes: Array(answer.body)).sections.contains(where: { $0.id == "middle" }) else { return true }
        // What the cache kept from before the publish has the poll interval.
        let control = try #require(answer["Cache-Control"])
        let words = try #require(control.split(separator: "max-age=").last)
        let age = try #require(Int(words.prefix { $0.isNumber }))
        guard age < 30 else { return false }
        before += 1
        let date = try #require(answer["Date"])
        let made = try #require(dates.date(from: date))
        #expect(Int64(made.timeIntervalSince1970) + Int64(age) <= flip.secondsSinceEpoch)
        return false
      }
      #expect(before > 0)
    }
  }

  @Test func `readiness is never an old answer, and a page is never an old one while Hearth answers`() async throws {
    try await withFront { server, front in
      #expect(try through(front.port, "/readyz").status == 200)
      let old = try through(front.port)
      try await publish("Newer", server)
      // nginx counts whole seconds: two later, nothing of the old is left, though nobody has asked meanwhile.
      try await Task.sleep(for: .milliseconds(2_100))
      #expect(try through(front.port)["ETag"] != old["ETag"])
      #expect(try through(front.port, "/readyz")["X-Cache"] == nil)
    }
  }
}

extension RunningServer {
  /// The polls that wait for a change.
  func waiting() async throws -> Int {
    let text = try await Reply(port: server.adminPort, "GET", "/metrics", [:], nil).text
    let line = text.split(separator: "\n").first { $0.hasPrefix(#"hearth_http_waiting{listener="public"}"#) }
    return Int(try #require(line?.split(separator: " ").last)) ?? 0
  }
}
