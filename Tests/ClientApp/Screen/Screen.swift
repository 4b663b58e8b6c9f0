import Foundation
import HearthClient
import HomePayload
import JSON
import UIKit

/// Shows a server's home in the app of docs/apps.md, and says in a line what is drawn of it: `Screen SERVER`. A line of its input
/// has it say so again once the page is another one.
@main @MainActor struct Screen {
  static func main() async throws {
    guard CommandLine.arguments.count == 2, let server = URL(string: CommandLine.arguments[1]) else { exit(64) }
    SceneDelegate.settings.server = server
    // Those of the demo are nowhere.
    HearthPageView.picture = { _ in nil }
    let app = HomeViewController()
    guard let home = app.view as? HearthPageView else { exit(1) }
    let window = UIWindow(frame: CGRect(x: 0, y: 0, width: 375, height: 667))
    home.window = window
    home.frame = window.frame
    var shown: Page?
    repeat {
      while home.page == shown { try await Task.sleep(nanoseconds: 5_000_000) }
      shown = home.page
      say(home)
      for failure in failures(of: home) { print(failure) }
      home.frame.size = CGSize(width: 667, height: 375)
      say(home)
      home.frame.size = window.frame.size
    } while readLine() != nil
  }

  /// What is drawn of each section, and how much of all that is drawn at once.
  private static func say(_ home: HearthPageView) {
    var drawn: [String: [String: Int]] = [:]
    var order: [String] = []
    var most = 0
    var top = 0.0
    repeat {
      home.scroll(to: CGPoint(x: 0, y: top))
      most = max(most, home.shown.count)
      guard let layout = home.collectionViewLayout as? HearthLayout else { exit(1) }
      for (path, cell) in home.shown.sorted(by: { $0.key < $1.key }) {
        let band = layout.arrangement.bands[path[0]]
        if !order.contains(band.id) { order.append(band.id) }
        var counts = drawn[band.id] ?? ["cells": 0, "empty": 0]
        for part in parts(of: cell) {
          counts["cells"]? += 1
          if !part { counts["empty"]? += 1 }
        }
        drawn[band.id] = counts
      }
      top += Double(home.bounds.height)
    } while top < Double(home.collectionViewLayout.collectionViewContentSize.height)
    home.scroll(to: .zero)
    let said: [String: Any] = [
      "width": Int(home.bounds.width), "order": order, "drawn": drawn, "most": most, "batches": home.batches,
      "backgrounds": home.behind["background"]?.count ?? 0,
    ]
    guard let line = try? JSONSerialization.data(withJSONObject: said) else { exit(1) }
    print(String(decoding: line, as: UTF8.self))
    fflush(nil)
  }

  /// What does not hold of changes that no server makes: of layouts alone, in a row, of the direction.
  private static func failures(of home: HearthPageView) -> [String] {
    guard let page = home.page, let layout = home.collectionViewLayout as? HearthLayout else { return ["no page"] }
    var failures: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { failures.append(what) } }
    var next = page
    func show() {
      home.show(next)
      home.layOut()
    }
    let (batches, invalidations, height) = (home.batches, layout.invalidations, layout.arrangement.size.height)
    next.sections[0].layout.inset = .init(top: 10, leading: 0, bottom: 20, trailing: 0)
    show()
    expect(layout.invalidations > invalidations, "a change of layouts alone invalidates the layout")
    expect(layout.arrangement.size.height > height, "and makes the section higher")
    let rows = home.shown.compactMap { path, cell in
      (cell.contentView.subviews.first as? UICollectionView).map { (place: path[0], list: $0, cell: cell) }
    }
    guard let row = rows.first(where: { next.sections[$0.place].items.count > 2 && $0.list.batches == 0 }) else {
      return failures + ["a row shows"]
    }
    next.sections[row.place].items.removeFirst()
    show()
    expect(row.list.batches == 1, "a change in a row goes to its own view")
    expect(home.shown.values.contains { $0 === row.cell }, "whose cell stays")
    expect(home.batches == batches, "and no batch update is the page's")
    next.direction = .rightToLeft
    show()
    let extent = Double(row.list.collectionViewLayout.collectionViewContentSize.width)
    expect(Double(row.list.bounds.maxX) == extent, "a row that is read from the right begins at its end")
    next = page
    show()
    expect(row.list.contentOffset.x == 0, "and one that is read from the left at its beginning")
    return failures + failuresOfTabs(on: home) + failuresOfLines(on: home) + failuresOfStaying(on: home)
      + actionFailures(of: home)
  }

  /// What does not hold of a section that stays at the top while the others scroll.
  private static func failuresOfStaying(on home: HearthPageView) -> [String] {
    guard let shown = home.page, let layout = home.collectionViewLayout as? HearthLayout else { return ["no page"] }
    var failures: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { failures.append(what) } }
    func section(_ id: String, _ style: SectionLayout.Style, count: Int) -> Section {
      Section(
        id: id, kind: "none", index: 0,
        layout: SectionLayout(style: style, itemSize: .init(width: .points(100), height: .points(40))),
        items: (0..<count).map { Item(id: "\(id)\($0)", kind: "none") })
    }
    var page = shown
    page.inset = nil
    page.sections = [
      section("above", .list, count: 2), section("chips", .shelf, count: 9), section("feed", .list, count: 40),
    ]
    page.sections[1].layout.sticky = true
    page.sections[1].layout.background = .init(color: "#FFFFFF")
    page.sections[1].layout.backgroundFrame = .section
    home.show(page)
    home.layOut()
    let chips = IndexPath(indexes: [1, 0])
    func top() -> Double? { home.cellForItem(at: chips).map { Double($0.frame.minY) } }
    expect(top() == 80, "what stays begins where it stands: \(top() ?? -1)")
    let cell = home.cellForItem(at: chips)
    for far in [60.0, 81, 700] {
      home.scroll(to: CGPoint(x: 0, y: far))
      expect(top() == max(80, far), "it is at the top once the page is scrolled by \(far): \(top() ?? -1)")
      expect(
        home.behind["background"]?[chips]?.frame.minY == home.cellForItem(at: chips)?.frame.minY, "on its background")
    }
    expect(home.cellForItem(at: chips) === cell, "and is not made anew")
    let below = home.indexPathsForVisibleItems.filter { $0[0] == 2 }
    let order = below.compactMap { layout.layoutAttributesForItem(at: $0)?.zIndex }.max() ?? .max
    expect(layout.layoutAttributesForItem(at: chips)?.zIndex ?? 0 > order, "above what scrolls below it")
    home.scroll(to: .zero)
    expect(top() == 80, "and back in its place: \(top() ?? -1)")
    // As it was for whoever looks next.
    home.show(shown)
    home.layOut()
    return failures
  }

  /// What does not hold of lines between rows, on the page and in a row that scrolls sideways.
  private static func failuresOfLines(on home: HearthPageView) -> [String] {
    guard let shown = home.page else { return ["no page"] }
    var failures: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { failures.append(what) } }
    func lines(in view: UICollectionView) -> [CGRect] {
      (view.behind["separator"] ?? [:]).sorted { $0.key < $1.key }.map(\.value.frame)
    }
    func section(_ style: SectionLayout.Style, rowCount: Int? = nil) -> Section {
      let items = (0..<5).map { Item(id: "line\($0)", kind: "none") }
      return Section(
        id: "lines", kind: "none", index: 0,
        layout: SectionLayout(
          style: style, rowCount: rowCount, lineSpacing: 10,
          separator: .init(color: "#FF0000", width: 2, leading: 30),
          itemSize: .init(width: .points(200), height: .points(40))), items: items)
    }
    var page = shown
    page.inset = .init(top: 0, leading: 5, bottom: 0, trailing: 10)
    page.sections = [section(.list)]
    home.show(page)
    home.layOut()
    let rows = (0..<4).map { CGRect(x: 35, y: Double($0) * 50 + 44, width: 330, height: 2) }
    expect(lines(in: home) == rows, "lines are in the middle between the rows of a list: \(lines(in: home))")
    page.sections[0].items.removeLast()
    home.show(page)
    home.layOut()
    expect(lines(in: home) == Array(rows.dropLast()), "the line above a row goes with it: \(lines(in: home))")
    page.direction = .rightToLeft
    home.show(page)
    home.layOut()
    expect(lines(in: home).allSatisfy { $0.minX == 10 }, "and begin at the right where that is the leading edge")
    page.direction = nil
    page.sections = [section(.shelf, rowCount: 2)]
    home.show(page)
    home.layOut()
    let list = home.shown.values.lazy.compactMap { $0.contentView.subviews.first as? UICollectionView }.first
    let columns = (0..<2).map { CGRect(x: Double($0) * 200 + 30, y: 44, width: 170, height: 2) }
    expect(list.map(lines) == columns, "columns of a shelf have their own: \(list.map(lines) ?? [])")
    expect(lines(in: home) == [], "which scroll with it")
    // As it was for whoever looks next.
    home.show(shown)
    home.layOut()
    return failures
  }

  /// What does not hold of two lists that share a section.
  private static func failuresOfTabs(on home: HearthPageView) -> [String] {
    guard var page = home.page, let layout = home.collectionViewLayout as? HearthLayout,
      let place = page.sections.firstIndex(where: { $0.layout.style == .grid && $0.items.count > 3 })
    else { return ["a grid shows"] }
    var failures: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { failures.append(what) } }
    let shown = page
    let count = page.sections[place].items.count
    page.sections[place].lists = [.init(id: "one", title: "One"), .init(id: "others", title: "Others")]
    for item in page.sections[place].items.indices {
      page.sections[place].items[item].lists = [item == 0 ? "one" : "others"]
    }
    let section = page.sections[place].id
    func items() -> [String] {
      layout.arrangement.bands[place].cells.filter { $0.part == .item }.flatMap { $0.items.map(\.id) }
    }
    var chosen: [String] = []
    home.onChoose = { chosen.append("\($0) \($1)") }
    home.show(page)
    home.layOut()
    expect(items() == [page.sections[place].items[0].id], "the first list shows")
    home.choose("others", of: section)
    home.layOut()
    expect(items().count == count - 1, "the list that is chosen shows")
    let tabs = layout.arrangement.bands[place].cells.first { $0.part == .tabs }
    expect(tabs?.items.map { $0.accessibility?.traits.contains("selected") } == [false, true], "its tab is selected")
    expect(chosen == ["\(section) others"], "and the app is told")
    home.onChoose = nil
    // As it was for whoever looks next.
    home.choose("one", of: section)
    home.show(shown)
    home.layOut()
    return failures
  }

  /// What does not hold of an item that offers more than its tap does.
  private static func actionFailures(of home: HearthPageView) -> [String] {
    guard var page = home.page, let layout = home.collectionViewLayout as? HearthLayout else { return ["no page"] }
    let listed = home.indexPathsForVisibleItems.sorted().first { layout.arrangement[$0]?.part == .item }
    guard let path = listed, let id = layout.arrangement[path]?.items.first?.id,
      let place = page.sections[path[0]].items.firstIndex(where: { $0.id == id })
    else { return ["an item shows"] }
    let shown = page
    page.sections[path[0]].items[place].actions = [
      .init(title: "Keep", action: Action(handler: "keep"), edge: .leading),
      .init(title: "Delete", action: Action(handler: "delete"), role: .destructive),
      .init(title: "Share", action: Action(url: "app://share")),
    ]
    var done: [String] = []
    home.onAction = { done.append("\($0.id) \($1.handler ?? $1.url ?? "")") }
    home.show(page)
    home.layOut()
    var failures: [String] = []
    func expect(_ isSo: Bool, _ what: String) { if !isSo { failures.append(what) } }
    let item = page.sections[path[0]].items[place]
    let told = home.cellForItem(at: path)?.accessibilityCustomActions ?? []
    expect(told.map(\.name) == ["Keep", "Delete", "Share"], "assistive technologies offer an item's actions")
    expect(told.first.map { $0.actionHandler($0) } == true, "and do one")
    let menu = home.delegate?.collectionView(home, contextMenuConfigurationForItemAt: path, point: .zero)
    let choices = (menu?.actionProvider?([])?.children ?? []).compactMap { $0 as? UIAction }
    expect(choices.map(\.title) == ["Keep", "Delete", "Share"], "a menu has them")
    expect(choices.map { $0.attributes == .destructive } == [false, true, false], "and marks what takes away")
    choices.last.map { $0.handler($0) }
    let swipes = item.swipeActions(at: .trailing) { done.append("swiped \($0.handler ?? "")") }
    expect(swipes?.actions.map(\.title) == ["Delete", "Share"], "a swipe uncovers those of its side")
    expect(swipes?.performsFirstActionWithFullSwipe == false, "a long one takes nothing away")
    expect(
      item.swipeActions(at: .leading) { _ in }?.performsFirstActionWithFullSwipe == true, "but does what is harmless")
    swipes?.actions.first.map { $0.handler($0, home) { _ in } }
    expect(done == ["\(item.id) keep", "\(item.id) app://share", "swiped delete"], "each does what it says: \(done)")
    home.show(shown)
    home.layOut()
    expect(home.cellForItem(at: path)?.accessibilityCustomActions == nil, "an item without has none")
    let none = home.delegate?.collectionView(home, contextMenuConfigurationForItemAt: path, point: .zero)
    expect(none == nil, "nor a menu")
    return failures
  }

  /// Of each cell, and of each in a row, whether something is drawn in it.
  private static func parts(of cell: UICollectionViewCell) -> [Bool] {
    for case let list as UICollectionView in cell.contentView.subviews {
      return list.shown.values.flatMap { parts(of: $0) }
    }
    return [isDrawn(cell)]
  }

  private static func isDrawn(_ view: UIView) -> Bool {
    if view.frame.width <= 0 || view.frame.height <= 0 { return false }
    if let label = view as? UILabel { return label.text?.isEmpty == false }
    if let picture = view as? HearthPictureView { return picture.address != nil }
    return view.subviews.contains { isDrawn($0) }
  }
}
