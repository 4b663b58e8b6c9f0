import Foundation
import JSON
import Layout
import Testing

/// Content that refers to pictures that the server does not have: whoever would make it live is told, and no order of a change
/// and a deletion leaves a page without its picture.
@Suite struct MissingPictureTests {
  private static let kinds = """
    itemKinds:
      banner:
        title: Banner
        content: {type: object, properties: {image: {type: string}, more: {type: array, items: {type: string}}}}
    sectionKinds:
      list:
        title: List
        layout: {style: list, itemSize: {width: container, height: {points: 44}}}
        items: {kinds: [banner], maximum: 1000}
        slots: {lead: {kinds: [banner]}}
        header: [banner]
    """
  private static let page = """
    hearth: 1
    pages:
      home:
        title: Home
        defaultLocale: en
        locales: [en]
        sections: [{id: top, kind: list}, {id: other, kind: list}]
    """
  private static let any = ["If-Match": "*"]
  private static let top = "/pages/home/sections/top"

  private static func picture(_ number: Int) -> [UInt8] {
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, 0, 0, 0, 0, 9, 8, 6, 0, 0, 0] + Array("\(number)".utf8)
  }

  private static func url(_ number: Int) -> String { AssetName(of: picture(number), format: .png).url }

  private static func bring(_ number: Int, to server: RunningServer) async throws {
    let reply = try await server.adminBytes("POST", "/assets", picture(number), ["Content-Type": "image/png"])
    #expect(reply.status < 300, "\(reply.text)")
  }

  private static func remove(_ number: Int, from server: RunningServer, query: String = "") async throws -> Reply {
    try await server.admin("DELETE", "/assets/\(url(number).split(separator: "/").last ?? "")\(query)")
  }

  private static func item(_ url: String) -> String { #"{"kind": "banner", "content": {"image": "\#(url)"}}"# }

  private static func items(_ url: String) -> String {
    #"{"items": [{"id": "a", "kind": "banner", "content": {"image": "\#(url)"}}]}"#
  }

  /// The addresses of pictures that clients get.
  private static func live(_ server: RunningServer) async throws -> Set<String> {
    AssetName.addresses(in: try await server.get("/v1/home").json.canonicalBytes)
  }

  /// The codes of what lint says of the draft, each with its place.
  private static func problems(_ server: RunningServer) async throws -> [String] {
    try await server.admin("GET", "/pages/home/problems").json["problems"]?.array?.compactMap { problem in
      guard let code = problem["code"]?.string, code.hasSuffix("-picture") else { return nil }
      return "\(code) \(problem["pointer"]?.string ?? "")"
    } ?? []
  }

  /// A change of the draft: a method, a path and a body, and the place of the picture in the page.
  private static let drafts: [(method: String, path: String, body: String, place: String)] = [
    ("PUT", "\(top)/items/a", item("#"), "/sections/0/items/0/content/image"),
    ("PUT", "\(top)/content", items("#"), "/sections/0/items/0/content/image"),
    (
      "PUT", "\(top)/content",
      ##"{"slots": {"lead": {"id": "l", "kind": "banner", "content": {"more": ["x", "#"]}}}}"##,
      "/sections/0/slots/lead/content/more/1"
    ),
    (
      "PUT", top, ##"{"kind": "list", "header": {"kind": "banner", "content": {"image": "#"}}}"##,
      "/sections/0/header/content/image"
    ),
    (
      "PUT", "/pages/home",
      ##"{"title": "Home", "defaultLocale": "en", "locales": ["en"], "emptyState": {"id": "e", "kind": "banner", "content": {"image": "#"}}}"##,
      "/emptyState/content/image"
    ),
    (
      "POST", "/import",
      ##"{"hearth": 1, "pages": {"home": {"title": "Home", "defaultLocale": "en", "locales": ["en"], "sections": [{"id": "top", "kind": "list", "items": [{"id": "a", "kind": "banner", "content": {"image": "#"}}]}]}}}"##,
      "/sections/0/items/0/content/image"
    ),
  ]

  @Test(arguments: drafts.indices)
  func `a draft with a picture that is not there is told of, is not published, and not scheduled`(
    index: Int
  ) async throws {
    let (method, path, body, place) = Self.drafts[index]
    try await withServer([Self.page], kinds: Self.kinds) { server in
      let put = try await server.admin(method, path, body.replacing("#", with: Self.url(1)), Self.any)
      #expect(put.status < 300, "\(put.text)")
      #expect(try await Self.problems(server) == ["unknown-picture \(place)"])
      let dryRun = try await server.admin("POST", "/pages/home/publish?dryRun=true", "{}", Self.any)
      #expect(dryRun.json["isPublishable"] == false)
      for (path, body) in [
        ("/pages/home/publish", "{}"), ("/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#),
      ] {
        let refused = try await server.admin("POST", path, body, Self.any)
        #expect(refused.status == 422 && refused.code == "not-publishable", "\(refused.text)")
        #expect(refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == [place], "\(refused.text)")
      }
      try await Self.bring(1, to: server)
      #expect(try await Self.problems(server) == [])
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.any)
      #expect(published.status == 200, "\(published.text)")
      #expect(try await Self.remove(1, from: server).code == "asset-in-use")
    }
  }

  @Test(arguments: ["items/a", "content"])
  func `a push with a picture that is not there is refused, and goes live once it is`(path: String) async throws {
    try await withServer([Self.page], kinds: Self.kinds) { server in
      func push(_ url: String) async throws -> Reply {
        try await server.admin(
          "PUT", "\(Self.top)/\(path)?publish=true", path == "content" ? Self.items(url) : Self.item(url))
      }
      for url in [Self.url(1), Self.url(1) + "?w=9", "/v1/assets/logo.png"] {
        let refused = try await push(url)
        #expect(refused.status == 422 && refused.code == "not-publishable", "\(refused.text)")
        #expect(
          refused.json["errors"]?.array?.compactMap { $0["pointer"]?.string } == ["/sections/0/items/0/content/image"])
        #expect(refused.text.contains("unknown-picture"), "\(refused.text)")
      }
      #expect(try await Self.live(server) == [])
      try await Self.bring(1, to: server)
      #expect(try await push(Self.url(1)).status < 300)
      #expect(try await Self.live(server) == [Self.url(1)])
      // What is elsewhere is none of this server's.
      #expect(try await push("https://cdn.example.com\(Self.url(2))").status == 200)
    }
  }

  @Test func `what was removed from history comes back with a word, and the page goes on`() async throws {
    try await withServer([Self.page], kinds: Self.kinds) { server in
      try await Self.bring(1, to: server)
      for body in [Self.items(Self.url(1)), #"{"items": []}"#] {
        #expect(try await server.admin("PUT", "\(Self.top)/content?publish=true", body).status == 200)
      }
      #expect(try await Self.remove(1, from: server, query: "?fromHistory=true").status == 204)
      let back = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 2, "draft": "reset"}"#, Self.any)
      #expect(back.status == 200, "\(back.text)")
      let problems = back.json["problems"]?.array ?? []
      #expect(problems.contains { $0["code"] == "removed-picture" && $0["severity"] == "warning" }, "\(back.text)")
      // Others are not stopped by it, in the same section or another one.
      for section in ["top", "other"] {
        try await Self.bring(2, to: server)
        let pushed = try await server.admin(
          "PUT", "/pages/home/sections/\(section)/items/b?publish=true", Self.item(Self.url(2)))
        #expect(pushed.status < 300, "\(pushed.text)")
      }
      let again = try await server.admin("PUT", "\(Self.top)/items/a?publish=true", Self.item(Self.url(1)))
      #expect(again.status == 200, "\(again.text)")
      let new = try await server.admin("PUT", "\(Self.top)/items/c?publish=true", Self.item(Self.url(3)))
      #expect(new.code == "not-publishable", "\(new.text)")
    }
  }

  @Test func `pushes and deletions at once leave no page without its picture`() async throws {
    try await withServer([Self.page], kinds: Self.kinds) { server in
      var outcomes: Set<String> = []
      for number in 1...200 where number <= 20 || outcomes.count < 2 {
        try await Self.bring(number, to: server)
        // Later and later, so that each is the first one sometimes, however slow the machine is.
        let wait = Duration.milliseconds(number / 2 % 4 * number)
        async let removed = {
          try await Task.sleep(for: number % 2 == 0 ? wait : .zero)
          return try await Self.remove(number, from: server)
        }()
        try await Task.sleep(for: number % 2 == 0 ? .zero : wait)
        let pushed = try await server.admin("PUT", "\(Self.top)/items/a?publish=true", Self.item(Self.url(number)))
        let gone = try await removed
        outcomes.insert("\(pushed.status < 300) \(gone.status)")
        #expect([200, 201, 422].contains(pushed.status), "\(pushed.text)")
        #expect([204, 409].contains(gone.status), "\(gone.text)")
        for url in try await Self.live(server) {
          let picture = try await server.get(url)
          #expect(picture.status == 200, "\(number): pushed \(pushed.status), deleted \(gone.status)")
        }
      }
      #expect(outcomes == ["true 409", "false 204"])
    }
  }
}
