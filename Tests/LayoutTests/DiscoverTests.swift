import HomePayload
import JSON
import Layout
import Testing

/// The demo's discover and search pages use what a home does not need.
@Suite struct DiscoverTests {
  private static func client(_ version: String) throws -> AttributeValues {
    ["platform": .text("ios"), "appVersion": .version(try #require(AppVersion(version)))]
  }

  @Test func `words flow, and apps that are too old for that get them one a line`() throws {
    for (page, section) in [("discover", "topics"), ("search", "history"), ("search", "popular")] {
      let flow = try Screen(page).section(section, try Self.client("6.2"))
      #expect(flow.kind == "tags" && flow.layout.style == .flow)
      #expect(flow.layout.itemSize?.width == .content(minimum: 60, maximum: 200))
      #expect(flow.layout.headerSize != nil && flow.items.count >= 3)
      let old = try Screen(page).section(section, try Self.client("6.1"))
      #expect(old.kind == "tagRows" && old.layout.style == .list && old.items.count == flow.items.count)
    }
    #expect(try Screen("search").section("popular").layout.alignment == .justified)
  }

  @Test(arguments: [("zh-Hans", "发现"), ("vi", "Khám phá"), ("en", "Discover"), ("ar", "اكتشف")])
  func `the screen has a title, a bar and a background in each locale`(locale: String, title: String) throws {
    let page = try Screen("discover").page(locale: locale)
    #expect(page.title == title && page.inset != nil)
    #expect(page.direction == (locale == "ar" ? .rightToLeft : nil))
    #expect(page.background?.color == .themed(light: "#F6F4F0", dark: "#141312"))
    #expect(page.bar?.leading.map(\.id) == ["city"] && page.bar?.trailing.map(\.id) == ["search"])
    #expect(page.bar?.leading.first?.accessibility?.hint?.isEmpty == false)
    let action = try #require(page.bar?.leading.first?.action)
    #expect(action.handler == "chooseCity" && action.url != nil && action.arguments != nil)
  }

  @Test func `slots have sizes, corners differ, a header is enough, and pictures have a dark form`() throws {
    let scenes = try Screen("discover").section("scenes")
    #expect(scenes.layout.slotSizes.keys.sorted() == ["lead"])
    guard case .each(let corners)? = scenes.layout.background?.cornerRadius else {
      Issue.record("the corners are the same")
      return
    }
    #expect(corners.topLeading == 16 && corners.topTrailing == 4)
    let lead = try #require(scenes.slots["lead"])
    #expect(lead.content["image"]?["dark"] != nil && lead.accessibility?.label?.isEmpty == false)
    let heading = try Screen("discover").section("forYou")
    #expect(heading.header != nil && heading.items.isEmpty && heading.slots.isEmpty)
  }

  @Test func `a long feed has its first items in the page, one section waits, and one is the app's to fill`() throws {
    let screen = try Screen("discover")
    let stories = try #require(screen.definition.sections.first { $0.id == "stories" })
    #expect(stories.content.items.count > 20 && stories.settings.loading.firstItems == 10)
    #expect(try screen.section("likes").load == .client)
    #expect(try screen.section("likes").source?.url.hasPrefix("https://") == true)
    #expect(try screen.section("likes").items.map(\.id) == ["sign-in"])
    #expect(try Screen("search").section("history").source?.url == "app://search/history")
  }
}
