import HomePayload
import JSON
import Layout
import Service
import Testing

/// Rows that scroll sideways, and sizes that are of the screen.
@Suite struct ShelfTests {
  /// The kinds of the demo with those that docs/layout.md shows, and a page of apps.
  private func screen(_ layout: String = "{}", kind: String = "apps") throws -> Screen {
    let page = """
      hearth: 1
      pages:
        store:
          defaultLocale: en
          locales: [en, vi]
          sections:
            - id: best
              kind: \(kind)
              layout: \(layout)
              items: [{id: a, kind: row, content: {title: Chess}}, {id: b, kind: row, content: {title: Go}}]
      """
    return try Screen(page, example: "shelf")
  }

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
  }

  @Test func `a shelf is served to apps that know it, and a list to those that are too old`() throws {
    let new = try screen().section("best", ["platform": .text("ios"), "appVersion": version("6.3")])
    #expect(new.kind == "apps" && new.layout.style == .shelf)
    #expect(new.layout.rowCount == 3 && new.layout.paging == .item)
    let old = try screen().section("best", ["platform": .text("ios"), "appVersion": version("6.2")])
    #expect(old.kind == "appRows" && old.layout.style == .list && old.layout.rowCount == nil)
    #expect(old.items == new.items)
  }

  @Test(arguments: [
    "{peek: {trailing: 30}}", "{peek: {leading: 0, trailing: 12.5}, paging: centered}", "{columns: {minimum: 160}}",
    "{rowCount: 1, paging: none}", "{itemSize: {width: {fraction: 0.92, of: screen}}}", "{paging: group, rows: [2]}",
    "{itemSize: {width: column, height: {fraction: 0.5, of: screen}}}",
    "{itemSize: {width: {fraction: 0.5, of: container}}}",
  ])
  func `each member may be said, and what is written is read again`(layout: String) throws {
    let screen = try screen(layout)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(found(screen) == [])
    var page = screen.page()
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test func `a peek of a section is laid over its kind's, side by side, and differs by locale`() throws {
    let screen = try screen("{peek: {leading: {vi: 8, \"*\": 4}}, columns: {minimum: {vi: 200, \"*\": 160}}}")
    for (locale, peek, minimum) in [("vi", 8, 200), ("en", 4, 160)] as [(String, JSONNumber, JSONNumber)] {
      let layout = try screen.section("best", locale: locale).layout
      #expect(layout.peek == .init(leading: peek) && layout.columns == .init(minimum: minimum))
    }
    #expect(found(try self.screen("{peek: {leading: {vi: 8}}}")) == ["missing-locale /sections/0/layout/peek/leading"])
  }

  @Test func `a fraction of the container says nothing of it, one of the screen does`() throws {
    let container = try screen("{itemSize: {width: {fraction: 0.5, of: container}}}").section("best").layout
    #expect(container.itemSize?.width == .fraction(0.5))
    let whole = try screen(
      "{itemSize: {width: {fraction: 0.5, of: screen}, height: {fraction: 0.25, of: screen}}}"
    ).section("best").layout
    #expect(whole.itemSize == .init(width: .screenFraction(0.5), height: .screenFraction(0.25)))
  }

  @Test(arguments: [
    ("{rowCount: 0}", "rowCount must be a whole number from 1 to 24"),
    ("{rowCount: 2.5}", "rowCount must be a whole number from 1 to 24"),
    ("{columns: 160}", "columns must be an object, not a number"), ("{columns: {}}", "columns/minimum is required"),
    ("{columns: {minimum: 0}}", "columns/minimum must be from 1 to 100000 points"),
    ("{columns: {maximum: 3, minimum: 9}}", "columns/maximum is not a known member; known here: minimum"),
    ("{peek: 20}", "peek must be an object, not a number"),
    ("{peek: {left: 20}}", "peek/left is not a known member; known here: leading, trailing"),
    ("{peek: {trailing: -1}}", "peek/trailing must be from 0 to 100000 points"),
    ("{paging: page}", "paging must be one of none, item, group, centered"),
    ("{itemSize: {width: {fraction: 0.5, of: page}}}", "itemSize/width/of must be one of container, screen"),
    ("{itemSize: {width: {fraction: 1.2, of: screen}}}", "itemSize/width/fraction must be above 0 and at most 1"),
    (
      "{itemSize: {width: {points: 5, of: screen}}}",
      "itemSize/width/of is not a known member; known here: points, fraction, content, minimum, maximum"
    ),
    (
      "{itemSize: {height: {fraction: 0.5}}}",
      "itemSize/height must be {\"points\": n}, {\"aspect\": w/h}, {\"fraction\": f, \"of\": \"screen\"} "
        + "or {\"content\": {\"minimum\": n}}"
    ),
    ("{itemSize: {height: {fraction: 0.5, of: container}}}", "itemSize/height/of must be one of screen"),
  ])
  func `what makes no sense is told with its place`(layout: String, problem: String) throws {
    let screen = try screen(layout)
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.description) == ["/sections/0/layout/\(problem)"])
    #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map(\.code) == [.invalidContent])
  }

  @Test(arguments: [
    ("list", ["rows: [2]", "rowCount: 3", "columns: {minimum: 9}", "alignment: center", "peek: {leading: 1}"]),
    ("grid", ["rowCount: 3", "alignment: center", "peek: {leading: 1}", "paging: item"]),
    ("flow", ["rows: [2]", "rowCount: 3", "columns: {minimum: 9}", "peek: {leading: 1}", "paging: item"]),
    ("carousel", ["columns: {minimum: 9}", "alignment: center"]), ("shelf", ["alignment: center"]),
    ("waterfall", ["rowCount: 3", "paging: item"]), ("pinned", ["rows: [2]", "paging: none"]),
  ])
  func `a member that does nothing in its style is a warning`(style: String, members: [String]) throws {
    for member in members {
      let screen = try screen("{style: \(style), \(member)}")
      let name = member.prefix { $0 != ":" }
      #expect(found(screen) == ["unused-layout /sections/0/layout/\(name)"], "\(style) \(member)")
      #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon).allSatisfy { $0.severity == .warning })
    }
    #expect(found(try screen("{style: \(style)}")) == [])
  }

  @Test func `what a kind says beside its style is none of a page's business`() throws {
    #expect(found(try screen("{style: list}")) == [])
  }

  @Test func `the demo has a shelf, and a list for older apps`() throws {
    func section(_ version: String) throws -> Section {
      let version = AttributeValue.version(try #require(AppVersion(version)))
      return try Screen("discover").section("makers", ["platform": .text("ios"), "appVersion": version])
    }
    let (new, old) = (try section("6.3"), try section("6.2"))
    #expect(new.layout.style == .shelf && new.layout.rowCount == 3 && new.items.count == 8)
    #expect(old.kind == "list" && old.layout.style == .list && old.items == new.items)
  }
}
