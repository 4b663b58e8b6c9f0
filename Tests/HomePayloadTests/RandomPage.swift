import HomePayload
import JSON
import SeededRandom

extension SeededGenerator {
  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &self) < percent }
}

/// Pages drawn at random, and changed at random.
enum RandomPage {
  static func page(_ random: inout SeededGenerator) -> Page {
    var page = Page(
      id: "home", locale: ["zh-Hans", "en"].randomElement(using: &random) ?? "en", sortRule: "default",
      sections: shuffledIDs(8, &random).map { section("s\($0)", &random) })
    if random.chance(20) { page.emptyState = item("empty", 0, &random) }
    if random.chance(20) { page.title = "Search" }
    if random.chance(20) { page.direction = .rightToLeft }
    if random.chance(20) { page.background = background(&random) }
    if random.chance(20) { page.bar = Bar(leading: [item("back", 2, &random)]) }
    page.version = String(page.canonicalBytes.hashValue, radix: 16)
    return page
  }

  /// A page that differs from another in a few places.
  static func changed(_ old: Page, _ random: inout SeededGenerator) -> Page {
    var page = old
    page.version = old.version + "'"
    if random.chance(20) { page.sortRule = "spring" }
    if random.chance(20) { page.title = random.chance(50) ? nil : "Discover" }
    if random.chance(20) { page.inset = .init(top: 0, leading: 4, bottom: 0, trailing: 4) }
    if random.chance(20) { page.bar = random.chance(50) ? nil : Bar(trailing: [item("scan", 2, &random)]) }
    if random.chance(10) { page.emptyState = random.chance(50) ? nil : item("empty", 0, &random) }
    page.sections = changedList(page.sections, &random) {
      section("n\($0)", &$1)
    } change: { section, random in
      changedSection(section, &random)
    }
    return page
  }

  private static func changedList<Element>(
    _ list: [Element], _ random: inout SeededGenerator, make: (Int, inout SeededGenerator) -> Element,
    change: (Element, inout SeededGenerator) -> Element
  ) -> [Element] {
    var list = list.compactMap { element in
      random.chance(10) ? nil : random.chance(20) ? change(element, &random) : element
    }
    for number in 0..<Int.random(in: 0...2, using: &random) {
      list.insert(make(number, &random), at: Int.random(in: 0...list.count, using: &random))
    }
    for _ in 0..<Int.random(in: 0...2, using: &random) where !list.isEmpty {
      let element = list.remove(at: list.indices.randomElement(using: &random) ?? 0)
      list.insert(element, at: Int.random(in: 0...list.count, using: &random))
    }
    return list
  }

  private static func changedSection(_ old: Section, _ random: inout SeededGenerator) -> Section {
    var section = old
    if random.chance(30) { section.index = Int.random(in: -3...30, using: &random) }
    if random.chance(20) { section.kind += "x" }
    if random.chance(20) { section.header = random.chance(50) ? nil : item("h", 0, &random) }
    if random.chance(20) { section.footer = item("f", 0, &random) }
    if random.chance(20) { section.layout = layout(&random) }
    if random.chance(20) { section.more = random.chance(30) ? nil : more(&random) }
    if random.chance(20) { section.load = [nil, .lazy, .client].randomElement(using: &random) ?? nil }
    if random.chance(20) {
      let fills = random.chance(50) ? [] : ["header", "slots"]
      section.source = random.chance(50) ? nil : .init(url: "https://example.com/likes", fills: fills)
    }
    if random.chance(20) { section.pollInterval = random.chance(50) ? nil : 10 }
    if random.chance(20) { section.slots["hot"] = random.chance(40) ? nil : item("hot", 0, &random) }
    if random.chance(20) { section.lists = random.chance(30) ? [] : lists(&random) }
    section.items = changedItems(section.items, 0, &random)
    return section
  }

  private static func changedItems(_ items: [Item], _ depth: Int, _ random: inout SeededGenerator) -> [Item] {
    changedList(items, &random) {
      item("n\($0)", depth, &$1)
    } change: { old, random in
      var item = old
      if random.chance(50) { item.content["title"] = .string("T\(Int.random(in: 0...99, using: &random))") }
      if random.chance(20) { item.content["image"] = nil }
      if random.chance(10) { item.content[oddNames.randomElement(using: &random) ?? "x"] = odd(&random) }
      if random.chance(20) { item.action = nil }
      if random.chance(20) { item.actions = actions(&random) }
      if random.chance(20) { item.aspect = random.chance(50) ? nil : JSONNumber(2) }
      if random.chance(20) { item.lists = random.chance(30) ? [] : [listIDs.randomElement(using: &random) ?? ""] }
      if random.chance(20) { item.expanded = random.chance(50) }
      item.children = changedItems(item.children, depth + 1, &random)
      return item
    }
  }

  private static func section(_ id: String, _ random: inout SeededGenerator) -> Section {
    Section(
      id: id, kind: "grid", index: Int.random(in: 0...20, using: &random),
      header: random.chance(40) ? item("\(id).header", 0, &random) : nil, layout: layout(&random),
      lists: random.chance(20) ? lists(&random) : [], items: shuffledIDs(4, &random).map { item("i\($0)", 0, &random) },
      slots: random.chance(20) ? ["hot": item("hot", 0, &random)] : [:])
  }

  private static let listIDs = ["popular", "new", "nearby"]

  private static func lists(_ random: inout SeededGenerator) -> [Section.NamedList] {
    listIDs.shuffled(using: &random).prefix(2).map { id in
      .init(id: id, title: random.chance(20) ? "e\u{301} \(id)" : "附近 \(id)")
    }
  }

  private static func more(_ random: inout SeededGenerator) -> Section.More {
    .init(
      href: "/v1/pages/home/sections/s1/items?cursor=AQ", count: Int.random(in: 1...3, using: &random),
      of: "9c1e6f2a70b4d583")
  }

  private static func layout(_ random: inout SeededGenerator) -> SectionLayout {
    SectionLayout(
      style: SectionLayout.Style.allCases.randomElement(using: &random) ?? .list,
      rows: random.chance(30) ? [2, 3] : nil,
      rowCount: random.chance(10) ? 3 : nil,
      columns: random.chance(10) ? .init(minimum: 160) : nil,
      alignment: random.chance(20) ? SectionLayout.Alignment.allCases.randomElement(using: &random) : nil,
      peek: random.chance(10) ? .init(leading: random.chance(50) ? 5 : nil, trailing: 20) : nil,
      paging: random.chance(10) ? SectionLayout.Paging.allCases.randomElement(using: &random) : nil,
      inset: random.chance(30) ? .init(top: 0, leading: 13, bottom: 0, trailing: 13) : nil,
      itemSpacing: random.chance(30) ? JSONNumber(13) : nil, lineSpacing: nil,
      separator: random.chance(10)
        ? .init(color: "#00000033", width: 0.5, leading: random.chance(50) ? 16 : nil, trailing: nil) : nil,
      group: random.chance(10)
        ? .init(
          cells: [.init(column: 0, row: 0, rowSpan: 2), .init(column: 1, columnSpan: 1, row: 1)],
          columns: [.share(2), .points(80)], rows: [.share(1), .share(0.5)]) : nil,
      itemSize: size(&random), headerSize: random.chance(10) ? size(&random) : nil,
      footerSize: random.chance(10) ? size(&random) : nil,
      slotSizes: random.chance(10) ? ["hot": size(&random), "b": size(&random)] : [:],
      stickyHeader: random.chance(10) ? random.chance(50) : nil,
      sticky: random.chance(10) ? random.chance(50) : nil,
      background: random.chance(30) ? background(&random) : nil,
      backgroundFrame: random.chance(20) ? SectionLayout.BackgroundFrame.allCases.randomElement(using: &random) : nil)
  }

  private static func size(_ random: inout SeededGenerator) -> SectionLayout.ItemSize {
    .init(
      width: [
        .container, .column, .points(80), .fraction(1), .screenFraction(0.5), .content(minimum: 60, maximum: nil),
        .bounded(.fraction(0.9), minimum: .points(20), maximum: .screenFraction(0.5)),
        .bounded(.content(minimum: nil, maximum: 200), minimum: nil, maximum: .fraction(0.5)),
      ].randomElement(using: &random) ?? .column,
      height: [
        .points(44), .aspect(2), .screenFraction(0.25), .content(minimum: 10), .lines(2, minimum: 0),
        .bounded(.aspect(1), minimum: nil, maximum: .screenFraction(0.5)),
        .bounded(.lines(3, minimum: 44), minimum: .points(1), maximum: .points(90)),
      ].randomElement(using: &random) ?? .points(1))
  }

  private static func background(_ random: inout SeededGenerator) -> SectionLayout.Background {
    .init(
      color: random.chance(50)
        ? "#FFFFFF"
        : random.chance(50)
          ? .themed(light: "#FFFFFF", dark: "#1C1B1A")
          : .contrasted(light: "#FFFFFF", dark: "#1C1B1A", highContrast: .init(light: "#FFFFF0", dark: "#000000")),
      cornerRadius: random.chance(50) ? .all(8) : .each(.init(topLeading: 8)),
      gradient: random.chance(20) ? .init(angle: random.chance(50) ? 90 : nil, stops: stops(&random)) : nil,
      image: random.chance(20)
        ? random.chance(50)
          ? .always(.init(fit: .contain, url: "https://example.com/a.png"))
          : .themed(light: .init(url: "https://example.com/l.png"), dark: .init(fit: .stretch, url: "app://d"))
        : nil,
      border: random.chance(20) ? .init(color: "#00000020", width: 0.5) : nil,
      shadow: random.chance(20) ? .init(color: "#00000020", radius: 8, x: random.chance(50) ? -2 : nil, y: 3) : nil)
  }

  private static func stops(_ random: inout SeededGenerator) -> [SectionLayout.GradientStop] {
    [
      .init(at: 0, color: "#FFFFFF"),
      .init(at: random.chance(50) ? 1 : 0.5, color: .themed(light: "#FFFFFF", dark: "#1C1B1A")),
    ]
  }

  private static func item(_ id: String, _ depth: Int, _ random: inout SeededGenerator) -> Item {
    Item(
      id: id, kind: "navigation", lists: depth == 0 && random.chance(30) ? ["new", "popular"] : [],
      content: ["title": .string("扫一扫 \(Int.random(in: 0...9, using: &random))"), "image": ["width": 88]],
      inset: random.chance(10) ? .init(top: 0, leading: 0, bottom: 15, trailing: 0) : nil,
      action: [
        nil, Action(url: "app://scan", event: "tap", attributes: ["slot": 1]), Action(event: "seen"),
        Action(url: "app://a", handler: "a", arguments: ["at": 1]),
      ].randomElement(using: &random) ?? nil,
      actions: random.chance(20) ? actions(&random) : [],
      accessibility: [
        nil, nil, Accessibility(label: "扫一扫", traits: ["button"]), Accessibility(hint: "e\u{301}", hidden: true),
      ]
      .randomElement(using: &random) ?? nil,
      expanded: depth < 2 ? true : nil,
      children: depth < 2 && random.chance(30)
        ? shuffledIDs(3, &random).map { item("\(id)c\($0)", depth + 1, &random) } : [])
  }

  private static func actions(_ random: inout SeededGenerator) -> [ItemAction] {
    let all = [
      ItemAction(title: "删除", action: Action(handler: "delete", arguments: ["id": 1]), role: .destructive),
      ItemAction(title: "Share", action: Action(url: "app://share", event: "share", attributes: ["b": 1, "a": 2])),
      ItemAction(title: "Keep", action: Action(event: "keep"), edge: .leading),
      ItemAction(title: "Pin", action: Action(url: "app://pin"), edge: .trailing),
    ]
    return Array(all.shuffled(using: &random).prefix(Int.random(in: 0...3, using: &random)))
  }

  /// What is easily lost on the way through another language, or comes in another order there.
  private static func odd(_ random: inout SeededGenerator) -> JSON {
    if random.chance(50) { return .string(oddTexts.randomElement(using: &random) ?? "") }
    return .number(oddNumbers.randomElement(using: &random).flatMap { JSONNumber(text: $0) } ?? 0)
  }

  private static let oddNames = ["10", "9", "__proto__", "é", "\u{1F600}", "\u{FF5E}"]
  private static let oddTexts = [
    "", "\u{0}1", "\"\\/\n\u{1F}", "\u{2028}", "👨‍👩‍👧 e\u{301}", "1e5, 12345678901234567890",
  ]
  private static let oddNumbers = [
    "12345678901234567890", "0.1", "-0.0000001", "1e400", "1.5e-9", "100000000000000000000000", "9007199254740993",
  ]

  private static func shuffledIDs(_ most: Int, _ random: inout SeededGenerator) -> [Int] {
    Array(Array(0..<most).shuffled(using: &random).prefix(Int.random(in: 0...most, using: &random)))
  }
}
