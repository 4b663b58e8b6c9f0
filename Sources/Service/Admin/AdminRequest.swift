import HTTPServer
import JSON
import Layout
import Storage
import Serving

/// An admin request, copied off its loop.
struct AdminRequest: Sendable {
  var id: String
  var method: String
  var segments: [String]
  var query: [String: String]
  /// The first query parameter that is there twice, of which `query` has one value only.
  private var repeatedParameter: String?
  var body: [UInt8]
  var address: String
  var authorization: String?
  var contentType: String?
  var ifMatch: String?
  var ifNoneMatch: String?
  var idempotencyKey: String?
  /// The seconds of `Prefer: wait=N`; 0 without.
  var waitSeconds: Int
  var codings: AcceptedCodings
  /// Where the trace is of which it is a part: the field's value, as it was sent.
  var traceParent: String?
  /// `nil` when the client forbids both formats.
  var documentFormat: DocumentFormat?

  /// `nil` when the target cannot be decoded.
  init?(_ request: borrowing Request, id: String) {
    guard let segments = request.path.pathSegments() else { return nil }
    self.id = id
    method = request.methodToken.string
    self.segments = segments.map { String(decoding: $0, as: UTF8.self) }
    var query: [String: String] = [:]
    var repeated: String?
    var isMalformed = false
    request.query.forEachQueryPair { name, value in
      guard let name = name.percentDecoded(plusIsSpace: true), let value = value.percentDecoded(plusIsSpace: true)
      else {
        isMalformed = true
        return
      }
      guard let name = Self.text(name), let value = Self.text(value) else {
        isMalformed = true
        return
      }
      if query.updateValue(value, forKey: name) != nil, repeated == nil { repeated = name }
    }
    if isMalformed { return nil }
    self.query = query
    repeatedParameter = repeated
    body = request.body.array
    address = request.peer.host
    func text(_ field: KnownField, _ request: borrowing Request) -> String? {
      request.joinedValue(field).map { String(decoding: $0, as: UTF8.self) }
    }
    authorization = text(.authorization, request)
    contentType = text(.contentType, request)
    ifMatch = text(.ifMatch, request)
    ifNoneMatch = text(.ifNoneMatch, request)
    idempotencyKey = text(.idempotencyKey, request)
    waitSeconds = max(request.wait ?? 0, 0)
    codings = request.acceptedCodings
    documentFormat = request.preferredFormat()
    for index in 0..<request.fieldCount where request.fieldName(index).count == Self.traceField.utf8.count {
      guard request.fieldName(index).string.lowercased() == Self.traceField else { continue }
      // Two are none (W3C Trace Context §3.3.1).
      traceParent = traceParent == nil ? request.fieldValue(index).string : ""
    }
  }

  /// Octets of a query as text; `nil` if they are not UTF-8, or have a NUL, which other programs take for the end.
  private static func text(_ octets: [UInt8]) -> String? {
    octets.contains(0) ? nil : String(validating: octets, as: UTF8.self)
  }

  /// What answers OPTIONS, and a method other than GET and HEAD, where there is only something to read; `nil` otherwise.
  var answerUnlessRead: Response? {
    switch method {
    case "GET", "HEAD": nil
    case "OPTIONS": Response(204, fields: [ResponseField("Allow", Problem.readMethods)])
    default: Problem.methodNotAllowed(Problem.readMethods).response(requestID: id)
    }
  }

  /// The body as JSON.
  ///
  /// - Throws: ``Problem`` 400 for what is not strict JSON.
  func json() throws -> JSON {
    do { return try JSON.parse(body) } catch {
      throw Problem(
        400, "invalid-json", "The body cannot be read as strict JSON (RFC 8259): \(error).",
        errors: [DocumentProblem(pointer: error.pointer, Sentence(error))])
    }
  }

  /// - Throws: ``Problem`` 415 where the body is of another media type. JSON need not be named.
  func requireMediaType(in wanted: [String]) throws {
    let type = contentType?.split(separator: ";").first.map { $0.lowercased().filter { $0 != " " } }
    guard let type else {
      if wanted.contains("application/json") { return }
      throw Problem.mediaType(wanted)
    }
    let isStructured = type.hasSuffix("+json") && wanted.contains("application/json")
    guard wanted.contains(type) || isStructured else { throw Problem.mediaType(wanted) }
  }

  /// Refuses unknown and repeated query parameters. Otherwise a misspelt one, or one of two values, would be ignored
  /// silently.
  ///
  /// - Throws: ``Problem`` 400 that names the first of them and, for an unknown one, the known ones.
  func requireParameters(in known: Set<String>) throws {
    if let unknown = query.keys.filter({ !known.contains($0) }).min() {
      let list = known.isEmpty ? "it takes none" : "there are \(known.sorted().joined(separator: ", "))"
      throw Problem(
        400, "unknown-parameter", "There is no query parameter '\(unknown)' here; \(list).",
        values: ["name": .string(unknown), "known": .array(known.sorted().map { .string($0) })])
    }
    if let repeated = repeatedParameter {
      throw Problem(
        400, "repeated-parameter", "The query parameter '\(repeated)' appears twice; send it once.",
        values: ["name": .string(repeated)])
    }
  }

  /// A query parameter as a whole number.
  func int(_ name: String, in range: ClosedRange<Int>, default fallback: Int) throws -> Int {
    guard let text = query[name] else { return fallback }
    guard let value = Int(text), range.contains(value) else {
      throw Problem.parameter(name, "a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return value
  }

  /// A query parameter as an instant.
  func instant(_ name: String) throws -> Instant? {
    guard let text = query[name] else { return nil }
    guard let instant = Instant(text) else { throw Problem.parameter(name, "a time such as 2026-11-21T09:00:00Z") }
    return instant
  }

  /// A query parameter that is `true` or `false`.
  func flag(_ name: String, default fallback: Bool = false) throws -> Bool {
    switch query[name] {
    case nil: return fallback
    case "false"?: return false
    case "true"?: return true
    default: throw Problem.parameter(name, "true or false")
    }
  }
}

extension StringProtocol {
  var trimmingSpaces: String {
    String(drop { $0 == " " || $0 == "\t" }.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }
}

extension Problem {
  fileprivate static func mediaType(_ wanted: [String]) -> Problem {
    Problem(
      415, "unsupported-media-type", "The body must be \(wanted.joined(separator: " or ")).",
      values: ["allowed": .array(wanted.map { .string($0) })],
      fields: [ResponseField("Accept", wanted.joined(separator: ", "))])
  }
}
