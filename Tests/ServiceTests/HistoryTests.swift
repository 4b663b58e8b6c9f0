import Service
import HomePayload
import JSON
import Layout
import Testing

@Suite struct HistoryTests {
  private static let force = ["If-Match": "*"]

  @Test func `changes tell what differs, as a change set and in words`() async throws {
    try await withServer { server in
      #expect(
        try await server.admin("POST", "/pages/home/sections/bottom/move", #"{"first": true}"#, Self.force).status
          == 200)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      let reply = try await server.admin("GET", "/pages/home/changes?from=live&to=draft&locale=en")
      #expect(reply.status == 200, "\(reply.text)")
      let words = reply.json["summary"]?.array?.compactMap(\.string) ?? []
      #expect(words.contains { $0.hasPrefix("moved bottom from 9 to") }, "\(words)")
      #expect(words.contains("hid middle"))
      let old = try await server.get("/v1/home?locale=en")
      let page = try Page(bytes: Array(old.body))
      let changes = try ChangeSet(json: try #require(reply.json["changes"]))
      #expect(try page.applying(changes).sections.map(\.id) == ["bottom", "top"])
    }
  }

  @Test func `a dry run tells changes and problems, and publishes nothing`() async throws {
    try await withServer { server in
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      #expect(try await server.admin("PUT", "/pages/home/order", order, Self.force).status == 200)
      let reply = try await server.admin("POST", "/pages/home/publish?dryRun=true", "{}", Self.force)
      #expect(reply.status == 200, "\(reply.text)")
      #expect(reply.json["isPublishable"]?.bool == true)
      #expect(reply.json["summary"]?.array?.isEmpty == false)
      #expect(reply.json["changes"]?["sections"]?["moves"]?.array?.isEmpty == false)
      #expect(reply.json["problems"]?.array != nil)
      #expect(try await server.get("/v1/home").sections == ["top", "middle", "bottom"])
      #expect(try await server.admin("GET", "/pages/home/revisions").json["revisions"]?.array?.count == 1)
    }
  }

  @Test func `warnings are listed and recorded, errors stop the publish`() async throws {
    try await withServer { server in
      let section = #"{"kind": "grid", "schedule": {"until": "2020-01-01T00:00:00Z"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top", section, Self.force).status == 200)
      let problems = try await server.admin("GET", "/pages/home/problems").json["problems"]?.array ?? []
      #expect(problems.contains { $0["code"]?.string == "schedule-over" && $0["section"]?.string == "top" })
      let published = try await server.admin("POST", "/pages/home/publish", "{}", Self.force)
      #expect(published.status == 200, "\(published.text)")
      #expect(published.json["problems"]?.array?.contains { $0["code"]?.string == "schedule-over" } == true)
    }
  }

  @Test func `an import tells what it would do, does it, and the export is what was imported`() async throws {
    try await withServer { server in
      let exported = try await server.admin("GET", "/export")
      let changed = exported.text.replacing(#""title":"Home""#, with: #""title":"House""#)
      let dry = try await server.admin("POST", "/import?dryRun=true", changed)
      #expect(dry.status == 200, "\(dry.text)")
      #expect(dry.json["changed"]?.array?.compactMap(\.string) == ["home"])
      #expect(dry.json["pages"]?["home"]?["summary"]?.array?.isEmpty == false)
      #expect(try await server.admin("GET", "/export").body == exported.body)
      #expect(try await server.admin("POST", "/import", changed).status == 200)
      #expect(try await server.admin("GET", "/export").text == changed)
      let yaml = try await server.admin("GET", "/export", nil, ["Accept": "application/yaml"])
      let again = try await server.admin("POST", "/import", yaml.text, ["Content-Type": "application/yaml"])
      #expect(again.json["unchanged"]?.array?.compactMap(\.string) == ["home"])
    }
  }

  @Test func `the draft names the sections that went, and they can be published alone`() async throws {
    try await withServer { server in
      #expect(try await server.admin("DELETE", "/pages/home/sections/middle", nil, Self.force).status == 204)
      #expect(try await server.admin("POST", "/pages/home/sections/bottom/hide", "{}", Self.force).status == 204)
      let draft = try await server.admin("GET", "/pages/home/draft").json
      #expect(draft["changed"] == ["bottom", "middle"])
      let publish = try await server.admin("POST", "/pages/home/publish", #"{"sections": ["middle"]}"#, Self.force)
      #expect(publish.status == 200, "\(publish.text)")
      #expect(try await server.get("/v1/home").sections == ["top", "bottom"])
      #expect(try await server.admin("GET", "/pages/home/draft").json["changed"] == ["bottom"])
    }
  }

  @Test func `a section is restored to a place in the order of a rule, as it is moved`() async throws {
    try await withServer { server in
      let rule = #"{"audience": {"attribute": "bucket", "below": 5}, "indices": {"bottom": 1, "middle": 2}}"#
      #expect(try await server.admin("PUT", "/pages/home/sort-rules/trial", rule).status == 201)
      #expect(try await server.admin("POST", "/pages/home/sections/bottom/hide", "{}", Self.force).status == 204)
      let path = "/pages/home/sections/bottom/restore"
      let body = #"{"after": "middle", "rule": "trial"}"#
      let restored = try await server.admin("POST", path, body, Self.force)
      #expect(restored.status == 200, "\(restored.text)")
      #expect(restored.json["changed"]?["bottom"] != nil || restored.json["changed"]?["middle"] != nil)
      let order = try await server.admin("GET", "/pages/home/order?rule=trial").json["sections"]
      #expect(order == ["top", "middle", "bottom"])
      #expect(try await server.admin("GET", "/pages/home/order").json["sections"] == ["top", "middle", "bottom"])
      let unknown = try await server.admin("POST", path, #"{"first": true, "rule": "none"}"#, Self.force)
      #expect(unknown.code == "unknown-sort-rule")
      #expect(try await server.admin("POST", path, #"{"rule": "trial"}"#, Self.force).status == 422)
    }
  }

  @Test func `an import tells what happens to audiences, and nothing that does not happen`() async throws {
    try await withServer { server in
      let audience = #"{"attribute": "memberTier", "atLeast": 1}"#
      #expect(try await server.admin("PUT", "/audiences/aa", audience).status == 201)
      let section = #"{"kind": "broadcast", "audience": {"audience": "aa"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/bottom", section, Self.force).status == 200)
      let document = #"""
        {"hearth": 1, "audiences": {"bb": {"attribute": "bucket", "below": 5}}, "pages": {"home": {
          "title": "House", "defaultLocale": "zh-Hans", "locales": ["zh-Hans", "en"], "sections": []}}}
        """#
      let kept = try await server.admin("POST", "/import", document)
      #expect(kept.status == 200, "\(kept.text)")
      #expect(kept.json["audiences"] == ["added": ["bb"], "changed": [], "deleted": []])
      #expect(kept.json["pages"]?["home"]?["summary"]?.array?.compactMap(\.string).count == 1)
      #expect(try await server.admin("GET", "/pages/home/draft").json["order"]?.array?.count == 3)
      let deleted = try await server.admin("POST", "/import?delete=true", document)
      #expect(deleted.json["audiences"] == ["added": [], "changed": [], "deleted": ["aa"]])
      let words = deleted.json["pages"]?["home"]?["summary"]?.array?.compactMap(\.string) ?? []
      #expect(words.contains("removed the audience aa"), "\(words)")
      #expect(try await server.admin("GET", "/audiences/aa").status == 404)
      let audit = try await server.admin("GET", "/audit?action=audience.delete").json["entries"]?.array ?? []
      #expect(audit.compactMap { $0["detail"]?.string } == ["aa"])
    }
  }

  @Test func `a preview shows another time, and says why each absent section is absent`() async throws {
    try await withServer { server in
      let scheduled = #"{"kind": "grid", "schedule": {"from": "2031-01-01T00:00:00Z"}}"#
      #expect(try await server.admin("PUT", "/pages/home/sections/top", scheduled, Self.force).status == 200)
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      let now = try await server.admin("GET", "/pages/home/preview?revision=draft")
      #expect(now.sections == ["bottom"])
      let reasons = now.json["hidden"]?.array?.compactMap {
        "\($0["section"]?.string ?? "") \($0["reason"]?.string ?? "")"
      }
      #expect(Set(reasons ?? []) == ["top beforeTime", "middle hidden"])
      let later = try await server.admin("GET", "/pages/home/preview?at=2031-01-01T00:00:00Z")
      #expect(later.sections == ["top", "bottom"])
      let flips = try await server.admin("GET", "/pages/home/timeline").json["flips"]?.array ?? []
      #expect(flips.contains { $0["at"]?.string == "2031-01-01T00:00:00Z" })
    }
  }

  @Test func `the audit tells who did what, filtered, and cannot be changed`() async throws {
    try await withServer { server in
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      _ = try await server.admin("GET", "/pages", nil, ["Authorization": "Bearer hearth_aaaaaaaaaaaa_bad"])
      let all = try await server.admin("GET", "/audit?page=home&actor=tester").json["entries"]?.array ?? []
      #expect(all.compactMap { $0["action"]?.string } == ["page.publish", "section.hide"])
      #expect(all.first?["address"]?.string == "127.0.0.1")
      #expect(all.first?["after"]?.string?.isEmpty == false)
      let failed = try await server.admin("GET", "/audit?action=authorisation.failed").json["entries"]?.array ?? []
      #expect(failed.count == 1)
      let one = try await server.admin("GET", "/audit?limit=1").json
      let next = try #require(one["next"]?.string)
      let rest = try await server.admin("GET", "/audit?limit=1&cursor=\(next)").json
      #expect(rest["entries"]?.array?.first?["id"] != one["entries"]?.array?.first?["id"])
    }
  }

  @Test func `a console that waits for a draft to change is answered when it does`() async throws {
    try await withServer { server in
      let draft = try await server.admin("GET", "/pages/home/draft")
      let tag = try #require(draft["ETag"])
      let now = try await server.admin("GET", "/pages/home/draft", nil, ["If-None-Match": tag])
      #expect(now.status == 304)
      async let answer = server.admin("GET", "/pages/home/draft", nil, ["If-None-Match": tag, "Prefer": "wait=15"])
      // The metrics are asked for on a second connection, as long as the first one waits.
      try await waitUntil { try await server.metric(#"hearth_http_connections{listener="admin"}"#) >= 2 }
      #expect(try await server.admin("POST", "/pages/home/sections/middle/hide", "{}", Self.force).status == 204)
      let changed = try await answer
      #expect(changed.status == 200)
      #expect(changed["ETag"] != tag)
    }
  }

  @Test func `nobody waits for a draft longer than the setting allows`() async throws {
    try await withServer(settings: { $0.admin.waitSecondsMax = 1 }) { server in
      let tag = try #require(try await server.admin("GET", "/pages/home/draft")["ETag"])
      // Without the limit, the client would give up long before the server answers.
      let fields = ["If-None-Match": tag, "Prefer": "wait=3600"]
      let answer = try await server.admin("GET", "/pages/home/draft", nil, fields)
      #expect(answer.status == 304)
      #expect(answer["ETag"] == tag)
    }
  }
}
