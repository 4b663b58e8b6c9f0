public import HomePayload

/// What was brought of a section's list beyond the page.
struct LoadedList: Sendable {
  /// What tells one list, and where the page's part of it ends, from others.
  struct Name: Hashable, Sendable {
    var list: String
    var count: Int
  }

  let name: Name
  var items: [Item] = []
  /// What follows; `nil` at the end of the list.
  var more: Section.More?
}

extension Section {
  fileprivate var listName: LoadedList.Name? { more.map { LoadedList.Name(list: $0.of, count: $0.count) } }
}

/// A part of a list that is under way, and who waits for it.
struct ListLoad {
  /// Which list's.
  struct Name: Hashable {
    var section: String
    var list: LoadedList.Name
  }

  /// What tells it from the ones before.
  let number: Int
  let task: Task<Void, Never>
  var waiting: [Int: CheckedContinuation<[Item], any Error>] = [:]
}

extension PageClient {
  /// The items of a section: those that stand in the page, and those that ``more(of:)`` brought since the page has this
  /// list.
  public func items(of section: String) -> [Item] {
    (page?.sections.first { $0.id == section }?.items ?? []) + (lists[section]?.items ?? [])
  }

  /// The page with the items that ``more(of:)`` brought: each section's `more` says what is still missing.
  public var wholePage: Page? {
    guard var page else { return nil }
    for place in page.sections.indices {
      guard let list = lists[page.sections[place].id], list.name == page.sections[place].listName else { continue }
      page.sections[place].items += list.items
      page.sections[place].more = list.more
    }
    return page
  }

  /// How many items of a section ``more(of:)`` can still bring.
  public func rest(of section: String) -> Int { list(of: section)?.more?.count ?? 0 }

  /// Brings the next items of a section. Whoever asks meanwhile waits for the same ones, and leaves them at once when
  /// cancelled; where all have left, nothing is asked any more.
  ///
  /// Where the list is gone, the loop asks for the page again.
  /// - Returns: The items; none at the end of the list, or when the page has another list by now.
  /// - Throws: ``ClientError``, or `CancellationError`.
  @discardableResult
  public func more(of section: String) async throws -> [Item] {
    tickets += 1
    let ticket = tickets
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
        guard let list = list(of: section), let more = list.more else { return continuation.resume(returning: []) }
        lists[section] = list
        let name = ListLoad.Name(section: section, list: list.name)
        if loads[name] == nil { load(name, more, number: ticket) }
        loads[name]?.waiting[ticket] = continuation
      }
    } onCancel: {
      Task { await self.leave(part: ticket) }
    }
  }

  private func load(_ name: ListLoad.Name, _ more: Section.More, number: Int) {
    loads[name] = ListLoad(
      number: number,
      task: Task {
        let result: Result<ItemsPart, any Error>
        do { result = .success(try await fetch(more)) } catch { result = .failure(error) }
        arrive(name, number, result)
      })
  }

  private func arrive(_ name: ListLoad.Name, _ number: Int, _ result: Result<ItemsPart, any Error>) {
    // All have left it, and another one may be under way.
    guard let load = loads[name], load.number == number else { return }
    loads[name] = nil
    if case .failure(ClientError.refused(let refusal)) = result, [400, 410].contains(refusal.status) { refresh() }
    let isCurrent = lists[name.section]?.name == name.list
    if isCurrent, case .success(let part) = result {
      lists[name.section]?.items += part.items
      lists[name.section]?.more = part.more
    }
    for continuation in load.waiting.values { continuation.resume(with: result.map { isCurrent ? $0.items : [] }) }
  }

  private func leave(part ticket: Int) {
    guard let name = loads.first(where: { $0.value.waiting[ticket] != nil })?.key else { return }
    loads[name]?.waiting.removeValue(forKey: ticket)?.resume(throwing: CancellationError())
    guard let load = loads[name], load.waiting.isEmpty else { return }
    load.task.cancel()
    loads[name] = nil
  }

  /// The list that the page has of a section, with what was brought of it.
  private func list(of section: String) -> LoadedList? {
    guard let found = page?.sections.first(where: { $0.id == section }), let name = found.listName else { return nil }
    if let held = lists[section], held.name == name { return held }
    return LoadedList(name: name, more: found.more)
  }

  /// Forgets what was brought of lists that the page has no more.
  func dropOtherLists() { lists = lists.filter { list(of: $0.key)?.name == $0.value.name } }

  private func fetch(_ more: Section.More) async throws -> ItemsPart {
    guard let request = PageRequest.ofItems(more.href, settings) else {
      throw ClientError.unreadable("\(more.href) is no link of this server")
    }
    if let refusal = refusalThatHolds { throw ClientError.refused(refusal) }
    let answer = try await answer(request)
    guard answer.status == 200 else {
      let error = ClientError.refused(Refusal(status: answer.status, body: answer.body) { answer[$0] })
      heed(error)
      throw error
    }
    do throws(PayloadError) {
      let part = try ItemsPart(bytes: answer.body)
      guard part.of == more.of, !part.items.isEmpty else { throw PayloadError("/of", "is of another list") }
      return part
    } catch {
      throw ClientError.unreadable("no part of the list: \(error)")
    }
  }
}
