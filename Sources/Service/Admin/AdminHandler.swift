import HTTPServer
import JSON
import Logging

/// Takes admin requests off their loop: each runs as a task and comes back by its ticket.
final class AdminHandler: RequestHandler, Sendable {
  private let api: AdminAPI
  private let operations: Operations
  private let console: ConsoleHandler
  private let times: AdminTimes
  private let logger: Logger

  init(api: AdminAPI, operations: Operations, console: ConsoleHandler, times: AdminTimes, logger: Logger) {
    self.api = api
    self.operations = operations
    self.console = console
    self.times = times
    self.logger = logger
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let id = RequestID.random()
    if request.isServerWide { return .response(Response(204, fields: [ResponseField("Allow", "GET, HEAD, OPTIONS")])) }
    guard let copy = AdminRequest(request, id: id) else {
      return .response(Problem.undecodable.response(requestID: id))
    }
    let ticket = loop.ticket(for: request.exchange)
    Task {
      let started = ContinuousClock.now
      let response = await answer(copy).meeting(copy)
      ticket.complete(response)
      let time = ContinuousClock.now - started
      if copy.isOfAPI { times.note(copy, time) }
      logger.info(
        "answered",
        metadata: [
          "method": "\(copy.method)", "path": "/\(copy.segments.joined(separator: "/"))",
          "status": "\(response.status.code)", "request": "\(id)", "address": "\(copy.address)",
          "milliseconds": "\(time / .milliseconds(1))",
        ])
    }
    return .later
  }

  private func answer(_ request: AdminRequest) async -> Response {
    if request.isOfAPI { return await api.answer(request) }
    if let response = console.answer(request) { return response }
    return await operations.answer(request)
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response(requestID: RequestID.random())
  }
}

extension AdminRequest {
  /// Whether its path is one of the API's, and not the console's or another.
  fileprivate var isOfAPI: Bool { segments.starts(with: ["admin", "v1"]) }
}
