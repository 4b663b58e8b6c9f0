import Foundation
import HomePayload
import JSON
import Layout
import Storage
import Testing

/// The rows that are about keeping what operators and sources put, on a real database file.
@Suite struct StoredRowsTests {
  private let operatorOfPages = Actor(name: "operator")

  /// Runs with a new database that holds the demo's home.
  private func withStore(_ body: (Store) async throws -> Void) async throws {
    let folder = URL.temporaryDirectory.appending(path: "hearth-rows-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try Store(at: .file(folder.appending(path: "hearth.sqlite").path()), migrations: Migration.bundled())
    _ = try await store.import(Demo.document("home"), by: operatorOfPages)
    try await body(store)
  }

  private func screen(_ store: Store) async throws -> Screen {
    var screen = try Screen()
    screen.definition = try await store.draft("home").definition
    return screen
  }

  private func banner(_ id: String) -> ItemDefinition {
    ItemDefinition(id: id, kind: "banner", content: ["image": ["url": .string("https://cdn.example.com/\(id).png")]])
  }

  @Test func `the demo comes back from the store as it was written`() async throws {
    try await withStore { store in
      let page = try Screen().page()
      var document = try Demo.document("home")
      // Pictures are added to an export apart.
      (document.assets, document.assetDetails) = ([:], [:])
      #expect(try await store.export() == document)
      #expect(try await screen(store).page() == page)
    }
  }

  @Test func `S1.4 content is appended where it was absent and replaced in place where it was there`() async throws {
    try await withStore { store in
      _ = try await store.edit("home", "otc", .put(banner("new")), if: .none, by: operatorOfPages)
      #expect(try await screen(store).section("otc").items.map(\.id) == ["otc-desk", "new"])
      var changed = banner("otc-desk")
      changed.content["title"] = "Changed"
      for _ in 0..<2 { _ = try await store.edit("home", "otc", .put(changed), if: .none, by: operatorOfPages) }
      let items = try await screen(store).section("otc").items
      #expect(items.map(\.id) == ["otc-desk", "new"])
      #expect(items.first?.content["title"] == "Changed")

      let content = SectionContent(items: [banner("a"), banner("b")])
      for _ in 0..<2 {
        _ = try await store.edit("home", "otc", .replace(content), if: .none, by: operatorOfPages)
      }
      let screen = try await screen(store)
      #expect(try screen.section("otc").items.map(\.id) == ["a", "b"])
      #expect(screen.ids() == HomeRow.all.map(\.id))
    }
  }

  @Test func `S1.9 many sources fill sections at once, none undoes another's, and a reader sees all of it`()
    async throws
  {
    try await withStore { store in
      let filled = HomeRow.all.filter { $0.kinds == ["banner"] }.map(\.id)
      try await withThrowingTaskGroup(of: Void.self) { group in
        for section in filled {
          for number in 0..<8 {
            group.addTask {
              let item = banner("from-\(number)")
              _ = try await store.edit("home", section, .put(item), if: .none, by: Actor(name: "source"))
            }
          }
        }
        try await group.waitForAll()
      }
      let page = try await screen(store).page()
      for section in page.sections where filled.contains(section.id) {
        #expect(section.items.filter { $0.id.hasPrefix("from-") }.count == 8)
        #expect(section.items.count > 8)
      }
    }
  }

  @Test func `S2.2 S2.3 S2.4 move, hide and restore are one call each, and keep the content`() async throws {
    try await withStore { store in
      let before = try await screen(store).section("otc")
      _ = try await store.setOrder("home", .move("otc", .first), if: .forced, by: operatorOfPages)
      #expect(try await screen(store).ids().first == "otc")
      _ = try await store.setOrder("home", .move("otc", .after("broadcast")), if: .forced, by: operatorOfPages)
      let moved = try await screen(store).ids()
      #expect(moved.firstIndex(of: "otc") == moved.firstIndex(of: "broadcast").map { $0 + 1 })
      _ = try await store.hide("home", "otc", if: .forced, by: operatorOfPages)
      #expect(try await !screen(store).ids().contains("otc"))
      _ = try await store.restore("home", "otc", to: .after("marquee"), if: .forced, by: operatorOfPages)
      let restored = try await screen(store)
      #expect(restored.ids().prefix(2) == ["marquee", "otc"])
      #expect(try restored.section("otc").items == before.items)
    }
  }
}
