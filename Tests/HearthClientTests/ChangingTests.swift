import Foundation
import HomePayload
import Synchronization
import Testing

@testable import Polling

/// What an app changes while it polls, beside Tests/ClientCases/changing.json.
@Suite struct ChangingTests {
  /// A transport that answers one after another, the last one again and again, and notes what it was asked.
  private final class Answers: Sendable {
    private let rest: Mutex<[(String, String?)]>
    private let urls = Mutex<[String]>([])

    /// Names of documents with their editions; an empty name is no answer.
    init(_ answers: [(String, String?)]) { rest = Mutex(answers) }

    var asked: [String] { urls.withLock { $0 } }

    func answer(_ request: TransportRequest) throws -> TransportAnswer {
      urls.withLock { $0.append(request.url.query ?? "") }
      let (name, revision) = rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] }
      guard !name.isEmpty else { throw URLError(.notConnectedToInternet) }
      var fields = ["Cache-Control": "max-age=0"]
      fields["Hearth-Revision"] = revision
      return TransportAnswer(status: 200, fields: fields, body: try ChangingTests.document(name))
    }
  }

  private static func document(_ name: String) throws -> [UInt8] {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    return [UInt8](try Data(contentsOf: folder.appendingPathComponent("ClientCases/documents/\(name).json")))
  }

  private static func client(_ answers: Answers, storage: PageStorage? = nil, bundled: String? = nil) throws
    -> PageClient
  {
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    (settings.timing.pauseMin, settings.timing.pauseMax, settings.timing.spread) = (0, 0, 0)
    let page = try bundled.map { try Page(bytes: document($0)) }
    return PageClient(settings, storage: storage, holding: page) { try answers.answer($0) }
  }

  private static func pages(_ names: String?...) throws -> [Page?] {
    try names.map { try $0.map { try Page(bytes: document($0)) } }
  }

  @Test func `what was held is shown as soon as it is activated, by changes from what was shown`() async throws {
    let answers = Answers([("first", "1.7"), ("second", "1.8"), ("third", "1.9"), ("", nil)])
    let kept = Mutex(Data())
    let storage = PageStorage(load: { nil }, save: { data in kept.withLock { $0 = data } })
    let client = try Self.client(answers, storage: storage)
    await client.hold()
    var states: [PageState] = []
    var asked: Int?
    for await state in client.states {
      states.append(state)
      // Nothing is asked before it.
      if let asked { #expect(answers.asked.count == asked) }
      if state.failure != nil, answers.asked.count >= 4 {
        #expect(await client.revision?.description == "1.9")
        // A start from now on shows the newest.
        #expect(StoredPage(record: kept.withLock { $0 })?.bytes == (try Self.document("third")))
        await client.activate()
        asked = answers.asked.count
      }
      if state.update?.old != nil { break }
    }
    let shown = try Self.pages(nil, "first", "third")
    #expect(states.first?.page == shown[0])
    #expect(Set(states.dropFirst().dropLast().map(\.page)) == [shown[1]])
    let update = try #require(states.last?.update)
    #expect([update.old, update.page] == [shown[1], shown[2]])
    let changes = try #require(update.changes)
    #expect(try shown[1]?.applying(changes) == shown[2])
  }

  @Test func `a change asks at once, and an answer to what was asked before is nobody's`() async throws {
    let asked = Mutex<[String]>([])
    let gate = Mutex(false)
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    (settings.timing.pauseMin, settings.timing.spread) = (0, 0)
    let body = try (old: Self.document("second"), new: Self.document("first"))
    let client = PageClient(settings) { request in
      let query = request.url.query ?? ""
      asked.withLock { $0.append(query) }
      // The old one comes late, and does not hear that it was given up.
      while query.isEmpty, !gate.withLock({ $0 }) { await Task.yield() }
      return TransportAnswer(status: 200, fields: ["Hearth-Revision": "1.7"], body: query.isEmpty ? body.old : body.new)
    }
    let poll = Task { try await client.poll() }
    await eventuallyTrue { asked.withLock { $0.count } == 1 }
    await client.change { $0.locale = "vi" }
    let update = try await poll.value
    #expect(update?.page == (try Page(bytes: body.new)))
    gate.withLock { $0 = true }
    // The same again is no change, and asks nothing.
    await client.change { $0.locale = "vi" }
    #expect(asked.withLock { $0 } == ["", "locale=vi"])
    #expect(await client.page == (try Page(bytes: body.new)))
    #expect(await client.settings.locale == "vi")
  }

  @Test func `a preview is not kept, and after it comes what was kept, or what came with the app`() async throws {
    let kept = Mutex(Data())
    let storage = PageStorage(load: { kept.withLock { $0 } }, save: { data in kept.withLock { $0 = data } })
    let answers = Answers([("third", nil), ("second", "1.8"), ("third", nil), ("", nil)])
    let client = try Self.client(answers, storage: storage, bundled: "first")
    let preview: @Sendable (inout PageClientSettings) -> Void = { $0.overrides = ["preview": "x"] }
    await client.change(preview)
    #expect(await client.page == nil)
    _ = try await client.poll()
    #expect(kept.withLock { $0.isEmpty })
    await client.change { $0.overrides = [:] }
    #expect(await client.page == (try Self.pages("first")[0]))
    _ = try await client.poll()
    let record = kept.withLock { $0 }
    await client.change(preview)
    _ = try await client.poll()
    #expect(await client.page == (try Self.pages("third")[0]))
    await client.change { $0.overrides = [:] }
    #expect(await client.page == (try Self.pages("second")[0]))
    #expect(await client.revision?.description == "1.8")
    #expect(kept.withLock { $0 } == record)
    #expect(answers.asked == ["preview=x", "", "preview=x"])
  }

  @Test func `another page or server is another client's, and shows nothing of the one before`() async throws {
    let client = try Self.client(Answers([("first", "1.7"), ("", nil)]))
    _ = try await client.poll()
    await client.change { $0.page = "cart" }
    #expect(await client.page == nil)
    #expect(await client.revision == nil)
    await #expect(throws: ClientError.self) { try await client.poll() }
  }

  @Test func `the whole page has what came of its long lists, while it is the page's list`() async throws {
    func item(_ number: Int) -> Item { Item(id: "f\(number)", kind: "row") }
    var page = Page(id: "home", locale: "en", sortRule: "default", sections: [])
    var section = Section(id: "feed", kind: "feed", index: 0, layout: SectionLayout(style: .list), items: [item(0)])
    section.more = Section.More(href: "/v1/pages/home/sections/feed/items?cursor=a", count: 2, of: "aa")
    page.sections = [section]
    page.version = Page.version(of: page.canonicalBytes)
    let rest = Section.More(href: "/v1/pages/home/sections/feed/items?cursor=b", count: 1, of: "aa")
    let part = ItemsPart(items: [item(1)], of: "aa", more: rest)
    var settings = PageClientSettings(server: try #require(URL(string: "https://home.example.com")))
    settings.timing.pauseMin = 0
    let (whole, bytes) = (page.canonicalBytes, part.canonicalBytes)
    let client = PageClient(settings) { request in
      TransportAnswer(status: 200, fields: [:], body: request.url.path.hasSuffix("items") ? bytes : whole)
    }
    #expect(await client.wholePage == nil)
    _ = try await client.poll()
    #expect(await client.wholePage == page)
    try await client.more(of: "feed")
    let shown = try #require(await client.wholePage)
    #expect(shown.sections[0].items.map(\.id) == ["f0", "f1"])
    #expect(shown.sections[0].more == rest)
    #expect(await client.page == page)
  }
}

/// Waits until `condition` holds, giving way to others in between.
private func eventuallyTrue(_ condition: () async -> Bool) async {
  while await !condition() { await Task.yield() }
}
