import HomePayload
import JSON
import Testing

@testable import Layout

/// What is known of items spares looking at them, and changes nothing of what is found.
@Suite struct KnownItemsTests {
  private static let kinds = """
    itemKinds:
      card:
        title: Card
        content:
          type: object
          required: [image]
          properties:
            image: {type: object, required: [url], properties: {url: {type: string}}}
            title: {type: string, x-localized: true}
        children: [card]
      row: {title: Row, content: {type: object}, action: forbidden}
    sectionKinds:
      list:
        title: List
        layout: {style: waterfall, rows: [2], itemSize: {width: column, height: {content: {minimum: 120}}}}
        items: {kinds: [card, row], maximum: 38}
        depth: 1
        slots: {top: {kinds: [card]}}
    """

  private static func card(_ id: String, _ content: JSONObject = [:]) -> ItemDefinition {
    var all: JSONObject = [
      "image": ["url": "https://cdn.example.com/a.png", "width": 1, "height": 1], "title": "A card",
    ]
    for member in content { all[member.name] = member.value }
    return ItemDefinition(id: id, kind: "card", content: all)
  }

  /// Items with something wrong each, and one without.
  private static func items(_ id: String) -> [ItemDefinition] {
    var parent = card(id)
    parent.children = [card("\(id)-child"), card("i3")]
    parent.children[0].children = [card("\(id)-grandchild")]
    var button = card(id, ["title": ""])
    button.action = Action(url: "app://x")
    var row = ItemDefinition(id: id, kind: "row")
    row.action = Action(url: "app://x")
    return [
      card(id), card(id, ["title": "Another"]), card(id, ["title": ""]), card(id, ["title": ["vi": "Thẻ"]]),
      card(id, ["image": ["url": "https://cdn.example.com/b.png"]]), card(id, ["image": 1]),
      ItemDefinition(id: id, kind: "gone"), ItemDefinition(id: id, kind: "row"), parent, button, row,
    ]
  }

  @Test(arguments: [1, 2, 3, 4] as [UInt64])
  func `edit after edit, kinds and lint find what they find of the same content that nothing is known of`(
    seed: UInt64
  ) throws {
    let kinds = try Demo.kinds(Self.kinds)
    let page = PageSettings(
      title: "P", defaultLocale: try #require(Locale("en")), locales: [try #require(Locale("en"))], pollInterval: 30,
      emptyState: nil)
    var state = seed
    func random(_ count: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % count
    }
    var section = SectionDefinition(
      id: "s", settings: SectionSettings(kind: "list"),
      content: SectionContent(items: (0..<36).map { Self.card("i\($0)") }))
    func found(_ section: SectionDefinition) -> (kinds: [DocumentProblem], lint: [LintProblem]) {
      (
        kinds.problems(in: section.content, of: section.settings),
        PageDefinition(id: "p", settings: page, sections: [section], sortRules: []).lint(kinds: kinds, at: Demo.noon)
      )
    }
    var isFound = false
    for step in 0..<120 {
      let place = random(section.content.items.count + (step.isMultiple(of: 9) ? 1 : 0))
      let isNew = place == section.content.items.count
      let choices = Self.items(isNew ? "n\(random(60))" : section.content.items[place].id)
      switch step % 20 {
      case 7: section.content.items.remove(at: min(place, section.content.items.count - 1))
      case 13: section.content.slots["top"] = section.content.slots.isEmpty ? Self.card("i1") : nil
      case 17: section.settings.isHidden.toggle()
      default: section.content.put(random(2) == 0 ? choices[0] : choices[random(choices.count)], at: place)
      }
      // What was packed is known as long as somebody keeps it open.
      let packed = section.packed
      let fresh = SectionDefinition(
        id: "s", settings: section.settings,
        content: SectionContent(items: section.content.items, slots: section.content.slots))
      let (known, anew) = (found(packed), found(fresh))
      #expect(known.kinds == anew.kinds, "step \(step)")
      #expect(known.lint == anew.lint, "step \(step)")
      isFound = isFound || (!anew.kinds.isEmpty && anew.lint.count > anew.kinds.count)
    }
    #expect(isFound)
    let look = "kinds \(kinds.hash) list "
    #expect(try #require(section.content.open.suspects(of: look)).count < section.content.items.count)
  }

  @Test func `packed content is opened once for all that keep it open`() throws {
    var section = SectionDefinition(
      id: "s", settings: SectionSettings(kind: "list"),
      content: SectionContent(items: (0..<20).map { Self.card("i\($0)") }))
    let packed = section.packed
    #expect(packed.content.open === section.content.open)
    let kept = section.written.section.content
    #expect(kept.open === section.content.open)
    section.content = SectionContent()
    let opened = packed.content.open
    #expect(opened === packed.opened.content.open)
    #expect(opened.values.items.count == 20)
  }
}
