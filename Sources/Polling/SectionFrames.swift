public import HomePayload
import JSON

/// Where the cells of a section are, for a width: docs/layout.md as arithmetic, in points.
///
/// For screens that are drawn without a layout engine, and to know a size before there is a cell.
public struct SectionFrames: Hashable, Sendable {
  /// What a cell is of.
  public enum Part: String, Hashable, Sendable {
    /// The section's header.
    case header
    /// One item.
    case item
    /// The one cell of a carousel or a ticker, with all that it has.
    case list
    /// The one cell that slots share, above the items.
    case slots
    /// The section's footer.
    case footer
  }

  /// One cell, from the section's top and leading edge.
  public struct Cell: Hashable, Sendable {
    /// What it is of.
    public var part: Part
    /// What it shows; `nil` where it shows several.
    public var item: Item?
    /// From the leading edge.
    public var x: Double
    /// From the top.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double
  }

  /// The cells, from top to bottom.
  public private(set) var cells: [Cell] = []
  /// The height of the section, insets included.
  public private(set) var height: Double

  /// The frames of a section.
  ///
  /// - Parameters:
  ///   - width: The container's, in points.
  ///   - measure: The height that an item's content needs in a width: for a header, a footer, and where the height
  ///     follows the content.
  public init(_ section: Section, width: Double, measuring measure: @escaping (Item, Double) -> Double) {
    let arithmetic = LayoutArithmetic(layout: section.layout, container: width, measure: measure)
    height = arithmetic.top
    if let header = section.header { add(header, .header, arithmetic) }
    addShared(section, arithmetic)
    switch section.layout.style {
    case .carousel, .ticker: break
    case .waterfall: addWaterfall(section.items, arithmetic)
    case .grid: addLines(section.items, arithmetic) { arithmetic.columns(ofRow: $0) }
    case .outline: addLines(Self.opened(section.items), arithmetic) { _ in 1 }
    case .list, .pinned: addLines(section.items, arithmetic) { _ in 1 }
    }
    if let footer = section.footer { add(footer, .footer, arithmetic) }
    height += arithmetic.bottom
  }

  private mutating func add(_ item: Item, _ part: Part, _ arithmetic: LayoutArithmetic) {
    let width = arithmetic.inner
    let height = item.aspect.map { width / $0.double } ?? arithmetic.measure(item, width)
    cells.append(Cell(part: part, item: item, x: arithmetic.leading, y: self.height, width: width, height: height))
    self.height += height
  }

  /// What several items share: a carousel, a ticker, slots.
  private mutating func addShared(_ section: Section, _ arithmetic: LayoutArithmetic) {
    let isOne = [.carousel, .ticker].contains(section.layout.style)
    let shared = Array(section.slots.values) + (isOne ? section.items : [])
    guard !shared.isEmpty else { return }
    let width = arithmetic.width(columns: 1, spacing: 0)
    let height = arithmetic.height(nil, width: width, showing: shared)
    cells.append(
      Cell(
        part: isOne ? .list : .slots, item: nil, x: arithmetic.leading, y: self.height, width: width, height: height))
    self.height += height + (isOne || section.items.isEmpty ? 0 : arithmetic.lineSpacing)
  }

  private mutating func addLines(_ items: [Item], _ arithmetic: LayoutArithmetic, columns: (Int) -> Int) {
    var rest = items[...]
    var row = 0
    while !rest.isEmpty {
      let count = columns(row)
      let width = arithmetic.width(columns: count, spacing: arithmetic.itemSpacing)
      var lineHeight = 0.0
      for (column, item) in rest.prefix(count).enumerated() {
        let height = arithmetic.height(item, width: width, showing: [item])
        let x = arithmetic.leading + Double(column) * (width + arithmetic.itemSpacing)
        cells.append(Cell(part: .item, item: item, x: x, y: self.height, width: width, height: height))
        lineHeight = max(lineHeight, height)
      }
      rest = rest.dropFirst(count)
      height += lineHeight + (rest.isEmpty ? 0 : arithmetic.lineSpacing)
      row += 1
    }
  }

  /// Each item goes to the shortest column, the first of equal ones.
  private mutating func addWaterfall(_ items: [Item], _ arithmetic: LayoutArithmetic) {
    guard !items.isEmpty else { return }
    let width = arithmetic.columnWidth(of: arithmetic.waterfallColumns, spacing: arithmetic.itemSpacing)
    var ends = [Double](repeating: height, count: arithmetic.waterfallColumns)
    for item in items {
      let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
      let height = arithmetic.height(item, width: width, showing: [item])
      let x = arithmetic.leading + Double(column) * (width + arithmetic.itemSpacing)
      cells.append(Cell(part: .item, item: item, x: x, y: ends[column], width: width, height: height))
      ends[column] += height + arithmetic.lineSpacing
    }
    height = (ends.max() ?? height) - arithmetic.lineSpacing
  }

  /// The rows of an outline that show: children below those that are expanded.
  private static func opened(_ items: [Item]) -> [Item] {
    items.flatMap { item in [item] + (item.expanded == true ? opened(item.children) : []) }
  }
}

/// A layout's numbers for a container's width.
private struct LayoutArithmetic {
  let layout: SectionLayout
  let container: Double
  let measure: (Item, Double) -> Double

  var top: Double { layout.inset?.top.double ?? 0 }
  var leading: Double { layout.inset?.leading.double ?? 0 }
  var bottom: Double { layout.inset?.bottom.double ?? 0 }
  var inner: Double { container - leading - (layout.inset?.trailing.double ?? 0) }
  var itemSpacing: Double { layout.itemSpacing?.double ?? 0 }
  var lineSpacing: Double { layout.lineSpacing?.double ?? 0 }
  var waterfallColumns: Int { layout.rows?.last.flatMap { $0 > 0 ? $0 : nil } ?? 2 }

  /// At least one, whatever the layout says.
  func columns(ofRow row: Int) -> Int {
    guard let rows = layout.rows, let last = rows.last else { return 1 }
    return max(1, row < rows.count ? rows[row] : last)
  }

  func columnWidth(of columns: Int, spacing: Double) -> Double {
    (inner - Double(columns - 1) * spacing) / Double(columns)
  }

  func width(columns: Int, spacing: Double) -> Double {
    switch layout.itemSize?.width {
    case .column: columnWidth(of: columns, spacing: spacing)
    case .points(let points): points.double
    case .fraction(let fraction): fraction.double * container
    case .container, nil: inner
    }
  }

  func height(_ item: Item?, width: Double, showing items: [Item]) -> Double {
    if let aspect = item?.aspect { return width / aspect.double }
    var minimum = 0.0
    switch layout.itemSize?.height {
    case .points(let points): return points.double
    case .aspect(let aspect): return width / aspect.double
    case .content(let least): minimum = least.double
    case nil: break
    }
    return items.map { measure($0, width) }.reduce(minimum, max)
  }
}
