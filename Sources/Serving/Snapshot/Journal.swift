import Dispatch
import Layout
import Storage
import Synchronization

/// What editions have changed since the snapshot was written, beside it: on the disk before clients get them, so that a
/// start without the database has what was served last (docs/decisions/0081).
///
/// Two files take turns: one is written, and what the other has is in the snapshot by the time it is written over.
final class Journal: Sendable {
  /// More than this a file does not take, in bytes; what comes then is in the next snapshot alone.
  static let bytesMax = 32 * 1024 * 1024

  private struct State {
    var epoch = 1
    /// Which file is written, and where.
    var current = 0
    var end = 0
    /// The newest editions of each page in the file that is written, and in the other one as far as no snapshot has them.
    var written: [String: EditionNumber] = [:]
    var former: [String: EditionNumber] = [:]
    /// What tells the kinds that the journal and the snapshot come to (``Kinds/identity``).
    var kinds: String?
    var failure: FileFailure?
    var dropped: [FileFailure] = []
  }

  private let files: [JournalFile]
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "journal")

  /// - Parameter snapshot: The file that it stands beside.
  init(beside snapshot: SnapshotFile) {
    files = (0..<2).map { JournalFile(path: "\(snapshot.path).journal\($0)", setup: snapshot.setup) }
  }

  /// Why the last editions are not in it, `nil` when they are.
  var failure: FileFailure? { state.withLock { $0.failure } }

  /// What was found of it and could not be used, as ``read()`` has left it.
  var dropped: [FileFailure] { state.withLock { $0.dropped } }

  /// Reads the records, the oldest first; later notes follow them.
  func read() -> [JournalRecord] {
    let found = files.map { $0.read() }
    let epochs = found.map { $0.records.last?.epoch ?? 0 }
    let current = epochs[1] > epochs[0] ? 1 : 0
    func numbers(_ records: [JournalRecord]) -> [String: EditionNumber] {
      Dictionary(
        records.flatMap { Snapshot.pages(of: $0.contents) ?? [] }.map { ($0.id, $0.number) }, uniquingKeysWith: max)
    }
    state.withLock { state in
      state.epoch = max(epochs[current], 1)
      (state.current, state.end) = (current, found[current].end)
      (state.written, state.former) = (numbers(found[current].records), numbers(found[1 - current].records))
      state.dropped = found.compactMap(\.dropped)
    }
    return found[1 - current].records + found[current].records
  }

  /// Notes editions that are about to be served; returns when they are on the disk, or cannot be written.
  ///
  /// - Parameters:
  ///   - before: What is served until then. A page that is not in it comes with the next snapshot.
  ///   - kinds: The kinds that they were made with.
  func note(_ editions: [Edition], after before: Lineup, _ kinds: Kinds) async {
    let changes = editions.compactMap { edition in
      before.edition(of: edition.page).map { (edition: edition, known: Set($0.plan.fingerprints)) }
    }
    guard !changes.isEmpty else { return }
    await queue.run { [self] in write(changes, kinds) }
  }

  private func write(_ changes: [(edition: Edition, known: Set<String>)], _ kinds: Kinds) {
    let (identity, present) = (kinds.identity, state.withLock { $0 })
    let (document, pieces) = Snapshot.written(changes, present.kinds == identity ? nil : kinds, variantsMax: 0)
    let bytes = JournalRecord.bytes(present.epoch, files[0].setup, document, pieces)
    do throws(FileFailure) {
      guard present.end + bytes.count <= Self.bytesMax else { throw FileFailure(description: "the journal is full") }
      try files[present.current].write(bytes, at: present.end)
      state.withLock { state in
        state.end += bytes.count
        for (edition, _) in changes { state.written[edition.page] = edition.number }
        state.kinds = identity
        state.failure = nil
      }
    } catch {
      state.withLock { $0.failure = error }
    }
  }

  /// Directs further notes to the other file, unless that has records that no snapshot has. Call it before a snapshot
  /// reads what is live.
  func turn() {
    queue.sync {
      state.withLock { state in
        guard state.former.isEmpty, !state.written.isEmpty else { return }
        (state.former, state.written) = (state.written, [:])
        (state.current, state.end) = (1 - state.current, 0)
        state.epoch += 1
      }
    }
  }

  /// Takes up that a snapshot was written.
  ///
  /// - Parameters:
  ///   - editions: Those that it has, by page; what is not among them is served no more.
  ///   - kinds: What tells its kinds (``Kinds/identity``).
  func isKept(_ editions: [String: EditionNumber], kinds: String) {
    state.withLock { state in
      let isMissing = { (page: String, number: EditionNumber) in editions[page].map { $0 < number } ?? false }
      state.former = state.former.filter { isMissing($0.key, $0.value) }
      if !state.written.contains(where: { isMissing($0.key, $0.value) }) {
        state.kinds = kinds
        state.failure = nil
      }
    }
  }
}
