import Foundation
import HomePayload
import JSON
import Layout
import Service
import Testing

/// What is around a section's items: a header that stays, and backgrounds.
@Suite struct ChromeTests {
  private static let kinds = """
    itemKinds:
      text: {content: {type: object, properties: {text: {type: string}}}}
    sectionKinds:
      rows: {layout: {style: list}, items: {kinds: [text]}, header: [text], footer: [text]}
    """

  private func screen(_ layout: String, settings: String = "", text: String = "", base: String? = nil) throws -> Screen
  {
    let page = """
      hearth: 1
      pages:
        news:
          defaultLocale: en
          locales: [en, vi]
          \(settings)
          sections:
            - id: best
              kind: rows
              layout: \(layout)
              items: [{id: a, kind: text, content: {text: Chess\(text)}}]
      """
    var screen = try Screen()
    screen.kinds = try Demo.kinds(Self.kinds).placingAssets(below: base)
    let document = try LayoutDocument(json: YAMLDocument(page).json, in: DefinitionContext())
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
    screen.definition = try #require(document.pages.first)
    return screen
  }

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
  }

  private static let address = "/v1/assets/" + String(repeating: "ab", count: 32) + ".png"

  @Test(arguments: [
    "{stickyHeader: true}", "{stickyHeader: false}", "{backgroundFrame: items}", "{sticky: true}",
    "{style: shelf, sticky: false}", "{sticky: true, stickyHeader: true}",
    "{background: {gradient: {stops: [{color: \"#FFFFFF\"}, {color: {light: \"#EEEEEE\", dark: \"#111111\"}}]}}}",
    "{background: {gradient: {angle: 360, stops: [{at: 0, color: \"#FFFFFF\"}, {at: 0, color: \"#EEEEEE\"}]}}}",
    "{background: {image: {url: \"https://example.com/a.png\", fit: contain}}}",
    "{background: {image: {light: {url: \"\(address)\"}, dark: {url: \"app://dark\", fit: stretch}}}}",
    "{background: {image: {url: \"\(address)\", width: 640, sources: [{url: \"\(address)\", width: 1280}]}}}",
    "{background: {border: {color: \"#0000001F\", width: 0.5}}, backgroundFrame: section}",
    "{background: {shadow: {color: \"#0000001F\", radius: 12, x: -4, y: {vi: 2, \"*\": 3}}}}",
    "{separator: {color: \"#0000001F\"}}", "{separator: {color: {light: \"#EEEEEE\", dark: \"#222222\"}, width: 0.5}}",
    "{style: shelf, separator: {color: \"#0000001F\", leading: {vi: 20, \"*\": 16}, trailing: 0}}",
  ])
  func `each member may be said, and what is written is read again`(layout: String) throws {
    let screen = try screen(layout)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(found(screen) == [])
    var page = screen.page()
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test(arguments: [
    ("{stickyHeader: 1}", "stickyHeader must be true or false, not a number"),
    ("{sticky: 1}", "sticky must be true or false, not a number"),
    ("{backgroundFrame: page}", "backgroundFrame must be one of inset, items, section"),
    ("{background: {gradient: {}}}", "background/gradient/stops is required"),
    (
      "{background: {gradient: {stops: [{color: \"#FFFFFF\"}]}}}",
      "background/gradient/stops must have at least 2 colours"
    ),
    (
      "{background: {gradient: {angle: 400, stops: [{color: \"#FFFFFF\"}, {color: \"#EEEEEE\"}]}}}",
      "background/gradient/angle must be a whole number from 0 to 360"
    ),
    (
      "{background: {gradient: {stops: [{at: 0, color: \"#FFFFFF\"}, {color: \"#EEEEEE\"}]}}}",
      "background/gradient/stops/1/at is required"
    ),
    (
      "{background: {gradient: {stops: [{at: 0.5, color: \"#FFFFFF\"}, {at: 0.4, color: \"#EEEEEE\"}]}}}",
      "background/gradient/stops/1/at must be from 0 to 1, and not below the one before"
    ),
    (
      "{background: {image: {url: a.png}}}",
      "background/image/url must be an absolute URI, or a picture's address /v1/assets/…"
    ),
    ("{background: {image: {fit: cover}}}", "background/image/url is required"),
    ("{background: {image: {light: {url: \"app://a\"}}}}", "background/image/dark is required"),
    ("{background: {border: {color: \"#000000\"}}}", "background/border/width is required"),
    ("{background: {shadow: {radius: 3}}}", "background/shadow/color is required"),
    ("{separator: {width: 2}}", "separator/color is required"),
    ("{separator: {color: \"#000000\", width: -1}}", "separator/width must be from 0 to 100000 points"),
    (
      "{separator: {color: \"#000000\", inset: 3}}",
      "separator/inset is not a known member; known here: color, width, leading, trailing"
    ),
    (
      "{background: {shadow: {color: \"#000000\", radius: 3, x: -1001}}}",
      "background/shadow/x must be from -1000 to 1000 points"
    ),
  ])
  func `what makes no sense is told with its place`(layout: String, problem: String) throws {
    let screen = try screen(layout)
    #expect(screen.kinds.problems(in: screen.definition).map(\.description) == ["/sections/0/layout/\(problem)"])
  }

  @Test func `colours of a gradient that say no place are as far from each other`() throws {
    let stops = "[{color: \"#FFFFFF\"}, {color: \"#EEEEEE\"}, {color: \"#DDDDDD\"}, {color: \"#CCCCCC\"}]"
    let layout = try screen("{background: {gradient: {stops: \(stops)}}}").section("best").layout
    #expect(layout.background?.gradient?.stops.map(\.at) == [0, 0.333, 0.666, 1])
    #expect(layout.background?.gradient?.angle == nil)
  }

  @Test func `a picture of Hearth's own has the address that clients get`() throws {
    let layout = "{background: {image: {url: \"\(Self.address)\"}}}"
    let screen = try screen(
      layout, settings: "background: {image: {url: \"\(Self.address)\"}}", base: "https://cdn.example.com")
    let whole = "https://cdn.example.com\(Self.address)"
    #expect(try screen.section("best").layout.background?.image?.picture(isDark: true).url == whole)
    #expect(screen.page().background?.image == .always(.init(url: whole)))
  }

  @Test(arguments: [
    "cornerRadius: 8", "border: {color: \"#000000\", width: 1}", "shadow: {color: \"#000000\", radius: 1}",
  ])
  func `a page fills the screen, so that it has no edge`(member: String) throws {
    let name = member.prefix { $0 != ":" }
    let refused = #expect(throws: InvalidDocument.self) {
      try self.screen("{}", settings: "background: {\(member)}")
    }
    #expect(refused?.problems.map(\.pointer.description) == ["/pages/news/background/\(name)"])
  }

  @Test(arguments: ["shelf", "carousel", "ticker", "pinned"])
  func `a header that cannot stay is a warning`(style: String) throws {
    #expect(
      found(try screen("{style: \(style), stickyHeader: true}")) == ["unused-layout /sections/0/layout/stickyHeader"])
  }

  @Test func `a section that floats cannot stay at the top as well, and any other may`() throws {
    for style in SectionLayout.Style.allCases {
      let problems = style == .pinned ? ["unused-layout /sections/0/layout/sticky"] : []
      #expect(found(try screen("{style: \(style.rawValue), sticky: true}")) == problems)
    }
  }

  @Test func `a line between rows is one point thick, and a section says what differs from its kind`() throws {
    let kinds = Self.kinds.replacingOccurrences(
      of: "{style: list}", with: "{style: list, separator: {color: \"#112233\", width: 2, leading: 8}}")
    var screen = try screen("{separator: {leading: 20}}")
    screen.kinds = try Demo.kinds(kinds)
    #expect(try screen.section("best").layout.separator == .init(color: "#112233", width: 2, leading: 20))
    let plain = try self.screen("{separator: {color: \"#000000\"}}").section("best").layout
    #expect(plain.separator == .init(color: "#000000", width: 1))
    let thicker = try self.screen("{separator: {color: \"#000000\", width: {vi: 2}, leading: {vi: 3}}}")
    #expect(try thicker.section("best").layout.separator == .init(color: "#000000", width: 1))
  }

  @Test(arguments: ["waterfall", "carousel", "ticker", "flow"])
  func `lines between what has no rows are a warning`(style: String) throws {
    #expect(
      found(try screen("{style: \(style), separator: {color: \"#000000\"}}"))
        == ["unused-layout /sections/0/layout/separator"])
  }

  @Test func `text is to be read on every colour of a gradient, and nobody knows on a picture`() throws {
    func problems(_ background: String, _ own: String = "") throws -> [String] {
      found(try screen("{background: \(background)}", text: ", textColor: \"#1C1B1A\"\(own)"))
    }
    let low = ["low-contrast /sections/0/items/0/content/textColor"]
    let (white, black) = ("{color: {light: \"#FFFFFF\", dark: \"#FFFFFF\"}}", "{color: \"#202020\"}")
    #expect(try problems("{gradient: {stops: [\(white), \(white)]}}") == [])
    #expect(try Set(problems("{gradient: {stops: [\(white), \(black)]}}")) == Set(low))
    #expect(try problems("{image: {url: \"app://a\"}}") == [])
    #expect(try Set(problems("{image: {url: \"app://a\"}}", ", backgroundColor: \"#202020\"")) == Set(low))
  }
}
