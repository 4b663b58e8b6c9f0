import HomePayload
import JSON

/// A page's definition made ready to assemble for any client at any instant.
public struct PagePlan: Sendable {
  /// The definition.
  public private(set) var definition: PageDefinition
  /// The fingerprint of each section, where they are known.
  public let fingerprints: [String]
  /// The kinds it is drawn with.
  public let kinds: Kinds
  /// The ids of all sections, shown to anybody or not.
  public let sectionIDs: Set<String>
  let conditions: ConditionTable
  private let audiences: AudienceGraph
  let sections: [SectionPlan]
  let rules: [RulePlan]
  let defaultIndices: [Int]
  /// The instants at which a schedule of the page begins or ends, or a section is hidden unless it is confirmed, ascending.
  private(set) var flips: [Instant]
  /// From when on sections are hidden unless they are confirmed, by their positions.
  private(set) var expiries: [Int: Instant]
  private let locales: PageLocales

  /// A section with the numbers of its conditions.
  struct SectionPlan: Sendable {
    let definition: SectionDefinition
    let kind: SectionKind?
    let audience: Int?
    let layout: JSONObject
    let header: ItemPlan?
    let footer: ItemPlan?
    /// The items and slots; `nil` where the content is packed.
    let open: ContentPlan?
    /// The section's fingerprint, when it is known and the section is the same for everyone and at any time.
    let fingerprint: String?
    /// What decides about the list; `nil` where all of it stands in the page.
    let list: ListPlan?
  }

  /// A section's content with the numbers of its conditions.
  struct ContentPlan: Sendable {
    let items: [ItemPlan]
    let slots: [String: ItemPlan]
  }

  /// An item with the numbers of its conditions.
  struct ItemPlan: Sendable {
    let definition: ItemDefinition
    let audience: Int?
    let children: [ItemPlan]
  }

  /// A sort rule with the number of its condition.
  struct RulePlan: Sendable {
    let rule: SortRule
    let audience: Int?
  }

  /// Compiles a definition. Whatever it holds, it can be assembled: what is wrong is left out.
  ///
  /// - Parameters:
  ///   - fingerprints: Those of the sections, where they are known: then sections that do not change are assembled once
  ///     by ``assembleParts(_:at:_:)``.
  ///   - previous: A plan of the same kinds: of the sections that are the same for everyone, those that have not changed
  ///     are taken from it as they are.
  public init(
    _ definition: PageDefinition, kinds: Kinds, fingerprints: [String] = [], after previous: PagePlan? = nil
  ) {
    // What is the same for everyone is so by what is withheld, too.
    let reusable = previous.flatMap { $0.definition.withheld == definition.withheld ? $0 : nil }
    var builder = PlanBuilder(
      kinds: kinds, withheld: definition.withheld, known: reusable?.sections ?? [],
      places: reusable?.plainPlaces ?? [:])
    var definition = definition
    for position in definition.sections.indices {
      definition.sections[position].content = definition.sections[position].content.packed
    }
    self.definition = definition
    self.fingerprints = fingerprints
    self.kinds = kinds
    sectionIDs = Set(definition.sections.map(\.id))
    sections = definition.sections.enumerated().map { position, section in
      builder.section(section, fingerprint: fingerprints.indices.contains(position) ? fingerprints[position] : nil)
    }
    if let emptyState = definition.settings.emptyState { builder.require(emptyState.kind) }
    for (item, _) in definition.settings.bar?.items(at: JSONPointer()) ?? [] { builder.require(item.kind) }
    rules = definition.sortRules.filter { $0.name != SortRule.defaultName }
      .sorted { ($0.priority, $1.name) > ($1.priority, $0.name) }
      .map { RulePlan(rule: $0, audience: builder.conditions.number(of: $0.audience)) }
    conditions = builder.conditions
    audiences = AudienceGraph(definition.audiences)
    defaultIndices = Self.defaultIndices(of: definition)
    flips = self.definition.flipInstants
    expiries = self.definition.expiries
    locales = PageLocales(definition.settings.locales, default: definition.settings.defaultLocale)
  }

  /// Takes up that content was confirmed since: what is shown is shown for longer.
  ///
  /// - Returns: The first instant at which a section was to be hidden and is not any more; `nil` when all stays.
  public mutating func confirm(_ times: [String: Instant]) -> Instant? {
    let before = expiries
    for (section, time) in times {
      if let known = definition.confirmed[section] { definition.confirmed[section] = max(known, time) }
    }
    (flips, expiries) = (definition.flipInstants, definition.expiries)
    return before.filter { expiries[$0.key] != $0.value }.values.min()
  }

  /// About how many bytes it takes in memory, with what other plans may share. Values take ten times the memory of the
  /// text that they are written as.
  public var byteCount: Int {
    var rest = definition
    var packed = 0
    for position in rest.sections.indices {
      guard let content = rest.sections[position].content.packedForm else { continue }
      packed += content.bytes.count
      rest.sections[position].content = SectionContent()
    }
    let named = JSON.object(JSONObject(definition.audiences.mapValues(\.json))).canonicalBytes.count
    return packed + 10 * (rest.canonicalBytes.count + named) + 1_024 * (definition.sections.count + 4)
  }

  /// The places of the sections that are the same for everyone and at any time, by their fingerprints: they refer to no
  /// condition.
  private var plainPlaces: [String: Int] {
    var places: [String: Int] = [:]
    places.reserveCapacity(sections.count)
    for place in sections.indices {
      if let fingerprint = sections[place].fingerprint { places[fingerprint] = place }
    }
    return places
  }

  /// The index of each section by the default rule; those it does not list come after all that it lists.
  static func defaultIndices(of definition: PageDefinition) -> [Int] {
    let listed = definition.sortRules.first { $0.name == SortRule.defaultName }?.indices ?? [:]
    let unlisted = (definition.sections.compactMap { listed[$0.id] }.max() ?? -1) + 1
    return definition.sections.map { listed[$0.id] ?? unlisted }
  }

  /// Whether every client comes to the same outcome by both: what changed is what there is to see, not who sees it.
  public func hasSameOutcomes(as other: PagePlan) -> Bool {
    let (mine, theirs) = (definition.settings, other.definition.settings)
    return mine.locales == theirs.locales && mine.defaultLocale == theirs.defaultLocale
      && definition.audiences == other.definition.audiences
      && conditions.predicates.elementsEqual(other.conditions.predicates) { $0 == $1 }
      && conditions.requirements.elementsEqual(other.conditions.requirements) { $0 == $1 }
      && conditions.withholdings.elementsEqual(other.conditions.withholdings) { $0 == $1 }
  }

  /// The results of this page's conditions for a client.
  public func outcome(for client: ClientAttributes) -> Outcome {
    var outcome = Outcome(locale: locales.best(of: client.languages), count: conditions.count)
    let named = audiences.verdicts(for: client)
    for (predicate, condition) in conditions.predicates {
      outcome[condition] = predicate.verdict(for: client, named: named) ?? false
    }
    for (requirements, condition) in conditions.requirements {
      outcome[condition] = client.satisfies(requirements)
    }
    for (withholding, condition) in conditions.withholdings {
      outcome[condition] = withholding.holds(for: client)
    }
    return outcome
  }
}

extension PagePlan.SectionPlan {
  /// The items and slots: packed ones are opened, and have no conditions of their own.
  var content: PagePlan.ContentPlan {
    if let open { return open }
    let values = definition.content.values
    return PagePlan.ContentPlan(
      items: values.items.map(PagePlan.ItemPlan.init(unconditional:)),
      slots: values.slots.mapValues(PagePlan.ItemPlan.init(unconditional:)))
  }
}

extension PagePlan.ItemPlan {
  /// An item that has no audience, nor have its children.
  fileprivate init(unconditional definition: ItemDefinition) {
    self.init(
      definition: definition, audience: nil, children: definition.children.map(Self.init(unconditional:)))
  }
}

/// Numbers the conditions while it walks a definition.
private struct PlanBuilder {
  let kinds: Kinds
  private let withheld: [KindFamily: [String: Withholding]]
  /// The sections of a plan before, and where among them those are that need not be walked again, by their fingerprints.
  let known: [PagePlan.SectionPlan]
  let places: [String: Int]
  var conditions = ConditionTable()
  /// Whether the section at hand is the same for everyone and at any time.
  private var isPlain = true
  /// What the section at hand depends on.
  private var seen = SectionDependencies()

  init(kinds: Kinds, withheld: [Withholding], known: [PagePlan.SectionPlan], places: [String: Int]) {
    self.kinds = kinds
    self.withheld = Dictionary(grouping: withheld, by: \.family).mapValues { withheld in
      Dictionary(withheld.map { ($0.kind, $0) }, uniquingKeysWith: { first, _ in first })
    }
    self.known = known
    self.places = places
  }

  mutating func section(_ definition: SectionDefinition, fingerprint: String?) -> PagePlan.SectionPlan {
    if let fingerprint, let place = places[fingerprint] { return known[place] }
    let settings = definition.settings
    isPlain = true
    seen = SectionDependencies()
    note(settings.schedule)
    let kind = kinds.sections[settings.kind]
    var next = kind
    while let candidate = next {
      note(conditions.number(of: candidate.requirements))
      note(withheld[.sections]?[candidate.name])
      next = candidate.fallback.flatMap { kinds.sections[$0] }
    }
    let audience = note(conditions.number(of: settings.audience))
    let header = settings.header.map { item($0) }
    let footer = settings.footer.map { item($0) }
    let open = content(definition.content)
    return PagePlan.SectionPlan(
      definition: definition, kind: kind, audience: audience, layout: settings.layout, header: header, footer: footer,
      open: open, fingerprint: isPlain ? fingerprint : nil,
      list: settings.loading.itemsInPage.flatMap { seen.list(of: definition, fingerprint, first: $0, kinds: kinds) })
  }

  /// A section with a condition anywhere is not the same for everyone.
  @discardableResult private mutating func note(_ condition: Int?) -> Int? {
    guard let condition else { return nil }
    isPlain = false
    seen.note(condition)
    return condition
  }

  private mutating func note(_ withholding: Withholding?) {
    guard let withholding, let condition = conditions.number(of: withholding) else { return }
    isPlain = false
    seen.withheld[withholding.mark] = condition
  }

  private mutating func note(_ schedule: Schedule?) {
    guard let schedule else { return }
    isPlain = false
    seen.flips.formUnion([schedule.from, schedule.until].compactMap { $0 })
  }

  /// - Returns: `nil` for packed content, which has no conditions but its kinds'.
  private mutating func content(_ content: SectionContent) -> PagePlan.ContentPlan? {
    if let outline = content.outline {
      outline.kinds.forEach { require($0) }
      return nil
    }
    let items = content.items.map { item($0) }
    // In one order always: conditions have the same numbers after a restart, too.
    let slots = content.slots.sorted { $0.key < $1.key }.map { ($0.key, item($0.value)) }
    return PagePlan.ContentPlan(
      items: items, slots: Dictionary(slots, uniquingKeysWith: { first, _ in first }))
  }

  /// Numbers what an item's kind and its fallbacks require, and from whom they are withheld.
  mutating func require(_ kind: String) {
    var next = kinds.items[kind]
    while let candidate = next {
      note(conditions.number(of: candidate.requirements))
      note(withheld[.items]?[candidate.name])
      next = (candidate.fallback?.kind).flatMap { kinds.items[$0] }
    }
  }

  private mutating func item(_ definition: ItemDefinition) -> PagePlan.ItemPlan {
    require(definition.kind)
    note(definition.schedule)
    return PagePlan.ItemPlan(
      definition: definition, audience: note(conditions.number(of: definition.audience)),
      children: definition.children.map { item($0) })
  }
}
