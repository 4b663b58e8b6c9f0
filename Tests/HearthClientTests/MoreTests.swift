import HomePayload
import JSON
import Testing

@testable import Polling

/// The rest of a long list, as far as the app has asked for it.
@Suite struct MoreTests {
  private static func items(_ numbers: Range<Int>) -> [Item] {
    numbers.map { Item(id: "f\($0)", kind: "row", content: ["title": .string("\($0)")]) }
  }

  private static func more(_ offset: Int, _ list: String) -> Section.More {
    Section.More(href: "/v1/pages/home/sections/feed/items?cursor=\(list)-\(offset)", count: 30 - offset, of: list)
  }

  /// A page whose feed has its first items there.
  private static func page(_ list: String, first: Int = 10, kind: String = "feed") -> Page {
    var feed = Section(
      id: "feed", kind: kind, index: 0, layout: SectionLayout(style: .list), items: items(0..<first))
    feed.more = more(first, list)
    var page = Page(id: "home", locale: "en", sortRule: "default", sections: [feed])
    page.version = Page.version(of: page.canonicalBytes)
    return page
  }

  private static func part(_ numbers: Range<Int>, _ list: String) -> Scripted {
    let more = numbers.upperBound < 30 ? more(numbers.upperBound, list) : nil
    return Scripted(status: 200, body: ItemsPart(items: items(numbers), of: list, more: more).canonicalBytes)
  }

  @Test func `a refusal of a part counts for all`() async throws {
    let refusal = Scripted(status: 429, fields: [("Retry-After", "3600")])
    try await withServer([.whole(Self.page("aa")), refusal]) { client, script in
      _ = try await client.poll()
      for _ in 0..<50 { await #expect(throws: ClientError.self) { try await client.more(of: "feed") } }
      await #expect(throws: ClientError.self) { try await client.poll() }
      #expect(script.asked.count == 2)
    }
  }

  @Test func `the rest of a list comes part by part, and stays while the page has the list`() async throws {
    let answers: [Scripted] = [
      .whole(Self.page("aa")), Self.part(10..<20, "aa"), .whole(Self.page("aa", kind: "other")),
      Self.part(20..<30, "aa"),
      .whole(Self.page("aa", first: 20)), .whole(Self.page("bb")), Self.part(10..<20, "cc"),
      Scripted(status: 410, body: Array(#"{"code":"list-gone"}"#.utf8)),
    ]
    try await withServer(answers) { client, script in
      #expect(try await client.more(of: "feed").isEmpty)
      _ = try await client.poll()
      #expect(await client.rest(of: "feed") == 20)
      // Whoever asks meanwhile gets the same.
      async let one = client.more(of: "feed")
      async let other = client.more(of: "feed")
      #expect(try await one == other)
      #expect(await client.items(of: "feed") == Self.items(0..<20))
      // Another page with the same list leaves it alone.
      _ = try await client.poll()
      #expect(await client.items(of: "feed") == Self.items(0..<20))
      #expect(try await client.more(of: "feed") == Self.items(20..<30))
      #expect(await client.rest(of: "feed") == 0)
      #expect(try await client.more(of: "feed").isEmpty)
      #expect(script.asked.count == 4)
      #expect(script.asked[3].target == "/v1/pages/home/sections/feed/items?cursor=aa-20")
      // The same list that begins elsewhere, and another list, begin anew.
      _ = try await client.poll()
      #expect(await client.items(of: "feed") == Self.items(0..<20))
      #expect(await client.rest(of: "feed") == 10)
      _ = try await client.poll()
      #expect(await client.items(of: "feed") == Self.items(0..<10))
      await #expect(throws: ClientError.self) { try await client.more(of: "feed") }
      #expect(await !client.isRefreshing)
      await #expect(throws: ClientError.refused(Refusal(status: 410, code: "list-gone"))) {
        try await client.more(of: "feed")
      }
      // The loop asks for the page that has the link of the list that there is.
      #expect(await client.isRefreshing)
      #expect(await client.items(of: "feed") == Self.items(0..<10))
    }
  }

  @Test func `whoever is cancelled leaves the others, and the last one ends the request`() async throws {
    let answers: [Scripted] = [.whole(Self.page("aa")), .silence, .silence, Self.part(10..<20, "aa")]
    try await withServer(answers) { client, script in
      _ = try await client.poll()
      for round in 1...2 {
        let askers = (0..<3).map { _ in Task { try await client.more(of: "feed") } }
        await eventually { await client.loads.values.first?.waiting.count == 3 && script.asked.count == 1 + round }
        for (number, asker) in askers.enumerated() {
          asker.cancel()
          await #expect(throws: CancellationError.self) { try await asker.value }
          #expect(await client.loads.values.first?.waiting.count == (number < 2 ? 2 - number : nil))
        }
      }
      #expect(try await client.more(of: "feed") == Self.items(10..<20))
      #expect(await client.items(of: "feed") == Self.items(0..<20))
      #expect(script.asked.count == 4)
    }
  }

  @Test func `a link that leads elsewhere is not followed`() async throws {
    var page = Self.page("aa")
    page.sections[0].more?.href = "//elsewhere.example.com/v1/"
    page.version = ""
    page.version = Page.version(of: page.canonicalBytes)
    try await withServer([.whole(page)]) { client, script in
      _ = try await client.poll()
      await #expect(throws: ClientError.self) { try await client.more(of: "feed") }
      #expect(script.asked.count == 1)
    }
  }
}
