import JSON
import Synchronization

/// What lint found in sections: a section that has not changed is not looked at again.
///
/// What it holds is for one set of limits, and of the newest states of each section alone: of those that went before
/// nobody asks again.
public final class LintCache: Sendable {
  /// What lint found in a section alone, independent of its page.
  struct Findings: Sendable {
    var problems: [LintProblem]
    /// Whether it is no larger than definitions may be.
    var isWithinLimits: Bool
    /// Whether some item is not there for everyone at all times.
    var hasConditionalItems: Bool
    /// The hashes of the ids of its items at every depth.
    var ids: [UInt64]
  }

  private struct State {
    /// What was found in the newest states of each section, the newest first, by page and section.
    var findings: [String: [(state: String, found: Findings)]] = [:]
    /// Where the items are that lint named for their ids, by their sections' fingerprints and the hashes.
    var items: [String: (id: String, place: JSONPointer)] = [:]
  }

  private let capacity: Int
  /// How many states of a section are remembered: the draft's and the live one.
  private static let statesMax = 2
  private let state = Mutex(State())

  /// A cache.
  ///
  /// - Parameter capacity: The most sections that are remembered; all are forgotten when there are more.
  public init(capacity: Int = 4_096) { self.capacity = capacity }

  func item(
    _ key: String, otherwise find: () -> (id: String, place: JSONPointer)?
  ) -> (id: String, place: JSONPointer)? {
    if let known = state.withLock({ $0.items[key] }) { return known }
    let found = find()
    state.withLock { state in
      if state.items.count >= capacity { state.items = [:] }
      state.items[key] = found
    }
    return found
  }

  /// What is known of a section in one of its states.
  func findings(of section: String, _ state: String, otherwise lint: () -> Findings) -> Findings {
    let known = self.state.withLock { $0.findings[section]?.first { $0.state == state }?.found }
    let found = known ?? lint()
    self.state.withLock { all in
      if all.findings.count >= capacity, all.findings[section] == nil { all.findings = [:] }
      let others = (all.findings[section] ?? []).filter { $0.state != state }
      all.findings[section] = [(state, found)] + others.prefix(Self.statesMax - 1)
    }
    return found
  }

  /// How many states of sections are remembered.
  package var count: Int { state.withLock { $0.findings.values.reduce(0) { $0 + $1.count } } }
}
