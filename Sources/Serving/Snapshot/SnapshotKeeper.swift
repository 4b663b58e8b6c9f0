import Dispatch
import Layout
import Storage
import Synchronization
import Threads

/// The owner of the snapshot: reads it at the start, and writes what is live at most once a second.
///
/// The newest lineup is taken when it is written, one write at a time, so that no publish overtakes another on the way
/// to the file.
public final class SnapshotKeeper: Sendable {
  private struct State {
    /// The editions that the file has, by page, and how many variants.
    var editions: [String: EditionNumber]?
    /// What tells the kinds that it has (``Kinds/identity``).
    var kinds = ""
    /// When the content of sections was confirmed last, as it has it.
    var confirmed: [String: [String: Instant]] = [:]
    var variants = 0
    var writtenAt: ContinuousClock.Instant?
    var bytes = 0
    /// Before this, nothing is written: large snapshots take a twentieth of the time at most.
    var notBefore: ContinuousClock.Instant?
    var failure: FileFailure?
    /// Whether a write has begun and is not over.
    var isUnderWay = false

    func isDue(_ lineup: Lineup, _ kinds: Kinds, isLast: Bool) -> Bool {
      let now = ContinuousClock.now
      let isFree = !isUnderWay && notBefore.map { $0 <= now } ?? true
      guard isLast || isFree else { return false }
      guard editions == lineup.numbers, self.kinds == kinds.identity else { return true }
      let age = writtenAt.map { isLast ? .seconds(Int.max) : now - $0 } ?? .seconds(Int.max)
      return (variants != lineup.variantCount && age >= SnapshotKeeper.variantsWait)
        || (confirmed != lineup.confirmed && age >= SnapshotKeeper.confirmationsWait)
    }
  }

  private let file: SnapshotFile?
  /// What editions have changed since; `nil` where none is kept.
  private let journal: Journal?
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "snapshot", qos: .utility)
  /// For how long variants alone, without another edition, wait to be written.
  private static let variantsWait = Duration.seconds(30)
  /// For how long confirmations of content alone wait.
  private static let confirmationsWait = Duration.seconds(300)

  /// - Parameter keepsJournal: Whether each edition is kept before it is served. Where the database is a file beside it, that
  ///   has it.
  init(file: SnapshotFile?, keepsJournal: Bool) {
    self.file = file
    journal = keepsJournal ? file.map(Journal.init(beside:)) : nil
  }

  /// Why the newest snapshot could not be written, `nil` when it could.
  public var failure: FileFailure? { state.withLock { $0.failure } ?? journal?.failure }

  /// What the start has found of the journal beside the snapshot and could not use.
  public var journalDropped: [FileFailure] { journal?.dropped ?? [] }

  /// For how many seconds the file has been as it is; `nil` before this process has written it.
  public var age: Int? { state.withLock { $0.writtenAt.map { Int((ContinuousClock.now - $0) / .seconds(1)) } } }

  /// How many bytes it has; 0 before this process has written it.
  public var bytes: Int { state.withLock { $0.bytes } }

  /// - Throws: ``FileFailure`` that says why the snapshot that is there is not used.
  func read() throws(FileFailure) -> Snapshot? {
    // Also where there is no snapshot: what is kept comes after what is there.
    let records = journal?.read() ?? []
    guard let file, let contents = try file.read() else { return nil }
    guard let snapshot = Snapshot(contents) else { throw FileFailure(description: "\(file.path) is damaged") }
    return records.isEmpty ? snapshot : snapshot.applying(records)
  }

  /// Keeps editions that are about to be served; returns when they are on the disk, or cannot be written.
  ///
  /// - Parameter before: What is served until then.
  func keep(_ editions: [Edition], after before: Lineup, _ kinds: Kinds) async {
    await journal?.note(editions, after: before, kinds)
  }

  /// Writes what is live, when the file has something else, behind the caller's back: a slow disk holds up nobody.
  ///
  /// - Parameters:
  ///   - isLast: Whether nothing will be written after it. Then it returns when it is written.
  ///   - live: Tells what is live when it is written; `nil` when that is not to be written by this process.
  func save(isLast: Bool, variantsMax: Int, _ live: @escaping @Sendable () -> (Lineup, Kinds)?) async {
    if let file, let (lineup, kinds) = live(), begin(lineup, kinds, isLast: isLast) {
      queue.async { [self] in
        giveWayToLoops()
        journal?.turn()
        if let (lineup, kinds) = live() { write(lineup, kinds, to: file, variantsMax: variantsMax) }
        state.withLock { $0.isUnderWay = false }
      }
    }
    if isLast { await finish() }
  }

  /// Returns when no write is under way.
  func finish() async { await queue.run {} }

  /// Whether there is something to write by now.
  func isDue(_ lineup: Lineup, _ kinds: Kinds) -> Bool {
    file != nil && state.withLock { $0.isDue(lineup, kinds, isLast: false) }
  }

  /// - Returns: Whether it is to be written, which is under way then.
  private func begin(_ lineup: Lineup, _ kinds: Kinds, isLast: Bool) -> Bool {
    state.withLock { state in
      guard state.isDue(lineup, kinds, isLast: isLast) else { return false }
      state.isUnderWay = true
      return true
    }
  }

  private func write(_ lineup: Lineup, _ kinds: Kinds, to file: SnapshotFile, variantsMax: Int) {
    let began = ContinuousClock.now
    let (numbers, variants, confirmed) = (lineup.numbers, lineup.variantCount, lineup.confirmed)
    do throws(FileFailure) {
      let editions = lineup.inOrder.map { (edition: $0, known: Set<String>()) }
      let (document, pieces) = Snapshot.written(editions, kinds, variantsMax: variantsMax)
      let bytes = try file.write(document, pieces)
      state.withLock { state in
        let now = ContinuousClock.now
        state.notBefore = now + max(.milliseconds(900), (now - began) * 20)
        guard let bytes else { return }
        (state.editions, state.variants, state.writtenAt, state.bytes) = (numbers, variants, now, bytes)
        (state.kinds, state.confirmed) = (kinds.identity, confirmed)
        state.failure = nil
      }
      if bytes != nil { journal?.isKept(numbers, kinds: kinds.identity) }
    } catch {
      state.withLock { state in
        state.failure = error
        state.notBefore = .now + .milliseconds(900)
      }
    }
  }
}

extension Lineup {
  fileprivate var numbers: [String: EditionNumber] { editions.mapValues(\.number) }
  fileprivate var confirmed: [String: [String: Instant]] {
    editions.mapValues(\.presentPlan.definition.confirmed).filter { !$0.value.isEmpty }
  }
  fileprivate var variantCount: Int { editions.values.reduce(0) { $0 + $1.variantCount } }
}
