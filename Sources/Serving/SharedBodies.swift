import Synchronization

/// Finds a document's body if it is ready already. Outcomes with the same document share its bytes in every coding, and
/// so does the next edition for unchanged documents.
final class SharedBodies: Sendable {
  private struct Entry {
    weak var body: CodedBody?
  }

  private struct State {
    /// By version, which is the hash of the content.
    var bodies: [String: Entry] = [:]
    /// How many entries there may be before entries of freed bodies are removed.
    var countMax = 1_024
  }

  private let state = Mutex(State())

  /// The body of a version: the one that somebody has, or else a new one.
  func body(of version: String, _ make: () -> CodedBody) -> CodedBody {
    if let known = state.withLock({ $0.bodies[version]?.body }) { return known }
    let made = make()
    return state.withLock { state in
      if let known = state.bodies[version]?.body { return known }
      if state.bodies.count >= state.countMax {
        state.bodies = state.bodies.filter { $0.value.body != nil }
        state.countMax = max(1_024, state.bodies.count * 2)
      }
      state.bodies[version] = Entry(body: made)
      return made
    }
  }
}
