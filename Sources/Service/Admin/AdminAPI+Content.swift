import HTTPServer
import JSON
import Layout
import Serving
import Storage

extension AdminAPI {
  var contentRoutes: [Route] {
    let path = "pages/{page}/sections/{section}"
    return [
      Route("GET", path + "/content", .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        return .value(state.section.content.json, tag: state.contentTag)
      },
      Route(
        "PUT", path + "/content", .source, condition: .never, body: .json("SectionContent"), query: ["publish"],
        keeps: .head,
        mistakes: { [self] json in
          let collector = ProblemCollector()
          _ = SectionContent(json: json, sectionID: "", in: context, collector)
          return collector.problems
        }
      ) { [self] in try await putContent($0) },
      Route("GET", path + "/items/{item}", .viewer) { [self] context in
        let state = try await store.section(context.page, context.section)
        let wanted = context.parameters["item"] ?? ""
        guard let item = state.section.allItems.first(where: { $0.id == wanted }) else {
          throw StoreError.notFound(what: "item", name: wanted, known: state.section.allItems.prefix(100).map(\.id))
        }
        return .value(item.json, tag: item.entityTag)
      },
      Route(
        "PUT", path + "/items/{item}", .source, condition: .never, body: .json("Item"), query: ["publish"],
        keeps: .head,
        mistakes: { [self] json in
          let collector = ProblemCollector()
          let item = ItemDefinition(json: json, id: json["id"]?.string ?? "item", in: context, collector)
          collector.add(later: item.map(kinds.problems(in:)) ?? [])
          return collector.problems
        }
      ) { [self] in try await putItem($0) },
      Route("DELETE", path + "/items/{item}", .source, condition: .never, query: ["publish"], keeps: .head) { [self] in
        try await deleteItem($0)
      },
      Route("POST", path + "/items/{item}/hide", .source, condition: .never, query: ["publish"], keeps: .head) {
        [self] in
        try await edit(.hide($0.item), $0)
      },
      Route(
        "POST", path + "/items/{item}/restore", .source, condition: .never, body: .optional("ItemRestoreRequest"),
        query: ["publish"], keeps: .head
      ) { [self] context in
        let body = try context.json()
        let wanted = body.object?.isEmpty == true ? nil : try Destination.read(body, takesRule: false).destination
        return try await edit(.restore(context.item, wanted), context)
      },
      Route(
        "POST", path + "/items/{item}/move", .source, condition: .never, body: .json("ItemMoveRequest"),
        query: ["publish"], keeps: .head
      ) { [self] context in
        let wanted = try Destination.read(context.json(), takesRule: false).destination
        return try await edit(.move(context.item, wanted), context)
      },
    ]
  }

  private func putContent(_ context: AdminContext) async throws -> Response {
    let collector = ProblemCollector()
    let read = try SectionContent(json: context.json(), sectionID: context.section, in: self.context, collector)
    if let read { await collect(.replace(read), collector, context) }
    let content = try collector.finish(read)
    return try await carryOut(.replace(content), context) { .value(($0.live ?? $0.content).json, tag: $0.tag) }
  }

  /// Moves, hides or restores an item of the draft, and with `publish` of what is live.
  private func edit(_ edit: ContentEdit, _ context: AdminContext) async throws -> Response {
    let item = context.item
    return try await carryOut(edit, context) { made in
      let content = (made.live ?? made.content).opened
      var object: JSONObject = ["hidden": .bool(content.item(item)?.isHidden ?? true)]
      object["index"] = content.items.firstIndex { $0.id == item }.map { .number(JSONNumber($0)) }
      return .value(.object(object), tag: made.content.item(item)?.entityTag)
    }
  }

  private func putItem(_ context: AdminContext) async throws -> Response {
    let collector = ProblemCollector()
    let read = try ItemDefinition(json: context.json(), id: context.item, in: self.context, collector)
    if let read { await collect(.put(read), collector, context) }
    let item = try collector.finish(read)
    return try await carryOut(.put(item), context) { made in
      let kept = (made.live ?? made.content).item(item.id) ?? item
      return .value(kept.json, made.isNew ? 201 : 200, tag: made.content.item(item.id)?.entityTag)
    }
  }

  private func deleteItem(_ context: AdminContext) async throws -> Response {
    try await carryOut(.remove(context.item), context) { _ in .done() }
  }

  /// Adds the section kind's complaints about the rest of a body with mistakes, so one mistake hides no other.
  private func collect(_ edit: ContentEdit, _ collector: ProblemCollector, _ context: AdminContext) async {
    guard !collector.problems.isEmpty, let former = try? await store.section(context.page, context.section).section
    else { return }
    var section = former
    section.content = former.content.applying(edit)
    guard case .put(let item) = edit else { return collector.add(later: contentProblems(in: section)) }
    collector.add(later: problems(in: section, putting: [item.id], after: former).own.map(\.problem))
  }

  /// Throws what an edit makes wrong with a section, at places of an item's body where it is that item.
  ///
  /// - Parameter former: The section before.
  func check(_ edit: ContentEdit, _ section: SectionDefinition, after former: SectionDefinition) throws {
    func all(putting item: String) -> [DocumentProblem] {
      let (own, others) = problems(in: section, putting: [item], after: former)
      return own.map(\.problem) + others
    }
    let found: [DocumentProblem]
    switch edit {
    // What goes or stands elsewhere is not wrong for its kind by that.
    case .remove, .hide, .move: return
    case .replace: found = contentProblems(in: section)
    case .put(let item): found = all(putting: item.id)
    case .restore(let id, _): found = all(putting: id)
    }
    guard found.isEmpty else { throw Problem.invalid(found) }
  }

  /// What is wrong with a section's content for its kind, which must be there. Of its settings nothing else counts: no
  /// content can put that right.
  func contentProblems(in section: SectionDefinition) -> [DocumentProblem] {
    kinds.problems(in: section.settings).filter { $0.pointer.tokens == ["kind"] }
      + kinds.problems(in: section.content, of: section.settings)
  }

  /// What is wrong with items of a section, at places of each, and what else is that was not before they were put.
  ///
  /// - Parameter former: The section before.
  func problems(
    in section: SectionDefinition, putting items: Set<String>, after former: SectionDefinition
  ) -> (own: [(item: String, problem: DocumentProblem)], others: [DocumentProblem]) {
    var found = section.content.split(contentProblems(in: section), by: items)
    guard !found.others.isEmpty else { return found }
    let (before, after) = (former.content.opened, section.content.opened)
    let known = Set(kinds.problems(in: before, of: former.settings).map(before.lasting))
    found.others.removeAll { known.contains(after.lasting($0)) }
    return found
  }

  /// Edits a section's content: in the draft and, with `publish`, in what is live, and nothing else of the draft there.
  ///
  /// - Parameter answer: The answer that follows from what it has made.
  private func carryOut(
    _ edit: ContentEdit, _ context: AdminContext,
    answering answer: @Sendable @escaping (MadeContent) -> Response
  ) async throws -> Response {
    let precondition = try context.precondition()
    let checkEdited: ContentCheck = { [self] in try check(edit, $0, after: $1) }
    guard try context.request.flag("publish") else {
      return try await context.change {
        try await store.edit(
          context.page, context.section, edit, if: precondition, by: context.actor, keeping: $0, check: checkEdited)
      } answering: { made in
        answer(made)
      }
    }
    let told: @Sendable (Published) -> Response = {
      ($0.content.map(answer) ?? .done()).telling($0.revision)
    }
    let published = try await publisher.publish(
      context.page, .content(section: context.section, edit), if: precondition, by: context.actor,
      keeping: context.keeping(told), check: checkEdited, review: { [self] in try review($0, $1, isOfContent: true) })
    return told(published).telling(await nodesServing([published.revision], context))
  }
}

extension SectionContent {
  fileprivate func lasting(_ problem: DocumentProblem) -> DocumentProblem {
    DocumentProblem(pointer: lasting(problem.pointer), problem.sentence)
  }

  /// A place that stays the same while other items come and go: an item has the tag there that it has while it is shown,
  /// instead of its position.
  func lasting(_ place: JSONPointer) -> JSONPointer {
    let tokens = place.tokens
    guard tokens.count > 1 else { return place }
    var item: ItemDefinition?
    switch tokens[0] {
    case "items": item = Int(tokens[1]).flatMap { items.indices.contains($0) ? items[$0] : nil }
    case "slots": item = slots[tokens[1]]
    default: break
    }
    item?.hidden = nil
    return item.map { JSONPointer([tokens[0], $0.entityTag] + tokens.dropFirst(2)) } ?? place
  }

  /// Tells what is wrong with some of its items, each problem at a place of the item, from what is wrong with others.
  func split(
    _ problems: [DocumentProblem], by items: Set<String>
  ) -> (own: [(item: String, problem: DocumentProblem)], others: [DocumentProblem]) {
    guard !problems.isEmpty else { return ([], []) }
    let content = opened
    var places: [[String]: String] = [:]
    for (position, item) in content.items.enumerated() where items.contains(item.id) {
      places[["items", String(position)]] = item.id
    }
    for (slot, item) in content.slots where items.contains(item.id) { places[["slots", slot]] = item.id }
    var found: (own: [(item: String, problem: DocumentProblem)], others: [DocumentProblem]) = ([], [])
    for problem in problems {
      let tokens = problem.pointer.tokens
      if let item = places[Array(tokens.prefix(2))] {
        found.own.append((item, DocumentProblem(pointer: JSONPointer(Array(tokens.dropFirst(2))), problem.sentence)))
      } else {
        found.others.append(problem)
      }
    }
    return found
  }
}

extension AdminContext {
  /// The item that the path names.
  fileprivate var item: String { parameters["item"] ?? "" }
}

extension Response {
  /// With the revision that is live now.
  fileprivate func telling(_ revision: Revision) -> Response {
    var response = self
    response.fields.append(.edition(revision.edition))
    return response
  }
}
