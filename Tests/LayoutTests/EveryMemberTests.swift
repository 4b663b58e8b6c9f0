import Foundation
import HomePayload
import JSON
import Testing

@testable import Layout

/// No member of an item, a section, a page or a rule gets lost: in text, in packed content, or in a comparison. A member
/// that is added fails here until the documents below have it.
@Suite struct EveryMemberTests {
  /// A page with every member of a page, a section, an item and a rule, which the tests of what keeps it and of the console
  /// read as well. Its second section has what none can have that says how its items come.
  private static let document = Result {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appending(path: "../EveryMember/document.json")
    return try JSON.parse([UInt8](Data(contentsOf: file)))
  }

  private static let page = (try? document.get())?["pages"]?["p"] ?? .null
  private static let section = page["sections"]?.array?.first ?? .null
  private static let listed = page["sections"]?.array?.last ?? .null
  private static let item = section["items"]?.array?.first ?? .null
  private static let rule = page["sortRules"]?["other"] ?? .null

  private static func read(_ page: JSON) throws -> PageDefinition {
    let whole = changing(try document.get(), "pages", to: ["p": page])
    return try #require(LayoutDocument(json: whole, in: DefinitionContext()).pages.first)
  }

  /// The whole page with another section, and that with another item.
  private static func page(section: JSON) -> JSON { changing(page, "sections", to: [section, listed]) }
  private static func page(item: JSON) -> JSON { page(section: changing(section, "items", to: [item])) }
  private static func page(listed: JSON) -> JSON { changing(page, "sections", to: [section, listed]) }
  private static func page(rule: JSON) -> JSON { changing(page, "sortRules", to: ["other": rule]) }

  private static func changing(_ json: JSON, _ name: String, to value: JSON?) -> JSON {
    var object = json.object ?? JSONObject()
    object[name] = value
    return .object(object)
  }

  /// What a member becomes that cannot be left out.
  private static let others: [String: JSON] = [
    "id": "other", "kind": "row", "title": "Other", "defaultLocale": "en", "locales": ["vi"], "pollInterval": 50,
    "sections": [listed], "audience": ["attribute": "bucket", "between": [0, 4]], "indices": ["s": 3],
    "source": ["url": "https://api.example.com/other"],
  ]

  /// Fails for each stored property that is what it is when nothing is said.
  private static func expectAllGiven<Value>(_ whole: Value, _ least: Value, but others: [String] = []) {
    for (given, absent) in zip(Mirror(reflecting: whole).children, Mirror(reflecting: least).children)
    where !others.contains(given.label ?? "") {
      #expect(
        String(reflecting: given.value) != String(reflecting: absent.value),
        "\(Value.self).\(given.label ?? "") is not in the documents of this suite")
    }
  }

  @Test func `the documents have every member`() throws {
    let page = try Self.read(Self.page)
    let section = page.sections[0]
    let item = try #require(section.content.items.first)
    let english = try #require(Locale("en"))
    let least = PageSettings(title: "", defaultLocale: english, locales: [], pollInterval: 30)
    // What is withheld or confirmed is said elsewhere than in documents.
    Self.expectAllGiven(page, PageDefinition(id: "", settings: least), but: ["withheld", "confirmed"])
    Self.expectAllGiven(page.settings, least)
    Self.expectAllGiven(try #require(page.sortRules.first { $0.name == "other" }), SortRule(name: "", indices: [:]))
    Self.expectAllGiven(section.settings, SectionSettings(kind: ""))
    Self.expectAllGiven(section.settings.loading, SectionLoading(), but: ["firstItems"])
    #expect(page.sections[1].settings.loading.firstItems == 3)
    Self.expectAllGiven(item, ItemDefinition(id: "", kind: ""))
    Self.expectAllGiven(try #require(item.action), Action())
    Self.expectAllGiven(try #require(item.actions.first), ItemActionDefinition(title: "", action: Action()))
    Self.expectAllGiven(try #require(item.schedule), Schedule())
  }

  @Test func `packed items have every member`() throws {
    let item = try #require(try Self.read(Self.page).sections[0].content.items.first)
    let items = (0..<PackedContent.itemsMin).map { number in
      var packable = item
      packable.id = "i\(number)"
      // What has one of these is not packed.
      (packable.audience, packable.schedule) = (nil, nil)
      return packable
    }
    let section = SectionDefinition(
      id: "s", settings: SectionSettings(kind: "list"),
      content: SectionContent(items: items, slots: ["top": items[0]]))
    let packed = try #require(section.packed.content.packedForm)
    // As it is read again, with nobody who still has the values.
    let again = PackedContent(
      bytes: packed.bytes, size: packed.size, itemsSize: packed.itemsSize, outline: packed.outline)
    #expect(again.open.values.items == items)
    #expect(again.open.values.slots == ["top": items[0]])
  }

  @Test func `what is written is read again with every member`() throws {
    let page = try Self.read(Self.page)
    #expect(page.canonicalBytes == page.json.canonicalBytes)
    #expect(try Self.read(JSON.parse(page.canonicalBytes)) == page)
  }

  @Test func `a change of any member is a change, in text and in words`() throws {
    let whole = try Self.read(Self.page)
    let levels: [(JSON, (JSON) -> JSON)] = [
      (Self.page, { $0 }), (Self.section, Self.page(section:)), (Self.item, Self.page(item:)),
      (Self.listed, Self.page(listed:)), (Self.rule, Self.page(rule:)),
    ]
    var (tags, count) = (Set([whole.changes(since: whole)]), 1)
    for (document, inPage) in levels {
      for name in document.object?.names ?? [] {
        var other = Self.changing(document, name, to: Self.others[name])
        // An address is of what the app loads alone.
        if name == "load" { other = Self.changing(other, "source", to: nil) }
        let changed = try Self.read(inPage(other))
        #expect(changed != whole, "\(name)")
        #expect(changed.canonicalBytes != whole.canonicalBytes, "\(name)")
        #expect(!ChangeSummary(from: whole, to: changed).changes.isEmpty, "\(name)")
        tags.insert(changed.changes(since: whole))
        count += 1
      }
    }
    #expect(tags.count == count, "each is another change to whoever looks at what a publish comes to")
  }
}
