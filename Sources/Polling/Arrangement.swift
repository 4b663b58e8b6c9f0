public import Foundation
public import HomePayload
import JSON

/// What a view that scrolls shows of a page, or of a row in it: cells where ``SectionFrames`` places them, one section after
/// the other, what is drawn behind them, and what stays while the rest scrolls.
///
/// There is a cell for each header, slot, item and footer. What scrolls sideways in a section is one cell, with an
/// arrangement of its own. `HearthLayout` shows it in a collection view.
public struct Arrangement: Sendable {
  /// One cell.
  public struct Cell: Sendable {
    /// Unique in its section, and the same for what shows the same item of the next page by the same kind.
    public let id: String
    /// What it is of its section.
    public let part: SectionFrames.Part
    /// What it shows: one item mostly, several where they share the cell, those of all its cells for a row.
    public let items: [Item]
    /// Where it is, from the section's top and the leading edge, before anything is scrolled.
    public let area: SectionFrames.Area
    /// The line below the row that it is the first cell of, where it is; `nil` without one.
    public let separator: SectionFrames.Area?
    /// What scrolls sideways in it; `nil` for what does not.
    public let row: Arrangement?

    /// The item's kind; empty for a row, and where several items share the cell.
    public var kind: String { row == nil && items.count == 1 ? items[0].kind : "" }
  }

  /// The cells of one section.
  public struct Band: Sendable {
    /// The section's id.
    public let id: String
    /// The cells; in a collection view, an index path's second number counts them.
    public let cells: [Cell]
    /// Where it begins, from the top of all that scrolls; in a row, from the leading edge.
    public internal(set) var start: Double
    /// How long it is in the direction that scrolls.
    public let length: Double
    /// What is drawn behind its cells, and where, from the section's top and the leading edge.
    public let background: (look: SectionLayout.Background, area: SectionFrames.Area)?
    /// How it is part of what stays at the top while the rest scrolls.
    public internal(set) var stay = SectionFrames.Stay()

    let layout: SectionLayout
    let made: Made?
    let sticky: (cell: Int, at: SectionFrames.Sticky)?
    let spans: Spans

    /// The colour of the lines between its rows; `nil` without any.
    public var separatorColor: SectionLayout.Color? { layout.separator?.color }
    /// Whether it floats at the bottom of what shows.
    public var isFloating: Bool { layout.style == .pinned }
  }

  /// What is drawn.
  public enum Element: Hashable, Sendable {
    /// The cell at a place: a section, and a cell of it.
    case cell(IndexPath)
    /// What is behind the cells of a section.
    case background(Int)
    /// The line below a row, by its first cell.
    case separator(IndexPath)
  }

  /// The sections.
  public private(set) var bands: [Band] = []
  /// Whether it scrolls sideways, as a row does.
  public let isSideways: Bool
  /// Whether the leading edge is at the right.
  public let isRightToLeft: Bool
  /// The width that it was made for: that of the view that shows it.
  public let width: Double
  /// The width and height of all that scrolls.
  public private(set) var size: CGSize
  /// How far it is scrolled from the leading edge where it comes to rest; empty where it rests anywhere.
  public let stops: [Double]
  /// What is drawn behind all sections, in the whole view.
  public let background: SectionLayout.Background?
  /// What stands above the first section.
  private let top: Double
  private let screen: SectionFrames.Screen?
  /// The sections that float.
  private var floating: [Int] = []
  /// The sections that stay at the top.
  private var staying: [Int] = []

  /// Nothing.
  public init() { self.init([], width: 0, in: Page(id: "", locale: "", sortRule: "", sections: [])) }

  /// A page, for a width.
  ///
  /// - Parameters:
  ///   - width: The view's, in points.
  ///   - old: What was shown before: sections that are the same are not laid out again, and items that are the same not
  ///     measured.
  ///   - choices: Which list shows of those that share a section, by the section's id; the first one where nothing is said.
  ///   - screen: See ``SectionFrames/init(_:width:screen:scale:measuring:measuringWidth:)``, as the others.
  public init(
    _ page: Page, width: Double, after old: Arrangement? = nil, choosing choices: [String: String] = [:],
    screen: SectionFrames.Screen? = nil,
    scale: Double? = nil, measuring measure: @escaping (Item, Double) -> Double,
    measuringWidth measureWidth: @escaping (Item) -> Double = { _ in .infinity }
  ) {
    let before = Dictionary((old?.bands ?? []).map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    let room = Room(page, width: width, screen: screen, scale: scale)
    let bands = page.shownSections.map { section in
      let list = section.list(choosing: choices[section.id])?.id
      if let band = before[section.id], band.made?.isOf(section, list, room) == true { return band }
      return Band(section, list, in: room, after: before[section.id]?.made?.notes, measure, measureWidth)
    }
    self.init(bands, width: width, in: page, screen: screen)
  }

  private init(_ bands: [Band], width: Double, in page: Page, screen: SectionFrames.Screen? = nil) {
    isSideways = false
    self.screen = screen
    isRightToLeft = page.direction == .rightToLeft
    (self.width, stops, background) = (width, [], page.background)
    top = page.inset?.top.double ?? 0
    size = CGSize(width: width, height: top + (page.inset?.bottom.double ?? 0))
    stack(bands)
  }

  /// A row within a section.
  init(
    row cells: [Cell], _ scrolling: SectionFrames.Scrolling, in layout: SectionLayout, width: Double, height: Double,
    isRightToLeft: Bool
  ) {
    isSideways = true
    screen = nil
    self.isRightToLeft = isRightToLeft
    (self.width, stops, background, top) = (width, scrolling.stops, nil, 0)
    size = CGSize(width: scrolling.extent, height: height)
    bands = [
      Band(
        id: "", cells: cells, start: 0, length: scrolling.extent, background: nil, layout: layout, made: nil,
        sticky: nil, spans: Spans(of: cells) { ($0.x, $0.x + $0.width) })
    ]
  }

  /// Puts one section below the other; room is left below them for what floats.
  private mutating func stack(_ bands: [Band]) {
    self.bands = bands
    var end = top
    let stays = SectionFrames.stays(of: bands.map { ($0.layout, $0.length) }, from: top, screen: screen)
    for place in bands.indices {
      self.bands[place].start = end
      self.bands[place].stay = stays[place]
      if !bands[place].isFloating { end += bands[place].length }
    }
    floating = bands.indices.filter { bands[$0].isFloating }
    staying = bands.indices.filter { stays[$0].sticky != nil }
    size.height += bands.lazy.map(\.length).reduce(0, +)
  }

  /// The same with other sections, which a batch update goes through.
  func with(_ bands: [Band]) -> Arrangement {
    var other = self
    other.size.height -= self.bands.lazy.map(\.length).reduce(0, +)
    other.stack(bands)
    return other
  }

  /// The cell at a place; `nil` where there is none.
  public subscript(path: IndexPath) -> Cell? {
    guard path.count == 2, bands.indices.contains(path[0]), bands[path[0]].cells.indices.contains(path[1]) else {
      return nil
    }
    return bands[path[0]].cells[path[1]]
  }
}

extension Arrangement {
  /// What is in a rectangle of all that scrolls, while a part of it shows: in a view's coordinates, from its left edge.
  ///
  /// It looks at no more than what is there: a thousand sections, or a section of ten thousand cells, are searched by halves.
  public func elements(in rect: CGRect, showing visible: CGRect) -> [Element] {
    if isSideways {
      let (from, to) = (leading(of: rect), leading(of: rect) + Double(rect.width))
      return drawn(bands[0].spans.between(from, to), of: 0)
    }
    let (from, to) = (Double(rect.minY), Double(rect.maxY))
    var found: [Element] = []
    for place in bands.indices.dropFirst(firstBand(endingAfter: from)) {
      let start = bands[place].start
      guard start < to else { break }
      add(place, from - start, to - start, to: &found)
    }
    let stays = staying.filter { shows($0, from, to, showing: visible) }
    return found + (stays + floating).flatMap { all(of: $0) }
  }

  /// Whether a section that stays is between two places.
  private func shows(_ place: Int, _ from: Double, _ to: Double, showing visible: CGRect) -> Bool {
    let start = start(of: place, showing: visible)
    return start < to && start + bands[place].length > from
  }

  private func all(of place: Int) -> [Element] {
    let behind: [Element] = bands[place].background == nil ? [] : [.background(place)]
    return behind + drawn(Array(bands[place].cells.indices), of: place)
  }

  /// Cells of a section, and the lines below their rows.
  private func drawn(_ cells: [Int], of place: Int) -> [Element] {
    cells.flatMap { cell -> [Element] in
      let path = IndexPath(indexes: [place, cell])
      return bands[place].cells[cell].separator == nil ? [.cell(path)] : [.cell(path), .separator(path)]
    }
  }

  private func add(_ place: Int, _ from: Double, _ to: Double, to found: inout [Element]) {
    let band = bands[place]
    guard !band.isFloating, band.stay.sticky == nil else { return }
    if let area = band.background?.area, area.y < to, area.y + area.height > from { found.append(.background(place)) }
    var cells = band.spans.between(from, to)
    // It is where its section shows.
    if let sticky = band.sticky, !cells.contains(sticky.cell) { cells.append(sticky.cell) }
    found += drawn(cells, of: place)
  }

  /// The first section that ends below a place.
  private func firstBand(endingAfter place: Double) -> Int {
    bands.endOfPrefix { $0.start + ($0.isFloating ? 0 : $0.length) <= place }
  }

  /// Where something is drawn while a part of all that scrolls shows: in a view's coordinates, from its left edge.
  ///
  /// The frame of a background that there is not is that of its whole section.
  public func frame(of element: Element, showing visible: CGRect) -> CGRect {
    switch element {
    case .background(let place):
      guard bands.indices.contains(place) else { return .zero }
      let band = bands[place]
      let whole = SectionFrames.Area(x: 0, y: 0, width: width, height: band.length)
      return rect(band.background?.area ?? whole, in: place, showing: visible)
    case .separator(let path):
      guard let area = self[path]?.separator else { return .zero }
      return rect(area, in: path[0], showing: visible)
    case .cell(let path):
      guard let cell = self[path] else { return .zero }
      var area = cell.area
      let band = bands[path[0]]
      if let sticky = band.sticky, sticky.cell == path[1], band.stay.sticky == nil {
        area.y = sticky.at.y(scrolledBy: Double(visible.minY) + band.stay.above - band.start)
      }
      return rect(area, in: path[0], showing: visible)
    }
  }

  private func rect(_ area: SectionFrames.Area, in place: Int, showing visible: CGRect) -> CGRect {
    let y = isSideways ? area.y : start(of: place, showing: visible) + area.y
    let left = isRightToLeft ? Double(size.width) - area.x - area.width : area.x
    return CGRect(x: left, y: y, width: area.width, height: area.height)
  }

  /// Where a section is while a part of all that scrolls shows.
  private func start(of place: Int, showing visible: CGRect) -> Double {
    let band = bands[place]
    if band.isFloating { return Double(visible.maxY) - floatingLength(from: place) }
    return band.stay.sticky?.y(scrolledBy: Double(visible.minY)) ?? band.start
  }

  /// How high all is that floats from a section on: the last one is the lowest.
  private func floatingLength(from place: Int) -> Double {
    floating.lazy.filter { $0 >= place }.map { bands[$0].length }.reduce(0, +)
  }

  /// How far what lies at a rectangle is from the leading edge.
  private func leading(of rect: CGRect) -> Double {
    isRightToLeft ? Double(size.width - rect.maxX) : Double(rect.minX)
  }

  /// What goes elsewhere when a view is scrolled: headers and sections that stay, and all that floats.
  public func moving(showing visible: CGRect) -> [Element] {
    var found: [Element] = []
    for place in bands.indices.dropFirst(firstBand(endingAfter: Double(visible.minY))) {
      guard bands[place].start < Double(visible.maxY) else { break }
      if let sticky = bands[place].sticky, bands[place].stay.sticky == nil {
        found.append(.cell(IndexPath(indexes: [place, sticky.cell])))
      }
    }
    let stays = staying.filter { place in
      start(of: place, showing: visible) > bands[place].start
        && shows(place, Double(visible.minY), Double(visible.maxY), showing: visible)
    }
    return found + (stays + floating).flatMap { all(of: $0) }
  }

  /// Where a row that is about to be left at a place comes to rest, from the left edge.
  ///
  /// - Parameter left: How far its left edge would be from that of all that scrolls.
  public func resting(near left: Double, showing width: Double) -> Double {
    let hidden = max(0, Double(size.width) - width)
    let far = isRightToLeft ? hidden - left : left
    guard let stop = stops.min(by: { abs($0 - far) < abs($1 - far) }) else { return left }
    return isRightToLeft ? hidden - stop : stop
  }

  /// Where a row is scrolled to at first, from the left edge: to its leading one.
  public func beginning(showing width: Double) -> Double {
    isRightToLeft ? max(0, Double(size.width) - width) : 0
  }
}

extension Page {
  /// The sections; of a page without any, what there is to show instead.
  fileprivate var shownSections: [Section] {
    guard sections.isEmpty, let emptyState else { return sections }
    return [Section(id: "", kind: emptyState.kind, index: 0, layout: SectionLayout(style: .list), items: [emptyState])]
  }
}
