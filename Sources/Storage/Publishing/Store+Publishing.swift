public import JSON
public import Layout

/// The result of a publish.
public struct Published: Sendable {
  /// The revision that is live now.
  public let revision: Revision
  /// The draft's tag.
  public let tag: String
  /// What a source's edit has made of the draft's content; `nil` of every other publish.
  public let content: MadeContent?
  /// When the content of the live revision's sections was confirmed last, where a source's edit changes nothing of it.
  public var confirmed: [String: Instant] = [:]
}

extension Store {
  /// Makes a new revision and makes it live, in one transaction. A source's edit that leaves the content as it is live
  /// makes none.
  ///
  /// - Parameters:
  ///   - prepare: Gets the candidate and makes it ready to serve, which may take long and be done more than once: outside
  ///     the transaction, which then finds out whether the candidate is still the same. When it throws, nothing has
  ///     happened. Returns what the caller wants to have, and the problems to keep with the revision.
  ///   - choice: What becomes of what waits in schedules and is published now.
  ///   - served: What the node has served; nothing is published into history that was cut since.
  ///   - keeping: Keeps the answer for a request that may be tried again.
  /// - Returns: What came of it, and what `prepare` returned: nothing when the revision was live before.
  public func publish<Ready: Sendable>(
    _ page: String, _ scope: PublishScope, message: String?, if precondition: WritePrecondition,
    waiting choice: WaitingChoice = .leave, since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<Published>? = nil,
    check: @escaping ContentCheck = { _, _ in },
    prepare: @Sendable @escaping (Candidate) throws -> (ready: Ready, problems: JSON)
  ) async throws -> (published: Published, ready: Ready?) {
    // What is due was told for the second.
    let isDue = if case .scheduled = scope { true } else { false }
    return try await publishTurns.pass(page, isUrgent: isDue) {
      try await write(
        scope.action, by: actor, page: page, keeping: keeping?.of(\.published), isUrgent: isDue,
        reading: scope.places(of: page, if: precondition),
        making: preparing(page, scope, if: precondition, since: served, check: check, prepare)
      ) { [self] change, made in
        let candidate = made.prospect.candidate
        try change.requirePictures(of: candidate)
        if scope.isByOperator {
          try change.settle(change.waiting(for: candidate, scope, choice), choice, candidate)
        }
        let content = try change.carryOut(made.prospect, page, scope, self)
        let reader = reader(change.db)
        let row = try reader.pageRow(page)
        let tag = EntityTag.text(row["draft_changed"])
        guard let (ready, problems) = made.ready else {
          let revision = try Revision(reader.revisionRow(page, row["live"]), live: row["live"], change.db)
          var published = Published(revision: revision, tag: tag, content: content)
          if case .content(let section, _, _) = scope {
            published.confirmed = try change.noteConfirmation(of: section, candidate)
          }
          return (published, nil)
        }
        let revision = try change.insertRevision(candidate, scope.kind, message: message, problems: problems)
        return (Published(revision: revision, tag: tag, content: content), ready)
      }
    }
  }

  /// What publishing would make live, without publishing.
  public func candidate(
    _ page: String, _ scope: PublishScope, if precondition: WritePrecondition = .none
  ) async throws -> Candidate {
    let now = clock()
    return try await read { [self] db in
      let change = Change(db: db, id: 0, now: now, actor: Actor(name: ""), action: "")
      var candidate = try change.take(page, scope, if: precondition, self).candidate
      candidate.waiting = try change.waiting(for: candidate, scope)
      return candidate
    }
  }
}
