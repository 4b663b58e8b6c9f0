import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var revisionRoutes: [Route] {
    [
      Route("GET", "pages/{page}/revisions", .viewer, query: ["limit", "cursor", "kind"]) { [self] in
        try await listRevisions($0)
      },
      Route("GET", "pages/{page}/revisions/{revision}", .viewer) { [self] context in
        let number = context.revisionNumber
        let revision = try await store.revision(context.page, number)
        var json = try await store.revisionDefinition(context.page, number).definition.json.object ?? JSONObject()
        for member in revision.json.object ?? JSONObject() { json[member.name] = member.value }
        return .value(.object(json), tag: "\"\(revision.fingerprint.prefix(16))\"")
      },
      Route("PUT", "pages/{page}/revisions/{revision}/pin", .publisher) { [self] context in
        try await setPinned(true, context)
      },
      Route("DELETE", "pages/{page}/revisions/{revision}/pin", .publisher) { [self] context in
        try await setPinned(false, context)
      },
    ]
  }

  private func setPinned(_ isPinned: Bool, _ context: AdminContext) async throws -> Response {
    try await context.change {
      try await store.setPinned(isPinned, context.page, context.revisionNumber, by: context.actor, keeping: $0)
    }
  }

  private func listRevisions(_ context: AdminContext) async throws -> Response {
    let limit = try context.request.int("limit", in: 1...200, default: 50)
    let before = try Cursor.number(context.request.query["cursor"])
    let kinds = try context.request.revisionKinds
    let revisions = try await store.revisions(context.page, kinds: kinds, before: before, limit: limit + 1)
    var object: JSONObject = ["revisions": .array(revisions.prefix(limit).map(\.json))]
    if revisions.count > limit { object["next"] = revisions.prefix(limit).last.map { Cursor.json(String($0.number)) } }
    return .value(.object(object))
  }

  /// `draft`, `live` or a revision's number.
  func definition(_ page: String, _ revision: String, named name: String = "revision") async throws -> PageDefinition {
    switch revision {
    case "draft": return try await store.draft(page).definition
    case "live":
      guard let live = try await store.draft(page).live else {
        throw StoreError.notFound(what: "revision", name: "live", known: ["draft"])
      }
      return try await store.revisionDefinition(page, live).definition
    default:
      guard let number = revision.ordinal else {
        throw Problem.parameter(name, "draft, live, or the number of a revision")
      }
      return try await store.revisionDefinition(page, number).definition
    }
  }
}

extension AdminContext {
  var revisionNumber: Int { parameters["revision"]?.ordinal ?? 0 }
}

extension AdminRequest {
  /// The kinds of revisions that `kind` names, with commas between; all without.
  fileprivate var revisionKinds: Set<Revision.Kind> {
    get throws {
      guard let text = query["kind"] else { return Set(Revision.Kind.allCases) }
      let kinds = text.split(separator: ",", omittingEmptySubsequences: false).map { Revision.Kind(rawValue: "\($0)") }
      guard kinds.allSatisfy({ $0 != nil }) else {
        let list = Revision.Kind.allCases.map(\.rawValue).joined(separator: ", ")
        throw Problem.parameter("kind", "one or more, with commas between, of \(list)")
      }
      return Set(kinds.compactMap(\.self))
    }
  }
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
    if withheld.array?.isEmpty == false { object["withheld"] = withheld }
    return .object(object)
  }
}
