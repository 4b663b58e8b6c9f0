import HTTPServer
import JSON
import Layout
import Publication
import Storage

extension AdminAPI {
  var contentRoutes: [Route] {
    let path = "pages/{page}/sections/{section}"
    return [
      Route("GET", path + "/content", .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        return .value(state.section.content.json, tag: state.contentTag)
      },
      Route("PUT", path + "/content", .source, query: ["publish"]) { [self] in try await putContent($0) },
      Route("GET", path + "/items/{item}", .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        let wanted = context.parameters["item"] ?? ""
        guard let item = state.section.allItems.first(where: { $0.id == wanted }) else {
          throw StoreError.notFound(
            what: "item", name: wanted, known: state.section.allItems.prefix(100).map(\.id))
        }
        return .value(item.json, tag: item.entityTag)
      },
      Route("PUT", path + "/items/{item}", .source) { [self] context in
        let id = context.parameters["item"] ?? ""
        guard Slug.isValidItemID(id) else { throw Problem.itemID(id) }
        let item = try ItemDefinition(json: context.request.json(), id: id, in: self.context)
        let (tag, isNew) = try await store.putItem(
          context.page, context.section, item, if: context.request.precondition(required: false), by: context.actor
        ) { [self] in try check($0) }
        return .value(item.json, isNew ? 201 : 200, tag: tag)
      },
      Route("DELETE", path + "/items/{item}", .source) { [self] context in
        try await store.deleteItem(
          context.page, context.section, context.parameters["item"] ?? "",
          if: context.request.precondition(required: false), by: context.actor)
        return .done()
      },
    ]
  }

  private func putContent(_ context: AdminContext) async throws -> Response {
    let content = try SectionContent(json: context.request.json(), sectionID: context.section, in: self.context)
    let precondition = try context.request.precondition(required: false)
    guard try context.request.flag("publish") else {
      let tag = try await store.putContent(
        context.page, context.section, content, if: precondition, by: context.actor
      ) { [self] in try check($0) }
      return .value(content.json, tag: tag)
    }
    let (revision, _) = try await publisher.publish(
      context.page, .content(section: context.section, content), if: precondition, by: context.actor,
      check: { [self] in try check($0) }, review: { [self] in try review($0, $1) })
    let state = try await store.section(context.page, context.section)
    var response = Response.value(content.json, tag: state.contentTag)
    response.fields.append(ResponseField("Hearth-Revision", String(revision.number)))
    return response
  }
}

extension Problem {
  fileprivate static func itemID(_ id: String) -> Problem {
    Problem(422, "invalid-name", "\"\(id)\" is no item id: 1 to 128 letters, digits, '.', '_', ':' or '-'.")
  }
}
