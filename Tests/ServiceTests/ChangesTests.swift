import HomePayload
import JSON
import Serving
import Service
import Testing

@Suite struct ChangesTests {
  private static let force = ["If-Match": "*"]

  private static func retitle(_ title: String, on server: RunningServer) async throws {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
    #expect(reply.status == 200, "\(reply.text)")
  }

  private static func held(_ page: Page) -> [String: String] {
    ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(page.version)\""]
  }

  @Test func `a client that holds a version gets what changed, and has the new page exactly`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home").body))
      try await Self.retitle("New", on: server)
      let changed = try await server.get("/v1/home", Self.held(old))
      #expect(changed.status == 226)
      #expect(changed["IM"] == "hearth-changes")
      #expect(changed["Delta-Base"] == "W/\"\(old.version)\"")
      #expect(changed["Cache-Control"]?.hasPrefix("must-understand, no-store, max-age=") == true)
      #expect(changed["Vary"] == "Accept-Encoding, Accept-Language, A-IM, If-None-Match")
      let whole = try await server.get("/v1/home")
      #expect(changed["ETag"] == whole["ETag"])
      let changes = try ChangeSet(bytes: Array(changed.body))
      #expect(try old.applying(changes).canonicalBytes == Array(whole.body))
      #expect(changed.body.count < whole.body.count / 4)
    }
  }

  @Test func `who does not ask, holds nothing known, or holds the page gets 200 or 304`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home").body))
      try await Self.retitle("New", on: server)
      #expect(try await server.get("/v1/home", ["If-None-Match": "W/\"\(old.version)\""]).status == 200)
      #expect(try await server.get("/v1/home", ["A-IM": "hearth-changes"]).status == 200)
      let refusing = ["A-IM": "hearth-changes;q=0", "If-None-Match": "W/\"\(old.version)\""]
      #expect(try await server.get("/v1/home", refusing).status == 200)
      let unknown = ["A-IM": "hearth-changes", "If-None-Match": "W/\"0123456789abcdef\", \"x\""]
      #expect(try await server.get("/v1/home", unknown).status == 200)
      let new = try Page(bytes: Array(try await server.get("/v1/home").body))
      #expect(try await server.get("/v1/home", Self.held(new)).status == 304)
      let other = try await server.get("/v1/pages/home/sections/bottom", Self.held(old))
      #expect(other.status == 200)
    }
  }

  @Test func `versions stay known across a restart, as many as the setting says`() async throws {
    let first = try await RunningServer([Demo.long], settings: { $0.knownVersionsMax = 3 })
    var pages = [try Page(bytes: Array(try await first.get("/v1/home").body))]
    for number in 1...4 {
      try await Self.retitle("T\(number)", on: first)
      pages.append(try Page(bytes: Array(try await first.get("/v1/home").body)))
    }
    try await first.stop(keepsFolder: true)
    let second = try await RunningServer([], folder: first.folder, settings: { $0.knownVersionsMax = 3 })
    let statuses = [200, 200, 226, 226, 304]
    for (page, status) in zip(pages, statuses) {
      let reply = try await second.get("/v1/home", Self.held(page))
      #expect(reply.status == status)
      if status == 226 {
        #expect(try page.applying(ChangeSet(bytes: Array(reply.body))) == pages[4])
      }
    }
    try await second.stop()
  }

  @Test func `a whole page is sent where the changes would be no smaller, and changes where they are`() async throws {
    try await withServer { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home").body))
      let items = (0..<40).map { #"{"id": "x\#($0)", "kind": "navigation", "content": {"title": "\#($0 &* 7919)"}}"# }
      let section = #"{"kind": "grid", "items": [\#(items.joined(separator: ","))]}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/fresh", section, Self.force).status == 201)
      for gone in ["top", "middle", "bottom"] {
        #expect(try await server.admin("DELETE", "/pages/home/sections/\(gone)", nil, Self.force).status == 204)
      }
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      // Nothing of the old page is left: the changes hold the whole new one, and more.
      let whole = try await server.get("/v1/home")
      let new = try Page(bytes: Array(whole.body))
      #expect(ChangeSet.changes(from: old, to: new).canonicalBytes.count > whole.body.count)
      let answer = try await server.get("/v1/home", Self.held(old))
      #expect(answer.status == 200)
      #expect(answer.body == whole.body)
      let retitled = #"{"kind": "navigation", "content": {"title": "New"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/fresh/items/x7", retitled).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      let changed = try await server.get("/v1/home", Self.held(new))
      #expect(changed.status == 226)
      #expect(try new.applying(ChangeSet(bytes: Array(changed.body))).canonicalBytes.count > changed.body.count)
    }
  }

  @Test func `a client that waits is answered when the page changes`() async throws {
    try await withServer([Demo.long]) { server in
      let old = try Page(bytes: Array(try await server.get("/v1/home").body))
      let started = ContinuousClock.now
      async let answer = server.get("/v1/home", Self.held(old).merging(["Prefer": "wait=20"]) { $1 })
      try await waitUntil { try await server.waiting == 1 }
      try await Self.retitle("New", on: server)
      let changed = try await answer
      #expect(changed.status == 226)
      #expect(ContinuousClock.now - started < .seconds(15))
      #expect(try old.applying(ChangeSet(bytes: Array(changed.body))).version != old.version)
    }
  }

  @Test func `a client that waits in vain gets a 304 after its time, and no longer than the setting`() async throws {
    try await withServer(settings: { $0.polls.waitSecondsMax = 1 }) { server in
      let page = try Page(bytes: Array(try await server.get("/v1/home").body))
      let started = ContinuousClock.now
      let answer = try await server.get(
        "/v1/home", ["If-None-Match": "W/\"\(page.version)\"", "Prefer": "respond-async, wait=15"])
      #expect(answer.status == 304)
      #expect(ContinuousClock.now - started >= .milliseconds(900))
      #expect(ContinuousClock.now - started < .seconds(10))
    }
  }

  @Test(arguments: ["wait=0", "wait=x", "wait", "wait=-1", "handling=lenient", "wait=99999999999999999999"])
  func `a preference that asks for no wait is answered at once`(preference: String) async throws {
    try await withServer { server in
      let page = try Page(bytes: Array(try await server.get("/v1/home").body))
      let answer = try await server.get(
        "/v1/home", ["If-None-Match": "W/\"\(page.version)\"", "Prefer": preference])
      #expect(answer.status == 304)
    }
  }

  @Test func `a publish of the same content wakes nobody`() async throws {
    try await withServer(settings: { $0.polls.waitSecondsMax = 2 }) { server in
      let page = try Page(bytes: Array(try await server.get("/v1/home").body))
      let started = ContinuousClock.now
      async let answer = server.get(
        "/v1/home", ["If-None-Match": "W/\"\(page.version)\"", "Prefer": "wait=2"])
      try await waitUntil { try await server.waiting == 1 }
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      #expect(try await answer.status == 304)
      #expect(ContinuousClock.now - started >= .milliseconds(1_500))
    }
  }

  @Test func `a client key is asked for where one is set, and opens no admin route`() async throws {
    try await withServer(settings: { $0.polls.clientKey = "s3cret" }) { server in
      let refused = try await server.get("/v1/home")
      #expect(refused.status == 401)
      #expect(refused.code == "client-key-required")
      #expect(refused["WWW-Authenticate"] != nil)
      #expect(try await server.get("/v1/home", ["Hearth-Client-Key": "s3creT"]).status == 401)
      let allowed = try await server.get("/v1/home", ["Hearth-Client-Key": "s3cret"])
      #expect(allowed.status == 200)
      #expect(allowed["Cache-Control"]?.hasPrefix("private, ") == true)
      #expect(try await server.get("/readyz").status == 200)
      let admin = try await server.admin("GET", "/pages", nil, ["Authorization": "Bearer s3cret"])
      #expect(admin.status == 401)
    }
  }
}
