import HTTPServer
package import Layout
package import Logging
package import Storage
import Synchronization
import Threads

/// The pictures that can be had, from this machine's disk or the database: which there are, and their bytes.
///
/// Names of pictures that are not there are the clients' to choose: the database is asked for at most once a second
/// whether there are others than it said.
package final class AssetShelf: Sendable {
  private struct State {
    var sizes: [AssetName: Int] = [:]
    /// What the database said there was when they were read.
    var state: [Int64] = []
    /// The pictures of the sections that are live, by the sections' fingerprints.
    var live: [String: Set<AssetName>] = [:]
    var liveNames: Set<AssetName> = []
    /// The editions that `live` belongs to.
    var editions: [String: String] = [:]
    /// Before this, unknown names are not asked for, and live pages not looked at again.
    var askedAt: ContinuousClock.Instant?
    var notBefore: ContinuousClock.Instant?
  }

  let store: Store
  package let settings: AssetSettings
  package let cache: AssetCache
  private let logger: Logger
  private let state = Mutex(State())
  private let reads: SharedWork<AssetName, [UInt8]?>

  package init(store: Store, settings: AssetSettings, logger: Logger) {
    self.store = store
    self.settings = settings
    self.logger = logger
    cache = AssetCache(folder: settings.cacheFolder, bytesMax: settings.cacheBytesMax)
    reads = SharedWork(most: settings.readsMax)
  }

  /// How many pictures there are, and how many bytes they have together.
  package var count: (pictures: Int, bytes: Int) {
    state.withLock { ($0.sizes.count, $0.sizes.values.reduce(0, +)) }
  }

  /// The size of a picture in bytes, if known; `nil` otherwise.
  func size(of name: AssetName) -> Int? { state.withLock { $0.sizes[name] } }

  /// Reads which pictures there are, when that may have changed.
  package func refresh() async throws {
    let found = try await store.assetState()
    guard found != state.withLock({ $0.state }) else { return }
    // In this order: what comes between the two is read again the next time.
    let sizes = try await store.assetSizes()
    let gone = state.withLock { state in
      defer { (state.sizes, state.state) = (sizes, found) }
      // What is live is sent for as long as it is, whatever became of the database.
      return state.sizes.keys.filter { sizes[$0] == nil && !state.liveNames.contains($0) }
    }
    cache.remove(gone)
  }

  /// Whether there is a picture of this name, as far as it is known within a second.
  func has(_ name: AssetName) async -> Bool {
    if size(of: name) != nil || cache.has(name) { return true }
    let now = ContinuousClock.now
    let mayAsk = state.withLock { state in
      if let askedAt = state.askedAt, now - askedAt < .seconds(1) { return false }
      state.askedAt = now
      return true
    }
    guard mayAsk else { return false }
    try? await refresh()
    return size(of: name) != nil
  }

  /// Gives a picture's bytes to `finish`, which gets `nil` when they cannot be had.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  package func read(_ name: AssetName, then finish: @escaping @Sendable ([UInt8]?) -> Void) -> Bool {
    reads.join(name, then: finish) {
      Task { [self] in
        giveWayToLoops()
        reads.finish(name, await bytes(of: name))
      }
    }
  }

  private func bytes(of name: AssetName) async -> [UInt8]? {
    if let bytes = cache.read(name) { return bytes }
    guard !store.isAway, await has(name), let bytes = try? await store.assetBytes(name),
      Fingerprint.of(bytes) == name.hash
    else {
      return nil
    }
    cache.write(name, bytes)
    // It may have been removed since it was read.
    if size(of: name) == nil { cache.remove([name]) }
    return bytes
  }

  /// Keeps a picture, in the database and on this machine's disk.
  package func keep(
    _ asset: NewAsset, isOfSource: Bool, by actor: Actor, keeping: AnswerKeeper<(asset: Asset, isNew: Bool)>?
  ) async throws -> (asset: Asset, isNew: Bool) {
    let kept = try await store.keep(
      asset, within: settings.limits, isOfSource: isOfSource, by: actor, keeping: keeping)
    cache.write(asset.name, asset.bytes)
    state.withLock { $0.sizes[asset.name] = asset.bytes.count }
    return kept
  }

  /// Removes a picture that nothing refers to, from the database and from this machine's disk; other nodes follow when they
  /// learn of the change.
  ///
  /// - Parameter served: What the node has served: where history was cut, nothing is removed.
  package func remove(
    _ name: AssetName, fromHistory: Bool, since served: ServedHistory, by actor: Actor, keeping: AnswerKeeper<Void>?
  ) async throws {
    try await store.removeAsset(name, fromHistory: fromHistory, since: served, by: actor, keeping: keeping)
    state.withLock { state in
      state.sizes[name] = nil
      state.liveNames.remove(name)
    }
    cache.remove([name])
  }

  /// Whether ``fetchLive(_:)`` has something to do.
  package func isFetchDue(_ editions: [String: String]) -> Bool {
    settings.cacheFolder != nil
      && state.withLock { state in
        state.notBefore.map { $0 <= .now } ?? true && state.editions != editions
          && (!state.sizes.isEmpty || cache.bytes > 0)
      }
  }

  /// Brings live pages' pictures onto this machine's disk, so they outlive the database as the pages do.
  ///
  /// - Parameter editions: What tells the live revision of each page from others.
  package func fetchLive(_ editions: [String: String]) async {
    guard isFetchDue(editions) else { return }
    let (began, known) = (ContinuousClock.now, state.withLock { $0.live })
    do {
      let live = try await store.assetsOfLivePages(known: known)
      let names = live.values.reduce(into: Set<AssetName>()) { $0.formUnion($1) }
      cache.keep(live: names, known: state.withLock { Set($0.sizes.keys) })
      var areAllThere = true
      for name in names where !cache.has(name) && size(of: name) != nil {
        guard let bytes = try await store.assetBytes(name) else { continue }
        giveWayToLoops()
        if Fingerprint.of(bytes) == name.hash { cache.write(name, bytes) }
        areAllThere = areAllThere && cache.has(name)
      }
      state.withLock { state in
        (state.live, state.liveNames) = (live, names)
        if areAllThere { state.editions = editions }
      }
    } catch {
      // The database is away; the next look comes by itself.
    }
    let now = ContinuousClock.now
    state.withLock { $0.notBefore = now + max(.seconds(1), (now - began) * 20) }
  }

  /// Removes pictures unused for longer than they are kept.
  package func removeUnused(at now: Instant) async throws {
    guard state.withLock({ !$0.sizes.isEmpty }) else { return }
    let removed = try await store.removeUnusedAssets(
      unusedSince: now.adding(seconds: -Int64(settings.unusedDaysKept) * 86_400))
    guard !removed.isEmpty else { return }
    logger.notice("pictures that nothing refers to are removed", metadata: ["count": "\(removed.count)"])
    try await refresh()
    let (live, known) = state.withLock { ($0.liveNames, Set($0.sizes.keys)) }
    cache.keep(live: live, known: known)
  }
}
