import Foundation
import JSON
import Service
import Testing

/// Whatever is sent, the answer is a documented one, and nothing that was taken becomes unreadable.
@Suite struct HostileRequestTests {
  private static let force = ["If-Match": "*"]
  private static let item = "/pages/home/sections/top/items/scan"

  /// An item whose action tracks something nested.
  private static func nested(_ levels: Int) -> String {
    let value = String(repeating: #"{"a":"#, count: levels - 1) + "{}" + String(repeating: "}", count: levels - 1)
    return #"""
      {"kind": "navigation", "content": {"title": "T"}, "action": {"handler": "h", "attributes": \#(value)}}
      """#
  }

  @Test func `what is nested as deep as it may be is published, read back and imported again`() async throws {
    try await withServer { server in
      #expect(try await server.admin("PUT", Self.item, Self.nested(24)).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      for path in ["/pages/home/revisions/2", "/pages/home/preview", "/pages/home/draft", "/pages/home/changes?from=1"]
      {
        #expect(try await server.admin("GET", path).status == 200, "\(path)")
      }
      let document = try await server.admin("GET", "/export")
      let again = try await server.admin("POST", "/import", document.text)
      #expect(again.status == 200, "\(again.text)")
      #expect(again.json["unchanged"] == ["home"])
    }
  }

  @Test func `what is nested deeper is refused at its place`() async throws {
    try await withServer { server in
      let reply = try await server.admin("PUT", Self.item, Self.nested(25))
      #expect(reply.status == 422)
      #expect(reply.json["errors"]?.array?.first?["pointer"] == "/action/attributes")
      let far = try await server.admin("PUT", Self.item, Self.nested(100))
      #expect(far.status == 400)
      #expect(far.code == "invalid-json")
    }
  }

  @Test(arguments: ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59", "2026-02-30T00:00:00Z"])
  func `a schedule that could not be written again is refused`(time: String) async throws {
    try await withServer { server in
      let body = #"{"kind": "navigation", "content": {"title": "T"}, "schedule": {"from": "\#(time)"}}"#
      let reply = try await server.admin("PUT", Self.item, body)
      #expect(reply.status == 422)
      #expect(reply.json["errors"]?.array?.first?["pointer"] == "/schedule/from")
    }
  }

  @Test(arguments: ["../zoneinfo/UTC", "/UTC", "UTC\\u0000", "Mars/Base", "", "Asia//Shanghai"])
  func `a zone is the name of one`(zone: String) async throws {
    try await withServer { server in
      let body = #"{"kind": "navigation", "content": {"title": "T"}, "schedule": {"zone": "\#(zone)"}}"#
      let reply = try await server.admin("PUT", Self.item, body)
      #expect(reply.status == 422, "\(reply.text)")
      #expect(reply.json["errors"]?.array?.first?["pointer"] == "/schedule/zone", "\(reply.text)")
    }
  }

  @Test func `a schedule that ends in the year 9999 flips no page before`() async throws {
    try await withServer { server in
      let body = #"""
        {"kind": "navigation", "content": {"title": "T"}, "schedule": {"until": "9999-12-31T23:59:59Z"}}
        """#
      #expect(try await server.admin("PUT", Self.item, body).status == 200)
      #expect(try await server.admin("POST", "/pages/home/publish", "{}", Self.force).status == 200)
      let poll = try await server.get("/v1/home")
      #expect(poll["Cache-Control"]?.contains("max-age=30") == true, "\(poll["Cache-Control"] ?? "")")
      #expect(try await server.get("/v1/home", ["If-None-Match": poll["ETag"] ?? ""]).status == 304)
    }
  }

  /// Bodies that are no JSON, or JSON that nothing takes.
  private static let malformed = [
    "", "{", "nul", "{\"a\": 1,}", "[1 2]", "{\"a\": 1, \"a\": 2}", "\"\\ud800\"", "{\"a\": 01}", "'a'", "\u{FEFF}{}",
    "1e99999", String(repeating: "[", count: 200_000), String(repeating: "9", count: 100), "{\"a\": \"\u{01}\"}",
  ]

  /// Every path that takes a body.
  private static let takers = [
    ("PUT", "/pages/home"), ("PUT", "/pages/home/sections/top"), ("PUT", "/pages/home/sections/top/content"),
    ("PUT", item), ("PUT", "/pages/home/order"), ("PUT", "/pages/home/sort-rules/spring"), ("PUT", "/audiences/vip"),
    ("POST", "/pages/home/duplicate"), ("POST", "/pages/home/sections/top/move"),
    ("POST", "/pages/home/sections/top/duplicate"),
    ("POST", "/pages/home/rollback"), ("POST", "/pages/home/scheduled"), ("POST", "/tokens"), ("POST", "/import"),
  ]

  @Test(arguments: takers) func `a body that is no strict JSON is a 400`(method: String, path: String) async throws {
    try await withServer { server in
      for body in Self.malformed {
        let reply = try await server.admin(method, path, body, Self.force)
        #expect(reply.status == 400, "\(body.prefix(40)): \(reply.text)")
        #expect(reply.code == "invalid-json")
      }
    }
  }

  @Test(arguments: takers) func `a body of another shape is a 422`(method: String, path: String) async throws {
    try await withServer { server in
      for body in ["null", "true", "5", "-1e400", "[]", "[null]", #"{"unknown": 1}"#, #"{"\u0000": {"a": []}}"#] {
        let reply = try await server.admin(method, path, body, Self.force)
        #expect(reply.status == 422, "\(body): \(reply.text)")
        #expect(reply.json["errors"]?.array?.isEmpty == false, "\(body): \(reply.text)")
      }
    }
  }

  @Test(arguments: takers) func `a body of another media type is a 415`(method: String, path: String) async throws {
    try await withServer { server in
      let fields = ["If-Match": "*", "Content-Type": "text/plain"]
      let reply = try await server.admin(method, path, "{}", fields)
      #expect(reply.status == 415)
      #expect(reply["Accept"]?.hasPrefix("application/json") == true)
    }
  }

  @Test func `a message keeps every character, and NUL is refused`() async throws {
    try await withServer { server in
      let cut = try await server.admin("POST", "/pages/home/publish", #"{"message": "a\u0000b"}"#, Self.force)
      #expect(cut.status == 422)
      #expect(cut.json["errors"]?.array?.first?["pointer"] == "/message")
      let body = #"{"message": "a\u0001b\ud83d\ude00\"'; DROP TABLE pages; --"}"#
      #expect(try await server.admin("POST", "/pages/home/publish", body, Self.force).status == 200)
      let revision = try await server.admin("GET", "/pages/home/revisions/2")
      #expect(revision.json["message"]?.string == "a\u{1}b😀\"'; DROP TABLE pages; --")
    }
  }

  @Test(arguments: [
    ("a", 400), ("", 400), ("\"a", 400), ("W/\"1\"", 412), ("\"a,b\"", 412), ("*", 200), ("\"x\", W/\"y\"", 412),
    ("*, \"a\"", 400),
  ])
  func `If-Match is a list of tags or a star`(field: String, status: Int) async throws {
    try await withServer { server in
      // An empty field does not pass the client; a comma is an empty list too.
      let fields = ["If-Match": field.isEmpty ? "," : field]
      let order = #"{"sections": ["bottom", "middle", "top"]}"#
      let reply = try await server.admin("PUT", "/pages/home/order", order, fields)
      #expect(reply.status == status, "\(reply.text)")
    }
  }

  @Test(arguments: [";", "", "wait", "wait=", "wait=x", "wait=-1", "wait=99999999999999999999", ",;,", "=;="])
  func `a preference that is none is ignored`(preference: String) async throws {
    try await withServer { server in
      let tag = try #require(try await server.admin("GET", "/pages/home/draft")["ETag"])
      let fields = ["If-None-Match": tag, "Prefer": preference]
      #expect(try await server.admin("GET", "/pages/home/draft", nil, fields).status == 304)
    }
  }

  /// The status that curl gets, which sends a path as it is.
  private static func status(_ port: UInt16, _ path: String, _ method: String) throws -> String {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "curl", "-sS", "--max-time", "20", "--path-as-is", "-o", "/dev/null", "-w", "%{http_code}", "-X", method,
      "http://127.0.0.1:\(port)\(path)",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return text
  }

  @Test func `a path that cannot be decoded is a 400 on both listeners`() async throws {
    try await withServer { server in
      for path in ["/%", "/v1/%zz", "/v1/pages/%4", "/admin/v1/pages/%zz", "/console/%g0"] {
        for method in ["GET", "POST", "OPTIONS"] {
          let polled = try Self.status(server.server.publicPort, path, method)
          let administered = try Self.status(server.server.adminPort, path, method)
          #expect(polled == "400", "\(method) \(path)")
          #expect(administered == "400", "\(method) \(path)")
        }
      }
    }
  }

  @Test func `a GET is a 304 for who holds what is there`() async throws {
    try await withServer { server in
      for path in ["/pages/home", "/pages/home/draft", "/pages/home/sections/top/content", "/pages/home/order"] {
        let tag = try #require(try await server.admin("GET", path)["ETag"])
        let known = try await server.admin("GET", path, nil, ["If-None-Match": "\"x\", W/\(tag)"])
        #expect(known.status == 304, "\(path)")
        #expect(known["ETag"] == tag)
        #expect(try await server.admin("GET", path, nil, ["If-None-Match": "\"x\""]).status == 200)
      }
    }
  }
}
