import Foundation
import HomePayload
import JSON
import Service
import Storage
import Testing

@testable import Layout
@testable import Serving

/// Long feeds: the first items stand in the page, the rest comes by links that any node answers.
@Suite struct ListTests {
  /// The tiny demo with a feed before its last section.
  static func feed(_ settings: String, count: Int = 250, items: (Int) -> String = { _ in "" }) -> String {
    let lines = (0..<count).map { number in
      "          - {id: f\(number), kind: navigation\(items(number)), content: {title: {zh-Hans: 第\(number)条, en: Story \(number)}}}\n"
    }
    let feed = "      - id: feed\n        kind: list\n        \(settings)\n        items:\n\(lines.joined())"
    return Demo.tiny.replacing("      - id: bottom\n", with: feed + "      - id: bottom\n")
  }

  static let kinds =
    Demo.tinyKinds + "\n  list: {title: List, layout: {style: list}, items: {kinds: [navigation]}}\n"

  private static func page(_ server: RunningServer, _ query: String = "") async throws -> Page {
    try Page(bytes: Array(try await server.get("/v1/home" + query).body))
  }

  private static func feed(_ page: Page) throws -> Section { try #require(page.sections.first { $0.id == "feed" }) }

  private static func cursor(_ more: Section.More?, by key: LinkKey) throws -> ListCursor {
    let text = try #require(more?.href.split(separator: "=").last)
    return try #require(ListCursor(String(text), page: "home", section: "feed", by: key))
  }

  /// Follows the links of a section to the end.
  private static func rest(_ more: Section.More?, _ server: RunningServer) async throws -> [Item] {
    var items: [Item] = []
    var next = more
    while let more = next {
      let reply = try await server.get(more.href)
      #expect(reply.status == 200, "\(reply.text.prefix(300))")
      guard reply.status == 200 else { break }
      let part = try ItemsPart(bytes: Array(reply.body))
      #expect(part.of == more.of && part.canonicalBytes == Array(reply.body))
      items += part.items
      #expect(more.count == part.items.count + (part.more?.count ?? 0))
      next = part.more
    }
    return items
  }

  private static func put(_ title: String, _ section: String, _ server: RunningServer) async throws {
    let body = #"{"items": [{"id": "f0", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/\(section)/content?publish=true", body)
    #expect(reply.status == 200, "\(reply.text)")
  }

  @Test func `the page begins each of several lists, and its links go on with all of them`() async throws {
    let lists = "lists: [{id: old, title: Old}, {id: new, title: New}]"
    let server = try await RunningServer(
      [Self.feed("firstItems: 20\n        " + lists) { ", lists: [\($0 < 200 ? "old" : "new")]" }], kinds: Self.kinds)
    let feed = try Self.feed(try await Self.page(server, "?locale=en"))
    #expect(feed.lists.map(\.id) == ["old", "new"])
    #expect(feed.showing("old").items.map(\.id) == (0..<20).map { "f\($0)" })
    #expect(feed.showing("new").items.map(\.id) == (200..<220).map { "f\($0)" })
    let more = try #require(feed.more)
    #expect(more.count == 210)
    let rest = try await Self.rest(more, server)
    #expect(rest.map(\.id) == (Array(20..<200) + (220..<250)).map { "f\($0)" })
    let section = try await server.get("/v1/pages/home/sections/feed?locale=en")
    #expect(try Section(bytes: Array(section.body)).lists == feed.lists)
  }

  @Test func `the rest of a feed comes by links that stay answered, whatever is published`() async throws {
    let server = try await RunningServer([Self.feed("firstItems: 20")], kinds: Self.kinds)
    let page = try await Self.page(server, "?locale=en")
    let feed = try Self.feed(page)
    #expect(feed.items.map(\.id) == (0..<20).map { "f\($0)" })
    let more = try #require(feed.more)
    #expect(more.count == 230 && more.of.count == 16)
    let rest = try await Self.rest(more, server)
    #expect(rest.map(\.id) == (20..<250).map { "f\($0)" })
    #expect(rest.first?.content["title"] == "Story 20")

    let reply = try await server.get(more.href)
    #expect(reply["Cache-Control"] == "public, max-age=300, immutable, stale-if-error=86400")
    #expect(reply["Vary"] == "Accept-Encoding" && reply["Hearth-Revision"] == "1.1")
    let tag = try #require(reply["ETag"])
    #expect(try await server.get(more.href, ["If-None-Match": tag]).status == 304)
    #expect(try await server.get(more.href, ["If-None-Match": tag, "Prefer": "wait=60"]).status == 304)
    #expect(try await server.get(more.href, ["If-Match": "\"x\""]).status == 412)
    #expect(try await server.get(more.href, ["A-IM": "hearth-changes", "If-None-Match": "\"x\""]).status == 200)
    #expect(try await server.get(more.href, method: "HEAD")["ETag"] == tag)
    #expect(try await server.get(more.href + "&platform=ios").status == 200)

    // What leaves the section alone leaves the link alone, and every shape that was asked for stays ready.
    try await Self.put("Other", "bottom", server)
    #expect(try Self.feed(try await Self.page(server, "?locale=en")).more == more)
    #expect(try await server.get(more.href)["Hearth-Revision"] == "1.2")
    // What changes it gives the page another link, and the change set says so. The old one is answered as before.
    let item = #"{"kind": "navigation", "content": {"title": "Changed"}}"#
    let put = try await server.admin("PUT", "/pages/home/sections/feed/items/f200?publish=true", item)
    #expect(put.status == 200, "\(put.text)")
    let held = ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(page.version)\""]
    let changed = try await server.get("/v1/home?locale=en", held)
    #expect(changed.status == 226)
    let changes = try ChangeSet(bytes: Array(changed.body))
    let next = try page.applying(changes)
    let nextFeed = try Self.feed(next)
    let other = try #require(nextFeed.more)
    #expect(other.of != more.of && other.count == 230)
    #expect(changes.sections.updates.contains { $0.set["more"]?["of"] == .string(other.of) && $0.nested == nil })
    #expect(try await Self.rest(other, server)[180].content["title"] == "Changed")
    #expect(try await Self.rest(more, server) == rest)
    let section = try await server.get("/v1/pages/home/sections/feed?locale=en")
    #expect(section.json["more"]?["of"] == .string(other.of))

    // Another process over the same database answers it as well; where retention has removed the revisions, it is gone.
    try await server.stop(keepsFolder: true)
    let second = try await RunningServer([], kinds: Self.kinds, folder: server.folder)
    #expect(try await Self.rest(more, second) == rest)
    #expect(try Self.feed(try await Self.page(second, "?locale=en")).more == other)
    try await second.stop(keepsFolder: true)
    let third = try await RunningServer([], kinds: Self.kinds, folder: server.folder)
    while try await third.store.prune(keep: 1, madeBefore: third.clock.now.adding(seconds: 60), batch: 10) > 0 {}
    let gone = try await third.get(more.href)
    #expect(gone.status == 410 && gone.code == "list-gone")
    #expect(gone["Content-Type"] == "application/problem+json")
    #expect(try await third.get(other.href).status == 200)
    try await third.stop()
  }

  @Test func `with other kinds the page has other links, and those before are gone`() async throws {
    try await withServer([Self.feed("firstItems: 20")], kinds: Self.kinds) { server in
      let more = try #require(try Self.feed(try await Self.page(server)).more)
      #expect(try await server.get(more.href).status == 200)
      try Self.kinds.replacing("points: 80", with: "points: 90").write(
        toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
      let reloaded = try await server.admin("POST", "/kinds/reload")
      #expect(reloaded.json["revisions"] == [["page": "home", "revision": 2]], "\(reloaded.text)")
      let gone = try await server.get(more.href)
      #expect(gone.status == 410 && gone.code == "list-gone")
      let other = try #require(try Self.feed(try await Self.page(server)).more)
      #expect(other.href != more.href)
      #expect(try await Self.rest(other, server).map(\.id) == (20..<250).map { "f\($0)" })
    }
  }

  @Test func `everybody gets the rest of his own list`() async throws {
    let start = Instant.now.adding(seconds: 3_600)
    let document = Self.feed("load: lazy", count: 120) { number in
      switch number {
      case 50: ", audience: {attribute: platform, in: [ios]}"
      case 60: ", schedule: {from: \"\(start)\"}"
      default: ""
      }
    }
    try await withServer([document], kinds: Self.kinds) { server in
      let all = try Self.feed(try await Self.page(server, "?locale=en"))
      #expect(all.items.isEmpty && all.load == .lazy && all.more?.count == 118)
      let ios = try Self.feed(try await Self.page(server, "?locale=en&platform=ios"))
      #expect(ios.more?.count == 119 && ios.more?.of != all.more?.of)
      #expect(try await Self.rest(ios.more, server).map(\.id) == (0..<120).filter { $0 != 60 }.map { "f\($0)" })
      #expect(
        try await Self.rest(all.more, server).map(\.id) == (0..<120).filter { $0 != 50 && $0 != 60 }.map { "f\($0)" })
      let chinese = try Self.feed(try await Self.page(server, "?locale=zh-Hans"))
      #expect(try await Self.rest(chinese.more, server).first?.content["title"] == "第0条")
      #expect(chinese.more?.of != all.more?.of)

      // Not even who has the key makes up a cursor that shows what is not there yet.
      let more = try #require(all.more)
      let key = server.server.kinds.linkKey
      let cursor = try Self.cursor(more, by: key)
      let text = String(more.href.split(separator: "=").last ?? "")
      #expect(cursor.href(page: "home", by: key) == more.href)
      var early = cursor
      early.list.since = start
      var apple = cursor
      apple.list.outcome.conditions = [~cursor.list.outcome.conditions[0]]
      var hash = cursor
      hash.hash = "0123456789abcdef"
      var beyond = cursor
      beyond.offset = 7
      for forged in [early, apple, hash, beyond] {
        let reply = try await server.get(forged.href(page: "home", by: key))
        #expect(reply.status == 400 && reply.code == "malformed-cursor", "\(reply.text)")
      }
      let damaged = String(text.dropLast(20)) + String(text.suffix(20).reversed())
      let base = "/v1/pages/home/sections/feed/items"
      for query in [
        "", "?cursor=", "?cursor=x", "?cursor=\(damaged)", "?cursor=\(text)&cursor=\(text)", "?cursor=\(text)%3D",
      ] {
        let reply = try await server.get(base + query)
        #expect(reply.status == 400 && reply.code == "malformed-cursor", "\(query) \(reply.text)")
      }
      #expect(try await server.get("/v1/pages/home/sections/top/items?cursor=\(text)").status == 400)
      #expect(try await server.get("/v1/pages/nothing/sections/feed/items?cursor=\(text)").status == 404)
      #expect(try await server.get(base, method: "PUT").status == 405)

      // What is withheld from others changes nothing, neither the page nor its links.
      let before = try await Self.page(server, "?locale=en")
      let withheld = #"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "crashes"}"#
      #expect(try await server.get(more.href).status == 200)
      #expect(try await server.admin("PUT", "/withheld/items/navigation", withheld).status == 201)
      #expect(try await Self.page(server, "?locale=en") == before)
      #expect(try await Self.rest(more, server).count == 118)
      #expect(try await !Self.page(server, "?locale=en&platform=ios").sections.contains { $0.id == "feed" })
    }
  }

  @Test func `nobody makes a link without the key of the database`() async throws {
    try await withServer([Self.feed("firstItems: 20")], kinds: Self.kinds) { server in
      let more = try #require(try Self.feed(try await Self.page(server)).more)
      let second = try #require(ItemsPart(bytes: Array(try await server.get(more.href).body)).more)
      let base = "/v1/pages/home/sections/feed/items?cursor="
      let bytes = try #require(Self.bytes(ofLink: more.href))
      // The place of the second part, which there is: all but the check is as the server itself would write it.
      #expect(bytes[1] == 20 && Self.bytes(ofLink: second.href)?[1] == 120)
      for (form, size, status, code) in [
        (bytes[0], bytes[0] == 1 ? 8 : 16, 400, "malformed-cursor"), (1, 8, 410, "list-gone"),
      ] as [(UInt8, Int, Int, String)] {
        for offset: UInt8 in [20, 120, 7] {
          var forged = [form, offset] + bytes.dropFirst(2).dropLast(bytes[0] == 1 ? 8 : 16)
          let check = Fingerprint.of(forged + Array("home/feed".utf8)).prefix(size * 2)
          forged += stride(from: 0, to: size * 2, by: 2).map { UInt8(check.dropFirst($0).prefix(2), radix: 16) ?? 0 }
          let reply = try await server.get(base + Self.base64URL(forged))
          #expect(reply.status == status && reply.code == code, "\(form) \(offset): \(reply.text.prefix(200))")
        }
      }
      // Nor with a part of what is checked, or with another one's.
      for place in 0..<bytes.count {
        var damaged = bytes
        damaged[place] ^= 4
        let reply = try await server.get(base + Self.base64URL(damaged))
        #expect(reply.status == 400 && reply.code == "malformed-cursor", "\(place) \(reply.text.prefix(200))")
      }
      #expect(try await server.get(base + Self.base64URL(Array(bytes.dropLast(8)))).status == 400)
      #expect(try await server.get(second.href).status == 200)
    }
  }

  @Test func `links are the database's: they outlast a start, and lead nowhere on another one`() async throws {
    func start(_ documents: [String], in folder: String? = nil) async throws -> (server: RunningServer, href: String) {
      let server = try await RunningServer(documents, kinds: Self.kinds, folder: folder)
      return (server, try #require(Self.feed(try await Self.page(server)).more).href)
    }
    let (first, href) = try await start([Self.feed("firstItems: 20")])
    let key = first.server.kinds.linkKey.text
    #expect(key.utf8.count == 64 && key.allSatisfy(\.isHexDigit))
    // Also of other kinds, and of revisions that those make.
    let other = Self.kinds.replacing("List, layout: {style: list}", with: "List, layout: {style: grid}")
    try other.write(toFile: first.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await first.admin("POST", "/kinds/reload").status == 200)
    #expect(first.server.kinds.linkKey.text == key)
    try Self.kinds.write(toFile: first.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    #expect(try await first.admin("POST", "/kinds/reload").status == 200)
    #expect(try await first.get(href).status == 200)
    try await first.stop(keepsFolder: true)
    let (again, same) = try await start([], in: first.folder)
    #expect(same == href && again.server.kinds.linkKey.text == key)
    #expect(try await again.get(href).status == 200)
    let (elsewhere, foreign) = try await start([Self.feed("firstItems: 20")])
    #expect(foreign != href && elsewhere.server.kinds.linkKey.text != key)
    let refused = try await elsewhere.get(href)
    #expect(refused.status == 400 && refused.code == "malformed-cursor")
    #expect(try await elsewhere.get(foreign).status == 200)
    try await again.stop()
    try await elsewhere.stop()
  }

  private static func bytes(ofLink href: String) -> [UInt8]? {
    let text = String(href.split(separator: "=").last ?? "")
    let base64 = text.replacing("-", with: "+").replacing("_", with: "/")
    return Data(base64Encoded: base64 + String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)).map(Array.init)
  }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
  }

  @Test func `what is withheld from a client has lists of its own, and leaves those of others alone`() async throws {
    let kinds = Self.kinds.replacing(
      "sectionKinds:\n",
      with: "  clip: {content: {type: object}, fallback: {kind: navigation}}\nsectionKinds:\n"
    ).replacing(
      "layout: {style: list}, items: {kinds: [navigation]}",
      with: "layout: {style: list}, items: {kinds: [navigation, clip]}")
    let document = Self.feed("firstItems: 20", count: 60).replacing(
      "{id: f40, kind: navigation", with: "{id: f40, kind: clip")
    try await withServer([document], kinds: kinds) { server in
      func feed(_ platform: String) async throws -> (page: Page, rest: [Item]) {
        let page = try await Self.page(server, "?locale=en&platform=\(platform)")
        return (page, try await Self.rest(Self.feed(page).more, server))
      }
      func withhold(_ kind: String, from platform: String) async throws {
        let body = #"{"audience": {"attribute": "platform", "in": ["\#(platform)"]}, "reason": "r"}"#
        #expect(try await server.admin("PUT", "/withheld/items/\(kind)", body).status == 201)
      }
      let (before, all) = try await feed("android")
      #expect(all.count == 40 && all[20].kind == "clip")
      try await withhold("clip", from: "ios")
      let (android, others) = try await feed("android")
      #expect(android == before && others == all)
      let tag = "W/\"\(before.version)\""
      let held = try await server.get("/v1/home?locale=en&platform=android", ["If-None-Match": tag])
      #expect(held.status == 304 && held["Hearth-Revision"] == "1.2")
      let (ios, own) = try await feed("ios")
      #expect(ios != before && own.count == 40 && own[20].kind == "navigation")
      // Nor does something that is withheld from a third one, whatever its name.
      try await withhold("navigation", from: "web")
      #expect(try await feed("ios") == (ios, own))
      #expect(try await feed("android") == (before, all))
      let reply = try await server.admin("DELETE", "/withheld/items/clip", nil, ["If-Match": "*"])
      #expect(reply.status == 200)
      let gone = try await server.get(try #require(Self.feed(ios).more).href)
      #expect(gone.status == 410 && gone.code == "list-gone")
      #expect(try await feed("ios") == (before, all))
    }
  }

  @Test func `a link leads to the list of its own time, whatever has begun since`() throws {
    let start = Instant.now.adding(seconds: 3_600)
    let document = Self.feed("firstItems: 20", count: 120) { number in
      number == 60 ? ", schedule: {from: \"\(start)\"}" : number == 70 ? ", schedule: {until: \"\(start)\"}" : ""
    }
    let (plan, kinds) = try Self.plan(document)
    for (instant, present, absent) in [(start.adding(seconds: -60), "f70", "f60"), (start, "f60", "f70")] {
      let assembled = plan.assemble(plan.outcome(for: ClientAttributes(languages: [])), at: instant)
      #expect(assembled.nextFlip == (instant < start ? start : nil))
      let feed = try Self.feed(assembled.page)
      let more = try #require(feed.more)
      let cursor = try Self.cursor(more, by: kinds.linkKey)
      #expect(more.count == 99 && cursor.list.since == (instant < start ? nil : start))
      let section = try #require(plan.section("feed", fingerprint: cursor.list.fingerprint))
      guard case .list(let list) = ItemList.find(cursor.list, in: section, of: "home", kinds: kinds, withheld: [])
      else {
        Issue.record("there is no list")
        return
      }
      let bytes = try #require(list.part(at: cursor))
      let part = try ItemsPart(bytes: bytes)
      #expect(part.items.count == 99 && part.of == more.of && part.more == nil)
      #expect(part.items.contains { $0.id == present } && !part.items.contains { $0.id == absent })
    }
  }

  private static func plan(_ document: String) throws -> (plan: PagePlan, kinds: Kinds) {
    let context = DefinitionContext(attributes: Demo.attributes)
    let layout = try LayoutDocument(json: YAMLDocument(document).json, in: context)
    let kinds = try Kinds(json: YAMLDocument(kinds).json)
    return (PagePlan(try #require(layout.pages.first), kinds: kinds), kinds)
  }

  @Test func `a cursor is read as it was written, and nothing else is one`() throws {
    var random = SystemRandomNumberGenerator()
    let hex = { (count: Int) in (0..<count).map { _ in "0123456789abcdef".randomElement() ?? "0" } }
    let locale = try #require(Locale("zh-Hans-CN"))
    let by = LinkKey(String(hex(64)))
    for _ in 0..<500 {
      var outcome = Outcome(locale: locale, count: 0)
      outcome.conditions = (0..<Int.random(in: 0...3)).map { _ in UInt64.random(in: 0 ... .max) }
      let key = ListKey(
        section: "feed", fingerprint: String(hex(64)), setup: String(hex(16)), outcome: outcome,
        defaultLocale: locale,
        since: Bool.random() ? Instant(secondsSinceEpoch: Int64.random(in: -62_135_596_800...253_402_300_799)) : nil)
      let cursor = ListCursor(list: key, hash: String(hex(16)), offset: Int.random(in: 0...10_000))
      let text = cursor.text(page: "home", by: by)
      #expect(ListCursor(text, page: "home", section: "feed", by: by) == cursor)
      #expect(ListCursor(text, page: "home", section: "feed", by: LinkKey(String(hex(64)))) == nil)
      #expect(ListCursor(text, page: "other", section: "feed", by: by) == nil)
      #expect(ListCursor(text, page: "home", section: "other", by: by) == nil)
      var bytes = Array(text.utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] ^= 1
      #expect(ListCursor(String(decoding: bytes, as: UTF8.self), page: "home", section: "feed", by: by) == nil)
      #expect(
        ListCursor(String(text.dropLast(Int.random(in: 1...text.count))), page: "home", section: "feed", by: by) == nil)
    }
  }

  @Test func `what is wrong with the way that items come is told with its place`() async throws {
    try await withServer([Self.feed("firstItems: 20", count: 30)], kinds: Self.kinds) { server in
      for (settings, pointer) in [
        (#""firstItems": 0"#, "/firstItems"), (#""firstItems": 2.5"#, "/firstItems"),
        (#""firstItems": 10001"#, "/firstItems"), (#""load": "eager""#, "/load"),
        (#""load": "lazy", "firstItems": 3"#, "/firstItems"), (#""load": "client""#, "/source"),
        (#""source": {"url": "https://example.com/"}"#, "/source"),
        (#""load": "client", "source": {"url": "likes"}"#, "/source/url"),
        (#""load": "client", "source": {}"#, "/source/url"), (#""pollInterval": 0"#, "/pollInterval"),
        (#""source": {"url": "https://example.com/", "fills": []}"#, "/source"),
        (#""source": {"url": "https://example.com/", "fills": ["items"]}"#, "/source/fills/0"),
        (#""source": {"url": "https://example.com/", "fills": ["slots"]}"#, "/source/fills/0"),
        (#""kind": "grid", "source": {"url": "app://me", "fills": ["header", "header"]}"#, "/source/fills/1"),
        (#""kind": "grid", "source": {"url": "app://me", "fills": ["header", "footer"]}"#, "/source/fills/1"),
      ] {
        let kind = settings.contains("kind") ? "" : #""kind": "list", "#
        let body = #"{\#(kind)\#(settings)}"#
        let reply = try await server.admin("PUT", "/pages/home/sections/feed", body, ["If-Match": "*"])
        #expect(reply.status == 422, "\(settings)")
        #expect(reply.json["errors"]?.array?.map { $0["pointer"] } == [.string(pointer)], "\(reply.text)")
      }
      // A section that the app fills is there without an item of its own, and has what to show instead.
      let settings =
        #"{"kind": "list", "load": "client", "source": {"url": "https://example.com/likes"}, "pollInterval": 10}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/likes", settings, ["If-Match": "*"]).status == 201)
      let own = try await server.admin("GET", "/pages/home/sections/likes").json
      #expect(
        own["load"] == "client" && own["source"]?["url"] == "https://example.com/likes" && own["pollInterval"] == 10)
      let exported = try await server.admin("GET", "/export")
      #expect(exported.text.contains(#""firstItems":20"#) && exported.text.contains(#""load":"client""#))
      let imported = try await server.admin("POST", "/import?dryRun=true", exported.text)
      #expect(imported.status == 200, "\(imported.text)")
      #expect(imported.json["pages"]?.array?.allSatisfy { $0["change"] == "unchanged" } ?? true, "\(imported.text)")
      let published = try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"])
      #expect(published.status == 200, "\(published.text)")
      let page = try await Self.page(server)
      let likes = try #require(page.sections.first { $0.id == "likes" })
      #expect(likes.load == .client && likes.source?.url == "https://example.com/likes" && likes.items.isEmpty)
      #expect(likes.source?.fills == [])
      let alone = try await server.get("/v1/pages/home/sections/likes")
      #expect(alone["Cache-Control"] == "public, max-age=10, stale-if-error=86400" && alone.json["pollInterval"] == 10)
      #expect(try await server.get("/v1/home")["Cache-Control"] == "public, max-age=30, stale-if-error=86400")
    }
  }

  @Test func `an app may bring header and slots as well, also above items that come with the page`() async throws {
    let kinds = Self.kinds.replacing(
      "items: {kinds: [navigation]}}\n",
      with: "items: {kinds: [navigation]}, slots: {hot: {kinds: [navigation]}}, header: [title]}\n")
    let source = #""source": {"url": "https://example.com/me", "fills": ["header", "slots"]}"#
    let header = #""header": {"kind": "title", "content": {"text": "Hello"}}"#
    try await withServer([Self.feed("firstItems: 20", count: 30)], kinds: kinds) { server in
      for (section, settings) in [
        ("feed", #"{"kind": "list", "firstItems": 20, \#(source), \#(header)}"#),
        // Nothing of it stands in the page, and it is there to be filled.
        ("greeting", #"{"kind": "list", \#(source)}"#),
      ] {
        let reply = try await server.admin("PUT", "/pages/home/sections/\(section)", settings, ["If-Match": "*"])
        #expect(reply.status == (section == "feed" ? 200 : 201), "\(reply.text)")
      }
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      let page = try await Self.page(server)
      let feed = try Self.feed(page)
      #expect(feed.load == nil && feed.items.count == 20 && feed.more?.count == 10)
      #expect(feed.source == .init(url: "https://example.com/me", fills: ["header", "slots"]))
      #expect(feed.header?.content["text"] == "Hello")
      #expect(page.sections.first { $0.id == "greeting" }?.items.isEmpty ?? false)
      #expect(try Page(bytes: page.canonicalBytes) == page)
      // What the app brings stands in the place of that, and the rest stays.
      let own = Item(id: "own", kind: "title", content: ["text": "Hello, Mai"])
      let filled = feed.filled(header: own, slots: ["hot": own])
      #expect(filled.header == own && filled.slots == ["hot": own] && filled.items == feed.items)
      #expect(feed.filled() == feed && feed.filled(items: [own], footer: own).items == [own])
    }
  }

  @Test func `a list that is kept ready is gone once other kinds draw it`() async throws {
    try await withServer([Self.feed("firstItems: 20")], kinds: Self.kinds) { server in
      let more = try #require(try Self.feed(try await Self.page(server)).more)
      #expect(try await Self.rest(more, server).count == 230)
      let other = Self.kinds.replacing("List, layout: {style: list}", with: "List, layout: {style: grid}")
      try other.write(toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
      let reply = try await server.admin("POST", "/kinds/reload")
      #expect(reply.status == 200, "\(reply.text)")
      let gone = try await server.get(more.href)
      #expect(gone.status == 410 && gone.code == "list-gone", "\(gone.text.prefix(300))")
      let next = try #require(try Self.feed(try await Self.page(server)).more)
      #expect(next.of == more.of && next.href != more.href)
      #expect(try await Self.rest(next, server).count == 230)
    }
  }

  @Test func `a preview link shows a whole list, since it has no links to the rest`() async throws {
    for settings in ["firstItems: 20", "load: lazy"] {
      try await withServer([Self.feed(settings, count: 120)], kinds: Self.kinds) { server in
        let link = try await server.admin("POST", "/pages/home/previews", "{}")
        let shown = try Page(bytes: Array(try await server.get(link.json["url"]?.string ?? "").body))
        let feed = try Self.feed(shown)
        #expect(feed.items.count == 120 && feed.more == nil && feed.load == nil)
      }
    }
  }

  @Test func `with no room at all every part is answered, and nothing stays`() async throws {
    try await withServer(
      [Self.feed("firstItems: 20")], kinds: Self.kinds, settings: { $0.variantBytesMax = 1 }
    ) { server in
      let more = try Self.feed(try await Self.page(server)).more
      for _ in 0..<2 { #expect(try await Self.rest(more, server).count == 230) }
    }
  }

  @Test func `the lists that strangers load take an eighth of the budget at most`() async throws {
    let budget = ByteBudget(bytesMax: 8 * 100_000)
    do {
      let lists = ItemLists(budget: budget)
      let (plan, kinds) = try Self.plan(Self.feed("firstItems: 20"))
      let page = plan.assemble(plan.outcome(for: ClientAttributes(languages: [])), at: .now).page
      let cursor = try Self.cursor(Self.feed(page).more, by: kinds.linkKey)
      let section = try #require(plan.section("feed", fingerprint: cursor.list.fingerprint))
      for number in 0..<20 {
        var key = cursor.list
        key.outcome.locale = try #require(Locale("en-x-a\(number)"))
        let name = ItemListName(page: "home", kinds: kinds.hash, key: key, withheld: [])
        let found = try await lists.value(name) { [key] in
          ItemList.find(key, in: section, of: "home", kinds: kinds, withheld: [])
        }
        guard case .list(let list) = found else {
          Issue.record("there is no list")
          return
        }
        #expect(list.count == 250 && budget.bytes <= budget.bytesMax / 8 && budget.bytes >= list.byteCount)
        #expect(
          (list.hash == cursor.hash) == (list.part(at: ListCursor(list: key, hash: cursor.hash, offset: 20)) != nil))
      }
      #expect(await lists.count < 20)
      // One that something was withheld from is no more once that is lifted or is another one.
      let ios = Withholding(.sections, "list", from: .attribute("platform", .isIn([.text("ios")])))
      let web = Withholding(.items, "navigation", from: .attribute("platform", .isIn([.text("web")])))
      func isGone(_ key: ListKey, _ withheld: [Withholding]) -> Bool {
        guard case .gone = ItemList.find(key, in: section, of: "home", kinds: kinds, withheld: withheld) else {
          return false
        }
        return true
      }
      #expect(!isGone(cursor.list, [ios, web]))
      var key = cursor.list
      key.withheld = [web.mark]
      #expect(!isGone(key, [ios, web]) && isGone(key, [ios]) && isGone(key, []))
    }
    #expect(budget.bytes == 0)
  }
}
