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

  /// The cells, from top to bottom; those of a shelf in the order of its items, before anything is scrolled.
  public internal(set) var cells: [Cell] = []
  /// The leaves of a carousel.
  public internal(set) var leaves: [Leaf] = []
  /// How a shelf or a carousel scrolls; `nil` for other styles, and for one that has nothing to show.
  public internal(set) var scrolling: Scrolling?
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
  public init(
    _ section: Section, width: Double, screen: Screen? = nil, scale: Double? = nil,
    measuring measure: @escaping (Item, Double) -> Double,
    measuringWidth measureWidth: @escaping (Item) -> Double = { _ in .infinity }
  ) {
    let arithmetic = LayoutArithmetic(
      layout: section.layout, container: width, screen: screen, scale: scale, measure: measure,
      measureWidth: measureWidth)
    height = arithmetic.top
    if let header = section.header { add(header, .header, section.layout.headerSize, arithmetic) }
    addShared(section, arithmetic)
    switch section.layout.style {
    case .shelf: addShelf(section.items, arithmetic)
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
  mutating func append(_ box: LayoutArithmetic.Box, _ part: Part, x: Double, y: Double) {
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
    if section.layout.style == .carousel { return addCarousel(section, arithmetic) }
    let isOne = section.layout.style == .ticker
    let sizes = isOne ? [:] : section.layout.slotSizes
    let shared = section.slots.filter { sizes[$0.key] == nil }.map(\.value) + (isOne ? section.items : [])
    let sized = section.slotsByName.filter { sizes[$0.key] != nil }
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

extension Section {
  /// The slots in the order of their names.
  var slotsByName: [(key: String, value: Item)] {
    slots.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
