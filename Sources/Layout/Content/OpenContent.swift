import JSON
import Synchronization

/// Content as values, with what checks know of its items: after an edit of one of ten thousand items, the others need
/// not be checked again.
///
/// Copies of the content share it; packed ones too, as long as something holds it.
public final class OpenContent: Sendable {
  let values: SectionContent.Values
  /// The places in the list of the items that a look has to look at: it has said something of them, or they came since.
  /// By what the look depends on beside the items.
  private let suspects: Mutex<[String: Set<Int>]>

  /// More looks than this are not told apart: there is one by the kinds and one by lint for each page's locales.
  private static let looksMax = 8

  init(_ values: SectionContent.Values) {
    self.values = values
    suspects = Mutex([:])
  }

  /// Content in which the item at one place is another, or is the last one and was not there.
  init(_ values: SectionContent.Values, after former: OpenContent, except place: Int) {
    self.values = values
    suspects = Mutex(former.suspects.withLock { $0 }.mapValues { $0.union([place]) })
  }

  /// The places of the items that a look has to look at; `nil` when it is all of them.
  func suspects(of look: String) -> Set<Int>? { suspects.withLock { $0[look] } }

  /// Records the items that a check complained about. The next check skips all others.
  func note(_ places: some Sequence<JSONPointer>, of look: String) {
    let found = places.filter { $0.tokens.count > 1 && $0.tokens[0] == "items" }.compactMap { Int($0.tokens[1]) }
    suspects.withLock { suspects in
      if suspects[look] == nil, suspects.count >= Self.looksMax { suspects = [:] }
      suspects[look] = Set(found)
    }
  }
}

/// Content that somebody may keep open, or nobody.
final class OpenContentReference: Sendable {
  private struct State: Sendable { weak var content: OpenContent? }
  private let state: Mutex<State>

  init(_ content: OpenContent? = nil) { state = Mutex(State(content: content)) }

  /// The content; opened when nobody keeps it.
  func content(otherwise open: () -> SectionContent.Values) -> OpenContent {
    if let content = state.withLock({ $0.content }) { return content }
    let content = OpenContent(open())
    state.withLock { $0.content = content }
    return content
  }
}
