import HTTPServer
import Layout
import Synchronization

/// A variant as all loops send it: complete responses, made once. The variant owns it: it must not own the variant.
final class ServedVariant: Sendable {
  // What a poll looks at comes first: of ten thousand variants in turn none is in the caches.
  /// The tick in which a loop sent it last.
  private let lastUse: Atomic<Int64>
  /// The nanoseconds since 1970 from which on it holds: a clock may be set back.
  private let from: Int64
  /// The nanoseconds since 1970 at which it may hold no more.
  let until: Int64
  /// The document.
  let whole: CodedResponse
  let notModified: ReadyResponse
  /// The entity tag.
  let tag: WeakTag
  /// `nil` once it was given up, to make room or with its edition. Holders of this then release it.
  weak let variant: Variant?
  /// When another revision is scheduled to take its place.
  private let nextPublish: Instant?
  private let heads: EditionHeads
  /// What clients of the same outcome get by the edition after.
  private let successor = AtomicLazyReference<ServedVariant>()
  /// The responses with changes, by the version that they start from.
  private let changes = Mutex<[String: CodedResponse]>([:])
  /// Whether it is a page, which alone is signed.
  let isPage: Bool
  private let signed = Mutex<PageSignatures?>(nil)
  private let charge: ByteCharge

  /// `nil` when the variant has no document.
  private init?(_ variant: Variant, of edition: Edition, nextPublish: Instant?, _ settings: PollSettings, now: Int64) {
    guard let body = variant.body else { return nil }
    self.variant = variant
    self.nextPublish = nextPublish
    heads = EditionHeads.of(edition, settings)
    tag = WeakTag(variant.version)
    let freshness = settings.freshness(of: variant, edition, nextPublish: nextPublish)
    isPage = variant.key.resource == .page
    let own = heads.heads(of: variant)
    whole = CodedResponse(own.whole, body, tag, freshness, madeAt: heads.madeAt)
    notModified = ReadyResponse(own.notModified, tag: tag, freshness: freshness)
    from = variant.from.nanoseconds
    until = variant.until?.nanoseconds ?? .max
    lastUse = Atomic(Self.tick(now))
    charge = ByteCharge(Self.ownBytes, in: variant.budget)
  }

  /// What the object takes with its 304, and beside its other responses, about.
  private static let ownBytes = 384

  /// Whether it holds at a time, in nanoseconds since 1970.
  func holds(at now: Int64) -> Bool { from <= now && now < until }

  /// When it was sent last, to a tick, in nanoseconds since 1970.
  var lastSent: Int64 { lastUse.load(ordering: .relaxed) << 26 }

  /// Notes that it is sent, so that others are given up before it: a look, and a write once a tick at most, since all
  /// loops read what is written.
  func noteUse(at now: Int64) {
    let tick = Self.tick(now)
    if lastUse.load(ordering: .relaxed) != tick { lastUse.store(tick, ordering: .relaxed) }
  }

  /// Ticks of 67 milliseconds.
  private static func tick(_ nanoseconds: Int64) -> Int64 { nanoseconds >> 26 }

  /// The page.
  var page: String { heads.page }

  /// The served variant of a variant, made at its first use; `nil` if the variant has no document.
  static func of(
    _ variant: Variant, _ edition: Edition, nextPublish: Instant?, _ settings: PollSettings, now: Int64
  ) -> ServedVariant? {
    variant.served.withLock { present in
      let former = present
      if let former, former.nextPublish == nextPublish { return former }
      let served = ServedVariant(variant, of: edition, nextPublish: nextPublish, settings, now: now)
      // What is signed is the content and its revision; for how long it is fresh is not.
      if let former, former.heads.number == edition.number { served?.takeSignatures(of: former) }
      present = served
      return served
    }
  }

  /// Makes the served variants of an edition before it goes live, and links the previous edition's to them where the
  /// same clients get them. So known shapes follow by themselves, and loops make nothing.
  ///
  /// - Parameter before: The edition replaced; the edition itself if only the time of the next publish changes.
  static func prepare(
    _ edition: Edition, after before: Edition?, nextPublish: Instant?, _ brotli: BrotliQueue, _ settings: PollSettings
  ) {
    let before = before.flatMap { $0.number <= edition.number && edition.plan.hasSameOutcomes(as: $0.plan) ? $0 : nil }
    for variant in edition.readyVariants {
      // Looked at first: another one of the same variant takes its place.
      let known = before === edition ? variant : before?.variant(for: variant.key, at: variant.from)
      let former = known?.served.withLock { $0 }
      // What is new counts as never sent.
      let lastSent = before === edition ? former?.lastSent ?? 0 : 0
      guard let served = of(variant, edition, nextPublish: nextPublish, settings, now: lastSent) else { continue }
      if let signing = settings.signing { served.sign(by: signing) }
      guard let former, former !== served else { continue }
      served.whole.prepare(after: former.whole, brotli)
      _ = former.successor.storeIfNil(served)
    }
  }

  /// This variant if its edition is live in `lineup`, otherwise its successor there; `nil` if it has none, or may no
  /// longer be sent at `now`.
  func current(in lineup: Lineup, at now: Int64) -> ServedVariant? {
    let (serial, nextPublish) = (lineup.edition(of: page)?.serial, lineup.nextPublish(of: page))
    var served = self
    while served.heads.serial != serial || served.nextPublish != nextPublish {
      guard let next = served.successor.load() else { return nil }
      served = next
    }
    // One that was given up meanwhile is not kept for the sake of a shape.
    return served.holds(at: now) && served.variant != nil ? served : nil
  }

  /// The 226 for a client that holds an older version.
  func changed(_ body: CodedBody, from version: String) -> CodedResponse {
    changes.withLock { changes in
      if let made = changes[version], made.body === body { return made }
      if changes.count >= Self.changesMax { changes.removeAll() }
      let made = CodedResponse(
        heads.changes(from: version), body, tag, notModified.freshness, madeAt: heads.madeAt,
        headBytes: CodedHeads.ownBytes)
      changes[version] = made
      return made
    }
  }

  /// The most versions whose responses with changes are kept.
  private static let changesMax = 64

  /// The bytes that are gone when it is.
  var bytesKept: Int {
    Self.ownBytes + CodedResponse.ownBytes + (signatures?.bytesKept ?? 0)
      + (CodedResponse.ownBytes + CodedHeads.ownBytes) * changes.withLock { $0.count }
  }
}

extension ServedVariant {
  /// The newest signatures, `nil` before there are any.
  var signatures: PageSignatures? { signed.withLock { $0 } }

  /// The newest signatures, if they count at a time, in nanoseconds since 1970. On a loop: nobody is waited for.
  func signatures(serial: UInt64, at now: Int64) -> PageSignatures? {
    guard let made = signed.withLockIfAvailable({ $0 }) ?? nil else { return nil }
    return made.count(serial: serial, at: now) ? made : nil
  }

  /// Takes over the signatures of a predecessor with the same content and revision. On a loop, so it never waits.
  private func takeSignatures(of former: ServedVariant) {
    let made = former.signed.withLockIfAvailable { $0 } ?? nil
    signed.withLock { $0 = made }
  }

  /// Signs it, unless that was done lately: never on a loop.
  ///
  /// - Parameter keys: The keys that are about to count.
  func sign(by signing: PageSigning, with keys: PageSigning.Keys? = nil) {
    guard isPage else { return }
    let made = signing.signatures(
      of: whole.body, tag: tag, revision: heads.number, instead: signatures, by: keys)
    guard let made else { return }
    signed.withLock { present in
      // A thread may have begun with keys that have changed since.
      if let present, present.serial > made.serial { return }
      present = made
    }
  }
}

extension PollSettings {
  /// How long a variant's answers stay true: until its flip, the next scheduled publish, or the page's poll interval.
  func freshness(of variant: Variant, _ edition: Edition, nextPublish: Instant?) -> Freshness {
    let late = spread(of: variant.version)
    let seconds: Int
    switch variant.key.resource {
    case .items: return Freshness(maxAge: Self.partSecondsMax)
    case .section(let id): seconds = edition.plan.pollInterval(of: id)
    case .page, .sortRule: seconds = edition.plan.definition.settings.pollInterval
    }
    let flip = [variant.until, nextPublish].compactMap { $0?.adding(seconds: late).nanoseconds }.min()
    return Freshness(maxAge: Int64(seconds) + late, flip: flip)
  }
}

extension Instant {
  /// The nanoseconds since 1970; a moment that is too far away for them is the furthest: 9999 is after 2262.
  var nanoseconds: Int64 {
    let (nanoseconds, isTooFar) = secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooFar ? (secondsSinceEpoch < 0 ? .min : .max) : nanoseconds
  }

  /// The second that holds a moment in nanoseconds since 1970.
  init(nanoseconds: Int64) { self.init(secondsSinceEpoch: nanoseconds / 1_000_000_000) }
}
