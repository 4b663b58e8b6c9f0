import Foundation
import JSON
import Testing

/// A backup restored under a server, as an operator sees it.
@Suite struct GenerationCommandTests {
  @Test func `after a restore the server says what to run, and that ends it`() async throws {
    let workshop = try Workshop()
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let backup = workshop.folder + "/backup.db"
    try FileManager.default.copyItem(atPath: workshop.database, toPath: backup)
    let export = try workshop.run(["export"] + workshop.place).output
    let changed = try workshop.write(
      export.replacing("title: Home\n", with: "title: Home again\n"), to: "changed.yaml")
    let imported = try workshop.run(["import", changed, "--publish"] + workshop.place)
    #expect(imported.output.contains("home: published as revision 2"), "\(imported.output)")
    let before = try workshop.serve()
    #expect(try await ask(before.polls, "/v1/home").fields["hearth-revision"] == "1.2")
    #expect(before.end() == 0)
    let served = workshop.database + ".served"
    #expect(try FileManager.default.attributesOfItem(atPath: served)[.posixPermissions] as? Int == 0o600)

    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: workshop.database + suffix) }
    try FileManager.default.copyItem(atPath: backup, toPath: workshop.database)
    let refused = try workshop.run(["import", changed, "--publish"] + workshop.place)
    #expect(refused.status == 1)
    #expect(refused.error.contains("hearth generation raise --reason"), "\(refused.error)")
    let after = try workshop.serve()
    try after.read(until: "history was cut: home: revision 2")
    #expect(try await after.status()["status"] == "degraded")
    #expect(try await after.metric("hearth_history_cut") == 1)
    // From the snapshot: the database does not have it.
    #expect(try await ask(after.polls, "/v1/home").fields["hearth-revision"] == "1.2")
    #expect(try await ask(after.polls, "/v1/pages/activity-spring").fields["hearth-revision"] == "1.1")
    #expect(try workshop.run(["generation", "raise"] + workshop.place).status == 64)
    let raised = try workshop.run(["generation", "raise", "--reason", "restored"] + workshop.place)
    #expect(raised.status == 0, "\(raised.error)")
    let generation = try #require(Int(raised.output.dropFirst("generation ".count).prefix { $0.isNumber }))
    #expect(generation >= 1_700_000_000)
    try await eventually {
      try await ask(after.polls, "/v1/home").fields["hearth-revision"] == "\(generation).1"
    }
    #expect(try await after.status()["status"] == "ok")
    #expect(try workshop.run(["import", changed, "--publish"] + workshop.place).status == 0)
    #expect(after.end() == 0)
  }

  @Test func `what is served is remembered in a folder of its own where one is set`() throws {
    let workshop = try Workshop()
    let folder = workshop.folder + "/snapshots"
    #expect(try workshop.run(["demo"] + workshop.place).status == 0)
    let server = try workshop.serve(environment: ["HEARTH_SNAPSHOT_FOLDER": folder])
    #expect(FileManager.default.fileExists(atPath: folder + "/served"))
    #expect(!FileManager.default.fileExists(atPath: workshop.database + ".served"))
    #expect(server.end() == 0)
  }
}
