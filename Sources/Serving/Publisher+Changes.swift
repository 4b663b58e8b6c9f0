import HomePayload
import Layout
import Storage
import Threads

extension Publisher {
  /// The changes for a client that holds an older version of a page, as far as known at once.
  public func changes(from version: String, to variant: Variant, of edition: Edition) -> ChangesAnswer {
    guard variant.key.resource == .page else { return .wholePage }
    if let made = variant.changes(from: version) { return made }
    return versions.origin(of: version, edition.page) == nil ? .wholePage : .unmade
  }

  /// Makes what a client that holds an older version needs: takes milliseconds, so never on a loop.
  public func makeChanges(from version: String, to variant: Variant, of edition: Edition) async -> ChangesAnswer {
    if let made = variant.changes(from: version) { return made }
    giveWayToLoops()
    guard let origin = versions.origin(of: version, edition.page), let plan = try? await plan(of: origin, edition),
      let outcome = Outcome(key: origin.outcome), outcome.fits(plan)
    else { return .wholePage }
    var old = edition.parts.assembled(plan, outcome, at: origin.at).page
    old.version = old.contentVersion
    var new = edition.parts.assembled(edition.presentPlan, variant.key.outcome, at: variant.from).page
    new.version = variant.version
    // Kinds may have changed since: then it cannot be assembled again as it was.
    guard old.version == version else { return .wholePage }
    return variant.makeChanges(from: old, to: new)
  }

  /// The plan of the revision that a version belongs to.
  private func plan(of origin: KnownVersion, _ edition: Edition) async throws -> PagePlan {
    if origin.revision == edition.revision { return edition.presentPlan }
    // No poll waits for a server that does not answer.
    if store.isAway { throw StoreError.database(.unreachable) }
    let kinds = edition.plan.kinds
    let name = "\(origin.page) \(edition.number.generation) \(origin.revision) \(kinds.identity)"
    return try await oldPlans.value(name) { [store] in
      let (definition, fingerprints) = try await store.revisionDefinition(origin.page, origin.revision)
      giveWayToLoops()
      // Most of it is as it is now.
      return PagePlan(definition, kinds: kinds, fingerprints: fingerprints, after: edition.plan)
    }
  }

  /// Saves which versions are known, so that they are after a restart too; not among the revisions of other history.
  public func saveVersions() async throws {
    guard historyCut == nil else { return }
    let unsaved = versions.unsaved
    if !unsaved.versions.isEmpty { try await store.note(unsaved.versions, keep: settings.knownVersionsMax) }
    versions.markSaved(upTo: unsaved.last)
  }
}
