public import Layout
public import Storage
import Synchronization
import Threads

/// A revision made ready to serve: its plan, and the variants that are in use.
public final class Edition: Sendable {
  /// The page.
  public let page: String
  /// What orders it among others of the page.
  public let number: EditionNumber
  /// What tells its revision from another one of its number.
  let identity: String
  /// What tells it from every other edition of this process: two loads of one revision are two editions.
  public let serial = Edition.serials.add(1, ordering: .relaxed).newValue
  private static let serials = Atomic<UInt64>(0)
  /// When this process made it ready.
  public let madeAt: Instant
  /// The revision's definition, compiled when this process made it ready. What is confirmed since is in ``presentPlan``.
  public let plan: PagePlan
  /// The plan with what was confirmed since; `nil` where nothing was.
  private let confirmedPlan = Mutex<PagePlan?>(nil)
  let parts: SectionParts
  /// The heads that all of its variants are sent with, made at their first use.
  let heads = AtomicLazyReference<EditionHeads>()
  private let budget: ByteBudget
  private let variants = Mutex(VariantCache())

  /// - Parameter previous: The edition before, whose sections need not be encoded again.
  init(
    _ plan: PagePlan, _ number: EditionNumber, identity: String, madeAt: Instant, budget: ByteBudget,
    after previous: Edition?
  ) {
    self.madeAt = madeAt
    parts = SectionParts(after: previous?.parts, budget: budget)
    page = plan.definition.id
    self.number = number
    self.identity = identity
    self.plan = plan
    self.budget = budget
  }

  /// The revision.
  public var revision: Int { number.revision }

  /// The variant at an instant, when it is ready.
  public func variant(for key: VariantKey, at instant: Instant) -> Variant? {
    variants.withLock { $0.variant(for: key, at: instant) }
  }

  /// The plan, with the confirmations of sections' content that have come since: they move the instants at which sections are
  /// hidden, and nothing else.
  public var presentPlan: PagePlan {
    plan.definition.confirmed.isEmpty ? plan : confirmedPlan.withLock { $0 } ?? plan
  }

  /// Takes up when content was confirmed.
  ///
  /// - Returns: Whether variants were given up that had hidden sections which are shown.
  func confirm(_ times: [String: Instant]) -> Bool {
    let spared = confirmedPlan.withLock { confirmed -> Instant? in
      var plan = confirmed ?? plan
      let spared = plan.confirm(times)
      if spared != nil { confirmed = plan }
      return spared
    }
    guard let spared else { return false }
    let gone = readyVariants.filter { $0.from >= spared }
    gone.forEach(remove)
    return !gone.isEmpty
  }

  /// Makes the variant at an instant, unless it is ready. Takes milliseconds: never call it on a loop.
  ///
  /// - Parameters:
  ///   - client: A client with that outcome, for which the next revision is made ready.
  ///   - keepsAlways: Whether it is kept even beyond the budget. Otherwise, beyond the budget, only the caller has it,
  ///     so a request for many variants gets them and leaves nothing behind.
  @discardableResult
  public func makeVariant(
    for key: VariantKey, of client: ClientAttributes, at instant: Instant, keepsAlways: Bool = true
  ) -> Variant {
    if let ready = variant(for: key, at: instant) { return ready }
    // Looked at before: the first one that is too many is kept, and what was sent the longest ago goes for it.
    let isKept = keepsAlways || !budget.isExceeded
    giveWayToLoops()
    let made = Variant(
      plan: presentPlan, revision: revision, key: key, client: client, at: instant, parts: parts, budget: budget)
    guard isKept else { return made }
    let (variant, versions) = variants.withLock { ($0.insert(made), $0.versions) }
    versions?.note(variant, of: page)
    return variant
  }

  /// Takes a variant that was not assembled from its plan.
  ///
  /// - Returns: The variant; the one that another thread was faster to make.
  @discardableResult
  func insert(_ variant: Variant) -> Variant { variants.withLock { $0.insert(variant) } }

  /// Takes the parts of lists that were asked for since the edition before went live: no publish makes them others.
  func takeParts(of previous: Edition) {
    guard previous.plan.definition.withheld == plan.definition.withheld,
      previous.plan.kinds.identity == plan.kinds.identity
    else { return }
    for part in previous.readyVariants where part.key.resource.isImmutable && part.lastUse > 0 {
      insert(makePart(part.key, version: part.version, body: part.body))
    }
  }

  /// A part of a list, which holds at all times.
  func makePart(_ key: VariantKey, version: String, body: CodedBody?) -> Variant {
    Variant(
      key: key, client: ClientAttributes(), revision: revision, version: version, body: body,
      from: Instant(secondsSinceEpoch: 0), until: nil, budget: budget)
  }

  /// From now on the versions of its variants are known: an edition that was made to look at leaves no trace.
  func goLive(noting versions: KnownVersions) {
    let ready = variants.withLock { variants in
      variants.versions = versions
      return variants.all
    }
    for variant in ready { versions.note(variant, of: page) }
  }

  /// The outcomes in use, each with a client that has it; the one that was asked for last comes first.
  var clientsInUse: [ClientAttributes] {
    variants.withLock { $0.all }.filter { $0.key.resource == .page }.sorted { $0.lastUse > $1.lastUse }.map(\.client)
  }

  /// How many variants are ready.
  var variantCount: Int { variants.withLock { $0.count } }

  /// All variants that are ready.
  public var readyVariants: [Variant] { variants.withLock { $0.all } }

  /// The variants in use that hold no more from some instant on, before another.
  func variantsEnding(before instant: Instant) -> [Variant] { variants.withLock { $0.ending(before: instant) } }

  /// Gives up a variant; it is made again when somebody asks for it.
  func remove(_ variant: Variant) { variants.withLock { $0.remove(variant) } }

  /// The bytes of the largest ready page, gzip'd.
  public var largestDocument: Int {
    readyVariants.filter { $0.key.resource == .page }.map { $0.body?.gzip.count ?? 0 }.max() ?? 0
  }

  /// How many variants are ready, and how many of them as `br`; the bytes of their bodies, which equal variants share,
  /// and those of `br` among them.
  public var usage: (count: Int, brotliCount: Int, bytes: Int, brotliBytes: Int) {
    let ready = readyVariants
    let bodies = Dictionary(
      ready.compactMap { $0.body }.map { (ObjectIdentifier($0), $0) }, uniquingKeysWith: { first, _ in first }
    ).values
    return (
      ready.count, ready.count { $0.body?.brotli != nil }, bodies.reduce(0) { $0 + $1.size },
      bodies.reduce(0) { $0 + ($1.brotli?.count ?? 0) }
    )
  }
}

/// Variants by outcome: the one that holds now and, shortly before a flip, the one after it.
private struct VariantCache {
  /// Those of one key. What held before the two is not asked for again.
  private struct Entry {
    var last: Variant
    var former: Variant?

    var all: [Variant] { [former, last].compactMap(\.self) }
  }

  private var entries: [VariantKey: Entry] = [:]
  /// No last variant of a key ends before: of ten thousand, few do, and they are looked for each second.
  private var firstEnd: Instant?
  /// Where versions are noted, once the edition is live.
  var versions: KnownVersions?

  /// How many there are.
  private(set) var count = 0

  var all: [Variant] { entries.values.flatMap(\.all) }

  func variant(for key: VariantKey, at instant: Instant) -> Variant? {
    guard let entry = entries[key] else { return nil }
    return entry.last.holds(at: instant) ? entry.last : entry.former.flatMap { $0.holds(at: instant) ? $0 : nil }
  }

  /// - Returns: The variant; the one that another thread was faster to make.
  mutating func insert(_ variant: Variant) -> Variant {
    if let ready = self.variant(for: variant.key, at: variant.from) { return ready }
    let known = entries[variant.key]
    entries[variant.key] = Entry(last: variant, former: known?.last)
    if known?.former == nil { count += 1 }
    if let until = variant.until { firstEnd = min(firstEnd ?? until, until) }
    return variant
  }

  mutating func remove(_ variant: Variant) {
    guard let entry = entries[variant.key] else { return }
    if entry.last === variant {
      entries[variant.key] = entry.former.map { Entry(last: $0) }
    } else if entry.former === variant {
      entries[variant.key]?.former = nil
    } else {
      return
    }
    count -= 1
    if let until = entry.former?.until { firstEnd = min(firstEnd ?? until, until) }
  }

  mutating func ending(before instant: Instant) -> [Variant] {
    guard let firstEnd, firstEnd < instant else { return [] }
    let ending = entries.values.map(\.last).filter { $0.until != nil }
    self.firstEnd = ending.compactMap(\.until).min()
    return ending.filter { $0.until.map { $0 < instant } ?? false }
  }
}
