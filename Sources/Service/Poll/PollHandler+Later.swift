import HTTPServer
import Layout
import Publication

/// Answers that are not ready yet: made off the loop, and sent by a ticket.
extension PollHandler {
  /// The answer for a client whose conditions hold: changes when it takes them, else the whole document.
  func answer(
    _ exchange: ExchangeID, _ wants: PollWants, _ served: ServedVariant, with signatures: PageSignatures?,
    on loop: EventLoop
  ) -> Answer {
    let publisher = assembler.publisher
    for version in wants.heldVersions {
      guard let variant = served.variant, let edition = lineup.edition(of: served.page) else { break }
      switch publisher.changes(from: version, to: variant, of: edition) {
      case .ready(let body):
        return send(served.changed(body, from: version), wants.codings, exchange, with: signatures, on: loop)
      case .wholePage: continue
      case .unmade:
        let ticket = loop.ticket(for: exchange)
        let hasRoom = assembler.makeChanges(from: version, to: variant, of: edition) { answer in
          let response =
            if case .ready(let body) = answer { served.changed(body, from: version) } else { served.whole }
          ticket.complete(response, wants.codings, with: signatures, publisher.brotli)
        }
        return hasRoom ? .later : send(served.whole, wants.codings, exchange, with: signatures, on: loop)
      }
    }
    return send(served.whole, wants.codings, exchange, with: signatures, on: loop)
  }

  /// Has a page signed whose signatures are not there, or do not count: the clock was set, or it was made a moment ago.
  func sign(
    _ served: ServedVariant, _ wants: PollWants, _ signing: PageSigning, _ exchange: ExchangeID, on loop: EventLoop
  ) -> Answer {
    let ticket = loop.ticket(for: exchange)
    let queue = assembler.publisher.brotli
    let hasRoom = assembler.sign(served, by: signing) { ticket.complete(served, wants, queue) }
    return hasRoom ? .later : refuse(.overloaded)
  }

  /// A variant that nobody has asked for yet is assembled off the loop.
  func assemble(
    _ key: VariantKey, of edition: Edition, for client: ClientAttributes, _ exchange: ExchangeID, _ wants: PollWants,
    on loop: EventLoop
  ) -> Answer {
    let ticket = loop.ticket(for: exchange)
    let now = loop.now
    let queue = assembler.publisher.brotli
    if case .items(let cursor) = key.resource {
      let hasRoom = assembler.makePart(cursor, of: edition) { [settings, lineup] answer in
        switch answer {
        case .gone: ticket.complete(.listGone)
        case .forged: ticket.complete(.malformedCursor)
        case .unavailable: ticket.complete(.listUnavailable)
        case .ready(let variant):
          let due = lineup.nextPublish(of: edition.page)
          guard let served = ServedVariant.of(variant, edition, nextPublish: due, settings, now: now) else { return }
          ticket.complete(served, wants, queue)
        }
      }
      return hasRoom ? .later : self.refuse(.overloaded)
    }
    let hasRoom = assembler.assemble(key, of: edition, client: client) { [settings, lineup] variant in
      guard
        let served = ServedVariant.of(
          variant, edition, nextPublish: lineup.nextPublish(of: edition.page), settings, now: now)
      else {
        let freshness = settings.freshness(of: variant, edition, nextPublish: lineup.nextPublish(of: edition.page))
        return ticket.complete(.notShown(key.resource, edition, freshness, settings, at: now))
      }
      if let signing = settings.signing { served.sign(by: signing) }
      ticket.complete(served, wants, queue)
    }
    return hasRoom ? .later : self.refuse(.overloaded)
  }
}

extension Ticket {
  /// Sends what was made for a client, as far as its conditions hold.
  fileprivate func complete(_ served: ServedVariant, _ wants: PollWants, _ queue: BrotliQueue) {
    let signatures = wants.wantsSignatures ? served.signatures : nil
    switch wants.precondition(served.tag) {
    case .failed: complete(.preconditionFailed(tag: served.tag.text))
    case .notModified: complete(served.notModified, with: signatures?.notModified)
    case .proceed: complete(served.whole, wants.codings, with: signatures, queue)
    }
  }
}
