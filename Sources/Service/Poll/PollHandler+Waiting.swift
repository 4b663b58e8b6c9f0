import HTTPServer
import Layout
import Publication

/// A client that waits for a change (RFC 7240 §4.3): a few words, however many wait.
struct Waiting {
  let shape: ShapeCache.Entry
  /// What it holds.
  let held: ServedVariant
  /// The nanoseconds since 1970 at which it wants an answer, changed or not.
  let deadline: Int64
  let coding: ContentCoding?
  let takesChanges: Bool

  /// The same client, which holds the same content by another variant.
  func holding(_ held: ServedVariant) -> Waiting {
    Waiting(shape: shape, held: held, deadline: deadline, coding: coding, takesChanges: takesChanges)
  }
}

extension PollHandler {
  /// Parks a client that holds the current version and prefers to wait.
  func wait(_ request: borrowing Request, _ entry: ShapeCache.Entry, on loop: EventLoop) -> Answer {
    let seconds = min(request.wait ?? 0, settings.waitSecondsMax)
    guard seconds > 0 else { return .ready(entry.variant.notModified) }
    let deadline = loop.now + Int64(seconds) * 1_000_000_000
    let waiting = Waiting(
      shape: entry, held: entry.variant, deadline: deadline, coding: request.preferredCoding(),
      takesChanges: request.takesChanges)
    return park(request.exchange, waiting, on: loop)
  }

  private func park(_ exchange: ExchangeID, _ waiter: Waiting, on loop: EventLoop) -> Answer {
    // A flip is a change as well: the client is asked for again when its variant may hold no more.
    waiting[exchange] = waiter
    return .parked(until: min(waiter.deadline, waiter.held.until))
  }

  func forget(_ exchange: ExchangeID, on loop: EventLoop) { waiting[exchange] = nil }

  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    guard let waiter = waiting.removeValue(forKey: exchange) else { return .response(Response(503)) }
    let shape = waiter.shape
    guard let edition = editions[shape.page] else {
      return refuse(.unknownPage(shape.page, known: editions.keys.sorted()))
    }
    let key = VariantKey(resource: shape.resource, outcome: edition.plan.outcome(for: shape.client))
    guard let variant = edition.variant(for: key, at: Instant(nanoseconds: loop.now)) else {
      return assemble(key, of: edition, for: shape.client, exchange, PollWants(waiter), on: loop)
    }
    guard let served = ServedVariant.of(variant, edition, settings) else {
      return refuse(.absent(shape.resource, edition))
    }
    guard served.variant.version == waiter.held.variant.version else {
      return answer(exchange, PollWants(waiter), served, on: loop)
    }
    // Another edition with the same content, or a flip of something else, is no change.
    if loop.now < waiter.deadline, reason == .woken || waiter.held.until <= loop.now {
      return park(exchange, waiter.holding(served), on: loop)
    }
    return .ready(served.notModified)
  }
}

extension PollWants {
  /// What a client wants that has waited.
  fileprivate init(_ waiter: Waiting) {
    self.init(
      coding: waiter.coding, ifNoneMatch: waiter.held.tag,
      heldVersions: waiter.takesChanges ? [waiter.held.variant.version] : [])
  }
}
