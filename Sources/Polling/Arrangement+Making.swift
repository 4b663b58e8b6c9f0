import HomePayload
import JSON

extension Arrangement {
  /// What all sections of a page have in common.
  struct Room: Equatable {
    let width: Double
    let leading: Double
    let trailing: Double
    let screen: SectionFrames.Screen?
    let scale: Double?
    let isRightToLeft: Bool

    init(_ page: Page, width: Double, screen: SectionFrames.Screen?, scale: Double?) {
      (self.width, self.screen, self.scale) = (width, screen, scale)
      (leading, trailing) = (page.inset?.leading.double ?? 0, page.inset?.trailing.double ?? 0)
      isRightToLeft = page.direction == .rightToLeft
    }

    var inner: Double { max(0, width - leading - trailing) }
  }

  /// What a section's cells were made of.
  struct Made {
    let section: Section
    /// The list that shows of those that share it.
    let list: String?
    let room: Room
    let notes: [Note.Key: Note]

    func isOf(_ other: Section, _ list: String?, _ room: Room) -> Bool {
      guard self.room == room, self.list == list, section.items.count == other.items.count else { return false }
      // Sections that no change set names share their items.
      return section.hasItems(of: other) ? section.withoutItems == other.withoutItems : section == other
    }
  }

  /// How much room a content was found to need.
  struct Note {
    struct Key: Hashable {
      var id: String
      /// The width that it has; `nil` where that is what was asked for.
      var width: Double?
    }

    let item: Item
    let length: Double
  }

  /// Notes what is measured, so that the same content is not measured again in the same width.
  private final class Notes {
    private let old: [Note.Key: Note]
    private(set) var all: [Note.Key: Note] = [:]

    init(_ old: [Note.Key: Note]?) { self.old = old ?? [:] }

    func length(_ item: Item, _ width: Double?, _ measure: () -> Double) -> Double {
      let key = Note.Key(id: item.id, width: width)
      if let known = old[key], known.item == item {
        all[key] = known
        return known.length
      }
      let length = measure()
      all[key] = Note(item: item, length: length)
      return length
    }
  }
}

extension Arrangement.Band {
  /// A section's cells, with those of one list where several share it.
  init(
    _ whole: Section, _ list: String?, in room: Arrangement.Room, after old: [Arrangement.Note.Key: Arrangement.Note]?,
    _ measure: @escaping (Item, Double) -> Double, _ measureWidth: @escaping (Item) -> Double
  ) {
    let notes = Arrangement.Notes(old)
    let section = whole.showing(list)
    let frames = SectionFrames(
      section, width: room.inner, screen: room.screen, scale: room.scale,
      measuring: { item, width in notes.length(item, width) { measure(item, width) } },
      measuringWidth: { item in notes.length(item, nil) { measureWidth(item) } })
    let tabs = section.tabs(choosing: list).map { tab in
      let width = notes.length(tab, nil) { measureWidth(tab) }
      // Where nobody measures, all are as wide.
      return (tab, width.isFinite ? LayoutArithmetic.up(width, room.scale) : room.inner / Double(section.lists.count))
    }
    let cells = Self.cells(of: section, tabs, frames, room)
    let head = frames.sticky.flatMap { sticky in
      cells.lastIndex { $0.part.isHead }.map { (cell: $0, at: sticky) }
    }
    self.init(
      id: section.id, cells: cells, start: 0, length: frames.height,
      background: section.layout.background.flatMap { look in
        frames.background.map { (look, $0.moved(by: room.leading)) }
      }, layout: section.layout,
      made: Arrangement.Made(section: whole, list: list, room: room, notes: notes.all), sticky: head,
      spans: Arrangement.Spans(of: cells) { ($0.y, $0.y + $0.height) })
  }

  private static func cells(
    of section: Section, _ tabs: [(item: Item, width: Double)], _ frames: SectionFrames, _ room: Arrangement.Room
  ) -> [Arrangement.Cell] {
    let cells = frames.cells.map { cell in
      let area = SectionFrames.Area(x: room.leading + cell.x, y: cell.y, width: cell.width, height: cell.height)
      if cell.part == .tabs { return Self.cell(of: tabs, area, room) }
      return Arrangement.Cell(
        cell.part, cell.item.map { [$0] } ?? section.shared(cell.part), area,
        separator: cell.separator?.moved(by: room.leading))
    }
    guard let scrolling = frames.scrolling else { return cells }
    let within = cells.filter { $0.part == .item || $0.part == .list }
    let top = within.map(\.area.y).min() ?? 0
    let bottom = within.map { $0.area.y + $0.area.height }.max() ?? 0
    // A carousel shows its leaves in its cell, a shelf its cells in the whole width.
    let list = within.first { $0.part == .list }?.area
    let area = list ?? SectionFrames.Area(x: room.leading, y: top, width: room.inner, height: bottom - top)
    let inner: [Arrangement.Cell] =
      if list == nil {
        within.map {
          Arrangement.Cell(
            $0.part, $0.items, $0.area.moved(by: -room.leading, -top),
            separator: $0.separator?.moved(by: -room.leading, -top))
        }
      } else {
        frames.leaves.map { leaf in
          let x = leaf.x + room.leading - area.x
          return Arrangement.Cell(.item, leaf.items, .init(x: x, y: 0, width: leaf.width, height: area.height))
        }
      }
    let row = Arrangement.Cell(
      .list, within.flatMap(\.items), area,
      Arrangement(
        row: inner, scrolling, in: section.layout, width: area.width, height: area.height,
        isRightToLeft: room.isRightToLeft))
    let beside = cells.filter { $0.part != .item && $0.part != .list }
    return beside.filter { $0.area.y < top } + [row] + beside.filter { $0.area.y >= top }
  }
}

extension Arrangement.Band {
  /// Tabs are a row that scrolls sideways, each a cell.
  private static func cell(
    of tabs: [(item: Item, width: Double)], _ area: SectionFrames.Area, _ room: Arrangement.Room
  ) -> Arrangement.Cell {
    var x = 0.0
    let cells = tabs.map { tab in
      defer { x += tab.width }
      return Arrangement.Cell(.item, [tab.item], .init(x: x, y: 0, width: tab.width, height: area.height))
    }
    let row = Arrangement(
      row: cells, .init(extent: max(x, area.width), stops: []), in: SectionLayout(style: .shelf), width: area.width,
      height: area.height,
      isRightToLeft: room.isRightToLeft)
    return Arrangement.Cell(.tabs, tabs.map(\.item), area, row)
  }
}

extension Arrangement.Cell {
  init(
    _ part: SectionFrames.Part, _ items: [Item], _ area: SectionFrames.Area, _ row: Arrangement? = nil,
    separator: SectionFrames.Area? = nil
  ) {
    (self.part, self.items, self.area, self.row, self.separator) = (part, items, area, row, separator)
    let kind = row == nil && items.count == 1 ? items[0].kind : row == nil ? "" : "row"
    let first = row == nil && (part == .item || items.count == 1) ? items.first?.id ?? "" : ""
    id = "\(part.rawValue)/\(first)/\(kind)"
  }
}

extension SectionFrames.Area {
  fileprivate func moved(by x: Double, _ y: Double = 0) -> Self {
    Self(x: self.x + x, y: self.y + y, width: width, height: height)
  }
}

extension Section {
  /// What the cell shows that several share.
  fileprivate func shared(_ part: SectionFrames.Part) -> [Item] {
    part == .list
      ? slotsInOrder.map(\.value) + items : slotsInOrder.filter { layout.slotSizes[$0.key] == nil }.map(\.value)
  }

  fileprivate var withoutItems: Section {
    var other = self
    other.items = []
    return other
  }

  /// Whether the items are the very same list in memory.
  fileprivate func hasItems(of other: Section) -> Bool {
    unsafe items.withUnsafeBufferPointer { own in
      unsafe other.items.withUnsafeBufferPointer { unsafe $0.baseAddress == own.baseAddress }
    }
  }
}

extension Arrangement {
  /// From where to where things lie, to be searched by halves.
  struct Spans {
    private let starts: [Double]
    /// The farthest that anything up to each reaches.
    private let ends: [Double]
    /// What each is of; `nil` where they lie in order.
    private let order: [Int]?
    private let last: [Double]

    /// - Parameter extent: From where to where an area reaches in the direction that scrolls.
    init(of cells: [Cell], _ extent: (SectionFrames.Area) -> (start: Double, end: Double)) {
      let spans = cells.map { cell in
        let (area, line) = (extent(cell.area), extent(cell.separator ?? cell.area))
        return (start: min(area.start, line.start), end: max(area.end, line.end))
      }
      let isInOrder = zip(spans, spans.dropFirst()).allSatisfy { $0.start <= $1.start }
      let order = isInOrder ? nil : spans.indices.sorted { (spans[$0].start, $0) < (spans[$1].start, $1) }
      let sorted = order.map { $0.map { spans[$0] } } ?? spans
      var end = -Double.infinity
      ends = sorted.map { span in
        end = max(end, span.end)
        return end
      }
      (starts, last, self.order) = (sorted.map(\.start), sorted.map(\.end), order)
    }

    /// What lies between two places, in the order in which they begin.
    func between(_ from: Double, _ to: Double) -> [Int] {
      var found: [Int] = []
      for place in ends.endOfPrefix(while: { $0 <= from })..<starts.count {
        guard starts[place] < to else { break }
        if last[place] > from { found.append(order?[place] ?? place) }
      }
      return found
    }
  }
}
