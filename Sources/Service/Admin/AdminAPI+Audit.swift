import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var auditRoutes: [Route] {
    [
      Route("GET", "audit", .viewer, query: ["page", "actor", "action", "from", "to", "limit", "cursor"]) { [self] in
        try await listAudit($0)
      }
    ]
  }

  private func listAudit(_ context: AdminContext) async throws -> Response {
    let request = context.request
    let limit = try request.int("limit", in: 1...500, default: 100)
    var filter = AuditFilter()
    filter.page = try context.queriedPage()
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
