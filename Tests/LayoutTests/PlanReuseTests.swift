import JSON
import Layout
import Testing

/// An edit of the demo, after which most sections are what they were.
private struct Edit: Sendable, CustomTestStringConvertible {
  var testDescription: String
  var make: @Sendable (inout Screen) throws -> Void

  init(_ name: String, _ make: @escaping @Sendable (inout Screen) throws -> Void) {
    (testDescription, self.make) = (name, make)
  }
}

/// A publish compiles what has changed: the rest is taken from the plan of the edition before.
@Suite struct PlanReuseTests {
  private static let edits = [
    Edit("nothing") { _ in },
    Edit("an item's aspect") { try $0.editFilled { $0.content.items[0].aspect = 7 } },
    Edit("another order of the sections") { $0.definition.sections.reverse() },
    Edit("a section less") { $0.definition.sections.removeFirst() },
    Edit("an item for an audience, in front of all conditions") {
      try $0.editFilled { $0.content.items[0].audience = .attribute("bucket", .between(.integer(0), .integer(49))) }
    },
    Edit("a schedule that is over") { try $0.editFilled { $0.settings.schedule = Schedule(until: Demo.noon) } },
    Edit("other locales") { $0.definition.settings.locales.removeLast() },
    Edit("two sections' contents changed for each other") { screen in
      let first = screen.definition.sections[1].content
      screen.definition.sections[1].content = screen.definition.sections[2].content
      screen.definition.sections[2].content = first
    },
  ]

  @Test(arguments: ["home", "activity-spring"], edits)
  fileprivate func `a plan that takes sections from the one before assembles what a plan of its own does`(
    page: String, edit: Edit
  ) throws {
    let before = try Screen(page)
    var after = before
    try edit.make(&after)
    let previous = PagePlan(before.definition, kinds: before.kinds, fingerprints: Self.fingerprints(before))
    let fingerprints = Self.fingerprints(after)
    let reused = PagePlan(after.definition, kinds: after.kinds, fingerprints: fingerprints, after: previous)
    let own = PagePlan(after.definition, kinds: after.kinds, fingerprints: fingerprints)
    for client in try Self.clients() {
      let outcome = reused.outcome(for: client)
      #expect(outcome == own.outcome(for: client))
      let (one, other) = (reused.assemble(outcome, at: Demo.noon), own.assemble(outcome, at: Demo.noon))
      #expect(one.page == other.page)
      #expect(one.nextFlip == other.nextFlip)
      #expect(one.hidden == other.hidden && one.hiddenItems == other.hiddenItems && one.replaced == other.replaced)
    }
  }

  private static func fingerprints(_ screen: Screen) -> [String] {
    screen.definition.sections.map { Fingerprint.of($0.json) }
  }

  private static func clients() throws -> [ClientAttributes] {
    try ["zh-Hans", "vi", "en"].flatMap { tag in
      let locale: Locale = try #require(Locale(tag))
      let languages = [LanguageRange(locale: locale)]
      let values: [AttributeValues] = [[:], ["bucket": .integer(7)], ["bucket": .integer(77)]]
      return values.map { ClientAttributes(values: $0, languages: languages) }
    }
  }
}

extension Screen {
  /// Edits the first section that has items.
  fileprivate mutating func editFilled(_ change: (inout SectionDefinition) throws -> Void) throws {
    let filled = try #require(definition.sections.first { !$0.content.items.isEmpty })
    try edit(filled.id, change)
  }
}
