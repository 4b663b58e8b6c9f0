import JSON
import Layout
import Storage

extension Publisher {
  /// What must be the same for what a snapshot has ready to be what would be made now.
  static func setup(of settings: Settings, _ kinds: Kinds) -> String {
    let attributes = settings.context.attributes.values.sorted { $0.name < $1.name }.map { "\($0.name) \($0.kind)" }
    let parts =
      [settings.version, kinds.document.canonicalText, attributes.joined(separator: "\n")]
      + [kinds.assetsBaseURL].compactMap(\.self)
    return Fingerprint.of(parts.joined(separator: "\0").utf8)
  }

  /// The snapshot's editions by page, unless it cannot be used.
  func snapshotPages() -> [String: Snapshot.Page] {
    do throws(FileFailure) {
      let pages = try snapshot.read()?.pages ?? []
      return Dictionary(pages.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    } catch {
      noteDropped(error)
      return [:]
    }
  }

  /// Writes what is live beside the database when it is not there yet, so that the next start is quick; not while a
  /// successor has taken over, which writes it itself.
  ///
  /// - Parameter isLast: Whether the process ends.
  public func saveSnapshot(isLast: Bool = false) async {
    await snapshot.save(isLast: isLast, variantsMax: settings.readyOutcomesMax) { [self] in
      // What was cut from the database cannot be confirmed by it at the next start.
      isSettled || historyCut != nil ? nil : live.lineup
    }
  }
}
