import HomePayload
import JSON
public import Layout
public import Storage
import Synchronization
import Threads

/// The kinds that this process goes by.
struct ActiveKinds {
  var kinds: Kinds
  /// The change that stored them; 0 before the database has said.
  var changed: Int64 = 0
  /// Why the kinds of the database are not these.
  var failure: UnusableKinds?
}

/// The database's nodes go by kinds that this program cannot read.
public struct UnusableKinds: Error, Hashable, CustomStringConvertible {
  /// The problem, in words.
  public let description: String

  init(_ error: any Error) {
    description = "the kinds in the database cannot be used by this program, run a newer one: \(error)"
  }
}

/// Content that new kinds refuse and the present ones take.
public struct RefusedContent: Sendable {
  /// The page's state that it is in: `live`, `draft`, or `scheduled for` and when.
  public var state: String
  /// The page's id.
  public var page: String
  /// The kind of the item or section.
  public var kind: String?
  /// The place within the page, and what is wrong.
  public var problem: DocumentProblem
}

/// New kinds would break content.
public struct KindsBreakContent: Error, CustomStringConvertible {
  /// All of it, at least one.
  public var refused: [RefusedContent]
  /// The file that the new kinds are from, if any.
  public var file: String?

  /// Where, and what is wrong.
  public var description: String {
    refused.map { "\($0.page) \($0.state): \($0.problem)" }.joined(separator: "; ")
  }
}

/// What came of a change of kinds.
public struct KindsChange: Sendable {
  /// The hash of the active kinds.
  public var hash: String
  /// How what was asked for differs from those before.
  public var differences: [KindsDifference]
  /// The kinds that what was asked for does not declare and that stay to draw what is live: `items/banner`, ascending.
  public var kept: [String]
  /// The revisions of the pages concerned; none where the same kinds were active before.
  public var revisions: [Revision]

  fileprivate func with(_ revisions: [Revision]) -> KindsChange {
    var change = self
    change.revisions = revisions
    return change
  }
}

extension Publisher {
  /// The kinds that pages are made and checked with: the same on all nodes of the database.
  public var kinds: Kinds { active.withLock { $0.kinds } }

  /// Why this process does not go by the kinds of the database, `nil` when it does.
  public var kindsFailure: UnusableKinds? { active.withLock { $0.failure } }

  /// Goes by the database's kinds from now on; where it has none, it gets those that this process was started with.
  ///
  /// - Throws: ``StoreError`` or ``UnusableKinds``.
  func takeStoredKinds() async throws {
    try adopt(try await store.storeFirstKinds(StoredKinds(kinds), by: Actor(name: "server")))
  }

  /// Goes by kinds of the database, unless newer ones have been taken.
  ///
  /// - Throws: ``UnusableKinds``; those before stay.
  func adopt(_ stored: StoredKinds) throws {
    let isNew = active.withLock { active in
      guard stored.changed > active.changed else { return false }
      // The links are the database's, also where its kinds cannot be read.
      active.kinds = active.kinds.linking(by: stored.linkKey)
      if stored.hash == active.kinds.hash { (active.changed, active.failure) = (stored.changed, nil) }
      return stored.hash != active.kinds.hash
    }
    guard isNew else { return }
    do {
      adopt(
        try Self.kinds(of: stored.document, in: settings.context).linking(by: stored.linkKey), stored.changed)
    } catch {
      let failure = UnusableKinds(error)
      active.withLock { $0.failure = failure }
      // Where one process serves alone, what its file says is stored before anything is served.
      if store.isShared { throw failure }
    }
  }

  private func adopt(_ kinds: Kinds, _ changed: Int64) {
    active.withLock { active in
      if changed > active.changed {
        active = ActiveKinds(kinds: kinds.placingAssets(below: settings.assetsBaseURL), changed: changed)
      }
    }
  }

  static func kinds(of document: String, in context: DefinitionContext) throws -> Kinds {
    // They were held to the limits of their day: those of today must not keep a node from its pages.
    try Kinds(
      json: try JSON.parse(Array(document.utf8), depthMax: .max), limits: context.withoutLimits.limits)
  }

  /// Has all nodes of the database go by other kinds. Each page that may look different gets a revision of the kind `kinds`,
  /// with the content that is live; returns when every loop serves them. Until then the pages before are served.
  ///
  /// - Parameter isForced: Whether they count although they refuse content that there is.
  /// - Throws: ``KindsBreakContent``, ``StoreError``, ``HandingOver`` or ``UnusableKinds``; nothing has changed then.
  public func changeKinds(
    to new: Kinds, isForced: Bool, by actor: Actor, keeping: AnswerKeeper<KindsChange>? = nil
  ) async throws -> KindsChange {
    try await changing { [self] in try await changeKindsOnce(to: new, isForced, by: actor, keeping: keeping) }
  }

  private func changeKindsOnce(
    to wanted: Kinds, _ isForced: Bool, by actor: Actor, keeping: AnswerKeeper<KindsChange>?
  ) async throws -> KindsChange {
    let old = kinds
    let wanted = wanted.placingAssets(below: settings.assetsBaseURL).linking(by: old.linkKey)
    let new: Kinds
    do { new = try wanted.keeping(of: old, usedBy: live.lineup.inOrder.map(\.plan.definition)) } catch {
      throw KindsBreakContent(
        refused: error.problems.map { RefusedContent(state: "live", page: "", kind: nil, problem: $0) })
    }
    guard new.hash != old.hash else {
      guard try await store.storedKinds()?.hash == old.hash else { throw KindsAreOthers() }
      return KindsChange(hash: old.hash, differences: [], kept: new.removed, revisions: [])
    }
    let change = KindsChange(
      hash: new.hash, differences: old.differences(to: wanted), kept: new.removed, revisions: [])
    let made = try await store.changeKinds(
      from: old.hash, to: StoredKinds(new), since: served.history, by: actor, keeping: keeping?.of(change.with),
      // The links of a long list say by which kinds it is drawn.
      isConcerned: { page in
        old.concerns(page, changingTo: new)
          || page.sections.contains { $0.settings.loading.firstItems != nil || $0.settings.loading.load == .lazy }
      },
      check: { content in
        // A page went live meanwhile that is drawn with a kind that is gone.
        guard !content.contains(where: { $0.isLive && new.loses($0.definition, of: old) }) else {
          throw KindsAreOthers()
        }
        if !isForced { try Self.check(content, old, new) }
      },
      prepare: { [self] in makeEdition($0, by: new) })
    adopt(new, made.kinds.changed)
    await makeLive(LiveChange(editions: made.revisions.map(\.ready)))
    return change.with(made.revisions.map(\.revision))
  }

  private static func check(_ content: [StoredContent], _ old: Kinds, _ new: Kinds) throws {
    var refused: [RefusedContent] = []
    for stored in content {
      giveWayToLoops()
      let page = stored.definition
      let problems = new.problems(in: page)
      // What is wrong by both is not broken by the change.
      let known = problems.isEmpty ? [] : Set(old.problems(in: page))
      for problem in problems where !known.contains(problem) {
        refused.append(
          RefusedContent(
            state: stored.state, page: page.id, kind: page.kind(at: problem.pointer), problem: problem))
      }
    }
    if !refused.isEmpty { throw KindsBreakContent(refused: refused) }
  }
}
