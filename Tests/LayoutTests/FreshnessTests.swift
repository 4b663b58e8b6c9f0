import HomePayload
import JSON
import Testing

@testable import Layout

/// When a section with `freshFor` is shown, by when its content was confirmed.
@Suite struct FreshnessTests {
  private static func after(_ seconds: Int64) -> Instant { Demo.noon.adding(seconds: seconds) }

  private static func screen(_ change: (inout SectionDefinition) -> Void = { _ in }) throws -> Screen {
    var screen = try Screen()
    try screen.edit("otc") { section in
      section.settings.loading.freshFor = 600
      change(&section)
    }
    screen.definition.confirmed = ["otc": Demo.noon]
    return screen
  }

  private static func shows(_ plan: PagePlan, at seconds: Int64) -> Bool {
    let outcome = plan.outcome(for: ClientAttributes())
    let assembled = plan.assemble(outcome, at: after(seconds))
    let isThere = assembled.page.sections.contains { $0.id == "otc" }
    let isTold = plan.sortRule(for: outcome, at: after(seconds)).document.places.contains { $0.section == "otc" }
    #expect(isThere == isTold)
    return isThere
  }

  @Test func `a section shows until its time is over, and each of its moments begins and ends with it`() throws {
    let screen = try Self.screen()
    var plan = PagePlan(screen.definition, kinds: screen.kinds)
    for (seconds, isShown) in [(-9_000, true), (0, true), (599, true), (600, false), (9_000, false)] {
      #expect(Self.shows(plan, at: Int64(seconds)) == isShown, "\(seconds)")
    }
    #expect(plan.moment(at: Self.after(599)).until == Self.after(600))
    #expect(plan.moment(at: Self.after(600)).since == Self.after(600))
    let outcome = plan.outcome(for: ClientAttributes())
    #expect(plan.assemble(outcome, at: Self.after(1)).nextFlip == Self.after(600))
    let gone = plan.assemble(outcome, at: Self.after(600))
    #expect(gone.nextFlip == nil)
    #expect(gone.hidden.contains(HiddenSection(section: "otc", reason: .expired)))
    #expect(screen.definition.expiredSections(at: Self.after(600)).map(\.section) == ["otc"])

    #expect(plan.confirm(["otc": Self.after(300), "unknown": Self.after(300)]) == Self.after(600))
    #expect(Self.shows(plan, at: 899) && !Self.shows(plan, at: 900))
    // What is older, or the same, moves nothing.
    #expect(plan.confirm(["otc": Self.after(200)]) == nil)
    #expect(plan.moment(at: Self.after(899)).until == Self.after(900))
  }

  @Test func `a schedule and the end of a confirmation are both kept to`() throws {
    for (until, end) in [(300, 300), (900, 600)] as [(Int64, Int64)] {
      let screen = try Self.screen { $0.settings.schedule = Schedule(from: Demo.noon, until: Self.after(until)) }
      let plan = PagePlan(screen.definition, kinds: screen.kinds)
      #expect(Self.shows(plan, at: end - 1) && !Self.shows(plan, at: end))
      let flips = screen.definition.flips(after: Self.after(1)).filter { $0.section == "otc" && $0.item == nil }
      #expect(flips.map(\.at) == [Self.after(end)])
    }
    let hidden = try Self.screen { $0.settings.isHidden = true }
    #expect(hidden.definition.flips(after: Demo.noon) == [])
    #expect(hidden.definition.expiredSections(at: Self.after(700)).isEmpty)
  }

  @Test func `a push is noted once in an eighth of the time, and makes a revision from shortly before its end on`()
    throws
  {
    let section = try #require(try Self.screen().definition.sections.first { $0.id == "otc" })
    let cases: [(age: Int64, confirmation: Layout.Confirmation)] = [
      (-60, .none), (0, .none), (74, .none), (75, .noted), (569, .noted), (570, .shows), (600, .shows),
      (90_000, .shows),
    ]
    for (age, confirmation) in cases {
      #expect(Layout.Confirmation(of: section, confirmed: Demo.noon, at: Self.after(age)) == confirmation, "\(age)")
    }
    #expect(Layout.Confirmation(of: section, confirmed: nil, at: Demo.noon) == .none)
  }

  @Test func `who pushes at least every half of the time is never hidden, and makes no revision`() {
    for freshFor in [120, 121, 200, 600, 86_400, 2_592_000] as [Int64] {
      var section = SectionDefinition(id: "s", settings: SectionSettings(kind: "list"))
      section.settings.loading.freshFor = Int(freshFor)
      for interval in [1, freshFor / 9, freshFor / 8, freshFor / 3, freshFor / 2] {
        var confirmed = Demo.noon
        for push in 1...200 {
          let now = Self.after(Int64(push) * interval)
          let confirmation = Layout.Confirmation(of: section, confirmed: confirmed, at: now)
          #expect(confirmation != .shows, "\(freshFor) \(interval)")
          if confirmation == .noted { confirmed = now }
        }
      }
    }
  }
}
