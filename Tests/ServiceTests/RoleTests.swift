import Foundation
import JSON
import Layout
import Storage
import Testing

@testable import Serving
@testable import Service

/// Who may do what: every route, every role, every kind of scope.
@Suite struct RoleTests {
  /// The least role of every route, as wire.md has it.
  private static let roles: [Role: [String]] = [
    .viewer: [
      "GET whoami", "GET pages", "GET pages/{page}", "GET pages/{page}/draft", "GET kinds", "GET attributes",
      "GET pages/{page}/sections/{section}", "GET pages/{page}/sections/{section}/content",
      "GET pages/{page}/sections/{section}/items/{item}", "GET pages/{page}/order", "GET pages/{page}/sort-rules",
      "GET pages/{page}/sort-rules/{rule}", "GET pages/{page}/scheduled", "GET pages/{page}/revisions",
      "GET pages/{page}/revisions/{revision}", "GET pages/{page}/changes", "GET pages/{page}/problems",
      "GET pages/{page}/preview", "POST pages/{page}/preview",
      "GET pages/{page}/preview/sections/{section}/items", "POST pages/{page}/preview/sections/{section}/items",
      "GET nodes", "GET pages/{page}/timeline", "GET audit",
      "GET audiences",
      "GET audiences/{audience}", "GET audiences/{audience}/uses", "GET export", "GET assets", "GET withheld",
      "GET assets/{asset}", "GET assets/{asset}/uses",
      "GET withheld/items/{kind}", "GET withheld/sections/{kind}", "GET search", "GET pages/{page}/previews",
      "GET pages/{page}/sections/{section}/history", "GET pages/{page}/sections/{section}/asked",
    ],
    .source: [
      "PUT pages/{page}/sections/{section}/content", "PUT pages/{page}/sections/{section}/items/{item}",
      "DELETE pages/{page}/sections/{section}/items/{item}", "POST assets",
      "PUT assets/{asset}", "POST pages/{page}/sections/{section}/items/{item}/hide",
      "POST pages/{page}/sections/{section}/items/{item}/restore",
      "POST pages/{page}/sections/{section}/items/{item}/move",
    ],
    .editor: [
      "PUT pages/{page}", "POST pages/{page}/duplicate", "PUT pages/{page}/sections/{section}",
      "DELETE pages/{page}/sections/{section}",
      "POST pages/{page}/sections/{section}/hide", "POST pages/{page}/sections/{section}/restore",
      "POST pages/{page}/sections/{section}/duplicate", "POST pages/{page}/sections/{section}/move",
      "PUT pages/{page}/order", "PUT pages/{page}/sort-rules/{rule}", "DELETE pages/{page}/sort-rules/{rule}",
      "PUT audiences/{audience}", "DELETE audiences/{audience}", "POST pages/{page}/previews",
      "DELETE pages/{page}/previews/{preview}", "POST assets/{asset}/replace",
      "GET pages/{page}/sections/{section}/asked/answer",
    ],
    .publisher: [
      "DELETE pages/{page}", "POST pages/{page}/publish", "POST pages/{page}/rollback", "POST pages/{page}/scheduled",
      "DELETE pages/{page}/scheduled/{scheduled}", "POST pages/{page}/scheduled/{scheduled}/release",
      "PUT pages/{page}/revisions/{revision}/pin",
      "DELETE pages/{page}/revisions/{revision}/pin", "PUT withheld/items/{kind}", "DELETE withheld/items/{kind}",
      "PUT withheld/sections/{kind}", "DELETE withheld/sections/{kind}", "DELETE assets/{asset}",
    ],
    .admin: [
      "GET tokens", "POST tokens", "DELETE tokens/{selector}", "POST tokens/{selector}/rotate", "POST import",
      "POST kinds/reload",
      "POST backup", "GET webhooks", "POST webhooks", "GET webhooks/{webhook}", "PUT webhooks/{webhook}",
      "DELETE webhooks/{webhook}", "POST webhooks/{webhook}/rotate", "GET webhooks/{webhook}/deliveries",
      "POST webhooks/deliveries/{delivery}/send",
    ],
  ]

  private static let names = [
    "page": "home", "section": "top", "item": "scan", "rule": "default", "audience": "vip", "revision": "1",
    "scheduled": "1", "preview": "1", "webhook": "1", "delivery": "1", "selector": "nobody000000", "kind": "grid",
    "asset": String(repeating: "0", count: 64) + ".png",
  ]

  /// What scopes let through of a route about the section `top` of the page `home`.
  private static func reaches(_ scopes: [String], _ route: Route) -> Bool {
    let isOfPage = route.pattern.contains("{page}")
    let isOfSection = route.pattern.contains("{section}")
    // What is of no page: anyone may bring a picture, and lists of all pages ask for one of them.
    let isOpen =
      route.isForAnyScope || route.role == .viewer && ![["audit"], ["assets"]].contains(route.pattern)
    switch scopes {
    case []: return true
    case ["home"]: return isOfPage || isOpen
    case ["home/top"]: return isOfPage ? route.role <= .source : isOpen
    case ["home/middle"]: return isOfPage ? route.role == .viewer && !isOfSection : isOpen
    default: return !isOfPage && isOpen
    }
  }

  @Test func `every route has the role that the contract gives it`() async throws {
    try await withServer { server in
      let routes = Dictionary(grouping: server.server.api.routes, by: \.role)
        .mapValues { Set($0.map(\.name)) }
      #expect(routes == Self.roles.mapValues { Set($0) })
    }
  }

  @Test(arguments: Role.allCases, [[], ["home"], ["home/top"], ["home/middle"], ["activity"]])
  func `a route is open to the roles that hold its own, within the token's scopes`(
    role: Role, scopes: [String]
  ) async throws {
    try await withServer { server in
      let (_, text) = try await server.store.createToken(
        name: "t", role: role, scopes: scopes, by: Actor(name: "test"))
      let fields = ["Authorization": "Bearer \(text.text)"]
      for route in server.server.api.routes {
        let segments = route.pattern.map { segment in
          segment.hasPrefix("{") ? Self.names[String(segment.dropFirst().dropLast())] ?? "" : segment
        }
        let path = "/" + segments.joined(separator: "/")
        // A body that is no JSON changes nothing wherever the request is let through.
        let body = ["PUT", "POST"].contains(route.method) ? "{" : nil
        let reply = try await server.admin(route.method, path, body, fields)
        let isAllowed = role >= route.role && Self.reaches(scopes, route)
        #expect((reply.status != 403) == isAllowed, "\(route.method) \(path): \(reply.status) \(reply.text)")
        #expect(reply.status != 401)
        if !isAllowed { #expect(reply.code == "forbidden") }
      }
    }
  }

  @Test func `a source token fills its section and nothing else, however it asks`() async throws {
    try await withServer { server in
      let (_, text) = try await server.store.createToken(
        name: "feed", role: .source, scopes: ["home/middle"], by: Actor(name: "test"))
      let fields = ["Authorization": "Bearer \(text.text)", "If-Match": "*"]
      let content = #"{"items": [{"id": "n", "kind": "navigation", "content": {"title": "N"}}]}"#
      for path in ["/pages/home/sections/middle/content", "/pages/home/sections/middle/content?publish=true"] {
        #expect(try await server.admin("PUT", path, content, fields).status == 200)
      }
      #expect(try await server.get("/v1/pages/home/sections/middle").json["items"]?.array?.count == 1)
      let refused = [
        ("PUT", "/pages/home/sections/top/content?publish=true", content),
        ("PUT", "/pages/home/sections/middle", #"{"kind": "grid"}"#),
        ("POST", "/pages/home/sections/middle/hide", "{}"),
        ("POST", "/pages/home/publish", #"{"sections": ["middle"]}"#), ("PUT", "/pages/home/order", "{}"),
        ("PUT", "/pages/home/sections/../sections/top/content", content),
        ("PUT", "/pages/home/sections/middle/../top/content", content),
        ("PUT", "/pages/home/sections/%74op/content", content), ("POST", "/tokens", #"{"name": "x", "role": "admin"}"#),
      ]
      for (method, path, body) in refused {
        let reply = try await server.admin(method, path, body, fields)
        #expect(reply.status == 403, "\(method) \(path): \(reply.text)")
      }
      let audit = try await server.admin("GET", "/audit?action=authorisation.refused").json["entries"]?.array
      #expect(audit?.count == refused.count)
      // It reads the page's draft, and so the pictures that this refers to.
      let own = ["Authorization": "Bearer \(text.text)"]
      #expect(try await server.admin("GET", "/assets?page=home", nil, own).status == 200)
      #expect(try await server.admin("GET", "/assets?page=other", nil, own).status == 403)
      #expect(audit?.allSatisfy { $0["actor"] == "feed" } == true)
    }
  }

  @Test func `a token for a page or section that is not there is refused with those that are`() async throws {
    try await withServer { server in
      for (scope, code, known) in [
        ("hom", "unknown-page", "home"), ("home/tip", "unknown-section-of-page", "top"),
      ] {
        let body = #"{"name": "feed", "role": "source", "scopes": ["home", "\#(scope)"]}"#
        let reply = try await server.admin("POST", "/tokens", body)
        #expect(reply.status == 422 && reply.code == "invalid-content", "\(reply.text)")
        let problem = reply.json["errors"]?.array?.first
        #expect(reply.json["errors"]?.array?.count == 1)
        #expect(problem?["pointer"]?.string == "/scopes/1")
        #expect(problem?["detail"]?.string?.contains(known) == true)
        #expect(problem?["sentence"]?["code"]?.string == code)
        #expect(problem?["sentence"]?["values"]?["known"]?.array?.contains(.string(known)) == true)
      }
      let made = try await server.admin("POST", "/tokens", #"{"name": "f", "role": "source", "scopes": ["home/top"]}"#)
      #expect(made.status == 201, "\(made.text)")
    }
  }

  @Test func `an export holds the pages that the token reaches`() async throws {
    try await withServer { server in
      let made = try await server.admin("PUT", "/pages/other", #"{"defaultLocale": "en"}"#)
      #expect(made.status == 201, "\(made.text)")
      for (scopes, pages) in [([], ["home", "other"]), (["home"], ["home"]), (["other/x"], ["other"])] {
        let (_, text) = try await server.store.createToken(
          name: "t", role: .viewer, scopes: scopes, by: Actor(name: "test"))
        let reply = try await server.admin("GET", "/export", nil, ["Authorization": "Bearer \(text.text)"])
        #expect(reply.json["pages"]?.object?.names == pages)
      }
    }
  }

  @Test func `what a token reads is of the pages that it is for`() async throws {
    try await withServer { server in
      let other = #"{"defaultLocale": "en", "title": "Other"}"#
      #expect(try await server.admin("PUT", "/pages/other", other).status == 201)
      let vip = #"{"attribute": "memberTier", "atLeast": 2}"#
      #expect(try await server.admin("PUT", "/audiences/vip", vip).status == 201)
      for page in ["home", "other"] {
        let section = #"{"kind": "broadcast", "audience": {"audience": "vip"}}"#
        #expect(try await server.admin("PUT", "/pages/\(page)/sections/vips", section).status == 201)
      }
      func read(_ path: String, _ scope: String) async throws -> Reply {
        let (_, text) = try await server.store.createToken(
          name: "t", role: .viewer, scopes: [scope], by: Actor(name: "test"))
        return try await server.admin("GET", path, nil, ["Authorization": "Bearer \(text.text)"])
      }
      // As an audience's uses did, a list may name what is of other pages.
      for path in ["/pages", "/export", "/audiences/vip/uses", "/search?q=vips"] {
        for scope in ["home", "home/vips"] {
          let reply = try await read(path, scope)
          #expect(reply.status == 200 && reply.text.contains("home"), "\(reply.text)")
          #expect(!reply.text.lowercased().contains("other"), "\(path) for \(scope): \(reply.text)")
        }
      }
      for path in ["/draft", "/preview", "/order"] {
        #expect(try await read("/pages/home" + path, "home/middle").status == 200, "\(path)")
        #expect(try await read("/pages/other" + path, "home/middle").status == 403, "\(path)")
      }
      #expect(try await read("/pages/home/sections/vips", "home/middle").status == 403)
    }
  }

  @Test func `too many bad tokens from an address are a 429, while valid ones are taken`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock, settings: { $0.admin.failedTriesMax = 3 }) { server in
      let bad = ["Authorization": "Bearer hearth_AAAAAAAAAAAA_BBBB"]
      for _ in 0..<3 {
        let reply = try await server.admin("GET", "/whoami", nil, bad)
        #expect(reply.status == 401)
        #expect(reply["WWW-Authenticate"]?.contains("invalid_token") == true)
      }
      let blocked = try await server.admin("GET", "/whoami", nil, bad)
      #expect(blocked.status == 429)
      #expect(blocked.code == "too-many-failures")
      #expect(Int(blocked["Retry-After"] ?? "").map { (1...60).contains($0) } == true)
      #expect(try await server.admin("GET", "/whoami").status == 200)
      clock.advance(by: 60)
      #expect(try await server.admin("GET", "/whoami", nil, bad).status == 401)
      let audit = try await server.admin("GET", "/audit?action=authorisation.failed").json["entries"]?.array
      #expect(audit?.count == 4)
    }
  }

  @Test func `no token, and none that could be one, are failed tries too; a flood of them is audited once a minute`()
    async throws
  {
    let clock = TestClock()
    try await withServer(clock: clock, settings: { $0.admin.failedTriesMax = 4 }) { server in
      let values = ["", "Bearer", "Basic YTpi", "Bearer hearth_x"]
      for minute in 1...2 {
        for value in values {
          #expect(try await server.admin("GET", "/whoami", nil, ["Authorization": value]).status == 401)
        }
        for value in values + values {
          let reply = try await server.admin("GET", "/whoami", nil, ["Authorization": value])
          #expect(reply.status == 429)
          #expect(reply["Retry-After"] != nil)
        }
        let audit = try await server.admin("GET", "/audit?action=authorisation").json["entries"]?.array ?? []
        let actions = audit.compactMap { $0["action"]?.string }
        #expect(actions.count { $0 == "authorisation.failed" } == 4 * minute)
        #expect(actions.count { $0 == "authorisation.limited" } == minute)
        #expect(audit.last?["detail"]?.string == "GET /admin/v1/whoami: no token")
        #expect(audit.allSatisfy { $0["address"] == "127.0.0.1" && $0["actor"] == "unknown" })
        clock.advance(by: 60)
      }
    }
  }

  @Test func `a clock that is set back lets nobody wait longer than a minute`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock, settings: { $0.admin.failedTriesMax = 1 }) { server in
      func tries() async throws -> [Int?] {
        var waits: [Int?] = []
        for _ in 0..<3 {
          let reply = try await server.admin("GET", "/whoami", nil, ["Authorization": ""])
          waits.append(reply["Retry-After"].flatMap { Int($0) })
        }
        return waits
      }
      // A second may pass between two of them.
      let last = try #require(try await tries().compactMap(\.self).last)
      #expect((59...60).contains(last))
      clock.advance(by: -86_400)
      let waits = try await tries().compactMap(\.self)
      #expect(waits.count == 3)
      #expect(waits.allSatisfy { (1...60).contains($0) }, "\(waits)")
      clock.advance(by: 60)
      #expect(try await tries().first == .some(nil))
    }
  }

  @Test func `a token that has expired or was revoked is audited by its name`() async throws {
    let clock = TestClock()
    try await withServer(clock: clock) { server in
      let actor = Actor(name: "test")
      let old = try await server.store.createToken(
        name: "old feed", role: .viewer, expiresAt: clock.now.adding(seconds: 30), by: actor)
      let gone = try await server.store.createToken(name: "left us", role: .admin, by: actor)
      #expect(try await server.admin("DELETE", "/tokens/\(gone.token.selector)").status == 204)
      clock.advance(by: 31)
      let other = try #require(TokenText("hearth_\(old.token.selector)_another"))
      for text in [old.text, gone.text, other] {
        #expect(
          try await server.admin("GET", "/whoami", nil, ["Authorization": "Bearer \(text.text)"]).status == 401)
      }
      let audit = try await server.admin("GET", "/audit?action=authorisation.failed").json["entries"]?.array ?? []
      #expect(audit.compactMap { $0["actor"]?.string } == ["unknown", "left us", "old feed"])
      #expect(audit.map { $0["token"]?.string } == [nil, gone.token.selector, old.token.selector])
      #expect(audit.last?["detail"]?.string == "GET /admin/v1/whoami: the token has expired")
    }
  }

  @Test func `a token cannot lock its owner out`() async throws {
    try await withServer { server in
      let own = try #require(try await server.admin("GET", "/whoami").json["selector"]?.string)
      let revoked = try await server.admin("DELETE", "/tokens/\(own)")
      #expect(revoked.status == 409)
      #expect(revoked.code == "own-token")
      let rotated = try await server.admin("POST", "/tokens/\(own)/rotate", #"{"grace": 10}"#)
      #expect(rotated.code == "own-token")
      let next = try await server.admin("POST", "/tokens/\(own)/rotate", #"{"grace": 3600}"#)
      #expect(next.status == 201, "\(next.text)")
      let fields = ["Authorization": "Bearer \(next.json["token"]?.string ?? "")"]
      #expect(try await server.admin("DELETE", "/tokens/\(own)", nil, fields).status == 204)
      #expect(try await server.admin("GET", "/whoami").status == 401)
    }
  }

  @Test func `no admin route is on the public listener, and a client key opens none`() async throws {
    try await withServer(settings: { $0.polls.clientKey = "key-of-all-apps" }) { server in
      let fields = ["Authorization": "Bearer \(server.admin)", "Hearth-Client-Key": "key-of-all-apps"]
      for route in server.server.api.routes where route.method == "GET" {
        let path =
          "/admin/v1/"
          + route.pattern.map { Self.names[String($0.dropFirst().dropLast())] ?? $0 }
          .joined(separator: "/")
        #expect(try await server.get(path, fields).status == 404, "\(path)")
      }
      for path in ["/metrics", "/status", "/admin/v1/openapi.json", "/console/"] {
        #expect(try await server.get(path, fields).status == 404, "\(path)")
      }
      for value in ["Bearer key-of-all-apps", "key-of-all-apps", ""] {
        let reply = try await server.admin(
          "GET", "/whoami", nil, ["Authorization": value, "Hearth-Client-Key": "key-of-all-apps"])
        #expect(reply.status == 401)
      }
    }
  }
}
