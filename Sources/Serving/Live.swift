import Layout
import Storage
import Synchronization

/// The one owner of what is live. Each change makes the next ``Lineup``. Before each request a loop checks whether its
/// lineup is the newest and takes that itself, so no message about it can come late, twice or in the wrong order.
///
/// A page never goes back: an edition older (by generation and revision) than the live one, or than the last one
/// deleted, is ignored.
public final class Live: Sendable {
  private struct State {
    var lineup = Lineup(number: 0, editions: [:], scheduled: [:], withheld: [])
    /// The last revision of each page that is not live any more.
    var deleted: [String: EditionNumber] = [:]
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
    /// - Returns: Whether it was live: a publish may have been faster than whoever knows.
    mutating func end(_ page: String, _ last: EditionNumber, _ editions: inout [String: Edition]) -> Bool {
      if let edition = editions[page], edition.number > last { return false }
      deleted[page] = max(deleted[page] ?? last, last)
      return editions.removeValue(forKey: page) != nil
    }
  }

  private let state = Mutex(State())

  /// The newest lineup.
  public var lineup: Lineup { state.withLock { $0.lineup } }

  /// A number for a read of what is scheduled that begins now.
  func beginRead() -> UInt64 {
    state.withLock { state in
      state.lastRead += 1
      return state.lastRead
    }
  }

  /// Makes the next lineup.
  ///
  /// - Parameter now: The time by which what is due has come.
  func make(_ change: LiveChange, at now: Instant) {
    state.withLock { state in
      let before = state.lineup
      var change = change
      if let read = change.scheduled?.read {
        if read > state.appliedRead { state.appliedRead = read } else { change.scheduled = nil }
      }
      var (editions, withheld) = (before.editions, before.withheld)
      var scheduled = change.nextPublishes(after: before, at: now)
      for (page, last) in change.ended where state.end(page, last, &editions) { scheduled[page] = nil }
      for edition in change.editions where state.admits(edition) { editions[edition.page] = edition }
      if let wanted = change.wanted {
        // A new generation counts as the database is: what it does not have is gone.
        editions = editions.filter { $1.number.generation >= wanted.generation || wanted.pages.contains($0) }
        withheld = wanted.isWhole ? [] : wanted.pages.subtracting(editions.keys)
      }
      let hasChanged =
        scheduled != before.scheduled || withheld != before.withheld || editions.count != before.editions.count
        || editions.contains { $0.value !== before.editions[$0.key] }
      // The first one may be empty.
      guard hasChanged || (change.wanted != nil && before.number == 0) else { return }
      state.lineup = Lineup(number: before.number + 1, editions: editions, scheduled: scheduled, withheld: withheld)
      before.end(with: state.lineup)
    }
  }
}

/// What becomes of what is live, all at once.
struct LiveChange {
  /// What goes live, each unless its page has one as new, or was deleted since.
  var editions: [Edition] = []
  /// Whether the editions are what was scheduled for now or earlier.
  var wasDue = false
  /// The pages that are live no more, each with its last number; those that have a newer edition stay.
  var ended: [String: EditionNumber] = [:]
  /// What a look at the database found to be served; `nil` without one.
  var wanted: (generation: Int, pages: Set<String>, isWhole: Bool)?
  /// The last change that the look has found in the database.
  var lastChange: ServedHistory.Change?
  /// When the next publish of each page is due, and the read that has found it: one that began later tells more.
  var scheduled: (next: [String: Instant], read: UInt64)?
  /// A new scheduled publish, for when the schedules cannot be read.
  var added: ScheduledPublish?

  /// When the next publish of each page is due after it.
  func nextPublishes(after before: Lineup, at now: Instant) -> [String: Instant] {
    var next = scheduled?.next ?? before.scheduled
    if wasDue {
      for edition in editions where next[edition.page].map({ $0 <= now }) ?? false { next[edition.page] = nil }
    }
    if let added { next[added.page] = min(next[added.page] ?? added.at, added.at) }
    return next
  }
}
