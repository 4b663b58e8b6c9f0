public import Layout
import Storage

extension Publisher {
  /// What clients would get of a definition: made for one answer, and kept nowhere.
  public func preview(
    _ definition: PageDefinition, _ resource: Resource, for client: ClientAttributes, at instant: Instant
  ) -> Variant {
    let plan = PagePlan(definition, kinds: kinds)
    let edition = Edition(
      plan, EditionNumber(generation: 0, revision: 0), identity: "", madeAt: instant, budget: budget, after: nil)
    let key = VariantKey(resource: resource, outcome: plan.outcome(for: client))
    return edition.makeVariant(for: key, of: client, at: instant, keepsAlways: false)
  }
}
