public import Foundation
public import HomePayload
import JSON

/// An update in the steps that a collection view animates, with the index paths that it takes.
///
/// A collection view refuses a section that moves while items in it change, and an item that moves while it is
/// reconfigured. So there are three steps, each a batch update of its own: the sections, then the items in them, then
/// what the cells show. Before each step, its page becomes the data source's.
///
/// A section whose whole list shows in one cell (`carousel`, `ticker`), and one of slots alone, counts as one cell. One that
/// several lists share is drawn anew where its items change: which of them show is the app's matter.
public struct BatchUpdates: Hashable, Sendable {
  /// An item that changes places.
  public struct ItemMove: Hashable, Sendable {
    /// Where it was before the step.
    public var from: IndexPath
    /// Where it is after the step.
    public var to: IndexPath
  }

  /// Sections come, go and move; the items in those that stay are as they were.
  public struct SectionStep: Hashable, Sendable {
    /// What the data source holds after the step.
    public var page: Page
    /// Positions before the step.
    public var deletes = IndexSet()
    /// Positions after the step.
    public var inserts = IndexSet()
    /// From positions before the step to positions after it.
    public var moves: [ListChanges<Section>.Move] = []

    /// Whether nothing happens.
    public var isEmpty: Bool { deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
  }

  /// Items come, go and move within their sections, and sections whose frame changed are drawn anew.
  public struct ItemStep: Hashable, Sendable {
    /// What the data source holds after the step.
    public var page: Page
    /// Sections whose kind, layout, header, footer, slots or number of cells changed, items and all.
    public var reloads = IndexSet()
    /// Positions before the step.
    public var deletes: [IndexPath] = []
    /// Positions after the step.
    public var inserts: [IndexPath] = []
    /// From positions before the step to positions after it.
    public var moves: [ItemMove] = []

    /// Whether nothing happens.
    public var isEmpty: Bool { reloads.isEmpty && deletes.isEmpty && inserts.isEmpty && moves.isEmpty }
  }

  /// The first step.
  public var sections: SectionStep
  /// The second step.
  public var items: ItemStep
  /// The third step: cells that stay where they are and show something else.
  public var reconfigures: [IndexPath] = []

  /// The steps of an update; `nil` for the first page, which is simply shown.
  ///
  /// - Parameter showsOneCell: Whether a section is drawn as one cell, for apps that draw more kinds so.
  public init?(_ update: PageUpdate, showsOneCell: (Section) -> Bool = Self.showsOneCell) {
    guard let old = update.old, let changes = update.changes else { return nil }
    self.init(from: old, to: update.page, changes.sections, showsOneCell: showsOneCell)
  }

  init(
    from old: Page, to new: Page, _ changes: ListChanges<Section>, showsOneCell: (Section) -> Bool
  ) {
    sections = SectionStep(page: new, moves: changes.moves)
    items = ItemStep(page: new)
    sections.deletes = IndexSet(changes.deletes)
    sections.inserts = IndexSet(changes.inserts.map(\.at))
    let places = changes.newPlaces(count: old.sections.count)
    for (position, place) in places.enumerated() {
      if let place { sections.page.sections[place] = old.sections[position] }
    }
    for update in changes.updates {
      guard let place = places[update.at] else { continue }
      add(update, of: old.sections[update.at], to: new.sections[place], at: place, showsOneCell)
    }
  }

  private mutating func add(
    _ update: ListChanges<Section>.Update, of old: Section, to new: Section, at place: Int,
    _ showsOneCell: (Section) -> Bool
  ) {
    // The operator's number decides the order alone, and the interval when to ask; nothing shows them.
    let drawn = Set(update.set.names + update.unset).subtracting(["index", "pollInterval"])
    let areListed = update.nested != nil && !new.lists.isEmpty
    guard drawn.isEmpty, !areListed, showsOneCell(old) == showsOneCell(new) else {
      items.reloads.insert(place)
      return
    }
    guard let nested = update.nested else { return }
    func path(_ item: Int) -> IndexPath { IndexPath(indexes: [place, item]) }
    if showsOneCell(new) { return reconfigures.append(path(0)) }
    items.deletes += nested.deletes.map(path)
    items.inserts += nested.inserts.map { path($0.at) }
    items.moves += nested.moves.map { ItemMove(from: path($0.from), to: path($0.to)) }
    let places = nested.newPlaces(count: old.items.count)
    reconfigures += nested.updates.compactMap { places[$0.at] }.sorted().map(path)
  }

  /// Whether a section's whole list shows in one cell (S1.7), or it has slots alone.
  public static func showsOneCell(_ section: Section) -> Bool {
    [.carousel, .ticker].contains(section.layout.style) || section.items.isEmpty
  }
}

extension ListChanges {
  /// Where each element of the old list is in the new one; `nil` for those that went.
  func newPlaces(count: Int) -> [Int?] {
    var places = [Int?](repeating: nil, count: count)
    let taken = Set(inserts.map(\.at) + moves.map(\.to))
    let gone = Set(deletes)
    let moved = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
    var next = 0
    for position in 0..<count where !gone.contains(position) {
      if let to = moved[position] {
        places[position] = to
        continue
      }
      while taken.contains(next) { next += 1 }
      places[position] = next
      next += 1
    }
    return places
  }
}
