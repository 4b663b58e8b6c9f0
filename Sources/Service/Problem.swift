import HTTPServer
import JSON
import Layout

/// An error as clients and operators see it: `application/problem+json` (RFC 9457).
struct Problem: Error, CustomStringConvertible {
  var status: Status
  /// Stable and machine-readable; docs/errors.md lists them all.
  var code: String
  /// What was wrong, and what would be right.
  var detail: String
  /// The places of an invalid document.
  var errors: [DocumentProblem] = []
  var fields: [ResponseField] = []
  /// Whether and how long the answer may be kept.
  var cacheControl = "no-store"
  /// Further members, such as who changed what is stale.
  var members: [(String, JSON)] = []

  init(
    _ status: Status, _ code: String, _ detail: String, errors: [DocumentProblem] = [], fields: [ResponseField] = [],
    members: [(String, JSON)] = []
  ) {
    self.status = status
    self.code = code
    self.detail = detail
    self.errors = errors
    self.fields = fields
    self.members = members
  }

  /// The most places that an answer lists; of the others it tells the number.
  static let errorsMax = 100

  /// What was wrong, for the log and the audit.
  var description: String { ([detail] + errors.prefix(Self.errorsMax).map(\.description)).joined(separator: "; ") }

  /// The response to send.
  func response(requestID: String) -> Response {
    var object = JSONObject([
      ("type", .string("urn:hearth:problem:\(code)")), ("title", .string(status.reason)),
      ("status", .number(JSONNumber(Int(status.code)))), ("detail", .string(detail)), ("code", .string(code)),
      ("requestId", .string(requestID)),
    ])
    if !errors.isEmpty {
      object["errors"] = .array(errors.prefix(Self.errorsMax).map(\.json))
      let others = errors.count - Self.errorsMax
      if others > 0 { object["moreErrors"] = .number(JSONNumber(others)) }
    }
    for (name, value) in members { object[name] = value }
    return Response(
      status,
      fields: [
        ResponseField("Content-Type", "application/problem+json"), ResponseField("Cache-Control", cacheControl),
        ResponseField("X-Request-Id", requestID),
      ] + fields,
      body: JSON.object(object).canonicalBytes)
  }

  /// What the engine refuses by itself, in the words of this service.
  init(_ failure: RequestFailure) {
    self.init(failure.status, failure.code, failure.detail)
  }

  static let notFound = Problem(404, "not-found", "There is nothing at this path.")

  static func methodNotAllowed(_ allowed: String) -> Problem {
    Problem(
      405, "method-not-allowed", "This path takes \(allowed).", fields: [ResponseField("Allow", allowed)])
  }
}

extension RequestFailure {
  /// The problem's code: the case's name in kebab case.
  fileprivate var code: String {
    "\(self)".reduce(into: "") { code, letter in
      code += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }
}

/// Names requests in logs and problems.
enum RequestID {
  /// A new one: 16 hexadecimal digits.
  static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
