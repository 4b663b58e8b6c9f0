import JSON
import Serving
import Service
import Testing

@Suite struct PollTests {
  @Test func `a home is polled, its version is its tag, and a second poll is a 304`() async throws {
    try await withServer { server in
      let first = try await server.get("/v1/home", ["Accept-Language": "zh-CN"])
      #expect(first.status == 200)
      #expect(first.sections == ["top", "middle", "bottom"])
      let version = try #require(first.json["version"]?.string)
      #expect(first["ETag"] == "W/\"\(version)\"")
      #expect(first["Cache-Control"] == "public, max-age=30, stale-if-error=86400")
      #expect(first["Vary"] == "Accept-Encoding, Accept-Language")
      let second = try await server.get(
        "/v1/pages/home", ["Accept-Language": "zh-CN", "If-None-Match": "\"x,\", W/\"\(version)\""])
      #expect(second.status == 304)
      for name in ["ETag", "Cache-Control", "Vary"] { #expect(second[name] == first[name], "\(name)") }
      #expect(second["Date"] != nil)
    }
  }

  @Test(arguments: [
    ("en", "en", "Channels"), ("zh-Hans-CN", "zh-Hans", "频道"), ("fr, en;q=0.5", "en", "Channels"),
    ("fr", "zh-Hans", "频道"), ("en;q=0, zh;q=0.1", "zh-Hans", "频道"),
  ])
  func `the locale is looked up in Accept-Language by quality`(
    sent: String, locale: String, title: String
  ) async throws {
    try await withServer { server in
      let page = try await server.get("/v1/home", ["Accept-Language": sent]).json
      #expect(page["locale"]?.string == locale)
      #expect(page["sections"]?.array?.first?["header"]?["content"]?["text"]?.string == title)
    }
  }

  @Test func `an explicit locale outranks Accept-Language`() async throws {
    try await withServer { server in
      let page = try await server.get("/v1/home?locale=en-GB", ["Accept-Language": "zh"])
      #expect(page.json["locale"]?.string == "en")
    }
  }

  @Test func `a section, the sort rule and the list of pages have their own addresses`() async throws {
    try await withServer { server in
      let section = try await server.get("/v1/pages/home/sections/middle")
      #expect(section.json["id"]?.string == "middle")
      #expect(section.json["index"]?.int == 5)
      #expect(section.json["position"]?.int == 1)
      #expect(section["ETag"]?.hasPrefix("W/\"") == true)
      let rule = try await server.get("/v1/pages/home/sort-rule")
      #expect(
        rule.text == #"{"page":"home","rule":"default","indices":{"top":0,"middle":5,"bottom":9},"#
          + #""order":["top","middle","bottom"]}"#)
      #expect(try await server.get("/v1/pages").text == #"{"pages":["home"]}"#)
      let head = try await server.get("/v1/home", method: "HEAD")
      #expect(head.status == 200)
      #expect(head.body.isEmpty)
    }
  }

  @Test(arguments: [
    ("/v1/pages/nowhere", 404, "unknown-page", "home"),
    ("/v1/pages/home/sections/x", 404, "unknown-section", "sort-rule"),
    ("/v1/home?bucket=100", 400, "malformed-attribute", "0 to 99"),
    ("/v1/home?platform=bsd", 400, "malformed-attribute", "ios"),
    ("/v1/home?memberTier=x", 400, "malformed-attribute", "0 to 9"),
    ("/v1/home?bucket=1&bucket=2", 400, "repeated-attribute", "once"),
    ("/admin/v1/pages", 404, "not-found", "nothing"), ("/metrics", 404, "not-found", "nothing"),
    ("/", 404, "not-found", "nothing"),
  ])
  func `what cannot be answered says why`(path: String, status: Int, code: String, says: String) async throws {
    try await withServer { server in
      let reply = try await server.get(path)
      #expect(reply.status == status)
      #expect(reply.code == code)
      #expect(reply["Content-Type"] == "application/problem+json")
      #expect(reply.json["detail"]?.string?.contains(says) == true, "\(reply.text)")
      #expect(reply.json["requestId"]?.string?.isEmpty == false)
    }
  }

  @Test func `the list of pages is polled as a page is`() async throws {
    try await withServer { server in
      let list = try await server.get("/v1/pages", ["Accept-Encoding": "identity"])
      #expect(list.text == #"{"pages":["home"]}"#)
      #expect(list["Cache-Control"] == "public, max-age=30")
      #expect(list["Vary"] == "Accept-Encoding")
      let tag = try #require(list["ETag"])
      let zipped = try await server.get("/v1/pages", ["Accept-Encoding": "gzip"])
      #expect(zipped["Content-Encoding"] == "gzip")
      #expect(zipped["ETag"] == tag)
      #expect(zipped.body == list.body)
      let known = try await server.get("/v1/pages", ["If-None-Match": "\"x\", \(tag)"])
      #expect(known.status == 304)
      for name in ["ETag", "Cache-Control", "Vary"] { #expect(known[name] == list[name], "\(name)") }
      #expect(try await server.get("/v1/pages", ["If-Match": "\"x\"", "If-None-Match": tag]).status == 412)
      #expect(try await server.get("/v1/pages", ["If-None-Match": "\"x\""]).status == 200)
      let page = #"{"title": "Other", "defaultLocale": "en", "locales": ["en"]}"#
      #expect(try await server.admin("PUT", "/pages/other", page, ["If-None-Match": "*"]).status == 201)
      #expect(try await server.admin("POST", "/pages/other/publish", "{}", ["If-Match": "*"]).status == 200)
      let more = try await server.get("/v1/pages", ["If-None-Match": tag])
      #expect(more.text == #"{"pages":["home","other"]}"#)
      #expect(more["ETag"] != tag)
    }
  }

  @Test func `where a key is asked for, shared caches keep no list of pages`() async throws {
    try await withServer(settings: { $0.polls.clientKey = "k" }) { server in
      #expect(try await server.get("/v1/pages").status == 401)
      let list = try await server.get("/v1/pages", ["Hearth-Client-Key": "k"])
      #expect(list["Cache-Control"] == "private, max-age=30")
    }
  }

  @Test func `undeclared parameters are ignored`() async throws {
    try await withServer { server in
      let plain = try await server.get("/v1/home")
      let other = try await server.get("/v1/home?utm_source=x&bucket=7&appVersion=5.2.0&platform=ios")
      #expect(plain["ETag"] == other["ETag"])
    }
  }

  @Test func `other methods are refused with what is allowed`() async throws {
    try await withServer { server in
      for method in ["PUT", "DELETE", "PATCH"] {
        let reply = try await server.get("/v1/home", method: method)
        #expect(reply.status == 405)
        #expect(reply["Allow"] == "GET, HEAD, OPTIONS")
      }
    }
  }
}
