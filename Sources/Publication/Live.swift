import Layout
import Synchronization

/// The one owner of what is live. Whatever changes it makes the next ``Lineup``; loops look at its number before each
/// request and take the newest themselves, so that no message about it can come late, twice or in the wrong order.
///
/// Revisions of a page ascend, also past its deletion: what is older than the page's live revision, or than the last
/// one that was deleted, changes nothing, however late it comes.
public final class Live: Sendable {
  private struct State {
    var lineup = Lineup(number: 0, editions: [:], scheduled: [:])
    /// The last revision of each page that is not live any more.
    var deleted: [String: Int] = [:]
    /// Reads of what is scheduled are numbered when they begin: one that began earlier than another tells nothing new.
    var lastRead: UInt64 = 0
    var appliedRead: UInt64 = 0

    func admits(_ edition: Edition) -> Bool {
      edition.revision > max(lineup.editions[edition.page]?.revision ?? 0, deleted[edition.page] ?? 0)
    }
  }

  private let state = Mutex(State())
  private let newest = Atomic<UInt64>(0)

  /// The number of the newest lineup: one load, for whoever holds an older one.
  public var number: UInt64 { newest.load(ordering: .acquiring) }

  /// The newest lineup.
  public var lineup: Lineup { state.withLock { $0.lineup } }

  /// Makes an edition live unless its page has one as new, or was deleted since.
  func install(_ edition: Edition, at now: Instant) {
    change { state, editions, scheduled in
      guard state.admits(edition) else { return }
      editions[edition.page] = edition
      // What was due has come.
      if let due = scheduled[edition.page], due <= now { scheduled[edition.page] = nil }
    }
  }

  /// Makes live what a look at the database found.
  ///
  /// - Parameters:
  ///   - editions: Those that were not live before.
  ///   - withoutLive: The pages that have no live revision, and the last number that each has had.
  func install(_ found: [Edition], withoutLive: [String: Int]) {
    change(begins: true) { state, editions, _ in
      for (page, last) in withoutLive {
        // A publish may have been faster than this look.
        if let edition = editions[page], edition.revision > last { continue }
        editions[page] = nil
        state.deleted[page] = max(state.deleted[page] ?? 0, last)
      }
      for edition in found where state.admits(edition) { editions[edition.page] = edition }
    }
  }

  /// A number for a read of what is scheduled that begins now.
  func beginRead() -> UInt64 {
    state.withLock { state in
      state.lastRead += 1
      return state.lastRead
    }
  }

  /// Sets when the next publish of each page is due, unless a read that began later has said so.
  func setScheduled(_ next: [String: Instant], read: UInt64) {
    change { state, _, scheduled in
      guard read > state.appliedRead else { return }
      state.appliedRead = read
      scheduled = next
    }
  }

  /// - Parameter begins: Whether it makes a lineup even when nothing has changed: the first one may be empty.
  private func change(
    begins: Bool = false,
    _ body: (_ state: inout State, _ editions: inout [String: Edition], _ scheduled: inout [String: Instant]) -> Void
  ) {
    state.withLock { state in
      let before = state.lineup
      var editions = before.editions
      var scheduled = before.scheduled
      body(&state, &editions, &scheduled)
      let hasChanged =
        scheduled != before.scheduled || editions.count != before.editions.count
        || editions.contains { $0.value !== before.editions[$0.key] }
      guard hasChanged || (begins && before.number == 0) else { return }
      state.lineup = Lineup(number: before.number + 1, editions: editions, scheduled: scheduled)
      newest.store(state.lineup.number, ordering: .releasing)
    }
  }
}
