import Layout
import Storage
import Synchronization

/// The latest versions of each variant of live pages, which clients may still hold, with what is needed to assemble
/// them again.
///
/// A lineage stands for a client that variants were made for, over all revisions. Clients can create lineages, so their
/// number and bytes are bounded; the one without news for the longest goes first.
final class KnownVersions: Sendable {
  private struct Lineage: Hashable {
    var page: String
    var client: String
  }

  private struct Version: Hashable {
    var page: String
    var version: String
  }

  private struct Origin {
    var known: KnownVersion
    /// The number of its note, 0 of what is saved.
    var note: UInt64
  }

  private struct State {
    var origins: [Version: Origin] = [:]
    /// The versions of each lineage, oldest first, and the number of the last note.
    var lineages: [Lineage: (versions: [String], note: UInt64)] = [:]
    var lastNote: UInt64 = 0
    var lastSaved: UInt64 = 0
    var bytes = 0
  }

  /// How many versions of each lineage stay known.
  private let keep: Int
  /// How many lineages there may be, of all pages.
  private let lineagesMax: Int
  /// The bytes that all may take.
  private let bytesMax: Int
  private let kept: ByteCharge
  private let state = Mutex(State())

  /// - Parameter budget: What counts the bytes; an eighth of it is for versions.
  init(keep: Int, lineagesMax: Int = 4_096, budget: ByteBudget) {
    self.keep = keep
    self.lineagesMax = max(lineagesMax, 1)
    kept = ByteCharge(in: budget)
    bytesMax = budget.bytesMax / 8
  }

  /// The bytes that all take, about.
  var bytes: Int { kept.bytes }

  /// Takes what was known when the process before ended.
  func load(_ known: [KnownVersion]) {
    guard keep > 0 else { return }
    change { state in
      for version in known { insert(version, isSaved: true, &state) }
    }
  }

  /// Notes that a page's variant is served from now on.
  func note(_ variant: Variant, of page: String) {
    guard variant.key.resource == .page else { return }
    let client = variant.client.key
    note(
      KnownVersion(
        page: page, lineage: client.utf8.count <= 64 ? client : Fingerprint.of(client.utf8), version: variant.version,
        revision: variant.revision, outcome: variant.key.outcome.key, at: variant.from))
  }

  /// Notes that a version is served from now on.
  func note(_ version: KnownVersion) {
    guard keep > 0 else { return }
    change { state in
      let present = state.lineages[Lineage(page: version.page, client: version.lineage)]?.versions.last
      if present != version.version { insert(version, isSaved: false, &state) }
    }
  }

  /// How a version of a page can be assembled again, `nil` when it is not known.
  func origin(of version: String, _ page: String) -> KnownVersion? {
    state.withLock { $0.origins[Version(page: page, version: version)]?.known }
  }

  /// What has been noted and not been saved, in the order of its notes, and the number of the last one for
  /// ``markSaved(upTo:)``.
  var unsaved: (versions: [KnownVersion], last: UInt64) {
    state.withLock { state in
      guard state.lastNote > state.lastSaved else { return ([], state.lastSaved) }
      let origins = state.origins.values.filter { $0.note > state.lastSaved }.sorted { $0.note < $1.note }
      return (origins.map(\.known), state.lastNote)
    }
  }

  /// Whether something has been noted since the last save.
  var hasUnsaved: Bool { state.withLock { $0.lastNote > $0.lastSaved } }

  /// Notes that all versions up to `last` are saved; later ones are not.
  func markSaved(upTo last: UInt64) { state.withLock { $0.lastSaved = max($0.lastSaved, last) } }

  /// Changes what is known, and counts the bytes.
  private func change(_ body: (inout State) -> Void) {
    let grown = state.withLock { state in
      let before = state.bytes
      body(&state)
      return state.bytes - before
    }
    kept.add(grown)
  }

  private func insert(_ version: KnownVersion, isSaved: Bool, _ state: inout State) {
    let name = Lineage(page: version.page, client: version.lineage)
    var versions = state.lineages.removeValue(forKey: name)?.versions ?? []
    if let known = versions.firstIndex(of: version.version) {
      versions.remove(at: known)
      forget(version.version, of: name, &state)
    }
    while versions.count >= keep { forget(versions.removeFirst(), of: name, &state) }
    let bytes = Self.bytes(of: version)
    if state.lineages.count >= lineagesMax || state.bytes + bytes > bytesMax { makeRoom(for: bytes, &state) }
    versions.append(version.version)
    state.lastNote += 1
    state.lineages[name] = (versions, state.lastNote)
    let origin = Origin(known: version, note: isSaved ? 0 : state.lastNote)
    let former = state.origins.updateValue(origin, forKey: Version(page: version.page, version: version.version))
    state.bytes += bytes - (former.map { Self.bytes(of: $0.known) } ?? 0)
  }

  /// Forgets a tenth of the lineages and, where bytes are short, a tenth of those, so that a storm of new ones does not
  /// sort each time.
  private func makeRoom(for bytes: Int, _ state: inout State) {
    let countMax = lineagesMax - lineagesMax / 10 - 1
    let bytesLeft = state.bytes + bytes > bytesMax ? bytesMax - bytesMax / 10 - bytes : .max
    for (name, lineage) in state.lineages.sorted(by: { $0.value.note < $1.value.note })
    where state.lineages.count > countMax || state.bytes > bytesLeft {
      for version in lineage.versions { forget(version, of: name, &state) }
      state.lineages[name] = nil
    }
  }

  /// Another lineage may have had the same content; its clients then get a whole page.
  private func forget(_ version: String, of lineage: Lineage, _ state: inout State) {
    let name = Version(page: lineage.page, version: version)
    guard let origin = state.origins[name]?.known, origin.lineage == lineage.client else { return }
    state.origins[name] = nil
    state.bytes -= Self.bytes(of: origin)
  }

  /// About how many bytes a version takes: its texts, and its entries in both tables with their spare room.
  private static func bytes(of version: KnownVersion) -> Int {
    512 + version.page.utf8.count + version.lineage.utf8.count + version.version.utf8.count
      + version.outcome.utf8.count
  }
}
