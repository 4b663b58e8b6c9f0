import HTTPServer
import Layout
import Publication

/// A client that waits for a change (RFC 7240 §4.3): what it asked for, and what it is answered when nothing changes.
/// The document that it holds is not kept for it.
struct Waiting {
  let page: String
  let resource: Resource
  let client: ClientAttributes
  /// The loop's ``EventLoop/elapsed`` nanoseconds at which it wants an answer, changed or not: a clock that is set back
  /// prolongs no wait.
  let deadline: Int64
  let codings: AcceptedCodings
  let takesChanges: Bool
  let wantsSignatures: Bool
  /// The version that it holds, with its tag.
  let version: String
  let tag: WeakTag
  /// The nanoseconds since 1970 until which the version holds at least.
  private(set) var until: Int64
  /// How often the variant was made that tells whether something has changed, and was gone before it could.
  var attempts = 0
  /// When it is asked for again, in ``EventLoop/elapsed`` nanoseconds.
  fileprivate(set) var end: Int64 = 0

  init(
    _ request: borrowing Request, _ entry: ShapeCache.Entry, _ held: ServedVariant, deadline: Int64
  ) {
    page = entry.page
    resource = entry.resource
    client = entry.client
    self.deadline = deadline
    codings = request.acceptedCodings
    takesChanges = request.takesChanges
    wantsSignatures = request.wantsSignatures
    version = held.version
    tag = held.tag
    until = held.until
  }

  /// The same client, which holds the same content by another variant.
  func holding(_ held: ServedVariant) -> Waiting {
    var other = self
    other.until = held.until
    other.attempts = 0
    return other
  }
}

extension PollHandler {
  /// Parks a client that holds the current version and prefers to wait; `nil` when it is to be answered at once.
  func wait(
    _ request: borrowing Request, _ entry: ShapeCache.Entry, _ held: ServedVariant, on loop: EventLoop
  ) -> Answer? {
    let seconds = min(request.wait ?? 0, settings.waitSecondsMax)
    guard seconds > 0, !entry.resource.isImmutable else { return nil }
    let deadline = loop.elapsed + Int64(seconds) * 1_000_000_000
    return park(request.exchange, Waiting(request, entry, held, deadline: deadline), on: loop)
  }

  private func park(_ exchange: ExchangeID, _ waiter: Waiting, on loop: EventLoop) -> Answer {
    var waiter = waiter
    // A flip is a change as well: the client is asked for again when its variant may hold no more.
    let flip = max(waiter.until - max(loop.now, 0), 0).addingReportingOverflow(loop.elapsed)
    waiter.end = flip.overflow ? waiter.deadline : min(waiter.deadline, flip.partialValue)
    waiting[exchange] = waiter
    return .parked(until: loop.now + waiter.end - loop.elapsed)
  }

  func forget(_ exchange: ExchangeID, on loop: EventLoop) { waiting[exchange] = nil }

  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    if lineup.isOver { takeNewest(on: loop) }
    guard let waiter = waiting.removeValue(forKey: exchange) else { return .response(Response(503)) }
    guard let edition = lineup.edition(of: waiter.page) else {
      return refuse(missing(waiter.page))
    }
    guard edition.plan.has(waiter.resource) else { return refuse(.unknown(waiter.resource, edition)) }
    // The loop asks when the client's time is over, at a flip, and when the client or the server is about to end.
    let mayWait = loop.elapsed < waiter.deadline && (reason == .woken || waiter.end <= loop.elapsed)
    let key = edition.key(of: waiter.resource, for: waiter.client)
    guard let variant = edition.variant(for: key, at: Instant(nanoseconds: loop.now)) else {
      // Where memory is so short that a variant is given up at once, the client gets its answer with the variant.
      return mayWait && waiter.attempts < 3
        ? assemble(key, of: edition, for: waiter, exchange, on: loop)
        : assemble(key, of: edition, for: waiter.client, exchange, PollWants(waiter), on: loop)
    }
    guard let served = sent(variant, of: edition, at: loop.now) else {
      return refuse(notShown(variant, of: edition, at: loop.now))
    }
    let isSame = variant.version == waiter.version
    // Another edition with the same content, or a flip of something else, is no change.
    if isSame, mayWait { return park(exchange, waiter.holding(served), on: loop) }
    var signatures: PageSignatures?
    if let signing = settings.signing, served.isPage, waiter.wantsSignatures {
      signatures = served.signatures(serial: signing.serial, at: loop.now)
      if signatures == nil { return sign(served, PollWants(waiter), signing, exchange, on: loop) }
    }
    if isSame { return .ready(served.notModified, with: signatures?.notModified) }
    return answer(exchange, PollWants(waiter), served, with: signatures, on: loop)
  }

  /// Has the variant made that tells whether something has changed for a client that can wait on; then it is resumed.
  private func assemble(
    _ key: VariantKey, of edition: Edition, for waiter: Waiting, _ exchange: ExchangeID, on loop: EventLoop
  ) -> Answer {
    waiting[exchange] = waiter
    waiting[exchange]?.attempts += 1
    let ticket = loop.ticket(for: exchange)
    if assembler.assemble(key, of: edition, client: waiter.client, then: { _ in ticket.resume() }) { return .later }
    waiting[exchange] = nil
    return refuse(.overloaded)
  }
}

extension PollWants {
  /// What a client wants that has waited.
  fileprivate init(_ waiter: Waiting) {
    self.init(
      codings: waiter.codings, ifNoneMatch: waiter.tag.octets.span.array,
      heldVersions: waiter.takesChanges ? [waiter.version] : [], wantsSignatures: waiter.wantsSignatures)
  }
}
