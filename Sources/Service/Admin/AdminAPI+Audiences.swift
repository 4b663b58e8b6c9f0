import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var audienceRoutes: [Route] {
    [
      Route("GET", "audiences", .viewer) { [self] _ in
        let audiences = try await store.audiences()
        return .value(["audiences": .object(JSONObject(audiences.mapValues(\.value.json)))])
      },
      Route("GET", "audiences/{audience}", .viewer) { [self] context in
        let audience = try await audience(context)
        return .value(audience.value.json, tag: audience.tag)
      },
      Route("PUT", "audiences/{audience}", .editor, condition: .whenPresent, body: .json("Predicate")) {
        [self] context in
        let name = context.parameters["audience"] ?? ""
        let predicate = try await predicate(context.json(), named: name)
        return try await context.change {
          try await store.putAudience(name, predicate, if: context.precondition(), by: context.actor, keeping: $0)
        } answering: { made in
          .value(predicate.json, made.isNew ? 201 : 200, tag: made.tag)
        }
      },
      Route("DELETE", "audiences/{audience}", .editor, condition: .always) { [self] context in
        try await context.change {
          try await store.deleteAudience(
            context.parameters["audience"] ?? "", if: context.precondition(), by: context.actor,
            keeping: $0)
        }
      },
      Route("GET", "audiences/{audience}/uses", .viewer) { [self] context in
        _ = try await audience(context)
        var document = try await store.export()
        document.pages.removeAll { !context.token.touches(page: $0.id) }
        return .value(["uses": .array(document.uses(of: context.parameters["audience"] ?? "").map { .string($0) })])
      },
    ]
  }

  /// The predicate of a body. If the body has mistakes, unknown names in it are reported too.
  private func predicate(_ json: JSON, named name: String) async throws -> Predicate {
    let collector = ProblemCollector()
    let read = Predicate(json, at: JSONPointer(), in: context, collector)
    if let read, !collector.problems.isEmpty {
      var all = try await store.audiences().mapValues(\.value)
      all[name] = read
      let problem = AudienceGraph(all).problem(of: name)
      collector.add(later: problem.map { [DocumentProblem(pointer: JSONPointer(), $0)] } ?? [])
    }
    return try collector.finish(read)
  }

  private func audience(_ context: AdminContext) async throws -> Tagged<Predicate> {
    let name = context.parameters["audience"] ?? ""
    let audiences = try await store.audiences()
    guard let audience = audiences[name] else {
      throw StoreError.notFound(what: "audience", name: name, known: audiences.keys.sorted())
    }
    return audience
  }
}
