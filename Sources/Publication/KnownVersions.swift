import Layout
import Storage
import Synchronization

/// The versions of live pages that clients may still hold: how each can be assembled again, the last of every variant.
///
/// A lineage is a client that variants were made for, whatever the revision. Clients can make lineages, so that there
/// is a bound to them: the one that had nothing new for the longest goes first.
final class KnownVersions: Sendable {
  private struct Lineage: Hashable {
    var page: String
    var client: String
  }

  private struct Version: Hashable {
    var page: String
    var version: String
  }

  private struct State {
    var origins: [Version: KnownVersion] = [:]
    /// The versions of each lineage, oldest first, and the number of the last note.
    var lineages: [Lineage: (versions: [String], note: UInt64)] = [:]
    var lastNote: UInt64 = 0
    var unsaved: [KnownVersion] = []
  }

  /// How many versions of each lineage stay known.
  private let keep: Int
  /// How many lineages there may be, of all pages.
  private let lineagesMax: Int
  private let state = Mutex(State())

  init(keep: Int, lineagesMax: Int = 4_096) {
    self.keep = keep
    self.lineagesMax = max(lineagesMax, 1)
  }

  /// Takes what was known when the process before ended.
  func load(_ known: [KnownVersion]) {
    state.withLock { state in
      for version in known { insert(version, &state) }
    }
  }

  /// Notes that a page's variant is served from now on.
  func note(_ variant: Variant, of page: String) {
    guard variant.key.resource == .page, keep > 0 else { return }
    let client = variant.client.key
    let version = KnownVersion(
      page: page, lineage: client.utf8.count <= 64 ? client : Fingerprint.of(client.utf8), version: variant.version,
      revision: variant.revision, outcome: variant.key.outcome.key, at: variant.from)
    state.withLock { state in
      guard state.lineages[Lineage(page: page, client: version.lineage)]?.versions.last != version.version else {
        return
      }
      insert(version, &state)
      state.unsaved.append(version)
    }
  }

  /// How a version of a page can be assembled again, `nil` when it is not known.
  func origin(of version: String, _ page: String) -> KnownVersion? {
    state.withLock { $0.origins[Version(page: page, version: version)] }
  }

  /// What has been noted and not been saved; it is to be saved, or given back.
  func takeUnsaved() -> [KnownVersion] {
    state.withLock { state in
      defer { state.unsaved = [] }
      return state.unsaved
    }
  }

  /// What could not be saved is tried again, as much of it as there may be known.
  func giveBack(_ unsaved: [KnownVersion]) {
    state.withLock { state in state.unsaved = (unsaved + state.unsaved).suffix(lineagesMax) }
  }

  private func insert(_ version: KnownVersion, _ state: inout State) {
    let name = Lineage(page: version.page, client: version.lineage)
    if state.lineages[name] == nil, state.lineages.count >= lineagesMax { makeRoom(&state) }
    var versions = state.lineages[name]?.versions ?? []
    versions.removeAll { $0 == version.version }
    versions.append(version.version)
    if versions.count > keep { forget(versions.removeFirst(), of: name, &state) }
    state.lastNote += 1
    state.lineages[name] = (versions, state.lastNote)
    state.origins[Version(page: version.page, version: version.version)] = version
  }

  /// Forgets a tenth of the lineages, so that a storm of new ones does not sort each time.
  private func makeRoom(_ state: inout State) {
    for (name, lineage) in state.lineages.sorted(by: { $0.value.note < $1.value.note }).prefix(lineagesMax / 10 + 1) {
      for version in lineage.versions { forget(version, of: name, &state) }
      state.lineages[name] = nil
    }
  }

  /// Another lineage may have had the same content; its clients then get a whole page.
  private func forget(_ version: String, of lineage: Lineage, _ state: inout State) {
    let name = Version(page: lineage.page, version: version)
    if state.origins[name]?.lineage == lineage.client { state.origins[name] = nil }
  }
}
