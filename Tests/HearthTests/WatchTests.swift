import Foundation
import HomePayload
import JSON
import Testing

@testable import hearth

/// `hearth watch`, the program, against a server that runs.
@Suite struct WatchTests {
  /// A run of `hearth watch` whose lines are read one by one.
  private final class Watching {
    let process: Process
    private let output = Pipe()
    private var text = ""

    init(_ workshop: Workshop, _ arguments: [String]) throws {
      process = try workshop.process(["watch"] + arguments)
      process.standardOutput = output
      try process.run()
    }

    deinit { process.terminate() }

    /// What comes until a line with a word in it.
    func read(until word: String) throws -> String {
      while true {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        if let end = lines.firstIndex(where: { $0.contains(word) }) {
          defer {
            text = text.split(separator: "\n", omittingEmptySubsequences: false)[(end + 1)...].joined(separator: "\n")
          }
          return lines[...end].joined(separator: "\n")
        }
        let data = output.fileHandleForReading.availableData
        try #require(!data.isEmpty, "it ended: \(text)")
        text += String(decoding: data, as: UTF8.self)
      }
    }

    func json() throws -> JSON { try JSON.parse(Array(try read(until: "{").utf8)) }
  }

  @Test func `a page is shown as a tree, then what a publish changed, in words and as JSON`() async throws {
    let workshop = try Workshop()
    let token = try workshop.loadDemo()
    let server = try workshop.serve()
    let url = "http://127.0.0.1:\(server.polls)/v1/home?locale=en"
    let once = try workshop.run(["watch", url, "--once"])
    #expect(once.status == 0, "\(once.error)")
    #expect(once.output.hasPrefix("200 · "))
    #expect(once.output.contains(" · revision 1.1\nhome  en  default\n  marquee  "))
    #expect(!once.output.contains("next poll"))

    let words = try Watching(workshop, [url, "--wait", "20"])
    let json = try Watching(workshop, [url, "--wait", "20", "--json"])
    _ = try words.read(until: "bottomFloat")
    let first = try json.json()
    let page = try Page(json: try #require(first["page"]))
    #expect(first["statuses"] == .array([200]))
    #expect((first["bytes"]?.number?.int ?? 0) * 2 < page.canonicalBytes.count)
    #expect(first["revision"]?.string == "1.1")
    let pages = "/admin/v1/pages/home"
    for (path, body) in [
      ("/sections/otc/move", #"{"first": true}"#), ("/sections/walletCard/hide", "{}"), ("/publish", "{}"),
    ] {
      let answer = try await ask(server.admin, pages + path, method: "POST", token: token, body: body)
      #expect((200...204).contains(answer.status), "\(answer.text)")
    }
    let tree = try words.read(until: "- walletCard")
    #expect(tree.contains("226 · "))
    #expect(tree.contains("\n> otc  "))
    #expect(tree.contains("\n  marquee  "))
    let second = try json.json()
    #expect(second["statuses"] == .array([226]))
    let next = try page.applying(ChangeSet(json: try #require(second["changes"])))
    #expect(next.version == second["version"]?.string)
    #expect(next.sections.first?.id == "otc")
  }

  @Test func `a server that is not there is said, and ends one poll with 69; a URL that is none is wrong usage`() throws
  {
    let workshop = try Workshop()
    let gone = try workshop.run(["watch", "http://127.0.0.1:1", "--once", "--json"])
    #expect(gone.status == 69)
    #expect(gone.error.contains("cannot be watched: no answer"))
    #expect(try JSON.parse(Array(gone.output.utf8))["failure"]?.string?.hasPrefix("no answer") == true)
    for url in ["https://127.0.0.1:1", "127.0.0.1:8080", "http://127.0.0.1:8080/v2/home"] {
      #expect(try workshop.run(["watch", url]).status == 64, "\(url)")
    }
  }
}
