import HomePayload
import JSON
import Layout
import Testing

/// What a kind that is withheld comes to in a page.
@Suite struct WithholdingTests {
  private static let ios: Predicate = .attribute("platform", .isIn([.text("ios")]))

  private static func screen(_ withheld: Withholding...) throws -> Screen {
    var screen = try Screen("activity-spring")
    screen.definition.withheld = withheld
    return screen
  }

  @Test func `clients that the condition holds for get the fallback, and all others what they had`() throws {
    let whole = try Self.screen()
    let screen = try Self.screen(
      Withholding(.items, "video", from: Self.ios), Withholding(.sections, "stage", from: Self.ios))
    let page = screen.page(["platform": .text("ios")])
    #expect(page.sections.first?.kind == "banner")
    #expect(page.sections.flatMap(\.items).allSatisfy { $0.kind != "video" })
    let replaced = screen.assembled(["platform": .text("ios")]).replaced.map { "\($0.kind) by \($0.by)" }
    #expect(Set(replaced) == ["stage by banner", "video by article"])
    #expect(screen.page(["platform": .text("android")]) == whole.page(["platform": .text("android")]))
    // As everywhere, who does not say it is not meant.
    #expect(screen.page() == whole.page())
  }

  @Test func `without a fallback it is left out, and a preview says why`() throws {
    let screen = try Self.screen(
      Withholding(.items, "video", from: Self.ios), Withholding(.items, "article", from: Self.ios),
      Withholding(.sections, "stage", from: Self.ios), Withholding(.sections, "banner", from: Self.ios))
    let assembled = screen.assembled(["platform": .text("ios")])
    #expect(assembled.page.sections.allSatisfy { !["stage", "banner"].contains($0.kind) })
    #expect(assembled.hidden.contains { $0.section == "stage" && $0.reason == .kindWithheld })
    #expect(assembled.hiddenItems.contains { $0.item == "picnic-video" && $0.reason == .kindWithheld })
  }

  @Test func `a named audience counts as it was when the kind was withheld`() throws {
    let named = ["apple": Self.ios, "all": .any([.audience("apple")]), "other": Self.ios]
    let withholding = Withholding(.sections, "stage", from: .audience("all"), audiences: named)
    #expect(withholding.audiences.keys.sorted() == ["all", "apple"])
    #expect(withholding.problems == [])
    var screen = try Self.screen(withholding)
    screen.definition.audiences = ["apple": .attribute("platform", .isIn([.text("android")]))]
    #expect(screen.page(["platform": .text("ios")]).sections.first?.kind == "banner")
    #expect(screen.page(["platform": .text("android")]).sections.first?.kind == "stage")
    let unknown = Withholding(.items, "video", from: .audience("nobody"), audiences: named)
    #expect(unknown.problems.map(\.description) == ["/audience there is no audience \"nobody\""])
    let read = try Withholding(json: JSON.parse(withholding.json.canonicalBytes), in: DefinitionContext())
    #expect(read == withholding)
  }

  @Test func `an empty state of the kind is left out too`() throws {
    var screen = try Self.screen()
    screen.definition.sections = []
    let emptyState = ItemDefinition(id: "empty", kind: "article", content: ["title": "Nothing"])
    screen.definition.settings.emptyState = emptyState
    screen.definition.withheld = [Withholding(.items, "article", from: Self.ios)]
    #expect(screen.page(["platform": .text("ios")]).emptyState == nil)
    #expect(screen.page(["platform": .text("web")]).emptyState != nil)
  }

  @Test func `a plan takes nothing of one before that withheld something else`() throws {
    let kinds = try Demo.kinds.get()
    let definition = try Demo.definition("activity-spring")
    let fingerprints = definition.sections.map { Fingerprint.of($0.canonicalBytes) }
    let before = PagePlan(definition, kinds: kinds, fingerprints: fingerprints)
    var withheld = definition
    withheld.withheld = [
      Withholding(.sections, "stage", from: Self.ios), Withholding(.items, "product", from: Self.ios),
    ]
    let plan = PagePlan(withheld, kinds: kinds, fingerprints: fingerprints, after: before)
    let client = ClientAttributes(values: ["platform": .text("ios")])
    let fresh = PagePlan(withheld, kinds: kinds)
    #expect(
      plan.assemble(plan.outcome(for: client), at: Demo.noon).page
        == fresh.assemble(fresh.outcome(for: client), at: Demo.noon).page)
    #expect(!plan.hasSameOutcomes(as: before))
    let lifted = PagePlan(definition, kinds: kinds, fingerprints: fingerprints, after: plan)
    #expect(
      lifted.assemble(lifted.outcome(for: client), at: Demo.noon).page
        == before.assemble(before.outcome(for: client), at: Demo.noon).page)
    #expect(lifted.hasSameOutcomes(as: before))
  }

  @Test func `a page may show a kind that it uses, or that is a fallback of one`() throws {
    let kinds = try Demo.kinds.get()
    let spring = try Demo.definition("activity-spring")
    #expect(kinds.mayShow(.items, "video", on: spring))
    #expect(kinds.mayShow(.sections, "stage", on: spring))
    #expect(!kinds.mayShow(.sections, "stage", on: try Demo.definition("home")))
    #expect(!kinds.mayShow(.items, "nothing", on: spring))
    var bare = spring
    bare.sections.removeAll { $0.settings.kind == "banner" }
    #expect(kinds.mayShow(.sections, "banner", on: bare))
  }

  @Test func `a summary says what is withheld of the kinds that the page has`() throws {
    let page = try Demo.definition("activity-spring")
    var withheld = page
    withheld.withheld = [Withholding(.items, "nothing", from: Self.ios), Withholding(.items, "video", from: Self.ios)]
    #expect(
      ChangeSummary(from: page, to: withheld).sentences == ["withheld items/video from clients with platform ios"])
    #expect(
      ChangeSummary(from: withheld, to: page).sentences == ["lifted the withholding of items/video"])
  }
}
