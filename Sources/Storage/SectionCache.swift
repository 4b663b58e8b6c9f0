import Layout
import Synchronization

/// Sections already read from their documents, by fingerprint; those that are not asked for are forgotten first.
final class SectionCache: Sendable {
  private struct State {
    /// What was asked for or added lately.
    var young: [String: SectionDefinition] = [:]
    var youngItems = 0
    /// How many were added to the young ones that were not among the old ones.
    var added = 0
    /// What was before; it goes when the young ones become old.
    var old: [String: SectionDefinition] = [:]
  }

  /// The items that the young ones and the old ones may each hold; a section counts as one more.
  private let halfMax: Int
  /// The sections that are added before the young ones become old: one that was filled anew is not kept for long.
  private let addedMax = 512
  private let state = Mutex(State())

  /// - Parameter itemsMax: The most items of all sections together, children counted.
  init(itemsMax: Int) { halfMax = itemsMax / 2 }

  func section(_ fingerprint: String) -> SectionDefinition? {
    state.withLock { state in
      if let section = state.young[fingerprint] { return section }
      guard let section = state.old.removeValue(forKey: fingerprint) else { return nil }
      add(section, fingerprint, to: &state)
      return section
    }
  }

  func insert(_ section: SectionDefinition, fingerprint: String) {
    state.withLock { state in
      state.added += 1
      add(section, fingerprint, to: &state)
    }
  }

  private func add(_ section: SectionDefinition, _ fingerprint: String, to state: inout State) {
    guard state.young.updateValue(section, forKey: fingerprint) == nil else { return }
    state.youngItems += 1 + section.allItems.reduce(0) { $0 + $1.count }
    guard state.youngItems > halfMax || state.added > addedMax else { return }
    state.old = state.young
    state.young = [:]
    state.youngItems = 0
    state.added = 0
  }
}

extension ItemDefinition {
  /// The item and its children at every depth.
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}
