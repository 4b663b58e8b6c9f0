import Foundation
import JSON
import Layout
import Storage
import Testing

@testable import Serving
@testable import Service

/// Pictures over real sockets: brought by operators, had by clients.
@Suite struct AssetServingTests {
  private static let kinds = """
    itemKinds:
      banner:
        title: Banner
        content:
          type: object
          required: [image]
          properties:
            image: {type: object, required: [url], properties: {url: {type: string, format: uri, pattern: "^https://"}}}
    sectionKinds:
      list:
        title: List
        layout: {style: list, itemSize: {width: container, height: {points: 44}}}
        items: {kinds: [banner], maximum: 100}
    """
  private static let page = """
    hearth: 1
    pages:
      home:
        title: Home
        defaultLocale: en
        locales: [en]
        sections: [{id: top, kind: list, items: [{id: a, kind: banner, content: {image: {url: "https://a.example/a.png"}}}]}]
    """

  /// A PNG's head, and bytes behind it that make it another picture.
  private static func picture(_ rest: Int = 1_000) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, 0, 0, 0, 0, 9, 8, 6, 0, 0, 0] + (0..<rest).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ rest) }
  }

  private static func bring(_ bytes: [UInt8], to server: RunningServer, _ type: String = "image/png") async throws
    -> Reply
  { try await server.adminBytes("POST", "/assets", bytes, ["Content-Type": type]) }

  @Test func `a picture has one name: a mark behind the dot is another one, to read and to delete`() async throws {
    try await withServer { server in
      let brought = try await Self.bring(Self.picture(), to: server)
      let url = try #require(brought.json["url"]?.string)
      let name = try #require(url.split(separator: "/").last)
      for mark in ["%CC%81", "%E2%80%8D", "%00"] {
        let alias = name.replacing(".", with: ".\(mark)")
        #expect(try await server.get("/v1/assets/\(alias)").status == 404, "\(mark)")
        let besideConsole = try await Reply(port: server.server.adminPort, "GET", "/v1/assets/\(alias)", [:], nil)
        #expect(besideConsole.status == 404, "\(mark)")
        #expect(try await server.admin("DELETE", "/assets/\(alias)").status == 404, "\(mark)")
      }
      #expect(try await server.get(url).status == 200)
    }
  }

  @Test func `a picture is brought, served for ever, in ranges, and by the admin listener for the console`()
    async throws
  {
    try await withServer { server in
      let bytes = Self.picture()
      let brought = try await Self.bring(bytes, to: server)
      #expect(brought.status == 201)
      #expect((brought.json["width"]?.int, brought.json["height"]?.int) == (256, 9))
      #expect(brought.json["bytes"]?.int == bytes.count)
      let url = try #require(brought.json["url"]?.string)
      #expect(url == AssetName(of: bytes, format: .png).url)
      #expect(try await Self.bring(bytes, to: server, "application/octet-stream").status == 200)

      let reply = try await server.get(url)
      #expect(reply.status == 200)
      #expect(Array(reply.body) == bytes)
      #expect(reply["Content-Type"] == "image/png")
      #expect(reply["Cache-Control"] == "public, max-age=31536000, immutable")
      #expect(reply["X-Content-Type-Options"] == "nosniff")
      let tag = try #require(reply["ETag"])
      #expect(tag.hasPrefix("\"") && tag.count == 66)
      #expect(try await server.get(url, ["If-None-Match": tag]).status == 304)
      #expect(try await server.get(url, ["If-Match": "\"other\""]).status == 412)
      let head = try await server.get(url, method: "HEAD")
      #expect(head.status == 200 && head.body.isEmpty)

      for (range, first, last) in [
        ("bytes=0-9", 0, 9), ("bytes=1000-", 1_000, bytes.count - 1), ("bytes=-5", bytes.count - 5, bytes.count - 1),
      ] {
        let part = try await server.get(url, ["Range": range, "If-Range": tag])
        #expect(part.status == 206, "\(range)")
        #expect(Array(part.body) == Array(bytes[first...last]))
        #expect(part["Content-Range"] == "bytes \(first)-\(last)/\(bytes.count)")
      }
      #expect(try await server.get(url, ["Range": "bytes=0-9", "If-Range": "\"other\""]).status == 200)
      #expect(try await server.get(url, ["Range": "bytes=0-1,3-4"]).status == 200)
      let behind = try await server.get(url, ["Range": "bytes=\(bytes.count)-"])
      #expect(behind.status == 416 && behind.code == "range-not-satisfiable")
      #expect(behind["Content-Range"] == "bytes */\(bytes.count)")

      let none = try await server.get(AssetName(of: [1], format: .png).url)
      #expect(none.status == 404 && none.code == "unknown-asset")
      #expect(try await server.get("/v1/assets/x.png").status == 404)
      let ofAdmin = try await Reply(port: server.server.adminPort, "GET", url, [:], nil)
      #expect(Array(ofAdmin.body) == bytes && ofAdmin["X-Content-Type-Options"] == "nosniff")
      let listed = try await server.admin("GET", "/assets").json
      #expect(listed["assets"]?.array?.compactMap { $0["url"]?.string } == [url])
    }
  }

  @Test func `what is no picture, too large or too much is refused`() async throws {
    try await withServer(settings: {
      $0.assets.limits.bytesMax = 1_500
      $0.assets.limits.pixelsMax = 256 * 9
      $0.assets.limits.countMax = 1
    }) { server in
      let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\"/>".utf8)
      #expect(try await Self.bring(svg, to: server).code == "no-picture")
      #expect(try await Self.bring(svg, to: server, "image/svg+xml").code == "unsupported-media-type")
      let large = try await Self.bring(Self.picture(2_000), to: server)
      #expect(large.status == 413 && large.code == "picture-too-large")
      var wide = Self.picture()
      wide[18] = 2
      let many = try await Self.bring(wide, to: server)
      #expect(many.status == 422 && many.code == "too-many-pixels")
      #expect(try await Self.bring(Self.picture(), to: server).status == 201)
      let full = try await Self.bring(Self.picture(10), to: server)
      #expect(full.status == 507 && full.code == "assets-full")
    }
  }

  @Test func `content of any kind refers to it, and assets-baseURL is a part of what clients get`() async throws {
    let bytes = Self.picture()
    let url = AssetName(of: bytes, format: .png).url
    let item = #"{"kind": "banner", "content": {"image": {"url": "\#(url)"}}}"#
    var versions: Set<String> = []
    for base in [nil, "https://cdn.example.com/hearth"] {
      try await withServer([Self.page], kinds: Self.kinds, settings: { $0.assets.baseURL = base }) { server in
        #expect(try await Self.bring(bytes, to: server).status == 201)
        let put = try await server.admin("PUT", "/pages/home/sections/top/items/a?publish=true", item)
        #expect(put.status == 200, "\(put.text)")
        let section = try await server.get("/v1/pages/home/sections/top").json
        #expect(section["items"]?.array?.first?["content"]?["image"]?["url"]?.string == (base ?? "") + url)
        versions.insert(try await server.get("/v1/home").json["version"]?.string ?? "")
        // What operators see of their own is as they wrote it.
        let content = try await server.admin("GET", "/pages/home/sections/top/items/a").json
        #expect(content["content"]?["image"]?["url"]?.string == url)
        let exported = try await server.admin("GET", "/export", nil, ["Accept": "application/json"]).json
        #expect(exported["assets"]?.object?.names == [String(url.dropFirst(AssetName.folder.count))])
        #expect(try await server.admin("GET", "/export?assets=false").json["assets"] == nil)
        #expect(try await server.admin("GET", "/assets?page=home").json["assets"]?.array?.count == 1)
      }
    }
    #expect(versions.count == 2)
  }

  @Test func `what is live outlives the database, and a file that is damaged is none`() async throws {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withServer([Self.page], kinds: Self.kinds, settings: { $0.assets.cacheFolder = folder }) { server in
      let (shown, other) = (Self.picture(), Self.picture(7))
      // Brought by another node, which is not this one's disk.
      let asset = try NewAsset(shown, within: AssetLimits())
      _ = try await server.store.keep(asset, within: AssetLimits(), by: Actor(name: "test"))
      let item = #"{"kind": "banner", "content": {"image": {"url": "\#(asset.name.url)"}}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top/items/a?publish=true", item).status == 200)
      #expect(try await server.get(asset.name.url).status == 200)
      try FileManager.default.removeItem(atPath: "\(folder)/\(asset.name)")
      _ = try await Self.bring(other, to: server)
      // The next look at what is live puts it back.
      let path = "\(folder)/\(asset.name)"
      #expect(Array(try await server.get(asset.name.url).body) == shown)
      try await waitUntil { FileManager.default.contents(atPath: path).map { [UInt8]($0) } == shown }
      try Data([1, 2, 3]).write(to: URL(fileURLWithPath: path))
      #expect(Array(try await server.get(asset.name.url).body) == shown)
      #expect(FileManager.default.contents(atPath: path).map { [UInt8]($0) } == shown)
    }
  }

  @Test func `so many parts of pictures are waited for at most, and each that is left makes room`() {
    let sending = SendingAssets()
    for _ in 0..<SendingAssets.partsMax { #expect(sending.takePart()) }
    #expect(!sending.takePart())
    sending.leavePart()
    #expect(sending.takePart())
    #expect(!sending.takePart())
  }

  @Test func `a picture is removed everywhere once nothing refers to it, and until then its uses are named`()
    async throws
  {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try await withServer([Self.page], kinds: Self.kinds, settings: { $0.assets.cacheFolder = folder }) { server in
      let (wrong, other) = (Self.picture(), Self.picture(7))
      let names = [wrong, other].map { AssetName(of: $0, format: .png) }
      for bytes in [wrong, other] { #expect(try await Self.bring(bytes, to: server).status == 201) }
      func show(_ url: String) async throws {
        let item = #"{"kind": "banner", "content": {"image": {"url": "\#(url)"}}}"#
        let put = try await server.admin("PUT", "/pages/home/sections/top/items/a", item, ["If-Match": "*"])
        #expect(put.status == 200, "\(put.text)")
        #expect(try await server.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      }
      func files() throws -> Set<String> { Set(try FileManager.default.contentsOfDirectory(atPath: folder)) }
      func places(_ reply: Reply) -> [String?] { (reply.json["uses"]?.array ?? []).map { $0["place"]?.string } }

      try await show(names[0].url)
      let path = "/assets/\(names[0])"
      let refused = try await server.admin("DELETE", path)
      #expect(refused.status == 409 && refused.code == "asset-in-use")
      #expect(places(refused) == ["live", "draft"])
      #expect(refused.json["uses"]?.array?.first?["section"]?.string == "top")
      #expect(refused.json["detail"]?.string?.contains("home/top, live") == true)
      try await show("https://a.example/a.png")
      let kept = try await server.admin("DELETE", path)
      #expect(places(kept) == ["revision"])
      #expect(try await server.get(names[0].url).status == 200)
      #expect(try await server.admin("DELETE", path + "?fromHistory=perhaps").status == 400)
      #expect(try await server.admin("DELETE", path + "?fromHistory=true").status == 204)
      #expect(try await server.get(names[0].url).status == 404)
      #expect(try files() == [names[1].description])
      #expect(try await server.admin("DELETE", path + "?fromHistory=true").code == "unknown-asset")
      #expect(try await server.admin("DELETE", "/assets/none").code == "unknown-asset")
      #expect(try await server.admin("GET", "/assets").json["assets"]?.array?.count == 1)
      let entries = try await server.admin("GET", "/audit?action=asset.delete").json["entries"]?.array ?? []
      #expect(entries.map { $0["detail"]?.string } == [names[0].description])

      // The other one is removed by another node, the last that there was.
      let node = try RunningServer.openStore(
        in: server.folder, clock: StoreClock { [clock = server.clock] in clock.now })
      try await node.removeAsset(names[1], fromHistory: false, by: Actor(name: "other node"))
      try await waitUntil { try files().isEmpty }
      #expect(try await server.get(names[1].url).status == 404)
      #expect(try await Self.bring(wrong, to: server).status == 201)
    }
  }

  @Test func `a source fills its share and no more`() async throws {
    try await withServer(settings: {
      $0.assets.limits.countMax = 4
      $0.assets.limits.sourcePercentMax = 25
    }) { server in
      let made = try await server.store.createToken(name: "feed", role: .source, by: Actor(name: "test"))
      let fields = ["Authorization": "Bearer \(made.text.text)", "Content-Type": "image/png"]
      #expect(try await server.adminBytes("POST", "/assets", Self.picture(), fields).status == 201)
      let full = try await server.adminBytes("POST", "/assets", Self.picture(7), fields)
      #expect(full.status == 507 && full.code == "assets-share-full")
      #expect(try await Self.bring(Self.picture(7), to: server).status == 201)
    }
  }

  @Test func `the folder holds no more than it may, and what is live goes last`() throws {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try Data([1]).write(to: URL(fileURLWithPath: folder + "/begun.unfinished"))
    let pictures = (0..<5).map { Self.picture(100 + $0) }
    let names = pictures.map { AssetName(of: $0, format: .png) }
    let cache = AssetCache(folder: folder, bytesMax: 450)
    cache.keep(live: [names[0]], known: Set(names))
    for (name, bytes) in zip(names, pictures) { cache.write(name, bytes) }
    #expect(cache.bytes <= 450 && cache.failure == nil)
    #expect(cache.read(names[0]) == pictures[0])
    #expect(cache.read(names[1]) == nil && cache.read(names[4]) == pictures[4])
    // Another process finds what is there.
    let next = AssetCache(folder: folder, bytesMax: 450)
    #expect(next.bytes == cache.bytes)
    #expect(next.read(names[4]) == pictures[4])
    next.keep(live: [], known: [names[4]])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [names[4].description])
  }
}
