import HomePayload
import JSON

/// A layout's numbers for a container's width.
struct LayoutArithmetic {
  let layout: SectionLayout
  let container: Double
  let screen: SectionFrames.Screen?
  let scale: Double?
  let measure: (Item, Double) -> Double
  let measureWidth: (Item) -> Double
  let measureLines: (Item, Double, Int) -> Double

  /// An item with the room that it takes, its own inset included.
  struct Box {
    let item: Item
    let width: Double
    let height: Double
    /// The cells of a group, from its top and leading edge, `item` in the first of them; empty for an item alone.
    var members: [(box: Box, x: Double, y: Double)] = []
  }

  func box(_ item: Item, _ size: SectionLayout.ItemSize?, columns: Int, in row: ScrollingRow? = nil) -> Box {
    box(item, size, width: width(item, size, columns: columns, in: row))
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
  var trailing: Double { layout.inset?.trailing.double ?? 0 }
  /// The container within its insets.
  var inner: Double { container - leading - trailing }
  var itemSpacing: Double { layout.itemSpacing?.double ?? 0 }
  var lineSpacing: Double { layout.lineSpacing?.double ?? 0 }
  var waterfallColumns: Int { fitting(in: inner) ?? layout.rows?.last.flatMap { $0 > 0 ? $0 : nil } ?? 2 }
  /// The most columns that a layout has of itself.
  static var columnsMax: Double { 24 }

  /// At least one, whatever the layout says.
  func columns(ofRow row: Int) -> Int { fitting(in: inner) ?? pattern(row) }

  /// The columns that `rows` gives a row, at least one.
  func pattern(_ row: Int) -> Int {
    guard let rows = layout.rows, let last = rows.last else { return 1 }
    return max(1, row < rows.count ? rows[row] : last)
  }

  /// As many columns of their least width as fit; `nil` where the layout does not say so.
  func fitting(in room: Double) -> Int? {
    guard let least = layout.columns?.minimum.double else { return nil }
    let step = least + itemSpacing
    return step > 0 ? Int(min(max(1, (room + itemSpacing + 1e-6) / step), Self.columnsMax)) : 1
  }

  /// Rounded down to a whole pixel, so that cells that fit a line still do; a double's last digits make no pixel less.
  func down(_ points: Double) -> Double {
    guard let scale else { return points }
    return (points * scale + 1e-6).rounded(.down) / scale
  }

  /// Rounded up to a whole pixel, so that what was measured is not cut off.
  func up(_ points: Double) -> Double { Self.up(points, scale) }

  /// The same for a screen with so many pixels a point, if that is known.
  static func up(_ points: Double, _ scale: Double?) -> Double {
    guard let scale else { return points }
    return (points * scale - 1e-6).rounded(.up) / scale
  }

  func columnWidth(of columns: Int, in room: Double) -> Double {
    down((room - Double(columns - 1) * itemSpacing) / Double(columns))
  }

  /// A fraction of the screen's width; of the container's where nothing is known of the screen.
  func ofScreen(_ fraction: JSONNumber) -> Double { down(fraction.double * (screen?.width ?? container)) }

  /// The width of a cell, which a column bounds, or the room of a row that scrolls sideways.
  ///
  /// - Parameters:
  ///   - item: `nil` for a cell or a leaf that shows several.
  ///   - columns: How many share the room.
  ///   - row: The row that scrolls; `nil` for what does not.
  func width(
    _ item: Item?, _ size: SectionLayout.ItemSize?, columns: Int, in row: ScrollingRow? = nil
  ) -> Double {
    let room = row?.room ?? inner
    let column = columnWidth(of: columns, in: room)
    let width = width(size?.width ?? .container, of: item, in: room, column: column)
    return width.isCapped ? min(width.points, row == nil ? column : down(room)) : width.points
  }

  /// A width before a column or room caps it, and whether these do.
  private func width(
    _ width: SectionLayout.Width, of item: Item?, in room: Double, column: Double
  ) -> (points: Double, isCapped: Bool) {
    switch width {
    case .container: return (down(room), false)
    case .column: return (column, false)
    case .points(let points): return (points.double, false)
    case .fraction(let fraction): return (down(fraction.double * room), true)
    case .screenFraction(let fraction): return (ofScreen(fraction), false)
    case .content(let minimum, let maximum):
      guard let item else { return (down(room), false) }
      return (text(of: item, minimum, maximum), true)
    case .bounded(let inner, let minimum, let maximum):
      let (points, isCapped) = self.width(inner, of: item, in: room, column: column)
      let least = max(points, minimum.map { bound($0, of: room) } ?? 0)
      return (min(least, maximum.map { bound($0, of: room) } ?? .infinity), isCapped)
    }
  }

  private func bound(_ bound: SectionLayout.Bound, of room: Double) -> Double {
    switch bound {
    case .points(let points): points.double
    case .fraction(let fraction): down(fraction.double * room)
    case .screenFraction(let fraction): ofScreen(fraction)
    }
  }

  /// What an item's text needs within bounds, and its own inset beside it.
  private func text(of item: Item, _ minimum: JSONNumber?, _ maximum: JSONNumber?) -> Double {
    let text = max(minimum?.double ?? 0, up(measureWidth(item)))
    return min(text, maximum?.double ?? .infinity) + around(item)
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
    height(item, size?.height ?? .content(minimum: 0), width: width, showing: items)
  }

  private func height(
    _ item: Item?, _ height: SectionLayout.Height, width: Double, showing items: [Item]
  ) -> Double {
    if case .bounded(let inner, let minimum, let maximum) = height {
      let height = self.height(item, inner, width: width, showing: items)
      return min(max(height, minimum.flatMap(bound) ?? 0), maximum.flatMap(bound) ?? .infinity)
    }
    if let aspect = item?.aspect { return down(width / aspect.double) }
    var minimum = 0.0
    var measure = measure
    switch height {
    case .points(let points): return points.double
    case .aspect(let aspect): return down(width / aspect.double)
    case .screenFraction(let fraction):
      if let screen { return down(fraction.double * screen.height) }
    case .content(let least): minimum = least.double
    case .lines(let lines, let least):
      minimum = least.double
      measure = { [measureLines] in measureLines($0, $1, lines) }
    case .bounded: break
    }
    return items.map { up(measure($0, width)) }.reduce(minimum, max)
  }

  /// A bound of a height; `nil` where nothing is known of what it is of.
  private func bound(_ bound: SectionLayout.Bound) -> Double? {
    switch bound {
    case .points(let points): points.double
    case .screenFraction(let fraction): screen.map { down(fraction.double * $0.height) }
    case .fraction: nil
    }
  }
}
