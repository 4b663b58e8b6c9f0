import Foundation
import HearthClient
import JSON
import Testing

@testable import HomePayload

/// The arithmetic of `HearthLayout`.
@Suite struct ArrangementTests {
  private static func section(
    _ id: String, _ style: SectionLayout.Style = .list, count: Int = 5, _ change: (inout Section) -> Void = { _ in }
  ) -> Section {
    var section = Section(
      id: id, kind: "k", index: 0,
      layout: SectionLayout(style: style, itemSize: .init(width: .container, height: .points(40))),
      items: (0..<count).map { Item(id: "\(id)\($0)", kind: "cell", content: ["title": .string("\($0)")]) })
    change(&section)
    return section
  }

  private static func page(_ sections: [Section], isRightToLeft: Bool = false) -> Page {
    var page = Page(id: "home", version: "1", locale: "en", sortRule: "default", sections: sections)
    if isRightToLeft { page.direction = .rightToLeft }
    return page
  }

  private static func arranged(
    _ page: Page, width: Double = 100, after old: Arrangement? = nil,
    _ measure: @escaping (Item) -> Double = { _ in 20 }
  ) -> Arrangement {
    Arrangement(page, width: width, after: old, measuring: { item, _ in measure(item) })
  }

  private static func rect(_ top: Double, _ height: Double) -> CGRect {
    CGRect(x: 0, y: top, width: 100, height: height)
  }

  private static func names(_ arrangement: Arrangement, in rect: CGRect) -> [String] {
    arrangement.elements(in: rect, showing: rect).map { element in
      switch element {
      case .cell(let path): arrangement[path]?.id ?? "none"
      case .background(let place): "behind \(arrangement.bands[place].id)"
      case .separator(let path): "below \(arrangement[path]?.id ?? "none")"
      }
    }
  }

  @Test func `a line is there where it shows, though the cell that it is below does not`() throws {
    let page = Self.page([
      Self.section("s", count: 2) {
        $0.layout = SectionLayout(
          style: .shelf, rowCount: 2, separator: .init(color: "#000000", width: 1),
          itemSize: .init(width: .content(minimum: nil, maximum: nil), height: .points(10)))
      }
    ])
    let first = try #require(page.sections[0].items.first)
    let arrangement = Arrangement(
      page, width: 100, measuring: { _, _ in 10 }, measuringWidth: { $0 == first ? 20 : 60 })
    let row = try #require(arrangement.bands[0].cells.compactMap(\.row).first)
    let rect = CGRect(x: 30, y: 0, width: 10, height: 20)
    #expect(row.elements(in: rect, showing: rect).contains(.separator([0, 0])))
    #expect(row.frame(of: .separator([0, 0]), showing: rect) == CGRect(x: 0, y: 9, width: 60, height: 1))
  }

  @Test func `tabs are a row above the items of the list that shows, and stay`() throws {
    let page = Self.page([
      Self.section("s", count: 6) {
        $0.header = Item(id: "h", kind: "title")
        $0.layout.stickyHeader = true
        $0.lists = [.init(id: "even", title: "Even"), .init(id: "odd", title: "Odd")]
        for place in $0.items.indices { $0.items[place].lists = [place % 2 == 0 ? "even" : "odd"] }
      }
    ])
    func arranged(_ choices: [String: String], after old: Arrangement? = nil) -> Arrangement {
      Arrangement(
        page, width: 100, after: old, choosing: choices, measuring: { _, _ in 20 }, measuringWidth: { _ in 70 })
    }
    let first = arranged([:])
    let ids = { (arrangement: Arrangement) in
      arrangement.bands[0].cells.filter { $0.part == .item }.flatMap(\.items).map(\.id)
    }
    #expect(ids(first) == ["s0", "s2", "s4"])
    #expect(abs(first.size.height - (20 + 44 + 120)) < 1e-9)
    let tabs = try #require(first.bands[0].cells.first { $0.part == .tabs })
    #expect(tabs.row?.size == CGSize(width: 140, height: 44) && tabs.items.map(\.id) == ["even", "odd"])
    #expect(tabs.row?.bands[0].cells.map(\.kind) == ["/tabs", "/tabs"])
    let place = IndexPath(indexes: [0, 1])
    #expect(first.frame(of: .cell(place), showing: Self.rect(50, 50)).minY == 50)
    #expect(first.frame(of: .cell(IndexPath(indexes: [0, 0])), showing: Self.rect(50, 50)).minY == 0)
    #expect(first.moving(showing: Self.rect(50, 50)) == [.cell(place)])

    let second = arranged(["s": "odd"], after: first)
    #expect(ids(second) == ["s1", "s3", "s5"])
    let steps = BatchUpdates(from: first, to: second)
    #expect(steps.items.deletes.count == 3 && steps.items.inserts.count == 3 && steps.items.reloads.isEmpty)
    #expect(steps.reconfigures == [place], "another tab is selected")
    #expect(ids(arranged(["s": "gone"], after: second)) == ids(first))
  }

  @Test func `a rectangle has what lies in it, and nothing else`() {
    let grid = Self.section("g", .grid, count: 4) {
      $0.layout.rows = [2]
      $0.layout.itemSize = .init(width: .column, height: .points(30))
      $0.layout.background = .init(color: "#FFFFFF")
      $0.header = Item(id: "h", kind: "title")
    }
    let arrangement = Self.arranged(Self.page([Self.section("l"), grid]))
    #expect(arrangement.size == CGSize(width: 100, height: 200 + 20 + 60))
    #expect(Self.names(arrangement, in: Self.rect(0, 40)) == ["item/l0/cell"])
    #expect(Self.names(arrangement, in: Self.rect(199, 2)) == ["item/l4/cell", "header/h/title"])
    #expect(Self.names(arrangement, in: Self.rect(250, 5)) == ["behind g", "item/g2/cell", "item/g3/cell"])
    #expect(Self.names(arrangement, in: Self.rect(280, 50)).isEmpty)
    #expect(Self.names(arrangement, in: Self.rect(-50, 50)).isEmpty)
    let (all, shown) = (Self.rect(0, 280), Self.rect(0, 100))
    #expect(arrangement.frame(of: .cell([1, 2]), showing: shown) == CGRect(x: 50, y: 220, width: 50, height: 30))
    #expect(arrangement.frame(of: .background(1), showing: shown) == CGRect(x: 0, y: 220, width: 100, height: 60))
    #expect(arrangement.elements(in: all, showing: shown).count == 11)
    #expect(arrangement[[1, 9]] == nil && arrangement[[7, 0]] == nil)
  }

  @Test func `cells that are found by halves are those that are found one by one`() {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<300 {
      let sections = (0..<Int.random(in: 1...6, using: &random)).map { number in
        let style = [SectionLayout.Style.list, .grid, .waterfall, .flow, .shelf].randomElement(using: &random) ?? .list
        return Self.section("s\(number)-", style, count: .random(in: 0...12, using: &random)) {
          $0.layout.rows = [2, 3]
          $0.layout.itemSize = .init(width: .column, height: .content(minimum: 5))
        }
      }
      let heights = (0..<12).map { _ in Double.random(in: 0...50, using: &random) }
      let arrangement = Self.arranged(Self.page(sections)) {
        heights[(Int($0.id.split(separator: "-").last ?? "") ?? 0)]
      }
      let rect = CGRect(x: 0, y: .random(in: -10...400, using: &random), width: 100, height: 60)
      let found = Set(arrangement.elements(in: rect, showing: rect))
      for (place, band) in arrangement.bands.enumerated() {
        for cell in band.cells.indices {
          let element = Arrangement.Element.cell([place, cell])
          let frame = arrangement.frame(of: element, showing: rect)
          #expect(found.contains(element) == (frame.minY < rect.maxY && frame.maxY > rect.minY), "\(frame) \(rect)")
        }
      }
    }
  }

  @Test func `a header stays at the top until its section ends, and only then is there less of it`() {
    let section = Self.section("s") {
      $0.header = Item(id: "h", kind: "title")
      $0.layout.stickyHeader = true
    }
    let arrangement = Self.arranged(Self.page([Self.section("above"), section, Self.section("below")]))
    let tops = [0, 200, 300, 390, 410].map { top in
      arrangement.frame(of: .cell([1, 0]), showing: Self.rect(top, 100)).minY
    }
    #expect(tops == [200, 200, 300, 390, 400])
    #expect(Self.names(arrangement, in: Self.rect(300, 50)).contains("header/h/title"))
    #expect(arrangement.moving(showing: Self.rect(300, 50)) == [.cell([1, 0])])
    #expect(arrangement.moving(showing: Self.rect(0, 50)).isEmpty)
    #expect(!Self.names(arrangement, in: Self.rect(420, 50)).contains("header/h/title"))
  }

  @Test func `a section stays at the top until the next one that does, and headers stay below it`() {
    func bar(_ id: String) -> Section {
      Self.section(id, count: 1) {
        $0.layout.sticky = true
        $0.layout.background = .init(color: "#FFFFFF")
      }
    }
    func list(_ id: String) -> Section {
      Self.section(id) {
        $0.header = Item(id: "h", kind: "title")
        $0.layout.stickyHeader = true
      }
    }
    let arrangement = Self.arranged(
      Self.page([Self.section("above"), bar("first"), list("a"), bar("second"), list("b")]))
    func tops(_ element: Arrangement.Element) -> [Double] {
      [0, 200, 300, 400, 460, 500].map {
        Double(arrangement.frame(of: element, showing: Self.rect($0, 100)).minY)
      }
    }
    // The page has 200 points, a bar of 40, a list of 220, a bar of 40, and a list again.
    #expect(tops(.cell([1, 0])) == [200, 200, 300, 400, 420, 420])
    #expect(tops(.background(1)) == tops(.cell([1, 0])))
    #expect(tops(.cell([2, 0])) == [240, 240, 340, 440, 440, 440])
    #expect(tops(.cell([3, 0])) == [460, 460, 460, 460, 460, 500])
    #expect(tops(.cell([4, 0])) == [500, 500, 500, 500, 500, 540])
    #expect(arrangement.moving(showing: Self.rect(100, 100)).isEmpty)
    #expect(
      Set(arrangement.moving(showing: Self.rect(300, 100)))
        == [.cell([2, 0]), .background(1), .cell([1, 0])])
    #expect(Self.names(arrangement, in: Self.rect(300, 100)).contains("item/first0/cell"))
    #expect(!Self.names(arrangement, in: Self.rect(470, 100)).contains("item/first0/cell"))
    #expect(arrangement.bands.map { $0.stay.sticky != nil } == [false, true, false, true, false])
  }

  @Test func `a section as high as the screen scrolls along`() {
    let page = Self.page([Self.section("high") { $0.layout.sticky = true }, Self.section("list")])
    for (height, stays) in [(400.0, true), (399, false)] {
      let arrangement = Arrangement(
        page, width: 100, screen: .init(width: 100, height: height), measuring: { _, _ in 40 })
      #expect((arrangement.bands[0].stay.sticky != nil) == stays)
    }
  }

  @Test func `what floats is at the bottom of what shows, and hides nothing at the end`() {
    let arrangement = Self.arranged(
      Self.page([Self.section("l"), Self.section("bar", .pinned, count: 1), Self.section("m")]))
    #expect(arrangement.size.height == 440)
    for top in [0.0, 340] {
      let shown = Self.rect(top, 100)
      #expect(arrangement.frame(of: .cell([1, 0]), showing: shown).maxY == shown.maxY)
      #expect(arrangement.elements(in: shown, showing: shown).contains(.cell([1, 0])))
      #expect(arrangement.moving(showing: shown) == [.cell([1, 0])])
    }
    #expect(arrangement.frame(of: .cell([2, 4]), showing: Self.rect(340, 100)).maxY == 400)
  }

  @Test func `a shelf and a carousel are one cell each, with cells of their own`() throws {
    let shelf = Self.section("shelf") {
      $0.layout = SectionLayout(
        style: .shelf, paging: .item, inset: .init(top: 4, leading: 10, bottom: 4, trailing: 10), itemSpacing: 6,
        itemSize: .init(width: .points(30), height: .points(50)))
      $0.header = Item(id: "h", kind: "title")
    }
    let carousel = Self.section("carousel", .carousel) { $0.slots = ["one": Item(id: "slot", kind: "card")] }
    for isRightToLeft in [false, true] {
      let arrangement = Self.arranged(Self.page([shelf, carousel], isRightToLeft: isRightToLeft))
      #expect(arrangement.bands.map { $0.cells.map(\.id) } == [["header/h/title", "list//row"], ["list//row"]])
      let row = try #require(arrangement[[0, 1]]?.row)
      #expect(row.size == CGSize(width: 10 + 5 * 30 + 4 * 6 + 10, height: 50))
      #expect(arrangement.frame(of: .cell([0, 1]), showing: .zero) == CGRect(x: 0, y: 24, width: 100, height: 50))
      let first = row.frame(of: .cell([0, 0]), showing: .zero)
      #expect(first == CGRect(x: isRightToLeft ? 154 : 10, y: 0, width: 30, height: 50))
      let shown = CGRect(x: row.beginning(showing: 100), y: 0, width: 100, height: 50)
      #expect(shown.minX == (isRightToLeft ? 94 : 0))
      #expect(row.elements(in: shown, showing: shown) == [.cell([0, 0]), .cell([0, 1]), .cell([0, 2])])
      #expect(row.resting(near: isRightToLeft ? 60 : 34, showing: 100) == (isRightToLeft ? 58 : 36))
      let leaves = try #require(arrangement[[1, 0]]?.row)
      #expect(leaves.bands[0].cells.map(\.id) == ["item/slot/card"] + (0..<5).map { "item/carousel\($0)/cell" })
      #expect(leaves.stops.count == 6)
    }
  }

  @Test func `a page without sections shows what there is instead`() {
    var page = Self.page([])
    #expect(Self.arranged(page).bands.isEmpty)
    page.emptyState = Item(id: "e", kind: "notice")
    #expect(Self.arranged(page).bands.map { $0.cells.map(\.id) } == [["item/e/notice"]])
    #expect(Arrangement().elements(in: Self.rect(0, 50), showing: Self.rect(0, 50)).isEmpty)
  }

  @Test func `of a change only the items that changed are measured, and nothing when nothing did`() {
    let content = SectionLayout.ItemSize(width: .container, height: .content(minimum: 0))
    var sections = ["a", "b"].map { Self.section($0, count: 1_000) { $0.layout.itemSize = content } }
    var measured: [String] = []
    let first = Self.arranged(Self.page(sections)) {
      measured.append($0.id)
      return 20
    }
    #expect(measured.count == 2_000)
    measured = []
    sections[1].items[3].content["title"] = .string("other")
    sections[1].items.append(Item(id: "new", kind: "cell"))
    let next = Self.arranged(Self.page(sections), after: first) {
      measured.append($0.id)
      return 30
    }
    #expect(measured == ["b3", "new"])
    #expect(next.size.height == first.size.height + 10 + 30)
    #expect(next.bands[0].cells.count == 1_000)
    measured = []
    // Another width is another layout.
    _ = Self.arranged(Self.page(sections), width: 200, after: next) {
      measured.append($0.id)
      return 30
    }
    #expect(measured.count == 2_001)
  }

  @Test func `a change of layouts alone has no steps, one within a row reconfigures its cell`() {
    var sections = [Self.section("l"), Self.section("s", .shelf), Self.section("m")]
    let old = Self.arranged(Self.page(sections))
    sections[0].layout.lineSpacing = 8
    sections[2].layout.background = .init(color: "#FF0000")
    var new = Self.arranged(Self.page(sections), after: old)
    var steps = BatchUpdates(from: old, to: new)
    #expect(steps.sections.isEmpty && steps.items.isEmpty && steps.reconfigures.isEmpty)
    #expect(new.size.height == old.size.height + 32)
    sections[1].items.remove(at: 2)
    sections[2].items[1].kind = "other"
    sections[0].header = Item(id: "h", kind: "title")
    new = Self.arranged(Self.page(sections), after: old)
    steps = BatchUpdates(from: old, to: new)
    #expect(steps.sections.isEmpty)
    #expect(steps.items.inserts == [[0, 0], [2, 1]] && steps.items.deletes == [[2, 1]])
    #expect(steps.items.reloads.isEmpty && steps.items.moves.isEmpty)
    #expect(steps.reconfigures == [[1, 0]])
  }

  @Test func `a collection view takes every step of random changes`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<1_000 {
      let old = Self.arranged(Self.page(Self.sections(&random)))
      let page = Self.page(Self.sections(&random))
      let new = Self.arranged(page, after: Bool.random(using: &random) ? old : nil)
      let steps = BatchUpdates(from: old, to: new)
      let between = steps.between(old, new)
      var cells = Shown(old)
      cells.perform(steps.sections, to: between)
      cells.perform(steps.items, to: new)
      let shown = Dictionary(
        uniqueKeysWithValues: old.bands.flatMap { band in band.cells.map { ("\(band.id) \($0.id)", $0) } })
      for (place, band) in new.bands.enumerated() {
        for (position, cell) in band.cells.enumerated() {
          guard let before = shown["\(band.id) \(cell.id)"] else { continue }
          let isNew = steps.sections.inserts.contains(place)
          #expect(before.items == cell.items || isNew || steps.reconfigures.contains([place, position]))
        }
      }
    }
  }

  private static func sections(_ random: inout some RandomNumberGenerator) -> [Section] {
    let names = "abcdef".shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))
    return names.map { name in
      let style = [SectionLayout.Style.list, .grid, .shelf, .carousel, .outline].randomElement(using: &random) ?? .list
      var section = section(String(name), style, count: 0)
      section.items = "mnopqr".shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)).map { letter in
        let title = JSON.string(Bool.random(using: &random) ? "changed" : "\(letter)")
        let kind = Int.random(in: 0..<8, using: &random) == 0 ? "other" : "cell"
        return Item(id: String(letter), kind: kind, content: ["title": title])
      }
      if Bool.random(using: &random) { section.header = Item(id: "h", kind: "title") }
      if Bool.random(using: &random) { section.slots["wallet"] = Item(id: "slot", kind: "card") }
      return section
    }
  }

  @Test func `as much is looked at for a screen of ten thousand items as for one of a hundred`() {
    let sections = [Self.section("l", count: 10_000)]
    let arrangement = Self.arranged(Self.page(sections))
    #expect(arrangement.elements(in: Self.rect(200_000, 800), showing: .zero).count == 20)
    #expect(arrangement.size.height == 400_000)
  }
}

@Suite struct GradientLineTests {
  @Test(
    arguments: [
      (nil, false, [50, 0, 50, 40]), (0, false, [50, 40, 50, 0]), (90, false, [0, 20, 100, 20]),
      (90, true, [100, 20, 0, 20]), (45, false, [15, 55, 85, -15]),
    ] as [(JSONNumber?, Bool, [Double])])
  func `a gradient begins and ends where a browser draws it`(angle: JSONNumber?, isRightToLeft: Bool, ends: [Double]) {
    let gradient = SectionLayout.Gradient(angle: angle, stops: [])
    let line = gradient.line(in: CGSize(width: 100, height: 40), isRightToLeft: isRightToLeft)
    let found = [line.start.x, line.start.y, line.end.x, line.end.y].map { (Double($0) * 1e6).rounded() / 1e6 }
    #expect(found == ends)
  }
}

/// A collection view as far as its rules for batch updates go.
private struct Shown {
  private var cells: [[String]]

  init(_ arrangement: Arrangement) { cells = Self.cells(arrangement) }

  private static func cells(_ arrangement: Arrangement) -> [[String]] { arrangement.bands.map { $0.cells.map(\.id) } }

  mutating func perform(_ step: BatchUpdates.SectionStep, to source: Arrangement) {
    let goal = Self.cells(source)
    let leaving = Set(step.deletes).union(step.moves.map(\.from))
    var arriving = Dictionary(uniqueKeysWithValues: step.moves.map { ($0.to, cells[$0.from]) })
    for insert in step.inserts { #expect(arriving.updateValue(goal[insert], forKey: insert) == nil) }
    cells = merged(cells.indices.filter { !leaving.contains($0) }.map { cells[$0] }, arriving)
    #expect(cells == goal)
  }

  mutating func perform(_ step: BatchUpdates.ItemStep, to source: Arrangement) {
    #expect(step.reloads.isEmpty)
    let goal = Self.cells(source)
    for section in cells.indices {
      let moves = step.moves.filter { $0.from[0] == section }
      let leaving = Set(step.deletes.filter { $0[0] == section }.map { $0[1] } + moves.map { $0.from[1] })
      var arriving = Dictionary(uniqueKeysWithValues: moves.map { ($0.to[1], cells[section][$0.from[1]]) })
      for insert in step.inserts where insert[0] == section {
        #expect(arriving.updateValue(goal[section][insert[1]], forKey: insert[1]) == nil)
      }
      let resting = cells[section].indices.filter { !leaving.contains($0) }.map { cells[section][$0] }
      cells[section] = merged(resting, arriving)
    }
    #expect(cells == goal)
  }

  private func merged<Element>(_ resting: [Element], _ arriving: [Int: Element]) -> [Element] {
    var resting = resting[...]
    return (0..<(resting.count + arriving.count)).compactMap { arriving[$0] ?? resting.popFirst() }
  }
}
