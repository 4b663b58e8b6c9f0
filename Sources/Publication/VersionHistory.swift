import Layout
import Storage
import Synchronization

/// The versions of one page that clients may still hold: how each can be assembled again, the last of every variant.
final class VersionHistory: Sendable {
  private struct State {
    var origins: [String: KnownVersion] = [:]
    /// The versions of each lineage, oldest first.
    var lineages: [String: [String]] = [:]
    var unsaved: [KnownVersion] = []
  }

  /// How many versions of each variant stay known.
  private let keep: Int
  /// How many variants' versions stay known; those that came first go first.
  private let lineagesMax = 4_096
  private let state = Mutex(State())

  init(keep: Int, known: [KnownVersion] = []) {
    self.keep = keep
    state.withLock { state in
      for version in known { insert(version, &state) }
    }
  }

  /// Remembers a version that is served from now on.
  func note(_ version: KnownVersion) {
    state.withLock { state in
      guard state.lineages[version.lineage]?.last != version.version else { return }
      insert(version, &state)
      state.unsaved.append(version)
    }
  }

  /// How a version can be assembled again, `nil` when it is not known.
  func origin(of version: String) -> KnownVersion? { state.withLock { $0.origins[version] } }

  /// What has been noted since the last call.
  func takeUnsaved() -> [KnownVersion] {
    state.withLock { state in
      defer { state.unsaved = [] }
      return state.unsaved
    }
  }

  private func insert(_ version: KnownVersion, _ state: inout State) {
    if state.lineages.count >= lineagesMax, state.lineages[version.lineage] == nil { state = State() }
    var versions = state.lineages[version.lineage] ?? []
    versions.removeAll { $0 == version.version }
    versions.append(version.version)
    if versions.count > keep {
      let oldest = versions.removeFirst()
      // Another lineage may have had the same content; its clients then get a whole page.
      if state.origins[oldest]?.lineage == version.lineage { state.origins[oldest] = nil }
    }
    state.lineages[version.lineage] = versions
    state.origins[version.version] = version
  }
}
