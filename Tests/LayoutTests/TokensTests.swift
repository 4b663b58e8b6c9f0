import HomePayload
import JSON
import Layout
import Service
import Testing

/// Colours and spacings that have names.
@Suite struct TokensTests {
  private static let tokens = """
    tokens:
      brand: {light: "#B42318", dark: "#FDA29B", highContrast: {light: "#7A0000", dark: "#FFFFFF"}}
      paper: {light: "#FFFFFF", dark: "#101010"}
      ink: "#101010"
      gutter: {vi: 16, "*": 12}

    """

  private static func kinds(_ tokens: String = tokens) throws -> Kinds {
    try Demo.kinds(tokens + Demo.text("config/kinds.yaml"))
  }

  private func screen(
    layout: String = "{}", page: String = "", content: String = "{title: Chess}", item: String = ""
  ) throws -> Screen {
    let text = """
      hearth: 1
      pages:
        home:
          defaultLocale: en
          locales: [en, vi]
      \(page.isEmpty ? "" : "    \(page)")
          sections:
            - id: best
              kind: middleNav
              layout: \(layout)
              header: {kind: title, content: {text: Best}}
              items: [{id: a, kind: navigation, content: \(content)\(item)}]
      """
    var screen = try Screen()
    screen.kinds = try Self.kinds()
    let document = try LayoutDocument(json: YAMLDocument(text).json, in: DefinitionContext())
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
    screen.definition = try #require(document.pages.first)
    return screen
  }

  private func problems(_ screen: Screen) -> [String] {
    screen.kinds.problems(in: screen.definition).map(\.description)
  }

  private static let brand = SectionLayout.Color.contrasted(
    light: "#B42318", dark: "#FDA29B", highContrast: .init(light: "#7A0000", dark: "#FFFFFF"))

  @Test func `names in layouts, insets and backgrounds are what the kinds say, each locale its own`() throws {
    let screen = try screen(
      layout: """
        {itemSpacing: {$token: gutter}, inset: {leading: {$token: gutter}},
        background: {color: {$token: brand}, cornerRadius: {$token: gutter}, border: {color: {$token: ink}, width: 1},
        gradient: {stops: [{color: {$token: brand}}, {color: "#000000"}]}}}
        """,
      page: "inset: {top: {$token: gutter}}", item: ", inset: {top: {$token: gutter}}")
    #expect(problems(screen) == [])
    #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon) == [])
    for (locale, gutter) in [("vi", 16), ("en", 12)] as [(String, JSONNumber)] {
      let page = screen.page(locale: locale)
      let layout = try #require(page.sections.first?.layout)
      #expect(layout.itemSpacing == gutter && layout.inset?.leading == gutter && page.inset?.top == gutter)
      #expect(page.sections.first?.items.first?.inset?.top == gutter)
      #expect(layout.background?.color == Self.brand && layout.background?.cornerRadius == .all(gutter))
      #expect(layout.background?.border?.color == "#101010")
      #expect(layout.background?.gradient?.stops.first?.color == Self.brand)
      var copy = page
      copy.version = "0"
      #expect(try Page(bytes: copy.canonicalBytes) == copy)
    }
  }

  @Test func `names in a map by locale are what they stand for there`() throws {
    let screen = try screen(
      layout: """
        {itemSpacing: {en: {$token: gutter}, vi: 4}, lineSpacing: {en: 3, "*": {$token: gutter}},
        inset: {leading: {vi: {$token: gutter}, "*": {$token: thin}}},
        background: {color: {light: {$token: ink}, dark: "#FFFFFF"}}}
        """)
    var named = screen
    named.kinds = try Self.kinds(Self.tokens.replacing("tokens:\n", with: "tokens:\n  thin: 2\n"))
    #expect(problems(named) == [])
    #expect(named.definition.lint(kinds: named.kinds, at: Demo.noon) == [])
    for (locale, spacing, line, leading) in [("vi", 4, 16, 16), ("en", 12, 3, 2)]
      as [(String, JSONNumber, JSONNumber, JSONNumber)]
    {
      let layout = try named.section("best", locale: locale).layout
      #expect(layout.itemSpacing == spacing && layout.lineSpacing == line && layout.inset?.leading == leading)
      #expect(layout.background?.color == .themed(light: "#101010", dark: "#FFFFFF"))
    }
    // Without `thin` each place of it is told.
    func places(_ screen: Screen) -> [String] {
      screen.kinds.problems(in: screen.definition).map(\.pointer.description)
    }
    #expect(places(screen) == ["/sections/0/layout/inset/leading/*"])
    let other = try self.screen(
      layout: """
        {itemSpacing: {en: {$token: ink}, vi: 1}, background: {color: {light: {$token: brand}, dark: "#000000"}}}
        """)
    #expect(
      Set(places(other)) == ["/sections/0/layout/itemSpacing/en", "/sections/0/layout/background/color/light"])
  }

  @Test func `names in a content's map by locale are what they stand for there`() throws {
    var document = try #require(Self.kinds().document.object)
    var items = try #require(document["itemKinds"]?.object)
    items["navigation"] = [
      "content": [
        "type": "object",
        "properties": [
          "title": ["type": "string"], "gap": ["type": "number", "x-localized": true],
          "tone": ["type": "string", "x-localized": true],
        ],
      ]
    ]
    document["itemKinds"] = .object(items)
    let content = "{title: Chess, gap: {en: 5, \"*\": {$token: gutter}}, tone: {en: {$token: ink}, vi: \"#FFFFFF\"}}"
    var screen = try screen(content: content)
    screen.kinds = try Kinds(json: .object(document))
    #expect(problems(screen) == [])
    for (locale, gap, tone) in [("vi", 16, "#FFFFFF"), ("en", 5, "#101010")] as [(String, JSON, JSON)] {
      let content = try screen.section("best", locale: locale).items.first?.content
      #expect(content?["gap"] == gap && content?["tone"] == tone)
    }
  }

  @Test func `names in contents are what their schemas take`() throws {
    let kinds = try Self.kinds().document
    var document = try #require(kinds.object)
    var items = try #require(document["itemKinds"]?.object)
    items["navigation"] = [
      "content": ["type": "object", "properties": ["title": ["type": "string"], "tone": ["$ref": "#/$defs/tone"]]]
    ]
    document["itemKinds"] = .object(items)
    var screen = try screen(content: "{title: Chess, tone: {$token: brand}}")
    screen.kinds = try Kinds(json: .object(document))
    #expect(problems(screen) == [])
    let content = try screen.section("best").items.first?.content
    #expect(content?["tone"] == ["light": "#B42318", "dark": "#FDA29B"])
    screen = try self.screen(content: "{title: {$token: gutter}}")
    screen.kinds = try Kinds(json: .object(document))
    #expect(problems(screen).count == 1)
  }

  private static let known = "declared are brand, gutter, ink, paper"

  @Test func `an unknown name is a problem at its place, before it is kept and in lint`() throws {
    let screen = try screen(
      layout: "{itemSpacing: {$token: gap}, background: {color: {$token: brnd}}}",
      page: "background: {color: {$token: night}}", content: "{title: {$token: word}}",
      item: ", inset: {top: {$token: gap}}")
    #expect(
      problems(screen) == [
        "/background/color there is no token \"night\"; \(Self.known)",
        "/sections/0/layout/itemSpacing there is no token \"gap\"; \(Self.known)",
        "/sections/0/layout/background/color there is no token \"brnd\"; \(Self.known)",
        "/sections/0/items/0/inset/top there is no token \"gap\"; \(Self.known)",
        "/sections/0/items/0/content/title there is no token \"word\"; \(Self.known)",
      ])
    let found = screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
    #expect(found.contains("invalid-content /background/color"))
    #expect(found.contains("invalid-content /sections/0/layout/itemSpacing"))
    #expect(Set(found.filter { $0.hasPrefix("invalid-content") }).count == 5)
  }

  @Test func `what a name stands for has to fit`() throws {
    let screen = try screen(layout: "{itemSpacing: {$token: ink}, background: {color: {$token: gutter}}}")
    #expect(problems(screen).map { $0.prefix(36) }.count == 2)
  }

  @Test(arguments: [
    ("{a: 100001}", "/tokens/a must be from 0 to 100000 points"),
    ("{a: \"red\"}", "/tokens/a must be a colour #RRGGBB or #RRGGBBAA, or {\"light\": one, \"dark\": one}"),
    ("{a: {light: \"#FFFFFF\"}}", "/tokens/a/dark is required"),
    ("{a: {vi: 3}}", "/tokens/a must have a value for \"*\", any other locale"),
    ("{a: {$token: b}, b: 3}", "/tokens/a there is no token \"b\"; declared are none"),
  ])
  func `wrong tokens are refused with the file`(tokens: String, problem: String) throws {
    #expect(throws: InvalidKinds.self) { try Self.kinds("tokens: \(tokens)\n") }
    do { _ = try Self.kinds("tokens: \(tokens)\n") } catch let error as InvalidKinds {
      #expect(error.problems.map(\.description) == [problem])
    }
  }

  @Test func `the tokens of docs/kinds.md are tokens`() throws {
    let kinds = try Self.kinds(Demo.example("tokens", in: "docs/kinds.md"))
    #expect(kinds.document["tokens"]?.object?.names == ["brand", "gutter"])
  }

  @Test func `another value makes other kinds, and says so`() throws {
    let old = try Self.kinds("tokens: {brand: \"#FF0000\", gap: 8}\n")
    let new = try Self.kinds("tokens: {brand: \"#00FF00\", space: 8}\n")
    #expect(old.hash != new.hash)
    #expect(
      old.differences(to: new).map { "\($0.change) \($0.place) \($0.breaks.count)" } == [
        "other /tokens/brand 0", "removed /tokens/gap 1", "added /tokens/space 0",
      ])
  }

  @Test func `contrast is computed with what names stand for`() throws {
    func found(_ layout: String) throws -> [String] {
      var screen = try screen(layout: layout)
      for index in screen.definition.sections.indices {
        screen.definition.sections[index].settings.header?.content["textColor"] = "#101010"
      }
      return screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map(\.code.rawValue)
        .filter { $0 == "low-contrast" }
    }
    // Header and footer stand on what is behind the whole section alone.
    let dark = "background: {color: {$token: ink}}"
    #expect(try found("{\(dark)}").count == 1)
    #expect(try found("{\(dark), backgroundFrame: section}").count == 2)
    #expect(try found("{\(dark), backgroundFrame: items}").count == 1)
    #expect(try found("{background: {color: \"#FFFFFF\"}, backgroundFrame: section}").count == 0)
  }
}
