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
    /// What chooses one of the lists that share the section, below the header.
    case tabs
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

    /// Whether it is what may stay at the top: the last one of a section does.
    var isHead: Bool { self == .header || self == .tabs }
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
    /// The line below the row that it is the first cell of; `nil` without one.
    public var separator: Area?

    /// How far it is from the left edge of a container of a width, on a page that is read in a direction.
    public func left(in container: Double, direction: Page.Direction?) -> Double {
      direction == .rightToLeft ? container - x - width : x
    }
  }

  /// What the app has of the device's screen, in points.
  public struct Screen: Hashable, Sendable {
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// A screen.
    public init(width: Double, height: Double) {
      self.width = width
      self.height = height
    }
  }

  /// How what a shelf or a carousel shows scrolls sideways, in points from its leading edge: a shelf's is the container's,
  /// a carousel's that of its cell.
  public struct Scrolling: Hashable, Sendable {
    /// The width of all that scrolls.
    public var extent: Double
    /// How far it is scrolled where it comes to rest, ascending from 0; empty where it rests anywhere.
    public var stops: [Double]
  }

  /// One leaf of a carousel, from the section's top and leading edge, before anything is scrolled.
  public struct Leaf: Hashable, Sendable {
    /// What it shows: one item, or as many as its rows take.
    public var items: [Item]
    /// From the leading edge.
    public var x: Double
    /// The width; the height is that of the carousel's cell.
    public var width: Double
  }

  /// A rectangle from the section's top and leading edge, in points.
  public struct Area: Hashable, Sendable {
    /// From the leading edge.
    public var x: Double
    /// From the top.
    public var y: Double
    /// The width.
    public var width: Double
    /// The height.
    public var height: Double

    /// How far it is from the left edge of a container of a width, on a page that is read in a direction.
    public func left(in container: Double, direction: Page.Direction?) -> Double {
      direction == .rightToLeft ? container - x - width : x
    }
  }

  /// What stays at the top of what shows while the rest scrolls: the header of a section, or its tabs where there are some,
  /// in points from the section's top; or a section, in points from the page's.
  public struct Sticky: Hashable, Sendable {
    /// Where it stands before anything is scrolled.
    public var y: Double
    /// The lowest place that it goes to: the end of what it belongs to, or the next section that stays, pushes it away.
    public var until: Double

    /// Where it stands once the top of what it belongs to is so far above the top of what shows.
    public func y(scrolledBy distance: Double) -> Double { min(max(y, distance), until) }
  }

  /// How a section is part of what stays at the top of its page.
  public struct Stay: Hashable, Sendable {
    /// How the section stays; `nil` where it scrolls along.
    public var sticky: Sticky?
    /// How high the section is that stays above it: a header that stays does so below that one.
    public var above = 0.0
  }

  /// The cells, from top to bottom; those of a shelf in the order of its items, before anything is scrolled.
  public internal(set) var cells: [Cell] = []
  /// The leaves of a carousel.
  public internal(set) var leaves: [Leaf] = []
  /// How a shelf or a carousel scrolls; `nil` for other styles, and for one that has nothing to show.
  public internal(set) var scrolling: Scrolling?
  /// Where the background is drawn; `nil` without one, and where it has no height.
  public internal(set) var background: Area?
  /// How the header or the tabs stay at the top; `nil` where they scroll along.
  public internal(set) var sticky: Sticky?
  /// The height of the section, insets included.
  public internal(set) var height: Double

  /// The frames of a section.
  ///
  /// - Parameters:
  ///   - width: The container's, in points.
  ///   - screen: What the app has of the screen. Without it, fractions of a screen's width are of the container's, and
  ///     those of its height are as high as the content.
  ///   - scale: The screen's pixels for a point. What is computed is rounded down to whole pixels, and what is measured up;
  ///     without it nothing is rounded.
  ///   - measure: The height that an item's content needs in a width: for a header, a footer, and where the height
  ///     follows the content.
  ///   - measureWidth: The width that an item's content needs, with what its kind adds around the text: where the width
  ///     follows the content. Without it such a cell is as wide as it may be.
  ///   - measureLines: The height that an item's content needs in a width where its text has so many lines, whatever it
  ///     says: where the height is of lines. Without it such a cell is as high as its content.
  public init(
    _ section: Section, width: Double, screen: Screen? = nil, scale: Double? = nil,
    measuring measure: @escaping (Item, Double) -> Double,
    measuringWidth measureWidth: @escaping (Item) -> Double = { _ in .infinity },
    measuringLines measureLines: ((_ item: Item, _ width: Double, _ lines: Int) -> Double)? = nil
  ) {
    let arithmetic = LayoutArithmetic(
      layout: section.layout, container: width, screen: screen, scale: scale, measure: measure,
      measureWidth: measureWidth, measureLines: measureLines ?? { item, width, _ in measure(item, width) })
    height = arithmetic.top
    if let header = section.header { add(header, .header, section.layout.headerSize, arithmetic) }
    if !section.lists.isEmpty { addTabs(arithmetic) }
    let start = height
    addShared(section, arithmetic)
    switch section.layout.style {
    case .shelf: addShelf(section.items, arithmetic)
    case .carousel, .ticker: break
    case .waterfall: addWaterfall(section.items, arithmetic)
    case .grid: addGrid(arithmetic.units(of: section.items), arithmetic)
    case .outline: addLines(Self.opened(section.items), arithmetic)
    case .flow:
      addFlow(section.items.map { ($0, section.layout.itemSize) }, .item, arithmetic, by: section.layout.alignment)
    case .list, .pinned: addLines(section.items, arithmetic)
    }
    let end = height
    if let footer = section.footer { add(footer, .footer, section.layout.footerSize, arithmetic) }
    height += arithmetic.bottom
    addChrome(section, arithmetic, from: start, to: end)
  }

  private mutating func add(
    _ item: Item, _ part: Part, _ size: SectionLayout.ItemSize?, _ arithmetic: LayoutArithmetic
  ) {
    let box = arithmetic.box(item, size, columns: 1)
    append(box, part, x: arithmetic.leading, y: height)
    height += box.height
  }

  /// How high tabs are: enough for a finger, in points.
  private static let tabsHeight = 44.0

  private mutating func addTabs(_ arithmetic: LayoutArithmetic) {
    let width = arithmetic.width(nil, nil, columns: 1)
    cells.append(
      Cell(part: .tabs, item: nil, x: arithmetic.leading, y: height, width: width, height: Self.tabsHeight))
    height += Self.tabsHeight
  }

  /// The cell is what the item's own inset leaves of its box.
  mutating func append(_ box: LayoutArithmetic.Box, _ part: Part, x: Double, y: Double) {
    for member in box.members { append(member.box, part, x: x + member.x, y: y + member.y) }
    guard box.members.isEmpty else { return }
    let inset = box.item.inset
    let (top, leading) = (inset?.top.double ?? 0, inset?.leading.double ?? 0)
    cells.append(
      Cell(
        part: part, item: box.item, x: x + leading, y: y + top,
        width: max(0, box.width - leading - (inset?.trailing.double ?? 0)),
        height: max(0, box.height - top - (inset?.bottom.double ?? 0))))
  }

  /// What several items share: a carousel, a ticker, slots.
  private mutating func addShared(_ section: Section, _ arithmetic: LayoutArithmetic) {
    if section.layout.style == .carousel { return addCarousel(section, arithmetic) }
    let isOne = section.layout.style == .ticker
    let sizes = isOne ? [:] : section.layout.slotSizes
    let shared = section.slots.filter { sizes[$0.key] == nil }.map(\.value) + (isOne ? section.items : [])
    let sized = section.slotsInOrder.filter { sizes[$0.key] != nil }
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

  /// One item below another.
  private mutating func addLines(_ items: [Item], _ arithmetic: LayoutArithmetic) {
    for (place, item) in items.enumerated() {
      let box = arithmetic.box(item, arithmetic.layout.itemSize, columns: 1)
      append(box, .item, x: arithmetic.leading, y: height)
      height += box.height
      endRow(of: cells.count - 1, isLast: place == items.count - 1, arithmetic)
    }
  }

  /// Leaves the space between two rows, with the line in it, after all rows but the last one.
  private mutating func endRow(of first: Int, isLast: Bool, _ arithmetic: LayoutArithmetic) {
    guard !isLast else { return }
    height += arithmetic.lineSpacing
    cells[first].separator = arithmetic.separator(
      x: arithmetic.leading, width: arithmetic.inner, above: height)
  }

  /// Rows of as many items, or groups, as the row has columns.
  private mutating func addGrid(_ units: [[Item]], _ arithmetic: LayoutArithmetic) {
    var rest = units[...]
    var row = 0
    while !rest.isEmpty {
      let count = arithmetic.columns(ofRow: row)
      var lineHeight = 0.0
      var x = arithmetic.leading
      let first = cells.count
      for unit in rest.prefix(count) {
        let box = arithmetic.box(unit, columns: count)
        append(box, .item, x: x, y: height)
        lineHeight = max(lineHeight, box.height)
        x += box.width + arithmetic.itemSpacing
      }
      rest = rest.dropFirst(count)
      height += lineHeight
      endRow(of: first, isLast: rest.isEmpty, arithmetic)
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
    let width = arithmetic.columnWidth(of: arithmetic.waterfallColumns, in: arithmetic.inner)
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

extension Section {
  /// The slots in the order that the layout says, then the others in that of their names.
  var slotsInOrder: [(key: String, value: Item)] {
    let places = Dictionary(layout.slotOrder.enumerated().map { ($1, $0) }, uniquingKeysWith: min)
    return slots.sorted {
      let (left, right) = (places[$0.key] ?? .max, places[$1.key] ?? .max)
      return left == right ? $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) : left < right
    }
  }
}
