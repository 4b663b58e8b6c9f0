import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var pageRoutes: [Route] {
    [
      Route("GET", "whoami", .viewer) { .value($0.token.json) },
      Route("GET", "pages", .viewer, query: ["limit", "cursor"]) { [self] in try await listPages($0) },
      Route("GET", "pages/{page}", .viewer) { [self] context in
        let page = try await store.settings(context.page)
        return .value(page.value.json, tag: page.tag)
      },
      Route(
        "PUT", "pages/{page}", .editor, condition: .whenPresent, body: .json("PageSettings"),
        mistakes: { [self] json in
          let collector = ProblemCollector()
          _ = pageSettings(json, of: "", collector)
          return collector.problems
        }
      ) { [self] in try await putPage($0) },
      Route("DELETE", "pages/{page}", .publisher, condition: .always) { [self] context in
        let precondition = try context.precondition()
        return try await context.change { keeping in
          try await publisher.removing(
            { [self] in
              try await store.deletePage(
                context.page, if: precondition, since: publisher.served.history, by: context.actor, keeping: keeping)
            }, { $0 })
        }
      },
      Route("POST", "pages/{page}/duplicate", .editor, body: .json("PageCopyRequest")) { [self] in
        try await duplicatePage($0)
      },
      Route("GET", "pages/{page}/draft", .viewer) { [self] context in
        if let unchanged = try await waitForChange(context) { return unchanged }
        let draft = try await store.draft(context.page)
        return .value(draft.json, tag: draft.tag)
      },
      Route("GET", "attributes", .viewer) { [self] _ in
        .value(["attributes": .object(JSONObject(context.attributes.mapValues(\.json)))])
      },
    ]
  }

  private func listPages(_ context: AdminContext) async throws -> Response {
    let limit = try context.request.int("limit", in: 1...200, default: 50)
    let after = try Cursor.text(context.request.query["cursor"])
    let pages = try await store.pages(after: after, limit: limit + 1)
    let shown = pages.prefix(limit).filter { context.token.touches(page: $0.id) }
    let next = pages.count > limit ? pages.prefix(limit).last.map { Cursor.json($0.id) } : nil
    return .value(.object(JSONObject([("pages", .array(shown.map(\.json)))] + (next.map { [("next", $0)] } ?? []))))
  }

  /// A page's settings as a body gives them, with what is wrong with them for the kinds.
  func pageSettings(_ json: JSON, of page: String, _ collector: ProblemCollector) -> PageSettings? {
    let settings = PageSettings(json: json, pageID: page, in: context, collector)
    collector.add(later: settings.map(kinds.problems(in:)) ?? [])
    return settings
  }

  private func putPage(_ context: AdminContext) async throws -> Response {
    let collector = ProblemCollector()
    let settings = try collector.finish(pageSettings(context.json(), of: context.page, collector))
    let precondition = try context.precondition()
    return try await context.change {
      try await store.putPage(context.page, settings: settings, if: precondition, by: context.actor, keeping: $0)
    } answering: { made in
      .value(settings.json, made.isNew ? 201 : 200, tag: made.tag)
    }
  }

  private func duplicatePage(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.json())
    let id = body.newID(of: "page")
    let title = body.text("title", in: 1...200)
    let keepsSchedules = body.keepsSchedules()
    try body.finish()
    guard context.token.covers(page: id) else { throw Problem.outsideScopes(of: context.token) }
    return try await context.change { keeping in
      try await store.copyPage(
        context.page, to: id, title: title, keepsSchedules: keepsSchedules, by: context.actor, keeping: keeping)
    } answering: { copy in
      .value(copy.value.json, 201, tag: copy.tag)
    }
  }
}

extension PageSummary {
  var json: JSON {
    var object: JSONObject = ["id": .string(id), "title": .string(title), "changed": .bool(isChanged)]
    object["live"] = live.map { .number(JSONNumber($0)) }
    return .object(object)
  }
}

extension Draft {
  var json: JSON {
    var object = definition.json.object ?? JSONObject()
    let indices = definition.indices()
    object["id"] = .string(definition.id)
    object["sections"] = .array(
      definition.sections.map { section in
        var json = section.json.object ?? JSONObject()
        json["index"] = .number(JSONNumber(indices[section.id] ?? 0))
        return .object(json)
      })
    object["order"] = .array(definition.order().map { .string($0) })
    object["live"] = live.map { .number(JSONNumber($0)) }
    object["changed"] = .array(changedSections.map { .string($0) })
    object["isChanged"] = .bool(isChanged)
    object["changedParts"] = .object(changedParts.json)
    object["lastChanges"] = lastChanges.json
    object["orderTag"] = .string(orderTag)
    object["settingsTag"] = .string(settingsTag)
    object["sectionTags"] = .object(JSONObject(sectionTags.mapValues(\.json)))
    return .object(object)
  }
}

extension LastChanges {
  fileprivate var json: JSON {
    var object = JSONObject()
    for (name, changes) in [("sections", sections), ("rules", rules), ("audiences", audiences)] where !changes.isEmpty {
      object[name] = .object(JSONObject(changes.mapValues(\.json)))
    }
    object["settings"] = settings?.json
    object["order"] = order?.json
    return .object(object)
  }
}

extension LastChanges.Change {
  fileprivate var json: JSON { ["by": .array(by.map { .string($0) }), "at": .string(at.description)] }
}

extension SectionTags {
  fileprivate var json: JSON { ["settings": .string(settings), "content": .string(content)] }
}
