public import JSON
public import Layout

/// A kind that is withheld until somebody lifts that.
public struct WithheldKind: Hashable, Sendable {
  /// The kind, and the clients that do not get it.
  public var withholding: Withholding
  /// The reason, as the operator wrote it.
  public var reason: String
  /// Who did.
  public var author: String
  /// When.
  public var at: Instant
  /// The number of the change that withheld it.
  var changed: Int64

  /// Its entity tag.
  public var tag: String { EntityTag.text(changed) }
}

/// A change of a kind: withhold it from some clients, or lift that.
public enum WithheldChange: Hashable, Sendable {
  /// Clients for whom the condition holds do not get it.
  case withhold(Predicate, reason: String)
  /// Whoever can draw it gets it again.
  case lift

  fileprivate var action: String { self == .lift ? "kind.lift" : "kind.withhold" }
  fileprivate var pageAction: String { self == .lift ? "page.lift" : "page.withhold" }
}

/// The result of withholding a kind, or of lifting it.
public struct WithheldResult<Ready: Sendable>: Sendable {
  /// The kind as withheld now; `nil` if it was lifted.
  public var withheld: WithheldKind?
  /// Its entity tag.
  public var tag: String
  /// Whether it was not withheld before.
  public var isNew: Bool
  /// The revision of each page concerned, and what was made ready of it.
  public var revisions: [(revision: Revision, ready: Ready)]
}

extension Store {
  /// The kinds that are withheld, by family and name.
  public func withheldKinds() async throws -> [WithheldKind] {
    try await read { [self] db in try reader(db).withheldKinds() }
  }

  /// Withholds a kind from some clients, or lifts that: each page concerned gets a revision with the content that is live,
  /// all in one transaction, and drafts stay as they are. Whatever is published later keeps it, since a revision takes
  /// what is withheld when it is made.
  ///
  /// - Parameters:
  ///   - isConcerned: Whether a live page may show the kind.
  ///   - known: The hash of the kinds that the caller makes pages with.
  ///   - served: What the node has served; nothing is published into history that was cut since.
  ///   - prepare: Makes a page ready to serve, mostly outside the transaction and maybe more than once. Returns what the caller
  ///     wants to have, and the problems to keep with the revision.
  /// - Throws: ``StoreError``, or ``KindsAreOthers`` where the nodes go by other kinds; nothing has happened then.
  public func changeWithheld<Ready: Sendable>(
    _ family: KindFamily, _ kind: String, _ wanted: WithheldChange, knowing known: String,
    if precondition: WritePrecondition, since served: ServedHistory? = nil, by actor: Actor,
    keeping: AnswerKeeper<WithheldResult<Ready>>? = nil,
    isConcerned: @Sendable @escaping (PageDefinition) -> Bool,
    prepare: @Sendable @escaping (Candidate) throws -> (ready: Ready, problems: JSON)
  ) async throws -> WithheldResult<Ready> {
    try await write(
      wanted.action, by: actor, keeping: keeping, isUrgent: true,
      // What becomes of a draft or a schedule takes what is withheld then.
      reading: .common + .live(),
      making: { [self] change, earlier -> WithheldPreparation<Ready> in
        try change.requireUncut(since: served)
        guard try StoredKinds.hash(change.db).map({ $0 == known }) ?? true else { throw KindsAreOthers() }
        var made = WithheldPreparation<Ready>(
          found: try change.withheldProspect(family, kind, wanted, if: precondition, self))
        guard let withheld = made.found.withheld else { return made }
        let reader = reader(change.db)
        for page in try reader.pageIDs() {
          if let earlier, earlier.keeps(.live, page) {
            made.pages[page] = earlier.made.pages[page]
          } else if let live = try reader.live(page), isConcerned(live.definition) {
            var candidate = try change.candidate(live, live: live, self)
            candidate.definition.withheld = withheld
            made.pages[page] = (candidate, try prepare(candidate))
          }
        }
        return made
      }
    ) { change, made in try change.carryOut(made, wanted) }
  }
}

/// What was prepared for the pages concerned.
private struct WithheldPreparation<Ready: Sendable>: Sendable {
  var found: WithheldProspect
  /// The pages concerned.
  var pages: [String: (candidate: Candidate, made: (ready: Ready, problems: JSON))] = [:]
}

/// What withholding a kind, or lifting it, would make live.
private struct WithheldProspect: Sendable {
  var family: KindFamily
  var kind: String
  /// As it is.
  var before: WithheldKind?
  /// As it will be.
  var after: Withholding?
  /// All that is withheld then; `nil` where nothing becomes other for any page.
  var withheld: [Withholding]?
}

extension PageReader {
  /// The kinds that are withheld now, by family and name.
  func withheldKinds() throws -> [WithheldKind] {
    try Row.fetchAll(db, sql: "SELECT * FROM withheld ORDER BY family, kind").map { row in
      guard let family = KindFamily(rawValue: row["family"]) else { throw StoreError.database(.corrupt) }
      let withholding = Withholding(
        family, row["kind"], from: try Predicate(json: JSON.stored(row["audience"] as String), in: context),
        audiences: try storedAudiences(row["audiences"]))
      return WithheldKind(
        withholding: withholding, reason: row["reason"], author: row["author"], at: row["at"], changed: row["changed"])
    }
  }

  /// The withheld kinds of a revision made now.
  func withheld() throws -> [Withholding] { try withheldKinds().map(\.withholding) }

  /// Reads a revision's withheld kinds.
  func storedWithheld(_ text: String) throws -> [Withholding] {
    try (JSON.stored(text).array ?? []).map { try Withholding(json: $0, in: context) }
  }
}

extension [Withholding] {
  /// As revisions keep them.
  var storedText: String { JSON.array(map(\.json)).canonicalText }
}

extension Change {
  fileprivate func withheldProspect(
    _ family: KindFamily, _ kind: String, _ wanted: WithheldChange, if precondition: WritePrecondition, _ store: Store
  ) throws -> WithheldProspect {
    let reader = store.reader(db)
    let kinds = try reader.withheldKinds()
    var found = WithheldProspect(family: family, kind: kind)
    found.before = kinds.first { ($0.withholding.family, $0.withholding.kind) == (family, kind) }
    if wanted == .lift, found.before == nil {
      throw StoreError.notFound(
        what: "withheld kind", name: "\(family.rawValue)/\(kind)", known: kinds.map(\.withholding.name))
    }
    try check(precondition, of: found.before?.changed)
    if case .withhold(let audience, _) = wanted {
      let after = Withholding(family, kind, from: audience, audiences: try reader.audiences())
      guard after.problems.isEmpty else { throw StoreError.invalid(after.problems) }
      found.after = after
    }
    guard found.after != found.before?.withholding else { return found }
    let others = kinds.map(\.withholding).filter { $0.name != "\(family.rawValue)/\(kind)" }
    found.withheld = (others + [found.after].compactMap(\.self)).sorted { $0.name < $1.name }
    return found
  }

  fileprivate mutating func carryOut<Ready>(
    _ preparation: WithheldPreparation<Ready>, _ wanted: WithheldChange
  ) throws -> WithheldResult<Ready> {
    let found = preparation.found
    let name = "\(found.family.rawValue)/\(found.kind)"
    let withheld = try store(found, wanted)
    let message =
      switch wanted {
      case .withhold(_, let reason): "\(name): \(reason)"
      case .lift: name
      }
    var revisions: [(revision: Revision, ready: Ready)] = []
    for (_, (candidate, made)) in preparation.pages.sorted(by: { $0.key < $1.key }) {
      let revision = try insertRevision(candidate, .withheld, message: message, problems: made.problems)
      touched.append(
        Touched(action: wanted.pageAction, page: revision.page, detail: detail, before: before, after: after))
      revisions.append((revision, made.ready))
    }
    detail = message
    before = found.before.map { Fingerprint.of($0.withholding.json) }
    after = found.after.map { Fingerprint.of($0.json) }
    return WithheldResult(
      withheld: withheld, tag: withheld?.tag ?? tag, isNew: found.before == nil, revisions: revisions)
  }

  /// - Returns: The kind as it is withheld now. The same again is no change.
  private mutating func store(_ found: WithheldProspect, _ wanted: WithheldChange) throws -> WithheldKind? {
    guard let withholding = found.after, case .withhold(_, let reason) = wanted else {
      try db.execute(
        sql: "DELETE FROM withheld WHERE family = ? AND kind = ?", arguments: [found.family.rawValue, found.kind])
      return nil
    }
    if let before = found.before, before.withholding == withholding, before.reason == reason {
      isVoid = true
      return before
    }
    try WholeText.check(reason)
    try db.execute(
      sql: """
        INSERT INTO withheld (family, kind, audience, audiences, reason, author, at, changed)
        VALUES (:family, :kind, :audience, :audiences, :reason, :author, :at, :id)
        ON CONFLICT (family, kind) DO UPDATE SET audience = :audience, audiences = :audiences, reason = :reason,
          author = :author, at = :at, changed = :id
        """,
      arguments: [
        "family": found.family.rawValue, "kind": found.kind, "audience": withholding.audience.json.canonicalText,
        "audiences": withholding.audiences.storedText, "reason": reason, "author": actor.name, "at": now, "id": id,
      ])
    return WithheldKind(withholding: withholding, reason: reason, author: actor.name, at: now, changed: id)
  }
}
