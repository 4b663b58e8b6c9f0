import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var kindRoutes: [Route] {
    [
      Route("GET", "kinds", .viewer) { [self] _ in .value(kinds.document) },
      Route("POST", "kinds/reload", .admin, query: ["force"]) { [self] context in
        let isForced = try context.request.flag("force")
        return try await context.change {
          try await reloadKinds(isForced: isForced, by: context.actor, keeping: $0)
        } answering: { change in
          .value(change.json)
        }
      },
    ]
  }

  /// Reads the file of this node's kinds again, and has all nodes go by it.
  func reloadKinds(
    isForced: Bool = false, by actor: Actor, keeping: AnswerKeeper<KindsChange>? = nil
  ) async throws -> KindsChange {
    guard let kindsFile else { throw Problem.notFound }
    let new = try kindsFile.read()
    noteFile(new.hash)
    do {
      return try await publisher.changeKinds(to: new, isForced: isForced, by: actor, keeping: keeping)
    } catch var error as KindsBreakContent {
      error.file = kindsFile.path
      throw error
    }
  }
}

extension KindsChange {
  fileprivate var json: JSON {
    [
      "hash": .string(hash), "differences": .array(differences.map(\.json)),
      "kept": .array(kept.map { .string($0) }),
      "revisions": .array(
        revisions.map { ["page": .string($0.page), "revision": .number(JSONNumber($0.number))] }),
    ]
  }
}

extension Problem {
  /// Each thing that is wrong with a file of kinds.
  init(_ error: InvalidKindsFile) {
    self.init(
      422, "invalid-kinds",
      "The file of this node's kinds is wrong in \(error.problems.count) place(s). The kinds before stay.",
      members: [("errors", .array(error.problems.map { $0.json(file: error.path) }))])
  }

  /// What new kinds would break.
  init(_ error: KindsBreakContent) {
    self.init(
      409, "kinds-break-content",
      "The new kinds refuse content in \(error.refused.count) place(s). The kinds before stay.",
      members: [("errors", .array(error.refused.map { $0.json(file: error.file) }))])
  }
}

extension InvalidKindsFile.Problem {
  fileprivate func json(file: String) -> JSON {
    var object: JSONObject = [
      "file": .string(file), "pointer": .string(pointer?.description ?? ""), "detail": .string(detail),
    ]
    if let line { object["line"] = .number(JSONNumber(line)) }
    if let kind { object["kind"] = .string(kind) }
    if let keyword { object["keyword"] = .string(keyword) }
    return .object(object)
  }
}

extension RefusedContent {
  fileprivate func json(file: String?) -> JSON {
    var object: JSONObject = [
      "page": .string(page), "state": .string(state), "pointer": .string(problem.pointer.description),
      "detail": .string(problem.detail),
    ]
    if let file { object["file"] = .string(file) }
    if let kind { object["kind"] = .string(kind) }
    object["keyword"] = .string(problem.sentence.code.rawValue)
    return .object(object)
  }
}
