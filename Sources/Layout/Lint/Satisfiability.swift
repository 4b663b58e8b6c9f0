/// Tells whether some client can be of audiences: whether their conditions leave a value for every attribute.
///
/// A condition of one attribute says nothing of another, so that it is enough to find, for one way to satisfy every
/// `any`, a value of each attribute on its own. A client matches what it sends alone (see ``Predicate``), therefore a
/// negated comparison is the opposite comparison.
///
/// To find that way can take as many steps as there are ways. So there is an end to the effort, for one question and for
/// all of a page: beyond it, an audience counts as one that somebody is of.
struct Satisfiability {
  let audiences: [String: Predicate]
  let attributes: [String: AttributeDeclaration]
  private let graph: AudienceGraph
  private let memory = Memory()

  /// The steps that one question may cost.
  private static let effortMax = 200_000
  /// The steps that all questions of a page may cost: some tenths of a second.
  private static let effortInAllMax = 4_000_000
  /// How many choices may hang on each other, since each takes room on the stack.
  private static let choicesMax = 256

  /// What is known already, and what the answers have cost.
  private final class Memory {
    var answers: [Predicate: Bool] = [:]
    /// Whether a client can be in a named audience, considered alone, or outside of it.
    var names: [Name: Bool] = [:]
    var hasJudgedNames = false
    var effort = 0
  }

  /// A named audience that must hold, or must not.
  private struct Name: Hashable {
    var name: String
    var isNegated: Bool
  }

  /// A condition that must hold, or must not.
  private struct Goal {
    var predicate: Predicate
    var isNegated = false
  }

  private struct Search {
    var goals: [Goal]
    /// The comparisons that the attributes' values must satisfy so far.
    var chosen: [String: [Demand]] = [:]
    /// The names that are asked for already: once is enough.
    var named = Set<Name>()
    var choices = 0
  }

  init(audiences: [String: Predicate], attributes: [String: AttributeDeclaration]) {
    self.audiences = audiences
    self.attributes = attributes
    graph = AudienceGraph(audiences)
  }

  /// Whether a client can be of all audiences.
  ///
  /// - Parameter drawers: What the client must satisfy one of, to draw a kind or one of its fallbacks; nothing if empty.
  func holds(_ predicates: [Predicate], drawnByOneOf drawers: [Requirements] = []) -> Bool {
    judgeNames()
    guard predicates.count == 1, drawers.isEmpty else { return answer(predicates.map { Goal(predicate: $0) }, drawers) }
    if let known = memory.answers[predicates[0]] { return known }
    let answer = answer([Goal(predicate: predicates[0])], [])
    memory.answers[predicates[0]] = answer
    return answer
  }

  /// The first name that a predicate refers to, also through other names, that is not there or refers to itself.
  func brokenName(in predicate: Predicate) -> String? {
    predicate.audienceNames.sorted().lazy.compactMap(graph.culprit).first
  }

  /// Judges each named audience by itself, referenced ones first, so an impossible one need not be judged again.
  private func judgeNames() {
    guard !memory.hasJudgedNames else { return }
    memory.hasJudgedNames = true
    for (name, predicate) in graph.sound {
      for isNegated in [false, true] {
        memory.names[Name(name: name, isNegated: isNegated)] =
          answer([Goal(predicate: predicate, isNegated: isNegated)], [])
      }
    }
  }

  private func answer(_ goals: [Goal], _ drawers: [Requirements]) -> Bool {
    guard memory.effort < Self.effortInAllMax else { return true }
    let end = memory.effort + Self.effortMax
    return search(Search(goals: goals), drawers, end)
  }

  private func search(_ state: Search, _ drawers: [Requirements], _ end: Int) -> Bool {
    var state = state
    while let goal = state.goals.popLast() {
      memory.effort += 1
      guard memory.effort < end, state.choices < Self.choicesMax else { return true }
      switch goal.predicate {
      case .attribute(let name, let comparison):
        state.chosen[name, default: []].append(Demand(comparison: comparison, isNegated: goal.isNegated))
        guard hasValue(name, state.chosen[name] ?? []) else { return false }
      case .not(let part): state.goals.append(Goal(predicate: part, isNegated: !goal.isNegated))
      case .audience(let name):
        let wanted = Name(name: name, isNegated: goal.isNegated)
        let known = memory.names[wanted]
        guard let named = audiences[name], graph.culprit(of: name) == nil, known ?? true else { return false }
        // With nothing else to satisfy, it is as if it were alone.
        if known != nil, state.goals.isEmpty, state.chosen.isEmpty, drawers.isEmpty { return true }
        guard state.named.insert(wanted).inserted else { continue }
        state.goals.append(Goal(predicate: named, isNegated: goal.isNegated))
      case .all(let parts) where !goal.isNegated, .any(let parts) where goal.isNegated:
        state.goals += parts.map { Goal(predicate: $0, isNegated: goal.isNegated) }
      case .all(let parts), .any(let parts):
        var tried = Set<Predicate>()
        let choices = parts.filter { tried.insert($0).inserted }
        if choices.count == 1 {
          state.goals.append(Goal(predicate: choices[0], isNegated: goal.isNegated))
          continue
        }
        state.choices += 1
        return choices.contains { choice in
          var branch = state
          branch.goals.append(Goal(predicate: choice, isNegated: goal.isNegated))
          memory.effort += branch.goals.count + branch.named.count + branch.chosen.count
          return search(branch, drawers, end)
        }
      }
    }
    return drawers.isEmpty || drawers.contains { canDraw($0, state.chosen) }
  }

  private func hasValue(_ name: String, _ demands: [Demand]) -> Bool {
    witnesses(name, demands).contains { satisfies($0, demands) }
  }

  private func witnesses(_ name: String, _ demands: [Demand]) -> [AttributeValue] {
    (attributes[name]?.kind ?? .text(values: nil)).witnesses(of: demands)
  }

  private func satisfies(_ value: AttributeValue, _ demands: [Demand]) -> Bool {
    demands.allSatisfy { demand in
      memory.effort += demand.comparison.cost
      return demand.holds(for: value)
    }
  }

  /// A client that does not say its platform or version can draw everything.
  private func canDraw(_ requirements: Requirements, _ chosen: [String: [Demand]]) -> Bool {
    guard !requirements.isEmpty, let platforms = chosen["platform"], let versions = chosen["appVersion"] else {
      return true
    }
    return witnesses("platform", platforms).contains { platform in
      guard satisfies(platform, platforms) else { return false }
      guard case .text(let name) = platform, let least = requirements[name] else { return true }
      return hasValue("appVersion", versions + [Demand(comparison: .atLeast(.version(least)))])
    }
  }
}

extension Comparison {
  /// The values that are looked at.
  fileprivate var cost: Int {
    switch self {
    case .isIn(let values), .isNotIn(let values): values.count
    default: 1
    }
  }
}
