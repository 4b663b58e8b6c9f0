import HTTPServer
import JSON
import Layout
import Publication
import Storage

extension AdminAPI {
  var publishingRoutes: [Route] {
    [
      Route("POST", "pages/{page}/publish", .publisher, isIdempotent: true) { [self] in try await publish($0) },
      Route("POST", "pages/{page}/rollback", .publisher, isIdempotent: true) { [self] in try await rollBack($0) },
    ]
  }

  private func publish(_ context: AdminContext) async throws -> Response {
    let body = try context.request.jsonObjectOrEmpty()
    let request = try PublishRequest(body)
    let scope: PublishScope = request.sections.map { .sections($0) } ?? .draft
    let precondition = try context.request.precondition(required: true)
    if try context.request.flag("dryRun") { return try await dryRun(scope, context) }
    return Response(
      published: try await publisher.publish(
        context.page, scope, message: request.message, if: precondition, by: context.actor,
        keeping: context.keeping(Response.init(published:)), review: { [self] in try review($0, $1) }))
  }

  private func rollBack(_ context: AdminContext) async throws -> Response {
    let body = try context.request.json()
    guard let number = body["revision"]?.int, number > 0 else {
      throw Problem.invalid([
        DocumentProblem(pointer: JSONPointer(["revision"]), detail: "must be the number of a revision")
      ])
    }
    let resets: Bool
    switch body["draft"]?.string {
    case nil, "keep"?: resets = false
    case "reset"?: resets = true
    default:
      throw Problem.invalid([DocumentProblem(pointer: JSONPointer(["draft"]), detail: "must be \"keep\" or \"reset\"")])
    }
    return Response(
      published: try await publisher.publish(
        context.page, .revision(number, kind: .rollback, resetsDraft: resets), message: body["message"]?.string,
        if: context.request.precondition(required: true), by: context.actor,
        keeping: context.keeping(Response.init(published:)), review: { [self] in try review($0, $1) }))
  }

  /// What a publish would change, and what lint says of it.
  private func dryRun(_ scope: PublishScope, _ context: AdminContext) async throws -> Response {
    let candidate = try await store.candidate(context.page, scope)
    let problems = lint(candidate, publisher.makeEdition(candidate))
    let changes = Differences(
      from: candidate.live, to: candidate.definition, for: ClientAttributes(), at: clock(), kinds: kinds)
    return .value([
      "revision": .number(JSONNumber(candidate.number)),
      "isPublishable": .bool(problems.allSatisfy { $0.severity != .error }),
      "problems": .array(problems.map(\.json)), "changes": changes.json, "summary": changes.summary,
    ])
  }

  /// Stops a publish whose page has errors; the warnings are kept with the revision.
  func review(_ candidate: Candidate, _ edition: Edition) throws -> JSON {
    let problems = lint(candidate, edition)
    let errors = problems.filter { $0.severity == .error }
    guard errors.isEmpty else {
      throw Problem(
        422, "not-publishable", "The page cannot go live: lint found \(errors.count) error(s).",
        errors: errors.map { DocumentProblem(pointer: $0.pointer, detail: $0.detail) })
    }
    return .array(problems.map(\.json))
  }

  func lint(_ candidate: Candidate, _ edition: Edition) -> [LintProblem] {
    candidate.definition.lint(
      kinds: kinds, at: clock(), in: context, compressedBytes: edition.largestDocument,
      cache: (lintCache, candidate.fingerprints))
  }
}

/// What a publish asks for.
private struct PublishRequest {
  var sections: [String]?
  var message: String?

  init(_ json: JSON) throws {
    var problems: [DocumentProblem] = []
    for name in json.object?.names ?? [] where !["sections", "message"].contains(name) {
      problems.append(
        DocumentProblem(pointer: JSONPointer([name]), detail: "is not a member known here: message, sections"))
    }
    if json.object == nil { problems.append(.notAnObject) }
    if let value = json["sections"] {
      sections = value.array?.compactMap(\.string)
      if sections?.count != value.array?.count || sections?.isEmpty ?? true {
        problems.append(
          DocumentProblem(pointer: JSONPointer(["sections"]), detail: "must be an array of at least one section id"))
      }
    }
    if let value = json["message"] {
      message = value.string
      if message == nil || message?.utf8.count ?? 0 > 2_000 {
        problems.append(
          DocumentProblem(pointer: JSONPointer(["message"]), detail: "must be at most 2000 bytes of text"))
      }
    }
    if !problems.isEmpty { throw Problem.invalid(problems) }
  }
}

extension Response {
  fileprivate init(published made: (revision: Revision, tag: String)) {
    self = .value(made.revision.json, tag: made.tag)
  }
}

extension DocumentProblem {
  var json: JSON { ["pointer": .string(pointer.description), "detail": .string(detail)] }
}

extension Revision {
  var json: JSON {
    var object: JSONObject = [
      "page": .string(page), "revision": .number(JSONNumber(number)), "kind": .string(kind.rawValue),
      "author": .string(author), "madeAt": .string(madeAt.description), "fingerprint": .string(fingerprint),
      "problems": problems, "pinned": .bool(isPinned), "live": .bool(isLive),
    ]
    object["source"] = source.map { .number(JSONNumber($0)) }
    object["message"] = message.map { .string($0) }
    return .object(object)
  }
}
