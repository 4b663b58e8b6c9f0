import HomePayload
import JSON
import SeededRandom
import Testing

@testable import Layout

/// Several lists that share a section, by tabs above its items.
@Suite struct NamedListsTests {
  /// The kinds of the demo, and a page with a section of rows.
  private func screen(_ settings: String, _ items: [String]) throws -> Screen {
    let page = """
      hearth: 1
      pages:
        stays:
          defaultLocale: en
          locales: [en, vi]
          sections:
            - id: homes
              kind: appRows
              \(settings)
              items: [\(items.joined(separator: ", "))]
      """
    return try Screen(page, example: "shelf")
  }

  private static let lists =
    "lists: [{id: popular, title: {en: Popular, vi: Phổ biến}}, {id: new, title: New}, {id: nearby, title: Nearby}]"

  private static func item(_ id: String, _ lists: String? = nil, _ more: String = "") -> String {
    "{id: \(id), kind: row\(lists.map { ", lists: [\($0)]" } ?? "")\(more), content: {title: \(id)}}"
  }

  private static let items = [item("a", "popular"), item("b", "new"), item("c"), item("d", "\"nearby\", popular")]

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
  }

  @Test func `a client gets the lists with titles in its locale, and its items with their lists`() throws {
    let screen = try screen(Self.lists, Self.items)
    #expect(found(screen) == [])
    let section = try screen.section("homes", locale: "vi")
    #expect(section.lists.map(\.id) == ["popular", "new", "nearby"])
    #expect(section.lists.map(\.title) == ["Phổ biến", "New", "Nearby"])
    #expect(section.items.map(\.lists) == [["popular"], ["new"], [], ["nearby", "popular"]])
    #expect(section.showing("new").items.map(\.id) == ["b", "c"])
    #expect(section.showing(nil).items.map(\.id) == ["a", "c", "d"])
    #expect(section.showing("gone") == section.showing("popular"))
    #expect(
      section.tabs(choosing: "nearby").map { $0.accessibility?.traits.contains("selected") } == [false, false, true])
    var page = screen.page(locale: "vi")
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test func `a list that nobody sees anything of has no tab, and one that is left alone needs none`() throws {
    let hidden = Self.item("b", "new", ", hidden: true")
    let two = try screen(Self.lists, [Self.item("a", "popular"), hidden, Self.item("d", "nearby")]).section("homes")
    #expect(two.lists.map(\.id) == ["popular", "nearby"])
    let one = try screen(Self.lists, [Self.item("a", "popular"), hidden]).section("homes")
    #expect(one.lists == [] && one.items.map(\.id) == ["a"])
    let personal = "load: client\n        source: {url: \"app://mine\"}\n        "
    let filled = try screen(personal + Self.lists, [Self.item("a", "popular")]).section("homes")
    #expect(filled.lists.map(\.id) == ["popular", "new", "nearby"], "which list has what only the app knows")
  }

  @Test func `the page has the first items of each list, in the order of each`() throws {
    let items = (0..<60).map { Self.item("i\($0)", $0 < 40 ? "popular" : $0 < 55 ? "new" : "nearby") }
    let section = try screen("firstItems: 3\n        " + Self.lists, items).section("homes")
    #expect(section.items.map(\.id) == [0, 1, 2, 40, 41, 42, 55, 56, 57].map { "i\($0)" })
    #expect(section.more?.count == 51)
    let lazy = try screen("load: lazy\n        " + Self.lists, items).section("homes")
    #expect(lazy.items == [] && lazy.more?.count == 60 && lazy.lists.count == 3)
  }

  @Test func `whatever lists items are in, each begins in the page and goes on in its order`() throws {
    let names = ["popular", "new", "nearby"]
    for seed in 0..<40 {
      var random = SeededGenerator(seed: UInt64(seed))
      let memberships = (0..<30).map { _ in names.filter { _ in Int.random(in: 0..<3, using: &random) == 0 } }
      let most = Int.random(in: 1...5, using: &random)
      let items = memberships.enumerated().map {
        Self.item("i\($0)", $1.isEmpty ? nil : $1.joined(separator: ", "))
      }
      let screen = try screen("firstItems: \(most)\n        " + Self.lists, items)
      let plan = PagePlan(screen.definition, kinds: screen.kinds)
      let whole = plan.items(of: "homes", for: plan.outcome(for: ClientAttributes()), at: Demo.noon).items
      let first = try screen.section("homes").items
      #expect(Array(whole.prefix(first.count)) == first)
      #expect(Set(whole.map(\.id)).count == 30)
      for name in names {
        let expected = memberships.indices.filter { memberships[$0].isEmpty || memberships[$0].contains(name) }.map {
          "i\($0)"
        }
        func shown(_ items: [Item]) -> [String] {
          items.filter { $0.lists.isEmpty || $0.lists.contains(name) }.map(\.id)
        }
        #expect(shown(whole) == expected, "seed \(seed)")
        #expect(shown(first).count >= min(most, expected.count), "seed \(seed)")
      }
    }
  }

  @Test func `an item in a list that is not there stops a publish, and so does one outside of the lists`() throws {
    let header = "header: {kind: title, lists: [new], content: {text: Homes}}\n        "
    let screen = try screen(header + Self.lists, [Self.item("a", "new, gone")])
    let unknown = found(screen).filter { $0.hasPrefix("unknown-list") }
    #expect(unknown == ["unknown-list /sections/0/header/lists/0", "unknown-list /sections/0/items/0/lists/1"])
    let bare = try self.screen("title: Homes", [Self.item("a", "new")])
    #expect(found(bare) == ["unknown-list /sections/0/items/0/lists/0"])
    let halves = Self.lists.replacing("title: New}", with: "title: {vi: Mới}}")
    #expect(found(try self.screen(halves, Self.items)) == ["missing-locale /sections/0/lists/1/title"])
  }

  @Test(arguments: [
    ("lists: [{id: a, title: A}]", "/lists"), ("lists: [{id: a, title: A}, {id: a, title: B}]", "/lists/1/id"),
    ("lists: [{id: a, title: A}, {id: b}]", "/lists/1/title"),
    ("lists: [{id: a, title: A}, {id: 1b, title: B}]", "/lists/1/id"),
    ("lists: [{id: a, title: A}, {id: b, title: \"\"}]", "/lists/1/title"),
    ("lists: [{id: a, title: A}, {id: b, title: B, icon: c}]", "/lists/1/icon"), ("lists: {}", "/lists"),
    (
      "lists: [\((0..<13).map { "{id: l\($0), title: L}" }.joined(separator: ", "))]", "/lists"
    ),
  ])
  func `lists that make no sense are refused with their place`(settings: String, place: String) throws {
    let problem = #expect(throws: InvalidDocument.self) { try screen(settings, []) }
    #expect(problem?.problems.map { "\($0.pointer)" } == ["/pages/stays/sections/0" + place])
  }

  @Test func `children are where their parent is`() throws {
    let child = ", children: [{id: x, kind: row, lists: [new], content: {title: x}}]"
    let problem = #expect(throws: InvalidDocument.self) { try screen(Self.lists, [Self.item("a", "new", child)]) }
    #expect(problem?.problems.map { "\($0.pointer)" } == ["/pages/stays/sections/0/items/0/children/0/lists"])
  }
}
