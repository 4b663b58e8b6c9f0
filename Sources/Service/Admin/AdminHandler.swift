import HTTPServer
import JSON

/// Takes admin requests off their loop: each runs as a task and comes back by its ticket.
final class AdminHandler: RequestHandler {
  private let api: AdminAPI
  private let operations: Operations

  init(api: AdminAPI, operations: Operations) {
    self.api = api
    self.operations = operations
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let id = RequestID.random()
    if request.isServerWide { return .response(Response(204, fields: [ResponseField("Allow", "GET, HEAD, OPTIONS")])) }
    guard let copy = AdminRequest(request, id: id) else {
      return .response(
        Problem(400, "malformed-target", "The path or query cannot be decoded.").response(requestID: id))
    }
    let ticket = loop.ticket(for: request.exchange)
    Task { [api, operations] in
      if copy.segments.starts(with: ["admin", "v1"]) {
        ticket.complete(await api.answer(copy))
      } else {
        ticket.complete(await operations.answer(copy))
      }
    }
    return .later
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response(requestID: RequestID.random())
  }
}
