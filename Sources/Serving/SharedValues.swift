import Synchronization

/// Finds a document's body if it is ready already, by its version, which is the hash of the content. Outcomes with the
/// same document share its bytes in every coding, and so does the next edition for unchanged documents.
typealias SharedBodies = SharedValues<String, CodedBody>

/// Values that all who need one of a name share, for as long as somebody has it.
final class SharedValues<Name: Hashable & Sendable, Value: AnyObject & Sendable>: Sendable {
  private struct Entry {
    weak var value: Value?
  }

  private struct State {
    var entries: [Name: Entry] = [:]
    /// How many entries there may be before entries of freed values are removed.
    var countMax = 1_024
  }

  private let state = Mutex(State())

  /// The value that somebody has.
  subscript(name: Name) -> Value? { state.withLock { $0.entries[name]?.value } }

  /// The value that somebody has, or else a new one.
  func value(of name: Name, _ make: () -> Value) -> Value {
    if let known = self[name] { return known }
    let made = make()
    return state.withLock { state in
      if let known = state.entries[name]?.value { return known }
      if state.entries.count >= state.countMax {
        state.entries = state.entries.filter { $0.value.value != nil }
        state.countMax = max(1_024, state.entries.count * 2)
      }
      state.entries[name] = Entry(value: made)
      return made
    }
  }
}
