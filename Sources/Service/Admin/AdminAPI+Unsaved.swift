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
    let contents = ["content", "items"].flatMap { json[$0]?.object?.members.map(\.name) ?? [] }
    let (stored, removed) = try await store.draft(page, remembering: Set(contents))
    var draft = stored.definition
    if let json = body.value("settings") {
      try body.take("settings") { draft.settings = try $0.finish(pageSettings(json, of: page, $0)) }
    }
    for (id, json) in body.members(of: body.value("sections"), at: "sections") {
      try body.take("sections", id) { try take(json, as: id, in: &draft, $0) }
    }
    for (section, json) in body.members(of: body.value("content"), at: "content") {
      try body.take("content", section) {
        let content = SectionContent(json: json, sectionID: section, in: context, $0)
        let hidden = removed[section]?.hidden ?? []
        let edited = try edited(section, in: &draft, $0) { stored in
          content.map { stored.applying(.replace($0), hiding: hidden) }
        }
        if let edited { $0.add(later: edited.beyondLimits + contentProblems(in: edited.section)) }
      }
    }
    for (section, json) in body.members(of: body.value("items"), at: "items") {
      let items = body.members(of: json, at: "items", section)
      try body.take("items", section) { try take(items, section, in: &draft, removed[section], $0) }
    }
    for (name, json) in body.members(of: body.value("rules"), at: "rules") {
      try body.take("rules", name) { _ in
        try PathParameter.rule.check(name)
        try draft.take(SortRule(json: json, name: name, in: context), within: context.limits)
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
    try draft.take(collector.finish(written?.definition(or: stored)), index: written?.index, within: context.limits)
  }

  /// Takes items, all of them before the section is looked at: one that is wrong makes no other one wrong.
  private func take(
    _ items: [(name: String, value: JSON)], _ section: String, in draft: inout PageDefinition,
    _ removed: RemovedItems?, _ collector: ProblemCollector
  ) throws {
    var puts: [ItemDefinition] = []
    for (id, json) in items {
      try PathParameter.item.check(id)
      let own = ProblemCollector()
      if let item = ItemDefinition(json: json, id: id, in: context, own) { puts.append(item) }
      for problem in own.problems { collector.add(JSONPointer([id] + problem.pointer.tokens), problem.sentence) }
    }
    let areRead = collector.problems.isEmpty
    let edited = try edited(section, in: &draft, collector) { stored in
      puts.isEmpty ? nil : stored.putting(puts, remembering: removed ?? RemovedItems())
    }
    guard let edited, let first = puts.first else { return }
    let ids = Set(puts.map(\.id))
    let limits = edited.section.content.split(edited.beyondLimits, by: ids)
    let found = problems(in: edited.section, putting: ids, after: edited.former)
    let own = (limits.own + found.own).map { $0.problem.at($0.item) }
    let others = (limits.others + found.others).map { $0.at(first.id) }
    // What is wrong with the rest of the section is told once, and of a body that can be read, as PUT does.
    collector.add(later: areRead ? own + others : own)
  }

  /// A section of a draft with other content, which the draft has then, the section before, and whether it is more than there
  /// may be; `nil` where there is none.
  private func edited(
    _ section: String, in draft: inout PageDefinition, _ collector: ProblemCollector,
    _ edit: (SectionContent) -> SectionContent?
  ) throws -> (section: SectionDefinition, former: SectionDefinition, beyondLimits: [DocumentProblem])? {
    guard let position = draft.sections.firstIndex(where: { $0.id == section }) else {
      // What is wrong is told before what is not there, as PUT does.
      guard collector.problems.isEmpty else { return nil }
      throw StoreError.notFound(what: "section", name: section, known: draft.sections.map(\.id))
    }
    let former = draft.sections[position]
    guard let content = edit(former.content) else { return nil }
    draft.sections[position].content = content
    // What is not more may be too much still, when the limits were others.
    let isMore = content.items.count > former.content.items.count
    return (draft.sections[position], former, isMore ? content.problems(within: context.limits) : [])
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
    for problem in problems { add(problem.at(place)) }
  }
}

extension DocumentProblem {
  /// The problem of what stands at a place of something else.
  fileprivate func at(_ place: String...) -> DocumentProblem { at(place) }

  fileprivate func at(_ place: [String]) -> DocumentProblem {
    DocumentProblem(pointer: JSONPointer(place + pointer.tokens), sentence)
  }
}

extension PageDefinition {
  /// Takes a section in the place of the one of its id, or behind all others where there is none.
  ///
  /// - Parameter index: Its index by the default rule; `nil` keeps the one that it has.
  fileprivate mutating func take(_ section: SectionDefinition, index: Int?, within limits: LayoutLimits) throws {
    let position = sections.firstIndex { $0.id == section.id }
    if position == nil, sections.count >= limits.sectionsMax { throw StoreError.tooManySections(limits) }
    if let position { sections[position] = section } else { sections.append(section) }
    guard let index = indexPlacing(section.id, index: index, isNew: position == nil),
      let rule = sortRules.firstIndex(where: { $0.name == SortRule.defaultName })
    else { return }
    sortRules[rule].indices[section.id] = index
  }

  /// Takes a sort rule in the place of the one of its name.
  fileprivate mutating func take(_ rule: SortRule, within limits: LayoutLimits) throws {
    sortRules.removeAll { $0.name == rule.name }
    guard sortRules.count < limits.sortRulesMax else { throw StoreError.tooManySortRules(limits) }
    sortRules.insert(rule, at: sortRules.firstIndex { $0.name > rule.name } ?? sortRules.count)
  }
}
