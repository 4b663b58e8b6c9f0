import Synchronization

/// What lint found in sections, by their fingerprints: a section that has not changed is not looked at again.
///
/// What it holds is for one set of kinds.
public final class LintCache: Sendable {
  private struct State {
    var problems: [String: [LintProblem]] = [:]
    var order: [String] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A cache.
  ///
  /// - Parameter capacity: The most sections that are remembered; the older half goes when there are more.
  public init(capacity: Int = 4_096) { self.capacity = capacity }

  func problems(_ key: String, otherwise lint: () -> [LintProblem]) -> [LintProblem] {
    if let known = state.withLock({ $0.problems[key] }) { return known }
    let found = lint()
    state.withLock { state in
      if state.problems.updateValue(found, forKey: key) == nil { state.order.append(key) }
      guard state.order.count > capacity else { return }
      for oldest in state.order.prefix(capacity / 2) { state.problems[oldest] = nil }
      state.order.removeFirst(capacity / 2)
    }
    return found
  }
}
