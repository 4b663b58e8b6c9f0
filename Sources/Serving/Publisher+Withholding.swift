public import JSON
public import Layout
public import Storage

extension Publisher {
  /// Withholds a kind from some clients, or lifts that; returns when every loop serves the pages concerned without it.
  ///
  /// - Parameter problems: What lint says of a page, to keep with its revision. No error stops it: what is live has been
  ///   live, and to take a kind off it must not wait for anybody.
  /// - Throws: ``StoreError`` or ``HandingOver``; the live editions stay as they were. ``NotServedYet`` where the change is
  ///   committed.
  public func changeWithheld(
    _ family: KindFamily, _ kind: String, _ wanted: WithheldChange, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<WithheldResult<Edition>>? = nil,
    problems: @Sendable @escaping (Candidate, Edition) -> JSON
  ) async throws -> WithheldResult<Edition> {
    try await changing { [self] in
      let kinds = kinds
      let made = try await store.changeWithheld(
        family, kind, wanted, knowing: kinds.hash, if: precondition, since: served.history, by: actor,
        keeping: keeping, isConcerned: { page in kinds.mayShow(family, kind, on: page) }
      ) { [self] candidate in
        let edition = makeEdition(candidate, by: kinds)
        return (edition, problems(candidate, edition))
      }
      if !made.revisions.isEmpty {
        await makeLive(LiveChange(editions: made.revisions.map(\.ready)))
      } else if !keeps(to: made.withheld?.withholding, of: family, kind) {
        // Another node has withheld it, and this one has not looked since.
        try await loadCommitted()
      }
      return made
    }
  }

  /// Whether all that is served, and may show a kind, is withheld as it is to be.
  private func keeps(to withholding: Withholding?, of family: KindFamily, _ kind: String) -> Bool {
    live.lineup.inOrder.map(\.plan.definition).allSatisfy { page in
      !kinds.mayShow(family, kind, on: page)
        || page.withheld.first { ($0.family, $0.kind) == (family, kind) } == withholding
    }
  }
}
