import HomePayload
import JSON
import Polling

/// A page as lines of a tree, each with what an update did to it.
struct PageTree {
  enum Mark: String {
    case same = " "
    case came = "+"
    case went = "-"
    case moved = ">"
    case changed = "~"
  }

  struct Line: Equatable {
    var mark: Mark
    var depth: Int
    var text: String
  }

  private(set) var lines: [Line] = []

  /// The tree of a page, with what led to it from the one before.
  init(_ update: PageUpdate) {
    let page = update.page
    add(page.sections, was: update.old?.sections, update.changes?.sections, depth: 0, text: Self.text) {
      tree, section, old, changes in
      tree.add(section.items, was: old?.items, changes, depth: 1)
      for (name, item) in section.slots.sorted(by: { $0.key < $1.key }) {
        let isSame = old == nil || old?.slots[name] == item
        tree.lines.append(Line(mark: isSame ? .same : .changed, depth: 1, text: "\(name): \(Self.text(item))"))
      }
    }
  }

  private mutating func add(_ items: [Item], was old: [Item]?, _ changes: ListChanges<Item>?, depth: Int) {
    add(items, was: old, changes, depth: depth, text: Self.text) { tree, item, old, changes in
      tree.add(item.children, was: old?.children, changes, depth: depth + 1)
    }
  }

  private mutating func add<Element: ListElement>(
    _ elements: [Element], was old: [Element]?, _ changes: ListChanges<Element>?, depth: Int,
    text: (Element) -> String, below: (inout PageTree, Element, Element?, ListChanges<Item>?) -> Void
  ) {
    let moved = Set((changes?.moves ?? []).map(\.to))
    let inserted = Set((changes?.inserts ?? []).map(\.at))
    let before = Dictionary((old ?? []).enumerated().map { ($1.id, $0) }, uniquingKeysWith: { first, _ in first })
    for (position, element) in elements.enumerated() {
      let at = inserted.contains(position) ? nil : before[element.id]
      let update = changes?.updates.first { $0.at == at }
      let isChanged = update.map { !$0.set.isEmpty || !$0.unset.isEmpty } ?? false
      let mark: Mark =
        inserted.contains(position) ? .came : moved.contains(position) ? .moved : isChanged ? .changed : .same
      lines.append(Line(mark: mark, depth: depth, text: text(element)))
      below(&self, element, at.flatMap { old?[$0] }, update?.nested)
    }
    for at in changes?.deletes ?? [] {
      guard let old, old.indices.contains(at) else { continue }
      lines.append(Line(mark: .went, depth: depth, text: text(old[at])))
    }
  }

  private static func text(_ section: Section) -> String {
    "\(section.id)  \(section.kind)  \(section.layout.style)".escapingControls
  }

  private static func text(_ item: Item) -> String {
    let shown = ["title", "text", "name"].lazy.compactMap { item.content[$0]?.string }.first
    return ("\(item.id)  \(item.kind)" + (shown.map { "  “\($0)”" } ?? "")).escapingControls
  }
}
