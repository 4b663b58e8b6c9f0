import Foundation
import HomePayload

extension BatchUpdates {
  /// The steps from one arrangement to another of the same page: of its cells, not of its items.
  ///
  /// What a row shows is within its one cell: where something in it changed, the cell is reconfigured, and hands the two
  /// arrangements of the row to a view of its own. Where layouts alone changed there is no step: the view lays out anew.
  public init(from old: Arrangement, to new: Arrangement) {
    let before = Dictionary(old.bands.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(new.bands.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    // What is the same is not looked at.
    func isSame(_ id: String) -> Bool {
      guard let one = before[id]?.made, let other = after[id]?.made else { return false }
      return one.isOf(other.section, other.list, other.room)
    }
    let areUnique = before.count == old.bands.count && after.count == new.bands.count
    let same = Set(areUnique ? before.keys.filter(isSame) : [])
    let bones = (old: old.bones(of: "0", without: same), new: new.bones(of: "1", without: same))
    let changes = ChangeSet.changes(from: bones.old, to: bones.new)
    self.init(from: bones.old, to: bones.new, changes.sections, showsOneCell: { _ in false })
  }

  /// What is shown after the first step: the sections of the new arrangement, with the cells that they had before.
  public func between(_ old: Arrangement, _ new: Arrangement) -> Arrangement {
    var bands = new.bands
    let changes = ListChanges<Section>(
      deletes: sections.deletes.map { $0 }, inserts: sections.inserts.map { .init(at: $0, element: .init(bone: "")) },
      moves: sections.moves)
    for (position, place) in changes.newPlaces(count: old.bands.count).enumerated() {
      if let place { bands[place] = old.bands[position] }
    }
    return new.with(bands)
  }
}

extension Section {
  fileprivate init(bone id: String, _ items: [Item] = []) {
    self.init(id: id, kind: "", index: 0, layout: SectionLayout(style: .list), items: items)
  }
}

extension Arrangement {
  /// A page whose sections and items stand for the sections and cells.
  ///
  /// - Parameter same: Sections whose cells nobody asks for.
  fileprivate func bones(of version: String, without same: Set<String> = []) -> Page {
    Page(
      id: "", version: version, locale: "", sortRule: "",
      sections: bands.map { band in
        Section(bone: band.id, same.contains(band.id) ? [] : band.cells.map(\.bone))
      })
  }
}

extension Arrangement.Cell {
  /// An item that differs where what the cell shows differs.
  fileprivate var bone: Item {
    if let row { return Item(id: id, kind: "", children: row.bands[0].cells.map(\.bone)) }
    guard items.count == 1, var item = items.first else { return Item(id: id, kind: "", children: items) }
    item.id = id
    return item
  }
}
