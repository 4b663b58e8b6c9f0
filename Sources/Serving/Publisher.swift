public import JSON
public import Layout
public import Storage
import Synchronization
import Threads
import Tracing

/// Makes revisions live: one store transaction, then the next lineup.
public final class Publisher: Sendable {
  /// What is set for publishing.
  public struct Settings: Sendable {
    /// The most bytes of what is kept ready, of all pages together.
    public var variantBytesMax = 256 * 1024 * 1024
    /// The most outcomes of a page that are made ready within a publish; others follow on first use.
    public var readyOutcomesMax = 256
    /// The most pages and change sets that may wait for `br`.
    public var brotliWaitingMax = 4_096
    /// How many versions of each variant stay known, for clients that ask for changes.
    public var knownVersionsMax = 8
    /// The file that tells what was served when this process is over; nothing does when it is `nil`.
    public var servedFile: String?
    /// The file of the snapshot for the next start; `nil` for none.
    public var snapshotFile: String?
    /// The version of the program: what one made ready is nothing for another.
    public var version = ""
    /// What stands before the addresses of pictures that Hearth keeps (``Kinds/assetsBaseURL``).
    public var assetsBaseURL: String?
    /// What definitions are read against.
    public var context = DefinitionContext()
    /// What is set for polls.
    public var polls = PollSettings()

    /// The default settings.
    public init() {}
  }

  /// The live pages.
  public let live = Live()
  /// What all that is kept ready may take.
  public let budget: ByteBudget
  /// What makes `br`.
  public let brotli: BrotliQueue
  /// How long publishes take, from the call until every loop serves them.
  public let publishTimes = Histogram()
  /// How long polls wait for a variant of first use.
  public let assemblyTimes = Histogram()
  package let store: Store
  /// The kinds that pages are made with: one owner of what the nodes have agreed on.
  let active: Mutex<ActiveKinds>
  package let settings: Settings
  let versions: KnownVersions
  /// The record of what was served, also by earlier processes.
  public let served: ServedFile
  /// Keeps the snapshot for the next start.
  public let snapshot: SnapshotKeeper
  let beginning = Mutex(Beginning())
  private let cut = Mutex<HistoryCut?>(nil)
  private let held = Mutex<[ScheduledPublish]>([])
  private let dueFailed = Mutex<String?>(nil)
  let clock: @Sendable () -> Instant
  /// The plans of earlier revisions that changes were made from lately.
  let oldPlans: OldPlans
  /// The lists whose parts were asked for lately.
  let lists: ItemLists
  /// The servers that serve what is live.
  package let servers = PollServers()
  /// The list of nodes, told what this one serves.
  private let nodes: NodeList?
  let isMakingRoom = Atomic<Bool>(false)
  private let givenUp = Atomic<UInt64>(0)
  /// Whether something was committed here that could not be read back.
  private let lookDue = Atomic<Bool>(false)
  /// The counter of other processes' changes as it was seen last, and up to which everything was read; `nil` when unknown.
  let foreignChanges = Mutex<(seen: Int?, read: Int?)>((nil, nil))
  let gate = ChangeGate()

  /// A publisher.
  ///
  /// - Parameters:
  ///   - kinds: What pages are made with where the database does not say.
  ///   - clock: Tells the time that editions are made for.
  ///   - nodes: Those that hear of what is served.
  package init(
    store: Store, kinds: Kinds, settings: Settings = Settings(), nodes: NodeList? = nil,
    clock: @escaping @Sendable () -> Instant = { .now }
  ) {
    self.store = store
    active = Mutex(ActiveKinds(kinds: kinds.placingAssets(below: settings.assetsBaseURL)))
    self.settings = settings
    self.clock = clock
    self.nodes = nodes
    budget = ByteBudget(bytesMax: settings.variantBytesMax)
    brotli = BrotliQueue(jobsMax: settings.brotliWaitingMax)
    versions = KnownVersions(keep: settings.knownVersionsMax, budget: budget)
    oldPlans = OldPlans(budget: budget)
    lists = ItemLists(budget: budget)
    served = ServedFile(path: settings.servedFile)
    snapshot = SnapshotKeeper(
      file: settings.snapshotFile.map { SnapshotFile(path: $0, setup: Self.setup(of: settings)) },
      keepsJournal: store.isShared)
  }

  /// How the database's history was cut, as the last look at it found. Until an operator raises the generation, what was
  /// served stays, and nothing is published.
  public var historyCut: HistoryCut? { cut.withLock { $0 } }

  /// The scheduled publishes that are held until an operator decides, as last read.
  public var heldPublishes: [ScheduledPublish] { held.withLock { $0 } }

  /// The due publish that this process cannot make, and why; `nil` if there is none.
  public var dueFailure: String? { dueFailed.withLock { $0 } }

  /// Starts: makes the live revision of every page ready, and makes live what has come due meanwhile.
  public func start(review: @Sendable @escaping (Candidate, Edition) throws -> JSON) async throws {
    let begun = readSnapshot()
    do {
      // Whatever kinds a backup has, what was served before it was restored was made with those of the snapshot.
      let isCut = begun == nil ? false : try await store.historyCut(since: served.history) != nil
      if !(isCut && begun.map(goBy) ?? false) { try await takeStoredKinds() }
      try await load(from: pages(of: begun))
    } catch StoreError.database(let failure) where failure.isAway {
      guard let begun, await serveUnconfirmed(begun) else { throw StoreError.database(failure) }
      return
    }
    try await loadSchedules()
    try await publishDue(review: review)
  }

  /// Looks at the database: serves the live revision of every page, takes pages without one off the loops, and reads
  /// what is scheduled. Picks up what another process has done, and what was deleted.
  public func reload() async throws {
    // In this order: what cannot be read meanwhile is looked at again.
    lookDue.store(false, ordering: .releasing)
    try await lookingAgain {
      try await load()
      try await readSchedules()
    }
  }

  /// Reads something, and has the next look at the database read what cannot be read now.
  private func lookingAgain(_ read: () async throws -> Void) async throws {
    do { try await read() } catch {
      lookDue.store(true, ordering: .releasing)
      throw error
    }
  }

  /// Makes a change that removes pages, and returns when every loop has let go of them.
  ///
  /// - Parameter removed: The pages that were removed, each with its last edition, as the change itself tells.
  /// - Throws: ``HandingOver``, or what the change throws.
  public func removing<Value: Sendable>(
    _ change: () async throws -> Value, _ removed: (Value) -> [String: EditionNumber]
  ) async throws -> Value {
    try await gate.pass {
      let value = try await change()
      await makeLive(LiveChange(ended: removed(value)))
      return value
    }
  }

  /// Reads what a change has committed, and serves it.
  ///
  /// - Throws: ``NotServedYet`` when it cannot be read now.
  func loadCommitted() async throws {
    do { try await reload() } catch { throw NotServedYet(reason: "\(error)") }
  }

  /// Has this process serve what an earlier request has committed, here or at another node, so that its answer is true.
  ///
  /// - Parameter isServed: Whether it is served already.
  /// - Throws: ``NotServedYet`` when it cannot be read now, or when a successor answers for this process, which may not have
  ///   read it.
  public func serveCommitted(unless isServed: () -> Bool = { false }) async throws {
    do {
      try await gate.pass { if !isServed() { try await loadCommitted() } }
    } catch let handingOver as HandingOver { throw NotServedYet(reason: handingOver.description) }
  }

  /// Takes up a committed scheduling or its cancellation. If it cannot be read now, the next look at the database reads
  /// it.
  ///
  /// - Parameter added: The new scheduled publish. No client keeps the page beyond its time, even if the schedules
  ///   cannot be read.
  public func takeSchedules(adding added: ScheduledPublish? = nil) async {
    do { try await loadSchedules() } catch {
      if let added { await makeLive(LiveChange(added: added)) }
    }
  }

  /// Stops all changes of the live pages, so a successor can read the final state; returns once that is done.
  public func settle() async {
    await gate.close()
    await snapshot.finish()
  }

  /// Whether a successor has taken over.
  var isSettled: Bool { gate.isClosed }

  /// Whether ``reload()`` is due although no other process has changed anything.
  public var isLookDue: Bool { lookDue.load(ordering: .acquiring) }

  /// Lets what is live change again, because the successor gave up.
  public func resume() { gate.open() }

  /// - Parameter snapshot: What was ready when the process before ended, used where the database has the same revision.
  private func load(from snapshot: [String: Snapshot.Page] = [:]) async throws {
    let present = live.lineup
    let confirmable = snapshot.compactMapValues { [clock, kinds, settings, budget] page in
      page.edition(kinds: kinds, in: settings.context, at: clock(), budget: budget)
    }
    let found = try await store.liveRevisions(
      newerThan: present.editions.mapValues(\.number),
      having: confirmable.mapValues { LiveRevisions.Known(number: $0.number, identity: $0.identity) },
      since: served.history, knowing: kinds.identity)
    // Before anything is made: what is there was published with them.
    if let other = found.otherKinds {
      // A raised generation counts as the database is, and so do its kinds, whose number may be a smaller one.
      if found.generation > served.history.generation { active.withLock { $0.changed = 0 } }
      try adopt(other)
    } else if found.cut == nil {
      // Those that could not be used are not there any more.
      active.withLock { $0.failure = nil }
    }
    cut.withLock { $0 = found.cut }
    // What was cut from the database is served as it was, until somebody says what counts.
    let cutOut =
      found.cut == nil
      ? []
      : found.pages.subtracting(found.confirmed).subtracting(found.revisions.map(\.definition.id))
        .filter { page in present.edition(of: page) == nil && snapshot[page].map(served.history.allows) ?? false }
    let confirmed = found.confirmed.union(cutOut).sorted()
    let editions = confirmed.compactMap { confirmable[$0] } + found.revisions.map(makeEdition)
    // What the snapshot has ready may have been confirmed since.
    for edition in editions {
      guard let latest = found.confirmations[edition.page], latest.number == edition.number else { continue }
      _ = edition.confirm(latest.times)
    }
    for edition in editions where present.edition(of: edition.page) == nil {
      versions.load(try await store.knownVersions(edition.page))
    }
    if !snapshot.isEmpty { beginning.withLock { $0.pages = confirmed } }
    if isUnconfirmed {
      // What was known was not read at the start. What is served now is the newest of it again.
      for page in found.pages {
        guard let edition = present.edition(of: page) else { continue }
        versions.load(try await store.knownVersions(page))
        edition.goLive(noting: versions)
      }
    }
    await makeLive(
      LiveChange(
        editions: editions,
        ended: found.withoutLive.mapValues { EditionNumber(generation: found.generation, revision: $0) },
        wanted: (generation: found.generation, pages: found.pages, isWhole: found.cut == nil),
        lastChange: found.lastChange))
    for (page, latest) in found.confirmations { await confirm(latest.times, latest.number, of: page, wakes: false) }
    beginning.withLock { $0.isUnconfirmed = false }
  }

  /// Begins with the snapshot alone, since the database is away: what it has is served until it can be compared. No page
  /// is served below what it was served as.
  ///
  /// - Returns: Whether there is a page to serve.
  private func serveUnconfirmed(_ snapshot: Snapshot) async -> Bool {
    guard goBy(snapshot) else { return false }
    let history = served.history
    let editions = snapshot.pages.filter { history.allows($0) }.sorted { $0.id < $1.id }.compactMap {
      $0.edition(kinds: kinds, in: settings.context, at: clock(), budget: budget)
    }
    guard !editions.isEmpty else { return false }
    let pages = Set(history.pages.filter { $0.value.isLive }.keys)
    await makeLive(
      LiveChange(editions: editions, wanted: (generation: history.generation, pages: pages, isWhole: false)))
    beginning.withLock { beginning in
      beginning.pages = editions.map(\.page)
      beginning.isUnconfirmed = true
    }
    return true
  }

  /// Publishes: checks, assembles what is in use, commits, and makes it live; returns when every loop serves it.
  ///
  /// - Parameters:
  ///   - keeping: Keeps the answer for a request that may be tried again.
  ///   - review: Gets the candidate and its size; throws to stop the publish, or returns the problems to keep.
  /// - Throws: ``StoreError``, ``HandingOver``, or what `review` throws; the live edition stays as it was. ``NotServedYet``
  ///   where the change is committed.
  public func publish(
    _ page: String, _ scope: PublishScope, message: String? = nil, if precondition: WritePrecondition,
    waiting: WaitingChoice = .leave, by actor: Actor,
    keeping: AnswerKeeper<Published>? = nil,
    check: @escaping ContentCheck = { _, _ in },
    review: @Sendable @escaping (Candidate, Edition) throws -> JSON = { _, _ in .array([]) }
  ) async throws -> Published {
    try await withSpan("publish") { [self] span in
      span.attributes["hearth.page"] = page
      let made = try await changing { [self] in
        let made = try await store.publish(
          page, scope, message: message, if: precondition, waiting: waiting, since: served.history, by: actor,
          keeping: keeping, check: check
        ) { [self] candidate in
          let kinds = kinds
          guard candidate.kinds.map({ $0 == kinds.hash }) ?? true else { throw KindsAreOthers() }
          // Perhaps in the transaction, on a thread that inherits nothing.
          return try withSpan("assemble", context: span.context) { _ in
            let edition = makeEdition(candidate, by: kinds)
            return (edition, try review(candidate, edition))
          }
        }
        if let edition = made.ready {
          let wasDue = if case .scheduled = scope { true } else { false }
          await withSpan("make live") { [self] _ in
            await makeLive(LiveChange(editions: [edition], wasDue: wasDue))
          }
        } else if live.lineup.edition(of: page)?.number != made.published.revision.edition {
          // It is what another publish has made live, and not on the loops yet.
          try await loadCommitted()
        } else {
          await confirm(made.published.confirmed, made.published.revision.edition, of: page)
        }
        return made
      }
      span.attributes["hearth.edition"] = made.published.revision.edition.description
      return made.published
    }
  }

  /// Makes a change, unless a successor takes over. It is tried again where another node has changed the kinds and this one
  /// has not looked since.
  func changing<Value: Sendable>(_ change: () async throws -> Value) async throws -> Value {
    let started = ContinuousClock.now
    func attempt() async throws -> Value {
      let value = try await gate.pass(change)
      publishTimes.note(.now - started)
      makeRoom()
      return value
    }
    for _ in 0..<2 {
      do { return try await attempt() } catch is KindsAreOthers { try await reload() }
    }
    return try await attempt()
  }

  /// The one way live. Returns when what was made live is on the disk, and every loop serves it.
  func makeLive(_ change: LiveChange) async {
    let (before, now) = (live.lineup, store.clock())
    let next = change.nextPublishes(after: before, at: now)
    for edition in change.editions {
      edition.goLive(noting: versions)
      let former = before.edition(of: edition.page)
      if let former { edition.takeParts(of: former) }
      prepare(edition, after: former, nextPublish: next[edition.page])
    }
    // What is sent says how long it may be kept, and no loop makes it anew.
    for edition in before.inOrder where next[edition.page] != before.nextPublish(of: edition.page) {
      prepare(edition, after: edition, nextPublish: next[edition.page])
    }
    if !change.editions.isEmpty || !change.ended.isEmpty {
      // Both at once: the disk syncs them together, and each is right without the other.
      async let kept: Void = snapshot.keep(change.editions, after: before, kinds)
      await served.note(change.editions, withoutLive: change.ended.mapValues(\.revision))
      await kept
    }
    // Whoever follows a node that has acknowledged it knows of it too. It is on the disk within a second.
    if let last = change.lastChange, let wanted = change.wanted { served.note(last, of: wanted.generation) }
    live.make(change, at: now)
    await wake()
    // Until no loop has it, so that none frees its editions.
    giveWayToLoops()
    withExtendedLifetime(before) {}
  }

  /// Takes up when content of a live revision was confirmed.
  ///
  /// - Parameter wakes: Whether loops and nodes hear of it also where nothing becomes other for clients.
  private func confirm(
    _ times: [String: Instant], _ number: EditionNumber, of page: String, wakes: Bool = true
  ) async {
    let edition = live.lineup.edition(of: page)
    let hasGivenUp = edition.map { $0.number == number && $0.confirm(times) } ?? false
    if hasGivenUp { givenUp.add(1, ordering: .acquiringAndReleasing) }
    if wakes || hasGivenUp { await wake() }
  }

  private func prepare(_ edition: Edition, after former: Edition?, nextPublish: Instant?) {
    ServedVariant.prepare(edition, after: former, nextPublish: nextPublish, brotli, settings.polls)
  }

  /// Has every loop take the newest lineup, and let go of variants that were given up; then the other nodes hear of it.
  private func wake() async {
    let lineup = live.lineup
    await servers.takeNewestLineup()
    nodes?.serves(lineup)
  }

  /// Whether something was scheduled for now or earlier, or was and could not be made live.
  package var isPublishDue: Bool { !store.isAway && (hasDue(at: store.clock()) || dueFailure != nil) }

  private func hasDue(at now: Instant) -> Bool {
    historyCut == nil && live.lineup.scheduled.values.contains { $0 <= now }
  }

  /// Makes live what was scheduled for now or earlier. What lint refuses is held until somebody has looked. What fails
  /// otherwise stays scheduled (``dueFailure``): it may be for this process alone, and for another one to publish.
  public func publishDue(review: @Sendable @escaping (Candidate, Edition) throws -> JSON) async throws {
    let now = store.clock()
    guard hasDue(at: now) else { return dueFailed.withLock { $0 = nil } }
    var failed: String?
    for due in try await store.scheduledPublishes() where due.isDue(at: now) {
      let actor = Actor(name: "scheduler for \(due.author)")
      do {
        _ = try await publish(
          due.page, .scheduled(due.id), message: due.message, if: .none, by: actor,
          review: { do { return try review($0, $1) } catch { throw RefusedByLint(reason: "\(error)") } })
      } catch StoreError.database(let failure) {
        // It stays scheduled until the database can be written again, and what came before it is read anew.
        lookDue.store(true, ordering: .releasing)
        throw StoreError.database(failure)
      } catch StoreError.conflict(code: "history-cut", _, _) {
        // Nor is it run after a raise: it is listed then.
        return try await load()
      } catch is HandingOver {
        // The successor makes it live.
        return
      } catch StoreError.notFound(what: "scheduled publish", _, _) {
        continue
      } catch let refused as RefusedByLint {
        // Another node may have been as fast.
        do {
          try await store.holdScheduledPublish(due.page, due.id, by: actor, reason: refused.reason)
        } catch StoreError.notFound(what: "scheduled publish", _, _) { continue }
      } catch {
        if failed == nil { failed = "\(due.page), \(due.detail): \(error)" }
      }
    }
    dueFailed.withLock { [failed] in $0 = failed }
    try await loadSchedules()
  }

  /// Reads what is scheduled, so that no client keeps a page beyond the instant at which another goes live.
  public func loadSchedules() async throws {
    // What was called off must not come back with a backup.
    try await lookingAgain {
      try await noteLastChange()
      await served.save()
      try await readSchedules()
    }
  }

  /// Notes in the file of what was served which change the database has last, so that a backup in its place is noticed
  /// even when no revision is missing from it.
  public func noteLastChange() async throws {
    if let last = try await store.lastChange(since: served.history) { served.note(last.change, of: last.generation) }
  }

  private func readSchedules() async throws {
    let read = live.beginRead()
    let all = try await store.scheduledPublishes()
    held.withLock { held in held = all.filter(\.isHeld) }
    let scheduled = historyCut == nil ? all.filter { !$0.isHeld } : []
    let next = Dictionary(scheduled.map { ($0.page, $0.at) }, uniquingKeysWith: min)
    await makeLive(LiveChange(scheduled: (next, read)))
  }

  /// Whether ``prepareFlips(within:)`` has something to do.
  package func isFlipDue(within seconds: Int64) -> Bool {
    let horizon = clock().adding(seconds: seconds)
    return budget.isExceeded
      || live.lineup.editions.values.contains { !$0.variantsEnding(before: horizon).isEmpty }
  }

  /// Makes the variants ready that hold from a coming flip on, so that no poll waits for them.
  ///
  /// - Parameter seconds: How far ahead to look.
  public func prepareFlips(within seconds: Int64) {
    let horizon = clock().adding(seconds: seconds)
    let present = live.lineup
    for edition in present.editions.values {
      let ending = edition.variantsEnding(before: horizon)
      for variant in ending {
        guard let flip = variant.until else { continue }
        edition.makeVariant(for: variant.key, of: variant.client, at: flip)
      }
      // What is sent of them is made as well, so that no loop has to.
      if !ending.isEmpty { prepare(edition, after: edition, nextPublish: present.nextPublish(of: edition.page)) }
    }
    makeRoom()
  }

  /// An edition with the variants that are in use. Nothing of it is served or noted until it is live, so that it can be
  /// made of a draft to look at.
  public func makeEdition(_ candidate: Candidate) -> Edition { makeEdition(candidate, by: kinds) }

  func makeEdition(_ candidate: Candidate, by kinds: Kinds) -> Edition {
    giveWayToLoops()
    let previous = live.lineup.edition(of: candidate.definition.id)
    // What was made by other kinds is none of what these make.
    let alike = previous.flatMap { $0.plan.kinds.identity == kinds.identity ? $0 : nil }
    let plan = PagePlan(
      candidate.definition, kinds: kinds, fingerprints: candidate.fingerprints, after: alike?.plan)
    let now = clock()
    let edition = Edition(
      plan, candidate.edition, identity: candidate.identity, madeAt: now, budget: budget, after: alike)
    let known = previous?.clientsInUse.prefix(settings.readyOutcomesMax) ?? []
    for client in candidate.definition.settings.typicalClients + known {
      edition.makeVariant(for: VariantKey(resource: .page, outcome: plan.outcome(for: client)), of: client, at: now)
    }
    return edition
  }

  /// Gives up what was sent longest ago while more is kept ready than may be, down to nine tenths. Returns at once.
  public func makeRoom() {
    guard budget.isExceeded, !isMakingRoom.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task {
      while budget.isExceeded, giveUp(budget.bytes - budget.bytesMax / 10 * 9) {
        await wake()
        // What loops let go of is freed behind them, and more may have come meanwhile.
        try? await Task.sleep(for: .milliseconds(50))
      }
      isMakingRoom.store(false, ordering: .releasing)
    }
  }

  /// How often variants were given up. Holders of variants release them when it has risen.
  public var givenUpCount: UInt64 { givenUp.load(ordering: .acquiring) }

  /// - Parameter bytes: How many are to be given up.
  /// - Returns: Whether there was anything to give up.
  private func giveUp(_ bytes: Int) -> Bool {
    let variants = live.lineup.editions.values.flatMap { edition in
      edition.readyVariants.map { (edition: edition, variant: $0, lastUse: $0.lastUse) }
    }
    var left = bytes
    for (edition, variant, _) in variants.sorted(by: { $0.lastUse < $1.lastUse }) where left > 0 {
      left -= variant.bytesKept
      edition.remove(variant)
    }
    givenUp.add(1, ordering: .acquiringAndReleasing)
    return !variants.isEmpty
  }
}

/// Lint found errors in a due publish.
private struct RefusedByLint: Error {
  let reason: String
}

extension PageSettings {
  /// A client of each locale that says nothing else of itself.
  fileprivate var typicalClients: [ClientAttributes] {
    locales.map { ClientAttributes(languages: [LanguageRange(locale: $0)]) }
  }
}
