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
  var loading: Task<ItemsPart, any Error>?

  static func name(of section: String, on page: Page) -> Name? {
    page.sections.first { $0.id == section }?.more.map { Name(list: $0.of, count: $0.count) }
  }
}

extension PageClient {
  /// The items of a section: those that stand in the page, and those that ``more(of:)`` brought since the page has this
  /// list.
  public func items(of section: String) -> [Item] {
    (page?.sections.first { $0.id == section }?.items ?? []) + (lists[section]?.items ?? [])
  }

  /// How many items of a section ``more(of:)`` can still bring.
  public func rest(of section: String) -> Int { list(of: section)?.more?.count ?? 0 }

  /// Brings the next items of a section. Whoever asks meanwhile waits for the same ones.
  ///
  /// Where the list is gone, the loop asks for the page again.
  /// - Returns: The items; none at the end of the list, or when the page has another list by now.
  /// - Throws: ``ClientError``, or `CancellationError`.
  @discardableResult
  public func more(of section: String) async throws -> [Item] {
    guard var list = list(of: section), let more = list.more else { return [] }
    if let loading = list.loading { return try await loading.value.items }
    let task = Task { try await fetch(more) }
    list.loading = task
    lists[section] = list
    let result = await withTaskCancellationHandler {
      await task.result
    } onCancel: {
      task.cancel()
    }
    let isCurrent = lists[section]?.name == list.name
    if isCurrent { lists[section]?.loading = nil }
    let part: ItemsPart
    do { part = try result.get() } catch {
      if case ClientError.refused(let refusal) = error, [400, 410].contains(refusal.status) { refresh() }
      throw error
    }
    guard isCurrent else { return [] }
    lists[section]?.items += part.items
    lists[section]?.more = part.more
    return part.items
  }

  /// The list that the page has of a section, with what was brought of it.
  private func list(of section: String) -> LoadedList? {
    guard let page, let name = LoadedList.name(of: section, on: page) else { return nil }
    if let held = lists[section], held.name == name { return held }
    return LoadedList(name: name, more: page.sections.first { $0.id == section }?.more)
  }

  private func fetch(_ more: Section.More) async throws -> ItemsPart {
    guard let request = PageRequest.ofItems(more.href, settings) else {
      throw ClientError.unreadable("\(more.href) is no link of this server")
    }
    let answer = try await answer(request)
    guard answer.status == 200 else {
      throw ClientError.refused(Refusal(status: answer.status, body: answer.body) { answer[$0] })
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
