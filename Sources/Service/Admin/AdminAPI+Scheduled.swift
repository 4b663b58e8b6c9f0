import HTTPServer
import JSON
import Layout
import Publication
import Storage

extension AdminAPI {
  var scheduledRoutes: [Route] {
    [
      Route("GET", "pages/{page}/scheduled", .viewer) { [self] context in
        let scheduled = try await store.scheduledPublishes(of: context.page)
        return .value(["scheduled": .array(scheduled.map(\.json))])
      },
      Route("POST", "pages/{page}/scheduled", .publisher, isIdempotent: true) { [self] in try await schedule($0) },
      Route("DELETE", "pages/{page}/scheduled/{scheduled}", .publisher) { [self] context in
        let text = context.parameters["scheduled"] ?? ""
        guard let id = Int64(text) else {
          throw StoreError.notFound(what: "scheduled publish", name: text, known: [])
        }
        try await store.cancelScheduledPublish(context.page, id, by: context.actor)
        try await publisher.loadSchedules()
        return .done()
      },
    ]
  }

  /// Pins what the draft is now, or an earlier revision, to an instant.
  private func schedule(_ context: AdminContext) async throws -> Response {
    let request = try ScheduleRequest(json: context.request.json())
    let precondition = try context.request.precondition(required: true)
    let scheduled = try await store.schedulePublish(
      context.page, revision: request.revision, at: request.at, zone: request.zone, message: request.message,
      if: precondition, by: context.actor, keeping: context.keeping { .value($0.json, 201) }
    ) { [self] in try review($0, publisher.makeEdition($0)) }
    try await publisher.loadSchedules()
    return .value(scheduled.json, 201)
  }
}

/// What scheduling asks for: `{"at": "2026-12-01T09:00", "zone": "Asia/Shanghai", "revision": 7, "message": "…"}`.
private struct ScheduleRequest {
  var at: Instant
  var zone: String
  var revision: Int?
  var message: String?

  init(json: JSON) throws {
    let collector = ProblemCollector()
    let known = ["at", "zone", "revision", "message"]
    for name in json.object?.names ?? [] where !known.contains(name) {
      collector.add(JSONPointer([name]), "is not a member known here: \(known.joined(separator: ", "))")
    }
    if json.object == nil { collector.add(JSONPointer(), "must be an object") }
    let parts = JSONObject(
      [("from", json["at"]), ("zone", json["zone"])].compactMap { name, value in value.map { (name, $0) } })
    let schedule = Schedule.reading(.object(parts), names: ["from": "at"], collector)
    if json["at"] == nil { collector.add(JSONPointer(["at"]), "is required") }
    if let value = json["revision"] {
      revision = value.int
      if revision.map({ $0 < 1 }) ?? true {
        collector.add(JSONPointer(["revision"]), "must be the number of a revision")
      }
    }
    if let value = json["message"] {
      message = value.string
      if message == nil || message?.utf8.count ?? 0 > 2_000 {
        collector.add(JSONPointer(["message"]), "must be at most 2000 bytes of text")
      }
    }
    let complete = schedule.flatMap { schedule in schedule.from.map { (at: $0, zone: schedule.zone ?? "UTC") } }
    let made = try collector.finish(complete)
    at = made.at
    zone = made.zone
  }
}

extension ScheduledPublish {
  var json: JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(Int(id))), "page": .string(page), "revision": .number(JSONNumber(revision)),
      "at": .string(at.description), "zone": .string(zone), "author": .string(author),
    ]
    object["message"] = message.map { .string($0) }
    return .object(object)
  }
}
