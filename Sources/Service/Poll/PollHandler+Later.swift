import HTTPServer
import Layout
import Publication

/// Answers that are not ready yet: made off the loop, and sent by a ticket.
extension PollHandler {
  /// The answer for a client whose conditions hold: changes when it takes them, else the whole document.
  func answer(
    _ exchange: ExchangeID, _ wants: PollWants, _ served: ServedVariant, on loop: EventLoop
  ) -> Answer {
    guard let coding = wants.coding else { return refuse(.notAcceptable) }
    for version in wants.heldVersions {
      guard let variant = served.variant else { break }
      guard let edition = lineup.edition(of: served.page) else { break }
      switch assembler.publisher.changes(from: version, to: variant, of: edition) {
      case .ready(let changes): return .ready(served.changed(changes, from: version, coding))
      case .wholePage: continue
      case .unmade:
        let ticket = loop.ticket(for: exchange)
        let hasRoom = assembler.makeChanges(from: version, to: variant, of: edition) { answer in
          guard case .ready(let changes) = answer else { return ticket.complete(served.whole(coding)) }
          ticket.complete(served.changed(changes, from: version, coding))
        }
        return hasRoom ? .later : .ready(served.whole(coding))
      }
    }
    return .ready(served.whole(coding))
  }

  /// A variant that nobody has asked for yet is assembled off the loop.
  func assemble(
    _ key: VariantKey, of edition: Edition, for client: ClientAttributes, _ exchange: ExchangeID, _ wants: PollWants,
    on loop: EventLoop
  ) -> Answer {
    let ticket = loop.ticket(for: exchange)
    let now = loop.now
    let hasRoom = assembler.assemble(key, of: edition, client: client) { [settings, lineup] variant in
      func refuse(_ problem: Problem) { ticket.complete(problem.response(requestID: RequestID.random())) }
      guard let coding = wants.coding else { return refuse(.notAcceptable) }
      guard let served = ServedVariant.of(variant, edition, in: lineup, settings, now: now) else {
        let freshness = settings.freshness(of: variant, edition, nextPublish: lineup.nextPublish(of: edition.page))
        return refuse(.notShown(key.resource, edition, freshness, at: now))
      }
      switch wants.precondition(served.tag) {
      case .failed: refuse(.preconditionFailed(tag: String(decoding: served.tag, as: UTF8.self)))
      case .notModified: ticket.complete(served.notModified)
      case .proceed: ticket.complete(served.whole(coding))
      }
    }
    return hasRoom ? .later : self.refuse(.overloaded)
  }
}
