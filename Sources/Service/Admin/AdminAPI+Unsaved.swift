import JSON
import Layout
import Serving
import Storage

/// What somebody has typed and not saved, laid over a draft to be looked at. Nothing of it is stored.
extension AdminAPI {
  /// The draft of a page with what a body has of it, each member as PUT takes it at its place.
  ///
  /// - Throws: ``Problem`` 422 with everything that is wrong, at its place in the body.
  func draft(_ page: String, with json: JSON) async throws -> PageDefinition {
    var body = try BodyReader(json)
    var draft = try await store.draft(page).definition
    if let json = body.value("settings") {
      try body.take("settings") { draft.settings = try $0.finish(pageSettings(json, of: page, $0)) }
    }
    for (id, json) in body.members(of: body.value("sections"), at: "sections") {
      try body.take("sections", id) { try take(json, as: id, in: &draft, $0) }
    }
    for (section, json) in body.members(of: body.value("content"), at: "content") {
      try body.take("content", section) {
        let content = SectionContent(json: json, sectionID: section, in: context, $0)
        try take(content.map { .replace($0) }, section, in: &draft, $0)
      }
    }
    for (section, items) in body.members(of: body.value("items"), at: "items") {
      for (id, json) in body.members(of: items, at: "items", section) {
        try body.take("items", section, id) {
          try PathParameter.item.check(id)
          try take(ItemDefinition(json: json, id: id, in: context, $0).map { .put($0) }, section, in: &draft, $0)
        }
      }
    }
    for (name, json) in body.members(of: body.value("rules"), at: "rules") {
      try body.take("rules", name) { _ in
        try PathParameter.rule.check(name)
        draft.take(try SortRule(json: json, name: name, in: context))
      }
    }
    if let json = body.value("order") {
      try body.take("order") { _ in try take(order: json, in: &draft) }
    }
    try body.finish()
    return draft
  }

  private func take(
    _ json: JSON, as id: String, in draft: inout PageDefinition, _ collector: ProblemCollector
  ) throws {
    try PathParameter.section.check(id)
    let position = draft.sections.firstIndex { $0.id == id }
    let stored = position.map { draft.sections[$0].content }
    let written = section(json, id, or: stored, collector)
    draft.take(try collector.finish(written?.definition(or: stored)), index: written?.index)
  }

  private func take(
    _ edit: ContentEdit?, _ section: String, in draft: inout PageDefinition, _ collector: ProblemCollector
  ) throws {
    guard let position = draft.sections.firstIndex(where: { $0.id == section }) else {
      throw StoreError.notFound(what: "section", name: section, known: draft.sections.map(\.id))
    }
    guard let edit else { return }
    draft.sections[position].content = draft.sections[position].content.applying(edit)
    let edited = draft.sections[position]
    collector.add(later: edited.content.problems(within: context.limits))
    guard case .put(let item) = edit else { return collector.add(later: problems(in: edited)) }
    let (own, others) = problems(in: edited, putting: item.id)
    collector.add(later: own + others)
  }

  private func take(order json: JSON, in draft: inout PageDefinition) throws {
    let (sections, rule) = try order(json)
    guard draft.sortRules.contains(where: { $0.name == rule }) else {
      throw StoreError.notFound(what: "sort rule", name: rule, known: draft.sortRules.map(\.name))
    }
    do { _ = try draft.setOrder(sections, rule: rule) } catch { throw StoreError.order(error) }
  }
}

extension BodyReader {
  /// The members of what must be an object where it is there.
  fileprivate mutating func members(of json: JSON?, at place: String...) -> [(name: String, value: JSON)] {
    if json != nil, json?.object == nil { add([.notAnObject], at: place) }
    return json?.object?.members.map { ($0.name, $0.value) } ?? []
  }

  /// Takes something as a request to its own place does; what is wrong with it is noted at its place here.
  fileprivate mutating func take(_ place: String..., with take: (ProblemCollector) throws -> Void) throws {
    let collector = ProblemCollector()
    do { try take(collector) } catch let error where Problem(error)?.errors.isEmpty == false {
      return add(Problem(error)?.errors ?? [], at: place)
    }
    add(collector.problems, at: place)
  }

  private mutating func add(_ problems: [DocumentProblem], at place: [String]) {
    for problem in problems {
      add(DocumentProblem(pointer: JSONPointer(place + problem.pointer.tokens), problem.sentence))
    }
  }
}

extension PageDefinition {
  /// Takes a section in the place of the one of its id, or behind all others where there is none.
  ///
  /// - Parameter index: Its index by the default rule; `nil` keeps the one that it has.
  fileprivate mutating func take(_ section: SectionDefinition, index: Int?) {
    if let position = sections.firstIndex(where: { $0.id == section.id }) {
      sections[position] = section
    } else {
      sections.append(section)
    }
    guard let index, let rule = sortRules.firstIndex(where: { $0.name == SortRule.defaultName }) else { return }
    sortRules[rule].indices[section.id] = index
  }

  /// Takes a sort rule in the place of the one of its name.
  fileprivate mutating func take(_ rule: SortRule) {
    sortRules.removeAll { $0.name == rule.name }
    sortRules.insert(rule, at: sortRules.firstIndex { $0.name > rule.name } ?? sortRules.count)
  }
}
