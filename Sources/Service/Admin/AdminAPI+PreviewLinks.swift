import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var previewLinkRoutes: [Route] {
    [
      Route("GET", "pages/{page}/previews", .viewer) { [self] context in
        let links = try await store.previewLinks(of: context.page)
        return .value([
          "previews": .array(links.map(\.json)), "hoursMax": .number(JSONNumber(settings.previews.hoursMax)),
        ])
      },
      Route("POST", "pages/{page}/previews", .editor, body: .optional("PreviewLinkRequest"), keeps: .allButSecret) {
        [self] in
        try await createPreviewLink($0)
      },
      Route("DELETE", "pages/{page}/previews/{preview}", .editor) { [self] context in
        let id = context.parameters["preview"]?.ordinal ?? 0
        return try await context.change {
          try await store.revokePreviewLink(context.page, id, by: context.actor, keeping: $0)
        }
      },
    ]
  }

  private func createPreviewLink(_ context: AdminContext) async throws -> Response {
    let most = settings.previews.hoursMax
    var body = try BodyReader(context.json())
    let states = Sentence(.revisionState, "draft, live, or the number of a revision")
    let revision = body.optional("revision", states) { json in
      json.int.flatMap { $0 > 0 ? String($0) : nil }
        ?? json.string.flatMap { ["draft", "live"].contains($0) ? $0 : nil }
    }
    let at = body.optional("at", .time("a time such as 2026-11-21T09:00:00Z")) { $0.string.flatMap { Instant($0) } }
    let hours = body.wholeNumber("hours", in: 1...most)
    let name = body.text("name", in: 0...200)
    let expected = Sentence(.clientAttributes, "an object of client attributes and their values, as texts")
    let client = body.optional("client", expected) { json -> [String: String]? in
      var client: [String: String] = [:]
      for member in json.object ?? JSONObject([("", .null)]) {
        guard let text = member.value.string, self.context.attributes[member.name]?.value(of: text) != nil else {
          return nil
        }
        client[member.name] = text
      }
      return client
    }
    try body.finish()
    let now = clock()
    if let revision, revision != "draft" { _ = try await definition(context.page, revision) }
    let link = PreviewLink(
      page: context.page, name: name, revision: revision ?? "draft", at: at, client: client ?? [:],
      expiresAt: now.adding(seconds: Int64(hours ?? min(24, most)) * 3_600))
    let (made, text) = try await store.createPreviewLink(
      link, most: settings.previews.linksMax, by: context.actor, keeping: context.keeping { .value($0.json, 201) })
    previews.note(text)
    var object = made.json.object ?? JSONObject()
    object["token"] = .string(text)
    let shown = "\(PreviewAnswers.parameter)=\(text)"
    object["url"] = .string((settings.previews.baseURL ?? "") + "/v1/pages/\(context.page)?\(shown)")
    // Who opens the link itself in a browser reads JSON.
    if settings.servesDemo { object["demo"] = .string("/demo/?page=\(context.page)&\(shown)") }
    return .value(.object(object), 201)
  }
}

extension PreviewLink {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(id)), "page": .string(page), "revision": .string(revision),
      "client": .object(JSONObject(client.mapValues { .string($0) })), "createdAt": .string(createdAt.description),
      "createdBy": .string(createdBy), "expiresAt": .string(expiresAt.description),
    ]
    object["name"] = name.map { .string($0) }
    object["at"] = at.map { .string($0.description) }
    return .object(object)
  }
}
