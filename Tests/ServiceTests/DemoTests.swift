import HomePayload
import Testing

@testable import Serving
@testable import Service

/// A page in the browser, beside the console.
@Suite struct DemoTests {
  @Test func `the demo is off unless it is set, and so are polls on the admin listener`() async throws {
    #expect(!AdminSettings().servesDemo)
    try await withServer { server in
      for path in ["/demo/", "/demo", "/demo/demo.js", "/v1/home", "/console/demo/index.html"] {
        let reply = try await Reply(port: server.server.adminPort, "GET", path, [:], nil)
        #expect(reply.status == 404, "\(path)")
      }
      let client = try await Reply(port: server.server.adminPort, "GET", "/console/client/index.js", [:], nil)
      #expect(client.status == 200)
    }
  }

  @Test func `the demo's page and what it polls are answered by one origin`() async throws {
    let change: (inout ServerSettings) -> Void = {
      $0.admin.servesDemo = true
      $0.polls.clientKey = "key"
    }
    try await withServer([Demo.long], settings: change) { server in
      let port = server.server.adminPort
      let short = try exchange("GET /demo HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", port: port)
      #expect(short.status == 308)
      #expect(short.text.contains("Location: /demo/\r\n"))
      for path in ["/demo/", "/demo/demo.js", "/demo/demo.css"] {
        let reply = try await Reply(port: port, "GET", path, [:], nil)
        #expect(reply.status == 200, "\(path)")
        #expect(reply["Content-Security-Policy"] != nil)
      }
      let old = try Page(bytes: Array(try await Reply(port: port, "GET", "/v1/home", [:], nil).body))
      let posted = try await Reply(port: port, "POST", "/v1/home", [:], "{}")
      #expect(posted.status == 405)
      let nowhere = try await Reply(port: port, "GET", "/v1/pages/nowhere", [:], nil)
      #expect(nowhere.code == "unknown-page")
      let holding = ["If-None-Match": "W/\"\(old.version)\"", "A-IM": "hearth-changes", "Prefer": "wait=20"]
      async let answer = Reply(port: port, "GET", "/v1/home", holding, nil)
      // Whether it is parked already or comes after the publish, it gets the changes.
      let moved = try await server.admin(
        "POST", "/pages/home/sections/\(old.sections[1].id)/move", #"{"first": true}"#, ["If-Match": "*"])
      #expect(moved.status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", nil, ["If-Match": "*"]).status == 200)
      let changed = try await answer
      #expect(changed.status == 226)
      #expect(try old.applying(ChangeSet(bytes: Array(changed.body))).sections.first?.id == old.sections[1].id)
    }
  }

  @Test func `the demo answers the hosts of the admin listener alone`() async throws {
    try await withServer(settings: { $0.admin.servesDemo = true }) { server in
      for path in ["/demo/", "/v1/home"] {
        let request = "GET \(path) HTTP/1.1\r\nHost: rebound.example\r\nConnection: close\r\n\r\n"
        let answer = try exchange(request, port: server.server.adminPort)
        #expect(answer.status == 421, "\(path)")
      }
    }
  }
}
