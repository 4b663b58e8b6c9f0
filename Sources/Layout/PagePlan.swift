import HomePayload
import JSON

/// A page's definition made ready to assemble for any client at any instant.
public struct PagePlan: Sendable {
  /// The definition.
  public let definition: PageDefinition
  /// The kinds it is drawn with.
  public let kinds: Kinds
  let conditions: ConditionTable
  let sections: [SectionPlan]
  let rules: [RulePlan]
  let defaultIndices: [Int]

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
  public init(_ definition: PageDefinition, kinds: Kinds) {
    var builder = PlanBuilder(kinds: kinds)
    self.definition = definition
    self.kinds = kinds
    sections = definition.sections.map { builder.section($0) }
    rules = definition.sortRules.filter { $0.name != SortRule.defaultName }
      .sorted { ($0.priority, $1.name) > ($1.priority, $0.name) }
      .map { RulePlan(rule: $0, audience: builder.conditions.number(of: $0.audience)) }
    conditions = builder.conditions
    defaultIndices = Self.defaultIndices(of: definition)
  }

  /// The index of each section by the default rule; those it does not list come after all that it lists.
  static func defaultIndices(of definition: PageDefinition) -> [Int] {
    let listed = definition.sortRules.first { $0.name == SortRule.defaultName }?.indices ?? [:]
    let unlisted = (definition.sections.compactMap { listed[$0.id] }.max() ?? -1) + 1
    return definition.sections.map { listed[$0.id] ?? unlisted }
  }

  /// What a client's attributes come to on this page.
  public func outcome(for client: ClientAttributes) -> Outcome {
    let locale = LocaleLookup.best(
      of: client.languages, among: definition.settings.locales, else: definition.settings.defaultLocale)
    var outcome = Outcome(locale: locale, count: conditions.count)
    for (predicate, condition) in conditions.predicates {
      outcome[condition] = predicate.holds(for: client, audiences: definition.audiences)
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
  var conditions = ConditionTable()

  init(kinds: Kinds) { self.kinds = kinds }

  mutating func section(_ definition: SectionDefinition) -> PagePlan.SectionPlan {
    let settings = definition.settings
    let kind = kinds.sections[settings.kind]
    var next = kind
    while let candidate = next {
      _ = conditions.number(of: candidate.requirements)
      next = candidate.fallback.flatMap { kinds.sections[$0] }
    }
    return PagePlan.SectionPlan(
      definition: definition, kind: kind, audience: conditions.number(of: settings.audience), layout: settings.layout,
      header: settings.header.map { item($0) }, footer: settings.footer.map { item($0) },
      items: definition.content.items.map { item($0) }, slots: definition.content.slots.mapValues { item($0) })
  }

  private mutating func item(_ definition: ItemDefinition) -> PagePlan.ItemPlan {
    var next = kinds.items[definition.kind]
    while let candidate = next {
      _ = conditions.number(of: candidate.requirements)
      next = (candidate.fallback?.kind).flatMap { kinds.items[$0] }
    }
    return PagePlan.ItemPlan(
      definition: definition, audience: conditions.number(of: definition.audience),
      children: definition.children.map { item($0) })
  }
}
