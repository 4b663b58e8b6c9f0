import HTTPServer
import JSON
import Logging
import Threads
import Serving

/// Takes admin requests off their loop: each runs as a task and comes back by its ticket.
final class AdminHandler: RequestHandler, Sendable {
  private let router: AdminRouter
  private let operations: Operations
  private let console: ConsoleHandler
  private let assets: AssetHandler
  private let hosts: AdminHosts
  private let times: AdminTimes
  private let logger: Logger

  init(
    router: AdminRouter, operations: Operations, console: ConsoleHandler, assets: AssetHandler, hosts: AdminHosts,
    times: AdminTimes, logger: Logger
  ) {
    self.router = router
    self.operations = operations
    self.console = console
    self.assets = assets
    self.hosts = hosts
    self.times = times
    self.logger = logger
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let id = RequestID.random()
    if let problem = misdirection(of: request) { return .response(problem.response(requestID: id)) }
    if request.isServerWide { return .response(Response(204, fields: [ResponseField("Allow", "GET, HEAD, OPTIONS")])) }
    guard let copy = AdminRequest(request, id: id) else {
      return .response(Problem.undecodable.response(requestID: id))
    }
    let ticket = loop.ticket(for: request.exchange)
    Task {
      giveWayToLoops()
      let started = ContinuousClock.now
      var response = await answer(copy)
      if copy.isOfAPI { response.name(id) }
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
    if request.isOfAPI { return await router.answer(request).meeting(request).coded(for: request) }
    if let response = console.answer(request) { return response.meeting(request) }
    if let response = await assets.answer(request) { return response.meeting(request) }
    return await operations.answer(request).meeting(request).coded(for: request)
  }

  /// Only HTTP/1.0 has requests without a host, and no browser sends one.
  func misdirection(of request: borrowing Request) -> Problem? {
    let authority = request.authority.string
    return authority.isEmpty || hosts.contains(authority) ? nil : .misdirected(authority)
  }

  func refusal(ofBodyOf request: borrowing Request, on loop: EventLoop) -> Response? {
    let id = RequestID.random()
    if let problem = misdirection(of: request) { return problem.response(requestID: id) }
    guard let copy = AdminRequest(request, id: id) else { return Problem.undecodable.response(requestID: id) }
    if copy.segments.starts(with: ["admin", "v1"]) { return router.problem(with: copy)?.response(requestID: id) }
    let response = console.answer(copy) ?? operations.answerUnlessRead(copy)
    return response.flatMap { $0.status.code >= 400 ? $0 : nil }
  }

  func refusal(_ failure: RequestFailure, on loop: EventLoop) -> Response {
    Problem(failure).response(requestID: RequestID.random())
  }
}

extension AdminRequest {
  /// Whether its path is one of the API's, and not the console's or another.
  fileprivate var isOfAPI: Bool { segments.starts(with: ["admin", "v1"]) }
}
