import JSON
import JSONSchema
import Layout
import Testing

@Suite struct KindsTests {
  private func problems(replacing text: String, with other: String, all: Bool = false) throws -> [DocumentProblem] {
    var kinds = try Demo.text("config/kinds.yaml")
    try #require(kinds.contains(text))
    kinds.replace(text, with: other, maxReplacements: all ? .max : 1)
    do {
      _ = try Demo.kinds(kinds)
      return []
    } catch let error as InvalidKinds {
      return error.problems
    }
  }

  @Test(arguments: [
    ("title: OTC", "title: OTC\n    colour: red", "/sectionKinds/otc/colour"),
    ("required: [image]", "required: image", "/itemKinds/banner/content/required"),
    ("action: required", "action: forced", "/itemKinds/more/action"),
    (#"requires: {ios: "5.0""#, "requires: {ios: 5.0", "/itemKinds/video/requires/ios"),
    ("kind: article\n", "kind: articel\n", "/itemKinds/video/fallback"),
    ("image: /cover", "image: cover", "/itemKinds/video/fallback/content/image"),
    ("children: [outlineHeader", "children: [outlineHead", "/itemKinds/outlineHeader/children"),
    ("items: {kinds: [ticker]", "items: {kinds: [tickr]", "/sectionKinds/marquee/items"),
    ("items: {kinds: [ticker], maximum", "items: {kinds: [ticker], most", "/sectionKinds/marquee/items/most"),
    (
      "smallWelfare: {kinds: [smallWelfare]", "small welfare: {kinds: [smallWelfare]",
      "/sectionKinds/walletCard/slots/small welfare"
    ),
    ("fallback: {kind: banner}", "fallback: {kind: stage}", "/sectionKinds/stage/fallback"),
    ("style: pinned", "style: floating", "/sectionKinds/bottomFloat/layout/style"),
    ("{points: 32}", "{points: -32}", "/sectionKinds/marquee/layout/itemSize/height/points"),
    ("{points: 32}", "{points: 32, aspect: 2}", "/sectionKinds/marquee/layout/itemSize/height"),
    ("{points: 32}", "{points: {zh: 32}}", "/sectionKinds/marquee/layout/itemSize/height/points"),
    ("rows: [2, 3]", "rows: [2, 0]", "/sectionKinds/bottomNav/layout/rows"),
    ("depth: 4", "depth: 9", "/sectionKinds/outline/depth"),
    ("itemKinds:", "itemKind:", "/itemKind"),
    ("    items: {kinds: [ticker], maximum: 50}\n", "", "/sectionKinds/marquee"),
    ("  color:\n", "  unused: {type: colour}\n  color:\n", "/$defs/unused/type"),
  ])
  func `a wrong kinds file is refused at the place that is wrong`(text: String, other: String, place: String) throws {
    let found = try problems(replacing: text, with: other)
    #expect(found.map(\.pointer.description).contains(place), "\(found)")
    if !text.hasPrefix("itemKinds"), !text.hasPrefix("smallWelfare"), !text.hasPrefix("children") {
      #expect(found.count == 1, "\(found)")
    }
  }

  @Test func `a wrong schema that kinds share is reported once, with the kinds that use it`() throws {
    let found = try problems(replacing: "maxLength: 80", with: "maxContains: 80")
    #expect(found.map(\.pointer.description) == ["/$defs/text/maxContains"])
    #expect(found.first?.detail.contains("used by the item kinds article, banner, broadcast") == true)
  }

  @Test func `a picture may be one for each locale, and each of them is checked`() throws {
    let schema = try #require(try Demo.kinds.get().items["banner"]).schema
    func problems(_ image: JSON) -> [String] { schema.problems(in: ["image": image]).map(\.pointer.description) }
    let url: JSON = "https://cdn.example.com/a.png"
    #expect(problems(["url": url]) == [])
    #expect(problems(["zh-Hans": ["url": url], "*": ["url": url, "width": 3]]) == [])
    #expect(problems(["zh-Hans": ["url": url], "en": ["width": 3]]) == ["/image/en/url"])
    #expect(problems(["url": "http://cdn.example.com/a.png"]) == ["/image/url"])
    #expect(problems(["zh-Hans": ["url": url], "nowhere at all": ["url": url]]).isEmpty == false)
  }
}
