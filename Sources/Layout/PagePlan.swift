import HomePayload
import JSON

/// A page's definition made ready to assemble for any client at any instant.
public struct PagePlan: Sendable {
  /// The definition.
  public let definition: PageDefinition
  /// The kinds it is drawn with.
  public let kinds: Kinds
  /// The ids of all sections, shown to anybody or not.
  public let sectionIDs: Set<String>
  let conditions: ConditionTable
  private let audiences: AudienceGraph
  let sections: [SectionPlan]
  let rules: [RulePlan]
  let defaultIndices: [Int]
  private let locales: PageLocales

  /// A section with the numbers of its conditions.
  struct SectionPlan: Sendable {
    let definition: SectionDefinition
    let kind: SectionKind?
    let audience: Int?
    let layout: JSONObject
    let header: ItemPlan?
    let footer: ItemPlan?
    let items: [ItemPlan]
    let slots: [String: ItemPlan]
    /// The section's fingerprint, when it is known and the section is the same for everyone and at any time.
    let fingerprint: String?
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
    var builder = PlanBuilder(kinds: kinds, known: previous?.plainSections ?? [:])
    self.definition = definition
    self.kinds = kinds
    sectionIDs = Set(definition.sections.map(\.id))
    sections = definition.sections.enumerated().map { position, section in
      builder.section(section, fingerprint: fingerprints.indices.contains(position) ? fingerprints[position] : nil)
    }
    rules = definition.sortRules.filter { $0.name != SortRule.defaultName }
      .sorted { ($0.priority, $1.name) > ($1.priority, $0.name) }
      .map { RulePlan(rule: $0, audience: builder.conditions.number(of: $0.audience)) }
    conditions = builder.conditions
    audiences = AudienceGraph(definition.audiences)
    defaultIndices = Self.defaultIndices(of: definition)
    locales = PageLocales(definition.settings.locales, default: definition.settings.defaultLocale)
  }

  /// The sections that are the same for everyone and at any time, by their fingerprints: they refer to no condition.
  private var plainSections: [String: SectionPlan] {
    let plain = sections.compactMap { section in section.fingerprint.map { ($0, section) } }
    return Dictionary(plain, uniquingKeysWith: { first, _ in first })
  }

  /// The index of each section by the default rule; those it does not list come after all that it lists.
  static func defaultIndices(of definition: PageDefinition) -> [Int] {
    let listed = definition.sortRules.first { $0.name == SortRule.defaultName }?.indices ?? [:]
    let unlisted = (definition.sections.compactMap { listed[$0.id] }.max() ?? -1) + 1
    return definition.sections.map { listed[$0.id] ?? unlisted }
  }

  /// What a client's attributes come to on this page.
  public func outcome(for client: ClientAttributes) -> Outcome {
    var outcome = Outcome(locale: locales.best(of: client.languages), count: conditions.count)
    let named = audiences.verdicts(for: client)
    for (predicate, condition) in conditions.predicates {
      outcome[condition] = predicate.verdict(for: client, named: named) ?? false
    }
    for (requirements, condition) in conditions.requirements {
      outcome[condition] = client.satisfies(requirements)
    }
    return outcome
  }
}

/// Numbers the conditions while it walks a definition.
private struct PlanBuilder {
  let kinds: Kinds
  /// Sections that need not be walked again, by their fingerprints.
  let known: [String: PagePlan.SectionPlan]
  var conditions = ConditionTable()
  /// Whether the section at hand is the same for everyone and at any time.
  private var isPlain = true

  init(kinds: Kinds, known: [String: PagePlan.SectionPlan]) {
    self.kinds = kinds
    self.known = known
  }

  mutating func section(_ definition: SectionDefinition, fingerprint: String?) -> PagePlan.SectionPlan {
    if let fingerprint, let plan = known[fingerprint] { return plan }
    let settings = definition.settings
    isPlain = settings.schedule == nil
    let kind = kinds.sections[settings.kind]
    var next = kind
    while let candidate = next {
      note(conditions.number(of: candidate.requirements))
      next = candidate.fallback.flatMap { kinds.sections[$0] }
    }
    let audience = note(conditions.number(of: settings.audience))
    let header = settings.header.map { item($0) }
    let footer = settings.footer.map { item($0) }
    let items = definition.content.items.map { item($0) }
    let slots = definition.content.slots.mapValues { item($0) }
    return PagePlan.SectionPlan(
      definition: definition, kind: kind, audience: audience, layout: settings.layout, header: header, footer: footer,
      items: items, slots: slots, fingerprint: isPlain ? fingerprint : nil)
  }

  /// A section with a condition anywhere is not the same for everyone.
  @discardableResult private mutating func note(_ condition: Int?) -> Int? {
    if condition != nil { isPlain = false }
    return condition
  }

  private mutating func item(_ definition: ItemDefinition) -> PagePlan.ItemPlan {
    var next = kinds.items[definition.kind]
    while let candidate = next {
      note(conditions.number(of: candidate.requirements))
      next = (candidate.fallback?.kind).flatMap { kinds.items[$0] }
    }
    if definition.schedule != nil { isPlain = false }
    return PagePlan.ItemPlan(
      definition: definition, audience: note(conditions.number(of: definition.audience)),
      children: definition.children.map { item($0) })
  }
}
