import Foundation
import JSON
import Layout
import Storage
import Testing

@testable import Service

/// Pictures as a library: named, described, tagged, found, and replaced in all drafts.
@Suite struct AssetLibraryTests {
  private static let kinds = """
    itemKinds:
      banner:
        title: Banner
        content:
          type: object
          required: [image]
          properties:
            image:
              type: object
              required: [url]
              properties:
                url: {type: string, format: uri, pattern: "^https://"}
                width: {type: integer, minimum: 1, maximum: 300}
                height: {type: integer, minimum: 1}
                sizes: {type: array, items: {type: object}}
      tile:
        title: Tile
        content: {type: object, properties: {image: {type: object}, text: {type: string}}}
        children: [tile]
    sectionKinds:
      list:
        title: List
        layout: {style: list, itemSize: {width: container, height: {points: 44}}}
        items: {kinds: [banner, tile], maximum: 100}
        depth: 1
    """

  private static func page(_ id: String, _ sections: String...) -> String {
    """
    hearth: 1
    pages:
      \(id):
        title: A page
        defaultLocale: en
        locales: [en, zh-Hans]
        sections: [\(sections.map { "{id: \($0), kind: list}" }.joined(separator: ", "))]
    """
  }

  /// A PNG's head with a width, and a byte behind it that makes it another picture.
  static func picture(_ width: UInt16, _ mark: UInt8 = 0) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, UInt8(width >> 8), UInt8(width & 0xFF), 0, 0, 0, 9, 8, 6, 0, 0, 0, mark]
  }

  static func bring(
    _ bytes: [UInt8], _ query: String = "", to server: RunningServer, _ fields: [String: String] = [:]
  ) async throws -> String {
    let fields = fields.merging(["Content-Type": "image/png"]) { own, _ in own }
    let reply = try await server.adminBytes("POST", "/assets" + query, bytes, fields)
    #expect(reply.status == 201, "\(reply.text)")
    return try #require(reply.json["url"]?.string)
  }

  /// The path of what is said of a picture.
  private static func path(_ url: String) -> String { "/assets/" + url.dropFirst(AssetName.folder.count) }

  private static func fill(_ section: String, _ items: String, _ server: RunningServer) async throws {
    let put = try await server.admin(
      "PUT", "/pages/\(section)/content", #"{"items": [\#(items)]}"#, ["If-Match": "*"])
    #expect(put.status == 200, "\(put.text)")
  }

  private static func banner(_ id: String, _ url: String, _ more: String = "") -> String {
    #"{"id": "\#(id)", "kind": "banner", "content": {"image": {"url": "\#(url)"\#(more)}}}"#
  }

  private static func token(
    _ name: String, _ role: Role, _ scopes: [String], _ server: RunningServer
  ) async throws -> [String: String] {
    let (_, text) = try await server.store.createToken(name: name, role: role, scopes: scopes, by: Actor(name: "test"))
    return ["Authorization": "Bearer \(text.text)"]
  }

  @Test func `a picture is named, described and tagged, and nobody's words are lost`() async throws {
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      let url = try await Self.bring(Self.picture(9), "?name=Spring%20banner", to: server)
      let path = Self.path(url)
      let read = try await server.admin("GET", path)
      let tag = try #require(read["ETag"])
      #expect(read.json["name"]?.string == "Spring banner" && read.json["url"]?.string == url)
      let details = #"{"name": "春季", "alt": {"en": "A river", "zh-Hans": "一条河"}, "tags": ["spring", "河"]"#
      let body = details + #", "focus": {"x": 50, "y": 20}}"#
      #expect(try await server.admin("PUT", path, body, ["If-Match": "\"other\""]).status == 412)
      let put = try await server.admin("PUT", path, body, ["If-Match": tag])
      #expect(put.status == 200 && put.json["alt"]?["zh-Hans"]?.string == "一条河", "\(put.text)")
      let late = try await server.admin("PUT", path, #"{"name": "Late"}"#, ["If-Match": tag])
      #expect(late.status == 412 && late.json["etag"]?.string == put["ETag"])
      #expect(try await server.admin("GET", path).json["name"]?.string == "春季")
      // The same once more is no change.
      #expect(try await server.admin("PUT", path, body, ["If-Match": put["ETag"] ?? ""])["ETag"] == put["ETag"])
      let entries = try await server.admin("GET", "/audit?action=asset.describe").json["entries"]?.array ?? []
      #expect(entries.count == 1 && entries.first?["detail"]?.string == String(path.dropFirst("/assets/".count)))
      #expect(try await server.admin("GET", Self.path(AssetName(of: [1], format: .png).url)).status == 404)
    }
  }

  @Test func `what is too long, too much or no line of text is refused at its place`() async throws {
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      let path = Self.path(try await Self.bring(Self.picture(9), to: server))
      let tags = (0...20).map { "\"t\($0)\"" }.joined(separator: ",")
      let long = String(repeating: "a", count: 1_001)
      for (body, place) in [
        (#"{"name": ""}"#, "/name"), (#"{"name": "\#(long.prefix(201))"}"#, "/name"),
        (#"{"name": "a\u0000"}"#, "/name"),
        (#"{"name": "two\nlines"}"#, "/name"), (#"{"alt": "\#(long)"}"#, "/alt"), (#"{"alt": "a\u001bb"}"#, "/alt"),
        (#"{"alt": {"en": "a\u0085b"}}"#, "/alt/en"), (#"{"alt": {"nowhere at all": "a"}}"#, "/alt/nowhere at all"),
        (#"{"tags": [\#(tags)]}"#, "/tags"), (#"{"tags": ["a", "a"]}"#, "/tags/1"), (#"{"tags": ["\t"]}"#, "/tags/0"),
        (#"{"tags": ["\#(long.prefix(51))"]}"#, "/tags/0"), (#"{"focus": {"x": 101, "y": 0}}"#, "/focus/x"),
        (#"{"focus": {"x": 1}}"#, "/focus/y"), (#"{"title": "a"}"#, "/title"), (#"{"url": "a"}"#, "/url"),
      ] {
        let reply = try await server.admin("PUT", path, body, ["If-Match": "*"])
        #expect(reply.status == 422, "\(body): \(reply.text)")
        #expect(reply.json["errors"]?.array?.first?["pointer"]?.string == place, "\(body): \(reply.text)")
      }
      let most = (0..<20).map { "\"\(String(repeating: "t", count: 48))\($0 + 10)\"" }.joined(separator: ",")
      let all = #"{"name": "\#(long.prefix(200))", "alt": "\#(long.prefix(1_000))", "tags": [\#(most)]}"#
      #expect(try await server.admin("PUT", path, all, ["If-Match": "*"]).status == 200)
      let picture = Self.picture(10)
      for query in ["?name=", "?name=\(long.prefix(201))", "?name=a%0Ab", "?original=x"] {
        let reply = try await server.adminBytes("POST", "/assets\(query)", picture, ["Content-Type": "image/png"])
        #expect(reply.status == 400 && reply.code == "malformed-parameter", "\(query): \(reply.text)")
      }
      for query in ["?q=", "?q=\(long.prefix(201))", "?tag=\(long.prefix(51))", "?kind=no%20slug"] {
        #expect(try await server.admin("GET", "/assets\(query)").status == 400, "\(query)")
      }
    }
  }

  @Test func `who may bring may describe: a source its own, an editor any, a viewer none`() async throws {
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      let feed = try await Self.token("feed", .source, ["home/a"], server)
      let own = Self.path(try await Self.bring(Self.picture(9), to: server, feed))
      let other = Self.path(try await Self.bring(Self.picture(10), to: server))
      let viewer = try await Self.token("guest", .viewer, [], server)
      let editor = try await Self.token("editor", .editor, ["elsewhere"], server)
      func put(_ path: String, _ fields: [String: String]) async throws -> Reply {
        try await server.admin("PUT", path, #"{"name": "N"}"#, fields.merging(["If-Match": "*"]) { own, _ in own })
      }
      #expect(try await put(own, feed).status == 200)
      let refused = try await put(other, feed)
      #expect(refused.status == 403 && refused.code == "forbidden", "\(refused.text)")
      #expect(try await put(own, viewer).status == 403)
      #expect(try await put(other, editor).status == 200)
    }
  }

  @Test func `pictures are found by name, text, tag and kind, page by page`() async throws {
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      var urls: [String] = []
      for number in 0..<5 as Range<UInt8> {
        let url = try await Self.bring(Self.picture(9, number), to: server)
        let body =
          number % 2 == 0
          ? #"{"name": "Trà sữa \#(number)", "tags": ["tea"]}"#
          : #"{"alt": {"en": "Green TEA \#(number)"}, "tags": ["x"]}"#
        #expect(try await server.admin("PUT", Self.path(url), body, ["If-Match": "*"]).status == 200)
        urls.append(url)
      }
      func found(_ query: String) async throws -> [String] {
        var found: [String] = []
        var cursor = ""
        repeat {
          let json = try await server.admin("GET", "/assets?limit=2&\(query)\(cursor)").json
          found += json["assets"]?.array?.compactMap { $0["url"]?.string } ?? []
          cursor = json["next"]?.string.map { "&cursor=\($0)" } ?? ""
        } while !cursor.isEmpty
        return found
      }
      #expect(try await found("q=tra%20sua") == [urls[4], urls[2], urls[0]])
      #expect(try await found("q=tea") == [urls[3], urls[1]])
      #expect(try await found("tag=tea") == [urls[4], urls[2], urls[0]])
      #expect(try await found("tag=te") == [])
      #expect(try await server.admin("GET", "/assets").json["tags"] == ["tea", "x"])
      let child = #"{"id": "c", "kind": "tile", "content": {"image": {"url": "\#(urls[2])"}}}"#
      let tile = #"{"id": "b", "kind": "tile", "content": {"text": "t"}, "children": [\#(child)]}"#
      try await Self.fill("home/sections/a", "\(Self.banner("i", urls[1])), \(tile)", server)
      #expect(try await found("kind=banner") == [urls[1]])
      #expect(try await found("kind=tile") == [urls[2]])
      #expect(try await found("kind=tile&page=home&tag=tea") == [urls[2]])
      #expect(try await found("kind=tile&tag=x") == [])
    }
  }

  @Test func `what is cut from a picture takes over its words, and keeps it`() async throws {
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      let original = try await Self.bring(Self.picture(9), to: server)
      let words = #"{"name": "N", "alt": "A", "tags": ["t"], "focus": {"x": 1, "y": 2}}"#
      #expect(try await server.admin("PUT", Self.path(original), words, ["If-Match": "*"]).status == 200)
      let name = original.dropFirst(AssetName.folder.count)
      let cut = try await Self.bring(Self.picture(8), "?original=\(name)", to: server)
      let json = try await server.admin("GET", Self.path(cut)).json
      #expect(json["name"] == "N" && json["alt"] == "A" && json["tags"] == ["t"] && json["focus"] == nil)
      #expect(json["original"]?.string == original)
      let none = AssetName(of: [1], format: .png)
      let refused = try await server.adminBytes(
        "POST", "/assets?original=\(none)", Self.picture(7), ["Content-Type": "image/png"])
      #expect(refused.status == 404 && refused.code == "unknown-asset")
      // Where the cut is shown, the original stays as well; once neither is, both go.
      try await Self.fill("home/sections/a", Self.banner("i", cut), server)
      server.clock.advance(by: 40 * 86_400)
      let since = server.clock.now.adding(seconds: -30 * 86_400)
      #expect(try await server.store.removeUnusedAssets(unusedSince: since) == [])
    }
  }

  @Test func `a picture is replaced in all drafts at once, and nowhere else`() async throws {
    try await withServer([Self.page("home", "a", "b", "c"), Self.page("shop", "a")], kinds: Self.kinds) { server in
      let old = try await Self.bring(Self.picture(9), to: server)
      let new = try await Self.bring(Self.picture(10), to: server)
      let wide = try await Self.bring(Self.picture(400), to: server)
      try await Self.fill(
        "home/sections/a",
        [
          Self.banner("i", old, #", "width": 9, "height": 9, "sizes": [{"url": "x"}]"#),
          #"{"id": "j", "kind": "tile", "content": {"image": {"url": "\#(old)?v=1"}}}"#,
          Self.banner("k", "https://a.example/a.png"),
        ].joined(separator: ","), server)
      try await Self.fill("shop/sections/a", Self.banner("i", old), server)
      try await Self.fill(
        "home/sections/b", #"{"id": "i", "kind": "tile", "content": {"text": "see \#(old)"}}"#, server)
      #expect(try await server.admin("POST", "/pages/shop/publish", "{}", ["If-Match": "*"]).status == 200)
      let path = Self.path(old) + "/replace"
      let body = #"{"with": "\#(new)"}"#
      let dry = try await server.admin("POST", path + "?dryRun=true", body)
      #expect(dry.status == 200, "\(dry.text)")
      #expect(
        dry.json["replaced"] == [
          ["page": "home", "section": "a", "count": 2], ["page": "shop", "section": "a", "count": 1],
        ])
      #expect(dry.json["refused"] == [["page": "home", "section": "b", "count": 0, "reason": "text"]])
      #expect(dry.json["remaining"]?.array?.map { $0["place"] } == ["live"])
      #expect(
        try await server.admin("GET", "/pages/shop/sections/a/items/i").json["content"]?["image"]?["url"]?.string == old
      )

      #expect(try await server.admin("POST", path, body).status == 428)
      // Somebody shows it in one more place meanwhile.
      try await Self.fill("home/sections/c", Self.banner("n", old), server)
      let late = try await server.admin("POST", path, body, ["If-Match": dry["ETag"] ?? ""])
      #expect(late.status == 412, "\(late.text)")
      let again = try await server.admin("POST", path + "?dryRun=true", body)
      // Somebody else works on one of the sections, which is no other place.
      let word = #"{"id": "k", "kind": "banner", "content": {"image": {"url": "https://a.example/k.png"}}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/a/items/k", word).status == 200)
      let fields = ["If-Match": again["ETag"] ?? "", "Idempotency-Key": "once"]
      let done = try await server.admin("POST", path, body, fields)
      #expect(done.status == 200 && done.json == again.json, "\(done.text)")
      #expect(try await server.admin("POST", path, body, fields)["Idempotency-Replayed"] == "true")
      let items = try await server.admin("GET", "/pages/home/sections/a/content").json["items"]?.array ?? []
      #expect(items.compactMap { $0["id"]?.string } == ["i", "j", "k"])
      #expect(items.first?["content"]?["image"] == ["url": .string(new), "width": 10, "height": 9])
      #expect(items.dropFirst().first?["content"]?["image"]?["url"]?.string == new + "?v=1")
      #expect(items.last?["content"]?["image"]?["url"]?.string == "https://a.example/k.png")
      #expect(try await server.get("/v1/pages/shop/sections/a").text.contains(old))
      let history = try await server.admin(
        "GET", "/pages/home/sections/a/history?item=j&pointer=/content/image/url"
      ).json["changes"]?.array
      #expect(history?.first?["to"]?.string == new + "?v=1")
      let entries = try await server.admin("GET", "/audit?action=picture").json["entries"]?.array ?? []
      #expect(Set(entries.compactMap { $0["page"]?.string }) == ["home", "shop"] && entries.count == 3)

      // What would break a kind stays, and is named.
      let broken = try await server.admin(
        "POST", Self.path(new) + "/replace", #"{"with": "\#(wide)"}"#, ["If-Match": "*"])
      #expect(
        broken.json["refused"] == [["page": "home", "section": "a", "count": 2, "reason": "kind"]], "\(broken.text)")
      #expect(broken.json["replaced"]?.array?.count == 2)
      for body in [#"{"with": "\#(AssetName(of: [1], format: .png).url)"}"#, #"{"with": "\#(new)"}"#, "{}"] {
        let reply = try await server.admin("POST", Self.path(new) + "/replace", body, ["If-Match": "*"])
        #expect(reply.status == 422 && reply.json["errors"]?.array?.first?["pointer"] == "/with", "\(reply.text)")
      }
      let gone = Self.path(AssetName(of: [1], format: .png).url) + "/replace"
      #expect(try await server.admin("POST", gone, body, ["If-Match": "*"]).status == 404)
    }
  }

  @Test func `an editor of one page replaces there, and is told of the others`() async throws {
    try await withServer([Self.page("home", "a"), Self.page("shop", "a")], kinds: Self.kinds) { server in
      let old = try await Self.bring(Self.picture(9), to: server)
      let new = try await Self.bring(Self.picture(10), to: server)
      for page in ["home", "shop"] { try await Self.fill("\(page)/sections/a", Self.banner("i", old), server) }
      let editor = try await Self.token("editor", .editor, ["shop"], server).merging(["If-Match": "*"]) { own, _ in own
      }
      let done = try await server.admin("POST", Self.path(old) + "/replace", #"{"with": "\#(new)"}"#, editor)
      #expect(done.json["replaced"] == [["page": "shop", "section": "a", "count": 1]], "\(done.text)")
      #expect(done.json["refused"] == [["page": "home", "section": "a", "count": 1, "reason": "scope"]])
      #expect(try await server.admin("GET", "/pages/home/sections/a/items/i").text.contains(old))
      let uses = try await server.admin("GET", Self.path(new) + "/uses", nil, editor).json
      #expect(uses == ["uses": [["place": "draft", "page": "shop", "section": "a"]], "count": 1])
      #expect(try await server.admin("GET", Self.path(old) + "/uses", nil, editor).json["count"] == 0)
      let source = try await Self.token("feed", .source, [], server)
      #expect(try await server.admin("POST", Self.path(old) + "/replace", "{}", source).status == 403)
    }
  }

  @Test func `an export carries what is said of pictures, and an import says it again`() async throws {
    var document = ""
    try await withServer([Self.page("home", "a")], kinds: Self.kinds) { server in
      let url = try await Self.bring(Self.picture(9), "?name=N", to: server)
      try await Self.fill("home/sections/a", Self.banner("i", url), server)
      document = try await server.admin("GET", "/export", nil, ["Accept": "application/json"]).text
    }
    try await withServer(["hearth: 1\npages: {}"], kinds: Self.kinds) { server in
      let name = AssetName(of: Self.picture(9), format: .png)
      #expect(try await server.admin("POST", "/import", document).status == 200)
      #expect(try await server.admin("GET", Self.path(name.url)).json["name"] == "N")
      let other = #"{"hearth": 1, "pages": {}, "assetDetails": {"\#(name)": {"alt": "A"}}}"#
      let dry = try await server.admin("POST", "/import?dryRun=true", other)
      #expect(dry.json["assets"] == ["added": [], "changed": [.string("\(name)")]], "\(dry.text)")
      #expect(try await server.admin("POST", "/import", other).status == 200)
      let said = try await server.admin("GET", Self.path(name.url)).json
      #expect(said["alt"] == "A" && said["name"] == nil)
      let none = AssetName(of: [1], format: .png)
      let lost = try await server.admin(
        "POST", "/import", #"{"hearth": 1, "pages": {}, "assetDetails": {"\#(none)": {"alt": "A"}}}"#)
      #expect(lost.status == 422 && lost.json["errors"]?.array?.first?["pointer"]?.string == "/assetDetails/\(none)")
    }
  }
}
