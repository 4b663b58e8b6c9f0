import HTTPServer
import JSON
import Layout
import Storage
import Synchronization
import Serving
import Tracing

extension AdminAPI {
  var nodeRoutes: [Route] {
    [Route("GET", "nodes", .viewer) { [self] _ in try await listNodes() }]
  }

  private func listNodes() async throws -> Response {
    try await nodes.refresh(until: .now + .seconds(5))
    return .value([
      "alive": .number(JSONNumber(nodes.alive.count)),
      "nodes": .array(nodes.nodes.map { node, silence, isThis in node.json(silence, isThis: isThis) }),
    ])
  }

  /// Which nodes serve revisions that were just made live, after the seconds of `Prefer: wait` (RFC 7240 §4.3) at most;
  /// `nil` where nobody asked.
  func nodesServing(_ revisions: [Revision], _ context: AdminContext) async -> ServingNodes? {
    guard context.request.waitSeconds > 0 else { return nil }
    let end = ContinuousClock.now + .seconds(min(context.request.waitSeconds, settings.waitSecondsMax))
    let editions = Dictionary(revisions.map { ($0.page, $0.edition) }, uniquingKeysWith: { $1 })
    return await withSpan("wait for nodes") { [self] _ in
      await nodes.serving(editions, until: end) { [self] in isEndingWaits.load(ordering: .relaxed) }
    }
  }
}

extension Response {
  /// Says which nodes serve what was made live.
  func telling(_ nodes: ServingNodes?) -> Response {
    guard let nodes else { return self }
    var response = self
    response.fields.append(ResponseField("Hearth-Nodes", nodes.fieldValue))
    return response
  }
}

extension Node {
  fileprivate func json(_ silence: Duration, isThis: Bool) -> JSON {
    var object: JSONObject = [
      "name": .string(name), "address": .string(address), "instance": .string(instance),
      "since": .string(since.description), "silentSeconds": .number(JSONNumber(Int(silence / .seconds(1)))),
      "alive": .bool(silence <= NodeList.silenceMax), "this": .bool(isThis), "version": .string(version),
      "schema": .number(JSONNumber(schema)),
      "pages": .object(JSONObject(pages.mapValues { .string($0.description) })),
    ]
    object["problem"] = (problem?.text).map(JSON.string)
    object["problemCode"] = (problem?.code).map(JSON.string)
    return .object(object)
  }
}
