import Layout
import Synchronization

/// Sections already read from their documents, by fingerprint; those that are not asked for are forgotten first.
///
/// They are packed where that is worth it. The contents that were edited last are there open, too: a source that pushes
/// item after item opens its section once.
final class SectionCache: Sendable {
  private struct State {
    /// Sections requested or added lately.
    var young: [String: SectionDefinition] = [:]
    var youngBytes = 0
    /// How many of the young ones took the place of another one: of a section that is edited again and again, the states
    /// before are of no use.
    var edited = 0
    /// Older sections, dropped when the young ones become old.
    var old: [String: SectionDefinition] = [:]
    /// The contents that were edited last, the latest at the end.
    var opened: [(fingerprint: String, content: SectionContent)] = []
  }

  /// What the young ones and the old ones may each take, in bytes.
  private let halfMax: Int
  /// The edits after which the young ones become old: what nobody asks for during as many again goes.
  private let editedMax = 64
  /// The most items of all open contents. The last edited content stays, of any size.
  private let openedItemsMax = 2_048
  private let state = Mutex(State())

  /// - Parameter bytesMax: What all sections may take together, about.
  init(bytesMax: Int) { halfMax = bytesMax / 2 }

  /// How many sections are kept.
  var count: Int { state.withLock { $0.young.count + $0.old.count } }

  func section(_ fingerprint: String) -> SectionDefinition? {
    state.withLock { state in
      if let section = state.young[fingerprint] { return section }
      guard let section = state.old.removeValue(forKey: fingerprint) else { return nil }
      add(section, fingerprint, to: &state)
      return section
    }
  }

  /// - Parameter isEdited: Whether it takes the place of another one, and was not read.
  /// - Returns: The section as it is kept.
  @discardableResult
  func insert(_ section: SectionDefinition, fingerprint: String, isEdited: Bool = false) -> SectionDefinition {
    let packed = section.packed
    state.withLock { state in
      if isEdited, state.young[fingerprint] == nil, state.old[fingerprint] == nil { state.edited += 1 }
      add(packed, fingerprint, to: &state)
    }
    return packed
  }

  /// Keeps what an edit has made of a section.
  func insert(edited section: SectionDefinition) -> (section: SectionDefinition, fingerprint: String) {
    let written = section.written
    return (insert(written.section, fingerprint: written.fingerprint, isEdited: true), written.fingerprint)
  }

  /// A section's content as values.
  func opened(_ section: SectionDefinition, fingerprint: String) -> SectionContent {
    state.withLock { $0.opened.first { $0.fingerprint == fingerprint }?.content } ?? section.content.opened
  }

  /// Keeps content open that was just edited, where it would be packed otherwise.
  func keepOpen(_ content: SectionContent, of kept: SectionDefinition, fingerprint: String) {
    guard kept.content.packedForm != nil else { return }
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
    state.youngBytes += section.bytesKept
    guard state.youngBytes > halfMax || state.edited > editedMax else { return }
    state.old = state.young
    state.young = [:]
    state.youngBytes = 0
    state.edited = 0
  }
}

extension SectionDefinition {
  /// About how much memory it takes: values take ten times their text.
  fileprivate var bytesKept: Int {
    1_024 + (content.packedForm?.bytes.count ?? allItems.reduce(0) { $0 + 10 * $1.canonicalBytes.count })
  }
}
