public import Layout
import Storage
import Threads

extension Publisher {
  /// What the part of a list is kept by.
  public static func partKey(_ cursor: ListCursor) -> VariantKey {
    VariantKey(resource: .items(cursor), outcome: cursor.list.outcome)
  }

  /// Makes a part of a list ready: takes milliseconds, so never on a loop. The list is that of the live edition, or of any
  /// revision that the database has; one list is loaded at a time.
  func makePart(_ cursor: ListCursor, of edition: Edition) async -> Result<Variant, Problem> {
    let key = Self.partKey(cursor)
    if let ready = edition.variant(for: key, at: clock()) { return .success(ready) }
    // Looked at before: the first one that is too many is kept, and what was sent the longest ago goes for it.
    let isKept = !budget.isExceeded
    let found: ItemList.Found
    do { found = try await list(cursor, of: edition) } catch { return .failure(.listUnavailable) }
    guard case .list(let list) = found else {
      if case .gone = found { return .failure(.listGone) }
      return .failure(.malformedCursor)
    }
    giveWayToLoops()
    guard let part = list.part(at: cursor) else { return .failure(.malformedCursor) }
    let document = edition.parts.document(part)
    let made = edition.makePart(key, version: document.version, body: document.body)
    return .success(isKept ? edition.insert(made) : made)
  }

  private func list(_ cursor: ListCursor, of edition: Edition) async throws -> ItemList.Found {
    let (page, withheld) = (edition.page, edition.plan.definition.withheld)
    let (key, hash, kinds) = (cursor.list, cursor.hash, kinds)
    let name = ItemListName(page: page, kinds: kinds.identity, key: key, withheld: withheld)
    return try await lists.value(name) { [store] in
      var section = edition.plan.section(key.section, fingerprint: key.fingerprint)
      // No list of what is live waits for a server that does not answer.
      if section == nil, store.isAway { throw StoreError.database(.unreachable) }
      if section == nil { section = try await store.publishedSection(page, key.section, fingerprint: key.fingerprint) }
      guard let section else { return .gone }
      giveWayToLoops()
      let found = ItemList.find(key, in: section, of: page, kinds: kinds, withheld: withheld)
      // One that nobody was told of is not kept in the place of those that clients ask for.
      if case .list(let list) = found, list.hash != hash { return .none }
      return found
    }
  }
}
