import Foundation
import HearthClient
import HomePayload
import JSON
import Layout
import Peers
import Serving
import Service
import Testing

/// nginx before Hearth, as config/nginx.conf has it. What happens when nodes are killed: FrontProgramTests.
@Suite struct FrontTests {
  /// A poll of the home through the front.
  private func through(
    _ front: Front, _ path: String = "/v1/home", _ fields: [String: String] = [:]
  ) throws -> CurlReply {
    try CurlReply("https://127.0.0.1:\(front.port)\(path)", fields)
  }

  private func withFront(
    _ documents: [String] = [Demo.long], isEncrypted: Bool = true, settings: (inout ServerSettings) -> Void = { _ in },
    _ body: (RunningServer, Front) async throws -> Void
  ) async throws {
    try await withServer(documents, settings: settings) { server in
      try await body(server, try Front(before: [server.server.publicPort], isEncrypted: isEncrypted))
    }
  }

  private func publish(_ title: String, _ server: RunningServer) async throws {
    let body = #"{"items": [{"id": "a", "kind": "navigation", "content": {"title": "\#(title)"}}]}"#
    let reply = try await server.admin("PUT", "/pages/home/sections/bottom/content?publish=true", body)
    #expect(reply.status == 200)
  }

  /// The page that comes after another: what is kept of that one ends with its second.
  private func seen(by front: Front, after old: Page) async throws -> Page {
    var page = old
    try await waitUntil {
      page = try Page(bytes: Array(try through(front).body))
      return page.version != old.version
    }
    return page
  }

  private static func holding(_ page: Page) -> [String: String] {
    ["A-IM": "hearth-changes", "If-None-Match": "W/\"\(page.version)\""]
  }

  @Test func `signatures come through the front to whoever asks for them, and to nobody else`() async throws {
    let keys = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    defer { try? FileManager.default.removeItem(atPath: keys.path) }
    let id = try keys.create(at: .now).id
    try await withFront(settings: { $0.signing.keysFolder = keys.path }) { _, front in
      for _ in 0..<2 {
        for coding in ["gzip", "identity"] {
          let fields = ["Accept-Encoding": coding, "Accept-Signature": PageSignature.accepted]
          let signed = try through(front, "/v1/home", fields)
          let read = PageSignature.read(input: signed["Signature-Input"] ?? "", signature: signed["Signature"] ?? "")
          #expect(read.map(\.signature.keyID) == [id])
          #expect(signed["Unencoded-Digest"] != nil)
          for other in [nil, "sig1=()"] {
            let plain = try through(
              front, "/v1/home",
              ["Accept-Encoding": coding].merging(other.map { ["Accept-Signature": $0] } ?? [:]) { $1 })
            #expect(plain.status == 200 && plain["Signature"] == nil && plain["Unencoded-Digest"] == nil)
          }
          // nginx says it by itself, with the page's signature: that is of what the client holds.
          let held = try through(front, "/v1/home", fields.merging(["If-None-Match": signed["ETag"] ?? ""]) { $1 })
          #expect(held.status == 304)
          #expect(held["Signature-Input"] == signed["Signature-Input"])
        }
      }
    }
  }

  /// The second that it is.
  private static var second: Int { Int(Date().timeIntervalSince1970) }

  /// 200 polls at once that are all the same: status and coding of each, and how many seconds they took part in.
  private func burst(_ front: Front, _ fields: [String: String]) throws -> (answers: [Substring], seconds: Int) {
    let first = Self.second
    let sent = fields.flatMap { ["-H", "\($0.key): \($0.value)"] }
    let (text, _) = try Peer.run(
      "curl",
      [
        "-skZ", "--no-progress-meter", "--parallel-max", "200", "-o", "/dev/null", "-w",
        "%{http_code} %header{content-encoding}\\n",
      ] + sent
        + ["https://127.0.0.1:\(front.port)/v1/home#[1-200]"])
    return (text.split(separator: "\n"), Self.second - first + 1)
  }

  @Test(arguments: [("gzip", "gzip"), ("gzip, deflate, br", "br")])
  func `of 200 identical polls of a second a node answers one, for pages, changes and 304 alike`(
    accepted: String, coding: String
  ) async throws {
    try await withFront { server, front in
      let old = try Page(bytes: Array(try through(front).body))
      try await publish("New", server)
      let new = try await seen(by: front, after: old)
      for (conditions, expected) in [
        ([:], "200 \(coding)"), (Self.holding(old), "226 \(coding)"), (Self.holding(new), "304 "),
      ] {
        let fields = conditions.merging(["Accept-Encoding": accepted]) { $1 }
        // The answer before the publish ends with its second, and gzip stands in until br is made.
        try await waitUntil {
          let answer = try through(front, "/v1/home", fields)
          return "\(answer.status) \(answer["Content-Encoding"] ?? "")" == expected
            && answer["ETag"] != "W/\"\(old.version)\""
        }
        let before = try await server.answered()
        let (answers, seconds) = try burst(front, fields)
        let asked = try await server.answered() - before
        #expect(answers.map(String.init) == Array(repeating: expected, count: 200))
        #expect(asked <= seconds, "\(asked) polls reached the node within \(seconds) s")
      }
    }
  }

  @Test func `nothing that a stranger makes up makes another answer to keep`() async throws {
    try await withFront { server, front in
      let made: [[String: String]] = [
        [:], ["User-Agent": "x"], ["Cookie": "a=b"], ["Accept": "text/html"], ["X-Anything": "1"],
        ["Authorization": "Basic eDp4"], ["Range": "bytes=0-9"], ["Cache-Control": "no-transform"],
        ["Accept-Encoding": "zstd, identity"], ["Accept-Language": "\"a|b\""], ["A-IM": "hearth-changes"],
        ["A-IM": "vcdiff", "If-None-Match": "W/\"0123456789abcdef\""], ["If-None-Match": "W/\"0123456789abcdef\""],
        ["A-IM": "hearth-changes", "If-None-Match": "\"x\", W/\"0123456789abcdef\""], ["If-None-Match": "\"stranger\""],
        ["Prefer": "wait=30"], ["Prefer": "respond-async", "If-None-Match": "W/\"0123456789abcdef\""],
      ]
      let (first, before) = (Self.second, try await server.answered())
      for fields in made { #expect(try through(front, "/v1/home", fields).status == 200, "\(fields)") }
      #expect(try await server.answered() - before <= Self.second - first + 1)
      // Where the query names the locale, the field does not count.
      let (second, then) = (Self.second, try await server.answered())
      for language in ["en", "vi", "zh-Hans;q=0.5, x", "fr"] {
        #expect(try through(front, "/v1/home?locale=en", ["Accept-Language": language]).status == 200)
      }
      #expect(try await server.answered() - then <= Self.second - second + 1)
      #expect(front.kept(in: "known") == 2)
    }
  }

  @Test func `each locale, coding, version and key has an answer of its own`() async throws {
    try await withFront(settings: { $0.polls.clientKey = "open sesame" }) { server, front in
      func poll(_ path: String = "/v1/home", _ fields: [String: String] = [:]) throws -> CurlReply {
        try through(front, path, fields.merging(["Hearth-Client-Key": "open sesame"]) { own, _ in own })
      }
      let polls: [(path: String, language: String, locale: String)] = [
        ("/v1/home", "", "zh-Hans"), ("/v1/home", "en", "en"), ("/v1/home", "fr, en;q=0.5", "en"),
        ("/v1/home", "zh-Hans", "zh-Hans"), ("/v1/home?locale=en", "zh-Hans", "en"),
        ("/v1/home?locale=zh-Hans", "en", "zh-Hans"), ("/v1/home?LOCALE=en", "", "zh-Hans"),
        ("/v1/home?l%6Fcale=en", "zh-Hans", "en"),
      ]
      for _ in 0..<2 {
        for (path, language, locale) in polls {
          let answer = try poll(path, ["Accept-Language": language])
          #expect(try Page(bytes: Array(answer.body)).locale == locale, "\(path) \(language)")
        }
        #expect(try poll("/v1/home", ["Accept-Encoding": "gzip"])["Content-Encoding"] == "gzip")
        #expect(try poll()["Content-Encoding"] == nil)
        // Whoever has no key, or another one, learns nothing of what is kept for those who have it.
        for key in ["", "open", "open  sesame", "|open sesame"] {
          #expect(try poll("/v1/home", ["Hearth-Client-Key": key]).status == 401)
          #expect(try poll("/v1/home", ["Hearth-Client-Key": key, "Accept-Language": "open sesame"]).status == 401)
        }
      }
    }
  }

  @Test func `changes go through the front, in all codings, to those alone who hold their version`() async throws {
    try await withFront { server, front in
      let old = try Page(bytes: Array(try through(front).body))
      try await publish("New", server)
      let holding = Self.holding(old)
      try await waitUntil { try through(front, "/v1/home", holding).status == 226 }
      let changes = try through(front, "/v1/home", holding)
      #expect(changes["Delta-Base"] == "W/\"\(old.version)\"")
      #expect(changes["Cache-Control"]?.hasPrefix("must-understand, no-store, max-age=") == true)
      let new = try old.applying(ChangeSet(bytes: Array(changes.body)))
      #expect("W/\"\(new.version)\"" == changes["ETag"])
      // The other coding is another answer.
      let packed = try through(front, "/v1/home", holding.merging(["Accept-Encoding": "gzip"]) { $1 })
      #expect(packed.status == 226)
      #expect(packed["Content-Encoding"] == "gzip")
      #expect(packed.body.count < changes.body.count || packed.body != changes.body)
      // So is br, once it is there: nginx passes on that the client takes both.
      let both = holding.merging(["Accept-Encoding": "gzip, deflate, br"]) { $1 }
      try await waitUntil { try through(front, "/v1/home", both)["Content-Encoding"] == "br" }
      let refusing = holding.merging(["Accept-Encoding": "br;q=0, gzip"]) { $1 }
      #expect(try through(front, "/v1/home", refusing)["Content-Encoding"] == "gzip")
      // Neither who holds nothing nor who takes no changes gets them.
      for others in [[:], ["If-None-Match": "W/\"\(old.version)\""], ["A-IM": "hearth-changes"]] {
        try await waitUntil {
          let whole = try through(front, "/v1/home", others)
          return try whole.status == 200 && Page(bytes: Array(whole.body)) == new
        }
      }
      // Who holds what is live gets a 304, by each way.
      for fields in [holding, [:]] {
        let current = fields.merging(["If-None-Match": "W/\"\(new.version)\""]) { $1 }
        try await waitUntil { try through(front, "/v1/home", current).status == 304 }
      }
    }
  }

  @Test func `a client waits through the front until something is published, and gets the changes`() async throws {
    try await withFront { server, front in
      let old = try Page(bytes: Array(try through(front).body))
      let holding = ["Prefer": "wait=30", "A-IM": "hearth-changes", "If-None-Match": "W/\"\(old.version)\""]
      let url = "https://127.0.0.1:\(front.port)/v1/home"
      let waiting = Task.detached { try CurlReply(url, holding) }
      try await waitUntil { try await server.waiting() == 1 }
      try await publish("Awaited", server)
      let answer = try await waiting.value
      #expect(answer.status == 226)
      #expect(try old.applying(ChangeSet(bytes: Array(answer.body))).version != old.version)
    }
  }

  @Test func `publishes and rollbacks behind the front send no client back`() async throws {
    try await withFront(isEncrypted: false) { server, front in
      let url = try #require(URL(string: "http://127.0.0.1:\(front.port)"))
      let client = PageClient(PageClientSettings(server: url))
      var (shown, handed) = (0, 0)
      for round in 0..<12 {
        _ = try await client.poll()
        let revision = try #require(await client.revision?.number)
        #expect(revision >= shown)
        shown = revision
        // Whoever asks for pages alone, and knows no rule, is handed nothing older either.
        let whole = try await Reply(port: front.port, "GET", "/v1/home", [:], nil)
        let number = try #require(whole["Hearth-Revision"].flatMap(PageRevision.init)?.number)
        #expect(number >= handed)
        handed = number
        if round.isMultiple(of: 2) {
          try await publish("Passing \(round)", server)
        } else {
          let back = try await server.admin("POST", "/pages/home/rollback", #"{"revision": 1}"#, ["If-Match": "*"])
          #expect(back.status == 200)
        }
        // An app that has just been to the node itself, so that what the cache holds is older.
        let direct = try await Reply(port: server.server.publicPort, "GET", "/v1/home", [:], nil)
        let page = try Page(bytes: Array(direct.body))
        let newest = try #require(direct["Hearth-Revision"].flatMap(PageRevision.init))
        let ahead = PageClient(PageClientSettings(server: url), holding: page, of: newest)
        #expect(try await ahead.poll() == nil)
        #expect(await ahead.revision == newest)
        #expect(await ahead.state.failure == nil)
      }
      // Then all see the last one, and by its own number.
      try await waitUntil {
        _ = try await client.poll()
        return await client.revision?.number == 13
      }
    }
  }

  @Test func `a client keeps what it has while a node lags behind, and says so when there is no other`() async throws {
    let (first, lagging) = (try await RunningServer([Demo.long]), try await RunningServer([Demo.long]))
    do {
      let front = try Front(before: [first.server.publicPort, lagging.server.publicPort], isEncrypted: false)
      try await publish("Ahead", first)
      var settings = PageClientSettings(server: try #require(URL(string: "http://127.0.0.1:\(front.port)")))
      let newest = PageRevision(generation: 1, number: 2)
      let page = try Page(bytes: Array(try await first.get("/v1/home").body))
      let before = try await lagging.answered()
      for number in 0..<10 {
        settings.attributes["n"] = "\(number)"
        let client = PageClient(settings, holding: page, of: newest)
        #expect(try await client.poll() == nil)
        #expect(await client.page == page)
        #expect(await client.revision == newest)
      }
      #expect(try await lagging.answered() > before)
      try await first.stop()
      settings.attributes["n"] = "last"
      let client = PageClient(settings, holding: page, of: newest)
      let lagged = ClientError.dropped(PageRevision(generation: 1, number: 1))
      await #expect(throws: lagged) { try await client.poll() }
      #expect(await client.state.failure == lagged)
      #expect(await client.page == page)
    } catch {
      try await lagging.stop()
      throw error
    }
    try await lagging.stop()
  }

  @Test func `a flip comes through the front at its second, and nothing before says that it holds beyond it`()
    async throws
  {
    try await withFront { server, front in
      let flip = Instant.now.adding(seconds: 3)
      let section = #"{"kind": "broadcast", "schedule": {"until": "\#(flip)"}}"#
      #expect(
        try await server.admin("PUT", "/pages/home/sections/middle", section, ["If-Match": "*"]).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", nil, ["If-Match": "*"]).status == 200)
      let live = try CurlReply("http://127.0.0.1:\(server.server.publicPort)/v1/home")
      let held = Self.holding(try Page(bytes: Array(live.body)))
      let dates = DateFormatter()
      dates.locale = Locale(identifier: "en_US_POSIX")
      dates.timeZone = TimeZone(identifier: "UTC")
      dates.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
      var (before, after) = (0, 0)
      try await waitUntil {
        let isOver = Self.second >= flip.secondsSinceEpoch
        let changes = try through(front, "/v1/home", held)
        let answer = try through(front)
        let hasSection = try Page(bytes: Array(answer.body)).sections.contains { $0.id == "middle" }
        if isOver {
          after += 1
          #expect(!hasSection)
          #expect(changes.status == 226)
          return after == 5
        }
        // What the cache kept from before the publish has the poll interval.
        let control = try #require(answer["Cache-Control"])
        let words = try #require(control.split(separator: "max-age=").last)
        let age = try #require(Int(words.prefix { $0.isNumber }))
        guard age < 30, hasSection else { return false }
        before += 1
        let date = try #require(answer["Date"])
        let made = try #require(dates.date(from: date))
        #expect(Int64(made.timeIntervalSince1970) + Int64(age) <= flip.secondsSinceEpoch)
        return false
      }
      #expect(before > 0)
    }
  }

  @Test func `while all nodes are gone what was known is served, and never while one answers`() async throws {
    let first = try await RunningServer([Demo.long])
    let port = first.server.publicPort
    let front = try Front(before: [port])
    let old = try Page(bytes: Array(try through(front).body))
    try await publish("Last", first)
    let (holdingOld, waiting) = (Self.holding(old), ["Prefer": "wait=30"])
    try await waitUntil { try through(front, "/v1/home", holdingOld).status == 226 }
    let new = try await seen(by: front, after: old)
    let last = try through(front)
    #expect(try through(front, "/v1/home", Self.holding(new)).status == 304)
    #expect(try through(front, "/readyz").status == 200)
    try await first.stop(keepsFolder: true)

    // The second's answers are over.
    let end = Self.second
    try await waitUntil { Self.second > end }
    let known = try through(front)
    #expect(known.status == 200)
    #expect(known.body == last.body)
    #expect(known["Hearth-Revision"] == "1.2")
    #expect(known["ETag"] == last["ETag"])
    let changes = try through(front, "/v1/home", holdingOld)
    #expect(changes.status == 226)
    #expect(try old.applying(ChangeSet(bytes: Array(changes.body))) == new)
    for fields in [
      Self.holding(new), ["If-None-Match": "W/\"\(new.version)\""], Self.holding(new).merging(waiting) { $1 },
    ] {
      #expect(try through(front, "/v1/home", fields).status == 304, "\(fields)")
    }
    // Whose changes nobody asked for gets the page.
    let other = try through(front, "/v1/home", ["A-IM": "hearth-changes", "If-None-Match": "W/\"0123456789abcdef\""])
    #expect(other.status == 200)
    #expect(other.body == last.body)
    #expect(try through(front, "/v1/home?bucket=7").status == 502)
    #expect(try through(front, "/readyz").status == 502)

    let again = try await RunningServer([], folder: first.folder, settings: { $0.publicListener.port = port })
    do {
      try await publish("Newer", again)
      let late = Self.second
      try await waitUntil { Self.second > late }
      #expect(try through(front)["Hearth-Revision"] == "1.3")
      #expect(try through(front, "/readyz").status == 200)
    } catch {
      try await again.stop()
      throw error
    }
    try await again.stop()
  }
}

extension RunningServer {
  /// The polls that wait for a change.
  func waiting() async throws -> Int { try await sum(of: #"hearth_http_waiting{listener="public"}"#) }

  /// What the public listener has answered.
  func answered() async throws -> Int {
    try await sum(of: "hearth_http_responses_total{") { $0.contains(#"listener="public""#) }
  }

  private func sum(of name: String, where isCounted: (Substring) -> Bool = { _ in true }) async throws -> Int {
    let text = try await Reply(port: server.adminPort, "GET", "/metrics", [:], nil).text
    return text.split(separator: "\n").filter { $0.hasPrefix(name) && isCounted($0) }
      .reduce(0) { $0 + (Int($1.split(separator: " ").last ?? "") ?? 0) }
  }
}
