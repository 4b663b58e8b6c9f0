public import Layout
import Synchronization

/// All live editions of a node at one moment, numbered: what loops take. It never changes; another one takes its place.
public final class Lineup: Sendable {
  /// Ascends with every change; 0 before the first pages are there.
  public let number: UInt64
  /// The editions by their pages' ids.
  public let editions: [String: Edition]
  /// The pages that were served and cannot be now as they were: history was cut, or the database is away and the snapshot
  /// has an older state.
  public let withheld: Set<String>
  /// The ids of the pages in ascending order, including withheld ones.
  public let pages: [String]
  /// When the next scheduled publish of each page is due.
  let scheduled: [String: Instant]
  /// The lineup that took its place.
  private let successor = AtomicLazyReference<Lineup>()

  init(number: UInt64, editions: [String: Edition], scheduled: [String: Instant], withheld: Set<String>) {
    self.number = number
    self.editions = editions
    self.scheduled = scheduled
    self.withheld = withheld
    pages = withheld.union(editions.keys).sorted()
  }

  /// Whether another lineup took its place: one load.
  public var isOver: Bool { successor.load() != nil }

  /// The lineup that is live now. Whoever holds one finds the newest without a lock, so that no thread of a lower
  /// priority can hold it up.
  public var newest: Lineup {
    var newest = self
    while let next = newest.successor.load() { newest = next }
    return newest
  }

  /// Has another lineup take its place, once.
  func end(with next: Lineup) { _ = successor.storeIfNil(next) }

  /// The editions in the order of their pages.
  public var inOrder: [Edition] { pages.compactMap { editions[$0] } }

  /// The live edition of a page.
  public func edition(of page: String) -> Edition? { editions[page] }

  /// When another revision of a page is scheduled to go live; what was due and could not be written is still named.
  public func nextPublish(of page: String) -> Instant? { scheduled[page] }

  /// Whether a page is answered as it was by another lineup: by the same edition, for as long.
  public func serves(_ page: String, as other: Lineup) -> Bool {
    editions[page] === other.editions[page] && scheduled[page] == other.scheduled[page]
  }
}
