import Foundation
import Service
import Testing

/// What the admin listener sends of the console: files for everyone, under a policy that runs nothing else.
@Suite struct ConsoleTests {
  private func reply(
    _ server: RunningServer, _ path: String, _ fields: [String: String] = [:], method: String = "GET"
  ) async throws -> Reply {
    try await Reply(port: server.server.adminPort, method, path, fields, nil)
  }

  @Test func `the console's page forbids inline code, frames and guessing of types`() async throws {
    try await withServer { server in
      let page = try await reply(server, "/console/")
      #expect(page.status == 200)
      let policy = page["Content-Security-Policy"] ?? ""
      for part in ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"] {
        #expect(policy.contains(part))
      }
      #expect(!policy.contains("unsafe"))
      #expect(page["X-Content-Type-Options"] == "nosniff")
      #expect(page["Referrer-Policy"] == "no-referrer")
    }
  }

  @Test func `an unchanged file is not sent again`() async throws {
    try await withServer { server in
      let first = try await reply(server, "/console/main.js")
      let tag = try #require(first["ETag"])
      let unchanged = try await reply(server, "/console/main.js", ["If-None-Match": tag])
      #expect(unchanged.status == 304)
      let changed = try await reply(server, "/console/main.js", ["If-None-Match": "\"other\""])
      #expect(changed.status == 200)
    }
  }

  @Test(arguments: [
    ("gzip, deflate, br", "br"), ("gzip", "gzip"), ("br;q=0.5, gzip", "gzip"), ("br;q=0, gzip;q=0", nil),
  ])
  func `a file comes in the coding that the browser prefers, under one tag`(accepted: String, coding: String?)
    async throws
  {
    try await withServer { server in
      let plain = try await reply(server, "/console/bundle.css")
      let coded = try await reply(server, "/console/bundle.css", ["Accept-Encoding": accepted])
      #expect(coded.status == 200)
      #expect(coded["Content-Encoding"] == coding)
      #expect(coded["ETag"] == plain["ETag"])
      #expect(coded["Vary"] == "Accept-Encoding")
      // The client has decoded it.
      #expect(coded.body == plain.body)
    }
  }

  @Test(arguments: [
    ("GET", "/console/../../etc/passwd", 404), ("GET", "/console/%2e%2e/hearth.db", 404),
    ("GET", "/console/lib/", 404), ("GET", "/console/nowhere.js", 404), ("POST", "/console/", 405),
    ("HEAD", "/console/", 200),
  ])
  func `only the console's files are there, and only to be read`(
    method: String, path: String, status: Int
  ) async throws {
    try await withServer { server in
      let answer = try await reply(server, path, method: method)
      #expect(answer.status == status)
    }
  }
}
