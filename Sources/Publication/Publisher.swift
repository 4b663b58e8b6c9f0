public import JSON
public import Layout
public import Storage
import Synchronization

/// Makes revisions live: one store transaction, then the swap.
public final class Publisher: Sendable {
  /// What is set for publishing.
  public struct Settings: Sendable {
    /// The most bytes of ready variants a page.
    public var variantBytesMax = 256 * 1024 * 1024
    /// The most outcomes that are made ready within a publish; others follow on first use.
    public var readyOutcomesMax = 256
    /// How many versions of each variant stay known, for clients that ask for changes.
    public var knownVersionsMax = 8

    /// The default settings.
    public init() {}
  }

  let store: Store
  let kinds: Kinds
  let settings: Settings
  private let clock: @Sendable () -> Instant
  private let editions = Mutex<[String: Edition]>([:])
  /// The plans of earlier revisions that changes were made from lately.
  let oldPlans = Mutex<[String: PagePlan]>([:])
  static let oldPlansMax = 16
  private let histories = Mutex<[String: VersionHistory]>([:])
  /// Whether the first load is over: nothing is served by halves.
  private let isServing = Mutex(false)
  /// When the next scheduled publish of any page is due.
  private let nextPublish = Mutex<Instant?>(nil)
  /// Hands the live editions to every loop, and returns when every loop serves them.
  private let serve: @Sendable ([Edition]) async -> Void

  /// A publisher.
  ///
  /// - Parameters:
  ///   - clock: Tells the time that editions are made for.
  ///   - serve: Gets all live editions whenever one has changed, and returns when every loop serves them.
  public init(
    store: Store, kinds: Kinds, settings: Settings = Settings(), clock: @escaping @Sendable () -> Instant = { .now },
    serve: @escaping @Sendable ([Edition]) async -> Void
  ) {
    self.store = store
    self.kinds = kinds
    self.settings = settings
    self.clock = clock
    self.serve = serve
  }

  /// The live editions in ascending order of their pages' ids.
  public var liveEditions: [Edition] { editions.withLock { $0.values.sorted { $0.page < $1.page } } }

  /// The live edition of a page.
  public func edition(of page: String) -> Edition? { editions.withLock { $0[page] } }

  /// Starts: makes the live revision of every page ready, makes live what has come due meanwhile, and serves it all.
  public func start(review: @Sendable @escaping (Candidate, Edition) throws -> JSON) async throws {
    try await load()
    try await loadSchedules()
    try await publishDue(review: review)
    isServing.withLock { $0 = true }
    await serveAll()
  }

  /// Hands the live editions to every loop, those that have started meanwhile among them.
  public func serveAll() async {
    if isServing.withLock({ $0 }) { await serve(liveEditions) }
  }

  /// Makes the live revision of every page ready and serves it: picks up what another process has published.
  public func load() async throws {
    let candidates = try await store.liveRevisions()
    let fresh = candidates.filter { edition(of: $0.definition.id)?.revision != $0.number }
    for candidate in fresh {
      let page = candidate.definition.id
      if edition(of: page) == nil {
        let history = VersionHistory(
          keep: settings.knownVersionsMax, known: try await store.knownVersions(page))
        histories.withLock { $0[page] = history }
      }
      install(makeEdition(candidate))
    }
    let present = Set(candidates.map(\.definition.id))
    editions.withLock { editions in editions = editions.filter { present.contains($0.key) } }
    await serveAll()
  }

  /// Publishes: checks, assembles what is in use, commits, and swaps; returns when every loop serves the new edition.
  ///
  /// - Parameters:
  ///   - keeping: Keeps the answer for a request that may be tried again.
  ///   - review: Gets the candidate and its size; throws to stop the publish, or returns the problems to keep.
  /// - Throws: ``StoreError``, or what `review` throws; the live edition stays as it was.
  public func publish(
    _ page: String, _ scope: PublishScope, message: String? = nil, if precondition: WritePrecondition, by actor: Actor,
    keeping: AnswerKeeper<(revision: Revision, tag: String)>? = nil,
    check: @Sendable @escaping (SectionDefinition) throws -> Void = { _ in },
    review: @Sendable @escaping (Candidate, Edition) throws -> JSON = { _, _ in .array([]) }
  ) async throws -> (revision: Revision, tag: String) {
    let made = try await store.publish(
      page, scope, message: message, if: precondition, by: actor, keeping: keeping, check: check
    ) { [self] candidate in
      let edition = makeEdition(candidate)
      return (edition, try review(candidate, edition))
    }
    install(made.ready)
    await serveAll()
    return (made.revision, made.tag)
  }

  /// Makes live what was scheduled for now or earlier; what cannot be made live is taken off the schedule and audited.
  public func publishDue(review: @Sendable @escaping (Candidate, Edition) throws -> JSON) async throws {
    let now = clock()
    guard let next = nextPublish.withLock({ $0 }), next <= now else { return }
    for due in try await store.scheduledPublishes() where due.at <= now {
      let actor = Actor(name: "scheduler for \(due.author)")
      do {
        _ = try await publish(
          due.page, .revision(due.revision, kind: .scheduled, resetsDraft: false), message: due.message, if: .none,
          by: actor, review: review)
      } catch StoreError.database(let failure) {
        // It stays scheduled until the database can be written again.
        throw StoreError.database(failure)
      } catch StoreError.notFound(what: "scheduled publish", _, _) {
        continue
      } catch {
        try await store.cancelScheduledPublish(due.page, due.id, by: actor, reason: "\(error)")
      }
    }
    try await loadSchedules()
  }

  /// Reads what is scheduled, so that no client keeps a page beyond the instant at which another goes live.
  public func loadSchedules() async throws {
    let scheduled = try await store.scheduledPublishes()
    nextPublish.withLock { $0 = scheduled.first?.at }
    var hasChanged = false
    for edition in liveEditions {
      let next = scheduled.first { $0.page == edition.page }?.at
      hasChanged = edition.setNextPublish(next) || hasChanged
    }
    if hasChanged { await serveAll() }
  }

  /// Takes a deleted page off the loops.
  public func remove(_ page: String) async {
    editions.withLock { _ = $0.removeValue(forKey: page) }
    await serveAll()
  }

  /// Makes the variants ready that hold from a coming flip on, so that no poll waits for them.
  ///
  /// - Parameter seconds: How far ahead to look.
  public func prepareFlips(within seconds: Int64) {
    let horizon = clock().adding(seconds: seconds)
    for edition in liveEditions {
      for (variant, client) in edition.variantsEnding(before: horizon) {
        guard let flip = variant.until else { continue }
        edition.makeVariant(for: variant.key, of: client, at: flip)
      }
    }
  }

  /// An edition with the variants that are in use, none of which is served yet.
  public func makeEdition(_ candidate: Candidate) -> Edition {
    let plan = PagePlan(candidate.definition, kinds: kinds, fingerprints: candidate.fingerprints)
    let previous = edition(of: plan.definition.id)
    let edition = Edition(
      plan, revision: candidate.number, variantBytesMax: settings.variantBytesMax,
      history: history(of: plan.definition.id), after: previous)
    let now = clock()
    let known = previous?.clientsInUse.prefix(settings.readyOutcomesMax) ?? []
    for client in candidate.definition.settings.typicalClients + known {
      edition.makeVariant(for: VariantKey(resource: .page, outcome: plan.outcome(for: client)), of: client, at: now)
    }
    return edition
  }

  private func history(of page: String) -> VersionHistory {
    histories.withLock { histories in
      let history = histories[page] ?? VersionHistory(keep: settings.knownVersionsMax)
      histories[page] = history
      return history
    }
  }

  /// A publish that took longer than a later one does not take its place.
  private func install(_ edition: Edition) {
    editions.withLock { editions in
      let old = editions[edition.page]
      guard old.map({ $0.revision < edition.revision }) ?? true else { return }
      // What was due has come.
      let now = clock()
      _ = edition.setNextPublish(old?.nextPublish.flatMap { $0 > now ? $0 : nil })
      editions[edition.page] = edition
    }
  }
}

extension PageSettings {
  /// A client of each locale that says nothing else of itself.
  fileprivate var typicalClients: [ClientAttributes] {
    locales.map { ClientAttributes(languages: [LanguageRange(locale: $0)]) }
  }
}
