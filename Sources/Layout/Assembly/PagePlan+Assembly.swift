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
  /// The items that are not in the sections that are there, in the bar and in the empty state, and why.
  public var hiddenItems: [HiddenItem]
  /// What is drawn as another kind.
  public var replaced: [Replacement]
}

/// An item that is not there, and why: before its time, after it, not of its audience, or not to be drawn.
public struct HiddenItem: Hashable, Sendable {
  /// The section's id; `nil` for the page's empty state and what stands in its bar.
  public var section: String?
  /// The item's id.
  public var item: String
  /// Why it is not there.
  public var reason: HiddenSection.Reason

  /// An item that is not there.
  public init(section: String?, item: String, reason: HiddenSection.Reason) {
    (self.section, self.item, self.reason) = (section, item, reason)
  }
}

/// A section or item that is drawn as a fallback of its kind, since the client cannot draw the kind.
public struct Replacement: Hashable, Sendable {
  /// The section's id; `nil` for the page's empty state and what stands in its bar.
  public var section: String?
  /// The item's id; `nil` when it is the section itself.
  public var item: String?
  /// Its kind.
  public var kind: String
  /// The kind that is drawn.
  public var by: String
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
    /// Its source has not confirmed its content for the time that `freshFor` gives it.
    case expired
    /// The client is not of its audience.
    case audience
    /// The client cannot draw its kind, nor any fallback.
    case capability
    /// Its kind is withheld from the client, which cannot draw any fallback.
    case kindWithheld
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

extension PagePlan.Made: Sendable where Part: Sendable {}

extension PagePlan {
  /// The page for an outcome at an instant: the same arguments give the same page, always and everywhere.
  public func assemble(_ outcome: Outcome, at instant: Instant) -> Assembled {
    var assembled = assembleParts(outcome, at: instant) { (_, make: () -> Made<Section>) in make() }
    assembled.frame.sections = assembled.parts
    return Assembled(
      page: assembled.frame, nextFlip: assembled.nextFlip, hidden: assembled.hidden,
      hiddenItems: assembled.hiddenItems, replaced: assembled.replaced)
  }

  /// Identifies equal sections over all revisions of a page.
  public struct SectionKey: Hashable, Sendable {
    /// The section's fingerprint.
    public let fingerprint: String
    /// Its index.
    public let index: Int
    /// The client's locale.
    public let locale: Locale
    /// The page's default locale.
    public let defaultLocale: Locale
    /// What the list depends on, of a section that says where the rest of it is: then it may differ from client to client,
    /// and with time.
    public let list: ListKey?
  }

  /// What was made of a section.
  public struct Made<Part> {
    /// `nil` when the section is not present.
    public var part: Part?
    /// The first instant after which that may differ.
    public var nextFlip: Instant?

    /// What was made.
    public init(_ part: Part?, nextFlip: Instant?) {
      self.part = part
      self.nextFlip = nextFlip
    }
  }

  /// A page of parts: what was made of each section that is present.
  public struct Parts<Part> {
    /// The page without its sections.
    public var frame: Page
    /// What was made of the sections, in the order to draw them.
    public var parts: [Part]
    /// The first instant after which the page of this outcome may differ.
    public var nextFlip: Instant?
    /// The missing sections and why; without the ones that were not asked for.
    public var hidden: [HiddenSection]
    /// The items that are not in the sections that were asked for, in the bar and in the empty state.
    public var hiddenItems: [HiddenItem]
    /// The requested sections and items that are drawn by a fallback.
    public var replaced: [Replacement]
  }

  /// The page for an outcome at an instant, with something made of each section.
  ///
  /// - Parameter part: Makes the part of a section, or takes one that it made before for an equal key. A section without a
  ///   key may be another one for another client or at another time.
  public func assembleParts<Part>(
    _ outcome: Outcome, at instant: Instant, _ part: (SectionKey?, () -> Made<Section>) -> Made<Part>
  ) -> Parts<Part> {
    let order = order(for: outcome, at: instant)
    var assembly = SectionAssembly(plan: self, outcome: outcome, instant: instant)
    assembly.note(order.nextFlip)
    var present: [(position: Int, index: Int, part: Part)] = []
    var hidden: [HiddenSection] = []
    for (position, plan) in sections.enumerated() {
      let index = order.indices[position]
      if let expiry = expiries[position], expiry <= instant {
        hidden.append(HiddenSection(section: plan.definition.id, reason: .expired))
        continue
      }
      let key = (plan.list?.fingerprint ?? plan.fingerprint).map {
        SectionKey(
          fingerprint: $0, index: index, locale: outcome.locale, defaultLocale: definition.settings.defaultLocale,
          list: assembly.listKey(of: plan))
      }
      let made = part(key) {
        let (result, nextFlip) = assembly.apart { $0.section(plan, index: index) }
        switch result {
        case .success(let section): return Made(section, nextFlip: nextFlip)
        case .failure(let absence):
          hidden.append(HiddenSection(section: plan.definition.id, reason: absence.reason))
          return Made(nil, nextFlip: nextFlip)
        }
      }
      assembly.note(made.nextFlip)
      guard let part = made.part else { continue }
      assembly.note(expiries[position])
      present.append((position, index, part))
    }
    present.sort { ($0.index, $0.position) < ($1.index, $1.position) }
    let emptyState = present.isEmpty ? assembly.emptyState(definition.settings.emptyState) : nil
    var frame = Page(
      id: definition.id, locale: outcome.locale.tag, sortRule: order.rule, sections: [], emptyState: emptyState)
    assembly.describe(&frame, by: definition.settings)
    return Parts(
      frame: frame, parts: present.map(\.part), nextFlip: assembly.nextFlip, hidden: hidden,
      hiddenItems: assembly.hiddenItems, replaced: assembly.replaced)
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

  /// The sort rule that applies to a client, and when that answer may change: the sections that the client may see now
  /// or that have no content here, in the order to show them.
  ///
  /// Of a section that is hidden, not yet or no more on the page, or for others, the rule says nothing (S1.3).
  public func sortRule(for outcome: Outcome, at instant: Instant) -> (document: SortRuleDocument, nextFlip: Instant?) {
    let order = order(for: outcome, at: instant)
    var assembly = SectionAssembly(plan: self, outcome: outcome, instant: instant)
    assembly.note(order.nextFlip)
    var shown: [(position: Int, index: Int)] = []
    for (position, section) in sections.enumerated() where expiries[position].map({ instant < $0 }) ?? true {
      guard assembly.isTold(section, index: order.indices[position]) else { continue }
      assembly.note(expiries[position])
      shown.append((position, order.indices[position]))
    }
    shown.sort { ($0.index, $0.position) < ($1.index, $1.position) }
    let places = shown.map { SortRuleDocument.Place(section: sections[$0.position].definition.id, index: $0.index) }
    return (SortRuleDocument(page: definition.id, rule: order.rule, places: places), assembly.nextFlip)
  }
}

extension SectionAssembly {
  /// Whether clients may know of a section: it shows, or only lacks content.
  fileprivate mutating func isTold(_ section: PagePlan.SectionPlan, index: Int) -> Bool {
    switch self.section(section, index: index) {
    case .success: true
    case .failure(let absence):
      [.empty, .requiredSlotEmpty].contains(absence.reason) && section.definition.content.isEmpty
    }
  }
}
