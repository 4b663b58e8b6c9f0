import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var orderRoutes: [Route] {
    [
      Route("GET", "pages/{page}/order", .viewer, query: ["rule"]) { [self] context in
        let order = try await store.order(context.page, rule: context.request.query["rule"] ?? SortRule.defaultName)
        return .value(["sections": .array(order.value.map { .string($0) })], tag: order.tag)
      },
      Route("PUT", "pages/{page}/order", .editor, condition: .always, body: .json("OrderRequest")) { [self] in
        try await putOrder($0)
      },
      Route("POST", "pages/{page}/sections/{section}/move", .editor, condition: .always, body: .json("MoveRequest")) {
        [self] context in
        let wanted = try Destination.read(context.json())
        return try await set(.move(context.section, wanted.destination), rule: wanted.rule, context)
      },
      Route("GET", "pages/{page}/sort-rules", .viewer) { [self] context in
        let rules = try await store.draft(context.page).definition.sortRules
        return .value(["sortRules": .object(JSONObject(rules.map { ($0.name, $0.json) }))])
      },
      Route("GET", "pages/{page}/sort-rules/{rule}", .viewer) { [self] context in
        let rule = try await store.sortRule(context.page, context.parameters["rule"] ?? "")
        return .value(rule.value.json, tag: rule.tag)
      },
      Route(
        "PUT", "pages/{page}/sort-rules/{rule}", .editor, condition: .whenPresent, body: .json("SortRule"),
        mistakes: { [self] json in
          do throws(InvalidDocument) {
            _ = try SortRule(json: json, name: "", in: context)
            return []
          } catch { return error.problems }
        }
      ) { [self] context in
        let name = context.parameters["rule"] ?? ""
        let rule = try SortRule(json: context.json(), name: name, in: self.context)
        return try await context.change {
          try await store.putSortRule(context.page, rule, if: context.precondition(), by: context.actor, keeping: $0)
        } answering: { made in
          .value(rule.json, made.isNew ? 201 : 200, tag: made.tag)
        }
      },
      Route("DELETE", "pages/{page}/sort-rules/{rule}", .editor, condition: .always) { [self] context in
        try await context.change {
          try await store.deleteSortRule(
            context.page, context.parameters["rule"] ?? "", if: context.precondition(),
            by: context.actor, keeping: $0)
        }
      },
    ]
  }

  /// A whole order as a body gives it, and the rule whose order it is.
  func order(_ json: JSON) throws -> (sections: [String], rule: String) {
    var body = try BodyReader(json)
    let sections = body.ids("sections", .array("an array of all section ids"), isRequired: true)
    let rule = body.optional("rule", .text("a sort rule's name"), \.string)
    try body.finish()
    return (sections ?? [], rule ?? SortRule.defaultName)
  }

  private func putOrder(_ context: AdminContext) async throws -> Response {
    let order = try self.order(context.json())
    return try await set(.whole(order.sections), rule: order.rule, context)
  }

  private func set(_ edit: OrderEdit, rule: String, _ context: AdminContext) async throws -> Response {
    try await context.change {
      try await store.setOrder(
        context.page, edit, rule: rule, if: context.precondition(), by: context.actor,
        keeping: $0)
    } answering: { result in
      .value(result.value.json, tag: result.tag)
    }
  }
}
