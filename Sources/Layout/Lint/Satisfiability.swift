/// Tells whether some client can be of audiences: whether their conditions leave a value for every attribute.
///
/// A condition of one attribute says nothing of another, so that it is enough to find, for one way to satisfy every
/// `any`, a value of each attribute on its own. A client matches what it sends alone (see ``Predicate``), therefore a
/// negated comparison is the opposite comparison.
struct Satisfiability {
  let audiences: [String: Predicate]
  let attributes: [String: AttributeDeclaration]

  /// The most ways to satisfy an `any` that are tried; beyond it, an audience counts as one that somebody is of.
  private static let stepsMax = 10_000

  /// A condition that must hold, or must not.
  private struct Goal {
    var predicate: Predicate
    var isNegated = false
    var depth = 0
  }

  private struct Search {
    var goals: [Goal]
    /// The comparisons that the attributes' values must satisfy so far.
    var chosen: [String: [Demand]] = [:]
  }

  /// Whether a client can be of all audiences.
  ///
  /// - Parameter drawers: What the client must satisfy one of, to draw a kind or one of its fallbacks; nothing if empty.
  func holds(_ predicates: [Predicate], drawnByOneOf drawers: [Requirements] = []) -> Bool {
    var steps = 0
    return search(Search(goals: predicates.map { Goal(predicate: $0) }), drawers, &steps)
  }

  /// The first name that a predicate refers to, also through other names, that is not there or refers to itself.
  func brokenName(in predicate: Predicate) -> String? {
    var sound = Set<String>()
    return brokenName(in: predicate, within: [], &sound)
  }

  private func brokenName(in predicate: Predicate, within open: Set<String>, _ sound: inout Set<String>) -> String? {
    for name in predicate.audienceNames.sorted() where !sound.contains(name) {
      guard let named = audiences[name], !open.contains(name) else { return name }
      if let broken = brokenName(in: named, within: open.union([name]), &sound) { return broken }
      sound.insert(name)
    }
    return nil
  }

  private func search(_ state: Search, _ drawers: [Requirements], _ steps: inout Int) -> Bool {
    var state = state
    steps += 1
    guard steps <= Self.stepsMax else { return true }
    while let goal = state.goals.popLast() {
      func deeper(_ predicate: Predicate, negated: Bool) -> Goal {
        Goal(predicate: predicate, isNegated: negated, depth: goal.depth + 1)
      }
      guard goal.depth < 256 else { return false }
      switch goal.predicate {
      case .attribute(let name, let comparison):
        state.chosen[name, default: []].append(Demand(comparison: comparison, isNegated: goal.isNegated))
        guard hasValue(name, state.chosen[name] ?? []) else { return false }
      case .not(let part): state.goals.append(deeper(part, negated: !goal.isNegated))
      case .audience(let name):
        guard let named = audiences[name] else { return false }
        state.goals.append(deeper(named, negated: goal.isNegated))
      case .all(let parts) where !goal.isNegated, .any(let parts) where goal.isNegated:
        state.goals += parts.map { deeper($0, negated: goal.isNegated) }
      case .all(let parts), .any(let parts):
        return parts.contains { part in
          var branch = state
          branch.goals.append(deeper(part, negated: goal.isNegated))
          return search(branch, drawers, &steps)
        }
      }
    }
    return drawers.isEmpty || drawers.contains { canDraw($0, state.chosen) }
  }

  private func hasValue(_ name: String, _ demands: [Demand]) -> Bool { !values(name, demands).isEmpty }

  private func values(_ name: String, _ demands: [Demand]) -> [AttributeValue] {
    let kind = attributes[name]?.kind ?? .text(values: nil)
    return kind.witnesses(of: demands).filter { value in demands.allSatisfy { $0.holds(for: value) } }
  }

  /// A client that does not say its platform or version can draw everything.
  private func canDraw(_ requirements: Requirements, _ chosen: [String: [Demand]]) -> Bool {
    guard !requirements.isEmpty, let platforms = chosen["platform"], let versions = chosen["appVersion"] else {
      return true
    }
    return values("platform", platforms).contains { platform in
      guard case .text(let name) = platform, let least = requirements[name] else { return true }
      return hasValue("appVersion", versions + [Demand(comparison: .atLeast(.version(least)))])
    }
  }
}
