import Foundation
import HearthClient
import HomePayload

/// What the client costs on a page of 200 sections with 100 items each: `Figures [changes | start | layout] FOLDER`, in a
/// release build. `changes` applies a set that changes, moves and brings items; `start` goes from nothing to the page that is
/// kept; `layout` lays out 10,000 items of one section, and scrolls through them.
@main struct Figures {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else { exit(64) }
    let file = URL(fileURLWithPath: words[2]).appendingPathComponent("page")
    var settings = PageClientSettings(server: URL(string: "https://home.example.com") ?? file)
    settings.locale = "en"
    if words[1] == "start" {
      let started = ProcessInfo.processInfo.systemUptime
      let client = PageClient(settings, storage: .file(file))
      let page = try await client.waitForPage(timeout: 0)
      print("first page of \(page.sections.count) sections after \(milliseconds(since: started)) ms")
      return
    }
    if words[1] == "layout" { return layOut() }
    let (old, new) = (page(round: 0), page(round: 1))
    let changes = ChangeSet.changes(from: old, to: new)
    let before = residentKilobytes()
    var times: [Double] = []
    for _ in 0..<20 {
      let started = ProcessInfo.processInfo.systemUptime
      let next = try old.applying(changes)
      times.append(milliseconds(since: started))
      guard next == new else { exit(1) }
    }
    print("\(old.canonicalBytes.count) bytes of page, \(changes.canonicalBytes.count) bytes of changes")
    print("applied in \(times.sorted()[10]) ms, \(residentKilobytes() - before) kB more than before")
    // What a client keeps of it.
    let storage = PageStorage.file(file)
    let client = PageClient(settings, storage: storage) { _ in
      TransportAnswer(status: 200, fields: [:], body: served(old))
    }
    _ = try await client.poll()
    await client.enterBackground()
  }

  private static func layOut() {
    let size = SectionLayout.ItemSize(width: .column, height: .content(minimum: 40))
    let layout = SectionLayout(style: .grid, rows: [2], itemSpacing: 8, lineSpacing: 8, itemSize: size)
    let items = (0..<10_000).map { Item(id: "item\($0)", kind: "row", content: ["title": .string("Title \($0)")]) }
    var page = Page(
      id: "home", version: "1", locale: "en", sortRule: "default",
      sections: [Section(id: "s", kind: "s", index: 0, layout: layout, items: items)])
    var count = 0
    func arranged(after old: Arrangement?) -> Arrangement {
      Arrangement(
        page, width: 375, after: old,
        measuring: { _, _ in
          count += 1; return 44
        })
    }
    var started = ProcessInfo.processInfo.systemUptime
    let first = arranged(after: nil)
    print("10,000 items laid out in \(milliseconds(since: started)) ms, \(count) measured")
    (count, started) = (0, ProcessInfo.processInfo.systemUptime)
    page.sections[0].items[5_000].content["title"] = .string("News")
    let next = arranged(after: first)
    print("again after a change of one in \(milliseconds(since: started)) ms, \(count) measured")
    started = ProcessInfo.processInfo.systemUptime
    let steps = BatchUpdates(from: first, to: next)
    print("\(steps.reconfigures.count) batch updates in \(milliseconds(since: started)) ms")
    started = ProcessInfo.processInfo.systemUptime
    var frames = 0
    for step in 0..<1_000 {
      let shown = CGRect(x: 0, y: Double(step) * 220, width: 375, height: 667)
      frames += next.elements(in: shown, showing: shown).map { next.frame(of: $0, showing: shown) }.count
    }
    print("a step of scrolling in \(milliseconds(since: started)) µs, \(frames / 1_000) frames")
  }

  private static func page(round: Int) -> Page {
    let sections = (0..<200).map { section in
      Section(
        id: "section\(section)", kind: "grid", index: section, layout: SectionLayout(style: .grid, rows: [5]),
        items: (0..<100).filter { round == 1 || $0 != 7 }.map { item in
          let isChanged = round == 1 && item == section % 100
          return Item(
            id: "item\(item)", kind: "navigation",
            content: [
              "title": .string(isChanged ? "News" : "Title \(item)"),
              "image": .string("https://cdn.example.com/\(item).png"),
            ])
        })
    }
    return Page(
      id: "home", version: "000000000000000\(round)", locale: "en", sortRule: "default",
      sections: round == 0 ? sections : Array(sections[5...]) + sections[..<5])
  }

  /// The bytes of a page with the version that they have.
  private static func served(_ page: Page) -> [UInt8] {
    var page = page
    page.version = ""
    let bare = page.canonicalBytes
    // As the server does: the first digits of the hash of the bytes without it.
    page.version = String(sum(bare).prefix(16))
    return page.canonicalBytes
  }

  private static func sum(_ bytes: [UInt8]) -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    guard (try? process.run()) != nil else { return "" }
    try? input.fileHandleForWriting.write(contentsOf: Data(bytes))
    try? input.fileHandleForWriting.close()
    return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
  }

  private static func milliseconds(since started: TimeInterval) -> Double {
    ((ProcessInfo.processInfo.systemUptime - started) * 1_000_000).rounded() / 1_000
  }

  private static func residentKilobytes() -> Int {
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
    return Int(line.filter(\.isNumber)) ?? 0
  }
}
