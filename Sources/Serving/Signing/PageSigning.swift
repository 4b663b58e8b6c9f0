import HTTPServer
import HomePayload
package import Layout
import Storage
import Synchronization
import Threads

/// Signs what pages are answered with, ahead of polls: the one owner of the keys, and of when signatures are renewed.
///
/// Loops send what was signed and look at ``serial`` alone. Signatures that came late change nothing: those by keys that
/// have changed since count no more, and take the place of none by newer ones.
package final class PageSigning: Sendable {
  /// The keys that sign, the newest first, with a number that ascends whenever they change.
  struct Keys {
    var serial: UInt64
    var keys: [SigningKey]
  }

  private let settings: SigningSettings
  private let clock: @Sendable () -> Instant
  private let state: Mutex<Keys>
  private let newestSerial: Atomic<UInt64>
  /// When there is something to renew again; `nil` before the first look.
  private let due = Mutex<(renewal: Instant, lookedAt: Instant)?>(nil)

  /// - Throws: ``SigningKeyFailure``.
  package init(_ settings: SigningSettings, clock: @escaping @Sendable () -> Instant) throws(SigningKeyFailure) {
    self.settings = settings
    self.clock = clock
    state = Mutex(Keys(serial: 1, keys: try settings.read()))
    newestSerial = Atomic(1)
  }

  /// The number of the keys that count now.
  var serial: UInt64 { newestSerial.load(ordering: .acquiring) }

  /// The ids of the keys that sign, the newest first.
  package var keyIDs: [String] { state.withLock { $0.keys.map(\.id) } }

  /// When signatures are renewed next, as last seen.
  package var nextRenewal: Instant? { due.withLock { $0?.renewal } }

  private var lifetime: Int64 { Int64(settings.lifetime) }

  /// Makes the signatures of a page's answers, each by every key: takes some ten microseconds each, so never on a loop.
  ///
  /// - Parameter present: Those that there are; they stay when they are by these keys and in the first half of their life.
  /// - Returns: `nil` when those stay.
  func signatures(
    of body: CodedBody, tag: WeakTag, revision: EditionNumber, instead present: PageSignatures?, by keys: Keys? = nil
  ) -> PageSignatures? {
    let keys = keys ?? state.withLock { $0 }
    let now = clock()
    // What would be due before the next look is renewed with the others.
    let next = now.adding(seconds: lifetime / 64)
    if let present, present.serial >= keys.serial, present.created <= now, next < present.renewal { return nil }
    let expires = now.adding(seconds: lifetime)
    func fields(_ content: PageSignature.Content, _ validator: String) -> [ResponseField] {
      let signed = keys.keys.compactMap {
        $0.sign(content, validator, revision: revision.description, created: now, expires: expires)
      }
      guard !signed.isEmpty else { return [] }
      let values = PageSignature.fields(signed)
      return [ResponseField("Signature-Input", values.input), ResponseField("Signature", values.signature)]
    }
    var page: [ResponseField] = []
    if !keys.keys.isEmpty {
      let digest = PageSignature.digest(body.hash)
      page = [ResponseField("Unencoded-Digest", digest)] + fields(.page, digest)
    }
    return PageSignatures(
      serial: keys.serial, created: now, renewal: now.adding(seconds: lifetime / 2), expires: expires, page: page,
      notModified: fields(.notModified, tag.text), budget: body.budget)
  }

  /// Whether there are signatures in the second half of their life, or from before the clock was set back.
  package var isDue: Bool {
    let now = clock()
    return due.withLock { due in
      guard let former = due, now < former.renewal, former.lookedAt <= now else { return true }
      due?.lookedAt = now
      return false
    }
  }

  /// Signs what is live and needs it: what is due.
  package func renew(_ lineup: Lineup) async { await sign(lineup) }

  private func sign(_ lineup: Lineup, by keys: Keys? = nil) async {
    let now = clock()
    var renewal = now.adding(seconds: lifetime / 2)
    for edition in lineup.inOrder {
      for (position, variant) in edition.readyVariants.enumerated() {
        // The thread is others' as well.
        if position.isMultiple(of: 64) {
          await Task.yield()
          giveWayToLoops()
        }
        guard variant.key.resource == .page, let served = variant.served.withLock({ $0 }) else { continue }
        served.sign(by: self, with: keys)
        if let made = served.signatures { renewal = min(renewal, made.renewal) }
        if Task.isCancelled { return }
      }
    }
    // Those that were signed one after the other are renewed in few looks at all.
    let next = max(renewal, now.adding(seconds: max(lifetime / 64, 1)))
    due.withLock { $0 = (renewal: next, lookedAt: now) }
  }

  /// Reads the keys again. Live pages are signed by them before they become active, so no client waits. Once this
  /// returns, only answers already under way carry signatures by other keys.
  ///
  /// - Returns: The ids of the keys; `nil` if they have not changed.
  /// - Throws: ``SigningKeyFailure``; the keys stay as they were.
  package func reload(_ lineup: () -> Lineup) async throws(SigningKeyFailure) -> [String]? {
    let read = try settings.read()
    let before = state.withLock { $0 }
    try settings.requireRetired(before.keys.map(\.id), unless: read.map(\.id))
    guard read.map(\.id) != before.keys.map(\.id) else { return nil }
    let next = Keys(serial: before.serial + 1, keys: read)
    await sign(lineup(), by: next)
    state.withLock { $0 = next }
    newestSerial.store(next.serial, ordering: .releasing)
    // What was made ready meanwhile; what goes live after that with what was made of it before, at the next look.
    await sign(lineup())
    due.withLock { $0 = nil }
    return read.map(\.id)
  }
}

/// The signatures of a page's answers, as they are sent. They never change; others take their place.
final class PageSignatures: Sendable {
  /// Which keys they are by.
  let serial: UInt64
  let created: Instant
  /// When others are made.
  let renewal: Instant
  /// The fields of a 200 and a 226.
  let page: ReadyFields
  /// The fields of a 304.
  let notModified: ReadyFields
  /// When they become valid, when they expire, and when they are renewed, in nanoseconds since 1970.
  private let from, until, renewedAt: Int64
  private let charge: ByteCharge

  init(
    serial: UInt64, created: Instant, renewal: Instant, expires: Instant, page: [ResponseField],
    notModified: [ResponseField], budget: ByteBudget
  ) {
    self.serial = serial
    self.created = created
    self.renewal = renewal
    self.page = ReadyFields(page, until: expires.nanoseconds)
    self.notModified = ReadyFields(notModified, until: expires.nanoseconds)
    (from, until, renewedAt) = (created.nanoseconds, expires.nanoseconds, renewal.nanoseconds)
    charge = ByteCharge(Self.ownBytes + self.page.byteCount + self.notModified.byteCount, in: budget)
  }

  /// What one takes beside its lines, about.
  private static let ownBytes = 368

  /// The bytes that are gone when it is.
  var bytesKept: Int { charge.bytes }

  /// Whether they count at a time in nanoseconds since 1970.
  func count(serial: UInt64, at now: Int64) -> Bool { self.serial >= serial && from <= now && now < until }

  /// Whether they are valid at `now`, and not due for renewal.
  func areNewest(serial: UInt64, at now: Int64) -> Bool { self.serial == serial && from <= now && now < renewedAt }
}
