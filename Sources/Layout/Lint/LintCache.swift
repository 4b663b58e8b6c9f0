import JSON
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
    /// The hashes of the ids of items, by page and section.
    var ids: [String: (fingerprint: String, hashes: [UInt64])] = [:]
    /// Where the items are that lint named for their ids, by their sections' fingerprints and the hashes.
    var items: [String: (id: String, place: JSONPointer)] = [:]
  }

  private let capacity: Int
  private let state = Mutex(State())

  /// A cache.
  ///
  /// - Parameter capacity: The most sections that are remembered; the older half goes when there are more.
  public init(capacity: Int = 4_096) { self.capacity = capacity }

  /// The hashes of the ids of a section's items: those of its newest state alone are remembered.
  func ids(of section: String, _ fingerprint: String, otherwise hash: () -> [UInt64]) -> [UInt64] {
    if let known = state.withLock({ $0.ids[section] }), known.fingerprint == fingerprint { return known.hashes }
    let hashes = hash()
    state.withLock { state in
      if state.ids.count >= capacity { state.ids = [:] }
      state.ids[section] = (fingerprint, hashes)
    }
    return hashes
  }

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
