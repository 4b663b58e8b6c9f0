public import JSON
public import Layout
public import Storage

extension Publisher {
  /// Withholds a kind from some clients, or lifts that; returns when every loop serves the pages concerned without it.
  ///
  /// - Parameter problems: What lint says of a page, to keep with its revision. No error stops it: what is live has been
  ///   live, and to take a kind off it must not wait for anybody.
  /// - Throws: ``StoreError`` or ``HandingOver``; the live editions stay as they were.
  public func changeWithheld(
    _ family: KindFamily, _ kind: String, _ wanted: WithheldChange, if precondition: WritePrecondition, by actor: Actor,
    problems: @Sendable @escaping (Candidate, Edition) -> JSON
  ) async throws -> WithheldResult<Edition> {
    do {
      return try await changeWithheldOnce(family, kind, wanted, if: precondition, by: actor, problems: problems)
    } catch is KindsAreOthers {
      // Another node has changed them since this one has looked.
      try await reload()
      return try await changeWithheldOnce(family, kind, wanted, if: precondition, by: actor, problems: problems)
    }
  }

  private func changeWithheldOnce(
    _ family: KindFamily, _ kind: String, _ wanted: WithheldChange, if precondition: WritePrecondition, by actor: Actor,
    problems: @Sendable @escaping (Candidate, Edition) -> JSON
  ) async throws -> WithheldResult<Edition> {
    let kinds = kinds
    let started = ContinuousClock.now
    let made = try await gate.pass { [self] in
      let made = try await store.changeWithheld(
        family, kind, wanted, knowing: kinds.hash, if: precondition, since: served.history, by: actor,
        isConcerned: { page in kinds.mayShow(family, kind, on: page) }
      ) { [self] candidate in
        let edition = makeEdition(candidate, by: kinds)
        return (edition, problems(candidate, edition))
      }
      let before = live.lineup
      let editions = made.revisions.map(\.ready)
      for edition in editions {
        edition.goLive(noting: versions)
        prepare(edition, before)
      }
      await note(editions, after: before)
      live.install(editions, at: store.clock())
      await wake(from: before)
      return made
    }
    publishTimes.note(.now - started)
    makeRoom()
    return made
  }
}
