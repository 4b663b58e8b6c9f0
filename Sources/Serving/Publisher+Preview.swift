import HomePayload
public import Layout
import Storage

extension Publisher {
  /// What clients would get of a definition: made for one answer, and kept nowhere.
  public func preview(
    _ definition: PageDefinition, _ resource: Resource, for client: ClientAttributes, at instant: Instant
  ) -> Variant {
    // Links to the rest of a list would be those of a published page, which may have another list or none.
    var definition = definition
    for place in definition.sections.indices {
      definition.sections[place].settings.loading.firstItems = nil
      if definition.sections[place].settings.loading.load == .lazy {
        definition.sections[place].settings.loading.load = nil
      }
    }
    let plan = PagePlan(definition, kinds: kinds)
    let edition = Edition(
      plan, EditionNumber(generation: 0, revision: 0), identity: "", madeAt: instant, budget: budget, after: nil)
    let key = VariantKey(resource: resource, outcome: plan.outcome(for: client))
    return edition.makeVariant(for: key, of: client, at: instant, keepsAlways: false)
  }
}
