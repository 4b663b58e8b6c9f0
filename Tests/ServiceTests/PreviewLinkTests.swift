import Foundation
import JSON
import Layout
import Storage
import Testing

@testable import Serving
@testable import Service

/// Links that show a page as it would be, on the public listener.
@Suite struct PreviewLinkTests {
  private static func make(_ server: RunningServer, _ body: String = "{}") async throws -> JSON {
    let reply = try await server.admin("POST", "/pages/home/previews", body)
    #expect(reply.status == 201, "\(reply.text)")
    return reply.json
  }

  @Test func `a link shows the draft for the client that it was made for, and leaves no trace in caches`()
    async throws
  {
    try await withServer { server in
      let live = try await server.get("/v1/home?locale=en")
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", ["If-Match": "*"]).status == 204)
      let link = try await Self.make(server, #"{"client": {"locale": "en"}, "name": "For Mei"}"#)
      let url = try #require(link["url"]?.string)
      #expect(url == "/v1/pages/home?preview=\(link["token"]?.string ?? "")")
      let shown = try await server.get(url, ["Accept-Language": "zh-Hans"])
      #expect(shown.status == 200)
      #expect(shown.json["locale"]?.string == "en")
      #expect(shown.sections == ["top", "bottom"])
      #expect(shown["Cache-Control"] == "private, no-store")
      #expect(shown["Hearth-Revision"] == nil)
      #expect(try await server.get(url, ["If-None-Match": shown["ETag"] ?? ""]).status == 304)
      #expect(try await server.get("/v1/pages/home/sections/top?preview=\(link["token"]?.string ?? "")").status == 200)
      #expect(try await server.get("/v1/pages/home/sort-rule?preview=\(link["token"]?.string ?? "")").status == 200)
      // What is live is as it was, also for whoever asked by a link before.
      #expect(try await server.get("/v1/home?locale=en").json == live.json)
      // What is not fixed by the link is the device's own.
      let open = try await Self.make(server)
      #expect(
        try await server.get((open["url"]?.string ?? "") + "&locale=zh-Hans").json["locale"]?.string == "zh-Hans")
      // The draft goes on.
      #expect(
        try await server.admin("POST", "/pages/home/sections/bottom/hide", "{}", ["If-Match": "*"]).status == 204)
      #expect(try await server.get(url).sections == ["top"])
      let listed = try await server.admin("GET", "/pages/home/previews").json["previews"]?.array ?? []
      #expect(listed.compactMap { $0["name"]?.string } == ["For Mei"])
      #expect(listed.allSatisfy { $0["token"] == nil && $0["url"] == nil })
    }
  }

  @Test(arguments: [false, true]) func `where there is the demo, a link names its page, which draws it`(isOn: Bool)
    async throws
  {
    try await withServer(settings: { $0.admin.servesDemo = isOn }) { server in
      let link = try await Self.make(server)
      let expected = "/demo/?page=home&preview=\(link["token"]?.string ?? "")"
      #expect(link["demo"]?.string == (isOn ? expected : nil))
    }
  }

  @Test func `a link shows a moment or a revision, ends with its hours, and can be revoked`() async throws {
    try await withServer(settings: { $0.admin.previews.baseURL = "https://api.example.com" }) { server in
      let now = server.clock.now
      let schedule = #"{"kind": "grid", "schedule": {"from": "\#(now.adding(seconds: 86_400))"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top", schedule, ["If-Match": "*"]).status == 200)
      func shown(_ link: JSON) async throws -> Reply {
        try await server.get("/v1/home?preview=\(link["token"]?.string ?? "")")
      }
      let present = try await Self.make(server, #"{"hours": 2}"#)
      #expect(present["url"]?.string?.hasPrefix("https://api.example.com/v1/pages/home?preview=") == true)
      #expect(try await shown(present).sections == ["middle", "bottom"])
      let later = try await Self.make(server, #"{"at": "\#(now.adding(seconds: 90_000))"}"#)
      #expect(try await shown(later).sections == ["top", "middle", "bottom"])
      let first = try await Self.make(server, #"{"revision": 1}"#)
      #expect(try await shown(first).sections == ["top", "middle", "bottom"])
      #expect(
        try await server.admin("DELETE", "/pages/home/previews/\(first["id"]?.int ?? 0)").status == 204)
      let revoked = try await shown(first)
      #expect(revoked.status == 404 && revoked.code == "unknown-preview")
      server.clock.advance(by: 2 * 3_600)
      #expect(try await shown(present).status == 404)
      #expect(try await shown(later).status == 200)
      let audit = try await server.admin("GET", "/audit?action=preview").json["entries"]?.array ?? []
      #expect(
        audit.compactMap { $0["action"]?.string }.sorted() == [
          "preview.create", "preview.create", "preview.create", "preview.revoke",
        ])
    }
  }

  @Test func `the links of a token end with it, and with the one that takes its place, and no others do`() async throws
  {
    try await withServer { server in
      func token(_ name: String) async throws -> TokenText {
        try await server.store.createToken(name: name, role: .editor, by: Actor(name: "test")).text
      }
      func link(by token: TokenText) async throws -> String {
        let reply = try await server.admin(
          "POST", "/pages/home/previews", "{}", ["Authorization": "Bearer \(token.text)"])
        #expect(reply.status == 201, "\(reply.text)")
        return "/v1/home?preview=\(reply.json["token"]?.string ?? "")"
      }
      let (editor, other) = (try await token("editor"), try await token("editor"))
      let (links, others) = (try await link(by: editor), try await link(by: other))
      let next = try await server.admin("POST", "/tokens/\(editor.selector)/rotate", #"{"grace": 60}"#)
      #expect((200...201).contains(next.status), "\(next.text)")
      #expect(try await server.get(links).status == 200)
      let selector = try #require(next.json["selector"]?.string)
      #expect(try await server.admin("DELETE", "/tokens/\(selector)").status == 204)
      #expect(try await server.get(links).code == "unknown-preview")
      #expect(try await server.get(others).status == 200)
    }
  }

  @Test func `a link of another page, a wrong text and too many links are refused`() async throws {
    try await withServer(settings: {
      $0.admin.previews.linksMax = 1
      $0.admin.previews.hoursMax = 5
    }) { server in
      let link = try await Self.make(server)
      #expect(
        link["expiresAt"]?.string == server.clock.now.adding(seconds: 5 * 3_600).description || link["expiresAt"] != nil
      )
      let text = link["token"]?.string ?? ""
      #expect(try await server.get("/v1/pages/other?preview=\(text)").code == "unknown-preview")
      for wrong in ["", "x", String(text.dropLast()) + "_", String(repeating: "a", count: 43)] {
        #expect(try await server.get("/v1/home?preview=\(wrong)").code == "unknown-preview", "\(wrong)")
      }
      #expect(try await server.admin("POST", "/pages/home/previews", "{}").code == "too-many-previews")
      server.clock.advance(by: 6 * 3_600)
      _ = try await Self.make(server)
      for body in [
        #"{"hours": 6}"#, #"{"hours": 0}"#, #"{"revision": "none"}"#, #"{"client": {"nobody": "1"}}"#,
        #"{"at": "soon"}"#, #"{"client": 1}"#,
      ] {
        #expect(try await server.admin("POST", "/pages/home/previews", body).status == 422, "\(body)")
      }
      #expect(try await server.admin("POST", "/pages/home/previews", #"{"revision": 9}"#).code == "unknown-revision")
      #expect(try await server.admin("POST", "/pages/none/previews", "{}").code == "unknown-page")
      #expect(try await server.admin("DELETE", "/pages/home/previews/9").code == "unknown-preview")
    }
  }
}
