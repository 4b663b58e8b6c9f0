import HTTPServer
import JSON
import Layout
import Publication
import Storage

/// What the one on call looks at: `/status`, `/metrics`, `/healthz` and `/readyz` of the admin listener.
final class Operations: Sendable {
  private let store: Store
  private let publisher: Publisher
  private let version: String
  private let startedAt: Instant
  private let clock: @Sendable () -> Instant

  init(store: Store, publisher: Publisher, version: String, clock: @escaping @Sendable () -> Instant) {
    self.store = store
    self.publisher = publisher
    self.version = version
    self.clock = clock
    startedAt = clock()
  }

  func answer(_ request: AdminRequest) async -> Response {
    let routes = ["status", "metrics", "healthz", "readyz"]
    guard request.segments.count == 1, let name = request.segments.first, routes.contains(name) else {
      return Problem.notFound.response(requestID: request.id)
    }
    guard ["GET", "HEAD"].contains(request.method) else {
      return Problem.methodNotAllowed("GET, HEAD").response(requestID: request.id)
    }
    switch name {
    case "status": return .value(await status())
    case "metrics":
      return Response(
        200, text: await metrics(), fields: [ResponseField("Cache-Control", "no-store")])
    default: return .value(["status": .string("ok")])
    }
  }

  private func status() async -> JSON {
    let isWell = await store.check()
    let editions = publisher.liveEditions.map { edition -> JSON in
      let usage = edition.usage
      return [
        "page": .string(edition.page), "revision": .number(JSONNumber(edition.revision)),
        "variants": .number(JSONNumber(usage.count)), "variantBytes": .number(JSONNumber(usage.bytes)),
      ]
    }
    return [
      "status": .string(isWell ? "ok" : "degraded"), "version": .string(version),
      "startedAt": .string(startedAt.description), "now": .string(clock().description),
      "database": .string(isWell ? "ok" : "unavailable"), "pages": .array(editions),
    ]
  }

  private func metrics() async -> String {
    let isWell = await store.check()
    var lines = [
      "# TYPE hearth_database_up gauge", "hearth_database_up \(isWell ? 1 : 0)",
      "# TYPE hearth_page_revision gauge", "# TYPE hearth_page_variants gauge",
      "# TYPE hearth_page_variant_bytes gauge",
    ]
    for edition in publisher.liveEditions {
      let usage = edition.usage
      lines.append("hearth_page_revision{page=\"\(edition.page)\"} \(edition.revision)")
      lines.append("hearth_page_variants{page=\"\(edition.page)\"} \(usage.count)")
      lines.append("hearth_page_variant_bytes{page=\"\(edition.page)\"} \(usage.bytes)")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
