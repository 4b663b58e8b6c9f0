import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var scheduledRoutes: [Route] {
    [
      Route("GET", "pages/{page}/scheduled", .viewer) { [self] context in
        let scheduled = try await store.scheduledPublishes(of: context.page)
        let now = clock()
        return .value(["scheduled": .array(scheduled.map { $0.json(at: now) })])
      },
      Route("POST", "pages/{page}/scheduled", .publisher, condition: .always, body: .json("ScheduleRequest")) {
        [self] in try await schedule($0)
      },
      Route("DELETE", "pages/{page}/scheduled/{scheduled}", .publisher) { [self] context in
        let id = context.parameters["scheduled"]?.ordinal ?? 0
        return try await context.change { keeping in
          try await store.cancelScheduledPublish(context.page, Int64(id), by: context.actor, keeping: keeping)
          await publisher.takeSchedules()
        }
      },
      Route("POST", "pages/{page}/scheduled/{scheduled}/release", .publisher) { [self] context in
        let id = context.parameters["scheduled"]?.ordinal ?? 0
        let now = clock()
        return try await context.change { keeping in
          let scheduled = try await store.releaseScheduledPublish(
            context.page, Int64(id), by: context.actor, keeping: keeping)
          await publisher.takeSchedules()
          return scheduled
        } answering: { scheduled in
          .value(scheduled.json(at: now))
        }
      },
    ]
  }

  /// Pins what the draft is now, some sections of it, or an earlier revision, to an instant.
  private func schedule(_ context: AdminContext) async throws -> Response {
    let request = try ScheduleRequest(json: context.json(), at: clock())
    let precondition = try context.precondition()
    let now = clock()
    return try await context.change { keeping in
      let scheduled = try await store.schedulePublish(
        context.page, request.scope, at: request.at, zone: request.zone, message: request.message,
        if: precondition, waiting: request.waiting, by: context.actor, keeping: keeping
      ) { [self] in _ = try review($0, publisher.makeEdition($0)) }
      await publisher.takeSchedules(adding: scheduled)
      return scheduled
    } answering: { scheduled in
      .value(scheduled.json(at: now), 201)
    }
  }
}

/// What scheduling asks for: `{"at": "2026-12-01T09:00", "zone": "Asia/Shanghai", "sections": ["otc"], "message": "…"}`.
private struct ScheduleRequest {
  var at: Instant
  var zone: String
  var scope: PublishScope
  var waiting: WaitingChoice
  var message: String?

  init(json: JSON, at now: Instant) throws {
    var body = try BodyReader(json)
    let parts = [("from", body.required("at", .time("a time"), \.self)), ("zone", body.value("zone"))]
    let revision = body.revision(isRequired: false)
    let named = body.parts()
    if revision != nil, named != nil {
      body.add(
        DocumentProblem(
          pointer: JSONPointer(["sections"]),
          Sentence(.sectionsWithRevision, "cannot be combined with 'revision', which is scheduled as a whole")))
    }
    scope = revision.map { .revision($0) } ?? named.map { .parts($0) } ?? .draft
    // Schedules are set in any order: what waits for later goes over what is due before it, and tells so.
    waiting = body.waiting(otherwise: .leave)
    message = body.message()
    let collector = ProblemCollector()
    let schedule = Schedule.reading(
      .object(JSONObject(parts.compactMap { name, value in value.map { (name, $0) } })), names: ["from": "at"],
      collector)
    for problem in collector.problems { body.add(problem) }
    if let from = schedule?.from, from <= now {
      body.add(DocumentProblem(pointer: JSONPointer(["at"]), Sentence(.futureTime, "must be in the future")))
    }
    try body.finish()
    let made = try ProblemCollector().finish(
      schedule.flatMap { schedule in schedule.from.map { (at: $0, zone: schedule.zone ?? "UTC") } })
    at = made.at
    zone = made.zone
  }
}

extension ScheduledPublish {
  func json(at now: Instant) -> JSON {
    var object: JSONObject = [
      "id": .number(JSONNumber(Int(id))), "page": .string(page), "at": .string(at.description), "zone": .string(zone),
      "author": .string(author),
    ]
    object["revision"] = revision.map { .number(JSONNumber($0)) }
    for member in parts?.json ?? JSONObject() { object[member.name] = member.value }
    if !passed.isEmpty { object["publishedSince"] = .object(passed.json) }
    object["message"] = message.map { .string($0) }
    if isHeld { object["held"] = .bool(true) }
    if isHeld, at <= now { object["missed"] = .bool(true) }
    return .object(object)
  }

  /// As the timeline tells of it.
  var flip: JSON {
    var object: JSONObject = ["at": .string(at.description), "what": "publishes"]
    object["revision"] = revision.map { .number(JSONNumber($0)) }
    for member in parts?.json ?? JSONObject() { object[member.name] = member.value }
    return .object(object)
  }
}
