import HomePayload
import JSON
import Layout
import Service
import Testing

/// Cells as wide as their text, in lines that wrap.
@Suite struct FlowTests {
  /// The kinds of the demo with those that docs/layout.md shows, and a page of chips.
  private func screen(_ layout: String = "{}") throws -> Screen {
    let page = """
      hearth: 1
      pages:
        search:
          defaultLocale: en
          locales: [en, vi]
          sections:
            - id: history
              kind: chips
              layout: \(layout)
              items: [{id: a, kind: ticker, content: {text: Tea}}, {id: b, kind: ticker, content: {text: Rice}}]
      """
    return try Screen(page, example: "flow")
  }

  @Test func `a flow is served to apps that know it, and a list to those that are too old`() throws {
    let new = try screen().section("history", ["platform": .text("ios"), "appVersion": version("6.2")])
    #expect(new.kind == "chips")
    #expect(new.layout.style == .flow)
    #expect(new.layout.alignment == .leading)
    #expect(new.layout.itemSize?.width == .content(minimum: 60, maximum: 200))
    let old = try screen().section("history", ["platform": .text("ios"), "appVersion": version("6.1")])
    #expect(old.kind == "chipRows")
    #expect(old.layout.style == .list)
    #expect(old.layout.itemSize?.width == .container)
    #expect(old.items == new.items)
  }

  @Test(arguments: ["{}", "{minimum: 60}", "{maximum: 90.5}", "{minimum: 60, maximum: 60}"])
  func `each bound may be left out, and what is written is read again`(bounds: String) throws {
    let screen = try screen("{alignment: justified, itemSize: {width: {content: \(bounds)}}}")
    #expect(screen.kinds.problems(in: screen.definition) == [])
    var page = screen.page()
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
    #expect(page.sections[0].layout.alignment == .justified)
  }

  @Test func `bounds may differ by locale`() throws {
    let screen = try screen("{itemSize: {width: {content: {minimum: {vi: 80, \"*\": 60}, maximum: 80}}}}")
    #expect(screen.kinds.problems(in: screen.definition) == [])
    for (locale, minimum) in [("vi", 80), ("en", 60)] as [(String, JSONNumber)] {
      let width = try screen.section("history", locale: locale).layout.itemSize?.width
      #expect(width == .content(minimum: minimum, maximum: 80))
    }
  }

  @Test(arguments: [
    ("{content: {minimum: 201, maximum: 200}}", "/content/minimum"),
    ("{content: {minimum: {vi: 300, \"*\": 60}, maximum: 200}}", "/content/minimum/vi"),
    ("{content: {minimum: 60, maximum: {vi: 59, \"*\": 60}}}", "/content/minimum"),
    ("{content: {maximum: -1}}", "/content/maximum"), ("{content: {least: 1}}", "/content/least"),
    ("{content: 60}", "/content"), ("{content: {}, points: 3}", ""), ("{}", ""),
  ])
  func `a width that makes no sense is told with its place`(width: String, place: String) throws {
    let screen = try screen("{itemSize: {width: \(width)}}")
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.pointer.description)
        == ["/sections/0/layout/itemSize/width\(place)"])
    #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map(\.code) == [.invalidContent])
  }

  @Test func `an alignment is one of four words`() throws {
    let screen = try screen("{alignment: middle}")
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.description) == [
        "/sections/0/layout/alignment must be one of leading, center, trailing, justified"
      ])
  }

  @Test func `a change of widths is a change of the layout, and nothing else`() throws {
    var (old, new) = (try screen().page(), try screen("{alignment: center}").page())
    (old.version, new.version) = ("0", "1")
    let changes = ChangeSet.changes(from: old, to: new)
    #expect(changes.sections.updates.map(\.set.names) == [["layout"]])
    #expect(try old.applying(changes) == new)
  }
}
