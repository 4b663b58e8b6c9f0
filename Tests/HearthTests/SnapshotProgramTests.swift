import Foundation
import Testing

/// The program begins with its snapshot, also after it was killed.
@Suite struct SnapshotProgramTests {
  @Test func `a killed server serves the same bytes from its first poll on`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let server = try workshop.serve()
    let path = workshop.database + ".snapshot"
    try await eventually { FileManager.default.fileExists(atPath: path) }
    let last = try await ask(server.polls, "/v1/home")
    _ = server.end(SIGKILL)
    // What the killed one was about to write.
    _ = try workshop.write("torn", to: "hearth.db.snapshot.unfinished")
    let again = try workshop.serve()
    let first = try await ask(again.polls, "/v1/home")
    #expect(first.text == last.text)
    #expect(first.fields["etag"] == last.fields["etag"])
    #expect(first.fields["hearth-revision"] == last.fields["hearth-revision"])
    #expect(again.text.contains("fromSnapshot=activity-spring,discover,home,search"), "\(again.text)")
    #expect(again.end() == 0)
  }

  @Test func `a snapshot that is damaged is said in the log, and the database is served`() async throws {
    let workshop = try Workshop()
    _ = try workshop.loadDemo()
    let folder = workshop.folder + "/snapshots"
    let environment = ["HEARTH_SNAPSHOT_FOLDER": folder]
    #expect(try workshop.serve(environment: environment).end() == 0)
    #expect(FileManager.default.fileExists(atPath: folder + "/snapshot"))
    #expect(!FileManager.default.fileExists(atPath: workshop.database + ".snapshot"))
    try workshop.shell("printf x >> snapshots/snapshot")
    let server = try workshop.serve(environment: environment)
    #expect(server.text.contains("the snapshot is not used"), "\(server.text)")
    #expect(server.text.contains("is damaged"), "\(server.text)")
    #expect(try await ask(server.polls, "/v1/home").status == 200)
    #expect(server.end() == 0)
  }
}
