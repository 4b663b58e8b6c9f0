import HTTPServer
import HomePayload
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var previewRoutes: [Route] {
    [
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
      Route(
        "POST", "pages/{page}/preview", .viewer, body: .json("Unsaved"), query: ["at"], takesClient: true,
        isChange: false
      ) { [self] in
        try await preview($0)
      },
      Route(
        "GET", "pages/{page}/preview/sections/{section}/items", .viewer, query: ["offset", "at", "revision"],
        takesClient: true
      ) { [self] in try await previewItems($0) },
      Route(
        "POST", "pages/{page}/preview/sections/{section}/items", .viewer, body: .json("Unsaved"),
        query: ["offset", "at"], takesClient: true,
        isChange: false
      ) { [self] in try await previewItems($0) },
      Route("GET", "pages/{page}/timeline", .viewer, query: ["at", "revision"]) { [self] context in
        let at = try context.request.instant("at") ?? clock()
        return .value(["flips": .array(try await flips(context, after: at))])
      },
    ]
  }

  private func preview(_ context: AdminContext) async throws -> Response {
    let query = context.request.query
    let at = try context.request.instant("at") ?? clock()
    let definition = try await previewed(context)
    let client = try client(query)
    let plan = PagePlan(definition, kinds: kinds)
    var assembled = plan.assemble(plan.outcome(for: client), at: at)
    assembled.page.version = assembled.page.contentVersion
    var json = try JSON.parse(assembled.page.canonicalBytes, depthMax: .max).object ?? JSONObject()
    json["hidden"] = .array(
      assembled.hidden.map { ["section": .string($0.section), "reason": .string($0.reason.rawValue)] })
    json["hiddenItems"] = .array(assembled.hiddenItems.map(\.json))
    json["replaced"] = .array(assembled.replaced.map(\.json))
    json["at"] = .string(at.description)
    json["nextFlip"] = assembled.nextFlip.map { .string($0.description) }
    return .value(.object(json))
  }

  /// What is previewed: a revision or the draft, or the draft with the body's unsaved edits.
  private func previewed(_ context: AdminContext) async throws -> PageDefinition {
    guard context.request.method == "POST" else {
      return try await definition(context.page, context.request.query["revision"] ?? "draft")
    }
    return try await draft(context.page, with: context.json())
  }

  /// Some items of a section's list as a client of some attributes would get them: of a draft there are no links.
  private func previewItems(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let at = try request.instant("at") ?? clock()
    let offset = try request.int("offset", in: 0...1_000_000, default: 0)
    let definition = try await previewed(context)
    let section = context.section
    guard definition.sections.contains(where: { $0.id == section }) else {
      throw StoreError.notFound(what: "section", name: section, known: definition.sections.map(\.id))
    }
    let plan = PagePlan(definition, kinds: kinds)
    let list = plan.items(of: section, for: plan.outcome(for: try client(request.query)), at: at)
    let items = list.items.dropFirst(offset).prefix(ItemList.partItems)
    return .value([
      "items": .array(try items.map { try JSON.parse($0.canonicalBytes, depthMax: .max) }), "of": .string(list.hash),
      "count": .number(JSONNumber(list.items.count)),
    ])
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
    return .value([
      "from": .string(from), "to": .string(to), "changes": changes.json, "summary": changes.summary,
      "sentences": changes.sentences,
    ])
  }

  /// The flips of schedules and, unless an earlier revision is asked for, scheduled publishes. For the live page they
  /// are the flips that clients will see: a scheduled publish brings its own, and removes the ones that it ends.
  private func flips(_ context: AdminContext, after instant: Instant) async throws -> [JSON] {
    let revision = context.request.query["revision"] ?? "draft"
    if revision == "live" { return try await comingFlips(of: context.page, after: instant) }
    let flips = try await definition(context.page, revision).flips(after: instant).map { (at: $0.at, json: $0.json) }
    guard revision == "draft" else { return flips.map(\.json) }
    let publishes = try await store.scheduledPublishes(of: context.page)
      .filter { $0.at > instant && !$0.isHeld }.map { (at: $0.at, json: $0.flip) }
    // A stable sort: at one instant a revision goes live first.
    return (publishes + flips).enumerated().sorted { ($0.element.at, $0.offset) < ($1.element.at, $1.offset) }
      .map(\.element.json)
  }

  /// What will happen to a page's clients: the flips of what is live until the next scheduled publish, that publish,
  /// the flips of what it makes until the one after it, and so on.
  private func comingFlips(of page: String, after instant: Instant) async throws -> [JSON] {
    let (live, then) = try await store.outlook(of: page)
    let ends = then.map(\.scheduled.at)
    var found = live?.flips(after: instant).filter { flip in ends.first.map { flip.at < $0 } ?? true }.map(\.json) ?? []
    for (number, (scheduled, definition)) in then.enumerated() {
      if scheduled.at > instant { found.append(scheduled.flip) }
      // What flips at the second of a publish does so as the publish has it.
      let begin = max(instant, scheduled.at.adding(seconds: -1))
      let end = ends.dropFirst(number + 1).first
      found += definition.flips(after: begin).filter { flip in end.map { flip.at < $0 } ?? true }.map(\.json)
    }
    return found
  }

  /// The client that a query describes.
  private func client(_ query: [String: String]) throws -> ClientAttributes {
    var client = ClientAttributes()
    for (name, text) in query.sorted(by: { $0.key < $1.key }) {
      guard let declaration = context.attributes[name] else { continue }
      guard let value = declaration.value(of: text) else { throw Problem.malformed(declaration) }
      client.take(value, of: name)
    }
    return client
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

extension HiddenItem {
  fileprivate var json: JSON {
    var object: JSONObject = section.map { ["section": .string($0)] } ?? JSONObject()
    object["item"] = .string(item)
    object["reason"] = .string(reason.rawValue)
    return .object(object)
  }
}

extension Replacement {
  fileprivate var json: JSON {
    var object: JSONObject = section.map { ["section": .string($0)] } ?? JSONObject()
    object["kind"] = .string(kind)
    object["by"] = .string(by)
    object["item"] = item.map { .string($0) }
    return .object(object)
  }
}
