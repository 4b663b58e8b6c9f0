import JSON
import Layout
import Testing

/// One edit of the demo, and what lint says of it: `code pointer section`.
struct LintCase: Sendable, CustomTestStringConvertible {
  var name: String
  var page = "home"
  var expected: [String]
  var edit: @Sendable (inout Screen) throws -> Void
  var testDescription: String { name }

  init(
    _ name: String, page: String = "home", _ expected: [String], edit: @escaping @Sendable (inout Screen) throws -> Void
  ) {
    self.name = name
    self.page = page
    self.expected = expected
    self.edit = edit
  }
}

@Suite struct LintTests {
  private static let context = DefinitionContext(attributes: [
    AttributeDeclaration(name: "memberTier", kind: .integer(0...9))
  ])

  private func lint(_ screen: Screen, bytes: Int? = nil) -> [LintProblem] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon, in: Self.context, compressedBytes: bytes)
  }

  @Test(arguments: ["home", "activity-spring", "discover", "search"])
  func `lint has nothing to say of the demo`(page: String) throws {
    #expect(lint(try Screen(page)) == [])
  }

  @Test(arguments: identity + content + schedules + audiences + layouts + locales + rules)
  func `lint names the rule, the place and the section`(example: LintCase) throws {
    var screen = try Screen(example.page)
    try example.edit(&screen)
    let problems = lint(screen)
    #expect(problems.map { "\($0.code.rawValue) \($0.pointer) \($0.section ?? "-")" } == example.expected)
    #expect(problems.allSatisfy { !$0.detail.isEmpty && $0.json["severity"]?.string == $0.severity.rawValue })
  }

  @Test func `a page over its size budget is a warning, one within it is none`() throws {
    let screen = try Screen()
    #expect(lint(screen, bytes: 262_144) == [])
    let problems = lint(screen, bytes: 262_145)
    #expect(problems.map(\.code) == [.overBudget])
    #expect(problems.first?.severity == .warning)
    #expect(problems.first?.pointer == JSONPointer())
  }

  @Test func `what would be served wrongly stops a publish, what is useless or unwise or hides itself does not`() {
    let errors = LintProblem.Code.allCases.filter { $0.severity == .error }
    #expect(
      errors == [
        .duplicateID, .unknownKind, .invalidContent, .childrenTooDeep, .overLimit, .unknownAudience,
        .scheduleInsideOut, .unknownList, .unknownPicture,
      ])
  }

  @Test func `errors come before warnings, and no rule hides another`() throws {
    var screen = try Screen()
    try screen.edit("marquee") { $0.settings.schedule = Schedule(until: Demo.noon) }
    try screen.edit("bottomFloat") { $0.content.items[1].id = "sign-in" }
    #expect(lint(screen).map(\.code) == [.duplicateID, .scheduleOver])
  }
}

extension LintTests {
  @Test func `what is known of unchanged sections is what looking at them again would tell`() throws {
    let cache = LintCache()
    let examples = Self.identity + Self.content + Self.schedules + Self.audiences + Self.layouts + Self.locales
    for example in examples + Self.rules + Self.content {
      var screen = try Screen(example.page)
      try example.edit(&screen)
      let fingerprints = screen.definition.sections.map { Fingerprint.of($0.json) }
      for _ in 0..<2 {
        let problems = screen.definition.lint(
          kinds: screen.kinds, at: Demo.noon, in: Self.context, cache: (cache, fingerprints))
        #expect(problems == lint(screen))
      }
    }
  }

  @Test func `of a section that changes again and again the last states alone are remembered`() throws {
    let cache = LintCache()
    for number in 0..<50 {
      var screen = try Screen()
      try screen.edit("otc") { $0.settings.title = "\(number)" }
      let fingerprints = screen.definition.sections.map { Fingerprint.of($0.json) }
      _ = screen.definition.lint(
        kinds: screen.kinds, at: Demo.noon, in: Self.context, cache: (cache, fingerprints))
      #expect(cache.count <= screen.definition.sections.count + 1)
    }
  }

  private static func predicate(_ text: String) throws -> Predicate {
    try Predicate(json: JSON.parse(text), in: context)
  }

  private static let identity = [
    LintCase("a section's id twice", ["duplicate-id /sections/13/id otc"]) { screen in
      screen.definition.sections.append(screen.definition.sections[5])
    },
    LintCase("an item's id twice", ["duplicate-id /sections/8/items/4/id bottomNav"]) { screen in
      try screen.edit("bottomNav") { $0.content.items[4].id = $0.content.items[0].id }
    },
    LintCase("an item's id in another section", ["id-not-unique /sections/8/items/4/id bottomNav"]) { screen in
      let scan = try #require(screen.definition.sections.first { $0.id == "middleNav" }).content.items[0].id
      try screen.edit("bottomNav") { $0.content.items[4].id = scan }
    },
    LintCase("a header's id again", ["duplicate-id /sections/7/items/2/id middleNav"]) { screen in
      try screen.edit("middleNav") { $0.content.items[2].id = "middleNav.header" }
    },
    LintCase("a slot's id again", ["duplicate-id /sections/9/slots/topSale/id broadcast"]) { screen in
      try screen.edit("broadcast") { $0.content.slots["topSale"]?.id = "live-jade" }
    },
    LintCase(
      "a child's id again", page: "activity-spring",
      ["duplicate-id /sections/4/items/1/children/0/children/0/id faq"]
    ) { screen in
      try screen.edit("faq") { $0.content.items[1].children[0].children[0].id = "q-coupons" }
    },
  ]

  private static let content = [
    LintCase("a section kind that is gone", ["unknown-kind /sections/5/kind otc"]) { screen in
      try screen.edit("otc") { $0.settings.kind = "gone" }
    },
    LintCase("an item kind that is gone", ["unknown-kind /sections/5/items/0/kind otc"]) { screen in
      try screen.edit("otc") { $0.content.items[0].kind = "gone" }
    },
    LintCase("an item kind that does not go here", ["invalid-content /sections/5/items/0/kind otc"]) { screen in
      try screen.edit("otc") { $0.content.items[0] = ItemDefinition(id: "x", kind: "title", content: ["text": "x"]) }
    },
    LintCase("content that its kind refuses", ["invalid-content /sections/5/items/0/content/image/width otc"]) {
      screen in
      try screen.edit("otc") {
        $0.content.items[0].content["image"] = ["url": "https://cdn.example.com/a.png", "width": 0]
      }
    },
    LintCase(
      "children too deep", page: "activity-spring",
      ["children-too-deep /sections/4/items/0/children/0/children/0/children/0/children/0/children faq"]
    ) { screen in
      func nest(_ levels: Int) -> [ItemDefinition] {
        guard levels > 0 else { return [] }
        let content: JSONObject = ["title": "x"]
        return [
          ItemDefinition(id: "deep\(levels)", kind: "outlineHeader", content: content, children: nest(levels - 1))
        ]
      }
      try screen.edit("faq") { $0.content.items = nest(6) }
    },
    LintCase("a required slot empty", ["required-slot-empty /sections/3/slots/smallWelfare walletCard"]) { screen in
      try screen.edit("walletCard") { $0.content = SectionContent() }
    },
    LintCase("a required slot empty in a hidden section", []) { screen in
      try screen.edit("walletCard") {
        $0.content = SectionContent()
        $0.settings.isHidden = true
      }
    },
  ]

  private static let schedules = [
    LintCase("over since now", ["schedule-over /sections/5/schedule otc"]) { screen in
      try screen.edit("otc") { $0.settings.schedule = Schedule(until: Demo.noon) }
    },
    LintCase("over in a second", []) { screen in
      try screen.edit("otc") { $0.settings.schedule = Schedule(until: Demo.noon.adding(seconds: 1)) }
    },
    LintCase("an item over", ["schedule-over /sections/5/items/0/schedule otc"]) { screen in
      try screen.edit("otc") { $0.content.items[0].schedule = Schedule(until: Demo.noon.adding(seconds: -1)) }
    },
    LintCase("inside out", ["schedule-inside-out /sections/5/schedule otc"]) { screen in
      try screen.edit("otc") {
        $0.settings.schedule = Schedule(from: Demo.noon.adding(seconds: 2), until: Demo.noon.adding(seconds: 1))
      }
    },
    LintCase("never begins", ["schedule-never-begins /sections/5/schedule otc"]) { screen in
      try screen.edit("otc") {
        $0.settings.schedule = Schedule(from: Demo.noon.adding(seconds: 2), until: Demo.noon.adding(seconds: 2))
      }
    },
    LintCase("never on with its section", ["schedule-never-begins /sections/5/items/0/schedule otc"]) { screen in
      try screen.edit("otc") {
        $0.settings.schedule = Schedule(from: Demo.noon.adding(seconds: 20))
        $0.content.items[0].schedule = Schedule(until: Demo.noon.adding(seconds: 20))
      }
    },
    LintCase("a hidden section's schedule is nobody's worry", []) { screen in
      try screen.edit("otc") {
        $0.settings.schedule = Schedule(until: Demo.noon)
        $0.settings.isHidden = true
      }
    },
    LintCase("a rule over", ["schedule-over /sortRules/spring/schedule -"]) { screen in
      for position in screen.definition.sortRules.indices where screen.definition.sortRules[position].name == "spring" {
        screen.definition.sortRules[position].schedule = Schedule(until: Demo.noon)
      }
    },
  ]

  private static let audiences = [
    LintCase("an empty list", ["nobody-can-see /sections/5/audience otc"]) { screen in
      try screen.edit("otc") { $0.settings.audience = .attribute("platform", .isIn([])) }
    },
    LintCase("buckets that exclude each other", ["nobody-can-see /sections/5/audience otc"]) { screen in
      let audience = try predicate(
        #"{"all":[{"attribute":"bucket","between":[0,49]},{"not":{"attribute":"bucket","below":50}}]}"#)
      try screen.edit("otc") { $0.settings.audience = audience }
    },
    LintCase("below its own least", ["nobody-can-see /sections/5/audience otc"]) { screen in
      let audience = try predicate(
        #"{"all":[{"attribute":"appVersion","atLeast":"5.2"},{"attribute":"appVersion","below":"5.2.0"}]}"#)
      try screen.edit("otc") { $0.settings.audience = audience }
    },
    LintCase("below the least there is", ["nobody-can-see /sections/5/audience otc"]) { screen in
      try screen.edit("otc") { $0.settings.audience = .attribute("memberTier", .below(.integer(0))) }
    },
    LintCase("everyone and no one", ["nobody-can-see /sections/5/audience otc"]) { screen in
      let audience = try predicate(#"{"attribute":"platform","notIn":["ios","android","web"]}"#)
      try screen.edit("otc") { $0.settings.audience = audience }
    },
    LintCase("by a name", ["nobody-can-see /sections/5/audience otc"]) { screen in
      try screen.edit("otc") {
        $0.settings.audience = .all([.audience("springTrial"), .attribute("bucket", .below(.integer(90)))])
      }
    },
    LintCase("an item that excludes its section", ["nobody-can-see /sections/5/items/0/audience otc"]) { screen in
      try screen.edit("otc") {
        $0.settings.audience = .attribute("platform", .isIn([.text("ios")]))
        $0.content.items[0].audience = .attribute("platform", .isIn([.text("web")]))
      }
    },
    LintCase("an audience that is not there", ["unknown-audience /sections/5/audience otc"]) { screen in
      try screen.edit("otc") { $0.settings.audience = .audience("gone") }
    },
    LintCase("an audience of itself", ["unknown-audience /sections/5/audience otc"]) { screen in
      screen.definition.audiences["a"] = .not(.audience("b"))
      screen.definition.audiences["b"] = .audience("a")
      try screen.edit("otc") { $0.settings.audience = .audience("a") }
    },
    LintCase("too old to draw it", page: "activity-spring", ["nobody-can-draw /sections/6/items/1/kind stories"]) {
      screen in
      var text = try Demo.text("config/kinds.yaml")
      text.replace(
        "      kind: article\n      content: {title: /title, image: /cover, date: /date}\n",
        with: "      kind: future\n")
      text.replace(
        "  outlineRow:\n", with: "  future:\n    requires: {ios: \"9.0\"}\n    content: {}\n  outlineRow:\n",
        maxReplacements: 1)
      screen.kinds = try Demo.kinds(text)
      let audience = try predicate(
        #"{"all":[{"attribute":"platform","in":["ios"]},{"attribute":"appVersion","below":"4.0"}]}"#)
      try screen.edit("stories") { $0.content.items[1].audience = audience }
    },
    LintCase("too old, with a fallback", page: "activity-spring", []) { screen in
      let audience = try predicate(
        #"{"all":[{"attribute":"platform","in":["ios"]},{"attribute":"appVersion","below":"4.0"}]}"#)
      try screen.edit("stories") { $0.settings.audience = audience }
    },
    LintCase("a narrow audience is none of lint's business", []) { screen in
      let audience = try predicate(
        #"{"all":[{"attribute":"bucket","in":[7]},{"attribute":"locale","matches":"zh"},{"not":{"attribute":"locale","matches":"zh-Hant"}},{"any":[{"attribute":"platform","in":["ios"]},{"attribute":"memberTier","atLeast":9}]}]}"#
      )
      try screen.edit("otc") { $0.settings.audience = audience }
    },
  ]

  private static let layouts = [
    LintCase("two pinned", ["several-pinned /sections/12 bottomFloat"]) { screen in
      try screen.edit("otc") { $0.settings.layout = ["style": "pinned"] }
    },
    LintCase("two pinned, one after the other", []) { screen in
      try screen.edit("otc") {
        $0.settings.layout = ["style": "pinned"]
        $0.settings.schedule = Schedule(until: Demo.noon.adding(seconds: 60))
      }
      try screen.edit("bottomFloat") { $0.settings.schedule = Schedule(from: Demo.noon.adding(seconds: 60)) }
    },
    LintCase("two pinned, for different clients", []) { screen in
      try screen.edit("otc") {
        $0.settings.layout = ["style": "pinned"]
        $0.settings.audience = .attribute("platform", .isIn([.text("ios")]))
      }
      try screen.edit("bottomFloat") { $0.settings.audience = .attribute("platform", .isNotIn([.text("ios")])) }
    },
    LintCase(
      "a picture without size", page: "activity-spring",
      [
        "image-without-size /sections/2/items/5/content/image picks",
        "image-without-size /sections/2/items/6/content/image/vi picks",
      ]
    ) { screen in
      let url: JSON = "https://cdn.example.com/a.png"
      let sized: JSON = ["url": url, "width": 2, "height": 3]
      try screen.edit("picks") {
        $0.content.items += [
          ItemDefinition(id: "a", kind: "banner", content: ["title": "A", "image": ["url": url]]),
          ItemDefinition(
            id: "b", kind: "banner",
            content: ["title": "B", "image": ["zh-Hans": sized, "vi": ["url": url, "width": 2], "en": sized]]),
          ItemDefinition(id: "c", kind: "banner", content: ["title": "C", "image": ["url": url]], aspect: 1.5),
        ]
      }
    },
  ]

  private static let locales = [
    LintCase("a text without the default locale", ["missing-locale /sections/5/items/0/content/title otc"]) { screen in
      try screen.edit("otc") { $0.content.items[0].content["title"] = ["vi": "Sàn", "fr": "Bourse"] }
    },
    LintCase("a text for any other locale", []) { screen in
      try screen.edit("otc") { $0.content.items[0].content["title"] = ["vi": "Sàn", "*": "OTC"] }
    },
    LintCase("a text in a wider locale", []) { screen in
      try screen.edit("otc") { $0.content.items[0].content["title"] = ["zh": "场外"] }
    },
    LintCase("a size", ["missing-locale /sections/5/layout/itemSize/height/points otc"]) { screen in
      try screen.edit("otc") { $0.settings.layout = ["itemSize": ["height": ["points": ["en": 80, "vi": 100]]]] }
    },
    LintCase("the empty state", ["missing-locale /emptyState/content/text -"]) { screen in
      screen.definition.settings.emptyState?.content["text"] = ["en": "Nothing"]
    },
    LintCase("a child", page: "activity-spring", ["missing-locale /sections/4/items/0/children/0/content/title faq"]) {
      screen in
      try screen.edit("faq") { $0.content.items[0].children[0].content["title"] = ["en": "How?"] }
    },
  ]

  private static func add(_ rule: SortRule, to screen: inout Screen) { screen.definition.sortRules.append(rule) }

  private static let rules = [
    LintCase("a section that is not there", ["unknown-section /sortRules/default/indices/gone gone"]) { screen in
      screen.definition.sortRules[0].indices["gone"] = 4
    },
    LintCase("a rule for nobody", ["nobody-can-see /sortRules/tet/audience -"]) { screen in
      add(SortRule(name: "tet", audience: .attribute("bucket", .isIn([]))), to: &screen)
    },
    LintCase("two of one priority", ["equal-priority /sortRules/tet/priority -"]) { screen in
      add(SortRule(name: "tet", audience: .attribute("platform", .isIn([.text("ios")])), priority: 10), to: &screen)
    },
    LintCase("two of one priority for different clients", []) { screen in
      add(SortRule(name: "tet", audience: .attribute("bucket", .below(.integer(90))), priority: 10), to: &screen)
    },
    LintCase("two of one priority, one before the other", []) { screen in
      let ios = Predicate.attribute("platform", .isIn([.text("ios")]))
      let end = Demo.noon.adding(seconds: 9)
      add(SortRule(name: "one", audience: ios, schedule: Schedule(until: end)), to: &screen)
      add(SortRule(name: "two", audience: ios, schedule: Schedule(from: end)), to: &screen)
    },
  ]
}
