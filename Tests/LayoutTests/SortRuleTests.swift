import HomePayload
import JSON
import Layout
import SeededRandom
import Testing

@Suite struct SortRuleTests {
  @Test func `sections ascend by index, equal ones keep the page's own order (S1.2)`() throws {
    var generator = SeededGenerator(seed: 31)
    for _ in 0..<200 {
      var screen = try Screen()
      screen.definition.sections.shuffle(using: &generator)
      let own = screen.definition.sections.map(\.id)
      var indices: [String: Int] = [:]
      for id in own where Int.random(in: 0...4, using: &generator) > 0 {
        indices[id] = Int.random(in: -3...3, using: &generator)
      }
      screen.definition.sortRules = [SortRule(name: SortRule.defaultName, indices: indices)]
      let sections = screen.page().sections
      #expect(Set(sections.map(\.id)) == Set(own))
      for (first, second) in zip(sections, sections.dropFirst()) {
        let isOwn = (own.firstIndex(of: first.id) ?? 0) < (own.firstIndex(of: second.id) ?? 0)
        #expect(first.index < second.index || (first.index == second.index && isOwn))
      }
      // What the rule does not list comes after all that it lists.
      let highest = indices.values.max() ?? -1
      #expect(sections.filter { indices[$0.id] == nil }.allSatisfy { $0.index == highest + 1 })
      #expect(screen.definition.order() == sections.map(\.id))
    }
  }

  @Test func `the applicable rule with the highest priority wins, equal ones by name, else the default rule`() throws {
    var generator = SeededGenerator(seed: 37)
    for _ in 0..<300 {
      var screen = try Screen()
      var applying: [SortRule] = []
      screen.definition.sortRules = [SortRule(name: SortRule.defaultName)]
      for name in ["a", "b", "c", "d"].shuffled(using: &generator) {
        let isForClient = Bool.random(using: &generator)
        let isInTime = Bool.random(using: &generator)
        let rule = SortRule(
          name: name, indices: ["otc": -1],
          audience: .attribute("bucket", isForClient ? .atLeast(.integer(50)) : .below(.integer(50))),
          schedule: Schedule(from: isInTime ? Demo.noon : Demo.noon.adding(seconds: 1)),
          priority: Int.random(in: 0...2, using: &generator))
        if isForClient, isInTime { applying.append(rule) }
        screen.definition.sortRules.append(rule)
      }
      let expected = applying.max { ($0.priority, $1.name) < ($1.priority, $0.name) }?.name ?? SortRule.defaultName
      let page = screen.page(["bucket": .integer(60)])
      #expect(page.sortRule == expected)
      #expect((page.sections.first?.id == "otc") == (expected != SortRule.defaultName))
    }
  }

  @Test func `moves of a rule leave the default rule alone, and take its indices where they list none`() throws {
    var screen = try Screen()
    let order = try screen.definition.order(moving: "bottomFloat", to: .first, rule: "spring")
    let change = try screen.definition.setOrder(order, rule: "spring", moved: "bottomFloat")
    #expect(change.indices.keys.sorted() == ["bottomFloat"])
    #expect(screen.definition.order(of: "spring") == order)
    #expect(screen.definition.order() == HomeRow.all.map(\.id))
  }
}
