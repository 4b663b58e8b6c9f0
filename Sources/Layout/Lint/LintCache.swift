import Synchronization

/// What lint found in sections, by their fingerprints: a section that has not changed is not looked at again.
///
/// What it holds is for one set of kinds and limits.
public final class LintCache: Sendable {
  /// What is known of a section by itself, whatever page it is on.
  struct Findings: Sendable {
    var problems: [LintProblem]
    /// Whether it is no larger than definitions may be.
    var isWithinLimits: Bool
    /// Whether some item is not there for everyone at all times.
    var hasConditionalItems: Bool
  }

  private struct State {
    var findings: [String: Findings] = [:]
    var order: [String] = []
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A cache.
  ///
  /// - Parameter capacity: The most sections that are remembered; the older half goes when there are more.
  public init(capacity: Int = 4_096) { self.capacity = capacity }

  func findings(_ key: String, otherwise lint: () -> Findings) -> Findings {
    if let known = state.withLock({ $0.findings[key] }) { return known }
    let found = lint()
    state.withLock { state in
      if state.findings.updateValue(found, forKey: key) == nil { state.order.append(key) }
      guard state.order.count > capacity else { return }
      for oldest in state.order.prefix(capacity / 2) { state.findings[oldest] = nil }
      state.order.removeFirst(capacity / 2)
    }
    return found
  }
}
