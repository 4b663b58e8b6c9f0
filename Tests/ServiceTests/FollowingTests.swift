import Foundation
import Layout
import Peers
import Service
import Storage
import Testing

/// A node follows its database through what goes wrong with it.
@Suite struct FollowingTests {
  private static func metric(_ server: RunningServer, _ name: String) async throws -> Double? {
    let text = try await Reply(port: server.server.adminPort, "GET", "/metrics", [:], nil).text
    return text.split(separator: "\n").first { $0.hasPrefix(name + " ") }?.split(separator: " ").last.flatMap {
      Double($0)
    }
  }

  /// A node with a database of its own, which is told of `changes` as any other's change is.
  private func withNode(
    _ body: (RunningServer, DatabaseLocation, @escaping (String) throws -> Void) async throws -> Void
  ) async throws {
    let server = try PostgreSQLServer.running()
    let database = try server.makeDatabase()
    defer { server.drop(database) }
    let folder = try RunningServer.makeFolder()
    let place = DatabaseLocation(server.place(database))
    let node = try await RunningServer(folder: folder, at: place) {
      $0.servedFile = folder + "/served"
    }
    var failure: (any Error)?
    do { try await body(node, place) { try server.psql($0, database: database) } } catch { failure = error }
    try await node.stop()
    if let failure { throw failure }
  }

  /// What another node does that publishes the page as it is.
  private static func published(_ pages: String) -> String {
    """
    INSERT INTO revisions (page, number, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems, identity)
      SELECT page, 2, kind, author, made_at, fingerprint, settings, sort_rules, audiences, problems, 'another'
      FROM revisions WHERE number = 1;
    INSERT INTO revision_sections (page, number, position, section, fingerprint)
      SELECT page, 2, position, section, fingerprint FROM revision_sections WHERE number = 1;
    UPDATE revision_numbers SET last = 2;
    UPDATE \(pages) SET live = 2;
    UPDATE changes SET number = number + 1;
    """
  }

  @Test func `a look that fails is taken again, although nothing has changed since`() async throws {
    try await withNode { node, _, psql async throws in
      #expect(try await node.get("/v1/home")["Hearth-Revision"] == "1.1")
      try psql("ALTER TABLE pages RENAME TO hidden; " + Self.published("hidden"))
      // It looks, and cannot read what it finds.
      try await waitUntil { try await Self.metric(node, "hearth_node_behind_seconds") ?? 0 > 1.5 }
      #expect(try await node.get("/v1/home")["Hearth-Revision"] == "1.1")
      try psql("ALTER TABLE hidden RENAME TO pages")
      try await waitUntil { try await node.get("/v1/home")["Hearth-Revision"] == "1.2" }
    }
  }

  @Test func `a backup that is restored is noticed, served past, and followed once the generation is raised`()
    async throws
  {
    try await withNode { node, place, psql async throws in
      try psql(Self.published("pages"))
      try await waitUntil { try await node.get("/v1/home")["Hearth-Revision"] == "1.2" }
      // As it was before, with another's push on top.
      try psql(
        """
        ALTER TABLE revisions DISABLE TRIGGER ALL;
        UPDATE revisions SET identity = 'pushed on' WHERE number = 2;
        ALTER TABLE revisions ENABLE TRIGGER ALL;
        UPDATE changes SET number = number - 1;
        """)
      try await waitUntil { try await Self.metric(node, "hearth_history_cut") == 1 }
      #expect(try await node.get("/v1/home")["Hearth-Revision"] == "1.2")
      #expect(try await node.get("/readyz").status == 200)
      let refused = try await node.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"])
      #expect(refused.code == "history-cut")
      // As the command does, which is another process.
      let store = try RunningServer.openStore(in: node.folder, at: place)
      let raised = try await store.raiseGeneration(reason: "a test", by: Actor(name: "operator"))
      await store.close()
      try await waitUntil { try await node.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).2" }
      #expect(try await node.admin("POST", "/pages/home/publish", "{}", ["If-Match": "*"]).status == 200)
      #expect(try await node.get("/v1/home")["Hearth-Revision"] == "\(raised.generation).3")
    }
  }
}
