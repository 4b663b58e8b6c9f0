import Dispatch
import Foundation
import JSON
import Layout
public import Storage
import Synchronization

/// What a node has served, in a file that outlives it: read at the start, and written and synced before loops serve
/// anything newer, so that a page never goes back, over restarts too.
///
/// Editions that come while the file is being written are written together.
public final class ServedFile: Sendable {
  private struct State {
    var history: ServedHistory
    /// The file's content.
    var written: ServedHistory
    var failure: FileFailure?
  }

  /// Where it is; `nil` for a node that remembers nothing beyond its end.
  private let path: String?
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "served")

  /// Reads the file; one that is not there was never written.
  ///
  /// One that cannot be read is reported as ``failure``, and counts as none: it is written anew with the next edition.
  public init(path: String?) {
    self.path = path
    var state = State(history: ServedHistory(), written: ServedHistory())
    do throws(FileFailure) {
      let history = try path.flatMap { path throws(FileFailure) in try Self.read(path) } ?? ServedHistory()
      state.history = history
      state.written = history
    } catch { state.failure = error }
    self.state = Mutex(state)
  }

  /// What was served, or is about to be.
  public var history: ServedHistory { state.withLock { $0.history } }

  /// Why what is served is not in the file, `nil` when it is.
  public var failure: FileFailure? { state.withLock { $0.failure } }

  /// Notes that editions are about to be served; returns when they are on the disk, or cannot be written.
  ///
  /// - Parameter withoutLive: The pages that are served no more, with the last number of each.
  func note(_ editions: [Edition], withoutLive: [String: Int] = [:]) async {
    state.withLock { state in
      for (page, last) in withoutLive { state.history.noteEnd(of: page, last: last) }
      for edition in editions { state.history.note(edition.page, edition.number, identity: edition.identity) }
    }
    await save()
  }

  /// Notes what was changed last in the database, once there is something served that the change may be about; it is
  /// written with the next edition, or by ``save()``.
  func note(_ change: ServedHistory.Change, of generation: Int) {
    state.withLock { state in
      if !state.history.pages.isEmpty { state.history.note(change, of: generation) }
    }
  }

  /// Whether something is not in the file yet, or could not be written.
  package var isUnsaved: Bool { path != nil && state.withLock { $0.history != $0.written || $0.failure != nil } }

  /// Writes what is not in the file yet, or could not be written.
  public func save() async {
    guard let path, isUnsaved else { return }
    await queue.run { [self] in write(path) }
  }

  private func write(_ path: String) {
    let (history, isWritten) = state.withLock { ($0.history, $0.history == $0.written && $0.failure == nil) }
    // Another edition's note has taken it along.
    if isWritten { return }
    do throws(FileFailure) {
      // A successor, or the predecessor that drains, may have written newer ones.
      try TwoSlotFile(path: path).update { text in
        (text.flatMap(ServedHistory.init(text:)) ?? ServedHistory()).merged(with: history).text
      }
      state.withLock { state in
        state.written = history
        state.failure = nil
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// What stands in a file's bytes; `nil` if they are not what this writes.
  public static func history(in bytes: [UInt8]) -> ServedHistory? {
    TwoSlotFile.text(in: Data(bytes)).flatMap(ServedHistory.init(text:))
  }

  /// - Returns: `nil` when there is no such file.
  /// - Throws: ``FileFailure`` when it cannot be read, or is not what this writes.
  public static func read(_ path: String) throws(FileFailure) -> ServedHistory? {
    guard let text = try TwoSlotFile(path: path).read() else { return nil }
    guard let history = ServedHistory(text: text) else {
      throw FileFailure(description: "\(path) does not hold what a server has served")
    }
    return history
  }
}

extension ServedHistory {
  /// The newer of each page's revisions, of the newer generation.
  fileprivate func merged(with other: ServedHistory) -> ServedHistory {
    var merged = self
    for (page, revision) in other.pages {
      merged.note(
        page, EditionNumber(generation: other.generation, revision: revision.number), identity: revision.identity)
      if !revision.isLive { merged.noteEnd(of: page, last: revision.number) }
    }
    if let change = other.lastChange { merged.note(change, of: other.generation) }
    return merged
  }

  /// As the file has it.
  fileprivate var text: String {
    let pages = pages.mapValues { revision -> JSON in
      ["revision": .count(revision.number), "identity": .string(revision.identity), "live": .bool(revision.isLive)]
    }
    var json: JSONObject = ["generation": .count(generation), "pages": .object(JSONObject(pages))]
    if let lastChange {
      json["lastChange"] = ["id": .count(Int(lastChange.id)), "fingerprint": .string(lastChange.fingerprint)]
    }
    return JSON.object(json).canonicalText
  }

  /// `nil` for what is something else.
  fileprivate init?(text: String) {
    guard let json = try? JSON.parse(Array(text.utf8)), let generation = json["generation"]?.int,
      let pages = json["pages"]?.object
    else { return nil }
    self.init(generation: generation)
    // A file of before does not have it.
    if let id = json["lastChange"]?["id"]?.int, let fingerprint = json["lastChange"]?["fingerprint"]?.string {
      lastChange = Change(id: Int64(id), fingerprint: fingerprint)
    }
    for member in pages {
      guard let number = member.value["revision"]?.int, let identity = member.value["identity"]?.string,
        let isLive = member.value["live"]?.bool
      else { return nil }
      self.pages[member.name] = Revision(number: number, identity: identity, isLive: isLive)
    }
  }
}
