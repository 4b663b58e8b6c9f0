import HTTPServer
import JSON
import Layout
import Logging
import Publication
import Storage
import Synchronization

/// The admin endpoints: authenticates, routes, and turns failures into problems.
final class AdminAPI: Sendable {
  let store: Store
  let publisher: Publisher
  let kinds: Kinds
  let context: DefinitionContext
  let settings: AdminSettings
  let clock: @Sendable () -> Instant
  let lintCache = LintCache()
  /// Whether the server drains: nobody may wait any longer.
  let isEndingWaits = Atomic(false)
  private let authenticator: Authenticator
  private let idempotency: Idempotency
  let logger: Logger

  init(
    store: Store, publisher: Publisher, kinds: Kinds, context: DefinitionContext, settings: AdminSettings,
    logger: Logger, clock: @escaping @Sendable () -> Instant
  ) {
    self.store = store
    self.publisher = publisher
    self.kinds = kinds
    self.context = context
    self.settings = settings
    self.logger = logger
    self.clock = clock
    idempotency = Idempotency(store: store)
    authenticator = Authenticator(store: store, triesMax: settings.failedTriesMax, clock: clock)
  }

  /// Answers those who wait for a change, since the server is about to end.
  func endWaits() { isEndingWaits.store(true, ordering: .relaxed) }

  /// Every route below `/admin/v1`.
  var routes: [Route] {
    pageRoutes + sectionRoutes + contentRoutes + orderRoutes + publishingRoutes + scheduledRoutes + historyRoutes
      + audienceRoutes + tokenRoutes + documentRoutes
  }

  /// Answers a request whose path begins with `/admin/v1`.
  func answer(_ request: AdminRequest) async -> Response {
    do { return try await route(request).tagged(for: request) } catch {
      if let problem = Problem(error) { return problem.response(requestID: request.id) }
      logger.error("admin request failed", metadata: ["request": "\(request.id)", "error": "\(error)"])
      return Problem(500, "internal", "The server failed; its log says why, under this request's id.")
        .response(requestID: request.id)
    }
  }

  private func route(_ request: AdminRequest) async throws -> Response {
    let segments = request.segments.dropFirst(2)
    if let response = try OpenAPIDocument.answer(request, segments) { return response }
    let (found, parameters, allowed) = try find(request, segments)
    guard let route = found else { return Response(204, fields: [ResponseField("Allow", allowed)]) }
    let token = try await authenticator.token(of: request)
    let context = AdminContext(request: request, token: token, parameters: parameters)
    try await authorise(context, for: route)
    try request.requireParameters(in: route.query.union(route.takesClient ? Set(self.context.attributes.keys) : []))
    guard route.isIdempotent else { return try await route.answer(context) }
    return try await idempotency.answer(context) { try await route.answer($0) }
  }

  /// The route of a request, `nil` for OPTIONS; its path's parameters, and the methods that the path takes.
  ///
  /// - Throws: ``Problem`` 404, 405, or what is wrong with a parameter: before anyone looks at who asks, since nothing
  ///   is told but what the path itself says.
  private func find(
    _ request: AdminRequest, _ segments: ArraySlice<String>
  ) throws -> (route: Route?, parameters: [String: String], allowed: String) {
    let matches = routes.filter { $0.matches(segments) }
    guard let first = matches.first else { throw Problem.notFound }
    let methods = matches.map(\.method)
    let allowed = Set(methods + (methods.contains("GET") ? ["HEAD"] : []) + ["OPTIONS"]).sorted().joined(
      separator: ", ")
    let method = request.method == "HEAD" ? "GET" : request.method
    let route = matches.first { $0.method == method }
    guard route != nil || method == "OPTIONS" else { throw Problem.methodNotAllowed(allowed) }
    return (route, try first.parameters(of: segments), allowed)
  }

  /// What is wrong with a request's path or method, `nil` when nothing is.
  func problem(with request: AdminRequest) -> Problem? {
    let segments = request.segments.dropFirst(2)
    do {
      if let response = try OpenAPIDocument.answer(request, segments) {
        return response.status.code == 405 ? Problem.methodNotAllowed(AdminRequest.readMethods) : nil
      }
      _ = try find(request, segments)
      return nil
    } catch { return Problem(error) }
  }

  /// The token's role must hold the route's, and its scopes the route's page or section.
  private func authorise(_ context: AdminContext, for route: Route) async throws {
    let token = context.token
    var refusal: String?
    if token.role < route.role {
      refusal = "This needs the role \(route.role.rawValue); the token has \(token.role.rawValue)."
    } else if let page = context.parameters["page"] {
      let isCovered =
        route.role <= .source
        ? (context.parameters["section"].map { token.covers(page: page, section: $0) } ?? token.touches(page: page))
        : token.covers(page: page)
      if !isCovered { refusal = "The token is for \(token.scopes.joined(separator: ", "))." }
    } else if !token.scopes.isEmpty, route.role > .viewer {
      refusal = "The token is for \(token.scopes.joined(separator: ", "))."
    }
    guard let refusal else { return }
    let path = "\(context.request.method) /\(context.request.segments.joined(separator: "/"))"
    try? await store.record(
      "authorisation.refused", by: context.actor, page: context.parameters["page"], detail: path)
    throw Problem(403, "forbidden", refusal)
  }

  /// Throws what is wrong with a section's content for its kind.
  func check(_ section: SectionDefinition) throws {
    let problems = kinds.problems(in: section.settings) + kinds.problems(in: section.content, of: section.settings)
    // A kind that is not there is told once.
    guard problems.isEmpty else {
      throw Problem.invalid(kinds.sections[section.settings.kind] == nil ? [problems[0]] : problems)
    }
  }
}

/// What is set for the admin side.
public struct AdminSettings: Sendable {
  /// The hosts that the listener answers for beside its own address and loopback ones: names and addresses, no ports.
  public var hosts: [String] = []
  /// The failed tries an address may make a minute.
  public var failedTriesMax = 10
  /// The longest that a console may wait for a change of a draft, in seconds.
  public var waitSecondsMax = 60
  /// The folder that backups are written to; none can be made without one.
  public var backupFolder: String?

  /// The default settings.
  public init() {}

  /// Whether a text can be one of ``hosts``: a name or a numeric address, without a port.
  public static func isHost(_ text: String) -> Bool { AdminHosts.isValid(text) }
}
