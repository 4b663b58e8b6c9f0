import HTTPServer
import JSON
import Layout
import Storage

extension AdminAPI {
  var sectionRoutes: [Route] {
    let path = "pages/{page}/sections/{section}"
    return [
      Route("GET", path, .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        return .value(state.settingsJSON, tag: state.settingsTag)
      },
      Route("PUT", path, .editor) { [self] in try await putSection($0) },
      Route("DELETE", path, .editor) { [self] context in
        try await store.deleteSection(
          context.page, context.section, if: context.request.precondition(needed: .always), by: context.actor)
        return .done()
      },
      Route("POST", path + "/hide", .editor) { [self] context in
        let tag = try await store.updateSection(
          "section.hide", context.page, context.section, if: context.request.precondition(needed: .always),
          by: context.actor
        ) { $0.isHidden = true }
        return .done(tag: tag)
      },
      Route("POST", path + "/restore", .editor) { [self] context in
        let body = try context.request.jsonObjectOrEmpty()
        let destination = body.object?.isEmpty == true ? nil : try Destination(body, besides: ["rule"])
        let result = try await store.restore(
          context.page, context.section, to: destination, rule: try body.rule(),
          if: context.request.precondition(needed: .always), by: context.actor)
        return .value(result.value.json, tag: result.tag)
      },
      Route("POST", path + "/duplicate", .editor) { [self] in try await duplicate($0) },
    ]
  }

  private func putSection(_ context: AdminContext) async throws -> Response {
    var object = try context.request.json().object ?? { throw Problem.invalid([.notAnObject]) }()
    let index = try object.takeIndex()
    var content: SectionContent?
    if object["items"] != nil || object["slots"] != nil {
      var part = JSONObject()
      part["items"] = object["items"]
      part["slots"] = object["slots"]
      content = try SectionContent(json: .object(part), sectionID: context.section, in: self.context)
      object["items"] = nil
      object["slots"] = nil
    }
    if object["id"]?.string == context.section { object["id"] = nil }
    let settings = try SectionSettings(json: .object(object), sectionID: context.section, in: self.context)
    let (tag, isNew) = try await store.putSection(
      context.page, context.section, settings: settings, content: content, index: index,
      if: context.request.precondition(needed: .whenPresent), by: context.actor
    ) { [self] in try check($0) }
    let state = try await store.section(context.page, context.section)
    return .value(state.settingsJSON, isNew ? 201 : 200, tag: tag)
  }

  private func duplicate(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.request.json())
    let id = body.required("id", "the new section's id: a letter, then up to 63 letters, digits, '.', '_' or '-'") {
      $0.string.flatMap { Slug.isValid($0) ? $0 : nil }
    }
    try body.finish()
    let copy = try await store.copySection(context.page, context.section, to: id ?? "", by: context.actor) {
      [self] in try check($0)
    }
    return .value(copy.settingsJSON, 201, tag: copy.settingsTag)
  }
}

extension DocumentProblem {
  static let notAnObject = DocumentProblem(pointer: JSONPointer(), detail: "must be an object")
}

extension JSONObject {
  /// Takes the member `index` out.
  fileprivate mutating func takeIndex() throws -> Int? {
    guard let value = self["index"] else { return nil }
    self["index"] = nil
    let range = LayoutLimits.indexRange
    guard let index = value.int, range.contains(index) else {
      throw Problem.invalid([
        DocumentProblem(
          pointer: JSONPointer(["index"]),
          detail: "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
      ])
    }
    return index
  }
}

extension SectionState {
  var settingsJSON: JSON {
    var object = section.settings.json.object ?? JSONObject()
    object["id"] = .string(section.id)
    object["index"] = .number(JSONNumber(index))
    return .object(object)
  }
}

extension Destination {
  /// `{"first": true}`, `{"last": true}`, `{"before": id}` or `{"after": id}`.
  ///
  /// - Parameter others: The members that the body may have beside.
  init(_ json: JSON, besides others: [String]) throws {
    let members = json.object?.members.filter { !others.contains($0.name) } ?? []
    switch (members.count, members.first?.name, members.first?.value) {
    case (1, "first"?, .bool(true)?): self = .first
    case (1, "last"?, .bool(true)?): self = .last
    case (1, "before"?, .string(let id)?): self = .before(id)
    case (1, "after"?, .string(let id)?): self = .after(id)
    default:
      throw Problem.invalid([
        DocumentProblem(
          pointer: JSONPointer(),
          detail: "must be one of {\"first\": true}, {\"last\": true}, {\"before\": id}, {\"after\": id}")
      ])
    }
  }
}

extension OrderChange {
  var json: JSON {
    ["changed": .object(JSONObject(indices.mapValues { .number(JSONNumber($0)) }))]
  }
}
