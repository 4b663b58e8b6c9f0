import Foundation
import JSON
import Layout
import Synchronization

@testable import Serving
@testable import Storage

/// A process that serves the database: the real store and publisher, and the loops of the server around them.
final class SimulatedNode: Sendable {
  let number: Int
  let store: Store
  let publisher: Publisher
  private let story: Story
  private let tasks = Mutex<[Task<Void, Never>]>([])

  init(_ database: SimulatedDatabase, number: Int) throws {
    self.number = number
    story = database.story
    let engine = SimulatedEngine(database, node: number)
    store = Store(
      engine, cluster: engine, schema: 15, context: DefinitionContext(), writing: WriteSettings(), clock: StoreClock())
    publisher = Publisher(store: store, kinds: Documents.kinds[0])
  }

  /// As `HearthServer` does, but that each second keeps what is to be kept.
  ///
  /// - Parameter whenLoaded: Has a predecessor change nothing any more.
  func run(whenLoaded: @Sendable () async -> Void = {}) async throws {
    await publisher.beginFollowing()
    try await publisher.start(review: { _, _ in .array([]) })
    await whenLoaded()
    try await publisher.reload()
    let (wakes, waking) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    store.whenOthersChange(says: { _ in }) { waking.yield() }
    let following = Task { [self] in
      for await _ in wakes {
        _ = await publisher.follow {
          do {
            try await publisher.reload()
            story.tell("node \(number) has looked")
            return true
          } catch {
            story.tell("node \(number) cannot look: \(error)")
            return false
          }
        }
      }
    }
    let looking = Task {
      while !Task.isCancelled {
        waking.yield()
        try? await Task.sleep(for: .seconds(1))
      }
    }
    let keeping = Task { [publisher, store] in
      while !Task.isCancelled {
        if !store.isAway { try? await publisher.publishDue(review: { _, _ in .array([]) }) }
        try? await publisher.saveVersions()
        try? await publisher.noteLastChange()
        try? await Task.sleep(for: .seconds(1))
      }
    }
    tasks.withLock { $0 = [following, looking, keeping] }
  }

  /// Ends its loops.
  func end() async {
    let running = tasks.withLock { $0 }
    for task in running { task.cancel() }
    for task in running { await task.value }
  }

  /// What is live of a page.
  func content(of page: String) -> Model.Content? {
    publisher.live.lineup.edition(of: page).map { Model.Content($0.plan.definition, $0.plan.kinds) }
  }
}

extension Model.Content {
  init(_ page: PageDefinition, _ kinds: Kinds) {
    func text(_ section: String) -> String {
      page.sections.first { $0.id == section }?.content.items.first?.content["title"]?.string ?? ""
    }
    feed = text("feed")
    notes = text("notes")
    isWithheld = page.withheld.contains { $0.kind == "picture" }
    self.kinds = Documents.kinds.firstIndex { $0.hash == kinds.hash } ?? -1
  }
}

/// What is served in simulations.
enum Documents {
  /// Kinds that draw the same pages, each a little differently.
  static let kinds = [60, 70, 80].map { height in
    let text = """
      {"itemKinds": {
        "card": {"title": "Card", "content": {"type": "object", "properties": {"title": {"type": "string"}}}},
        "picture": {"title": "Picture", "content": {"type": "object"}}},
      "sectionKinds": {"list": {"title": "List",
        "layout": {"style": "list", "itemSize": {"width": "container", "height": {"points": \(height)}}},
        "items": {"kinds": ["card", "picture"], "maximum": 100}}}}
      """
    guard let json = try? JSON.parse(text), let kinds = try? Kinds(json: json) else {
      preconditionFailure("these are no kinds")
    }
    return kinds
  }

  static let pages = ["a", "b"]
  /// Those whom what is withheld is withheld from.
  static let phones = Predicate.attribute("platform", .isIn([.text("ios"), .text("android")]))

  static func document() throws -> LayoutDocument {
    let page = """
      {"title": "Page", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30, "sections": [
        {"id": "feed", "kind": "list", "items": [{"id": "item", "kind": "card", "content": {"title": "first"}}]},
        {"id": "notes", "kind": "list", "items": [{"id": "item", "kind": "card", "content": {"title": "first"}}]},
        {"id": "gallery", "kind": "list", "items": [{"id": "item", "kind": "picture", "content": {}}]}],
       "sortRules": {"default": {"indices": {"feed": 0, "notes": 1, "gallery": 2}}}}
      """
    let all = pages.map { "\"\($0)\": \(page)" }.joined(separator: ",")
    return try LayoutDocument(json: JSON.parse("{\"hearth\": 1, \"pages\": {\(all)}}"), in: DefinitionContext())
  }
}
