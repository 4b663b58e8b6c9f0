public import HomePayload
import JSON

/// A page assembled for one outcome at one instant.
public struct Assembled: Sendable {
  /// The page; its version is still empty.
  public var page: Page
  /// The first instant after which the page of this outcome may differ, because a schedule begins or ends.
  public var nextFlip: Instant?
  /// The sections that are not there, in the page's own order, and why.
  public var hidden: [HiddenSection]
}

/// A section that is not in a page, and why.
public struct HiddenSection: Hashable, Sendable {
  /// Why a section is not there.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// An operator hid it.
    case hidden
    /// Its schedule has not begun.
    case beforeTime
    /// Its schedule is over.
    case afterTime
    /// The client is not of its audience.
    case audience
    /// The client cannot draw its kind, and there is no fallback that it can.
    case capability
    /// A slot that its kind requires is empty.
    case requiredSlotEmpty
    /// It has nothing to show.
    case empty
  }

  /// The section's id.
  public var section: String
  /// Why it is not there.
  public var reason: Reason
}

extension PagePlan {
  /// The page for an outcome at an instant: the same arguments give the same page, always and everywhere.
  public func assemble(_ outcome: Outcome, at instant: Instant) -> Assembled {
    let order = order(for: outcome, at: instant)
    var assembly = SectionAssembly(plan: self, outcome: outcome, instant: instant)
    assembly.note(order.nextFlip)
    var present: [(position: Int, section: Section)] = []
    var hidden: [HiddenSection] = []
    for (position, plan) in sections.enumerated() {
      switch assembly.section(plan, index: order.indices[position]) {
      case .success(let section): present.append((position, section))
      case .failure(let absence):
        hidden.append(HiddenSection(section: plan.definition.id, reason: absence.reason))
      }
    }
    present.sort { ($0.section.index, $0.position) < ($1.section.index, $1.position) }
    let emptyState = present.isEmpty ? assembly.emptyState(definition.settings.emptyState) : nil
    let page = Page(
      id: definition.id, locale: outcome.locale.tag, sortRule: order.rule, sections: present.map(\.section),
      emptyState: emptyState)
    return Assembled(page: page, nextFlip: assembly.nextFlip, hidden: hidden)
  }

  /// The rule that applies, and the index of each section in the page's own order.
  struct Order {
    var rule: String
    var indices: [Int]
    var nextFlip: Instant?
  }

  /// S1.2: the first rule by priority whose audience and schedule hold, else the default one.
  func order(for outcome: Outcome, at instant: Instant) -> Order {
    var nextFlip: Instant?
    for plan in rules where plan.audience.map({ outcome[$0] }) ?? false {
      if let flip = plan.rule.schedule?.nextFlip(after: instant) { nextFlip = min(nextFlip ?? flip, flip) }
      guard plan.rule.schedule?.contains(instant) ?? true else { continue }
      let indices = zip(definition.sections, defaultIndices).map { plan.rule.indices[$0.id] ?? $1 }
      return Order(rule: plan.rule.name, indices: indices, nextFlip: nextFlip)
    }
    return Order(rule: SortRule.defaultName, indices: defaultIndices, nextFlip: nextFlip)
  }

  /// The sort rule that applies to a client: its name, the index of every section, and when that may change.
  public func sortRule(
    for outcome: Outcome, at instant: Instant
  ) -> (rule: String, indices: [(section: String, index: Int)], nextFlip: Instant?) {
    let order = order(for: outcome, at: instant)
    let indices = zip(definition.sections, order.indices).map { (section: $0.id, index: $1) }
    return (order.rule, indices, order.nextFlip)
  }
}
