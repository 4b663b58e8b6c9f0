import JSON
import SeededRandom
import Testing

@testable import Layout

/// Named audiences that refer to each other, as deep and as often as the limits allow.
@Suite struct AudienceGraphTests {
  private static let young = Predicate.attribute("bucket", .below(.integer(50)))
  private static let nobody = Predicate.all([young, .not(young)])

  /// So many levels, each of which names the one before it so often.
  private static func levels(_ count: Int, references: Int, from first: Predicate) -> [String: Predicate] {
    var audiences = ["a0": first]
    for level in 1..<count {
      let parts = [Predicate](repeating: .audience("a\(level - 1)"), count: references)
      audiences["a\(level)"] = level.isMultiple(of: 2) ? .all(parts) : .any(parts)
    }
    return audiences
  }

  private static func client(bucket: Int?) -> ClientAttributes {
    ClientAttributes(values: bucket.map { ["bucket": .integer($0)] } ?? [:])
  }

  /// 1,000 is what `layout.audiencesMax` allows by default, 100,000 what it may be set to.
  private static let sizes = [(19, 2), (40, 2), (40, 10), (1_000, 10), (1_000, 1), (100_000, 1)]

  @Test(.timeLimit(.minutes(10)), arguments: sizes)
  func `each is judged once a client, however deep and often they are named`(count: Int, references: Int) {
    let audiences = Self.levels(count, references: references, from: Self.young)
    let top = Predicate.audience("a\(count - 1)")
    let verdicts = [(top, 7), (top, 70), (top, nil), (.not(top), 70), (.not(top), nil)].map { predicate, bucket in
      predicate.holds(for: Self.client(bucket: bucket), audiences: audiences)
    }
    #expect(verdicts == [true, false, false, true, false])
    let problem = AudienceGraph(audiences).problem(of: "a\(count - 1)")
    #expect(problem == nil)
  }

  @Test(.timeLimit(.minutes(10)), arguments: sizes)
  func `lint tells at every level whether somebody can be of it`(count: Int, references: Int) {
    for (first, isSomebody) in [(Self.young, true), (Self.nobody, false)] {
      let solver = Satisfiability(
        audiences: Self.levels(count, references: references, from: first),
        attributes: DefinitionContext().attributes)
      for level in [0, 1, 2, 17, count - 1] {
        // Not in the expectation itself, which would write the solver down.
        let holds = solver.holds([.audience("a\(level)")])
        #expect(holds == isSomebody, "level \(level)")
        let broken = solver.brokenName(in: .audience("a\(level)"))
        #expect(broken == nil)
      }
      let withYoung = solver.holds([.audience("a\(count - 1)"), Self.young])
      #expect(withYoung == isSomebody)
      // The last to be tried where there are too many steps.
      let without = solver.holds([.audience("a\(count - 1)"), .not(Self.young)])
      #expect(without == (count > 10_000 && isSomebody))
    }
  }

  @Test(.timeLimit(.minutes(10)))
  func `what would take for ever to tell counts as an audience that somebody is of`() {
    // Each clause takes one of three buckets' sides; to find out that no bucket is left takes every combination.
    let clauses = (0..<60).map { number in
      Predicate.any((0..<3).map { .attribute("bucket", .isIn([.integer((number * 7 + $0 * 31) % 100)])) })
    }
    let solver = Satisfiability(audiences: [:], attributes: DefinitionContext().attributes)
    let wide = (0..<20_000).map { Predicate.attribute("bucket", .isNotIn([.integer($0 % 99)])) }
    let deep = (0..<20_000).map { _ in Predicate.any([Self.young, .not(Self.young)]) }
    let questions = [Array(clauses.prefix(4)), clauses, wide, deep]
    let answers = questions.map { solver.holds([.all($0)]) }
    #expect(answers[0] == false)
    #expect(answers[2...] == [true, true])
  }

  @Test func `a name that is not there, or leads back to itself, is reported at every name that leads to it`() {
    let audiences: [String: Predicate] = [
      "self": .not(.audience("self")), "one": .audience("two"), "two": .any([.audience("fine"), .audience("one")]),
      "outside": .all([.audience("fine"), .audience("two")]), "lost": .audience("gone"), "far": .audience("lost"),
      "fine": Self.young,
    ]
    let graph = AudienceGraph(audiences)
    #expect(graph.problem(of: "fine")?.text == nil)
    #expect(graph.problem(of: "self")?.text == "the audience \"self\" refers to itself")
    for name in ["one", "two", "outside"] {
      #expect(graph.problem(of: name)?.text.hasSuffix("refers to itself") == true)
    }
    for name in ["lost", "far"] { #expect(graph.problem(of: name)?.text == "there is no audience \"gone\"") }
    #expect(graph.problem(of: "gone")?.text == "there is no audience \"gone\"")
    for name in audiences.keys where name != "fine" {
      #expect(!Predicate.audience(name).holds(for: Self.client(bucket: 7), audiences: audiences), "\(name)")
    }
    let solver = Satisfiability(audiences: audiences, attributes: DefinitionContext().attributes)
    #expect(solver.brokenName(in: .any([.audience("fine"), .audience("far")])) == "gone")
    #expect(solver.brokenName(in: .audience("fine")) == nil)
  }

  @Test func `names say the same as what they stand for`() {
    var generator = SeededGenerator(seed: 77)
    for _ in 0..<Trials.count(200) {
      var audiences: [String: Predicate] = [:]
      var spelled: [String: Predicate] = [:]
      for level in 0..<8 {
        let predicate = random(below: level, depth: 3, using: &generator)
        audiences["a\(level)"] = predicate
        spelled["a\(level)"] = predicate.spelled(with: spelled)
      }
      for bucket in [nil, 0, 25, 50, 99] {
        let client = Self.client(bucket: bucket)
        for (name, predicate) in spelled {
          #expect(
            Predicate.audience(name).holds(for: client, audiences: audiences)
              == predicate.holds(for: client, audiences: [:]))
        }
      }
    }
  }

  private func random(below level: Int, depth: Int, using generator: inout SeededGenerator) -> Predicate {
    switch Int.random(in: depth > 0 ? 0...4 : 3...4, using: &generator) {
    case 0:
      .all((0..<2).map { _ in random(below: level, depth: depth - 1, using: &generator) })
    case 1:
      .any((0..<2).map { _ in random(below: level, depth: depth - 1, using: &generator) })
    case 2: .not(random(below: level, depth: depth - 1, using: &generator))
    case 3 where level > 0: .audience("a\(Int.random(in: 0..<level, using: &generator))")
    default: .attribute("bucket", .below(.integer(Int.random(in: 1...99, using: &generator))))
    }
  }
}

extension Predicate {
  /// With the predicates that its names stand for.
  fileprivate func spelled(with audiences: [String: Predicate]) -> Predicate {
    switch self {
    case .attribute: self
    case .all(let parts): .all(parts.map { $0.spelled(with: audiences) })
    case .any(let parts): .any(parts.map { $0.spelled(with: audiences) })
    case .not(let part): .not(part.spelled(with: audiences))
    case .audience(let name): audiences[name] ?? self
    }
  }
}
