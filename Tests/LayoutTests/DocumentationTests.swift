import HomePayload
import JSON
import Layout
import Service
import Testing

/// What the documents say is tried: their examples are read from them.
@Suite struct DocumentationTests {
  private func kindsOfExample() throws -> Kinds {
    var text = try Demo.text("config/kinds.yaml")
    for place in ["itemKinds", "sectionKinds"] {
      text.replace("\n\(place):\n", with: "\n\(place):\n" + (try Demo.example(place, in: "docs/kinds.md")))
    }
    return try Demo.kinds(text)
  }

  private func screenOfExample() throws -> Screen {
    var screen = try Screen()
    screen.kinds = try kindsOfExample()
    let json = try YAMLDocument(Demo.example("document", in: "docs/kinds.md")).json
    screen.definition = try #require(try LayoutDocument(json: json, in: DefinitionContext()).pages.first)
    return screen
  }

  @Test func `the example of docs/kinds.md is served as it says, to new apps and to old ones`() throws {
    let screen = try screenOfExample()
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon) == [])
    let new = screen.page(locale: "vi", ["platform": .text("ios"), "appVersion": try version("5.2")])
    var expected = try JSON.parse(Demo.example("new", in: "docs/kinds.md")).object
    expected?["version"] = nil
    #expect(try JSON.parse(new.canonicalBytes).object == expected)
    let old = screen.page(locale: "vi", ["platform": .text("ios"), "appVersion": try version("5.1")])
    #expect(
      try JSON.parse(old.canonicalBytes)["sections"]
        == .array([JSON.parse(Demo.example("old", in: "docs/kinds.md"))]))
  }

  @Test func `the mistake of docs/kinds.md is found where it says`() throws {
    var screen = try screenOfExample()
    screen.definition.sections[0].content.items[0].content["endsAt"] = nil
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.pointer.description)
        == ["/sections/0/items/0/content/endsAt"])
  }

  @Test func `the document of docs/layout.md is valid, and reads back as itself`() throws {
    let attributes = try YAMLDocument(Demo.example("attributes", in: "docs/layout.md")).json["attributes"] ?? .null
    let context = DefinitionContext(attributes: try AttributeDeclaration.declarations(json: attributes))
    let json = try YAMLDocument(Demo.example("document", in: "docs/layout.md")).json
    let document = try LayoutDocument(json: json, in: context)
    #expect(try LayoutDocument(json: document.json, in: context) == document)
    var screen = try Screen()
    screen.definition = try #require(document.pages.first)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(screen.definition.lint(kinds: screen.kinds, at: Demo.noon, in: context) == [])
    #expect(screen.ids() == ["middleNav"])
    #expect(screen.ids(at: try #require(Instant("2027-03-01T10:00:00Z"))) == ["marquee", "middleNav"])
    let trial: AttributeValues = ["bucket": .integer(5), "appVersion": try version("6.1"), "memberTier": .integer(0)]
    #expect(screen.page(trial).sortRule == "navigationFirst")
    #expect(try screen.section("middleNav", trial).items.map(\.id) == ["scan", "gift"])
  }

  @Test func `the sections of docs/layout.md that come in parts are valid`() throws {
    let text = try Demo.example("loading", in: "docs/layout.md")
    let document =
      "hearth: 1\npages:\n  home:\n    defaultLocale: zh-Hans\n    locales: [zh-Hans, en]\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { "    \($0)" }.joined(separator: "\n")
    let layout = try LayoutDocument(json: YAMLDocument(document).json, in: DefinitionContext())
    var screen = try Screen()
    screen.definition = try #require(layout.pages.first)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(screen.ids() == ["likes"])
    let likes = try screen.section("likes")
    #expect(likes.load == .client && likes.more == nil)
    #expect(likes.source == .init(url: "https://likes.example.com/v1/mine", fills: ["header"]))
    #expect(likes.items.map(\.id) == ["signIn"])
  }

  @Test func `docs/layout.md lists every rule of lint with its severity`() throws {
    let text = try Demo.text("docs/layout.md")
    let errors = try #require(text.firstRange(of: "Errors stop it:"))
    let warnings = try #require(text.firstRange(of: "Warnings are recorded"))
    for code in LintProblem.Code.allCases {
      let place = try #require(text.firstRange(of: "\n- `\(code.rawValue)`: "), "\(code.rawValue)").lowerBound
      let isError = place < warnings.lowerBound
      #expect(place > errors.lowerBound && isError == (code.severity == .error), "\(code.rawValue)")
    }
  }
}
