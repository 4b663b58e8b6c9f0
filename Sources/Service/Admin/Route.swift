import HTTPServer
import JSON
import Layout
import Storage
import Serving

/// What an authenticated request may use.
struct AdminContext: Sendable {
  var request: AdminRequest
  var token: Token
  var route: Route
  /// The path's variable segments by name.
  var parameters: [String: String]
  /// What the answer is kept by, when the request is a change with an `Idempotency-Key`.
  var key: AnswerKey?

  var actor: Actor {
    Actor(name: token.name, token: token.selector, address: request.address, request: request.id)
  }
  var page: String { parameters["page"] ?? "" }
  var section: String { parameters["section"] ?? "" }

  /// The request's conditions on the resource that it changes, held to what the route needs.
  ///
  /// - Throws: ``Problem`` 428 if one is required and missing, 400 if it is malformed.
  func precondition() throws -> WritePrecondition {
    assert(route.condition != nil, "a route that takes conditions says when it needs one")
    return try request.precondition(needed: route.condition ?? .never)
  }

  /// The request's body; an empty object where the route needs none and there is none.
  ///
  /// - Throws: ``Problem`` 415 for another media type, 400 for what is not strict JSON.
  func json() throws -> JSON {
    if route.body?.isRequired == false, request.body.isEmpty { return .object(JSONObject()) }
    try requireMediaType()
    return try request.json()
  }

  /// - Throws: ``Problem`` 415 where the body is of another media type than the route takes.
  func requireMediaType() throws {
    assert(route.body != nil, "a route that reads a body says what it is")
    try request.requireMediaType(in: route.body?.mediaTypes ?? [])
  }

  /// The page that the query names, if any.
  ///
  /// - Throws: ``Problem``, where it is no page's id, and 403 where a token that is for some pages alone names none of them.
  func queriedPage() throws -> String? {
    let page = request.query["page"]
    if let page, !Slug.isValid(page) { throw Problem.parameter("page", "a page's id") }
    guard token.scopes.isEmpty || page.map({ token.touches(page: $0) }) == true else {
      throw Problem.outsideScopes(of: token, hint: "name one of these pages as 'page'")
    }
    return page
  }
}

/// The body that a route takes.
struct RequestBody: Sendable {
  /// Its schema in the API's document; `nil` where it is no JSON.
  var schema: String?
  var mediaTypes = ["application/json"]
  /// Whether there must be one. Else a request without one says what one with `{}` says.
  var isRequired = true

  static func json(_ schema: String) -> RequestBody { RequestBody(schema: schema) }
  static func optional(_ schema: String) -> RequestBody { RequestBody(schema: schema, isRequired: false) }
}

/// One method of one path. What the API's document says of it follows from here and from the text beside the route
/// (docs/decisions/0149).
struct Route: Sendable {
  var method: String
  var pattern: [String]
  var role: Role
  /// When it refuses a change without `If-Match` and `If-None-Match`; `nil` if it takes neither for a change.
  var condition: AdminRequest.Need?
  /// The body that it takes; `nil` if it reads none.
  var body: RequestBody?
  /// The query parameters that it takes.
  var query: [String]
  /// Whether it takes the declared client attributes as query parameters too.
  var takesClient: Bool
  /// What is kept of its answer for an `Idempotency-Key`.
  var keeps: KeptPart
  /// Whether a token that is for some pages alone may use it, though it names none.
  var isForAnyScope: Bool
  /// Whether it changes something, and so takes an `Idempotency-Key`.
  var isChange: Bool
  /// Finds mistakes in a body, independent of the path. They are reported together with an invalid name in the path, so
  /// neither mistake hides the other.
  var mistakes: (@Sendable (JSON) -> [DocumentProblem])?
  var answer: @Sendable (AdminContext) async throws -> Response

  init(
    _ method: String, _ path: String, _ role: Role, condition: AdminRequest.Need? = nil,
    body: RequestBody? = nil, query: [String] = [], takesClient: Bool = false, keeps: KeptPart = .all,
    isForAnyScope: Bool = false, isChange: Bool? = nil,
    mistakes: (@Sendable (JSON) -> [DocumentProblem])? = nil,
    _ answer: @Sendable @escaping (AdminContext) async throws -> Response
  ) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.role = role
    self.condition = condition
    self.body = body
    self.query = query
    self.takesClient = takesClient
    self.keeps = keeps
    self.isForAnyScope = isForAnyScope
    self.isChange = isChange ?? (method != "GET")
    self.mistakes = mistakes
    self.answer = answer
  }

  /// Whether a path matches this one, with any values of its variable segments.
  func matches(_ segments: ArraySlice<String>) -> Bool {
    segments.count == pattern.count && zip(segments, pattern).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
  }

  /// The variable segments of a path that matches, each held to its grammar.
  func parameters(of segments: ArraySlice<String>) throws -> [String: String] {
    var parameters: [String: String] = [:]
    for (segment, part) in zip(segments, pattern) where part.hasPrefix("{") {
      let name = String(part.dropFirst().dropLast())
      guard let parameter = PathParameter(rawValue: name) else { throw Problem.notFound }
      try parameter.check(segment)
      parameters[name] = segment
    }
    return parameters
  }
}

extension Response {
  /// A JSON value, with its entity tag when it has one.
  static func value(_ json: JSON, _ status: Status = 200, tag: String? = nil) -> Response {
    var response = Response.json(json.canonicalBytes, status)
    if let tag { response.fields.append(ResponseField("ETag", tag)) }
    return response
  }

  /// Nothing, with the new entity tag when there is one.
  static func done(tag: String? = nil) -> Response {
    Response(204, fields: tag.map { [ResponseField("ETag", $0)] } ?? [])
  }
}
