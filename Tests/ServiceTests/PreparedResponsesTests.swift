import Foundation
import JSON
import Layout
import Storage
import Synchronization
import Testing

@testable import Serving
@testable import Service

/// What is sent after a change is made before it, off the loops.
@Suite struct PreparedResponsesTests {
  private static let actor = Actor(name: "test")

  private static func withPublisher(
    signing: PageSigning? = nil, _ body: (Publisher, Store, Instant) async throws -> Void
  ) async throws {
    let folder = try RunningServer.makeFolder()
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let context = DefinitionContext(attributes: Demo.attributes)
    let store = try RunningServer.openStore(in: folder, at: nil, context: context)
    _ = try await store.import(LayoutDocument(json: YAMLDocument(Demo.tiny).json, in: context), by: actor)
    _ = try await store.publish("home", .draft, message: nil, if: .none, by: actor) { _ in ((), .array([])) }
    var settings = Publisher.Settings()
    settings.context = context
    settings.polls.signing = signing
    let publisher = Publisher(
      store: store, kinds: try Kinds(json: YAMLDocument(Demo.tinyKinds).json), settings: settings)
    try await publisher.start(review: { _, _ in .array([]) })
    try await body(publisher, store, .now)
    publisher.brotli.stop()
    await store.close()
  }

  /// What a shape that was known holds of the live page.
  private static func served(_ publisher: Publisher) throws -> (variant: Variant, served: ServedVariant) {
    let edition = try #require(publisher.live.lineup.edition(of: "home"))
    // The same one each time: a dictionary has them in any order.
    let variant = try #require(
      edition.readyVariants.filter { $0.key.resource == .page }.min { $0.key.outcome.key < $1.key.outcome.key })
    return (variant, try #require(variant.served.withLock { $0 }))
  }

  private static func now() -> Int64 { Instant.now.nanoseconds }

  @Test func `a schedule that changes leads to what is sent from then on, and leaves what is sent otherwise`()
    async throws
  {
    try await Self.withPublisher { publisher, store, now in
      let before = try Self.served(publisher)
      #expect(before.served.current(in: publisher.live.lineup, at: Self.now()) === before.served)
      // A look that finds the same changes nothing.
      try await publisher.loadSchedules()
      #expect(try Self.served(publisher).served === before.served)

      let scheduled = try await store.schedulePublish(
        "home", .draft, at: now.adding(seconds: 3_600), zone: "UTC", message: nil, if: .none, by: Self.actor
      ) { _ in }
      try await publisher.loadSchedules()
      let during = try Self.served(publisher)
      #expect(during.variant === before.variant)
      #expect(during.served !== before.served)
      // No loop makes it: the one that was held leads to it.
      #expect(before.served.current(in: publisher.live.lineup, at: Self.now()) === during.served)

      try await store.cancelScheduledPublish("home", scheduled.id, by: Self.actor)
      try await publisher.loadSchedules()
      let after = try Self.served(publisher)
      #expect(during.served.current(in: publisher.live.lineup, at: Self.now()) === after.served)
      // Whoever slept through it holds what is true again.
      #expect(before.served.current(in: publisher.live.lineup, at: Self.now()) === before.served)
    }
  }

  @Test func `a schedule that changes leaves the signatures, which are of the content and its revision`() async throws {
    let keys = SigningKeyFolder(path: try RunningServer.makeFolder() + "/keys")
    defer { try? FileManager.default.removeItem(atPath: keys.path) }
    _ = try keys.create(at: .now)
    var settings = SigningSettings()
    settings.keysFolder = keys.path
    let clock = TestClock()
    let signing = try PageSigning(settings, clock: { clock.now })
    try await Self.withPublisher(signing: signing) { publisher, store, now in
      let before = try Self.served(publisher).served
      let signed = try #require(before.signatures)
      let scheduled = try await store.schedulePublish(
        "home", .draft, at: now.adding(seconds: 3_600), zone: "UTC", message: nil, if: .none, by: Self.actor
      ) { _ in }
      try await publisher.loadSchedules()
      let during = try Self.served(publisher).served
      #expect(during !== before && during.signatures === signed)
      // Those in the second half of their life are made anew all the same.
      clock.advance(by: 50_000)
      try await store.cancelScheduledPublish("home", scheduled.id, by: Self.actor)
      try await publisher.loadSchedules()
      let after = try Self.served(publisher).served
      let renewed = try #require(after.signatures)
      #expect(renewed.created == clock.now)
      // Another revision has its own.
      _ = try await publisher.publish("home", .draft, if: .none, by: Self.actor)
      let published = try Self.served(publisher).served
      #expect(published.signatures != nil && published.signatures !== renewed)
    }
  }

  @Test func `an edition's responses are not those of another edition of the same number`() async throws {
    try await Self.withPublisher { publisher, _, _ in
      let edition = try #require(publisher.live.lineup.edition(of: "home"))
      let again = Edition(
        edition.plan, edition.number, identity: edition.identity, madeAt: edition.madeAt, budget: publisher.budget,
        after: nil)
      #expect(again.number == edition.number)
      let served = try Self.served(publisher).served
      let lineup = Lineup(number: 2, editions: ["home": again], scheduled: [:], withheld: [])
      #expect(served.current(in: lineup, at: Self.now()) == nil)
    }
  }

  @Test func `a node tells of no page that it has let go of, also where an older lineup comes late`() async throws {
    try await Self.withPublisher { publisher, store, _ in
      let lineup = publisher.live.lineup
      let nodes = NodeList(store: store, name: "a", address: "a:1", version: "1", since: .now)
      nodes.serves(Lineup(number: lineup.number + 1, editions: [:], scheduled: [:], withheld: []))
      nodes.serves(lineup)
      #expect(nodes.alive.map(\.pages) == [[:]])
    }
  }

  @Test func `where clients took br of what was live, it is made of what a publish makes live, and nobody asks`()
    async throws
  {
    try await Self.withPublisher { publisher, store, _ in
      let before = try Self.served(publisher)
      before.variant.body?.makeBrotli()
      let edit = ContentEdit.replace(
        SectionContent(items: [
          try ItemDefinition(
            json: ["kind": "navigation", "content": ["title": "New"]], id: "n", in: DefinitionContext())
        ]))
      _ = try await publisher.publish(
        "home", .content(section: "bottom", edit), if: .none, by: Self.actor)
      let after = try Self.served(publisher)
      #expect(after.variant !== before.variant)
      try await waitUntil { after.variant.body?.brotli != nil }
      // One variant alone was taken as br.
      let others =
        publisher.live.lineup.edition(of: "home")?.readyVariants.filter {
          $0.key != before.variant.key && $0.key.resource == .page
        } ?? []
      #expect(!others.isEmpty)
      #expect(others.allSatisfy { $0.body?.brotli == nil || $0.body === after.variant.body })
    }
  }
}
