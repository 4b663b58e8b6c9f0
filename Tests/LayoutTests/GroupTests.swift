import HomePayload
import JSON
import Layout
import Service
import Testing

/// Patterns of cells of different sizes.
@Suite struct GroupTests {
  private func screen(_ layout: String, kind: String = "stories") throws -> Screen {
    let page = """
      hearth: 1
      pages:
        news:
          defaultLocale: en
          locales: [en, vi]
          inset: {leading: 4, trailing: 4}
          sections:
            - id: best
              kind: \(kind)
              layout: \(layout)
              items: [{id: a, kind: row, content: {title: Chess}}, {id: b, kind: row, content: {title: Go}}]
      """
    return try Screen(page, example: "group")
  }

  private func found(_ screen: Screen) -> [String] {
    screen.definition.lint(kinds: screen.kinds, at: Demo.noon).map { "\($0.code.rawValue) \($0.pointer)" }
  }

  private static let shares = "must be 1 to 12 shares above 0 and at most 1000, or {\"points\": n}"
  private static let one = "cells: [{column: 0, row: 0}]"

  @Test func `a group is served to apps that know it, and a grid to those that are too old`() throws {
    let new = try screen("{}").section("best", ["platform": .text("ios"), "appVersion": version("6.4")])
    #expect(new.kind == "stories" && new.layout.group?.cells.count == 3)
    #expect(new.layout.group?.columns == [.share(2), .share(1)])
    let old = try screen("{}").section("best", ["platform": .text("ios"), "appVersion": version("6.3")])
    #expect(old.kind == "storyRows" && old.layout.group == nil && old.items == new.items)
  }

  @Test(arguments: [
    "{group: {\(one), columns: [1], rows: [1]}}",
    "{group: {\(one), columns: [{points: 80}, 0.5, 1000], rows: [{points: {vi: 40, \"*\": 30}}, 1]}}",
    "{style: shelf, itemSize: {width: {fraction: 0.9}, height: {fraction: 0.25, of: screen}}}",
    "{group: {cells: [{column: 1, columnSpan: 2, row: 0, rowSpan: 2}], columns: [1, 1, 1], rows: [1, 2]}}",
  ])
  func `each member may be said, and what is written is read again`(layout: String) throws {
    let screen = try screen(layout)
    #expect(screen.kinds.problems(in: screen.definition) == [])
    #expect(found(screen) == [])
    var page = screen.page()
    page.version = "0"
    #expect(try Page(bytes: page.canonicalBytes) == page)
  }

  @Test(arguments: [
    ("{\(one), rows: [1]}", "/columns is required"), ("{columns: [1], rows: [1]}", "/cells is required"),
    ("{cells: [], columns: [1], rows: [1]}", "/cells must have at least one cell"),
    ("{\(one), columns: [], rows: [1]}", "/columns \(shares)"),
    ("{\(one), columns: [0], rows: [1]}", "/columns/0 \(shares)"),
    ("{\(one), columns: [1], rows: [{share: 1}]}", "/rows/0/points is required"),
    ("{cells: [{column: 1, row: 0}], columns: [1], rows: [1]}", "/cells/0/column must be a whole number from 0 to 0"),
    (
      "{cells: [{column: 1, columnSpan: 2, row: 0}], columns: [1, 1], rows: [1]}",
      "/cells/0 must lie within the group's columns and rows, and over no other cell"
    ),
    (
      "{cells: [{column: 0, columnSpan: 2, row: 0}, {column: 1, row: 0}], columns: [1, 1], rows: [1]}",
      "/cells/1 must lie within the group's columns and rows, and over no other cell"
    ),
  ])
  func `what makes no sense is told with its place`(group: String, problem: String) throws {
    let screen = try screen("{group: \(group)}")
    let told = screen.kinds.problems(in: screen.definition).map(\.description)
    #expect(told.contains("/sections/0/layout/group\(problem)"), "\(told)")
  }

  @Test func `a group is as high as its size says, whatever is in it`() throws {
    let screen = try screen("{itemSize: {height: {content: {minimum: 200}}}}")
    #expect(
      screen.kinds.problems(in: screen.definition).map(\.description) == [
        "/sections/0/layout/group needs an 'itemSize' with a height of points, an aspect or a fraction of the screen"
      ])
  }

  @Test(arguments: [
    ("{points: 300}, 1", "container", true), ("{points: 200}, {points: 80}", "container", false),
    ("{points: 200}, {points: 90}", "container", true), ("{points: 200}, {points: 90}", "{points: 300}", false),
    ("{points: 200}, {points: 90}", "{points: 280}", true), ("{points: 160}, 1", "{fraction: 0.5}", true),
  ])
  func `columns that do not fit on a small screen are a warning`(columns: String, width: String, isWide: Bool) throws {
    let group = "{cells: [{column: 0, row: 0}], columns: [\(columns)], rows: [1]}"
    let layout = """
      {inset: {leading: 10, trailing: 10}, itemSpacing: 8, group: \(group), itemSize: {width: \(width), height: {points: 90}}}
      """
    #expect(found(try screen(layout)) == (isWide ? ["wide-group /sections/0/layout/group/columns"] : []))
  }

  @Test func `a group does nothing but in a grid or shelf`() throws {
    let group = "{cells: [{column: 0, row: 0}], columns: [1], rows: [1]}"
    #expect(found(try screen("{style: list, group: \(group)}")) == ["unused-layout /sections/0/layout/group"])
  }
}
