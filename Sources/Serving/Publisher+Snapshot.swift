import Layout
import Storage
import Synchronization

/// How a process began.
struct Beginning {
  /// The pages that it took from the snapshot, ascending.
  var pages: [String] = []
  /// Why the snapshot was not used.
  var dropped: FileFailure?
  /// Whether it has found nobody yet who could confirm them.
  var isUnconfirmed = false
}

extension Publisher {
  /// Why the snapshot found at the start is not used; `nil` if it is used, or there was none.
  public var snapshotDropped: FileFailure? { beginning.withLock { $0.dropped } }

  /// The pages that the start took from the snapshot, ascending.
  public var pagesFromSnapshot: [String] { beginning.withLock { $0.pages } }

  /// Whether what is served is the snapshot's, and the database has not been there since the start to compare it with.
  public var isUnconfirmed: Bool { beginning.withLock { $0.isUnconfirmed } }

  /// Whether a process could begin with its snapshot while the database is away.
  public static func canStartWithoutDatabase(_ settings: Settings) -> Bool {
    guard let path = settings.snapshotFile,
      let snapshot = try? SnapshotKeeper(
        file: SnapshotFile(path: path, setup: setup(of: settings)), keepsJournal: true
      ).read()
    else { return false }
    let history = ServedFile(path: settings.servedFile).history
    return snapshot.pages.contains { history.allows($0) }
  }

  /// What must be the same for what a snapshot has ready to be what would be made now.
  static func setup(of settings: Settings) -> String {
    let attributes = settings.context.attributes.values.sorted { $0.name < $1.name }.map { "\($0.name) \($0.kind)" }
    let parts =
      [settings.version, attributes.joined(separator: "\n")] + [settings.assetsBaseURL].compactMap(\.self)
    return Fingerprint.of(parts.joined(separator: "\0").utf8)
  }

  /// The snapshot; `nil` if it is missing or cannot be used.
  func readSnapshot() -> Snapshot? {
    do throws(FileFailure) { return try snapshot.read() } catch {
      beginning.withLock { $0.dropped = error }
      return nil
    }
  }

  /// A snapshot's pages by their ids, unless they were made with other kinds than the nodes go by.
  func pages(of snapshot: Snapshot?) -> [String: Snapshot.Page] {
    guard let snapshot else { return [:] }
    guard snapshot.kindsIdentity == kinds.identity else {
      beginning.withLock { $0.dropped = FileFailure(description: "it was made with other kinds") }
      return [:]
    }
    return Dictionary(snapshot.pages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Goes by the kinds of a snapshot, unless the database has named others.
  ///
  /// - Returns: Whether it does.
  func goBy(_ snapshot: Snapshot) -> Bool {
    if snapshot.kindsIdentity == kinds.identity { return true }
    guard let kinds = try? Kinds(json: snapshot.kinds, limits: settings.context.withoutLimits.limits) else {
      return false
    }
    return active.withLock { active in
      guard active.changed == 0 else { return false }
      active.kinds = kinds.placingAssets(below: settings.assetsBaseURL).linking(by: snapshot.linkKey)
      return true
    }
  }

  /// Writes what is live beside the database when it is not there yet, so that the next start is quick; not while a
  /// successor has taken over, which writes it itself.
  ///
  /// - Parameter isLast: Whether the process ends.
  public func saveSnapshot(isLast: Bool = false) async {
    await snapshot.save(isLast: isLast, variantsMax: settings.readyOutcomesMax) { [self] in kept }
  }

  /// What the snapshot is to have; `nil` while this process writes none: what was cut from the database cannot be confirmed
  /// by it at the next start.
  private var kept: (Lineup, Kinds)? { isSettled || historyCut != nil ? nil : (live.lineup, kinds) }

  /// Whether something waits that outlives the process: versions to be saved, the record of what was served, the snapshot.
  package var hasToKeep: Bool {
    if served.isUnsaved || kept.map(snapshot.isDue) ?? false { return true }
    return historyCut == nil && !store.isAway && versions.hasUnsaved
  }
}

extension ServedHistory {
  /// Whether a page of a snapshot is as new as what was served, so that it may be served unconfirmed.
  func allows(_ page: Snapshot.Page) -> Bool {
    guard page.number.generation == generation, let last = pages[page.id] else {
      // What was served could not be kept, or not be read: then nothing speaks against it.
      return page.number.generation >= generation
    }
    guard page.number.revision == last.number else { return page.number.revision > last.number }
    return last.isLive && page.identity == last.identity
  }
}
