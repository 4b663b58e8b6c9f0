import Foundation
import HearthClient
import HomePayload
import Testing

@Suite struct PollTests {
  @Test func `the page comes first, then what changed, then nothing`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first), .changes(Sample.first, Sample.second), .notModified, .whole(Sample.third),
    ]
    try await withServer(answers) { client, script in
      let first = try #require(try await client.poll())
      #expect(first == PageUpdate.between(nil, Sample.first))
      let second = try #require(try await client.poll())
      #expect(second == PageUpdate.between(Sample.first, Sample.second))
      let nothing = try await client.poll()
      #expect(nothing == nil)
      let third = try #require(try await client.poll())
      #expect(third == PageUpdate.between(Sample.second, Sample.third))
      #expect(await client.page == Sample.third)
      #expect(script.asked.map(\.held) == ["", Sample.first.tag, Sample.second.tag, Sample.second.tag])
      #expect(script.asked.map(\.manipulation) == ["", "hearth-changes", "hearth-changes", "hearth-changes"])
    }
  }

  @Test func `a page that the app kept is where it starts from`() async throws {
    try await withServer([.changes(Sample.first, Sample.second)], holding: Sample.first) { client, script in
      let update = try await client.poll()
      #expect(update?.page == Sample.second)
      #expect(script.asked.map(\.held) == [Sample.first.tag])
    }
  }

  /// Changes that cannot be used: of another base, of another manipulation, broken, beyond the list.
  @Test(arguments: [
    Scripted.changes(Sample.third, Sample.second),
    Scripted(status: 226, fields: [("IM", "vcdiff")], body: [1, 2, 3]),
    Scripted(status: 226, fields: [], body: ChangeSet.changes(from: Sample.first, to: Sample.second).canonicalBytes),
    Scripted(status: 226, fields: [("IM", "hearth-changes")], body: Array("{".utf8)),
    Scripted(
      status: 226, fields: [("IM", "hearth-changes")],
      body: Array(
        #"{"page":"home","from":"\#(Sample.first.version)","to":"b","sections":{"deletes":[9]}}"#.utf8)),
  ])
  func `changes that do not fit have the whole page asked for at once`(answer: Scripted) async throws {
    try await withServer([answer, .whole(Sample.second)], holding: Sample.first) { client, script in
      let update = try await client.poll()
      #expect(update == PageUpdate.between(Sample.first, Sample.second))
      #expect(script.asked.map(\.held) == [Sample.first.tag, ""])
      #expect(script.asked.map(\.manipulation) == ["hearth-changes", ""])
    }
  }

  @Test func `what the client tells of itself is in the query, escaped and in one order`() async throws {
    let change: (inout PageClientSettings) -> Void = { settings in
      settings.page = "activity-spring"
      settings.platform = "ios"
      settings.appVersion = "5.1.0+7"
      settings.locale = "zh-Hans"
      settings.bucket = 7
      settings.attributes = ["city": "广 州&b=1"]
    }
    try await withServer([.whole(Sample.first)], settings: change) { client, script in
      // The target is what counts: the answer is another page.
      _ = try? await client.poll()
      #expect(
        script.asked.map(\.target) == [
          "/v1/pages/activity-spring?appVersion=5.1.0%2B7&bucket=7&city=%E5%B9%BF%20%E5%B7%9E%26b%3D1"
            + "&locale=zh-Hans&platform=ios"
        ])
    }
  }

  @Test func `a problem is reported with its code, and the page is kept`() async throws {
    let problem =
      #"{"type":"about:blank","title":"Not Found","status":404,"detail":"No such page.","#
      + #""code":"unknown-page","requestId":"r1"}"#
    let answers: [Scripted] = [
      Scripted(status: 404, fields: [("Content-Type", "application/problem+json")], body: Array(problem.utf8)),
      Scripted(status: 200, body: Array("<html>".utf8)), Scripted(status: 503, fields: [("Retry-After", "7")]),
    ]
    try await withServer(answers, holding: Sample.first) { client, _ in
      let unknown = Refusal(status: 404, code: "unknown-page", detail: "No such page.", requestID: "r1")
      await #expect(throws: ClientError.refused(unknown)) { try await client.poll() }
      await #expect {
        try await client.poll()
      } throws: { error in
        if case .unreadable? = error as? ClientError { true } else { false }
      }
      await #expect(throws: ClientError.refused(Refusal(status: 503, retryAfter: 7))) {
        try await client.poll()
      }
      #expect(await client.page == Sample.first)
    }
  }

  @Test func `an older edition is asked for once more, past caches, and never shown`() async throws {
    let answers: [Scripted] = [
      .whole(Sample.first).of("1.9"),
      // A cache that lags behind, and the server behind it.
      .whole(Sample.second).of("1.8"), .whole(Sample.third).of("1.10"),
      // Both lag behind.
      .whole(Sample.first).of("1.9"), .whole(Sample.first).of("1.9"),
      // The same content of a later edition; then an older one of it.
      .notModified.of("2.1"), .notModified.of("1.99"), .whole(Sample.second).of("2.2"),
    ]
    try await withServer(answers) { client, script in
      let pages = [Sample.first, Sample.third, nil, nil, Sample.second]
      let revisions = ["1.9", "1.10", "1.10", "2.1", "2.2"]
      for (turn, (page, revision)) in zip(pages, revisions).enumerated() {
        if turn == 2 {
          let older = try #require(PageRevision("1.9"))
          await #expect(throws: ClientError.dropped(older)) { try await client.poll() }
        } else {
          let update = try await client.poll()
          #expect(update?.page == page)
        }
        #expect(await client.revision?.description == revision)
      }
      #expect(script.asked.map(\.isPastCaches) == [false, false, true, false, true, false, false, true])
    }
  }

  @Test(arguments: ["", "1", "1.", ".1", "1.2.3", "1.-2", "+1.2", " 1.2", "a.b", "99999999999999999999.1"])
  func `what is no edition is none`(text: String) {
    #expect(PageRevision(text) == nil)
  }

  @Test func `a server that is not there is unreachable`() async throws {
    let url = try #require(URL(string: "http://127.0.0.1:1"))
    let client = PageClient(PageClientSettings(server: url), holding: Sample.first)
    await #expect {
      try await client.poll()
    } throws: { error in
      if case .unreachable? = error as? ClientError { true } else { false }
    }
  }
}

extension PageUpdate {
  static func between(_ old: Page?, _ new: Page) -> PageUpdate {
    PageUpdate(from: old, to: new, changes: old.map { ChangeSet.changes(from: $0, to: new) })
  }
}
