import HTTPServer
import JSON
import Layout
import Logging
import Storage
import Serving
import Tracing

/// The door of the admin API: finds the route, who asks and whether they may, and turns failures into problems.
final class AdminRouter: Sendable {
  private let api: AdminAPI
  private let table: RouteTable
  private let authenticator: Authenticator
  private let idempotency: Idempotency
  private let isTraced: Bool

  /// - Parameter isTraced: Whether each request is a span, if it is in a trace that is recorded.
  init(api: AdminAPI, isTraced: Bool) {
    self.api = api
    self.isTraced = isTraced
    table = RouteTable(api.routes)
    authenticator = Authenticator(store: api.store, tokens: api.tokens, triesMax: api.settings.failedTriesMax)
    idempotency = Idempotency(api: api)
  }

  /// Answers a request whose path begins with `/admin/v1`.
  func answer(_ request: AdminRequest) async -> Response {
    guard isTraced else { return await answer(request, nil) }
    return await request.traced { [self] span in await answer(request, span) }
  }

  private func answer(_ request: AdminRequest, _ span: (any Span)?) async -> Response {
    do { return try await route(request, span).tagged(for: request) } catch {
      if let problem = Problem(error) { return problem.response(requestID: request.id) }
      api.logger.error("admin request failed", metadata: ["request": "\(request.id)", "error": "\(error)"])
      return Problem(500, "internal", "The server failed. Its log says why, under this request's id.")
        .response(requestID: request.id)
    }
  }

  private func route(_ request: AdminRequest, _ span: (any Span)?) async throws -> Response {
    let segments = request.segments.dropFirst(2)
    if let response = try OpenAPIDocument.answer(request, segments) { return response }
    let (found, parameters, allowed): (Route?, [String: String], String)
    do { (found, parameters, allowed) = try table.find(request.method, segments) } catch let wrong as WrongName {
      throw await problem(of: wrong, in: request)
    }
    guard let route = found else { return Response(204, fields: [ResponseField("Allow", allowed)]) }
    span?.name(route, page: parameters["page"])
    let token = try await authenticator.token(of: request)
    let context = AdminContext(request: request, token: token, route: route, parameters: parameters)
    try await authorise(context, for: route)
    try request.requireParameters(in: Set(route.query + (route.takesClient ? Array(api.context.attributes.keys) : [])))
    guard route.isChange else {
      let response = try await route.answer(context)
      // Whoever waited for a change may have lost the right to see it meanwhile.
      if request.waitSeconds > 0 { _ = try await authenticator.token(of: request) }
      return response
    }
    return try await idempotency.answer(context, of: route)
  }

  /// The problem with a path's name and, if the token may use the route, with the body.
  private func problem(of wrong: WrongName, in request: AdminRequest) async -> Problem {
    var problem = wrong.problem
    let token = try? await authenticator.token(of: request)
    if let token, token.role >= wrong.route.role {
      let context = AdminContext(request: request, token: token, route: wrong.route, parameters: [:])
      problem.errors = (try? wrong.route.mistakes?(context.json())) ?? []
    }
    return problem
  }

  /// The problem with a request's path or method; `nil` if there is none.
  func problem(with request: AdminRequest) -> Problem? {
    let segments = request.segments.dropFirst(2)
    do {
      if let response = try OpenAPIDocument.answer(request, segments) {
        return response.status.code == 405 ? Problem.methodNotAllowed(Problem.readMethods) : nil
      }
      _ = try table.find(request.method, segments)
      return nil
    } catch { return Problem(error) }
  }

  /// The token's role must hold the route's, and its scopes the route's page or section.
  private func authorise(_ context: AdminContext, for route: Route) async throws {
    let token = context.token
    var refusal: Problem?
    if token.role < route.role {
      refusal = Problem(
        403, "forbidden", "This needs the role \(route.role.rawValue); the token has \(token.role.rawValue).",
        values: ["needed": .string(route.role.rawValue), "held": .string(token.role.rawValue)])
    } else if let page = context.parameters["page"] {
      let isCovered =
        route.role <= .source
        ? (context.parameters["section"].map { token.covers(page: page, section: $0) } ?? token.touches(page: page))
        : token.covers(page: page)
      if !isCovered { refusal = .outsideScopes(of: token) }
    } else if !token.scopes.isEmpty, route.role > .viewer, !route.isForAnyScope {
      refusal = .outsideScopes(of: token)
    }
    guard let refusal else { return }
    let path = "\(context.request.method) /\(context.request.segments.joined(separator: "/"))"
    await api.store.recordRefusal(
      "authorisation.refused", by: context.actor, page: context.parameters["page"], detail: path)
    throw refusal
  }
}

extension Problem {
  /// What a token asks for is not among the pages and sections that it is for.
  ///
  /// - Parameter hint: What would be right, where that can be said.
  static func outsideScopes(of token: Token, hint: String? = nil) -> Problem {
    let scopes = "The token is for \(token.scopes.joined(separator: ", "))"
    return Problem(
      403, "forbidden", hint.map { "\(scopes); \($0)." } ?? "\(scopes).",
      values: ["scopes": .array(token.scopes.map { .string($0) })])
  }
}
