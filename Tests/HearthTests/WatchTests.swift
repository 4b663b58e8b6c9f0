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

  @Test func `who signed a page is said, also when keys change, and one poll that does not verify ends with 1`() throws
  {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let folder = workshop.folder + "/keys"
    func key() throws -> (id: String, pinned: String) {
      let words = try workshop.run(["keys", "create", "--folder", folder]).output.split(whereSeparator: \.isWhitespace)
      try #require(words.count == 2)
      return (String(words[0]), String(words[1]))
    }
    let old = try key()
    let signing = try workshop.serve(environment: ["HEARTH_SIGNING_KEYS_FOLDER": folder])
    let url = "http://127.0.0.1:\(signing.polls)/v1/home?locale=en"
    let verified = try workshop.run(["watch", url, "--once", "--verify", old.pinned])
    #expect(verified.status == 0, "\(verified.error)")
    #expect(verified.output.contains(" · verified by \(old.id)\nhome  en  default\n"))

    let watching = try Watching(workshop, [url, "--json", "--wait", "20", "--verify", old.pinned])
    #expect(try watching.json()["verifiedBy"]?.string == old.id)
    let new = try key()
    #expect(try workshop.run(["keys", "retire", old.id, "--folder", folder]).status == 0)
    let foreign = try workshop.run(["watch", url, "--once", "--json", "--verify", new.pinned])
    #expect(foreign.status == 1)
    #expect(foreign.error.contains("does not verify: it is signed by \(old.id), which is not pinned"))
    let line = try JSON.parse(Array(foreign.output.utf8))
    #expect(line["unverified"]?.string?.contains(old.id) == true)
    #expect(line["page"] != nil)
    kill(signing.process.processIdentifier, SIGHUP)
    let both = ["watch", url, "--once", "--json", "--verify", old.pinned, "--verify", new.pinned]
    while try JSON.parse(Array(try workshop.run(both).output.utf8))["verifiedBy"]?.string != new.id {}

    let plain = try Workshop()
    _ = try plain.loadDemo()
    let unsigning = try plain.serve()
    let unsigned = try plain.run(
      ["watch", "http://127.0.0.1:\(unsigning.polls)/v1/home", "--once", "--verify", old.pinned])
    #expect(unsigned.status == 1)
    #expect(unsigned.output.contains("the page does not verify: it is not signed"))
    #expect(try plain.run(["watch", url, "--verify", "short"]).status == 64)
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
