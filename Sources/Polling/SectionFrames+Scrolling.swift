import HomePayload
import JSON

extension SectionFrames {
  /// Columns beside one another, each of as many rows as the shelf has; a row is as high as its highest cell.
  mutating func addShelf(_ items: [Item], _ arithmetic: LayoutArithmetic) {
    guard !items.isEmpty else { return }
    let row = ScrollingRow(ofShelf: arithmetic)
    let rowCount = max(1, arithmetic.layout.rowCount ?? 1)
    let boxes = arithmetic.units(of: items).map { arithmetic.box($0, columns: row.columns, in: row) }
    let columns = boxes.parts(of: rowCount)
    let widths = columns.map { $0.map(\.width).max() ?? 0 }
    let places = row.places(of: widths)
    let tops = self.tops(of: columns, spacing: arithmetic.lineSpacing)
    for (column, (x, width)) in zip(columns, zip(places, widths)) {
      for (line, box) in column.enumerated() {
        let first = cells.count
        append(box, .item, x: x, y: tops[line])
        guard line < column.count - 1 else { continue }
        cells[first].separator = arithmetic.separator(x: x, width: width, above: tops[line + 1])
      }
    }
    scrolling = row.scrolling(widths, at: places)
    height = (tops.last ?? height)
  }

  /// Where each row begins, and where the last one ends.
  private func tops(of columns: [[LayoutArithmetic.Box]], spacing: Double) -> [Double] {
    let count = columns.first?.count ?? 0
    return (0..<count).reduce(into: [height]) { tops, row in
      let highest = columns.compactMap { row < $0.count ? $0[row].height : nil }.max() ?? 0
      tops.append((tops.last ?? 0) + highest + (row == count - 1 ? 0 : spacing))
    }
  }

  /// One cell with all that the section has, and the leaves in it.
  mutating func addCarousel(_ section: Section, _ arithmetic: LayoutArithmetic) {
    let items = section.slotsInOrder.map(\.value) + section.items
    guard !items.isEmpty else { return }
    let row = ScrollingRow(ofCarousel: arithmetic)
    let size = arithmetic.layout.itemSize
    let parts = items.parts(of: arithmetic.itemsOfLeaf)
    let isOne = arithmetic.layout.rows == nil
    let widths = parts.map { arithmetic.width(isOne ? $0.first : nil, size, columns: row.columns, in: row) }
    let places = row.places(of: widths)
    leaves = zip(parts, zip(places, widths)).map { Leaf(items: $0, x: arithmetic.leading + $1.0, width: $1.1) }
    let highest = leaves.map { arithmetic.height(nil, size, width: $0.width, showing: $0.items) }.max() ?? 0
    cells.append(
      Cell(part: .list, item: nil, x: arithmetic.leading, y: height, width: row.viewport, height: highest))
    scrolling = row.scrolling(widths, at: places)
    height += highest
  }
}

extension LayoutArithmetic {
  /// How many items a leaf shows: one, or those of its rows.
  fileprivate var itemsOfLeaf: Int {
    guard layout.rows != nil else { return 1 }
    let rows = min(max(1, layout.rowCount ?? 1), Int(Self.columnsMax))
    return (0..<rows).map { min(pattern($0), Int(Self.columnsMax)) }.reduce(0, +)
  }
}

/// A row that scrolls sideways, in points from the leading edge of the part of it that shows.
struct ScrollingRow {
  /// The width of the part that shows.
  let viewport: Double
  /// What stands before the first column.
  private let start: Double
  /// What stands after the last one.
  private let end: Double
  /// How far from the leading edge a column rests.
  private let rest: Double
  /// What peeks or insets leave of the part that shows.
  let room: Double
  /// How many columns share the room where each is as wide as a column.
  let columns: Int
  private let paging: SectionLayout.Paging
  private let arithmetic: LayoutArithmetic

  /// A shelf scrolls through the whole container, with the insets at both ends of what scrolls.
  init(ofShelf arithmetic: LayoutArithmetic) {
    self.init(
      arithmetic, viewport: arithmetic.container, start: arithmetic.leading, end: arithmetic.trailing,
      paging: arithmetic.layout.paging ?? .anywhere
    ) { arithmetic.fitting(in: $0) ?? arithmetic.pattern(.max) }
  }

  /// A carousel scrolls within the insets; its rows share a leaf.
  init(ofCarousel arithmetic: LayoutArithmetic) {
    self.init(
      arithmetic, viewport: arithmetic.down(arithmetic.inner), start: 0, end: 0,
      paging: arithmetic.layout.paging ?? .item
    ) { _ in 1 }
  }

  private init(
    _ arithmetic: LayoutArithmetic, viewport: Double, start: Double, end: Double, paging: SectionLayout.Paging,
    columns: (Double) -> Int
  ) {
    let peek = arithmetic.layout.peek
    let rest = peek?.leading.map { $0.double + arithmetic.itemSpacing } ?? start
    let after = peek?.trailing.map { $0.double + arithmetic.itemSpacing } ?? end
    room = max(0, viewport - rest - after)
    self.columns = columns(room)
    (self.arithmetic, self.viewport, self.start, self.end) = (arithmetic, viewport, start, end)
    (self.rest, self.paging) = (rest, paging)
  }

  /// Where each column begins.
  func places(of widths: [Double]) -> [Double] {
    var x = paging == .centered ? margin(of: widths.first ?? 0) : start
    return widths.map { width in
      defer { x += width + arithmetic.itemSpacing }
      return x
    }
  }

  /// What is on either side of a column in the middle.
  private func margin(of width: Double) -> Double { max(0, arithmetic.down((viewport - width) / 2)) }

  /// How columns of these widths scroll.
  func scrolling(_ widths: [Double], at places: [Double]) -> SectionFrames.Scrolling {
    let last = (place: places.last ?? 0, width: widths.last ?? 0)
    let after = paging == .centered ? viewport - last.width - margin(of: last.width) : end
    let extent = last.place + last.width + max(0, after)
    let farthest = max(0, extent - viewport)
    var stops = [Double]()
    for stop in rests(widths, places).map({ min(max(0, $0), farthest) }) where stop > (stops.last ?? -1) + 1e-6 {
      stops.append(stop)
    }
    return SectionFrames.Scrolling(extent: extent, stops: stops)
  }

  /// How far it would be scrolled where it rests, if there were no ends.
  private func rests(_ widths: [Double], _ places: [Double]) -> [Double] {
    switch paging {
    case .anywhere: []
    case .item: places.indices.map { $0 == 0 ? 0 : places[$0] - rest }
    case .group: groups(widths, places).map { $0 == 0 ? 0 : places[$0] - rest }
    case .centered: places.indices.map { places[$0] - margin(of: widths[$0]) }
    }
  }

  /// The first column of each group of as many as the room holds, one at least.
  private func groups(_ widths: [Double], _ places: [Double]) -> [Int] {
    places.indices.reduce(into: []) { firsts, column in
      if let first = firsts.last, places[column] + widths[column] - places[first] <= room + 1e-6 { return }
      firsts.append(column)
    }
  }
}

extension Array {
  /// The elements in parts of so many, the last of what is left.
  func parts(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0..<Swift.min($0 + count, self.count)]) }
  }
}
