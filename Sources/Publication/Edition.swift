public import Layout
import Storage
import Synchronization

/// A revision made ready to serve: its plan, and the variants that are in use.
public final class Edition: Sendable {
  /// The page.
  public let page: String
  /// The revision.
  public let revision: Int
  /// The revision's definition, compiled.
  public let plan: PagePlan
  /// The most bytes of variants that are kept.
  private let variantBytesMax: Int
  let history: VersionHistory
  private let parts: SectionParts
  private let variants: Mutex<VariantCache>
  private let scheduled = Mutex<Instant?>(nil)

  /// - Parameter previous: The edition before, whose sections need not be encoded again.
  init(_ plan: PagePlan, revision: Int, variantBytesMax: Int, history: VersionHistory, after previous: Edition?) {
    self.history = history
    parts = SectionParts(after: previous?.parts)
    page = plan.definition.id
    self.revision = revision
    self.plan = plan
    self.variantBytesMax = variantBytesMax
    variants = Mutex(VariantCache())
  }

  /// The seconds that a client may keep a page when nothing flips.
  public var pollInterval: Int { plan.definition.settings.pollInterval }

  /// When another revision is scheduled to take its place.
  public var nextPublish: Instant? { scheduled.withLock { $0 } }

  /// - Returns: Whether it was another instant before.
  func setNextPublish(_ instant: Instant?) -> Bool {
    let isOther = scheduled.withLock { scheduled in
      defer { scheduled = instant }
      return scheduled != instant
    }
    // What was made of the variants tells how long they stay true.
    if isOther { variants.withLock { $0.removeAttachments() } }
    return isOther
  }

  /// The variant at an instant, when it is ready.
  public func variant(for key: VariantKey, at instant: Instant) -> Variant? {
    variants.withLock { $0.variant(for: key, at: instant) }
  }

  /// Makes the variant at an instant, unless it is ready: takes milliseconds, so never on a loop.
  ///
  /// - Parameter client: A client with that outcome, which stands for it when the next revision is made ready.
  @discardableResult
  public func makeVariant(for key: VariantKey, of client: ClientAttributes, at instant: Instant) -> Variant {
    if let ready = variant(for: key, at: instant) { return ready }
    let variant = Variant(plan: plan, revision: revision, key: key, at: instant, parts: parts)
    variants.withLock { $0.insert(variant, client: client, bytesMax: variantBytesMax) }
    if key.resource == .page {
      history.note(
        KnownVersion(
          page: page, lineage: client.key, version: variant.version, revision: revision, outcome: key.outcome.key,
          at: instant))
    }
    return variant
  }

  /// The outcomes in use, each with a client that has it.
  var clientsInUse: [ClientAttributes] { variants.withLock { $0.clients } }

  /// The variants in use that hold no more from some instant on, before another.
  func variantsEnding(before instant: Instant) -> [(variant: Variant, client: ClientAttributes)] {
    variants.withLock { $0.ending(before: instant) }
  }

  /// The bytes of the largest ready page, gzip'd.
  public var largestDocument: Int { variants.withLock { $0.largest } }

  /// How many variants are ready, and the bytes they take.
  public var usage: (count: Int, bytes: Int) { variants.withLock { ($0.count, $0.bytes) } }
}

/// Variants by outcome; those not asked for the longest make room for others.
private struct VariantCache {
  private struct Entry {
    /// In the order of time: the one that holds now and, shortly before a flip, the one after it.
    var variants: [Variant]
    var client: ClientAttributes
    var lastUse: UInt64
  }

  private var entries: [VariantKey: Entry] = [:]
  private var uses: UInt64 = 0
  private(set) var bytes = 0

  var count: Int { entries.count }
  var clients: [ClientAttributes] {
    entries.filter { $0.key.resource == .page }.values.sorted { $0.lastUse > $1.lastUse }.map(\.client)
  }

  var largest: Int {
    entries.filter { $0.key.resource == .page }.values.flatMap(\.variants).map { $0.gzip?.count ?? 0 }.max() ?? 0
  }

  mutating func variant(for key: VariantKey, at instant: Instant) -> Variant? {
    guard let found = entries[key]?.variants.last(where: { $0.holds(at: instant) }) else { return nil }
    uses += 1
    entries[key]?.lastUse = uses
    return found
  }

  mutating func insert(_ variant: Variant, client: ClientAttributes, bytesMax: Int) {
    uses += 1
    var entry = entries[variant.key] ?? Entry(variants: [], client: client, lastUse: uses)
    entry.lastUse = uses
    // What held before the one that holds now is not asked for again.
    if entry.variants.count > 1 { bytes -= entry.variants.removeFirst().size }
    entry.variants.append(variant)
    bytes += variant.size
    entries[variant.key] = entry
    if bytes > bytesMax { makeRoom(bytesMax, keeping: variant.key) }
  }

  /// Removes the least recently used, down to nine tenths, so that a storm of new outcomes does not sort each time.
  private mutating func makeRoom(_ bytesMax: Int, keeping kept: VariantKey) {
    for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) where key != kept {
      if bytes <= bytesMax / 10 * 9 { return }
      bytes -= entry.variants.reduce(0) { $0 + $1.size }
      entries[key] = nil
    }
  }

  func removeAttachments() {
    for entry in entries.values {
      for variant in entry.variants { variant.attachment.withLock { $0 = nil } }
    }
  }

  func ending(before instant: Instant) -> [(variant: Variant, client: ClientAttributes)] {
    entries.values.compactMap { entry in
      guard let last = entry.variants.last, let end = last.until, end < instant else { return nil }
      return (last, entry.client)
    }
  }
}
