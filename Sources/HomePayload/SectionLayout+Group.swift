public import JSON

extension SectionLayout {
  /// A pattern of cells of different sizes that repeats in a grid or a shelf, in the place of one item.
  public struct Group: Hashable, Sendable {
    /// The cells, in the order in which items fill them.
    public var cells: [GroupCell]
    /// The widths of its columns.
    public var columns: [Track]
    /// The heights of its rows.
    public var rows: [Track]

    /// A group.
    public init(cells: [GroupCell], columns: [Track], rows: [Track]) {
      (self.cells, self.columns, self.rows) = (cells, columns, rows)
    }
  }

  /// The width of a group's column, or the height of its row.
  public enum Track: Hashable, Sendable {
    /// A share of what points and spacing leave, above 0.
    case share(JSONNumber)
    /// A number of points.
    case points(JSONNumber)
  }

  /// One cell of a group, by the columns and rows that it takes.
  public struct GroupCell: Hashable, Sendable {
    /// Its first column, counted from 0.
    public var column: Int
    /// How many columns it takes; one when absent.
    public var columnSpan: Int?
    /// Its first row, counted from 0.
    public var row: Int
    /// How many rows it takes; one when absent.
    public var rowSpan: Int?

    /// A cell.
    public init(column: Int, columnSpan: Int? = nil, row: Int, rowSpan: Int? = nil) {
      (self.column, self.columnSpan, self.row, self.rowSpan) = (column, columnSpan, row, rowSpan)
    }
  }
}

extension SectionLayout.Group: Described {
  static var blank: Self { Self(cells: [], columns: [], rows: []) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("cells", \.cells)
    member("columns", \.columns)
    member("rows", \.rows)
  }

  func check() throws(PayloadError) {
    for (name, tracks) in [("/columns", columns), ("/rows", rows)] where tracks.isEmpty {
      throw PayloadError(name, "must have at least one")
    }
    for (position, cell) in cells.enumerated() {
      guard Self.holds(cell.column, cell.columnSpan, columns), Self.holds(cell.row, cell.rowSpan, rows) else {
        throw PayloadError("/cells/\(position)", "must lie within the columns and rows")
      }
    }
    if cells.isEmpty { throw PayloadError("/cells", "must have at least one") }
  }

  private static func holds(_ first: Int, _ span: Int?, _ tracks: [SectionLayout.Track]) -> Bool {
    let span = span ?? 1
    return first >= 0 && span >= 1 && first < tracks.count && span <= tracks.count - first
  }
}

extension SectionLayout.GroupCell: Described {
  static var blank: Self { Self(column: 0, row: 0) }

  static func describe(_ member: inout some MemberWalk<Self>) {
    member("column", \.column)
    member("columnSpan", \.columnSpan)
    member("row", \.row)
    member("rowSpan", \.rowSpan)
  }
}

extension SectionLayout.Track: WireValue {
  func append(to bytes: inout [UInt8]) {
    switch self {
    case .share(let share): bytes.append(contentsOf: share.text.utf8)
    case .points(let points): bytes.append(contentsOf: "{\"points\":\(points)}".utf8)
    }
  }

  static func read(_ json: JSON) throws(PayloadError) -> Self? {
    if let share = json.number { return .share(share) }
    guard json.object != nil else { throw PayloadError("", "must be a number or an object") }
    return json["points"]?.number.map { .points($0) }
  }
}
