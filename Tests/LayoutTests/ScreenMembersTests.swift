import HomePayload
import JSON
import Layout
import Service
import Testing

/// What a page says of its screen, sizes of headers, footers and slots, and what an item and its action may say.
@Suite struct ScreenMembersTests {
  private static let kinds = """
    itemKinds:
      text: {content: {type: object, properties: {text: {type: string, x-localized: true}}}}
      new: {requires: {ios: "7"}, content: true}
    sectionKinds:
      cards:
        layout:
          style: list
          headerSize: {width: container, height: {points: {"*": 30, vi: 40}}}
          slotOrder: [hot]
          slotSizes: {hot: {width: {fraction: 0.5}, height: {points: 90}}}
          background: {cornerRadius: {topLeading: 8, bottomTrailing: {"*": 4, vi: 6}}}
        items: {kinds: [text]}
        slots: {hot: {kinds: [text]}, cold: {kinds: [text]}}
        header: [text]
      heading: {showsWithoutItems: true, layout: {style: list}, items: {kinds: [text]}, header: [text], footer: [text]}
    """

  private static let page = """
    hearth: 1
    pages:
      search:
        defaultLocale: en
        locales: [en, vi]
        displayTitle: {en: Search, vi: Tìm kiếm}
        inset: {top: 4, leading: {"*": 10, vi: 12}}
        background: {color: "#F2F2F5"}
        bar:
          leading: [{id: back, kind: text, content: {text: {en: Back, vi: Quay lại}}, action: {handler: back}}]
          trailing: [{id: scan, kind: new}]
        sections:
          - id: cards
            kind: cards
            layout: {slotSizes: {cold: {width: {points: 40}, height: {points: 40}}}}
            header: {kind: text}
            slots: {hot: {kind: text}}
            items:
              - id: a
                kind: text
                inset: {bottom: {"*": 15, vi: 20}}
                action: {url: "app://a", handler: openA, arguments: {from: [1, 2]}, event: tap, attributes: {at: 3}}
              - {id: b, kind: text, action: {event: seen}}
          - {id: heading, kind: heading, header: {kind: text, content: {text: More}}}
          - {id: nothing, kind: heading}
    """

  @Test func `what is left out of the bar and of the empty state has its reason, and is no section's`() throws {
    let old: AttributeValues = ["platform": .text("ios"), "appVersion": try version("6.9")]
    let hidden = try screen().assembled(old).hiddenItems
    #expect(hidden == [HiddenItem(section: nil, item: "scan", reason: .capability)])
    let empty = """
      hearth: 1
      pages:
        search:
          defaultLocale: en
          emptyState: {kind: new}
          sections: [{id: nothing, kind: heading}]
      """
    let assembled = try screen(empty).assembled(old)
    #expect(assembled.page.emptyState == nil)
    #expect(assembled.hiddenItems == [HiddenItem(section: nil, item: "emptyState", reason: .capability)])
  }

  private func screen(_ page: String = page) throws -> Screen {
    var screen = try Screen()
    screen.kinds = try Demo.kinds(Self.kinds)
    let document = try LayoutDocument(json: YAMLDocument(page).json, in: DefinitionContext())
    screen.definition = try #require(document.pages.first)
    return screen
  }

  /// What is wrong with the page, with something in it replaced.
  private func problems(_ what: String, _ other: String) throws -> [String] {
    #expect(Self.page.contains(what))
    do {
      let screen = try screen(Self.page.replacing(what, with: other))
      return screen.kinds.problems(in: screen.definition).map(\.pointer.description)
    } catch let error as InvalidDocument {
      return error.problems.map { $0.pointer.description.replacing("/pages/search", with: "") }
    }
  }

  @Test func `a page tells of its screen, in the client's locale`() throws {
    let screen = try screen()
    #expect(screen.kinds.problems(in: screen.definition) == [])
    let english = screen.page(locale: "en")
    #expect(english.title == "Search")
    #expect(english.inset == .init(top: 4, leading: 10, bottom: 0, trailing: 0))
    #expect(english.background == .init(color: "#F2F2F5"))
    #expect(english.bar?.leading.map(\.content) == [["text": "Back"]])
    #expect(english.bar?.trailing.map(\.id) == ["scan"])
    let vietnamese = screen.page(locale: "vi", ["platform": .text("ios"), "appVersion": try version("6.9")])
    #expect(vietnamese.title == "Tìm kiếm")
    #expect(vietnamese.inset?.leading == 12)
    #expect(vietnamese.bar?.leading.map(\.content) == [["text": "Quay lại"]])
    #expect(vietnamese.bar?.trailing == [], "an app that cannot draw an item of the bar does not get it")
  }

  @Test func `headers, slots, corners and items have what the layout says`() throws {
    let cards = try screen().section("cards", locale: "vi")
    #expect(cards.layout.headerSize == .init(width: .container, height: .points(40)))
    #expect(cards.layout.slotOrder == ["hot"])
    #expect(cards.layout.slotSizes["hot"] == .init(width: .fraction(0.5), height: .points(90)))
    #expect(cards.layout.slotSizes["cold"] == .init(width: .points(40), height: .points(40)))
    #expect(cards.layout.background?.cornerRadius == .each(.init(topLeading: 8, bottomTrailing: 6)))
    #expect(cards.items[0].inset == .init(top: 0, leading: 0, bottom: 20, trailing: 0))
    #expect(cards.items[0].action?.arguments == ["from": [1, 2]])
    #expect(cards.items[0].action?.attributes == ["at": 3])
  }

  @Test func `an app takes the handler that it has, else the address`() throws {
    let items = try screen().section("cards").items
    #expect(items[0].action?.target { $0 == "openA" } == .handler("openA"))
    #expect(items[0].action?.target { _ in false } == .url("app://a"))
    #expect(items[1].action?.target { _ in true } == nil)
    #expect(items[1].action?.event == "seen")
  }

  @Test func `a header alone is enough where the kind says so, and nothing at all is not`() throws {
    let assembled = try screen().assembled()
    #expect(assembled.page.sections.map(\.id) == ["cards", "heading"])
    #expect(assembled.hidden.map(\.reason) == [.empty])
  }

  @Test func `all of it comes back from a document and from the wire`() throws {
    let json = try YAMLDocument(Self.page).json
    let document = try LayoutDocument(json: json, in: DefinitionContext())
    #expect(try LayoutDocument(json: document.json, in: DefinitionContext()) == document)
    #expect(document.canonicalBytes == document.json.canonicalBytes)
    var old = try screen().page(locale: "en")
    old.version = "0"
    #expect(try Page(bytes: old.canonicalBytes) == old)
    var new = try screen().page(locale: "vi")
    new.version = "1"
    let changes = ChangeSet.changes(from: old, to: new)
    #expect(changes.set.names.sorted() == ["bar", "inset", "locale", "title"])
    #expect(try old.applying(changes) == new)
  }

  @Test func `what is not said costs no byte`() throws {
    let names = try JSON.parse(Screen().page().canonicalBytes).object?.names
    #expect(names == ["locale", "page", "sections", "sortRule"])
  }

  @Test(
    arguments: [
      (
        "displayTitle: {en: Search, vi: Tìm kiếm}", "displayTitle: {en: \"\", 1x: A}",
        ["/displayTitle/1x", "/displayTitle/en"]
      ),
      ("displayTitle: {en: Search, vi: Tìm kiếm}", "displayTitle: 7", ["/displayTitle"]),
      ("inset: {top: 4, ", "inset: {left: 4, ", ["/inset/left"]),
      (
        "background: {color: \"#F2F2F5\"}", "background: {color: grey, cornerRadius: 3}",
        ["/background/color", "/background/cornerRadius"]
      ),
      (
        "action: {handler: back}}", "audience: x, schedule: {}}",
        ["/bar/leading/0/audience", "/bar/leading/0/schedule"]
      ),
      ("{id: scan, kind: new}", "{id: back, kind: old}", ["/bar/trailing/0/id", "/bar/trailing/0/kind"]),
      ("cold: {width: {points: 40}", "warm: {width: {points: 40}", ["/sections/0/layout/slotSizes/warm"]),
      ("layout: {slotSizes", "layout: {slotOrder: [cold, warm], slotSizes", ["/sections/0/layout/slotOrder/1"]),
      ("layout: {slotSizes", "layout: {slotOrder: [hot, hot], slotSizes", ["/sections/0/layout/slotOrder/1"]),
      ("cold: {width: {points: 40}", "cold: {width: {points: -4}", ["/sections/0/layout/slotSizes/cold/width/points"]),
      (
        "layout: {slotSizes", "layout: {background: {cornerRadius: {topLeading: 1, top: 2}}, slotSizes",
        ["/sections/0/layout/background/cornerRadius/top"]
      ),
      ("inset: {bottom: {\"*\": 15", "inset: {bottom: {\"*\": high", ["/sections/0/items/0/inset/bottom/*"]),
      (
        "action: {event: seen}", "action: {arguments: {}}",
        ["/sections/0/items/1/action", "/sections/0/items/1/action/arguments"]
      ),
      ("action: {event: seen}", "action: {url: \"app://b\", arguments: {}}", ["/sections/0/items/1/action/arguments"]),
      (
        "action: {event: seen}", "action: {attributes: {}}",
        ["/sections/0/items/1/action", "/sections/0/items/1/action/attributes"]
      ),
    ] as [(String, String, [String])])
  func `what is wrong is told with its place`(what: String, other: String, places: [String]) throws {
    #expect(try problems(what, other) == places)
  }

  @Test(arguments: [
    ("header: [text], footer: [text]}", "}", "/sectionKinds/heading/showsWithoutItems"),
    ("slotSizes: {hot:", "slotSizes: {warm:", "/sectionKinds/cards/layout/slotSizes/warm"),
    ("slotOrder: [hot]", "slotOrder: [hot, warm]", "/sectionKinds/cards/layout/slotOrder/1"),
  ])
  func `kinds that make no sense are refused`(what: String, other: String, place: String) throws {
    let error = #expect(throws: InvalidKinds.self) { try Demo.kinds(Self.kinds.replacing(what, with: other)) }
    #expect(error?.problems.map(\.pointer.description) == [place])
  }

  @Test func `lint names the locales that a title and an inset lack`() throws {
    let page = Self.page.replacing(", vi: Tìm kiếm", with: "").replacing("en: Search", with: "vi: Tìm kiếm")
      .replacing("{\"*\": 10, vi: 12}", with: "{vi: 12}").replacing("{\"*\": 15, vi: 20}", with: "{vi: 20}")
    let screen = try screen(page)
    let found = screen.definition.lint(kinds: screen.kinds, at: Demo.noon).filter { $0.code == .missingLocale }.map {
      "\($0.code.rawValue) \($0.pointer)"
    }
    #expect(
      Set(found) == [
        "missing-locale /displayTitle", "missing-locale /inset/leading",
        "missing-locale /sections/0/items/0/inset/bottom",
      ])
  }

  @Test func `a change of the screen is said in words`() throws {
    let new = try screen(Self.page.replacing("en: Back", with: "en: Return").replacing("en: Search", with: "en: Find"))
    let sentences = ChangeSummary(from: try screen().definition, to: new.definition).changes
    #expect(sentences.map(\.text) == ["changed the title and bar of the screen"])
  }
}
