import HomePayload
import JSON
import SeededRandom
import Testing

@testable import Layout

/// An edit of the demo and the sentences that tell it.
struct SummaryCase: Sendable, CustomTestStringConvertible {
  var sentences: [String]
  var page: String
  var edit: @Sendable (inout Screen) throws -> Void
  var testDescription: String { sentences.joined(separator: "; ") }

  init(_ sentences: [String], page: String = "home", edit: @escaping @Sendable (inout Screen) throws -> Void) {
    self.sentences = sentences
    self.page = page
    self.edit = edit
  }
}

@Suite struct ChangeSummaryTests {
  @Test(arguments: settings + sections + settingsOfSections + items + trees + rules)
  func `what an operator did is described in the operator's words`(example: SummaryCase) throws {
    let old = try Screen(example.page)
    var new = old
    try example.edit(&new)
    #expect(ChangeSummary(from: old.definition, to: new.definition).sentences == example.sentences)
  }

  @Test(arguments: settings + sections + settingsOfSections + items + trees + rules)
  func `a sentence has its code and what it names as values`(example: SummaryCase) throws {
    let old = try Screen(example.page)
    var new = old
    try example.edit(&new)
    for change in ChangeSummary(from: old.definition, to: new.definition).changes {
      for value in change.values where value.name != "part" {
        if let name = value.value.string { #expect(change.text.contains(name), "\(change.code) \(value.name)") }
        for name in value.value.array?.compactMap(\.string) ?? [] { #expect(change.text.contains(name)) }
      }
      #expect(change.json["code"]?.string == change.code.rawValue)
    }
  }

  @Test func `no change has no sentence, and a new page is one sentence`() throws {
    let home = try Screen().definition
    #expect(ChangeSummary(from: home, to: home).sentences == [])
    #expect(ChangeSummary(from: nil, to: home).sentences == ["made the page home with 13 sections"])
  }

  @Test func `whatever differs is described, and what is described differs`() throws {
    var generator = SeededGenerator(seed: 47)
    let cases = Self.settings + Self.sections + Self.settingsOfSections + Self.items + Self.rules
    for _ in 0..<100 {
      let old = try Screen()
      var new = old
      for example in cases.shuffled(using: &generator).prefix(3) { try? example.edit(&new) }
      let sentences = ChangeSummary(from: old.definition, to: new.definition).sentences
      #expect(sentences.isEmpty == (old.definition == new.definition))
      #expect(Set(sentences).count == sentences.count)
    }
  }

  @Test func `audiences that the page does not use are not described`() throws {
    let old = try Screen().definition
    var new = old
    new.audiences["elsewhere"] = .audience("springTrial")
    #expect(ChangeSummary(from: old, to: new).sentences == [])
    #expect(ChangeSummary(from: new, to: old).sentences == [])
  }

  @Test func `as few things are said to have moved as can be`() {
    #expect(LongestRun.moved(from: ["a", "b", "c", "d"], to: ["d", "a", "b", "c"]) == ["d"])
    #expect(LongestRun.moved(from: ["a", "b", "c", "d"], to: ["b", "c", "d", "a"]) == ["a"])
    #expect(LongestRun.moved(from: ["a", "b"], to: ["x", "a", "y", "b"]) == [])
    #expect(LongestRun.moved(from: ["a", "b", "c"], to: ["c", "b", "a"]).count == 2)
  }

  @Test(arguments: [
    (#"{"attribute":"platform","in":["ios","android"]}"#, "platform ios or android"),
    (#"{"attribute":"platform","notIn":["web","ios"]}"#, "platform other than web and ios"),
    (#"{"attribute":"appVersion","atLeast":"5.2"}"#, "appVersion 5.2 or above"),
    (#"{"attribute":"bucket","between":[0,49]}"#, "bucket 0 to 49"),
    (#"{"not":{"attribute":"locale","matches":"zh"}}"#, "not locale beginning with zh"),
    (
      #"{"all":[{"audience":"vip"},{"any":[{"attribute":"bucket","below":5},{"attribute":"bucket","in":[7]}]}]}"#,
      "the audience vip, and (bucket below 5, or bucket 7)"
    ),
  ])
  func `an audience is described in words`(text: String, phrase: String) throws {
    #expect(try Predicate(json: JSON.parse(text), in: DefinitionContext()).phrase == phrase)
  }
}

extension ChangeSummaryTests {
  private static let ios = Predicate.attribute("platform", .isIn([.text("ios")]))
  private static let soon = Schedule(from: Demo.noon.adding(seconds: 60), zone: "Asia/Shanghai")

  private static func move(_ id: String, _ destination: Destination, _ screen: inout Screen) throws {
    _ = try screen.definition.setOrder(screen.definition.order(moving: id, to: destination), moved: id)
  }

  private static let settings = [
    SummaryCase(["renamed the page from \"Home\" to \"Front\""]) { $0.definition.settings.title = "Front" },
    SummaryCase(["removed the locale vi", "added the locale fr"]) {
      $0.definition.settings.locales = ["zh-Hans", "fr", "en"].compactMap { Locale($0) }
    },
    SummaryCase(["changed the poll interval from 30 s to 60 s"]) { $0.definition.settings.pollInterval = 60 },
    SummaryCase(["removed the empty state"]) { $0.definition.settings.emptyState = nil },
    SummaryCase(["changed the text of the empty state"]) {
      $0.definition.settings.emptyState?.content["text"] = "Nothing"
    },
  ]

  private static let sections = [
    SummaryCase(["moved otc from 5 to -1"]) { try move("otc", .first, &$0) },
    SummaryCase(["put otc first in the page's own order"]) { screen in
      screen.definition.sections.insert(screen.definition.sections.remove(at: 5), at: 0)
    },
    SummaryCase(["put otc after middleAd in the page's own order"]) { screen in
      screen.definition.sections.insert(screen.definition.sections.remove(at: 5), at: 10)
    },
    SummaryCase(["hid walletCard"]) { try $0.edit("walletCard") { $0.settings.isHidden = true } },
    SummaryCase(["removed otc"]) { $0.definition.sections.removeAll { $0.id == "otc" } },
    SummaryCase(["added banner spring"]) {
      $0.definition.sections.append(SectionDefinition(id: "spring", settings: SectionSettings(kind: "banner")))
    },
    SummaryCase(["changed the kind of otc from otc to banner"]) {
      try $0.edit("otc") { $0.settings.kind = "banner" }
    },
  ]

  private static let settingsOfSections = [
    SummaryCase(["renamed otc to \"Exchange\""]) { try $0.edit("otc") { $0.settings.title = "Exchange" } },
    SummaryCase(["changed how the items of middleNav come: firstItems and pollInterval"]) {
      try $0.edit("middleNav") {
        $0.settings.loading.firstItems = 3
        $0.settings.loading.pollInterval = 10
      }
    },
    SummaryCase(["changed the layout of middleNav: itemSpacing and rows"]) {
      try $0.edit("middleNav") { $0.settings.layout = ["rows": [4], "itemSpacing": 5] }
    },
    SummaryCase(["limited otc to clients with platform ios"]) { try $0.edit("otc") { $0.settings.audience = ios } },
    SummaryCase(["scheduled otc from 2026-03-10T12:01:00Z (Asia/Shanghai)"]) {
      try $0.edit("otc") { $0.settings.schedule = soon }
    },
    SummaryCase(["sorted the items of otc by /title"]) {
      try $0.edit("otc") { $0.settings.itemOrder = ItemOrder(pointer: JSONPointer(["title"]), isDescending: false) }
    },
    SummaryCase(["gave otc a header"]) {
      try $0.edit("otc") { $0.settings.header = ItemDefinition(id: "otc.header", kind: "title") }
    },
    SummaryCase(["removed the header of middleNav"]) { try $0.edit("middleNav") { $0.settings.header = nil } },
    SummaryCase(["changed the text of the header of middleNav"]) {
      try $0.edit("middleNav") { $0.settings.header?.content["text"] = "Channels" }
    },
  ]

  private static let items = [
    SummaryCase(["changed the title of item scan in middleNav"]) {
      try $0.edit("middleNav") { $0.content.items[0].content["title"] = "Scan" }
    },
    SummaryCase(["changed the image, title and action of item scan in middleNav"]) {
      try $0.edit("middleNav") {
        $0.content.items[0].content = ["title": "Scan"]
        $0.content.items[0].action = nil
      }
    },
    SummaryCase(["removed item scan from middleNav", "added items a and b to middleNav"]) {
      try $0.edit("middleNav") {
        $0.content.items.removeFirst()
        $0.content.items += ["a", "b"].map { ItemDefinition(id: $0, kind: "navigation") }
      }
    },
    SummaryCase(["moved item all-channels in middleNav from place 15 to 1"]) {
      try $0.edit("middleNav") { $0.content.items.insert($0.content.items.removeLast(), at: 0) }
    },
    SummaryCase(["removed items groceries, electronics, fashion, travel and 10 more from middleNav"]) {
      try $0.edit("middleNav") { $0.content.items.removeLast(14) }
    },
    SummaryCase(
      ["scan", "groceries", "electronics", "fashion", "travel"].map { "changed the badge of item \($0) in middleNav" }
        + ["changed 10 more items in middleNav"]
    ) {
      try $0.edit("middleNav") { section in
        for position in section.content.items.indices { section.content.items[position].content["badge"] = "!" }
      }
    },
    SummaryCase(["changed the viewers of the slot choiceness of broadcast", "emptied the slot hot of broadcast"]) {
      try $0.edit("broadcast") {
        $0.content.slots["hot"] = nil
        $0.content.slots["choiceness"]?.content["viewers"] = 1
      }
    },
    SummaryCase([
      "limited item scan in middleNav to clients with platform ios",
      "scheduled item scan in middleNav from 2026-03-10T12:01:00Z (Asia/Shanghai)",
    ]) {
      try $0.edit("middleNav") {
        $0.content.items[0].audience = ios
        $0.content.items[0].schedule = soon
      }
    },
  ]

  private static let trees = [
    SummaryCase(["kept item hanoi-bloom in stories on top"], page: "activity-spring") {
      try $0.edit("stories") { $0.content.items[4].keepOnTop = true }
    },
    SummaryCase(["left the items of stories in the order they were put"], page: "activity-spring") {
      try $0.edit("stories") { $0.settings.itemOrder = nil }
    },
    SummaryCase(["made item q-delivery in faq start expanded"], page: "activity-spring") {
      try $0.edit("faq") { $0.content.items[1].expanded = true }
    },
    SummaryCase(
      ["removed item q-coupons-refund from q-coupons in faq", "changed the title of item q-coupons-use in faq"],
      page: "activity-spring"
    ) {
      try $0.edit("faq") {
        $0.content.items[0].children.remove(at: 1)
        $0.content.items[0].children[0].content["title"] = "How?"
      }
    },
  ]

  private static let rules = [
    SummaryCase(["changed the priority of the rule spring from 10 to 11"]) {
      $0.definition.sortRules[1].priority = 11
    },
    SummaryCase([
      "put otc at 9 in the rule spring", "took shoppingCarnival off the rule spring",
      "moved walletCard from 3 to 7 in the rule spring",
    ]) {
      $0.definition.sortRules[1].indices["otc"] = 9
      $0.definition.sortRules[1].indices["shoppingCarnival"] = nil
      $0.definition.sortRules[1].indices["walletCard"] = 7
    },
    SummaryCase(["removed the rule spring"]) { $0.definition.sortRules.removeLast() },
    SummaryCase(["added the rule tet for clients with platform ios"]) {
      $0.definition.sortRules.append(SortRule(name: "tet", audience: ios))
    },
    SummaryCase([
      "changed the audience springTrial to clients with platform ios",
      "changed who the rule spring is for, by the audience springTrial",
    ]) {
      $0.definition.audiences["springTrial"] = ios
    },
    SummaryCase(["changed the audience of the rule spring to clients with platform ios"]) {
      $0.definition.sortRules[1].audience = ios
    },
  ]
}
