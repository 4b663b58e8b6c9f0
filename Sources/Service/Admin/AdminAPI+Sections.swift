import HTTPServer
import JSON
import Layout
import Storage
import Serving

extension AdminAPI {
  var sectionRoutes: [Route] {
    let path = "pages/{page}/sections/{section}"
    return [
      Route("GET", path, .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        return .value(state.settingsJSON, tag: state.settingsTag)
      },
      Route(
        "PUT", path, .editor, condition: .whenPresent, body: .json("SectionPut"),
        mistakes: { [self] json in
          let collector = ProblemCollector()
          _ = section(json, json["id"]?.string ?? "", or: nil, collector)
          return collector.problems
        }
      ) { [self] in try await putSection($0) },
      Route("DELETE", path, .editor, condition: .always) { [self] context in
        try await context.change {
          try await store.deleteSection(
            context.page, context.section, if: context.precondition(), by: context.actor,
            keeping: $0)
        }
      },
      Route("POST", path + "/hide", .editor, condition: .always) { [self] context in
        try await context.change {
          try await store.hide(
            context.page, context.section, if: context.precondition(), by: context.actor, keeping: $0)
        } answering: { tag in
          .done(tag: tag)
        }
      },
      Route("POST", path + "/restore", .editor, condition: .always, body: .optional("RestoreRequest")) {
        [self] context in
        let body = try context.json()
        let wanted = body.object?.isEmpty == true ? nil : try Destination.read(body)
        return try await context.change {
          try await store.restore(
            context.page, context.section, to: wanted?.destination, rule: wanted?.rule ?? SortRule.defaultName,
            if: context.precondition(), by: context.actor, keeping: $0)
        } answering: { result in
          .value(result.value.json, tag: result.tag)
        }
      },
      Route("POST", path + "/duplicate", .editor, body: .json("SectionCopyRequest")) { [self] in try await duplicate($0)
      },
    ]
  }

  /// A section as a body gives it, with what is wrong with it for its kind.
  ///
  /// - Parameter stored: The content that it keeps where the body has none.
  func section(
    _ json: JSON, _ id: String, or stored: SectionContent?, _ collector: ProblemCollector
  ) -> WrittenSettings? {
    guard let object = json.object else {
      collector.add(later: [.notAnObject])
      return nil
    }
    let written = WrittenSettings(object, sectionID: id, in: context, collector)
    collector.add(later: written.definition(or: stored).map(problems(inWritten:)) ?? [])
    return written
  }

  private func putSection(_ context: AdminContext) async throws -> Response {
    let object = try context.json().object ?? { throw Problem.invalid([.notAnObject]) }()
    let collector = ProblemCollector()
    let written = WrittenSettings(object, sectionID: context.section, in: self.context, collector)
    if !collector.problems.isEmpty {
      let stored = try? await store.section(context.page, context.section).section.content
      collector.add(later: written.definition(or: stored).map(problems(inWritten:)) ?? [])
    }
    let settings = try collector.finish(written.settings)
    return try await context.change { keeping in
      try await store.putSection(
        context.page, context.section, settings: settings, content: written.content, index: written.index,
        if: context.precondition(), by: context.actor, keeping: keeping
      ) { [self] section in
        let problems = problems(inWritten: section)
        guard problems.isEmpty else { throw Problem.invalid(problems) }
      }
    } answering: { made in
      .value(made.state.settingsJSON, made.isNew ? 201 : 200, tag: made.state.settingsTag)
    }
  }

  private func duplicate(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.json())
    let id = body.newID(of: "section")
    let keepsSchedules = body.keepsSchedules()
    try body.finish()
    return try await context.change { keeping in
      try await store.copySection(
        context.page, context.section, to: id, keepsSchedules: keepsSchedules, by: context.actor, keeping: keeping
      ) { [self] in try check($0) }
    } answering: { copy in
      .value(copy.settingsJSON, 201, tag: copy.settingsTag)
    }
  }
}

extension BodyReader {
  /// Whether a copy keeps the times of what it is a copy of; it does where the body does not say.
  mutating func keepsSchedules() -> Bool {
    let allowed: JSON = ["keep", "drop"]
    return optional("schedules", Sentence(.enum, "\"keep\" or \"drop\"", ["allowed": allowed])) { json in
      allowed.array?.contains(json) == true ? json.string == "keep" : nil
    } ?? true
  }
}

/// What a body says of a section: its settings, and its index and content where it has them.
struct WrittenSettings {
  private let sectionID: String
  let settings: SectionSettings?
  let content: SectionContent?
  let index: Int?

  init(_ object: JSONObject, sectionID: String, in context: DefinitionContext, _ collector: ProblemCollector) {
    var object = object
    index = object.takeIndex(collector)
    var content: SectionContent?
    if object["items"] != nil || object["slots"] != nil {
      var part = JSONObject()
      part["items"] = object["items"]
      part["slots"] = object["slots"]
      content = SectionContent(json: .object(part), sectionID: sectionID, in: context, collector)
      object["items"] = nil
      object["slots"] = nil
    }
    if object["id"]?.string == sectionID { object["id"] = nil }
    self.content = content
    self.sectionID = sectionID
    settings = SectionSettings(json: .object(object), sectionID: sectionID, in: context, collector)
  }

  /// The section, with other content where the body has none.
  func definition(or content: SectionContent?) -> SectionDefinition? {
    settings.map {
      SectionDefinition(id: sectionID, settings: $0, content: self.content ?? content ?? SectionContent())
    }
  }
}

extension DocumentProblem {
  static let notAnObject = DocumentProblem(
    pointer: JSONPointer(), Sentence(.type, "must be an object", ["allowed": ["object"]]))
}

extension JSONObject {
  /// Takes the member `index` out.
  fileprivate mutating func takeIndex(_ collector: ProblemCollector) -> Int? {
    guard let value = self["index"] else { return nil }
    self["index"] = nil
    let range = LayoutLimits.indexRange
    if let index = value.int, range.contains(index) { return index }
    collector.add(JSONPointer(["index"]), .wholeNumber(in: range).demanded)
    return nil
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
  /// `{"first": true}`, `{"last": true}`, `{"before": id}` or `{"after": id}`, each with the `rule` that is meant: the
  /// default one when none is named.
  ///
  /// - Parameter takesRule: Whether there are rules: items have one order.
  /// - Throws: ``InvalidDocument`` with everything that is wrong.
  static func read(_ json: JSON, takesRule: Bool = true) throws -> (destination: Destination, rule: String) {
    let collector = ProblemCollector()
    let members = json.object?.members.filter { !takesRule || $0.name != "rule" } ?? []
    var destination: Destination?
    switch (members.count, members.first?.name, members.first?.value) {
    case (1, "first"?, .bool(true)?): destination = .first
    case (1, "last"?, .bool(true)?): destination = .last
    case (1, "before"?, .string(let id)?): destination = .before(id)
    case (1, "after"?, .string(let id)?): destination = .after(id)
    default:
      collector.add(
        JSONPointer(), .destination,
        "must be one of {\"first\": true}, {\"last\": true}, {\"before\": id}, {\"after\": id}")
    }
    let rule = (takesRule ? json["rule"] : nil).map(\.string) ?? SortRule.defaultName
    if rule == nil { collector.add(JSONPointer(["rule"]), Sentence.text("a sort rule's name").demanded) }
    return (try collector.finish(destination), rule ?? SortRule.defaultName)
  }
}

extension OrderChange {
  var json: JSON {
    ["changed": .object(JSONObject(indices.mapValues { .number(JSONNumber($0)) }))]
  }
}
