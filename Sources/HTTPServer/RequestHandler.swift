/// What answers the requests of one loop. Each loop makes its own, uses it on its own thread only, and calls it for one
/// request at a time: a handler needs no lock, and holds its loop up for as long as a call takes.
public protocol RequestHandler: AnyObject {
  /// Answers a request. Nothing of `request` may be kept beyond the call.
  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer

  /// Answers a request that was parked, because it was woken, or because its time is over.
  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer

  /// A parked or postponed exchange whose client went away; it cannot be answered any more.
  func forget(_ exchange: ExchangeID, on loop: EventLoop)

  /// What to say to a client whose request the engine refuses.
  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response

  /// The refusal of a request before its body is read: unknown path or method. `nil` if there is none; then
  /// ``refusal(_:on:)`` answers, or the body is requested.
  func refusal(ofBodyOf request: borrowing Request, on loop: EventLoop) -> Response?
}

extension RequestHandler {
  /// A handler that parks nothing is never resumed.
  public func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    .response(Response(503))
  }

  /// A handler that postpones nothing has nothing to forget.
  public func forget(_ exchange: ExchangeID, on loop: EventLoop) {}

  /// A handler that takes every path and method finds nothing else wrong.
  public func refusal(ofBodyOf request: borrowing Request, on loop: EventLoop) -> Response? { nil }

  /// One sentence of plain text.
  public func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Response(failure.status, text: failure.detail + "\n")
  }
}

/// A handler's answer to one request.
public enum Answer {
  /// A response made before, with fields that it is sent with now.
  case ready(ReadyResponse, with: ReadyFields? = nil)
  /// A response made for this request.
  case response(Response)
  /// The response comes by ``EventLoop/ticket(for:)``, from any thread.
  case later
  /// The client waits until ``EventLoop/wake(_:)``, at most until an instant in nanoseconds since 1970; then the handler
  /// is asked again.
  case parked(until: Int64)
}

/// Why a parked request is resumed.
public enum ResumeReason: Sendable {
  /// ``EventLoop/wake(_:)`` named it.
  case woken
  /// Its time is over, or its client will wait no longer, or the server is about to end.
  case timeOver
}

/// What names one exchange on its loop; never used again for another.
public struct ExchangeID: Sendable, Hashable {
  let slot: UInt32
  let serial: UInt64
}

/// What completes an exchange that was answered ``Answer/later``, or has it asked for again: from any thread, once.
public struct Ticket: Sendable {
  let exchange: ExchangeID
  let mailbox: Mailbox

  /// Sends `response`, unless the client has gone in the meantime.
  public func complete(_ response: Response) {
    let exchange = exchange
    mailbox.post { $0.complete(exchange, .response(response)) }
  }

  /// Sends a ready response, unless the client has gone in the meantime.
  public func complete(_ response: ReadyResponse, with fields: ReadyFields? = nil) {
    let exchange = exchange
    mailbox.post { $0.complete(exchange, .ready(response, with: fields)) }
  }

  /// Has the handler asked again, as for an exchange that is woken.
  public func resume() {
    let exchange = exchange
    mailbox.post { $0.resumePostponed(exchange) }
  }
}
