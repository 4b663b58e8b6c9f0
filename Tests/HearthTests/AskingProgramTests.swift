import Foundation
import JSON
import Peers
import Synchronization
import Testing

/// Two nodes on PostgreSQL, of which one asks an endpoint until it is killed.
@Suite struct AskingProgramTests {
  private static func items(_ server: ServedProgram) async throws -> [String] {
    let page = try await server.json("/v1/home")
    let section = page["sections"]?.array?.first { $0["id"] == "otc" }
    return (section?["items"]?.array ?? []).compactMap { $0["id"]?.string }
  }

  @Test func `when the node that asks is killed, the next one goes on`() async throws {
    let postgres = try PostgreSQLServer.running()
    let database = try postgres.makeDatabase()
    defer { postgres.drop(database) }
    let sku = Mutex("first")
    let endpoint = try FakeEndpoint { _ in
      .json(#"[{"sku": "\#(sku.withLock { $0 })", "picture": "https://cdn.example.com/otc.png"}]"#)
    }
    defer { endpoint.stop() }
    let workshops = try (0..<2).map { _ in try Workshop() }
    for workshop in workshops { workshop.database = postgres.place(database) }
    let token = try workshops[0].loadDemo()
    let environment = [
      "HEARTH_SOURCES_ON": "true", "HEARTH_OUTGOING_ADDRESSES_ALLOWED": "127.0.0.1", "HEARTH_TOKEN": token,
    ]
    let first = try workshops[0].serve(environment: environment)
    let path = "/admin/v1/pages/home/sections/otc"
    let body = """
      {"kind": "otc", "asks": {"url": "http://127.0.0.1:\(endpoint.port)/", "every": 10, "items": {"from": "", \
      "item": {"kind": "banner"}, "members": {"/id": "/sku", "/content/image/url": "/picture"}}}}
      """
    let put = try await ask(first.admin, path, method: "PUT", token: token, body: body)
    #expect(put.status == 200, "\(put.text)")
    let published = try await ask(
      first.admin, "/admin/v1/pages/home/publish", method: "POST", token: token, body: #"{"sections": ["otc"]}"#)
    #expect(published.status == 200, "\(published.text)")
    try await eventually { try await Self.items(first) == ["first"] }
    let second = try workshops[1].serve(environment: environment)
    #expect(try await Self.items(second) == ["first"])
    try await eventually {
      let asked = try await second.status()["asked"]?["sections"]?.array?.first
      return asked?["answeredAt"] != nil && asked?["failure"] == nil
    }
    let before = try await second.json("/v1/home")
    _ = first.end(SIGKILL)
    sku.withLock { $0 = "second" }
    try second.read(until: "this server asks endpoints")
    try await eventually { try await Self.items(second) == ["second"] }
    #expect(try await second.json("/v1/home") != before)
    #expect(second.end() == 0)
  }
}
