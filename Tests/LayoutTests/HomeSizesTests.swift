import HomePayload
import JSON
import Layout
import Testing

/// A row of the table of S1: what the section holds, where it stands, and how large a cell is on a screen of 375 points.
struct HomeRow: Sendable, CustomTestStringConvertible {
  var id: String
  var index: Int
  var kinds: [String]
  var style: SectionLayout.Style
  /// The width of the first row's cells, and of the second's where it differs.
  var widths: [Double]
  var height: Double
  var testDescription: String { id }

  static let margin = 13.0
  static let screen = 375.0
  static let inner = screen - 2 * margin

  static let all: [HomeRow] = [
    HomeRow(id: "marquee", index: 0, kinds: ["ticker"], style: .ticker, widths: [screen], height: 32),
    HomeRow(id: "beltAndRoad", index: 1, kinds: ["banner"], style: .carousel, widths: [inner], height: 46),
    HomeRow(id: "shoppingCarnival", index: 2, kinds: ["banner"], style: .carousel, widths: [inner], height: 150),
    HomeRow(id: "walletCard", index: 3, kinds: ["smallWelfare"], style: .list, widths: [inner], height: 85),
    HomeRow(id: "wallet", index: 4, kinds: ["navigation"], style: .carousel, widths: [inner], height: 2 * 70 + 10),
    HomeRow(id: "otc", index: 5, kinds: ["banner"], style: .carousel, widths: [inner], height: 60),
    HomeRow(id: "hxPrefecture", index: 6, kinds: ["banner"], style: .carousel, widths: [inner], height: 60),
    HomeRow(
      id: "middleNav", index: 7, kinds: ["navigation"], style: .grid, widths: [(inner - 4 * 13) / 5], height: 80),
    HomeRow(
      id: "bottomNav", index: 8, kinds: ["navigation"], style: .grid, widths: [(inner - 4) / 2, (inner - 2 * 4) / 3],
      height: 70),
    HomeRow(
      id: "broadcast", index: 9, kinds: ["navigation", "broadcast", "broadcast"], style: .list, widths: [screen - 20],
      height: 114),
    HomeRow(id: "middleAd", index: 10, kinds: ["banner"], style: .carousel, widths: [inner], height: 114),
    HomeRow(
      id: "localService", index: 11, kinds: ["localService"], style: .grid, widths: [82], height: 110),
    HomeRow(id: "bottomFloat", index: 99, kinds: ["floatHeader"], style: .pinned, widths: [screen], height: 44),
  ]
}

extension SectionLayout {
  /// The width of a cell in the n-th row, on a screen of a width.
  func width(ofRow row: Int, on screen: Double) -> Double? {
    let leading = inset?.leading.double ?? 0
    let trailing = inset?.trailing.double ?? 0
    let inner = screen - leading - trailing
    switch itemSize?.width {
    case .container: return inner
    case .points(let points): return points.double
    case .fraction(let fraction): return inner * fraction.double
    case .screenFraction(let fraction): return screen * fraction.double
    case .column:
      guard let rows, let last = rows.last else { return nil }
      let columns = Double(row < rows.count ? rows[row] : last)
      return (inner - (columns - 1) * (itemSpacing?.double ?? 0)) / columns
    // The home has no width that follows its text, and none with bounds.
    case .content, .bounded, nil: return nil
    }
  }

  /// The height of a cell that is as high as it must be at least.
  func leastHeight(width: Double) -> Double? {
    switch itemSize?.height {
    case .points(let points): points.double
    case .aspect(let aspect): width / aspect.double
    case .content(let minimum): minimum.double
    // The home has no height of the screen or of lines, and none with bounds.
    case .screenFraction, .lines, .bounded, nil: nil
    }
  }
}

@Suite struct HomeSizesTests {
  @Test(arguments: HomeRow.all)
  func `S1.1 S1.6 S1.7 each section holds what the table says, in the table's size`(row: HomeRow) throws {
    let section = try Screen().section(row.id)
    #expect(section.kind == row.id)
    #expect(section.index == row.index)
    #expect(section.layout.style == row.style)
    let order = ["topSale", "hot", "choiceness", "smallWelfare"]
    let held = section.items.map(\.kind) + order.compactMap { section.slots[$0]?.kind }
    #expect(section.slots.isEmpty ? Set(held) == Set(row.kinds) : held == row.kinds)
    for (position, width) in row.widths.enumerated() {
      let actual = try #require(section.layout.width(ofRow: position, on: HomeRow.screen))
      #expect(abs(actual - width) < 1e-9)
      #expect(section.layout.leastHeight(width: actual) == row.height)
    }
  }

  @Test(arguments: [320.0, 360, 375, 390, 393, 414, 430])
  func `S1.6 localService is 82/375 of any screen, and its height the same`(
    screen: Double
  ) throws {
    let layout = try Screen().section("localService").layout
    let width = try #require(layout.width(ofRow: 0, on: screen))
    #expect(abs(width - screen * 82 / 375) < 1e-9)
    #expect(layout.itemSize?.height == .points(110))
  }

  @Test func `S1.6 the row pattern is two columns, then three for ever`() throws {
    let layout = try Screen().section("bottomNav").layout
    #expect(layout.rows == [2, 3])
    #expect(layout.itemSpacing == 4)
    #expect(layout.width(ofRow: 9, on: 375) == layout.width(ofRow: 1, on: 375))
  }

  @Test(arguments: [
    ("zh-Hans", 80), ("zh-Hans-CN", 80), ("zh", 80), ("vi", 108), ("vi-VN", 108), ("en", 98), ("en-GB", 98),
  ])
  func `S1.6 the height of middleNav is 98, but 80 in Chinese and 108 in Vietnamese`(
    locale: String, height: JSONNumber
  ) throws {
    let layout = try Screen().section("middleNav", locale: locale).layout
    #expect(layout.itemSize?.height == .points(height))
    #expect(layout.rows == [5])
    #expect(layout.itemSpacing == 13)
  }

  @Test func `S1.6 a height can follow the content with a minimum, or be an aspect ratio`() throws {
    #expect(try Screen().section("bottomFloat").layout.itemSize?.height == .content(minimum: 44))
    var screen = try Screen()
    try screen.edit("otc") { $0.settings.layout = ["itemSize": ["height": ["aspect": 2]]] }
    let layout = try screen.section("otc").layout
    #expect(layout.itemSize == SectionLayout.ItemSize(width: .container, height: .aspect(2)))
    #expect(layout.inset?.leading == 13)
  }

  @Test func `S1.7 some kinds show their list in one cell, others one cell for each element`() throws {
    let inOneCell: Set<SectionLayout.Style> = [.ticker, .carousel]
    let sections = try Screen().page().sections.filter { !$0.items.isEmpty }
    let whole = sections.filter { inOneCell.contains($0.layout.style) }.map(\.id)
    #expect(
      whole == ["marquee", "beltAndRoad", "shoppingCarnival", "wallet", "otc", "hxPrefecture", "middleAd"])
    let each = sections.filter { !inOneCell.contains($0.layout.style) }.map(\.id)
    #expect(each == ["middleNav", "bottomNav", "localService", "bottomFloat"])
  }

  @Test func `S1.8 bottomFloat floats at the bottom, with a list of headers`() throws {
    let section = try #require(try Screen().page().sections.last)
    #expect(section.id == "bottomFloat")
    #expect(section.layout.style == .pinned)
    #expect(section.items.count > 1)
    #expect(section.items.allSatisfy { $0.kind == "floatHeader" })
  }
}
