import HomePayload
import JSON
import JSONSchema
import Layout
import Testing

@Suite struct DemoTests {
  @Test(arguments: ["home", "activity-spring"])
  func `the demo is valid, and its canonical form reads back as itself`(page: String) throws {
    let document = try Demo.document(page)
    let kinds = try Demo.kinds.get()
    for page in document.pages { #expect(kinds.problems(in: page) == []) }
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
  }

  @Test(arguments: ["home", "activity-spring"], ["zh-Hans", "vi", "en"])
  func `every text and picture of the demo is there in every locale`(page: String, locale: String) throws {
    var screen = try Screen(page)
    // As an app gets it of a server whose pictures are elsewhere: schemas want whole addresses.
    screen.kinds = screen.kinds.placingAssets(below: "https://pictures.example.com")
    let page = screen.page(locale: locale)
    #expect(page.locale == locale)
    for section in page.sections {
      for item in section.everyItem {
        let schema = try #require(try Demo.kinds.get().items[item.kind]).schema
        #expect(schema.problems(in: .object(item.content)) == [], "\(section.id) \(item.id)")
        #expect(!hasLocaleMap(.object(item.content)), "\(section.id) \(item.id)")
      }
    }
  }

  private func hasLocaleMap(_ value: JSON) -> Bool {
    switch value {
    case .object(let object):
      object.contains { ["zh-Hans", "vi", "en", "*"].contains($0.name) || hasLocaleMap($0.value) }
    case .array(let elements): elements.contains(where: hasLocaleMap)
    default: false
    }
  }
}

extension Section {
  /// Header, items, slots and footer, and everything below them.
  var everyItem: [Item] {
    ([header, footer].compactMap { $0 } + items + slots.map(\.value)).flatMap(\.withDescendants)
  }
}

extension Item {
  var withDescendants: [Item] { [self] + children.flatMap(\.withDescendants) }
}
