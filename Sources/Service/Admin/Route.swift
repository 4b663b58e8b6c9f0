import HTTPServer
import JSON
import Storage

/// What an authenticated request may use.
struct AdminContext: Sendable {
  var request: AdminRequest
  var token: Token
  /// The path's variable segments by name.
  var parameters: [String: String]
  /// The hash of everything that the request asks for, when its answer is to be kept by its `Idempotency-Key`.
  var fingerprint: String?

  var actor: Actor {
    Actor(name: token.name, token: token.selector, address: request.address, request: request.id)
  }
  var page: String { parameters["page"] ?? "" }
  var section: String { parameters["section"] ?? "" }
}

/// One method of one path.
struct Route: Sendable {
  var method: String
  var pattern: [String]
  var role: Role
  /// The query parameters that it takes.
  var query: Set<String>
  /// Whether it takes the declared client attributes as query parameters too.
  var takesClient: Bool
  /// Whether it takes an `Idempotency-Key`.
  var isIdempotent: Bool
  var answer: @Sendable (AdminContext) async throws -> Response

  init(
    _ method: String, _ path: String, _ role: Role, query: Set<String> = [], takesClient: Bool = false,
    isIdempotent: Bool = false, _ answer: @Sendable @escaping (AdminContext) async throws -> Response
  ) {
    self.method = method
    pattern = path.split(separator: "/").map(String.init)
    self.role = role
    self.query = query
    self.takesClient = takesClient
    self.isIdempotent = isIdempotent
    self.answer = answer
  }

  /// The variable segments, `nil` when the path is another.
  func match(_ segments: ArraySlice<String>) -> [String: String]? {
    guard segments.count == pattern.count else { return nil }
    var parameters: [String: String] = [:]
    for (segment, part) in zip(segments, pattern) {
      if part.hasPrefix("{") {
        parameters[String(part.dropFirst().dropLast())] = segment
      } else if part != segment {
        return nil
      }
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
