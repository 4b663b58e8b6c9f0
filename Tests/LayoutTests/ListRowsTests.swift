import HomePayload
import JSON
import Layout
import Testing

@Suite struct ListRowsTests {
  @Test func `S2.2 a section moves first, or right below another, and the others keep their order`() throws {
    var screen = try Screen()
    let before = screen.ids()
    _ = try screen.definition.setOrder(screen.definition.order(moving: "otc", to: .first), moved: "otc")
    #expect(screen.ids() == ["otc"] + before.filter { $0 != "otc" })
    let change = try screen.definition.setOrder(
      screen.definition.order(moving: "otc", to: .after("middleAd")), moved: "otc")
    var expected = before.filter { $0 != "otc" }
    expected.insert("otc", at: 10)
    #expect(screen.ids() == expected)
    #expect(change.indices.keys.sorted() == ["otc"])
  }

  @Test func `S2.3 S2.4 a hidden section is gone, and comes back below a named one with its content as it was`() throws
  {
    var screen = try Screen()
    let section = try screen.section("otc")
    try screen.edit("otc") { $0.settings.isHidden = true }
    #expect(screen.assembled().hidden.map(\.reason) == [.hidden])
    #expect(!screen.ids().contains("otc"))
    try screen.edit("otc") { $0.settings.isHidden = false }
    _ = try screen.definition.setOrder(screen.definition.order(moving: "otc", to: .after("marquee")), moved: "otc")
    let restored = try screen.section("otc")
    #expect(screen.ids().prefix(2) == ["marquee", "otc"])
    #expect(restored.items == section.items)
    #expect(restored.layout == section.layout)
  }

  @Test func `S2.5 a section holds rows of several kinds`() throws {
    let kinds = try Screen("activity-spring").section("offers").items.map(\.kind)
    #expect(kinds == ["row", "row", "article", "banner"])
  }

  @Test func `S2.6 a size can follow the content`() throws {
    let size = try Screen("activity-spring").section("offers").layout.itemSize
    #expect(size == SectionLayout.ItemSize(width: .container, height: .content(minimum: 56)))
  }

  @Test func `S3.1 a section has inset, spacing, columns, a header, items and a footer`() throws {
    let screen = try Screen("activity-spring")
    let offers = try screen.section("offers", locale: "en")
    #expect(offers.header?.id == "offers.header")
    #expect(offers.header?.content["text"] == "Today's offers")
    #expect(offers.footer?.kind == "more")
    #expect(offers.footer?.action == Action(url: "app://offers", event: "spring_offers_more"))
    // The section's own member is laid over the kind's, which keeps the others.
    #expect(offers.layout.inset == SectionLayout.Inset(top: 8, leading: 13, bottom: 0, trailing: 13))
    #expect(offers.layout.lineSpacing == 1)
    #expect(offers.items.count == 4)
    let picks = try screen.section("picks").layout
    #expect(picks.rows == [2])
    #expect(picks.itemSpacing == 8)
  }

  @Test func `S3.2 a waterfall follows a plain list on the same page`() throws {
    let sections = try Screen("activity-spring").page().sections
    let offers = try #require(sections.firstIndex { $0.id == "offers" })
    #expect(sections[offers].layout.style == .list)
    #expect(sections[offers + 1].layout.style == .waterfall)
  }

  @Test func `S3.3 the kind's name binds a cell, and several sections may be of one kind`() throws {
    let screen = try Screen("activity-spring")
    #expect(screen.page().sections.filter { $0.kind == "outline" }.map(\.id) == ["faq", "terms"])
    for section in screen.page().sections {
      #expect(screen.kinds.sections[section.kind] != nil)
      #expect(section.everyItem.allSatisfy { screen.kinds.items[$0.kind] != nil })
    }
  }

  @Test func `S3.4 an action carries a URL or a handler, and a tracking event with its attributes`() throws {
    let scan = try #require(try Screen().section("middleNav").items.first { $0.id == "scan" })
    #expect(scan.action == Action(url: "app://scan", event: "home_nav_tap", attributes: ["slot": 1]))
    let all = try #require(try Screen().section("middleNav").items.first { $0.id == "all-channels" })
    #expect(all.action?.handler == "showAllChannels")
  }

  @Test func `S3.5 the size of every cell of a waterfall is known before the cell exists`() throws {
    let items = try Screen("activity-spring").section("picks").items
    #expect(items.map(\.aspect) == [0.75, 1, 1.5, 0.8, 1.25])
    for item in items {
      let image = try #require(item.content["image"])
      let width = try #require(image["width"]?.number).double
      let height = try #require(image["height"]?.number).double
      #expect(abs(width / height - (item.aspect?.double ?? 0)) < 1e-9)
    }
  }
}
