import Foundation
import HearthClient
import HomePayload
import JSON
import Testing

@Suite struct BatchUpdatesTests {
  @Test func `sections go first, items within them next, and what cells show last (S4.1, S4.2)`() throws {
    let old = Sample.page("a", [("top", "xyz"), ("middle", "pqr"), ("bottom", "st")])
    var new = Sample.page("b", [("bottom", "uts"), ("new", "n"), ("top", "xyz")])
    new.sections[2].items[1].content["title"] = "Y"
    let steps = try #require(BatchUpdates(.between(old, new)))
    #expect(steps.sections.deletes == [1])
    #expect(steps.sections.inserts == [1])
    #expect(steps.sections.moves == [.init(from: 0, to: 2)] || steps.sections.moves == [.init(from: 2, to: 0)])
    #expect(steps.sections.page.sections.map(\.id) == ["bottom", "new", "top"])
    #expect(steps.sections.page.sections[0].items.map(\.id) == ["s", "t"])
    #expect(steps.items.inserts == [[0, 0]])
    #expect(steps.items.moves.count == 1)
    #expect(steps.items.reloads.isEmpty)
    #expect(steps.items.page == new)
    #expect(steps.reconfigures == [[2, 1]])
  }

  @Test func `a section whose frame changed is drawn anew, one whose number changed is not`() throws {
    let old = Sample.page("a", [("top", "xyz"), ("middle", "pqr")])
    var new = Sample.page("b", [("top", "xyz"), ("middle", "prs")])
    new.sections[0].index = -7
    new.sections[1].header = Item(id: "middle.header", kind: "title")
    let steps = try #require(BatchUpdates(.between(old, new)))
    #expect(steps.sections.isEmpty)
    #expect(steps.items.reloads == [1])
    #expect(steps.items.deletes.isEmpty && steps.items.inserts.isEmpty && steps.items.moves.isEmpty)
    #expect(steps.reconfigures.isEmpty)
  }

  @Test func `a whole list in one cell is that cell reconfigured (S1.7)`() throws {
    var old = Sample.page("a", [("top", "xyz")])
    old.sections[0].layout.style = .carousel
    var new = Sample.page("b", [("top", "wxz")])
    new.sections[0].layout.style = .carousel
    let steps = try #require(BatchUpdates(.between(old, new)))
    #expect(steps.sections.isEmpty && steps.items.isEmpty)
    #expect(steps.reconfigures == [[0, 0]])
    let each = try #require(BatchUpdates(.between(old, new), showsOneCell: { _ in false }))
    #expect(each.items.deletes == [[0, 1]] && each.items.inserts == [[0, 0]])
  }

  @Test func `a section that lists share is drawn anew where its items change`() throws {
    var old = Sample.page("a", [("top", "xyz"), ("middle", "pqr")])
    for place in [0, 1] { old.sections[place].lists = [.init(id: "a", title: "A"), .init(id: "b", title: "B")] }
    var new = old
    new.version = "b"
    new.sections[0].items[1].lists = ["b"]
    let steps = try #require(BatchUpdates(.between(old, new)))
    #expect(steps.items.reloads == [0] && steps.items.deletes.isEmpty && steps.reconfigures.isEmpty)
  }

  @Test func `the first page has no steps`() {
    #expect(BatchUpdates(.between(nil, Sample.first)) == nil)
  }

  @Test func `a collection view takes every step of random updates`() throws {
    var random = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let old = Self.page("a", &random)
      let new = Self.page("b", &random)
      let steps = try #require(BatchUpdates(.between(old, new)))
      var view = CollectionView(old)
      view.perform(steps.sections)
      view.perform(steps.items)
      #expect(view.cells == new.sections.map(CollectionView.cells))
      #expect(Set(steps.reconfigures).count == steps.reconfigures.count)
      for path in steps.reconfigures { #expect(view.cells[path[0]].indices.contains(path[1])) }
      Self.expectShown(old, new, steps)
    }
  }

  /// Whatever is drawn otherwise is inserted, drawn anew or reconfigured.
  private static func expectShown(_ old: Page, _ new: Page, _ steps: BatchUpdates) {
    let before = Dictionary(uniqueKeysWithValues: old.sections.map { ($0.id, $0) })
    for (position, section) in new.sections.enumerated() {
      guard let was = before[section.id], !steps.items.reloads.contains(position) else { continue }
      #expect(was.layout == section.layout && was.header == section.header)
      let items = Dictionary(uniqueKeysWithValues: was.items.map { ($0.id, $0) })
      if BatchUpdates.showsOneCell(section) {
        #expect(was.items == section.items || steps.reconfigures.contains([position, 0]))
        continue
      }
      for (place, item) in section.items.enumerated() {
        guard let old = items[item.id], old != item else { continue }
        #expect(steps.reconfigures.contains([position, place]))
      }
    }
  }

  private static func page(_ version: String, _ random: inout some RandomNumberGenerator) -> Page {
    let names = Array("abcdef".shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random)))
    var page = Sample.page(
      version,
      names.map { name in
        (String(name), String("mnopqr".shuffled(using: &random).prefix(Int.random(in: 0...6, using: &random))))
      })
    for section in page.sections.indices {
      if Int.random(in: 0..<5, using: &random) == 0 { page.sections[section].layout.style = .carousel }
      for item in page.sections[section].items.indices where Bool.random(using: &random) {
        page.sections[section].items[item].content["title"] = "changed"
      }
    }
    return page
  }
}
