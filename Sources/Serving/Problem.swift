package import HTTPServer
package import JSON
package import Layout
package import Storage

/// An error as clients and operators see it: `application/problem+json` (RFC 9457).
package struct Problem: Error, CustomStringConvertible {
  package var status: Status
  /// Stable and machine-readable; docs/errors.md lists them all.
  package var code: String
  /// What was wrong, and what would be right.
  package var detail: String
  /// The values in the text, for programs that show it in another language; ``valueNames`` lists their names by code.
  package var values: JSONObject
  /// The places of an invalid document.
  package var errors: [DocumentProblem] = []
  package var fields: [ResponseField] = []
  /// Whether and how long the answer may be kept.
  package var cacheControl = "no-store"
  /// Further members, such as who changed what is stale.
  package var members: [(String, JSON)] = []

  package init(
    _ status: Status, _ code: String, _ detail: String, values: JSONObject = [:], errors: [DocumentProblem] = [],
    fields: [ResponseField] = [], members: [(String, JSON)] = []
  ) {
    assert(values.names.allSatisfy((Self.valueNames[code] ?? []).contains), "\(code) with \(values.names)")
    self.status = status
    self.code = code
    self.detail = detail
    self.values = values
    self.errors = errors
    self.fields = fields
    self.members = members
  }

  /// The most places that an answer lists; of the others it tells the number.
  package static let errorsMax = 100

  /// What was wrong, for the log and the audit.
  package var description: String {
    ([detail] + errors.prefix(Self.errorsMax).map(\.description)).joined(separator: "; ")
  }

  /// The response to send.
  package func response(requestID: String = RequestID.random()) -> Response {
    var object = JSONObject([
      ("type", .string("urn:hearth:problem:\(code)")), ("title", .string(status.reason)),
      ("status", .count(Int(status.code))), ("detail", .string(detail)), ("code", .string(code)),
      ("requestId", .string(requestID)),
    ])
    if !errors.isEmpty {
      object["errors"] = .array(errors.prefix(Self.errorsMax).map(\.json))
      let others = errors.count - Self.errorsMax
      if others > 0 { object["moreErrors"] = .count(others) }
    }
    if !values.isEmpty { object["values"] = .object(values) }
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
  package init(_ failure: RequestFailure) {
    self.init(failure.status, failure.code, failure.detail)
  }

  package static let notFound = Problem(404, "not-found", "There is nothing at this path.")

  /// What paths take that are only read.
  package static let readMethods = "GET, HEAD, OPTIONS"

  package static func methodNotAllowed(_ allowed: String) -> Problem {
    Problem(
      405, "method-not-allowed", "This path takes \(allowed).", fields: [ResponseField("Allow", allowed)])
  }
}

extension Answer {
  /// A problem with a request that nobody has named.
  static func refusal(_ problem: Problem) -> Answer { .response(problem.response()) }
}

extension RequestFailure {
  /// The problem's code: the case's name in kebab case.
  fileprivate var code: String {
    "\(self)".reduce(into: "") { code, letter in
      code += letter.isUppercase ? "-" + letter.lowercased() : String(letter)
    }
  }
}

extension Problem {
  /// The names of the values that problems may have, by code, as docs/openapi.yaml repeats them; other codes have none.
  package static let valueNames: [String: [String]] = {
    var names = [
      "assets-full": ["bytes", "count", "most", "bytesMost"],
      "assets-share-full": ["bytes", "count", "most", "bytesMost"],
      "database-unavailable": ["reason"],
      "export-too-large": ["bytes", "most"],
      "forbidden": ["needed", "held", "scopes"],
      "in-use": ["users"],
      "invalid-content": ["count"],
      "invalid-name": ["name"],
      "invalid-order": ["count", "section", "item"],
      "invalid-yaml": ["line"],
      "malformed-condition": ["field"],
      "malformed-parameter": ["name"],
      "misdirected-request": ["host"],
      "not-publishable": ["count"],
      "not-published": ["section", "item"],
      "own-token": ["least"],
      "picture-too-large": ["bytes", "most"],
      "repeated-parameter": ["name"],
      "too-many-failures": ["seconds"],
      "too-many-pixels": ["pixels", "most"],
      "unknown-parameter": ["name", "known"],
      "unsupported-media-type": ["allowed"],
      "waits-in-schedule": ["at"],
    ]
    for what in ["audiences", "previews", "scheduled", "sections", "sort-rules", "webhooks"] {
      names["too-many-\(what)"] = ["most"]
    }
    for what in ["item", "item-kind", "page", "section", "section-kind", "sort-rule", "audience", "withheld-kind"] {
      names["unknown-\(what)"] = ["name", "known"]
    }
    for what in ["asset", "preview", "revision", "scheduled-publish", "token", "webhook", "webhook-delivery"] {
      names["unknown-\(what)"] = ["name"]
    }
    return names
  }()
}

/// Names requests in logs and problems.
package enum RequestID {
  /// A new one: 16 hexadecimal digits.
  package static func random() -> String {
    let digits = String(UInt64.random(in: .min ... .max), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension Problem {
  package static func parameter(_ name: String, _ expected: String) -> Problem {
    Problem(
      400, "malformed-parameter", "The query parameter '\(name)' must be \(expected).", values: ["name": .string(name)])
  }

  package init(_ failure: StoreError.DatabaseFailure) {
    let words = failure.description.sentence
    let detail =
      switch failure {
      case .gone: "\(words) Nothing was changed; put the file back."
      case .connectionLost:
        "The connection to the database was lost. Whether the change was made is not known; look, or send it again with the same "
          + "Idempotency-Key."
      case .inDoubt: "\(words) Look, or send it again with the same Idempotency-Key."
      case .unconfirmed:
        "The database's synchronous standby did not confirm the change in time. Whether the change was made is not known; send it again "
          + "with the same Idempotency-Key once the standby is back."
      default: "\(words) Nothing was changed."
      }
    let fields = [ResponseField("Retry-After", "5")]
    switch failure {
    case .full: self.init(507, "disk-full", detail)
    case .gone: self.init(503, "database-gone", detail, fields: fields)
    default:
      self.init(503, "database-unavailable", detail, values: ["reason": .string(failure.rawValue)], fields: fields)
    }
  }
}

extension String {
  /// With a capital letter and a full stop.
  package var sentence: String { prefix(1).uppercased() + dropFirst() + (hasSuffix(".") ? "" : ".") }
}
