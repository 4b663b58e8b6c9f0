import Foundation
import JSON
import Testing

/// The walkthrough of docs/kinds.md with the program itself, while a server runs.
@Suite struct WalkthroughTests {
  private func example(_ name: String) throws -> String {
    let lines = try Documents.lines("docs/kinds.md")
    let marker = try #require(lines.firstIndex(of: "<!-- example: \(name) -->"))
    return lines[(marker + 2)...].prefix { $0 != "```" }.joined(separator: "\n") + "\n"
  }

  private static let query = "/v1/pages/countdown-demo?locale=vi&platform=ios&appVersion="

  @Test func `a server that adopts kinds it does not know says so everywhere; a restart serves them`() async throws {
    let workshop = try Workshop()
    let place = workshop.place
    #expect(try workshop.run(["demo"] + place).status == 0)
    let before = try workshop.serve()
    // Steps 1 to 3: the kinds are declared and checked.
    var kinds = try String(contentsOfFile: workshop.config + "/kinds.yaml", encoding: .utf8)
    for list in ["itemKinds", "sectionKinds"] {
      kinds.replace("\n\(list):\n", with: "\n\(list):\n" + (try example(list)))
    }
    try kinds.write(toFile: workshop.config + "/kinds.yaml", atomically: true, encoding: .utf8)
    let list = try workshop.run(["kinds", "list"] + place.prefix(2))
    #expect(list.output.contains("countdowns"))
    // Steps 4 and 5, without the restart that they ask for.
    let document = try workshop.write(example("document"), to: "countdown.yaml")
    #expect(try workshop.run(["validate", document] + place.prefix(2)).output == "valid\n")
    let imported = try workshop.run(["import", document, "--publish"] + place)
    #expect(imported.status == 0)
    #expect(imported.output.contains("countdown-demo: published as revision 1"))
    #expect(imported.error.contains("does not know the kinds countdown, countdowns"), "\(imported.error)")
    #expect(imported.error.contains("process \(before.process.processIdentifier)"), "\(imported.error)")
    try before.read(until: "a revision uses kinds that this server does not know")
    #expect(before.text.contains("page=countdown-demo revision=1"), "\(before.text)")
    #expect(before.text.contains("kinds=countdown,countdowns"), "\(before.text)")
    let status = try await before.status()
    #expect(status["status"] == "degraded")
    #expect(status["reasons"]?.array?.first?.string?.contains("(countdown, countdowns)") == true)
    let page = try #require(status["pages"]?.array?.first { $0["page"] == "countdown-demo" })
    #expect(page["unknownKinds"] == ["countdown", "countdowns"])
    #expect(try await before.metric("hearth_page_unknown_kinds{page=\"countdown-demo\"}") == 2)
    #expect(try await before.json(Self.query + "5.2")["sections"] == [])
    #expect(before.end() == 0)
    // Restarted, as the walkthrough says, it serves what step 6 shows.
    let after = try workshop.serve()
    #expect(try await after.status()["status"] == "ok")
    var new = try #require(try await after.json(Self.query + "5.2").object)
    new["version"] = nil
    #expect(try .object(new) == JSON.parse(Array(example("new").utf8)))
    let old = try await after.json(Self.query + "5.1")["sections"]
    #expect(try old == [JSON.parse(Array(example("old").utf8))])
    // Beside a server that knows them, nothing is said.
    let again = try workshop.run(["import", document, "--publish"] + place)
    #expect(again.error.isEmpty, "\(again.error)")
  }
}
