import Foundation
import Generation
import HomePayload
import JSON
import JSONSchema
import Layout
import SeededRandom
import Testing

/// Generated code is compiled by the languages' own compilers, and reads and writes pages.
@Suite(.serialized) struct RunningTests {
  /// A page with hard content, and what is to come of it.
  private struct Trial {
    var kinds: Kinds
    var page: JSON
    var written: JSON
    var dropped: [String]

    var json: JSON {
      ["page": page, "written": written, "dropped": .array(dropped.map { .string($0) })]
    }
  }

  /// Up to ten times fifty random kinds with a page each.
  private static func trials() throws -> [Trial] {
    try (0..<Trials.count(10)).map { seed in
      var random = RandomKinds(seed: UInt64(seed), kinds: 50)
      let kinds = try Kinds(json: random.document)
      var items: [(item: JSON, isBroken: Bool)] = []
      var good: [String: JSON] = [:]
      for kind in kinds.items.values.sorted(by: { $0.name < $1.name }) {
        let schema = try #require(random.document["itemKinds"]?[kind.name]?["content"])
        for number in 0..<4 {
          let content = random.value(schema)
          guard kind.schema.accepts(content), var object = content.object else { continue }
          let item: JSON = [
            "id": .string("\(kind.name).\(number)"), "kind": .string(kind.name), "content": content,
            "action": ["url": "app://x"],
          ]
          good[kind.name] = item
          items.append((item, false))
          // What lacks a member that it must have is left out.
          guard schema["type"] != nil, let name = schema["required"]?.array?.first?.string else { continue }
          object[name] = nil
          items.append(
            (
              ["id": .string("\(kind.name).\(number)-broken"), "kind": .string(kind.name), "content": .object(object)],
              true
            ))
        }
      }
      items.append((["id": "u", "kind": "kindOfTomorrow", "content": ["a": [1, "x"]]], false))
      let slots = try #require(kinds.sections["slotted"]?.slots).compactMapValues { slot in
        slot.kinds.compactMap { good[$0] }.first
          ?? (slot.isRequired ? nil : ["id": "v", "kind": "other", "content": [:]])
      }
      func page(_ items: [JSON]) -> JSON {
        let layout: JSON = ["style": "list"]
        return [
          "page": "home", "version": "0123456789abcdef", "locale": "en", "sortRule": "default",
          "sections": [
            [
              "id": "all", "kind": "all", "index": 0, "layout": layout, "items": .array(items),
              "header": good.min { $0.key < $1.key }?.value ?? items[items.count - 1],
            ],
            ["id": "slotted", "kind": "slotted", "index": 1, "layout": layout, "slots": .object(JSONObject(slots))],
            [
              "id": "tomorrow", "kind": "sectionOfTomorrow", "index": 2, "layout": layout,
              "items": [["id": "x", "kind": "class", "content": [:]]],
            ],
          ],
        ]
      }
      let places = items.indices.filter { items[$0].isBroken }.map { "/sections/0/items/\($0)/content" }
      return Trial(
        kinds: kinds, page: page(items.map(\.item)), written: page(items.filter { !$0.isBroken }.map(\.item)),
        dropped: places)
    }
  }

  @Test func `random kinds become Swift that compiles, reads what is valid, and writes back what it read`() throws {
    let bench = try Workbench()
    var main = try Repository.text("Tests/GenerationTests/Apps/trials.swift.txt")
    let trials = try Self.trials()
    #expect(trials.allSatisfy { $0.kinds.items.count == 50 })
    for (number, trial) in trials.enumerated() {
      try bench.write(trial.kinds.source(in: .swift, namespace: "K\(number)"), to: "K\(number).swift")
      try bench.write(trial.json.canonicalText, to: "K\(number).json")
      main += "try look(\"K\(number)\") { let page = K\(number).Page($0); return (page.page, page.dropped) }\n"
    }
    try bench.write(main, to: "main.swift")
    let printed = try bench.runSwift(["main.swift"] + trials.indices.map { "K\($0).swift" })
    #expect(printed == trials.indices.map { "K\($0): \(trials[$0].dropped.count) dropped\n" }.joined())
    #expect(trials.allSatisfy { $0.dropped.count > 5 })
  }

  @Test func `random kinds become TypeScript that compiles, reads what is valid, and writes back what it read`()
    throws
  {
    let bench = try Workbench()
    var main = try Repository.text("Tests/GenerationTests/Apps/trials.ts.txt")
    let trials = try Self.trials()
    for (number, trial) in trials.enumerated() {
      try bench.write(trial.kinds.source(in: .typescript), to: "k\(number).ts")
      main = "import * as k\(number) from \"./k\(number).js\";\n" + main
      main += "look(\"k\(number)\", \(String(reflecting: trial.json.canonicalText)), k\(number));\n"
    }
    try bench.write(main, to: "main.ts")
    let printed = try bench.runTypeScript(["main.ts"] + trials.indices.map { "k\($0).ts" })
    #expect(printed == trials.indices.map { "k\($0): \(trials[$0].dropped.count) dropped\n" }.joined())
  }

  @Test func `an app reads the demo with the generated Swift`() throws {
    let bench = try Workbench()
    try bench.write(Repository.kinds().source(in: .swift), to: "Kinds.swift")
    for page in ["home", "activity-spring"] {
      try bench.write(String(decoding: Repository.page(page).canonicalBytes, as: UTF8.self), to: "\(page).json")
    }
    try bench.write(Repository.text("Tests/GenerationTests/Apps/demo.swift.txt"), to: "main.swift")
    try bench.write(Repository.example("swift"), to: "document.swift")
    let printed = try bench.runSwift(["main.swift", "Kinds.swift", "document.swift"])
    #expect(printed == (try Repository.text("Tests/GenerationTests/Apps/demo.printed.txt")))
  }

  @Test func `an app reads the demo with the generated TypeScript`() throws {
    let bench = try Workbench()
    try bench.write(Repository.kinds().source(in: .typescript), to: "kinds.ts")
    let pages = try ["home", "activity-spring"].map {
      String(reflecting: String(decoding: try Repository.page($0).canonicalBytes, as: UTF8.self))
    }
    let app = try Repository.text("Tests/GenerationTests/Apps/demo.ts.txt")
    try bench.write(app.replacing("PAGES", with: "[\(pages.joined(separator: ", "))]"), to: "main.ts")
    try bench.write(Repository.example("typescript"), to: "document.ts")
    // The pages are read, and written again, by the client of web apps.
    let client = Repository.root.appending(path: "clients/typescript")
    try FileManager.default.createDirectory(at: bench.folder.appending(path: "out"), withIntermediateDirectories: true)
    for copy in ["client", "out/client"] {
      try FileManager.default.copyItem(at: client, to: bench.folder.appending(path: copy))
    }
    let printed = try bench.runTypeScript(["main.ts", "kinds.ts", "document.ts"])
    #expect(printed == (try Repository.text("Tests/GenerationTests/Apps/demo.printed.txt")))
  }
}
