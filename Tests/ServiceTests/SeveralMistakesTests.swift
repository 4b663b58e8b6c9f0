import JSON
import Service
import Storage
import Testing

/// A body with several mistakes is answered with all of them: none hides another.
@Suite struct SeveralMistakesTests {
  private static let force = ["If-Match": "*"]

  private static func pointers(_ reply: Reply) -> [String] {
    (reply.json["errors"]?.array?.compactMap { $0["pointer"]?.string } ?? []).sorted()
  }

  /// What is sent, and the places of its mistakes: some that reading finds, some that only the kinds know.
  private static let cases: [(method: String, path: String, body: String, pointers: [String])] = [
    (
      "PUT", "/pages/home/sections/top/content",
      #"{"items": [{"id": "a b", "kind": "navigation", "content": {}}, {"kind": "nothing"}, 7, {"id": "x", "kind": "navigation", "content": {"title": ""}, "aspect": 0}], "slots": {"hot": {"kind": "navigation"}}, "more": 1}"#,
      [
        "/items/0/content/title", "/items/0/id", "/items/1/id", "/items/1/kind", "/items/2", "/items/2/content/title",
        "/items/3/aspect", "/more", "/slots/hot",
      ]
    ),
    (
      "PUT", "/pages/home/sections/top/items/scan",
      #"{"id": "pay", "kind": "navigation", "content": {"title": "", "other": 1}, "expanded": 3}"#,
      ["/content/other", "/content/title", "/expanded", "/id"]
    ),
    (
      "PUT", "/pages/home/sections/top",
      #"{"kind": "gird", "index": 1.5, "hidden": "no", "audience": {"attribute": "nothing", "in": []}, "items": [{"id": "", "kind": "navigation", "content": {"title": "A"}}]}"#,
      ["/audience/attribute", "/hidden", "/index", "/items/0/id", "/kind"]
    ),
    // Of a kind that is not there, all is told that does not hang on it.
    (
      "PUT", "/pages/home/sections/top",
      #"{"kind": "gird", "layout": {"rows": [0]}, "footer": {"kind": "title", "content": {}}, "items": [{"id": "a", "kind": "navigation", "content": {}}, {"id": "a", "kind": "nothing"}], "slots": {"hot": {"kind": "title", "content": {"text": 1}}}, "schedule": {"from": "x", "zone": "Mars/One"}}"#,
      [
        "/footer/content/text", "/items/0/content/title", "/items/1/id", "/items/1/kind", "/kind", "/layout/rows",
        "/schedule/from", "/schedule/zone", "/slots/hot/content/text",
      ]
    ),
    (
      "PUT", "/pages/home/sections/top",
      #"{"kind": "grid", "index": "x", "layout": {"style": "gird"}, "header": {"kind": "navigation", "content": {"title": 1}}}"#,
      ["/header/content/title", "/header/kind", "/index", "/layout/style"]
    ),
    (
      "PUT", "/pages/home", #"{"locales": ["en", "!"], "pollInterval": 0, "emptyState": {"kind": "nothing"}}"#,
      ["/defaultLocale", "/emptyState/kind", "/locales/1", "/pollInterval"]
    ),
    (
      "POST", "/import",
      #"{"hearth": 2, "audiences": {"a b": "x"}, "pages": {"home": {"defaultLocale": "en", "sections": [{"kind": "grid"}, {"id": "top", "kind": "gird"}, {"id": "mid", "kind": "grid", "items": [{"id": "n", "kind": "title", "content": {}}]}]}}}"#,
      [
        "/audiences/a b", "/hearth", "/pages/home/sections/0/id", "/pages/home/sections/1/kind",
        "/pages/home/sections/2/items/0/content/text", "/pages/home/sections/2/items/0/kind",
      ]
    ),
    (
      "PUT", "/audiences/vip", #"{"all": [{"attribute": "nothing", "in": ["x"]}, "nobody"]}"#, ["", "/all/0/attribute"]
    ),
    (
      "PUT", "/pages/home/sort-rules/spring", #"{"indices": {"top": "x", "a b": 1}, "priority": 1.5}"#,
      ["/audience", "/indices/a b", "/indices/top", "/priority"]
    ),
    ("POST", "/pages/home/sections/top/move", #"{"first": 1, "rule": 7}"#, ["", "/rule"]),
    ("PUT", "/pages/home/order", #"{"sections": "top", "rule": 7, "x": 1}"#, ["/rule", "/sections", "/x"]),
    (
      "PUT", "/pages/home/order", #"{"sections": ["top", "top", "nothing"]}"#,
      ["/sections", "/sections/1", "/sections/2"]
    ),
    ("PUT", "/pages/home/order", #"{"sections": ["top", 3, {}], "x": 1}"#, ["/sections/1", "/sections/2", "/x"]),
    (
      "POST", "/pages/home/publish", #"{"sections": ["top", 3], "message": 7, "at": 1}"#,
      ["/at", "/message", "/sections/1"]
    ),
    (
      "POST", "/pages/home/rollback", #"{"revision": 0, "message": 7, "draft": "x"}"#,
      ["/draft", "/message", "/revision"]
    ),
    (
      "POST", "/pages/home/scheduled",
      #"{"at": "2001-01-01T00:00:00Z", "revision": 1, "sections": ["top"], "message": 7}"#,
      ["/at", "/message", "/sections"]
    ),
    (
      "POST", "/tokens", #"{"name": "", "role": "king", "scopes": ["nowhere"], "x": 1}"#,
      ["/name", "/role", "/scopes/0", "/x"]
    ),
    (
      "PUT", "/withheld/items/navigation", #"{"audience": {"all": ["nobody", {"not": 7}]}, "reason": ""}"#,
      ["/audience", "/audience/all/1/not", "/reason"]
    ),
  ]

  @Test func `every mistake is told, at its place`() async throws {
    try await withServer { server in
      let before = try await server.admin("GET", "/export").text
      for wrong in Self.cases {
        let reply = try await server.admin(wrong.method, wrong.path, wrong.body, Self.force)
        #expect(reply.status == 422, "\(wrong.path): \(reply.text)")
        #expect(Self.pointers(reply) == wrong.pointers, "\(wrong.path): \(reply.text)")
        #expect(reply.json["moreErrors"] == nil)
      }
      // Of a section that is not there, the kind is not known: what can be told is told.
      let lost = try await server.admin(
        "PUT", "/pages/home/sections/nowhere/content", #"{"items": [{"id": "a b", "kind": "navigation"}]}"#)
      #expect(Self.pointers(lost) == ["/items/0/id"])
      #expect(try await server.admin("GET", "/export").text == before)
    }
  }

  @Test func `an item that is put has its mistakes at places of its own body, wherever it stands`() async throws {
    try await withServer { server in
      for (path, body, pointers) in [
        (
          "/pages/home/sections/top/items/pay", #"{"kind": "navigation", "content": {"title": ""}}"#, ["/content/title"]
        ),
        ("/pages/home/sections/middle/items/middle.hot", #"{"kind": "title", "content": {"text": "A"}}"#, ["/kind"]),
        ("/pages/home/sections/top/items/new?publish=true", #"{"kind": "navigation"}"#, ["/content/title"]),
      ] {
        let reply = try await server.admin("PUT", path, body)
        #expect(Self.pointers(reply) == pointers, "\(path): \(reply.text)")
      }
    }
  }

  @Test func `a path that names what is no name hides nothing of the body, for whoever may send one`() async throws {
    try await withServer { server in
      let cases = [
        (
          "/pages/home/sections/top/items/a%20b", #"{"kind": "navigation", "content": {"title": ""}, "aspect": 0}"#,
          ["/aspect", "/content/title"]
        ),
        (
          "/pages/home/sections/a%20b",
          #"{"kind": "grid", "hidden": 1, "items": [{"id": "x", "kind": "navigation", "content": {}}]}"#,
          ["/hidden", "/items/0/content/title"]
        ),
        ("/pages/home/sections/a%20b/content", #"{"items": [{"id": "", "kind": "navigation"}]}"#, ["/items/0/id"]),
        ("/pages/a%20b", #"{"pollInterval": 0}"#, ["/defaultLocale", "/pollInterval"]),
        ("/pages/home/sort-rules/a%20b", #"{"priority": "x"}"#, ["/audience", "/priority"]),
        ("/pages/home/sort-rules/a%20b", #"{"indices": {}, "audience": {"attribute": "bucket", "in": [1]}}"#, []),
      ]
      for (path, body, pointers) in cases {
        let reply = try await server.admin("PUT", path, body, Self.force)
        #expect(reply.status == 422 && reply.code == "invalid-name", "\(path): \(reply.text)")
        #expect(Self.pointers(reply) == pointers, "\(path): \(reply.text)")
        // What the kinds say is told to nobody who may not send it.
        let (_, viewer) = try await server.store.createToken(name: "eye", role: .viewer, by: Actor(name: "test"))
        for authorization in ["Bearer \(viewer.text)", "Bearer nothing"] {
          let other = try await server.admin("PUT", path, body, ["Authorization": authorization])
          #expect(other.status == 422 && other.json["errors"] == nil, "\(path): \(other.text)")
        }
      }
    }
  }

  @Test func `of more places than an answer lists, it tells the number`() async throws {
    try await withServer { server in
      let items = (0..<130).map { #"{"id": "i\#($0)", "kind": "navigation", "content": {"title": ""}}"# }
      let body = #"{"items": [\#(items.joined(separator: ",")), {"id": "", "kind": "navigation"}]}"#
      let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content", body)
      #expect(reply.json["errors"]?.array?.count == 100)
      // Too many items, an id that is none, 131 titles.
      #expect(reply.json["moreErrors"] == 33, "\(reply.text.suffix(400))")
      #expect(reply.json["detail"]?.string?.contains("133 place(s)") == true)
    }
  }
}
