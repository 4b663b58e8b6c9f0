import Layout
import Storage
import Synchronization

/// The one owner of what is live. Whatever changes it makes the next ``Lineup``; loops look before each request whether
/// theirs is over and take the newest themselves, so that no message about it can come late, twice or in the wrong order.
///
/// Editions of a page ascend by generation and revision, also past its deletion: what is older than the page's live one,
/// or than the last one that was deleted, changes nothing, however late it comes.
public final class Live: Sendable {
  private struct State {
    var lineup = Lineup(number: 0, editions: [:], scheduled: [:], withheld: [])
    /// The last revision of each page that is not live any more.
    var deleted: [String: EditionNumber] = [:]
    /// The pages that were served and cannot be: history was cut, or the database is away.
    var withheld: Set<String> = []
    /// Reads of what is scheduled are numbered when they begin: one that began earlier than another tells nothing new.
    var lastRead: UInt64 = 0
    var appliedRead: UInt64 = 0

    func admits(_ edition: Edition) -> Bool {
      [lineup.editions[edition.page]?.number, deleted[edition.page]].allSatisfy {
        $0.map { edition.number > $0 } ?? true
      }
    }

    /// Ends a page whose last edition is known.
    ///
    /// - Returns: Whether it is over: a publish may have been faster than whoever knows.
    mutating func end(_ page: String, _ last: EditionNumber, _ editions: inout [String: Edition]) -> Bool {
      if let edition = editions[page], edition.number > last { return false }
      editions[page] = nil
      deleted[page] = max(deleted[page] ?? last, last)
      return true
    }
  }

  private let state = Mutex(State())

  /// The newest lineup.
  public var lineup: Lineup { state.withLock { $0.lineup } }

  /// Makes editions live, each unless its page has one as new, or was deleted since.
  func install(_ made: [Edition], at now: Instant) {
    change { state, editions, scheduled in
      for edition in made where state.admits(edition) {
        editions[edition.page] = edition
        // What was due has come.
        if let due = scheduled[edition.page], due <= now { scheduled[edition.page] = nil }
      }
    }
  }

  /// Makes live what a look at the database found.
  ///
  /// - Parameters:
  ///   - editions: Those that come after what was live before.
  ///   - revisions: What else was found.
  func install(_ editions: [Edition], of revisions: LiveRevisions) {
    change(begins: true) { state, present, _ in
      for (page, last) in revisions.withoutLive {
        let last = EditionNumber(generation: revisions.generation, revision: last)
        _ = state.end(page, last, &present)
      }
      for edition in editions where state.admits(edition) { present[edition.page] = edition }
      // A new generation counts as the database is: what it does not have is gone.
      present = present.filter { page, edition in
        edition.number.generation >= revisions.generation || revisions.pages.contains(page)
      }
      state.withheld = revisions.cut == nil ? [] : revisions.pages.subtracting(present.keys)
    }
  }

  /// Takes pages off, each unless it has a newer edition than its last one.
  func remove(_ last: [String: EditionNumber]) {
    change { state, editions, scheduled in
      for (page, last) in last where state.end(page, last, &editions) { scheduled[page] = nil }
    }
  }

  /// Makes live what a start without a database has.
  ///
  /// - Parameter withheld: The pages that were served in a newer state than it has.
  func begin(with editions: [Edition], withheld: Set<String>) {
    change(begins: true) { state, present, _ in
      for edition in editions where state.admits(edition) { present[edition.page] = edition }
      state.withheld = withheld
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

  /// Adds what was scheduled to what a read has said.
  func add(_ added: ScheduledPublish) {
    change { _, _, scheduled in scheduled[added.page] = min(scheduled[added.page] ?? added.at, added.at) }
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
        scheduled != before.scheduled || state.withheld != before.withheld || editions.count != before.editions.count
        || editions.contains { $0.value !== before.editions[$0.key] }
      guard hasChanged || (begins && before.number == 0) else { return }
      state.lineup = Lineup(
        number: before.number + 1, editions: editions, scheduled: scheduled, withheld: state.withheld)
      before.end(with: state.lineup)
    }
  }
}
