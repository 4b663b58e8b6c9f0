import Foundation
import JSON
import Testing

/// Whoever reports a problem, and whoever reads the report, know which program it was.
@Suite struct VersionTests {
  @Test func `the log's first line, the status and the metrics tell the same commit as the command`() async throws {
    let workshop = try Workshop()
    let printed = try workshop.run(["version"]).output.trimmingCharacters(in: .whitespacesAndNewlines)
    let words = try #require(try /hearth (\d+\.\d+\.\d+) \(([0-9a-f]{12}\+?|unknown)\)/.wholeMatch(in: printed)).output
    _ = try workshop.loadDemo()
    let program = try workshop.serve()
    let first = try #require(program.text.split(separator: "\n").first)
    #expect(first.contains("version=\(words.1)") && first.contains("commit=\(words.2)"))
    let status = try await program.status()
    #expect(status["version"] == .string(String(words.1)) && status["commit"] == .string(String(words.2)))
    #expect(try await program.metric("hearth_build_info{commit=\"\(words.2)\",version=\"\(words.1)\"}") == 1)
    #expect(program.end() == 0)
  }

  /// Runs what each build runs in a folder, and tells what it wrote down.
  private func noted(of checkout: String, _ workshop: Workshop, commit: String? = nil) throws -> String {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Sources/NoteCommit/note.sh").path
    let given = commit.map { "HEARTH_COMMIT='\($0)' " } ?? ""
    try workshop.shell("\(given)sh '\(script)' '\(checkout)' '\(checkout)-noted'")
    return try String(contentsOfFile: checkout + "-noted/NotedCommit.swift", encoding: .utf8)
      .replacing("let notedCommit = ", with: "").trimmingCharacters(in: .newlines)
  }

  @Test func `a build notes its commit, and whether what it is made of was changed`() throws {
    let workshop = try Workshop()
    let checkout = workshop.folder + "/checkout"
    let git = "git -C '\(checkout)' -c user.name=a -c user.email=a@example.com"
    try workshop.shell(
      "mkdir -p '\(checkout)/Sources' '\(checkout)/docs' && git init -q '\(checkout)' && "
        + "echo 1 > '\(checkout)/Sources/a.swift' && \(git) add -A && \(git) commit -q -m a")
    let clean = try noted(of: checkout, workshop, commit: "ffffffffffff")
    #expect(clean.wholeMatch(of: /"[0-9a-f]{12}"/) != nil && !clean.contains("ffff"))
    // Pages of the documentation are no part of the program.
    try workshop.shell("echo 1 > '\(checkout)/docs/a.md'")
    #expect(try noted(of: checkout, workshop) == clean)
    try workshop.shell("echo 2 > '\(checkout)/Sources/b.swift'")
    #expect(try noted(of: checkout, workshop) == clean.dropLast() + "+\"")
    try workshop.shell("\(git) add -A && \(git) commit -q -m b")
    let next = try noted(of: checkout, workshop)
    #expect(next != clean && !next.contains("+"))
    // Sources that somebody unpacked within a checkout of something else are not of its commit.
    try workshop.shell("mkdir '\(checkout)/unpacked'")
    #expect(try noted(of: checkout + "/unpacked", workshop) == "\"unknown\"")
    #expect(try noted(of: checkout + "/unpacked", workshop, commit: "0123456789ab+") == "\"0123456789ab+\"")
    for wrong in ["\"; exit()", "main", "+"] {
      #expect(try noted(of: checkout + "/unpacked", workshop, commit: wrong) == "\"unknown\"")
    }
  }
}
