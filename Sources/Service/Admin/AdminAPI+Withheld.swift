import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var withheldRoutes: [Route] {
    [
      Route("GET", "withheld", .viewer) { [self] _ in
        let withheld = try await store.withheldKinds()
        return .value(["withheld": .array(withheld.map { .object($0.named) })])
      }
    ] + KindFamily.allCases.flatMap(withheldRoutes)
  }

  private func withheldRoutes(of family: KindFamily) -> [Route] {
    let path = "withheld/\(family.rawValue)/{kind}"
    return [
      Route("GET", path, .viewer) { [self] context in
        let withheld = try await store.withheldKinds()
        let name = "\(family.rawValue)/\(context.kind)"
        guard let found = withheld.first(where: { $0.withholding.name == name }) else {
          throw StoreError.notFound(what: "withheld kind", name: name, known: withheld.map(\.withholding.name))
        }
        return .value(.object(found.said), tag: found.tag)
      },
      Route("PUT", path, .publisher, condition: .whenPresent, body: .json("Withholding")) { [self] context in
        let known = kinds.names(of: family)
        guard known.contains(context.kind) else {
          throw family == .items
            ? StoreError.notFound(what: "item kind", name: context.kind, known: known)
            : StoreError.notFound(what: "section kind", name: context.kind, known: known)
        }
        let change = try await withheldChange(family, context)
        return try await changeWithheld(family, change, context) { made in
          .value(made.answer, made.isNew ? 201 : 200, tag: made.tag)
        }
      },
      Route("DELETE", path, .publisher, condition: .always) { [self] context in
        try await changeWithheld(family, .lift, context) { made in .value(made.answer) }
      },
    ]
  }

  private func changeWithheld(
    _ family: KindFamily, _ change: WithheldChange, _ context: AdminContext,
    answering answer: @Sendable @escaping (WithheldResult<Edition>) -> Response
  ) async throws -> Response {
    let made = try await publisher.changeWithheld(
      family, context.kind, change, if: context.precondition(), by: context.actor,
      keeping: context.keeping(answer)
    ) { [self] candidate, edition in .array(lint(candidate, edition).map(\.json)) }
    return answer(made).telling(await nodesServing(made.revisions.map(\.revision), context))
  }

  /// What a request's body asks for.
  ///
  /// - Throws: ``Problem`` 422 with everything that is wrong.
  private func withheldChange(_ family: KindFamily, _ context: AdminContext) async throws -> WithheldChange {
    var body = try BodyReader(context.json())
    let audience = body.audience(in: self.context)
    let reason = body.text("reason", in: 1...2_000, isRequired: true)
    if let audience, !audience.audienceNames.isEmpty {
      let named = try await store.audiences().mapValues(\.value)
      for problem in Withholding(family, context.kind, from: audience, audiences: named).problems { body.add(problem) }
    }
    try body.finish()
    // What is missing is a problem above.
    return .withhold(audience ?? .any([]), reason: reason ?? "")
  }
}

extension AdminContext {
  fileprivate var kind: String { parameters["kind"] ?? "" }
}

extension WithheldKind {
  /// The body of the PUT that withholds it.
  fileprivate var said: JSONObject { ["audience": withholding.audience.json, "reason": .string(reason)] }

  fileprivate var members: JSONObject {
    var members = said
    members["author"] = .string(author)
    members["at"] = .string(at.description)
    return members
  }

  fileprivate var named: JSONObject {
    JSONObject(
      [("family", .string(withholding.family.rawValue)), ("kind", .string(withholding.kind))]
        + members.map { ($0.name, $0.value) })
  }
}

extension WithheldResult {
  /// What is withheld now, if anything, and the revisions that were made.
  fileprivate var answer: JSON {
    var object = withheld?.members ?? JSONObject()
    object["pages"] = .array(
      revisions.map { ["page": .string($0.revision.page), "revision": .number(JSONNumber($0.revision.number))] })
    return .object(object)
  }
}
