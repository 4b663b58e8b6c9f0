import Layout

/// The plans of earlier revisions that changes were made from lately: clients ask for the same few again and again, in
/// every outcome.
///
/// They are counted in the budget and take an eighth of it at most; those that were used the longest ago go first. A plan
/// that is larger is loaded each time. One is loaded at a time, so that no storm of old versions holds many at once.
actor OldPlans {
  /// A plan, and what it takes.
  private final class Kept: Sendable {
    let plan: PagePlan
    let bytes: Int
    private let charge: ByteCharge

    init(_ plan: PagePlan, bytes: Int, budget: ByteBudget) {
      self.plan = plan
      self.bytes = bytes
      charge = ByteCharge(bytes, in: budget)
    }
  }

  private static let countMax = 16
  private let budget: ByteBudget
  private let bytesMax: Int
  /// The one that was used last is at the end.
  private var plans: [(name: String, kept: Kept)] = []
  private var loading: Task<PagePlan, any Error>?

  /// - Parameter budget: What counts the bytes.
  init(budget: ByteBudget) {
    self.budget = budget
    bytesMax = budget.bytesMax / 8
  }

  /// How many are kept.
  var count: Int { plans.count }

  /// The plan of a revision.
  ///
  /// - Parameter load: Loads it; called when it is not kept.
  func plan(_ name: String, load: @Sendable @escaping () async throws -> PagePlan) async throws -> PagePlan {
    if let known = find(name) { return known }
    while let loading {
      // Whoever waits for a load that fails gets the whole page too: not one time-out after the other.
      _ = try await loading.value
      if let known = find(name) { return known }
    }
    let task = Task {
      // The load ends itself, before anyone who waits for it runs: to them a load that is over but still stands here
      // would be one to wait for, and waiting for it would take no time and never yield.
      defer { loading = nil }
      let plan = try await load()
      keep(plan, name)
      return plan
    }
    loading = task
    return try await task.value
  }

  private func find(_ name: String) -> PagePlan? {
    guard let place = plans.firstIndex(where: { $0.name == name }) else { return nil }
    plans.append(plans.remove(at: place))
    return plans.last?.kept.plan
  }

  private func keep(_ plan: PagePlan, _ name: String) {
    let bytes = plan.byteCount
    guard bytes <= bytesMax else { return }
    while plans.count >= Self.countMax || plans.reduce(bytes, { $0 + $1.kept.bytes }) > bytesMax { plans.removeFirst() }
    plans.append((name, Kept(plan, bytes: bytes, budget: budget)))
  }
}
