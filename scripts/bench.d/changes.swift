// How long change sets take for a page of 200 sections with 100 items each, in every section one item of a hundred
// changed. scripts/bench-changes compiles it with the sources of JSON and HomePayload.
import HomePayload
import JSON

func page(_ version: String) -> Page {
  let layout = SectionLayout(
    style: .grid, rows: [5], itemSpacing: 13, itemSize: .init(width: .column, height: .points(80)))
  let sections = (0..<200).map { section in
    Section(
      id: "section-\(section)", kind: "middleNav", index: section, layout: layout,
      items: (0..<100).map { item in
        Item(
          id: "item-\(item)", kind: "navigation",
          content: [
            "title": .string("频道 \(section) \(item)"),
            "image": [
              "url": .string("https://cdn.example.com/home/\(section)/\(item).png"), "width": 88, "height": 88,
            ],
          ],
          action: Action(
            target: .url("app://open/\(section)/\(item)"), event: "home_nav_tap",
            attributes: ["slot": .number(JSONNumber(item))]))
      })
  }
  return Page(id: "home", version: version, locale: "zh-Hans", sortRule: "default", sections: sections)
}

/// The middle of eleven runs, in milliseconds.
func measure(_ work: () -> Void) -> Double {
  let times = (0..<11).map { _ in ContinuousClock().measure(work) }.sorted()
  return Double(times[5].components.attoseconds / 1_000_000_000_000) / 1_000
}

let old = page("a")
var new = page("b")
for section in 0..<200 { new.sections[section].items[section % 100].content["title"] = .string("new \(section)") }
let changes = ChangeSet.changes(from: old, to: new)
let sent = changes.canonicalBytes
guard try ChangeSet(bytes: sent) == changes, try old.applying(changes) == new else { fatalError("not the inverse") }
print("page: \(new.canonicalBytes.count) bytes, change set: \(sent.count) bytes")
print("find: \(measure { _ = ChangeSet.changes(from: old, to: new) }) ms")
print("encode: \(measure { _ = changes.canonicalBytes }) ms")
print("decode: \(measure { _ = try? ChangeSet(bytes: sent) }) ms")
print("apply: \(measure { _ = try? old.applying(changes) }) ms")
