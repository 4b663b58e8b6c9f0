import SeededRandom
import Testing

@testable import Layout

@Suite struct SatisfiabilityTests {
  private let solver = Satisfiability(
    audiences: ["young": .attribute("tier", .below(.integer(2)))],
    attributes: DefinitionContext(attributes: [AttributeDeclaration(name: "tier", kind: .integer(0...4))]).attributes)

  @Test func `somebody can be of an audience exactly when some client is`() {
    var generator = SeededGenerator(seed: 41)
    var satisfiable = 0
    for _ in 0..<600 {
      let predicate = random(depth: 3, using: &generator)
      let isSomebody = Self.clients.contains { predicate.holds(for: $0, audiences: solver.audiences) }
      #expect(solver.holds([predicate]) == isSomebody, "\(predicate)")
      satisfiable += isSomebody ? 1 : 0
    }
    #expect((100...500).contains(satisfiable))
  }

  /// Every client that a random predicate can tell from another.
  private static let clients: [ClientAttributes] = {
    let tiers: [Int?] = [nil, 0, 1, 2, 3, 4]
    let versions: [AppVersion?] = [nil] + ["0", "1", "1.0.0.0.0.0.0.1", "2", "2.5", "3", "4"].map { AppVersion($0) }
    let locales: [Locale?] = [nil] + ["zh", "zh-Hans", "zh-Hant", "vi", "en"].map { Locale($0) }
    var clients: [ClientAttributes] = []
    for tier in tiers {
      for version in versions {
        for locale in locales {
          for platform in [nil, "ios", "android", "web"] {
            var client = ClientAttributes()
            client.values["tier"] = tier.map { .integer($0) }
            client.values["appVersion"] = version.map { .version($0) }
            client.values["platform"] = platform.map { .text($0) }
            client.languages = locale.map { [LanguageRange(locale: $0)] } ?? []
            clients.append(client)
          }
        }
      }
    }
    return clients
  }()

  private func random(depth: Int, using generator: inout SeededGenerator) -> Predicate {
    switch Int.random(in: depth > 0 ? 0...7 : 4...9, using: &generator) {
    case 0, 1, 2:
      return .all([
        random(depth: depth - 1, using: &generator), random(depth: depth - 1, using: &generator),
        random(depth: depth - 1, using: &generator),
      ])
    case 3:
      return Bool.random(using: &generator)
        ? .any([random(depth: depth - 1, using: &generator), random(depth: depth - 1, using: &generator)])
        : .not(random(depth: depth - 1, using: &generator))
    case 4: return .attribute("tier", comparison(using: &generator) { .integer($0) })
    case 5: return .audience("young")
    case 6: return .attribute("appVersion", comparison(using: &generator) { .version(AppVersion(numbers: [$0])) })
    case 7:
      return .attribute("locale", .matches(["zh", "zh-Hans", "vi"].randomElement(using: &generator) ?? "zh"))
    default:
      let names = ["ios", "android", "web"].filter { _ in Bool.random(using: &generator) }
      return .attribute(
        "platform", Bool.random(using: &generator) ? .isIn(names.map { .text($0) }) : .isNotIn(names.map { .text($0) }))
    }
  }

  private func comparison(
    using generator: inout SeededGenerator, _ value: (Int) -> AttributeValue
  ) -> Comparison {
    let first = value(Int.random(in: 1...3, using: &generator))
    let second = value(Int.random(in: 1...3, using: &generator))
    switch Int.random(in: 0...4, using: &generator) {
    case 0: return .isIn([first])
    case 1: return .isNotIn([first, second])
    case 2: return .atLeast(first)
    case 3: return .below(first)
    default: return .between(first, second)
    }
  }

  @Test func `text without a list of values leaves something beside every value named`() {
    let named = ["CN", "VN", "US"].map { AttributeValue.text($0) }
    #expect(solver.holds([.attribute("country", .isNotIn(named))]))
    #expect(!solver.holds([.attribute("country", .matches("CN")), .not(.attribute("country", .matches("C")))]))
    #expect(solver.holds([.attribute("country", .matches("C")), .not(.attribute("country", .matches("CN")))]))
    #expect(!solver.holds([.attribute("country", .matches("C")), .attribute("country", .matches("V"))]))
  }

  @Test func `names that nest and widen do not run away`() {
    var audiences: [String: Predicate] = ["a0": .attribute("bucket", .below(.integer(50)))]
    for level in 1..<40 {
      audiences["a\(level)"] = .any([.audience("a\(level - 1)"), .not(.audience("a\(level - 1)"))])
    }
    let solver = Satisfiability(audiences: audiences, attributes: DefinitionContext().attributes)
    #expect(solver.brokenName(in: .audience("a39")) == nil)
    #expect(solver.holds([.audience("a39")]))
  }
}
