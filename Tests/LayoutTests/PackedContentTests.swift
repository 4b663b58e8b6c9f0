import Foundation
import HomePayload
import JSON
import Testing

@testable import Layout

/// Packed content is the same content, and what is written is written once for all that keeps it.
@Suite struct PackedContentTests {
  /// A section of so many plain items, some with children.
  private static func section(_ count: Int, _ change: (inout [ItemDefinition]) -> Void = { _ in }) -> SectionDefinition
  {
    var items = (0..<count).map { number in
      var item = ItemDefinition(
        id: "i\(number)", kind: number.isMultiple(of: 3) ? "article" : "row",
        content: ["title": .string("Number \(number) “é”\n"), "subtitle": "x"],
        aspect: number == 4 ? 1.5 : nil, inset: number == 5 ? ["bottom": ["*": 15, "vi": 20]] : nil,
        action: Action(
          url: number.isMultiple(of: 2) ? "app://a/\(number)" : nil, handler: number.isMultiple(of: 3) ? "open" : nil,
          arguments: number.isMultiple(of: 6) ? ["query": "tea"] : nil, event: "tap",
          attributes: ["position": .number(JSONNumber(number))]),
        keepOnTop: number == 2)
      if number == 7 {
        item.expanded = true
        item.children = [ItemDefinition(id: "child", kind: "row", content: ["title": "below"])]
      }
      return item
    }
    change(&items)
    return SectionDefinition(
      id: "s", settings: SectionSettings(kind: "list", title: "S", layout: ["style": "list"]),
      content: SectionContent(items: items, slots: ["top": ItemDefinition(id: "s.top", kind: "banner")]))
  }

  @Test func `packed content is what it was, in a fifth of its text`() throws {
    let open = Self.section(200)
    let packed = open.packed
    let form = try #require(packed.content.packedForm)
    #expect(packed.content.items == open.content.items)
    #expect(packed.content.slots == open.content.slots)
    #expect(packed == open)
    #expect(open.hashValue == packed.hashValue)
    #expect(packed.json == open.json)
    #expect(packed.opened.content.packedForm == nil)
    #expect(form.bytes.count < form.size / 5)
    #expect(form.outline.items == 200)
    #expect(form.outline.allItems == 202)
    #expect(form.outline.levels == 1)
    #expect(form.outline.slots == ["top"])
    #expect(form.outline.kinds == ["article", "row", "banner"])
  }

  @Test func `an edit of packed content is an edit of what it holds`() throws {
    var packed = Self.section(20).packed
    packed.content.items[3].content["title"] = "other"
    packed.content.slots["top"] = nil
    var open = Self.section(20)
    open.content.items[3].content["title"] = "other"
    open.content.slots["top"] = nil
    #expect(packed == open)
    #expect(packed != Self.section(20).packed)
    #expect(Self.section(20).packed != Self.section(21).packed)
  }

  @Test func `little content and what flips or has an audience stays open`() {
    #expect(Self.section(5).packed.content.packedForm == nil)
    let scheduled = Self.section(20) { $0[9].schedule = Schedule(from: Demo.noon) }
    #expect(scheduled.packed.content.packedForm == nil)
    let below = Self.section(20) { $0[7].children[0].audience = .audience("vip") }
    #expect(below.packed.content.packedForm == nil)
  }

  @Test(arguments: ["home", "activity-spring"])
  func `what is written at once is the canonical form to the byte`(page: String) throws {
    var document = try Demo.document(page)
    // Pictures are told apart by their names, which the pages have.
    (document.assets, document.assetDetails) = ([:], [:])
    #expect(document.canonicalBytes == document.json.canonicalBytes)
    for page in document.pages {
      #expect(page.canonicalBytes == page.json.canonicalBytes)
      for section in page.sections + [Self.section(30), Self.section(30).packed, Self.section(0)] {
        #expect(section.canonicalBytes == section.json.canonicalBytes, "\(section.id)")
        let written = section.written
        #expect(written.fingerprint == Fingerprint.of(section.json))
        #expect(written.section == section)
        let items = section.content.items.map(\.json.canonicalText)
        #expect(written.items.filter(\.slot.isEmpty).map(\.text) == items)
        for item in section.allItems { #expect(item.canonicalBytes == item.json.canonicalBytes, "\(item.id)") }
      }
    }
  }

  /// A page of one section, which clients of some platforms draw as something else.
  private static func plan(_ section: SectionDefinition) throws -> PagePlan {
    let kinds = try Demo.kinds(
      """
      itemKinds:
        row: {title: Row, content: {type: object}}
        article: {title: Article, content: {type: object}, requires: {ios: "6.0"}, fallback: {kind: row}}
        banner: {title: Banner, content: {type: object}}
      sectionKinds:
        list:
          title: List
          layout: {style: list, itemSize: {width: container, height: {points: 40}}}
          items: {kinds: [row, article]}
          slots: {top: {kinds: [banner]}}
      """)
    let settings = PageSettings(
      title: "P", defaultLocale: try #require(Locale("en")), locales: [try #require(Locale("en"))], pollInterval: 30,
      emptyState: nil)
    return PagePlan(
      PageDefinition(id: "p", settings: settings, sections: [section]), kinds: kinds,
      fingerprints: [Fingerprint.of(section.json)])
  }

  @Test(arguments: ["5.0", "6.1"])
  func `a client gets the same page of packed content`(version: String) throws {
    // One item with a schedule that holds keeps the other section open.
    let packed = try Self.plan(Self.section(40))
    let open = try Self.plan(
      Self.section(40) { $0[39].schedule = Schedule(from: Instant(secondsSinceEpoch: 0)) })
    #expect(packed.definition.sections[0].content.packedForm != nil)
    #expect(open.definition.sections[0].content.packedForm == nil)
    let client = ClientAttributes(values: [
      "platform": .text("ios"), "appVersion": .version(try #require(AppVersion(version))),
    ])
    #expect(packed.outcome(for: client) == open.outcome(for: client))
    let page = packed.assemble(packed.outcome(for: client), at: Demo.noon).page
    #expect(page == open.assemble(open.outcome(for: client), at: Demo.noon).page)
    #expect(page.sections[0].items.count == 40)
    #expect(page.sections[0].items[0].kind == (version == "5.0" ? "row" : "article"))
  }

  @Test func `limits, kinds and lint see what is packed`() throws {
    let plan = try Self.plan(Self.section(40))
    let page = plan.definition
    var limits = LayoutLimits()
    #expect(page.problems(within: limits).isEmpty)
    limits.itemsMax = 39
    #expect(page.problems(within: limits).map(\.pointer.description) == ["/sections/0/items"])
    limits.itemsMax = 40
    limits.childrenDepthMax = 0
    #expect(page.problems(within: limits).map(\.pointer.description) == ["/sections/0/items/7/children"])
    #expect(page.kinds.items == ["row", "article", "banner"])
    var twice = Self.section(40)
    twice.content.items[8].id = "i1"
    let problems = try Self.plan(twice).definition.lint(kinds: plan.kinds, at: Demo.noon)
    #expect(problems.contains { $0.code == .duplicateID && $0.pointer.description == "/sections/0/items/8/id" })
  }
}
