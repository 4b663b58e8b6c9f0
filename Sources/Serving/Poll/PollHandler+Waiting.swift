package import HTTPServer
import Layout

/// Polls that continue later on their loop. Their answer is decided here, independent of what they waited for.
extension PollHandler {
  /// How often another thread makes something for a poll: each time another publish may have come before it was there.
  private static let attemptsMax = 8

  package func forget(_ exchange: ExchangeID, on loop: EventLoop) { waiting[exchange] = nil }

  package func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    if lineup.isOver { takeNewest(on: loop) }
    guard let poll = waiting.removeValue(forKey: exchange) else { return .response(Response(503)) }
    guard let edition = lineup.edition(of: poll.page) else { return .refusal(missing(poll.page)) }
    guard edition.plan.has(poll.resource) else { return .refusal(.unknown(poll.resource, edition, at: loop.now)) }
    // The loop asks when the client's time is over, at a flip, and when the client or the server is about to end.
    return answer(exchange, poll, of: edition, mayWait: reason == .woken || poll.end <= loop.elapsed, on: loop)
  }

  /// Answers with the variant that holds now, or has it made.
  func answer(
    _ exchange: ExchangeID, _ poll: OpenPoll, of edition: Edition, mayWait: Bool = true, on loop: EventLoop
  ) -> Answer {
    let key = edition.key(of: poll.resource, for: poll.client)
    let instant = Instant(nanoseconds: loop.now)
    let made = poll.made?.value
    if let problem = made?.problem { return .refusal(problem) }
    // What was made for this poll is sent though the loop's clock may be behind the one that it was made by, unless it is over.
    let own = made.flatMap { $0.serial == edition.serial ? $0.variant : nil }.flatMap { variant in
      variant.until.map { instant < $0 } ?? true ? variant : nil
    }
    guard let variant = edition.variant(for: key, at: instant) ?? own else {
      return assemble(exchange, poll, key, of: edition, on: loop)
    }
    guard let served = sent(variant, of: edition, at: loop.now) else {
      return .refusal(notShown(variant, of: edition, at: loop.now))
    }
    return answer(exchange, poll, served, mayWait: mayWait, on: loop)
  }

  /// The one place that decides by a poll's conditions whether it waits, is signed, and gets changes.
  ///
  /// - Parameter mayWait: Whether nothing but a change is what it waits for: neither it nor the server is about to end.
  func answer(
    _ exchange: ExchangeID, _ poll: OpenPoll, _ served: ServedVariant, mayWait: Bool = true, on loop: EventLoop
  ) -> Answer {
    let condition = poll.wants.precondition(served.tag)
    if condition == .failed { return .refusal(.preconditionFailed(tag: served.tag.text)) }
    // Another edition with the same content, or a flip of something else, is no change.
    if condition == .notModified, mayWait, loop.elapsed < poll.deadline {
      return park(exchange, poll.waiting(with: served), on: loop)
    }
    var signatures: PageSignatures?
    if poll.wants.wantsSignatures, let signing = settings.signing, served.isPage {
      signatures = served.signatures(serial: signing.serial, at: loop.now)
      if signatures == nil {
        // What was signed for this poll is sent, though the loop's clock may be another than the signer's.
        let isSigned = poll.made?.value?.variant.map { $0 === served.variant } ?? false
        guard isSigned || poll.attempts >= Self.attemptsMax else {
          return sign(exchange, poll, served, signing, on: loop)
        }
        signatures = served.signatures
      }
    }
    if condition == .notModified { return .ready(served.notModified, with: signatures?.notModified) }
    return answer(exchange, poll, served, with: signatures, on: loop)
  }

  /// The answer to a client whose conditions hold: changes when it takes them, else the whole document.
  private func answer(
    _ exchange: ExchangeID, _ poll: OpenPoll, _ served: ServedVariant, with signatures: PageSignatures?,
    on loop: EventLoop
  ) -> Answer {
    let codings = poll.wants.codings
    let made = poll.made?.value
    for version in poll.wants.heldVersions {
      guard let variant = served.variant, let edition = lineup.edition(of: served.page) else { break }
      let own = made?.variant === variant && made?.changes?.version == version ? made?.changes?.answer : nil
      switch own ?? assembler.publisher.changes(from: version, to: variant, of: edition) {
      case .ready(let body):
        return send(served.changed(body, from: version), codings, exchange, with: signatures, on: loop)
      case .wholePage where own == nil: continue
      case .wholePage: break
      case .unmade where poll.attempts < Self.attemptsMax:
        let goOn = postpone(exchange, poll, on: loop)
        let hasRoom = assembler.makeChanges(from: version, to: variant, of: edition) { answer in
          goOn(.init(variant: variant, serial: edition.serial, changes: (version, answer)))
        }
        if hasRoom { return .later }
        waiting[exchange] = nil
      case .unmade: break
      }
      break
    }
    return send(served.whole, codings, exchange, with: signatures, on: loop)
  }

  private func park(_ exchange: ExchangeID, _ poll: OpenPoll, on loop: EventLoop) -> Answer {
    var poll = poll
    // A flip is a change as well: the client is asked for again when its variant may hold no more.
    let flip = max(poll.until - max(loop.now, 0), 0).addingReportingOverflow(loop.elapsed)
    poll.end = flip.overflow ? poll.deadline : min(poll.deadline, flip.partialValue)
    waiting[exchange] = poll
    return .parked(until: loop.now + poll.end - loop.elapsed)
  }
}

/// What is made off the loop for a poll, which then goes on.
extension PollHandler {
  /// - Returns: What is called with what was made, once that is there.
  private func postpone(
    _ exchange: ExchangeID, _ poll: OpenPoll, on loop: EventLoop
  ) -> @Sendable (MadeForPoll.Value) -> Void {
    let (ticket, made) = (loop.ticket(for: exchange), MadeForPoll())
    waiting[exchange] = poll.after(made)
    return { value in
      made.leave(value)
      ticket.resume()
    }
  }

  private func refuse(_ exchange: ExchangeID, _ problem: Problem) -> Answer {
    waiting[exchange] = nil
    return .refusal(problem)
  }

  /// Has a page signed whose signatures are not there, or do not count: the clock was set, or it was made a moment ago.
  private func sign(
    _ exchange: ExchangeID, _ poll: OpenPoll, _ served: ServedVariant, _ signing: PageSigning, on loop: EventLoop
  ) -> Answer {
    let goOn = postpone(exchange, poll, on: loop)
    let (variant, serial) = (served.variant, lineup.edition(of: served.page)?.serial ?? 0)
    let hasRoom = assembler.sign(served, by: signing) { goOn(.init(variant: variant, serial: serial)) }
    return hasRoom ? .later : refuse(exchange, .overloaded)
  }

  /// Has a variant made that nobody has asked for yet, or a part of a list.
  private func assemble(
    _ exchange: ExchangeID, _ poll: OpenPoll, _ key: VariantKey, of edition: Edition, on loop: EventLoop
  ) -> Answer {
    guard poll.attempts < Self.attemptsMax else { return .refusal(.overloaded) }
    let goOn = postpone(exchange, poll, on: loop)
    let now = loop.now
    let hasRoom: Bool
    if case .items(let cursor) = key.resource {
      hasRoom = assembler.makePart(cursor, of: edition) { part in
        switch part {
        case .success(let variant): goOn(.init(variant: variant, serial: edition.serial))
        case .failure(let problem): goOn(.init(serial: edition.serial, problem: problem))
        }
      }
    } else {
      hasRoom = assembler.assemble(key, of: edition, client: poll.client) { [settings, lineup] variant in
        let due = lineup.nextPublish(of: edition.page)
        let served = ServedVariant.of(variant, edition, nextPublish: due, settings, now: now)
        if let signing = settings.signing { served?.sign(by: signing) }
        goOn(.init(variant: variant, serial: edition.serial))
      }
    }
    return hasRoom ? .later : refuse(exchange, .overloaded)
  }
}
