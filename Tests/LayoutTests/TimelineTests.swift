import HomePayload
import JSON
import Layout
import Testing

@Suite struct TimelineTests {
  private func after(_ seconds: Int64) -> Instant { Demo.noon.adding(seconds: seconds) }

  private func between(_ from: Int64?, _ until: Int64?) -> Schedule {
    Schedule(from: from.map(after), until: until.map(after))
  }

  /// `20 otc appears`, the seconds being those after noon.
  private func timeline(_ screen: Screen, after instant: Instant = Demo.noon) -> [String] {
    screen.definition.flips(after: instant).map { flip in
      let subject = [flip.rule, flip.section, flip.item].compactMap { $0 }.joined(separator: "/")
      return "\(flip.at.secondsSinceEpoch - Demo.noon.secondsSinceEpoch) \(subject) \(flip.what.rawValue)"
    }
  }

  private func scheduled() throws -> Screen {
    var screen = try Screen()
    screen.definition.sortRules[1].schedule = between(20, 50)
    try screen.edit("otc") { $0.settings.schedule = between(20, 40) }
    try screen.edit("hxPrefecture") {
      $0.content.items[0].schedule = between(10, nil)
      $0.content.items[1].schedule = between(nil, 30)
    }
    return screen
  }

  @Test func `the timeline tells what flips when, in the order of time and of the page`() throws {
    let all = [
      "10 hxPrefecture/tea appears", "20 otc appears", "20 spring applies", "30 hxPrefecture/coffee disappears",
      "40 otc disappears", "50 spring ends",
    ]
    #expect(timeline(try scheduled()) == all)
    #expect(timeline(try scheduled(), after: after(20)) == Array(all.dropFirst(3)))
    #expect(timeline(try scheduled(), after: after(50)) == [])
  }

  @Test func `what is hidden has no flips, nor has an item while its section is not there`() throws {
    var screen = try Screen()
    try screen.edit("otc") {
      $0.settings.schedule = between(20, 40)
      $0.content.items[0].schedule = between(10, 50)
    }
    #expect(timeline(screen) == ["20 otc appears", "40 otc disappears"])
    try screen.edit("otc") { $0.content.items[0].schedule = between(50, 60) }
    #expect(timeline(screen) == ["20 otc appears", "40 otc disappears"])
    try screen.edit("otc") { $0.content.items[0].schedule = between(30, 40) }
    #expect(timeline(screen) == ["20 otc appears", "30 otc/otc-desk appears", "40 otc disappears"])
    try screen.edit("otc") { $0.settings.isHidden = true }
    #expect(timeline(screen) == [])
  }

  @Test func `children flip within their parents`() throws {
    var screen = try Screen("activity-spring")
    try screen.edit("faq") {
      $0.content.items[0].schedule = between(10, 40)
      $0.content.items[0].children[0].schedule = between(5, 20)
      $0.content.items[0].children[1].schedule = between(50, 60)
    }
    #expect(
      timeline(screen) == [
        "10 faq/q-coupons appears", "20 faq/q-coupons-use disappears", "40 faq/q-coupons disappears",
      ])
  }

  @Test func `a page changes at no other moment than those of its timeline`() throws {
    let screen = try scheduled()
    let trial: AttributeValues = ["bucket": .integer(95), "appVersion": try version("6.0")]
    let flips = Set(screen.definition.flips(after: Demo.noon).map(\.at))
    for second in Int64(0)..<60 {
      let hasChanged = screen.page(at: after(second), trial) != screen.page(at: after(second + 1), trial)
      #expect(hasChanged == flips.contains(after(second + 1)))
    }
  }

  @Test func `max-age ends at the flip of the client's own page: others' flips are none of its business`() throws {
    let screen = try scheduled()
    let trial: AttributeValues = ["bucket": .integer(95), "appVersion": try version("6.0")]
    #expect(screen.assembled(at: after(40)).nextFlip == nil)
    #expect(screen.assembled(at: after(40), trial).nextFlip == after(50))
  }
}
