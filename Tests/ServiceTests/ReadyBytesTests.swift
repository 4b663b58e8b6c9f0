import Foundation
import JSON
import Layout
import Service
import Storage
import Synchronization
import Testing

@testable import Serving

/// What is kept ready stays within its budget, and nobody goes without an answer for it.
@Suite struct ReadyBytesTests {
  /// The tiny demo with a section for each member tier and those above.
  private static let tiers: String = {
    let sections = (0..<10).map { tier in
      """
            - id: c\(tier)
              kind: grid
              audience: {attribute: memberTier, atLeast: \(tier)}
              items: [{id: x\(tier), kind: navigation, content: {title: Tier \(tier)}}]
      """
    }
    return Demo.tiny.replacing("    sortRules:", with: sections.joined(separator: "\n") + "\n    sortRules:")
  }()

  private static func withPublisher(
    variantBytesMax: Int, _ body: (Publisher, Edition) async throws -> Void
  ) async throws {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let context = DefinitionContext(attributes: Demo.attributes)
    let store = try RunningServer.openStore(in: folder, at: nil, context: context)
    let actor = Actor(name: "test")
    _ = try await store.import(LayoutDocument(json: YAMLDocument(tiers).json, in: context), by: actor)
    _ = try await store.publish("home", .draft, message: nil, if: .none, by: actor) { _ in ((), .array([])) }
    var settings = Publisher.Settings()
    settings.variantBytesMax = variantBytesMax
    settings.context = context
    let publisher = Publisher(
      store: store, kinds: try Kinds(json: YAMLDocument(Demo.tinyKinds).json), settings: settings)
    try await publisher.start(review: { _, _ in .array([]) })
    try await body(publisher, #require(publisher.live.lineup.edition(of: "home")))
    await store.close()
  }

  private static func client(_ tier: Int) -> ClientAttributes {
    var client = ClientAttributes(languages: [])
    client.values["memberTier"] = .integer(tier)
    return client
  }

  private static func key(_ tier: Int, _ edition: Edition) -> VariantKey {
    VariantKey(resource: .page, outcome: edition.plan.outcome(for: client(tier)))
  }

  @Test func `while more is kept than may be, what a client asks for is made for it and not kept`() async throws {
    try await Self.withPublisher(variantBytesMax: 1) { publisher, edition in
      // What a publish makes ready is kept, whatever the budget: someone is about to be sent it.
      let ready = edition.usage.count
      #expect(ready == 2)
      #expect(publisher.budget.isExceeded)
      let before = publisher.budget.bytes
      for tier in 0..<10 {
        let key = Self.key(tier, edition)
        let variant = edition.makeVariant(for: key, of: Self.client(tier), at: .now, keepsAlways: false)
        #expect(variant.body != nil)
        #expect(publisher.budget.bytes > before)
        #expect(edition.variant(for: key, at: .now) == nil)
      }
      #expect(edition.usage.count == ready)
      // The sections that it was made of may stay, up to half of the budget: here that is nothing.
      #expect(publisher.budget.bytes == before)
    }
  }

  @Test func `while there is room, the first variant that is too many is kept, and none after it`() async throws {
    try await Self.withPublisher(variantBytesMax: 1_000_000) { publisher, edition in
      let ready = edition.usage.count
      let kept = edition.makeVariant(for: Self.key(1, edition), of: Self.client(1), at: .now, keepsAlways: false)
      #expect(edition.variant(for: Self.key(1, edition), at: .now) === kept)
      // All but the last bytes of the room are taken by something else.
      let other = ByteCharge(publisher.budget.bytesMax - publisher.budget.bytes, in: publisher.budget)
      #expect(!publisher.budget.isExceeded)
      edition.makeVariant(for: Self.key(2, edition), of: Self.client(2), at: .now, keepsAlways: false)
      #expect(publisher.budget.isExceeded)
      edition.makeVariant(for: Self.key(3, edition), of: Self.client(3), at: .now, keepsAlways: false)
      #expect(edition.usage.count == ready + 2)
      #expect(edition.variant(for: Self.key(3, edition), at: .now) == nil)
      // What is ready is answered from what is ready.
      #expect(edition.makeVariant(for: Self.key(1, edition), of: Self.client(1), at: .now, keepsAlways: false) === kept)
      _ = other.bytes
    }
  }

  @Test func `variants that end soon are found, and counted like all others`() throws {
    let context = DefinitionContext(attributes: Demo.attributes)
    let item = "items: [{id: x, kind: navigation, content: {title: X}}]"
    let document = """
      hearth: 1
      pages:
        home:
          title: Home
          defaultLocale: en
          sections:
            - {id: a, kind: grid, schedule: {until: "2026-01-01T10:00:00Z"}, \(item)}
            - {id: b, kind: grid, schedule: {until: "2026-01-01T12:00:00Z"}, \(item)}
            - {id: c, kind: grid, audience: {attribute: memberTier, atLeast: 1}, \(item)}
      """
    let layout = try LayoutDocument(json: YAMLDocument(document).json, in: context)
    let plan = PagePlan(try #require(layout.pages.first), kinds: try Kinds(json: YAMLDocument(Demo.tinyKinds).json))
    let ten = try #require(Instant("2026-01-01T10:00:00Z"))
    let noon = ten.adding(seconds: 7_200)
    let edition = Edition(
      plan, EditionNumber(generation: 1, revision: 1), identity: "", madeAt: ten,
      budget: ByteBudget(bytesMax: 1_000_000), after: nil)
    func make(_ tier: Int, _ instant: Instant) -> Variant {
      edition.makeVariant(for: Self.key(tier, edition), of: Self.client(tier), at: instant)
    }
    func ending(_ instant: Instant) -> Set<ObjectIdentifier> {
      #expect(edition.variantCount == edition.usage.count)
      return Set(edition.variantsEnding(before: instant).map(ObjectIdentifier.init))
    }
    let first = make(0, ten.adding(seconds: -60))
    let other = make(1, ten.adding(seconds: -60))
    #expect(ending(ten).isEmpty)
    #expect(ending(ten.adding(seconds: 1)) == [ObjectIdentifier(first), ObjectIdentifier(other)])
    let next = make(0, ten)
    #expect(ending(ten.adding(seconds: 1)) == [ObjectIdentifier(other)])
    #expect(ending(noon.adding(seconds: 1)) == [ObjectIdentifier(other), ObjectIdentifier(next)])
    #expect(edition.variantCount == 3)
    let last = make(0, noon)
    #expect(last.until == nil)
    #expect(ending(noon.adding(seconds: 1)) == [ObjectIdentifier(other)])
    // What held before the two is gone already.
    edition.remove(first)
    #expect(edition.variantCount == 3)
    edition.remove(last)
    #expect(ending(noon.adding(seconds: 1)) == [ObjectIdentifier(other), ObjectIdentifier(next)])
    edition.remove(next)
    edition.remove(other)
    #expect(ending(noon.adding(seconds: 1)).isEmpty)
    #expect(edition.variantCount == 0)
  }

  @Test func `with no room at all every client gets its page`() async throws {
    try await withServer([Self.tiers], settings: { $0.variantBytesMax = 1 }) { server in
      var tags = Set<String>()
      for _ in 0..<3 {
        for tier in 0..<10 {
          let reply = try await server.get("/v1/home?memberTier=\(tier)")
          #expect(reply.status == 200)
          tags.insert(reply["ETag"] ?? "none")
        }
      }
      #expect(tags.count == 10)
    }
  }

  /// A plan of some items that clients of every kind get.
  private static func plan(items: Int) throws -> PagePlan {
    let context = DefinitionContext()
    let texts = (0..<items).map {
      "{id: i\($0), kind: navigation, audience: {attribute: bucket, atLeast: 1}, content: {title: \($0)}}"
    }
    let document = """
      hearth: 1
      pages:
        home: {title: Home, defaultLocale: en, sections: [{id: s, kind: grid, items: [\(texts.joined(separator: ", "))]}]}
      """
    let layout = try LayoutDocument(json: YAMLDocument(document).json, in: context)
    return PagePlan(try #require(layout.pages.first), kinds: try Kinds(json: YAMLDocument(Demo.tinyKinds).json))
  }

  @Test func `plans of earlier revisions take an eighth of the budget at most, and are counted in it`() async throws {
    let budget = ByteBudget(bytesMax: 8 * 200_000)
    let (small, large, huge) = (try Self.plan(items: 1), try Self.plan(items: 40), try Self.plan(items: 400))
    #expect(small.byteCount < 200_000 / 16 && large.byteCount * 5 > 200_000 && huge.byteCount > 200_000)
    do {
      let plans = OldPlans(budget: budget)
      for number in 0..<40 {
        _ = try await plans.value("small \(number)") { small }
        #expect(budget.bytes <= budget.bytesMax / 8)
      }
      #expect(await plans.count == 16)
      #expect(budget.bytes == 16 * small.byteCount)
      for number in 0..<20 {
        _ = try await plans.value("large \(number)") { large }
        #expect(budget.bytes <= budget.bytesMax / 8)
        // The one that is used again and again stays.
        _ = try await plans.value("large 0") {
          Issue.record("it is there")
          return large
        }
      }
      // One that is too large for all is loaded, and drives nothing out.
      let count = await plans.count
      #expect(try await plans.value("huge") { huge }.byteCount == huge.byteCount)
      #expect(await plans.count == count)
    }
    #expect(budget.bytes == 0)
  }

  @Test func `one plan is loaded at a time, and once for all who wait for it`() async throws {
    let plans = OldPlans(budget: ByteBudget(bytesMax: 8_000_000))
    let plan = try Self.plan(items: 1)
    let counts = Counts()
    await #expect(throws: CancellationError.self) { _ = try await plans.value("0") { throw CancellationError() } }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<60 {
        group.addTask {
          _ = try await plans.value("\(number % 6)") {
            let isAlone = counts.underWay.add(1, ordering: .relaxed).newValue == 1
            #expect(isAlone)
            counts.loads.add(1, ordering: .relaxed)
            for _ in 0..<10 { await Task.yield() }
            counts.underWay.subtract(1, ordering: .relaxed)
            return plan
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(counts.loads.load(ordering: .relaxed) == 6)
  }
}

/// How often plans are loaded.
private final class Counts: Sendable {
  let underWay = Atomic<Int>(0)
  let loads = Atomic<Int>(0)
}
