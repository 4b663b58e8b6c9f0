import SeededRandom
import Testing

@testable import Layout

@Suite struct OrderEditingTests {
  private func page(_ indices: [(String, Int)]) -> PageDefinition {
    let locale = Locale("en").map { [$0] } ?? []
    return PageDefinition(
      id: "home", settings: PageSettings(title: "Home", defaultLocale: locale[0], locales: locale),
      sections: indices.map { SectionDefinition(id: $0.0, settings: SectionSettings(kind: "k")) },
      sortRules: [SortRule(name: "default", indices: Dictionary(uniqueKeysWithValues: indices))])
  }

  @Test(arguments: [
    ("e", Destination.first, ["e": -1]), ("a", .last, ["a": 100]), ("e", .after("c"), ["e": 2]),
    ("a", .after("e"), ["a": 5]), ("b", .before("e"), ["b": 3]), ("f", .before("e"), ["f": 3]), ("b", .after("a"), [:]),
  ])
  func `a move changes as few indices as it can (S2.2)`(
    section: String, destination: Destination, expected: [String: Int]
  ) throws {
    var page = page([("a", 0), ("b", 1), ("c", 2), ("d", 3), ("e", 4), ("f", 99)])
    let order = try page.order(moving: section, to: destination)
    let change = try page.setOrder(order, moved: section)
    #expect(page.order() == order)
    #expect(change.indices.count == expected.count)
    if section != "b", section != "f" { #expect(change.indices == expected) }
  }

  @Test func `any order can be had, and no smaller change would do (S1.2)`() throws {
    var generator = SeededGenerator(seed: 7)
    for turn in 0..<900 {
      let count = Int.random(in: 1...6, using: &generator)
      let ids = (0..<count).map { "s\($0)" }
      // At the range's ends too, where there may be no room behind or before what stays.
      let range = [0...8, 999_997...1_000_000, -1_000_000 ... -999_997][turn % 3]
      let page = page(ids.map { ($0, Int.random(in: range, using: &generator)) })
      let wanted = ids.shuffled(using: &generator)
      var edited = page
      let change = try edited.setOrder(wanted)
      #expect(edited.order() == wanted)
      #expect(change.indices.count == fewestChanges(page, wanted))
      #expect(change.indices.values.allSatisfy(LayoutLimits.indexRange.contains))
    }
  }

  @Test func `where no index is left, others are given up (S1.2)`() throws {
    var full = page([("a", 1_000_000), ("b", 1_000_000)])
    #expect(try full.setOrder(["b", "a"]).indices == ["b": 999_999])
    #expect(full.order() == ["b", "a"])
    var first = page([("a", -1_000_000), ("b", -1_000_000), ("c", 4)])
    let order = try first.order(moving: "c", to: .first)
    #expect(try first.setOrder(order, moved: "c").indices.keys.sorted() == ["a", "b"])
    #expect(first.order() == ["c", "a", "b"])
  }

  @Test func `sections without an index go where the order says`() throws {
    var page = page([("a", 0), ("b", 0), ("c", 0)])
    page.sortRules = [SortRule(name: "default", indices: ["a": 0])]
    #expect(page.order() == ["a", "b", "c"])
    _ = try page.setOrder(page.order(moving: "a", to: .last), moved: "a")
    #expect(page.order() == ["b", "c", "a"])
  }

  @Test func `an order of other sections is refused`() {
    var page = page([("a", 0), ("b", 1)])
    func places(_ order: [String]) -> [String] {
      do { _ = try page.setOrder(order) } catch {
        if case .wrong(let problems) = error { return problems.map(\.description) }
      }
      return []
    }
    #expect(places(["a"]) == ["/sections the order leaves out b"])
    #expect(
      places(["a", "x", "a"]) == [
        "/sections/1 there is no section \"x\" on the page", "/sections/2 the section \"a\" is named twice",
        "/sections the order leaves out b",
      ])
    #expect(throws: OrderError.unknownSection("x")) { try page.order(moving: "a", to: .after("x")) }
    #expect(throws: OrderError.nextToItself("a")) { try page.order(moving: "a", to: .after("a")) }
  }

  /// The fewest changes by trying every subset of sections to keep.
  private func fewestChanges(_ page: PageDefinition, _ wanted: [String]) -> Int {
    let indices = page.indices()
    let own = Dictionary(uniqueKeysWithValues: page.sections.enumerated().map { ($1.id, $0) })
    var best = wanted.count
    for subset in 0..<(1 << wanted.count) {
      var low = -1_000_000
      var isPossible = true
      for (position, id) in wanted.enumerated() {
        let isLater = position > 0 && (own[wanted[position - 1]] ?? 0) > (own[id] ?? 0)
        let least = low + (isLater ? 1 : 0)
        if subset & (1 << position) != 0 {
          let value = indices[id] ?? 0
          if value < least { isPossible = false }
          low = value
        } else {
          low = least
        }
        if low > 1_000_000 { isPossible = false }
      }
      if isPossible { best = min(best, wanted.count - subset.nonzeroBitCount) }
    }
    return best
  }
}
