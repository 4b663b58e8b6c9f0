import Foundation
import JSON
import Peers
import Testing

/// Two nodes behind nginx, as config/nginx.conf has it, which hang and are killed.
@Suite struct FrontProgramTests {
  /// Two servers whose databases have the same content, and nginx before them, which gives up on a node after a second.
  private static func withNodes(
    _ body: (_ front: Int, _ nodes: [ServedProgram], _ token: String) async throws -> Void
  ) async throws {
    let (first, second) = (try Workshop(), try Workshop())
    let token = try first.loadDemo()
    try FileManager.default.copyItem(atPath: first.database, toPath: second.database)
    let nodes = [try first.serve(), try second.serve()]
    let front = try Front(
      before: nodes.map { UInt16($0.polls) }, isEncrypted: false,
      [
        "proxy_read_timeout 5s;": "proxy_read_timeout 1s;",
        // However long it took to start to wait.
        "proxy_next_upstream_timeout 5s;": "proxy_next_upstream_timeout 60s;",
      ])
    try await body(Int(front.port), nodes, token)
  }

  /// Polls that nobody has made before: each goes to a node.
  private func newPolls(_ front: Int, _ turn: String) async throws {
    for number in 0..<20 {
      let answer = try await ask(front, "/v1/home?\(turn)=\(number)")
      #expect(answer.status == 200, "\(turn) \(number): \(answer.text)")
    }
  }

  @Test func `no poll fails while a node hangs or is killed, and what was known is served when none is left`()
    async throws
  {
    try await Self.withNodes { front, nodes, _ in
      try await newPolls(front, "both")
      for node in nodes {
        let answered = try await node.metric("hearth_http_accepted_total{listener=\"public\"}")
        #expect(answered ?? 0 > 0)
      }
      let known = try await ask(front, "/v1/home")
      kill(nodes[0].process.processIdentifier, SIGSTOP)
      try await newPolls(front, "hung")
      _ = nodes[0].end(SIGKILL)
      try await newPolls(front, "killed")
      _ = nodes[1].end(SIGKILL)
      // The answers of this second are kept in any case.
      let last = Int(Date().timeIntervalSince1970)
      try await eventually { Int(Date().timeIntervalSince1970) > last }
      let again = try await ask(front, "/v1/home")
      #expect(again.status == 200)
      #expect(again.text == known.text)
      #expect(again.fields["hearth-revision"] == known.fields["hearth-revision"])
      #expect(try await ask(front, "/v1/home?nobody=asked").status == 502)
    }
  }

  @Test func `who waits at a node that is killed waits on at another`() async throws {
    try await Self.withNodes { front, nodes, token in
      let tag = try #require(try await ask(front, "/v1/home").fields["etag"])
      let fields = ["If-None-Match": tag, "A-IM": "hearth-changes", "Prefer": "wait=30"]
      let waiting = (0..<4).map { _ in Task { try await ask(front, "/v1/home", fields: fields) } }
      func count(_ node: ServedProgram) async throws -> Double {
        try await node.metric("hearth_http_waiting{listener=\"public\"}") ?? 0
      }
      try await eventually { try await count(nodes[0]) + count(nodes[1]) == 4 }
      _ = nodes[0].end(SIGKILL)
      try await eventually { try await count(nodes[1]) == 4 }
      for (path, body) in [("sections/localService/move", #"{"first": true}"#), ("publish", "{}")] {
        let reply = try await ask(
          nodes[1].admin, "/admin/v1/pages/home/\(path)", method: "POST", token: token, body: body)
        #expect(reply.status == 200, "\(reply.text)")
      }
      for task in waiting { #expect(try await task.value.status == 226) }
    }
  }
}
