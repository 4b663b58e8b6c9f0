import JSON
import Layout
import Peers
import Service
import Storage
import Testing

/// A failover of PostgreSQL that loses the last change, which publishes nothing: it is noticed all the same.
@Suite(.enabled(if: TestEngine.isPostgreSQL, "it is about servers of PostgreSQL")) struct LostChangeTests {
  private static func status(_ server: RunningServer) async throws -> JSON {
    try await Reply(port: server.server.adminPort, "GET", "/status", [:], nil).json
  }

  @Test func `what was called off does not go live when a failover has lost that`() async throws {
    let clock = TestClock()
    try await withServer(
      clock: clock, settings: { _ in },
      { server in
        let force = ["If-Match": "*"]
        #expect(try await server.admin("POST", "/pages/home/sections/top/hide", "{}", force).status == 204)
        let at = clock.now.adding(seconds: 3_600)
        let made = try await server.admin("POST", "/pages/home/scheduled", #"{"at": "\#(at)"}"#, force)
        let id = try #require(made.json["id"]?.int)
        try TestEngine.psql(
          "CREATE TABLE kept AS SELECT * FROM scheduled_publishes; CREATE TABLE parts AS SELECT * FROM scheduled_sections",
          in: server.folder)
        #expect(try await server.admin("DELETE", "/pages/home/scheduled/\(id)").status == 204)
        // What the standby had not got.
        try TestEngine.psql(
          """
          BEGIN; ALTER TABLE audit DISABLE TRIGGER ALL; DELETE FROM audit WHERE action = 'page.schedule.cancel';
          INSERT INTO scheduled_publishes SELECT * FROM kept; INSERT INTO scheduled_sections SELECT * FROM parts;
          ALTER TABLE audit ENABLE TRIGGER ALL; UPDATE changes SET number = number + 1; COMMIT
          """, in: server.folder)
        clock.advance(by: 3_601)
        try await waitUntil {
          try await Self.status(server)["reasons"]?.array?.first?.string?.contains("history was cut: change ") == true
        }
        #expect(try await server.get("/v1/home")["Hearth-Revision"] == "1.1")
        let another = try RunningServer.openStore(in: server.folder, clock: StoreClock { clock.now })
        let raised = try await another.raiseGeneration(reason: "a test", by: Actor(name: "operator"))
        await another.close()
        #expect(raised.held.map(\.id) == [Int64(id)])
        try await waitUntil { try await server.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).1" }
        #expect(try await server.get("/v1/home").sections.contains("top"))
        #expect(try await server.admin("DELETE", "/pages/home/scheduled/\(id)").status == 204)
        try await waitUntil { try await Self.status(server)["status"] == "ok" }
      })
  }
}
