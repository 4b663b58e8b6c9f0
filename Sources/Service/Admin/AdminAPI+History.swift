import HTTPServer
import HomePayload
import JSON
import Layout
import Publication
import Storage

extension AdminAPI {
  var historyRoutes: [Route] {
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
        try await store.setPinned(true, context.page, context.revisionNumber, by: context.actor)
        return .done()
      },
      Route("DELETE", "pages/{page}/revisions/{revision}/pin", .publisher) { [self] context in
        try await store.setPinned(false, context.page, context.revisionNumber, by: context.actor)
        return .done()
      },
      Route("GET", "pages/{page}/changes", .viewer, query: ["from", "to", "at"], takesClient: true) { [self] in
        try await listChanges($0)
      },
      Route("GET", "pages/{page}/problems", .viewer) { [self] context in
        let candidate = try await store.candidate(context.page, .draft)
        return .value(["problems": .array(lint(candidate, publisher.makeEdition(candidate)).map(\.json))])
      },
      Route("GET", "pages/{page}/preview", .viewer, query: ["at", "revision"], takesClient: true) { [self] in
        try await preview($0)
      },
      Route("GET", "pages/{page}/timeline", .viewer, query: ["at", "revision"]) { [self] context in
        let at = try context.request.instant("at") ?? clock()
        return .value(["flips": .array(try await flips(context, after: at))])
      },
      Route("GET", "audit", .viewer, query: ["limit", "cursor", "page", "actor", "action", "from", "to"]) { [self] in
        try await listAudit($0)
      },
    ]
  }

  /// The flips of schedules and, unless an earlier revision is asked for, what is scheduled to go live.
  private func flips(_ context: AdminContext, after instant: Instant) async throws -> [JSON] {
    let revision = context.request.query["revision"] ?? "draft"
    let flips = try await definition(context.page, revision).flips(after: instant).map { (at: $0.at, json: $0.json) }
    guard ["draft", "live"].contains(revision) else { return flips.map(\.json) }
    let publishes = try await store.scheduledPublishes(of: context.page)
      .filter { $0.at > instant && !$0.isMissed }.map { (at: $0.at, json: $0.flip) }
    // A stable sort: at one instant a revision goes live first.
    return (publishes + flips).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element.json)
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

  private func preview(_ context: AdminContext) async throws -> Response {
    let query = context.request.query
    let at = try context.request.instant("at") ?? clock()
    let definition = try await definition(context.page, query["revision"] ?? "draft")
    let client = try client(query)
    let plan = PagePlan(definition, kinds: kinds)
    var assembled = plan.assemble(plan.outcome(for: client), at: at)
    assembled.page.version = assembled.page.contentVersion
    var json = try JSON.parse(assembled.page.canonicalBytes, depthMax: .max).object ?? JSONObject()
    json["hidden"] = .array(
      assembled.hidden.map { ["section": .string($0.section), "reason": .string($0.reason.rawValue)] })
    json["hiddenItems"] = .array(
      assembled.hiddenItems.map {
        ["section": .string($0.section), "item": .string($0.item), "reason": .string($0.reason.rawValue)]
      })
    json["replaced"] = .array(assembled.replaced.map(\.json))
    json["at"] = .string(at.description)
    json["nextFlip"] = assembled.nextFlip.map { .string($0.description) }
    return .value(.object(json))
  }

  /// What changed between two revisions, or a revision and the draft, for the clients of some attributes at an instant.
  private func listChanges(_ context: AdminContext) async throws -> Response {
    let query = context.request.query
    let from = query["from"] ?? "live"
    let to = query["to"] ?? "draft"
    let changes = Differences(
      from: try await definition(context.page, from, named: "from"),
      to: try await definition(context.page, to, named: "to"),
      for: try client(query), at: try context.request.instant("at") ?? clock(),
      kinds: kinds)
    return .value(["from": .string(from), "to": .string(to), "changes": changes.json, "summary": changes.summary])
  }

  /// The client that a query describes.
  private func client(_ query: [String: String]) throws -> ClientAttributes {
    var client = ClientAttributes()
    for (name, text) in query.sorted(by: { $0.key < $1.key }) {
      guard let declaration = context.attributes[name] else { continue }
      guard let value = declaration.value(of: text) else { throw Problem.malformed(declaration) }
      if case .locale(let locale) = value, name == "locale" {
        client.languages = [LanguageRange(locale: locale)]
      } else {
        client.values[name] = value
      }
    }
    return client
  }

  private func listAudit(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let limit = try request.int("limit", in: 1...500, default: 100)
    var filter = AuditFilter()
    if let page = request.query["page"] {
      guard Slug.isValid(page) else { throw Problem.parameter("page", "a page's id") }
      filter.page = page
    }
    if !context.token.scopes.isEmpty, !(filter.page.map { context.token.touches(page: $0) } ?? false) {
      throw Problem(
        403, "forbidden",
        "The token is for \(context.token.scopes.joined(separator: ", ")): name such a page as 'page'.")
    }
    filter.actor = request.query["actor"]
    filter.action = request.query["action"]
    filter.from = try request.instant("from")
    filter.until = try request.instant("to")
    filter.before = try Cursor.number(request.query["cursor"]).map(Int64.init)
    let entries = try await store.audit(filter, limit: limit + 1)
    var object: JSONObject = ["entries": .array(entries.prefix(limit).map(\.json))]
    if entries.count > limit { object["next"] = entries.prefix(limit).last.map { Cursor.json(String($0.id)) } }
    return .value(.object(object))
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

extension Flip {
  var json: JSON {
    var object: JSONObject = ["at": .string(at.description), "what": .string(what.rawValue)]
    object["section"] = section.map { .string($0) }
    object["item"] = item.map { .string($0) }
    object["rule"] = rule.map { .string($0) }
    return .object(object)
  }
}

extension Replacement {
  fileprivate var json: JSON {
    var object: JSONObject = ["section": .string(section), "kind": .string(kind), "by": .string(by)]
    object["item"] = item.map { .string($0) }
    return .object(object)
  }
}

extension AuditEntry {
  var json: JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(Int(id))), "at": .string(at.description), "actor": .string(actor.name),
      "action": .string(action),
    ]
    let texts = [
      ("token", actor.token), ("address", actor.address), ("requestId", actor.request), ("page", page),
      ("section", section), ("item", item), ("detail", detail), ("before", before), ("after", after),
    ]
    for (name, text) in texts { object[name] = text.map { .string($0) } }
    return .object(object)
  }
}
