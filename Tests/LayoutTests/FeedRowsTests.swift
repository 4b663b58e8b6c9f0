import HomePayload
import JSON
import Layout
import Testing

@Suite struct FeedRowsTests {
  private let newest: AttributeValues = ["platform": .text("ios")]

  @Test func `S4.1 S4.2 pages, sections and items are compared by what they hold`() throws {
    var screen = try Screen()
    let page = screen.page()
    #expect(Set([page, screen.page()]).count == 1)
    try screen.edit("otc") { $0.content.items[0].content["title"] = "OTC" }
    #expect(screen.page() != page)
    #expect(screen.page().sections.filter { !page.sections.contains($0) }.map(\.id) == ["otc"])
  }

  @Test func `S4.2 ids are unique: sections in the page, items in their section at any depth`() throws {
    for name in ["home", "activity-spring"] {
      let page = try Screen(name).page()
      #expect(Set(page.sections.map(\.id)).count == page.sections.count)
      for section in page.sections {
        let ids = section.everyItem.map(\.id)
        #expect(Set(ids).count == ids.count, "\(section.id)")
      }
    }
  }

  @Test func `S4.3 content is ready to show: one text and one picture, those of the locale`() throws {
    let banner = try #require(try Screen().section("beltAndRoad", locale: "vi").items.first)
    #expect(banner.content["title"] == "Hội chợ Con đường Tơ lụa")
    #expect(try banner.content["image"]?["url"] == Demo.picture("home/belt/silk-road-fair.vi", of: "home"))
    // A picture for any other locale is there for English.
    let english = try #require(try Screen().section("beltAndRoad", locale: "en").items.first)
    #expect(try english.content["image"]?["url"] == Demo.picture("home/belt/silk-road-fair.en", of: "home"))
  }

  @Test func `S4.4 a feed mixes kinds, newest first, with one item kept on top`() throws {
    let stories = try Screen("activity-spring").section("stories")
    #expect(
      stories.items.map(\.id) == ["how-to-share", "hanoi-bloom", "picnic-video", "seeds-restock", "tea-mountain"])
    #expect(Set(stories.items.map(\.kind)) == ["article", "video", "product"])
    let moments = try stories.items.dropFirst().map { item in
      try #require(item.content["date"]?.string.flatMap { Instant($0) })
    }
    #expect(moments == moments.sorted(by: >))
  }

  @Test func `S4.4 a feed sorts instants whatever their offsets, items without a date last`() throws {
    var screen = try Screen("activity-spring")
    try screen.edit("stories") { section in
      let dates: [JSON?] = ["2026-03-01T09:00:00+08:00", "2026-03-01T02:00:00Z", nil, "2026-03-01T08:59:59+07:00"]
      section.content.items = dates.enumerated().map { number, date in
        var content: JSONObject = ["title": "x"]
        content["date"] = date
        return ItemDefinition(id: "i\(number)", kind: "article", content: content)
      }
    }
    // 01:00Z, 02:00Z, none, 01:59:59Z
    #expect(try screen.section("stories").items.map(\.id) == ["i1", "i3", "i0", "i2"])
    try screen.edit("stories") { $0.settings.itemOrder?.isDescending = false }
    #expect(try screen.section("stories").items.map(\.id) == ["i0", "i3", "i1", "i2"])
  }

  @Test(arguments: [(nil, "活动"), ("vi", "Chương trình"), ("en", "The spring activity"), ("fr", "春日活动")])
  func `S4.5 a page with nothing to show says what to show instead`(locale: String?, beginning: String) throws {
    var screen = try Screen("activity-spring")
    #expect(screen.page(locale: locale).emptyState == nil)
    for position in screen.definition.sections.indices { screen.definition.sections[position].settings.isHidden = true }
    let page = screen.page(locale: locale)
    #expect(page.sections == [])
    let state = try #require(page.emptyState)
    #expect(state.kind == "notice")
    #expect(state.content["text"]?.string?.contains(beginning) == true)
    #expect(state.action?.url == "app://home")
  }

  @Test func `S1.5 the empty section of the demo is not in the payload`() throws {
    let assembled = try Screen("activity-spring").assembled()
    #expect(assembled.page.sections.map(\.id) == ["stage", "offers", "picks", "faq", "terms", "stories"])
    #expect(assembled.hidden.map(\.section) == ["comingSoon"])
    #expect(assembled.hidden.map(\.reason) == [.empty])
  }

  @Test(arguments: ["faq", "terms"])
  func `S5.1 S5.2 S5.3 S5.4 each outline is three levels deep, of several kinds, and says what starts expanded`(
    id: String
  ) throws {
    let section = try Screen("activity-spring").section(id)
    #expect(section.layout.style == .outline)
    #expect(section.items.map(\.levels).max() == 3)
    #expect(section.items.first?.expanded == true)
    let topic = try #require(section.items.first)
    let question = try #require(topic.children.first)
    #expect(question.kind == "outlineHeader")
    #expect(question.children.first?.kind == "outlineRow")
    // An item without children says nothing of expanding.
    #expect(section.everyItem.allSatisfy { !$0.children.isEmpty || $0.expanded == nil })
  }

  @Test func `S5.5 one outline is updated alone: the other sections stay what they were`() throws {
    var screen = try Screen("activity-spring")
    let before = screen.page()
    try screen.edit("faq") { $0.content.items[0].children[0].expanded = true }
    let after = screen.page()
    #expect(after.sections.filter { !before.sections.contains($0) }.map(\.id) == ["faq"])
    #expect(try screen.section("faq") == after.sections.first { $0.id == "faq" })
  }
}

extension Item {
  /// The levels of the tree that the item begins, itself included.
  var levels: Int { 1 + (children.map(\.levels).max() ?? 0) }
}
