import Foundation
import Peers
import Testing

/// `hearth kinds check` on what keeps the database.
@Suite struct KindsCheckTests {
  /// Runs it with the kinds changed, and puts them back.
  private static func check(_ workshop: Workshop, _ change: (String) -> String) throws -> ProgramResult {
    let file = workshop.config + "/kinds.yaml"
    let kinds = try String(contentsOfFile: file, encoding: .utf8)
    try change(kinds).write(toFile: file, atomically: true, encoding: .utf8)
    defer { try? kinds.write(toFile: file, atomically: true, encoding: .utf8) }
    return try workshop.run(["kinds", "check"] + workshop.place)
  }

  private static func checkAll(_ workshop: Workshop) throws {
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    #expect(try check(workshop) { $0 }.status == 0)
    let refused = try check(workshop) { $0.replacing("maxLength: 8\n", with: "maxLength: 1\n") }
    #expect(refused.status == 1, "\(refused.error)")
    #expect(refused.output.contains("home live: /sections/"), "\(refused.output)")
    #expect(refused.output.contains("home draft: /sections/"))
    #expect(try check(workshop) { _ in "itemKinds: [" }.status == 78)
  }

  @Test func `it ends with 0, 1 or 78, by what the kinds come to`() throws {
    try Self.checkAll(try Workshop())
  }

  @Test func `it takes a connection string, and ends with 74 where nobody answers`() throws {
    let workshop = try Workshop()
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    workshop.database = server.place(database)
    try Self.checkAll(workshop)
    workshop.database = "postgresql://user@127.0.0.1:1/name"
    let result = try workshop.run(
      ["kinds", "check"] + workshop.place, environment: ["HEARTH_DATABASE_START_WAIT": "0.1"])
    #expect(result.status == 74)
  }
}
