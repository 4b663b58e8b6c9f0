import Layout
import Synchronization

/// Sections already read from their documents, by fingerprint; those that are not asked for are forgotten first.
///
/// They are packed where that is worth it. The contents that were edited last are there open, too: a source that pushes
/// item after item opens its section once.
final class SectionCache: Sendable {
  private struct State {
    /// What was asked for or added lately.
    var young: [String: SectionDefinition] = [:]
    var youngWeight = 0
    /// How many were added to the young ones that were not among the old ones.
    var added = 0
    /// What was before; it goes when the young ones become old.
    var old: [String: SectionDefinition] = [:]
    /// The contents that were edited last, the latest at the end.
    var opened: [(fingerprint: String, content: SectionContent)] = []
  }

  /// What the young ones and the old ones may each weigh.
  private let halfMax: Int
  /// The sections that are added before the young ones become old: one that was filled anew is not kept for long.
  private let addedMax = 4_096
  /// The most items of all contents that are open; the one that was edited last stays, whatever its size.
  private let openedItemsMax = 2_048
  private let state = Mutex(State())

  /// - Parameter itemsMax: The most items of all sections together, children counted, by what they weigh.
  init(itemsMax: Int) { halfMax = itemsMax / 2 }

  func section(_ fingerprint: String) -> SectionDefinition? {
    state.withLock { state in
      if let section = state.young[fingerprint] { return section }
      guard let section = state.old.removeValue(forKey: fingerprint) else { return nil }
      add(section, fingerprint, to: &state)
      return section
    }
  }

  /// - Returns: The section as it is kept.
  @discardableResult
  func insert(_ section: SectionDefinition, fingerprint: String) -> SectionDefinition {
    let packed = section.packed
    state.withLock { state in
      state.added += 1
      add(packed, fingerprint, to: &state)
    }
    return packed
  }

  /// A section's content as values.
  func opened(_ section: SectionDefinition, fingerprint: String) -> SectionContent {
    state.withLock { $0.opened.first { $0.fingerprint == fingerprint }?.content } ?? section.content.opened
  }

  /// Keeps content open that was just edited.
  func keepOpen(_ content: SectionContent, fingerprint: String) {
    let items = content.items.count
    state.withLock { state in
      state.opened.removeAll { $0.fingerprint == fingerprint }
      var left = openedItemsMax - items
      let kept = state.opened.reversed().prefix { other in
        left -= other.content.items.count
        return left >= 0
      }
      state.opened = kept.reversed() + [(fingerprint, content)]
    }
  }

  private func add(_ section: SectionDefinition, _ fingerprint: String, to state: inout State) {
    guard state.young.updateValue(section, forKey: fingerprint) == nil else { return }
    state.youngWeight += section.weight
    guard state.youngWeight > halfMax || state.added > addedMax else { return }
    state.old = state.young
    state.young = [:]
    state.youngWeight = 0
    state.added = 0
  }
}

extension SectionDefinition {
  /// What it takes in memory, in items: half a kilobyte that is packed counts as one.
  fileprivate var weight: Int {
    if let packed = content.packedForm { return 1 + packed.bytes.count / 512 }
    return 1 + allItems.reduce(0) { $0 + $1.count }
  }
}

extension ItemDefinition {
  /// The item and its children at every depth.
  fileprivate var count: Int { children.reduce(1) { $0 + $1.count } }
}
