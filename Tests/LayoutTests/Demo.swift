import Foundation
import HomePayload
import JSON
import Layout
import Service
import Testing

/// The files under `config/` that a new installation starts with.
enum Demo {
  /// The kinds of `config/kinds.yaml`.
  static let kinds = Result { try Kinds(json: yaml("kinds.yaml")) }

  /// The kinds of a text.
  static func kinds(_ text: String) throws -> Kinds { try Kinds(json: YAMLDocument(text).json) }

  static func yaml(_ path: String) throws -> JSON {
    try YAMLDocument(text("config/\(path)")).json
  }

  /// The block of code below a marker such as `<!-- example: document -->`.
  static func example(_ name: String, in path: String) throws -> String {
    let lines = try text(path).split(separator: "\n", omittingEmptySubsequences: false)
    let marker = try #require(lines.firstIndex(of: "<!-- example: \(name) -->"))
    return lines[(marker + 2)...].prefix { $0 != "```" }.joined(separator: "\n") + "\n"
  }

  /// A file of the repository.
  static func text(_ path: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: path), encoding: .utf8)
  }

  private static let documents = Dictionary(
    uniqueKeysWithValues: ["home", "activity-spring", "discover", "search"].map { page in
      (page, Result { try LayoutDocument(json: yaml("demo/\(page).yaml"), in: DefinitionContext()) })
    })

  static func document(_ page: String) throws -> LayoutDocument { try #require(documents[page]).get() }

  static func definition(_ page: String) throws -> PageDefinition {
    try #require(document(page).pages.first { $0.id == page })
  }

  /// The address of a picture of a page, by what operators call it.
  static func picture(_ name: String, of page: String) throws -> JSON {
    let details = try document(page).assetDetails
    return .string(try #require(details.first { $0.value.name == name }).key.url)
  }

  /// A moment at which the demo is looked at.
  static let noon = Instant(secondsSinceEpoch: 1_773_144_000)
}

/// A page under test: edits of its definition, and what a client sees of it.
struct Screen {
  var definition: PageDefinition
  var kinds: Kinds

  init(_ page: String = "home") throws {
    definition = try Demo.definition(page)
    kinds = try Demo.kinds.get()
  }

  /// A page written in YAML, of the kinds of the demo with those that an example of docs/layout.md shows.
  init(_ page: String, example name: String) throws {
    try self.init()
    let example = try Demo.example(name, in: "docs/layout.md").replacing("sectionKinds:\n", with: "")
    kinds = try Demo.kinds(
      Demo.text("config/kinds.yaml").replacing("\nsectionKinds:\n", with: "\nsectionKinds:\n\(example)"))
    let document = try LayoutDocument(json: YAMLDocument(page).json, in: DefinitionContext())
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
    definition = try #require(document.pages.first)
  }

  func assembled(
    locale: String? = nil, at instant: Instant = Demo.noon, _ attributes: AttributeValues = [:]
  ) -> Assembled {
    let plan = PagePlan(definition, kinds: kinds)
    let languages = [locale.flatMap { Locale($0) }].compactMap { $0 }.map { LanguageRange(locale: $0) }
    return plan.assemble(plan.outcome(for: ClientAttributes(values: attributes, languages: languages)), at: instant)
  }

  func page(
    locale: String? = nil, at instant: Instant = Demo.noon, _ attributes: AttributeValues = [:]
  ) -> Page {
    assembled(locale: locale, at: instant, attributes).page
  }

  func ids(at instant: Instant = Demo.noon, _ attributes: AttributeValues = [:]) -> [String] {
    page(at: instant, attributes).sections.map(\.id)
  }

  func section(
    _ id: String, locale: String? = nil, at instant: Instant = Demo.noon, _ attributes: AttributeValues = [:]
  ) throws -> Section {
    try #require(page(locale: locale, at: instant, attributes).sections.first { $0.id == id })
  }

  /// A section to be edited that is not on the page.
  struct Absent: Error { var section: String }

  /// Edits one section of the definition.
  mutating func edit(_ id: String, _ change: (inout SectionDefinition) throws -> Void) throws {
    guard let position = definition.sections.firstIndex(where: { $0.id == id }) else { throw Absent(section: id) }
    try change(&definition.sections[position])
  }
}

func version(_ text: String) throws -> AttributeValue { .version(try #require(AppVersion(text))) }
