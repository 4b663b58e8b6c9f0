import HomePayload
import JSON
import Layout
import Service
import Testing

/// Widths and heights of at least and at most so much, heights of lines, and an aspect of all items.
@Suite struct SizesTests {
  private func screen(_ size: String, style: String = "list", picture: String = "{}") throws -> Screen {
    let page = """
      hearth: 1
      pages:
        store:
          defaultLocale: en
          locales: [en, vi]
          sections:
            - id: best
              kind: apps
              layout: {style: \(style), itemSize: \(size)}
              items: [{id: a, kind: row, content: {title: Chess}}]
            - id: pictures
              kind: waterfall
              layout: \(picture)
              items: [{id: p, kind: banner, content: {image: {url: "https://example.com/p.png"}, title: P}}]
      """
    return try Screen(page, example: "shelf")
  }

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
      .filter { !$0.hasPrefix("unused-layout") && !$0.hasPrefix("image-without-size") }
  }

  @Test(arguments: [
    "{width: {fraction: 0.92, minimum: 200, maximum: {fraction: 0.9, of: screen}}}",
    "{width: {points: 300, maximum: {fraction: 0.5}}}", "{width: {content: {minimum: 60}, maximum: {fraction: 0.6}}}",
    "{width: {fraction: 0.5, of: screen, minimum: {fraction: 0.5, of: container}}}",
    "{width: {points: {vi: 80, \"*\": 60}, minimum: {vi: 70, \"*\": 50}, maximum: 90}}",
    "{height: {aspect: 1.5, maximum: 300}}", "{height: {content: {minimum: 44, lines: 2}, maximum: 90}}",
    "{height: {content: {lines: {vi: 3, \"*\": 2}}}}", "{height: {points: 90, maximum: {fraction: 0.2, of: screen}}}",
    "{height: {fraction: 0.5, of: screen, minimum: 100}}",
    "{width: {fraction: 0.5, minimum: {fraction: {vi: 0.5, \"*\": 0.4}}, maximum: {fraction: 0.6}}}",
  ])
  func `each form may be said, and what is written is read again`(size: String) throws {
    let screen = try screen(size)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(found(screen) == [])
    var page = screen.page()
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test func `bounds are served as they are said, each locale its own`() throws {
    let size = """
      {width: {fraction: 0.92, minimum: {vi: 240, "*": 200}, maximum: {fraction: 0.9, of: screen}},
      height: {content: {lines: 2}, minimum: 50}}
      """
    for (locale, least) in [("vi", 240), ("en", 200)] as [(String, JSONNumber)] {
      let layout = try screen(size).section("best", locale: locale).layout
      #expect(
        layout.itemSize?.width == .bounded(.fraction(0.92), minimum: .points(least), maximum: .screenFraction(0.9)))
      #expect(layout.itemSize?.height == .bounded(.lines(2, minimum: 0), minimum: .points(50), maximum: nil))
    }
  }

  private static let width =
    "must be \"container\", \"column\", {\"points\": n}, {\"fraction\": f}, {\"fraction\": f, \"of\": \"screen\"} "
    + "or {\"content\": {\"minimum\": n, \"maximum\": n}}"

  @Test(arguments: [
    ("{width: {minimum: 5}}", "width \(width)"),
    ("{width: {points: 5, minimum: -1}}", "width/minimum must be from 0 to 100000 points"),
    ("{width: {points: 5, minimum: {fraction: 2}}}", "width/minimum/fraction must be above 0 and at most 1"),
    ("{width: {points: 5, minimum: {of: screen}}}", "width/minimum/fraction is required"),
    ("{width: {points: 5, minimum: {fraction: 1, of: moon}}}", "width/minimum/of must be one of container, screen"),
    (
      "{width: {points: 5, maximum: {fraction: 1, points: 3}}}",
      "width/maximum/points is not a known member; known here: fraction, of"
    ),
    (
      "{width: {points: 5, minimum: 90, maximum: 80}}",
      "width/minimum must not be above 'maximum', which is 80; it is 90"
    ),
    (
      "{width: {points: 5, minimum: {fraction: 0.9}, maximum: {fraction: 0.8}}}",
      "width/minimum/fraction must not be above 'maximum', which is 0.8; it is 0.9"
    ),
    ("{height: {points: 5, minimum: {fraction: 0.9}}}", "height/minimum/of is required"),
    ("{height: {points: 5, minimum: {fraction: 0.9, of: container}}}", "height/minimum/of must be one of screen"),
    ("{height: {content: {lines: 0}}}", "height/content/lines must be a whole number from 1 to 20"),
    ("{height: {content: {lines: 1.5}}}", "height/content/lines must be a whole number from 1 to 20"),
    ("{height: {content: {lines: 21}}}", "height/content/lines must be a whole number from 1 to 20"),
    (
      "{width: {content: {lines: 2}}}",
      "width/content/lines is not a known member; known here: minimum, maximum"
    ),
  ])
  func `a wrong size says where and what would be right`(size: String, problem: String) throws {
    let screen = try screen(size)
    let problems = screen.kinds.problems(in: screen.definition).map(\.description)
    #expect(problems == ["/sections/0/layout/itemSize/\(problem)"])
  }

  @Test func `bounds of what is not the same are no contradiction`() throws {
    let size = "{width: {points: 5, minimum: {fraction: 0.9}, maximum: {fraction: 0.8, of: screen}}}"
    let screen = try screen(size)
    #expect(screen.kinds.problems(in: screen.definition) == [])
  }

  @Test func `a group needs a height without content, bounded or not`() throws {
    let group = "group: {cells: [{column: 0, row: 0}], columns: [1], rows: [1]}"
    func problems(_ height: String) throws -> [String] {
      let screen = try screen("{height: \(height)}, \(group)", style: "grid")
      return screen.kinds.problems(in: screen.definition).map { "\($0.pointer)" }
    }
    #expect(try problems("{aspect: 2, maximum: 90}") == [])
    #expect(try problems("{content: {lines: 2}}") == ["/sections/0/layout/group"])
    #expect(try problems("{content: {}, maximum: 90}") == ["/sections/0/layout/group"])
  }

  @Test func `a group's bounds count where its columns are wider than it`() throws {
    let group = "group: {cells: [{column: 0, row: 0}], columns: [{points: 200}], rows: [1]}"
    func isWide(_ width: String) throws -> Bool {
      try found(screen("{width: \(width), height: {points: 9}}, \(group)", style: "grid"))
        .contains("wide-group /sections/0/layout/group/columns")
    }
    #expect(try !isWide("{fraction: 0.9}") && isWide("{fraction: 0.9, maximum: 180}"))
    #expect(try isWide("{fraction: 0.5}") && !isWide("{fraction: 0.5, minimum: {fraction: 0.7, of: screen}}"))
  }

  @Test func `an aspect of all items stands in for the size of a waterfall's pictures`() throws {
    func codes(_ layout: String) throws -> [String] {
      let screen = try screen("{width: {points: 9}}", picture: layout)
      return screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map(\.code.rawValue)
        .filter { $0 == "image-without-size" }
    }
    #expect(try codes("{}") == ["image-without-size"])
    #expect(try codes("{itemSize: {height: {aspect: 0.75}}}") == [])
    #expect(try codes("{itemSize: {height: {content: {lines: 2}}}}") == ["image-without-size"])
  }
}
