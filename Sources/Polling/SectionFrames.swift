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
    /// The one cell that slots share, above the items: those without a size of their own.
    case slots
    /// A slot with a size of its own, above the items.
    case slot
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
  ///   - scale: The screen's pixels for a point. What is computed is rounded down to whole pixels, and what is measured up;
  ///     without it nothing is rounded.
  ///   - measure: The height that an item's content needs in a width: for a header, a footer, and where the height
  ///     follows the content.
  ///   - measureWidth: The width that an item's content needs, with what its kind adds around the text: where the width
  ///     follows the content. Without it such a cell is as wide as it may be.
  public init(
    _ section: Section, width: Double, scale: Double? = nil, measuring measure: @escaping (Item, Double) -> Double,
    measuringWidth measureWidth: @escaping (Item) -> Double = { _ in .infinity }
  ) {
    let arithmetic = LayoutArithmetic(
      layout: section.layout, container: width, scale: scale, measure: measure, measureWidth: measureWidth)
    height = arithmetic.top
    if let header = section.header { add(header, .header, section.layout.headerSize, arithmetic) }
    addShared(section, arithmetic)
    switch section.layout.style {
    case .carousel, .ticker: break
    case .waterfall: addWaterfall(section.items, arithmetic)
    case .grid: addLines(section.items, arithmetic) { arithmetic.columns(ofRow: $0) }
    case .outline: addLines(Self.opened(section.items), arithmetic) { _ in 1 }
    case .flow:
      addFlow(section.items.map { ($0, section.layout.itemSize) }, .item, arithmetic, by: section.layout.alignment)
    case .list, .pinned: addLines(section.items, arithmetic) { _ in 1 }
    }
    if let footer = section.footer { add(footer, .footer, section.layout.footerSize, arithmetic) }
    height += arithmetic.bottom
  }

  private mutating func add(
    _ item: Item, _ part: Part, _ size: SectionLayout.ItemSize?, _ arithmetic: LayoutArithmetic
  ) {
    let box = arithmetic.box(item, size, columns: 1)
    append(box, part, x: arithmetic.leading, y: height)
    height += box.height
  }

  /// The cell is what the item's own inset leaves of its box.
  private mutating func append(_ box: LayoutArithmetic.Box, _ part: Part, x: Double, y: Double) {
    let inset = box.item.inset
    let (top, leading) = (inset?.top.double ?? 0, inset?.leading.double ?? 0)
    cells.append(
      Cell(
        part: part, item: box.item, x: x + leading, y: y + top,
        width: max(0, box.width - leading - (inset?.trailing.double ?? 0)),
        height: box.height - top - (inset?.bottom.double ?? 0)))
  }

  /// What several items share: a carousel, a ticker, slots.
  private mutating func addShared(_ section: Section, _ arithmetic: LayoutArithmetic) {
    let isOne = [.carousel, .ticker].contains(section.layout.style)
    let sizes = isOne ? [:] : section.layout.slotSizes
    let shared = section.slots.filter { sizes[$0.key] == nil }.map(\.value) + (isOne ? section.items : [])
    let sized = section.slots.filter { sizes[$0.key] != nil }
      .sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    if !shared.isEmpty {
      let size = section.layout.itemSize
      let width = arithmetic.width(nil, size, columns: 1)
      let height = arithmetic.height(nil, size, width: width, showing: shared)
      let part: Part = isOne ? .list : .slots
      cells.append(Cell(part: part, item: nil, x: arithmetic.leading, y: self.height, width: width, height: height))
      self.height += height + (isOne || sized.isEmpty && section.items.isEmpty ? 0 : arithmetic.lineSpacing)
    }
    guard !sized.isEmpty else { return }
    addFlow(sized.map { ($0.value, sizes[$0.key]) }, .slot, arithmetic, by: nil)
    if !section.items.isEmpty { height += arithmetic.lineSpacing }
  }

  private mutating func addLines(_ items: [Item], _ arithmetic: LayoutArithmetic, columns: (Int) -> Int) {
    var rest = items[...]
    var row = 0
    while !rest.isEmpty {
      let count = columns(row)
      var lineHeight = 0.0
      var x = arithmetic.leading
      for item in rest.prefix(count) {
        let box = arithmetic.box(item, arithmetic.layout.itemSize, columns: count)
        append(box, .item, x: x, y: height)
        lineHeight = max(lineHeight, box.height)
        x += box.width + arithmetic.itemSpacing
      }
      rest = rest.dropFirst(count)
      height += lineHeight + (rest.isEmpty ? 0 : arithmetic.lineSpacing)
      row += 1
    }
  }

  /// As many items in a line as it has room for, one at least.
  private mutating func addFlow(
    _ items: [(item: Item, size: SectionLayout.ItemSize?)], _ part: Part, _ arithmetic: LayoutArithmetic,
    by alignment: SectionLayout.Alignment?
  ) {
    var lines: [(boxes: [LayoutArithmetic.Box], width: Double)] = []
    for (item, size) in items {
      let box = arithmetic.box(item, size, columns: 1)
      let longer = (lines.last?.width ?? 0) + arithmetic.itemSpacing + box.width
      if let last = lines.indices.last, longer <= arithmetic.inner + 1e-6 {
        lines[last].boxes.append(box)
        lines[last].width = longer
      } else {
        lines.append(([box], box.width))
      }
    }
    for (number, line) in lines.enumerated() {
      let isLast = number == lines.count - 1
      let room = max(0, arithmetic.inner - line.width)
      let (indent, more) = arithmetic.aligned(alignment, room, over: line.boxes.count, isLast: isLast)
      var x = arithmetic.leading + indent
      var lineHeight = 0.0
      for box in line.boxes {
        append(box, part, x: x, y: height)
        lineHeight = max(lineHeight, box.height)
        x += box.width + arithmetic.itemSpacing + more
      }
      height += lineHeight + (isLast ? 0 : arithmetic.lineSpacing)
    }
  }

  /// Each item goes to the shortest column, the first of equal ones.
  private mutating func addWaterfall(_ items: [Item], _ arithmetic: LayoutArithmetic) {
    guard !items.isEmpty else { return }
    let width = arithmetic.columnWidth(of: arithmetic.waterfallColumns)
    var ends = [Double](repeating: height, count: arithmetic.waterfallColumns)
    for item in items {
      let column = ends.indices.min { ends[$0] < ends[$1] } ?? 0
      let box = arithmetic.box(item, arithmetic.layout.itemSize, width: width)
      let x = arithmetic.leading + Double(column) * (width + arithmetic.itemSpacing)
      append(box, .item, x: x, y: ends[column])
      ends[column] += box.height + arithmetic.lineSpacing
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
  let scale: Double?
  let measure: (Item, Double) -> Double
  let measureWidth: (Item) -> Double

  /// An item with the room that it takes, its own inset included.
  struct Box {
    let item: Item
    let width: Double
    let height: Double
  }

  func box(_ item: Item, _ size: SectionLayout.ItemSize?, columns: Int) -> Box {
    box(item, size, width: width(item, size, columns: columns))
  }

  func box(_ item: Item, _ size: SectionLayout.ItemSize?, width: Double) -> Box {
    let inner = max(0, width - around(item))
    let height = height(item, size, width: inner, showing: [item])
    return Box(
      item: item, width: width, height: (item.inset?.top.double ?? 0) + height + (item.inset?.bottom.double ?? 0))
  }

  /// What an item's own inset takes of its width.
  private func around(_ item: Item) -> Double { (item.inset?.leading.double ?? 0) + (item.inset?.trailing.double ?? 0) }

  var top: Double { layout.inset?.top.double ?? 0 }
  var leading: Double { layout.inset?.leading.double ?? 0 }
  var bottom: Double { layout.inset?.bottom.double ?? 0 }
  /// The container within its insets.
  var inner: Double { container - leading - (layout.inset?.trailing.double ?? 0) }
  var itemSpacing: Double { layout.itemSpacing?.double ?? 0 }
  var lineSpacing: Double { layout.lineSpacing?.double ?? 0 }
  var waterfallColumns: Int { layout.rows?.last.flatMap { $0 > 0 ? $0 : nil } ?? 2 }

  /// At least one, whatever the layout says.
  func columns(ofRow row: Int) -> Int {
    guard let rows = layout.rows, let last = rows.last else { return 1 }
    return max(1, row < rows.count ? rows[row] : last)
  }

  /// Rounded down to a whole pixel, so that cells that fit a line still do; a double's last digits make no pixel less.
  func down(_ points: Double) -> Double {
    guard let scale else { return points }
    return (points * scale + 1e-6).rounded(.down) / scale
  }

  /// Rounded up to a whole pixel, so that what was measured is not cut off.
  func up(_ points: Double) -> Double {
    guard let scale else { return points }
    return (points * scale - 1e-6).rounded(.up) / scale
  }

  func columnWidth(of columns: Int) -> Double {
    down((inner - Double(columns - 1) * itemSpacing) / Double(columns))
  }

  /// - Parameter item: `nil` for a cell that shows several.
  func width(_ item: Item?, _ size: SectionLayout.ItemSize?, columns: Int) -> Double {
    switch size?.width {
    case .column: return columnWidth(of: columns)
    case .points(let points): return points.double
    case .fraction(let fraction): return min(down(fraction.double * inner), columnWidth(of: columns))
    case .content(let minimum, let maximum):
      guard let item else { return down(inner) }
      let text = max(minimum?.double ?? 0, up(measureWidth(item)))
      return min(min(text, maximum?.double ?? .infinity) + around(item), columnWidth(of: columns))
    case .container, nil: return down(inner)
    }
  }

  /// What comes before the first cell of a flow's line that has room left, and between each two.
  func aligned(
    _ alignment: SectionLayout.Alignment?, _ room: Double, over cells: Int, isLast: Bool
  ) -> (indent: Double, more: Double) {
    switch alignment {
    case .center: (down(room / 2), 0)
    case .trailing: (room, 0)
    case .justified where !isLast && cells > 1: (0, down(room / Double(cells - 1)))
    case .leading, .justified, nil: (0, 0)
    }
  }

  func height(_ item: Item?, _ size: SectionLayout.ItemSize?, width: Double, showing items: [Item]) -> Double {
    if let aspect = item?.aspect { return down(width / aspect.double) }
    var minimum = 0.0
    switch size?.height {
    case .points(let points): return points.double
    case .aspect(let aspect): return down(width / aspect.double)
    case .content(let least): minimum = least.double
    case nil: break
    }
    return items.map { up(measure($0, width)) }.reduce(minimum, max)
  }
}
