import HomePayload
import JSON

extension LayoutResolver {
  /// The most columns and the most rows of a group.
  static let tracksMax = 12

  /// A pattern of cells; its height is known before there is content, so that it needs a size that says one.
  func group(_ reader: inout ObjectReader, of size: SectionLayout.ItemSize?) -> SectionLayout.Group? {
    guard let json = reader.value("group") else { return nil }
    let pointer = reader.place(of: "group")
    let group: SectionLayout.Group? = ObjectReader.object(json, at: pointer, reader.collector) { inner in
      let columns = tracks("columns", &inner)
      let rows = tracks("rows", &inner)
      guard inner.required("cells") != nil, let elements = inner.array("cells"), let columns, let rows else {
        return nil
      }
      return cells(elements, columns.count, rows.count, inner)
        .map { SectionLayout.Group(cells: $0, columns: columns, rows: rows) }
    }
    if size?.height.isKnownBefore != true {
      reader.collector.add(
        pointer, .groupHeight, "needs an 'itemSize' with a height of points, an aspect or a fraction of the screen")
    }
    return group
  }

  private func tracks(_ name: String, _ reader: inout ObjectReader) -> [SectionLayout.Track]? {
    guard reader.required(name) != nil, let elements = reader.array(name) else { return nil }
    let place = reader.place(of: name)
    guard (1...Self.tracksMax).contains(elements.count) else {
      reader.collector.add(place, Self.tracksExpected.demanded)
      return nil
    }
    let tracks = elements.enumerated().compactMap { index, json -> SectionLayout.Track? in
      if let share = json.number, share > 0, share <= 1_000 { return .share(share) }
      if json.object != nil, var inner = ObjectReader(json, at: place.appending(index), reader.collector) {
        let isThere = inner.required("points") != nil
        let points = isThere ? length("points", &inner) : nil
        inner.refuseOthers()
        return points.map { .points($0) }
      }
      reader.collector.add(place.appending(index), Self.tracksExpected.demanded)
      return nil
    }
    return tracks.count == elements.count ? tracks : nil
  }

  private static let tracksExpected = Sentence(
    .tracks, "1 to \(tracksMax) shares above 0 and at most 1000, or {\"points\": n}", ["most": .count(tracksMax)])

  private func cells(
    _ elements: [JSON], _ columns: Int, _ rows: Int, _ reader: ObjectReader
  ) -> [SectionLayout.GroupCell]? {
    let place = reader.place(of: "cells")
    guard !elements.isEmpty else {
      reader.collector.add(place, .minItems, "must have at least one cell", ["least": 1, "count": 0])
      return nil
    }
    // More than these do not fit without lying over each other.
    var taken = Set<Int>()
    let cells = elements.enumerated().compactMap { index, json in
      ObjectReader.object(json, at: place.appending(index), reader.collector) { inner -> SectionLayout.GroupCell? in
        let isThere = [inner.required("column"), inner.required("row")].allSatisfy { $0 != nil }
        let column = inner.int("column", in: 0...(columns - 1))
        let columnSpan = inner.int("columnSpan", in: 1...columns)
        let row = inner.int("row", in: 0...(rows - 1))
        let rowSpan = inner.int("rowSpan", in: 1...rows)
        guard isThere, let column, let row else { return nil }
        let (right, below) = (column + (columnSpan ?? 1), row + (rowSpan ?? 1))
        let places = (row..<below).flatMap { line in (column..<right).map { line * Self.tracksMax + $0 } }
        guard right <= columns, below <= rows, taken.isDisjoint(with: places) else {
          inner.collector.add(
            inner.pointer, .groupCell, "must lie within the group's columns and rows, and over no other cell")
          return nil
        }
        taken.formUnion(places)
        return SectionLayout.GroupCell(column: column, columnSpan: columnSpan, row: row, rowSpan: rowSpan)
      }
    }
    return cells.count == elements.count ? cells : nil
  }
}

extension SectionLayout.Height {
  /// Whether it is known before there is content.
  var isKnownBefore: Bool {
    switch self {
    case .points, .aspect, .screenFraction: true
    case .content, .lines: false
    case .bounded(let height, _, _): height.isKnownBefore
    }
  }
}
