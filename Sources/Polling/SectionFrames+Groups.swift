import HomePayload
import JSON

extension LayoutArithmetic {
  /// What is laid out beside one another: an item each, or as many as a group has cells.
  func units(of items: [Item]) -> [[Item]] {
    layout.group.map { items.parts(of: $0.cells.count) } ?? items.map { [$0] }
  }

  /// The room of a unit; a group that has fewer items than cells ends where they end.
  func box(_ unit: [Item], columns: Int, in row: ScrollingRow? = nil) -> Box {
    let size = layout.itemSize
    guard let group = layout.group else { return box(unit[0], size, columns: columns, in: row) }
    let width = width(nil, size, columns: columns, in: row)
    let height = height(nil, size, width: width, showing: [])
    let columns = tracks(group.columns, in: width, itemSpacing)
    let rows = tracks(group.rows, in: height, lineSpacing)
    let members = zip(unit, group.cells).map { item, cell in
      let (x, width) = span(cell.column, cell.columnSpan ?? 1, of: columns, itemSpacing)
      let (y, height) = span(cell.row, cell.rowSpan ?? 1, of: rows, lineSpacing)
      return (box: Box(item: item, width: width, height: height), x: x, y: y)
    }
    let isWhole = unit.count == group.cells.count
    return Box(
      item: unit[0], width: isWhole ? width : members.map { $0.x + $0.box.width }.reduce(0, max),
      height: isWhole ? height : members.map { $0.y + $0.box.height }.reduce(0, max), members: members)
  }

  /// The lengths of columns or rows: points, and shares of what these and the spacing leave.
  private func tracks(_ tracks: [SectionLayout.Track], in room: Double, _ spacing: Double) -> [Double] {
    var (fixed, shares) = (Double(tracks.count - 1) * spacing, 0.0)
    for track in tracks {
      switch track {
      case .points(let points): fixed += points.double
      case .share(let share): shares += share.double
      }
    }
    return tracks.map { track in
      switch track {
      case .points(let points): points.double
      case .share(let share): down(max(0, room - fixed) * share.double / shares)
      }
    }
  }

  /// Where so many columns or rows begin, and how long they are together.
  private func span(_ first: Int, _ count: Int, of tracks: [Double], _ spacing: Double) -> (Double, Double) {
    let start = tracks[..<first].reduce(0) { $0 + $1 + spacing }
    return (start, tracks[first..<(first + count)].reduce(0, +) + Double(count - 1) * spacing)
  }
}
