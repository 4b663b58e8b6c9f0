import HTTPServer
import Serving

/// The admin listener with the demo: what its page polls is answered below `/v1/` as on the public listener, so that the
/// browser asks one origin; all else is the admin side's.
final class DemoHandler: PollAnswering {
  private let admin: AdminHandler
  let polls: PollHandler

  init(admin: AdminHandler, polls: PollHandler) {
    self.admin = admin
    self.polls = polls
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    isPoll(request) ? polls.handle(request, on: loop) : admin.handle(request, on: loop)
  }

  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    // Nothing of the admin side is parked.
    polls.resume(exchange, reason, on: loop)
  }

  func forget(_ exchange: ExchangeID, on loop: EventLoop) { polls.forget(exchange, on: loop) }

  func refusal(ofBodyOf request: borrowing Request, on loop: EventLoop) -> Response? {
    isPoll(request) ? polls.refusal(ofBodyOf: request, on: loop) : admin.refusal(ofBodyOf: request, on: loop)
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response { admin.refusal(failure, on: loop) }

  /// A poll that names a host of this listener; others are the admin side's to refuse.
  private func isPoll(_ request: borrowing Request) -> Bool {
    // What needs no key are probes, which both listeners have.
    PollPath(request.path)?.needsKey == true && admin.misdirection(of: request) == nil
  }
}
