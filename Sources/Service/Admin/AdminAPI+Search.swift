import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  /// The revisions that one request looks at for changes of a field.
  private static let followedRevisionsMax = 200

  var searchRoutes: [Route] {
    [
      Route("GET", "search", .viewer, query: ["q", "page", "limit", "cursor"]) { [self] in try await search($0) },
      Route(
        "GET", "pages/{page}/sections/{section}/history", .viewer, query: ["item", "pointer", "limit", "cursor"]
      ) { [self] in try await followField($0) },
    ]
  }

  private func search(_ context: AdminContext) async throws -> Response {
    let request = context.request
    guard let text = request.query["q"], (1...200).contains(text.utf8.count) else {
      throw Problem.parameter("q", "1 to 200 bytes of text")
    }
    let page = request.query["page"]
    if let page, !Slug.isValid(page) { throw Problem.parameter("page", "a page's id") }
    let limit = try request.int("limit", in: 1...100, default: 50)
    let token = context.token
    let (results, next) = try await store.search(
      for: text, in: page, covers: { token.covers(page: $0, section: $1) },
      after: try SearchPlace(cursor: request.query["cursor"]), limit: limit, bytesMax: settings.searchBytesMax)
    var object: JSONObject = ["results": .array(results.map(\.json))]
    object["next"] = next.map { Cursor.json("\($0.page)/\($0.section)/\($0.rows)") }
    return .value(.object(object))
  }

  private func followField(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let item = request.query["item"]
    if let item, !Slug.isValidItemID(item) { throw Problem.parameter("item", "an item's id") }
    guard let pointer = JSONPointer(text: request.query["pointer"] ?? "") else {
      throw Problem.parameter("pointer", "a JSON Pointer (RFC 6901) such as /content/title")
    }
    let limit = try request.int("limit", in: 1...100, default: 20)
    let (changes, next) = try await store.changes(
      of: FieldPlace(item: item, pointer: pointer), in: context.section, of: context.page,
      before: try Cursor.number(request.query["cursor"]), limit: limit, revisionsMax: Self.followedRevisionsMax,
      bytesMax: settings.searchBytesMax)
    var object: JSONObject = ["changes": .array(changes.map(\.json))]
    object["next"] = next.map { Cursor.json(String($0)) }
    return .value(.object(object))
  }
}

extension SearchPlace {
  fileprivate init?(cursor: String?) throws {
    guard let text = try Cursor.text(cursor) else { return nil }
    let parts = text.split(separator: "/").map(String.init)
    guard parts.count == 3, Slug.isValid(parts[0]), Slug.isValid(parts[1]), let rows = parts[2].ordinal else {
      throw Problem.parameter("cursor", "the 'next' of the previous answer")
    }
    self.init(page: parts[0], section: parts[1], rows: rows)
  }
}

extension SearchResult {
  fileprivate var json: JSON {
    var object: JSONObject = [
      "page": .string(page), "section": .string(section),
      "matches": .array(matches.map { ["pointer": .string("\($0.pointer)"), "text": .string($0.text)] }),
    ]
    object["title"] = title.map { .string($0) }
    object["item"] = item.map { .string($0) }
    object["slot"] = slot.map { .string($0) }
    return .object(object)
  }
}

extension FieldChange {
  fileprivate var json: JSON {
    var object: JSONObject = ["at": .string(at.description), "by": .array(by.map { .string($0) })]
    object["revision"] = revision.map { .number(JSONNumber($0)) }
    object["publishedBy"] = publishedBy.map { .string($0) }
    object["from"] = from
    object["to"] = to
    return .object(object)
  }
}
