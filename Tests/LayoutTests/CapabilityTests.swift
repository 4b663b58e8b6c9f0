import HomePayload
import JSON
import Layout
import Testing

@Suite struct CapabilityTests {
  private func attributes(_ platform: String, _ appVersion: String) throws -> AttributeValues {
    ["platform": .text(platform), "appVersion": try version(appVersion)]
  }

  @Test(arguments: [
    ("ios", "5.0", "video"), ("ios", "4.9.9", "article"), ("android", "5.1", "video"), ("android", "5.0.9", "article"),
    ("web", "1.0", "video"),
  ])
  func `an item that an app cannot draw is drawn as its fallback, its content mapped`(
    platform: String, appVersion: String, kind: String
  ) throws {
    let stories = try Screen("activity-spring").section("stories", locale: "en", attributes(platform, appVersion))
    let item = try #require(stories.items.first { $0.id == "picnic-video" })
    #expect(item.kind == kind)
    #expect(item.content["title"] == "A picnic in a minute")
    #expect((item.content["cover"] == nil) == (kind == "article"))
    let picture = try Demo.picture("spring/stories/picnic", of: "activity-spring")
    #expect((item.content["image"]?["url"] == picture) == (kind == "article"))
    #expect(stories.items.map(\.id)[2] == "picnic-video")
  }

  @Test func `a client that does not say what it is can draw everything`() throws {
    let page = try Screen("activity-spring").page()
    #expect(page.sections.first?.kind == "stage")
    #expect(page.sections.last?.items.contains { $0.kind == "video" } == true)
  }

  @Test func `a section that an app cannot draw is drawn by the layout of its fallback`() throws {
    let stage = try Screen("activity-spring").section("stage", attributes("ios", "5.9"))
    #expect(stage.kind == "banner")
    #expect(stage.layout.itemSize?.height == .aspect(2.5))
    #expect(try Screen("activity-spring").section("stage", attributes("ios", "6.0")).kind == "stage")
  }

  @Test func `a preview tells what is drawn as a fallback, and which items are left out`() throws {
    let old = try Screen("activity-spring").assembled(try attributes("ios", "4.9")).replaced.map {
      "\($0.section ?? "")/\($0.item ?? "") \($0.kind) by \($0.by)"
    }
    #expect(old.contains("stage/ stage by banner"))
    #expect(old.contains("stories/picnic-video video by article"))
    #expect(try Screen("activity-spring").assembled(try attributes("ios", "6.0")).replaced == [])

    var text = try Demo.text("config/kinds.yaml")
    let fallback = try #require(text.firstRange(of: "    fallback:\n"))
    let end = try #require(text[fallback.upperBound...].firstRange(of: /\n {0,4}[^ \n]/))
    text.replaceSubrange(fallback.lowerBound...end.lowerBound, with: "")
    var screen = try Screen("activity-spring")
    screen.kinds = try Demo.kinds(text)
    let hidden = screen.assembled(try attributes("ios", "4.9")).hiddenItems
    #expect(hidden.contains { $0.section == "stories" && $0.item == "picnic-video" && $0.reason == .capability })
  }

  @Test func `without a fallback it is left out, and the reason is given`() throws {
    var text = try Demo.text("config/kinds.yaml")
    text.replace("    fallback: {kind: banner}\n", with: "")
    var screen = try Screen("activity-spring")
    screen.kinds = try Demo.kinds(text)
    let assembled = screen.assembled(try attributes("android", "5.2"))
    #expect(!assembled.page.sections.contains { $0.id == "stage" })
    #expect(assembled.hidden.first?.section == "stage")
    #expect(assembled.hidden.first?.reason == .capability)
  }
}
