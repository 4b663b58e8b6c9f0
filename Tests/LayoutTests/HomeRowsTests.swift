import HomePayload
import JSON
import Layout
import Testing

@Suite struct HomeRowsTests {
  @Test func `S1.1 the home has the thirteen sections in the table's order`() throws {
    let page = try Screen().page()
    #expect(page.sections.map(\.id) == HomeRow.all.map(\.id))
    #expect(page.sortRule == "default")
    #expect(page.emptyState == nil)
  }

  @Test func `S1.2 sections ascend by the index of the rule that operators change`() throws {
    var screen = try Screen()
    let position = try #require(screen.definition.sortRules.firstIndex { $0.name == "default" })
    screen.definition.sortRules[position].indices["otc"] = -1
    screen.definition.sortRules[position].indices["marquee"] = 100
    #expect(screen.ids().first == "otc")
    #expect(screen.ids().last == "marquee")
    #expect(try screen.section("otc").index == -1)
  }

  @Test func `S1.2 another rule holds for its audience, and what it does not list keeps its default index`() throws {
    let trial: AttributeValues = ["bucket": .integer(95), "appVersion": try version("6.2")]
    let page = try Screen().page(trial)
    #expect(page.sortRule == "spring")
    #expect(
      page.sections.prefix(5).map(\.id) == ["shoppingCarnival", "broadcast", "marquee", "beltAndRoad", "walletCard"])
    #expect(page.sections.first { $0.id == "wallet" }?.index == 4)
    let offers: [AttributeValues] = [
      ["bucket": .integer(89), "appVersion": try version("6.2")], ["bucket": .integer(95)],
    ]
    for others in offers {
      #expect(try Screen().page(others).sortRule == "default")
    }
  }

  @Test func `S1.3 the rule alone tells every section's index, and the page agrees`() throws {
    let screen = try Screen()
    let plan = PagePlan(screen.definition, kinds: screen.kinds)
    let outcome = plan.outcome(for: ClientAttributes())
    let rule = plan.sortRule(for: outcome, at: Demo.noon).document
    #expect(rule.rule == "default")
    #expect(rule.places.map(\.section) == HomeRow.all.map(\.id))
    #expect(rule.places.map(\.index) == HomeRow.all.map(\.index))
    #expect(screen.page().sections.map(\.index) == rule.places.map(\.index))
  }

  @Test func `S1.3 the rule tells the place of a section that has no content here`() throws {
    var screen = try Screen()
    try screen.edit("otc") { $0.content = SectionContent() }
    let plan = PagePlan(screen.definition, kinds: screen.kinds)
    let rule = plan.sortRule(for: plan.outcome(for: ClientAttributes()), at: Demo.noon).document
    #expect(rule.places.contains(.init(section: "otc", index: 5)))
  }

  @Test func `S1.2 no rule of the demo has a tie`() throws {
    for name in ["home", "activity-spring"] {
      let page = try Demo.definition(name)
      for rule in page.sortRules {
        let indices = page.indices(of: rule.name)
        #expect(Set(indices.values).count == page.sections.count, "\(name) \(rule.name)")
      }
    }
  }

  @Test(arguments: HomeRow.all)
  func `S1.5 S2.1 a section with nothing to show is not in the payload, and comes back with its data`(
    row: HomeRow
  ) throws {
    var screen = try Screen()
    let full = screen.page()
    var content = SectionContent()
    try screen.edit(row.id) { section in
      content = section.content
      section.content = SectionContent()
    }
    let without = screen.assembled()
    #expect(without.page.sections.map(\.id) == HomeRow.all.map(\.id).filter { $0 != row.id })
    let reason: HiddenSection.Reason = row.id == "walletCard" ? .requiredSlotEmpty : .empty
    #expect(without.hidden.map(\.section) == [row.id])
    #expect(without.hidden.map(\.reason) == [reason])
    try screen.edit(row.id) { $0.content = content }
    #expect(screen.page() == full)
  }

  @Test func `S1.10 adding or removing a group is one change in one place`() throws {
    var screen = try Screen()
    let banner = ItemDefinition(id: "b", kind: "banner", content: ["image": ["url": "https://cdn.example.com/b.png"]])
    screen.definition.sections.append(
      SectionDefinition(
        id: "lantern", settings: SectionSettings(kind: "banner"), content: SectionContent(items: [banner])))
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(screen.ids() == HomeRow.all.map(\.id) + ["lantern"])
    screen.definition.sections.removeAll { $0.id == "lantern" }
    #expect(screen.ids() == HomeRow.all.map(\.id))
  }
}
