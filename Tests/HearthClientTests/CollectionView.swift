import Foundation
import HearthClient
import HomePayload
import Testing

/// A collection view as far as its rules for batch updates go: it counts, and refuses what does not add up.
struct CollectionView {
  /// What is in the cells, by section.
  private(set) var cells: [[String]]
  private(set) var names: [String]

  init(_ page: Page) {
    cells = page.sections.map(Self.cells)
    names = page.sections.map(\.id)
  }

  static func cells(_ section: Section) -> [String] {
    BatchUpdates.showsOneCell(section) ? ["all"] : section.items.map(\.id)
  }

  /// What rests, in its order, around what arrives at its places.
  private static func merged<Element>(_ resting: [Element], _ arriving: [Int: Element]) -> [Element] {
    var resting = resting[...]
    let merged = (0..<(resting.count + arriving.count)).compactMap { arriving[$0] ?? resting.popFirst() }
    #expect(resting.isEmpty, "what arrives lies beyond the end")
    return merged
  }

  mutating func perform(_ step: BatchUpdates.SectionStep) {
    let leaving = Set(step.deletes).union(step.moves.map(\.from))
    #expect(leaving.count == step.deletes.count + step.moves.count, "a section leaves once")
    var arriving = Dictionary(uniqueKeysWithValues: step.moves.map { ($0.to, $0.from) })
    for insert in step.inserts { #expect(arriving.updateValue(-1, forKey: insert) == nil, "one section a place") }
    let order = Self.merged(cells.indices.filter { !leaving.contains($0) }, arriving)
    let sections = step.page.sections
    #expect(order.count == sections.count, "as many sections as the data source has")
    (cells, names) = (
      zip(order, sections).map { $0 < 0 ? Self.cells($1) : cells[$0] },
      zip(order, sections).map { $0 < 0 ? $1.id : names[$0] }
    )
    #expect(names == sections.map(\.id))
    #expect(cells == sections.map(Self.cells), "the items of sections that stay are as they were")
  }

  mutating func perform(_ step: BatchUpdates.ItemStep) {
    for section in cells.indices {
      let source = Self.cells(step.page.sections[section])
      let deletes = step.deletes.filter { $0[0] == section }.map { $0[1] }
      let inserts = step.inserts.filter { $0[0] == section }.map { $0[1] }
      let moves = step.moves.filter { $0.from[0] == section }
      #expect(moves.allSatisfy { $0.to[0] == section })
      if step.reloads.contains(section) {
        #expect(deletes.isEmpty && inserts.isEmpty && moves.isEmpty, "a section drawn anew takes no items")
        cells[section] = source
        continue
      }
      let leaving = Set(deletes + moves.map { $0.from[1] })
      #expect(leaving.count == deletes.count + moves.count, "an item leaves once")
      var arriving = Dictionary(uniqueKeysWithValues: moves.map { ($0.to[1], cells[section][$0.from[1]]) })
      for insert in inserts { #expect(arriving.updateValue(source[insert], forKey: insert) == nil, "one a place") }
      let resting = cells[section].indices.filter { !leaving.contains($0) }.map { cells[section][$0] }
      let list = Self.merged(resting, arriving)
      cells[section] = list
      #expect(list == source)
    }
  }
}
