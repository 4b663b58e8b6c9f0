import Layout
import Synchronization

/// Sections already read from their documents, by fingerprint; those that are not asked for are forgotten first.
final class SectionCache: Sendable {
  private struct State {
    /// What was asked for or added lately.
    var young: [String: SectionDefinition] = [:]
    var youngItems = 0
    /// What was before; it goes when the young ones become old.
    var old: [String: SectionDefinition] = [:]
  }

  /// The items that the young ones and the old ones may each hold; a section counts as one more.
  private let halfMax: Int
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
    state.withLock { add(section, fingerprint, to: &$0) }
  }

  private func add(_ section: SectionDefinition, _ fingerprint: String, to state: inout State) {
    guard state.young.updateValue(section, forKey: fingerprint) == nil else { return }
    state.youngItems += 1 + section.allItems.reduce(0) { $0 + $1.count }
    guard state.youngItems > halfMax else { return }
    state.old = state.young
    state.young = [:]
    state.youngItems = 0
  }
}

extension ItemDefinition {
  /// The item and its children at every depth.
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}
