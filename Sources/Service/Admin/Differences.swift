import HomePayload
import JSON
import Layout
import Serving

/// What changed between two states of a page: as clients of some attributes get it, and in words.
struct Differences {
  /// The change set (RFC 3229 as wire.md has it).
  let json: JSON
  /// English sentences, an array.
  let summary: JSON
  /// The same with codes and values, an array.
  let sentences: JSON

  /// - Parameter lost: What it takes off the page at once.
  init(
    from old: PageDefinition?, to new: PageDefinition, for client: ClientAttributes, at instant: Instant, kinds: Kinds,
    losing lost: [Disappearance] = []
  ) {
    func page(_ definition: PageDefinition) -> Page {
      let plan = PagePlan(definition, kinds: kinds)
      var page = plan.assemble(plan.outcome(for: client), at: instant).page
      page.version = page.contentVersion
      return page
    }
    let after = page(new)
    let before = old.map(page) ?? Page(id: after.id, locale: after.locale, sortRule: after.sortRule, sections: [])
    let bytes = ChangeSet.changes(from: before, to: after).canonicalBytes
    // What was just written is strict JSON.
    json = (try? JSON.parse(bytes, depthMax: .max)) ?? .null
    let summary = ChangeSummary(from: old, to: new)
    // Of what was removed or hidden, that is said already.
    let all = summary.changes + lost.filter { new.isScheduled($0.section) }.map(\.sentence)
    self.summary = .array(all.map { .string($0.text) })
    sentences = .array(all.map(\.json))
  }
}

extension PageDefinition {
  fileprivate func isScheduled(_ section: String) -> Bool {
    sections.contains { $0.id == section && !$0.settings.isHidden && $0.settings.schedule != nil }
  }
}
