import HomePayload
import JSON
import Layout
import Service
import Testing

/// Light and dark, right to left, and what is said to those who do not see a cell.
@Suite struct ReadingTests {
  private static func kinds() throws -> Kinds {
    let defs = try Demo.example("themed", in: "docs/kinds.md").replacing("$defs:\n", with: "")
    return try Demo.kinds(
      Demo.text("config/kinds.yaml").replacing("\n$defs:\n", with: "\n$defs:\n\(defs)")
        .replacing(
          "\nitemKinds:\n",
          with: """

            itemKinds:
              mark:
                content:
                  type: object
                  additionalProperties: false
                  properties:
                    text: {$ref: "#/$defs/text"}
                    textColor: {$ref: "#/$defs/themedColor"}
                    backgroundColor: {$ref: "#/$defs/themedColor"}
                    image: {$ref: "#/$defs/themedImage"}

            """
        )
        .replacing(
          "\nsectionKinds:\n",
          with: "\nsectionKinds:\n  marks: {layout: {style: list}, items: {kinds: [mark]}, header: [title]}\n"))
  }

  /// A page of one tag.
  private func screen(_ tag: String, background: String = "{}", page: String = "") throws -> Screen {
    let text = """
      hearth: 1
      pages:
        tags:
          defaultLocale: en
          locales: [en, vi, ar, az-Arab, az]
          \(page)
          sections:
            - id: tags
              kind: marks
              layout: {background: \(background)}
              items: [{id: a, kind: mark, \(tag)}]
      """
    var screen = try Screen()
    screen.kinds = try Self.kinds()
    let document = try LayoutDocument(json: YAMLDocument(text).json, in: DefinitionContext())
    #expect(document.canonicalBytes == document.json.canonicalBytes)
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
    screen.definition = try #require(document.pages.first)
    return screen
  }

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { problem in
      let values = [problem.sentence.values["ratio"]?.string, problem.sentence.values["theme"]?.string]
      return (["\(problem.code.rawValue) \(problem.pointer)"] + values.compactMap { $0 }).joined(separator: " ")
    }
  }

  @Test func `a colour may be one for light and one for dark, in layouts and in contents`() throws {
    let screen = try screen(
      "content: {text: Tea, backgroundColor: {light: \"#EEEEEE\", dark: \"#222222\"}}",
      background: "{color: {light: \"#FFFFFF\", dark: \"#1C1B1A80\"}}",
      page: "background: {color: {light: \"#F2F2F5\", dark: \"#000000\"}}")
    #expect(screen.kinds.problems(in: screen.definition) == [])
    var page = screen.page()
    page.version = "0"
    #expect(page.background?.color == .themed(light: "#F2F2F5", dark: "#000000"))
    #expect(page.sections[0].layout.background?.color == .themed(light: "#FFFFFF", dark: "#1C1B1A80"))
    #expect(page.sections[0].layout.background?.color?.color(isDark: true) == "#1C1B1A80")
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test(
    arguments: [
      ("{color: {light: \"#FFFFFF\"}}", ["/dark"]),
      ("{color: {light: \"#FFFFFF\", dark: black, dim: 1}}", ["/dark", "/dim"]),
      ("{color: {}}", ["/light", "/dark"]), ("{color: \"#12345\"}", [""]), ("{color: 7}", [""]),
    ] as [(String, [String])])
  func `a colour that is none is told with its place`(background: String, places: [String]) throws {
    let screen = try screen("content: {text: Tea}", background: background)
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.pointer.description)
        == places.map { "/sections/0/layout/background/color\($0)" })
  }

  @Test(
    arguments: [
      ("#767676", "{}", "", []), ("#777777", "{}", "", ["4.47 light"]),
      ("#777777", "{color: {light: \"#FFFFFF\", dark: \"#1C1B1A\"}}", "", ["4.47 light", "3.84 dark"]),
      ("#595959", "{color: \"#FFFFFF\"}", "", []),
      // What is not opaque lets through what is behind it: half black on the page's white is grey.
      ("#000000", "{color: \"#00000080\"}", "background: {color: \"#FFFFFF\"}", []),
      ("#FFFFFF", "{color: \"#00000080\"}", "background: {color: \"#FFFFFF\"}", ["4.00 light", "4.00 dark"]),
      ("#00000080", "{color: \"#FFFFFF\"}", "", ["4.00 light", "4.00 dark"]),
    ] as [(String, String, String, [String])])
  func `text is held against what is behind it, in light and in dark`(
    ink: String, background: String, page: String, found expected: [String]
  ) throws {
    let screen = try screen("content: {text: Tea, textColor: \"\(ink)\"}", background: background, page: page)
    #expect(found(screen) == expected.map { "low-contrast /sections/0/items/0/content/textColor \($0)" })
  }

  @Test func `the nearest background counts, and each theme by itself`() throws {
    let screen = try screen(
      "content: {text: Tea, textColor: {light: \"#FFFFFF\", dark: \"#000000\"}, backgroundColor: {light: \"#1C1B1A\", dark: \"#333333\"}}",
      background: "{color: \"#FFFFFF\"}")
    #expect(found(screen) == ["low-contrast /sections/0/items/0/content/textColor 1.66 dark"])
  }

  @Test(arguments: [
    ("content: {image: {url: \"https://a.example/b.png\"}}", true), ("action: {handler: scan}", true),
    ("action: {event: seen}", false), ("content: {text: Tea}, action: {handler: scan}", false),
    ("content: {text: \"…\", image: {url: \"https://a.example/b.png\"}}", true),
    ("content: {image: {light: {url: \"https://a.example/b.png\"}, dark: {url: \"https://a.example/c.png\"}}}", true),
    ("content: {image: {url: \"https://a.example/b.png\"}}, accessibility: {hidden: true}", false),
    ("action: {url: \"app://a\"}, accessibility: {label: Scan}", false),
    ("action: {url: \"app://a\"}, accessibility: {hint: Opens the camera}", true),
  ])
  func `an image or a button needs a text or a label`(tag: String, isMissing: Bool) throws {
    #expect(found(try screen(tag)) == (isMissing ? ["missing-label /sections/0/items/0"] : []))
  }

  @Test func `what assistive technologies are told is in the client's locale`() throws {
    let screen = try screen(
      "accessibility: {label: {en: Scan, vi: Quét mã}, hint: {vi: Mở máy ảnh}, traits: [button, selected], hidden: false}"
    )
    let expected = Accessibility(label: "Quét mã", hint: "Mở máy ảnh", traits: ["button", "selected"], hidden: false)
    #expect(try screen.section("tags", locale: "vi").items[0].accessibility == expected)
    #expect(try screen.section("tags", locale: "en").items[0].accessibility?.hint == nil)
    #expect(
      found(screen) == ["missing-locale /sections/0/items/0/accessibility/hint"],
      "the label has one for the page's default locale")
    var page = screen.page(locale: "vi")
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
    let summary = ChangeSummary(from: try self.screen("aspect: 1").definition, to: screen.definition)
    #expect(summary.sentences == ["changed the accessibility and aspect of item a in tags"])
  }

  @Test(
    arguments: [
      ("{label: \"\"}", ["/label"]), ("{label: {1x: A}}", ["/label/1x"]), ("{traits: [buttons]}", ["/traits/0"]),
      ("{traits: [link, link]}", ["/traits/1"]), ("{hidden: 1, text: A}", ["/hidden", "/text"]), ("true", [""]),
    ] as [(String, [String])])
  func `what is wrong with it is told with its place`(accessibility: String, places: [String]) throws {
    let error = #expect(throws: InvalidDocument.self) { try screen("accessibility: \(accessibility)") }
    #expect(
      error?.problems.map(\.pointer.description)
        == places.map { "/pages/tags/sections/0/items/0/accessibility\($0)" })
  }

  @Test(arguments: [("en", false), ("vi", false), ("ar", true), ("az-Arab", true), ("az", false)])
  func `the direction follows from the page's locale`(locale: String, isRightToLeft: Bool) throws {
    let page = try screen("content: {text: Tea}").page(locale: locale)
    #expect(page.locale == locale)
    #expect(page.direction == (isRightToLeft ? .rightToLeft : nil))
    #expect(
      String(decoding: page.canonicalBytes, as: UTF8.self).contains("\"direction\":\"rightToLeft\"") == isRightToLeft)
  }

  @Test func `the demo's own pages have nothing to mend`() throws {
    for page in ["home", "activity-spring"] {
      let found = found(try Screen(page)).filter { $0.contains("missing-label") || $0.contains("low-contrast") }
      #expect(found == [], "\(page)")
    }
  }
}
