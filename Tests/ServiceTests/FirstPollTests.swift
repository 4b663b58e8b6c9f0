import HomePayload
import JSON
import Layout
import Serving
import Service
import Storage
import Testing

/// Polls of what nobody has asked for yet: they are decided on as all others are.
@Suite struct FirstPollTests {
  private static func push(_ title: String, to section: String = "bottom", on server: RunningServer) async throws {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/\(section)/content?publish=true", body)
    #expect(reply.status == 200)
  }

  @Test func `the first poll of a variant that is not assembled is held`() async throws {
    try await withServer([Demo.long], settings: { $0.polls.waitSecondsMax = 30 }) { server in
      for path in ["/v1/home?locale=en", "/v1/pages/home/sections/top?locale=en", "/v1/pages/home/sort-rule?locale=en"]
      {
        // The tag is of the content: a page that is made anew has the same one, and nothing of it is assembled yet.
        try await server.makeAnew()
        let tag = try #require(try await server.get(path)["ETag"])
        try await server.makeAnew()
        async let answer = server.get(path, ["If-None-Match": tag, "Prefer": "wait=25"])
        try await waitUntil { try await server.waiting == 1 }
        let move = #"{"first": true}"#
        let force = ["If-Match": "*"]
        #expect(try await server.admin("POST", "/pages/home/sections/bottom/move", move, force).status == 200)
        let header = #"{"kind": "grid", "header": {"kind": "title", "content": {"text": "Other"}}}"#
        #expect(try await server.admin("PUT", "/pages/home/sections/top", header, force).status == 200)
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", force).status == 200)
        #expect(try await answer.status == 200, "\(path)")
      }
    }
  }

  @Test func `a first poll that holds an older page gets changes, with a wait and without`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try await server.get("/v1/home?locale=en")
      try await Self.push("New", on: server)
      let held = try #require(old["ETag"])
      for (number, prefer) in ["wait=5", "x=1"].enumerated() {
        let fields = ["A-IM": "hearth-changes", "If-None-Match": held, "Prefer": prefer]
        let reply = try await server.get("/v1/home?locale=en&n=\(number)", fields)
        #expect(reply.status == 226)
        let changes = try ChangeSet(bytes: Array(reply.body))
        let page = try Page(bytes: Array(old.body)).applying(changes)
        #expect("W/\"\(page.version)\"" == reply["ETag"])
      }
    }
  }

  @Test func `a first poll that does not wait is answered at once`() async throws {
    try await withServer([Demo.long]) { server in
      let tag = try #require(try await server.get("/v1/home?locale=en")["ETag"])
      try await server.makeAnew()
      #expect(try await server.get("/v1/home?locale=en", ["If-None-Match": tag]).status == 304)
      try await server.makeAnew()
      #expect(try await server.get("/v1/home?locale=en", ["If-None-Match": tag, "Prefer": "wait=0"]).status == 304)
      try await server.makeAnew()
      #expect(try await server.get("/v1/home?locale=en", ["If-Match": tag]).status == 412)
    }
  }
}
