import JSON
import Peers
import Testing

@testable import Service

/// Conditions on the admin listener, in the order of RFC 9110 §13.2.2.
@Suite struct AdminConditionTests {
  private static let reads: [(String?, String?, Int)] = [
    (#"If-Match: "nope""#, nil, 412), ("If-Match: *", nil, 200), ("If-Match: TAG", nil, 200),
    (#"If-Match: "x", TAG"#, nil, 200), ("If-Match: W/TAG", nil, 412), ("If-Match: nope", nil, 412),
    (#"If-Match: "nope""#, "If-None-Match: TAG", 412), ("If-Match: TAG", "If-None-Match: TAG", 304),
    ("If-Match: TAG", #"If-None-Match: "x""#, 200), (nil, "If-None-Match: *", 304), (nil, "If-None-Match: W/TAG", 304),
    (nil, #"If-None-Match: , "x" ,TAG"#, 304), (nil, #"If-None-Match: "x""#, 200), (nil, nil, 200),
  ]

  @Test func `a GET and a HEAD heed If-Match, then If-None-Match`() async throws {
    try await withServer { server in
      for (match, noneMatch, status) in Self.reads {
        for path in ["/pages/home", "/pages/home/draft", "/pages/home/sections/top/content", "/pages/home/order"] {
          let tag = try #require(try await server.admin("GET", path)["ETag"])
          var fields: [String: String] = [:]
          for line in [match, noneMatch].compactMap({ $0?.replacing("TAG", with: tag) }) {
            let parts = line.split(separator: ": ", maxSplits: 1)
            fields[String(parts[0])] = String(parts[1])
          }
          for method in ["GET", "HEAD"] {
            let reply = try await server.admin(method, path, nil, fields)
            #expect(reply.status == status, "\(method) \(path) \(fields)")
            #expect(reply["ETag"] == tag)
            if status == 412, method == "GET" { #expect(reply.code == "precondition-failed") }
          }
        }
      }
    }
  }

  @Test func `a draft that is not the one of If-Match is not waited for`() async throws {
    try await withServer { server in
      let tag = try #require(try await server.admin("GET", "/pages/home/draft")["ETag"])
      let fields = ["If-Match": "\"nope\"", "If-None-Match": tag, "Prefer": "wait=60"]
      #expect(try await server.admin("GET", "/pages/home/draft", nil, fields).status == 412)
    }
  }

  @Test func `a console's file has conditions as well`() async throws {
    try await withServer { server in
      let port = server.server.adminPort
      let file = try await Reply(port: port, "GET", "/console/main.js", [:], nil)
      let tag = try #require(file["ETag"])
      let known = try await Reply(port: port, "GET", "/console/main.js", ["If-None-Match": tag], nil)
      #expect(known.status == 304)
      for name in ["ETag", "Vary", "Cache-Control", "Content-Security-Policy"] { #expect(known[name] == file[name]) }
      let failed = try await Reply(port: port, "GET", "/console/main.js", ["If-Match": tag], nil)
      #expect(failed.status == 412)
    }
  }

  private static let put = #"{"kind": "broadcast"}"#
  private static let item = #"{"kind": "navigation", "content": {"title": "T"}}"#

  private static let changes: [([String: String], Int)] = [
    (["If-Match": "*", "If-None-Match": "*"], 412), (["If-Match": "TAG", "If-None-Match": "*"], 412),
    (["If-Match": "TAG", "If-None-Match": "TAG"], 412), (["If-Match": "TAG", "If-None-Match": "\"x\""], 200),
    (["If-Match": "\"x\"", "If-None-Match": "\"y\""], 412), (["If-None-Match": "TAG"], 412),
    (["If-None-Match": "W/TAG"], 412), (["If-None-Match": "\"x\", TAG"], 412), (["If-None-Match": "\"x\""], 200),
    (["If-None-Match": "*"], 412), (["If-None-Match": "x"], 400), (["If-Match": "TAG"], 200), ([:], 428),
  ]

  @Test func `a change of what is there heeds both conditions`() async throws {
    let bodies = [
      ("/pages/home", #"{"title": "Home", "defaultLocale": "zh-Hans", "locales": ["zh-Hans", "en"]}"#),
      ("/pages/home/sections/bottom", Self.put), ("/pages/home/sections/top/content", #"{"items": []}"#),
      ("/pages/home/sections/middle/items/a", Self.item),
    ]
    try await withServer { server in
      for (conditions, status) in Self.changes {
        for (path, body) in bodies {
          let tag = try #require(try await server.admin("GET", path)["ETag"])
          let fields = conditions.mapValues { $0.replacing("TAG", with: tag) }
          let reply = try await server.admin("PUT", path, body, fields)
          // Content and items need no condition.
          let isOptional = path.contains("/content") || path.contains("/items/")
          #expect(reply.status == (status == 428 && isOptional ? 200 : status), "\(path) \(fields): \(reply.text)")
          if status == 412 { #expect(try await server.admin("GET", path)["ETag"] == tag) }
        }
      }
    }
  }

  @Test func `every change heeds the conditions that its route takes`() async throws {
    try await withServer { server in
      for (number, one) in ChangingRequest.all.enumerated() {
        guard let need = server.server.api.routes.first(where: { $0.name == one.route })?.condition else { continue }
        let path = try await one.prepare(number, server)
        let failed = try await one.send(to: path, number, server, ["If-Match": "\"x\""])
        #expect(failed.status == 412, "\(one.route): \(failed.text)")
        guard need == .always || need == .unlessDryRun else { continue }
        let body = one.body?.replacing("#", with: "\(number)")
        let missing = try await server.admin(one.method, path.replacing("#", with: "\(number)"), body)
        #expect(missing.status == 428, "\(one.route): \(missing.text)")
      }
    }
  }

  @Test func `every change takes the body that its route tells`() async throws {
    try await withServer { server in
      for (number, one) in ChangingRequest.all.enumerated() where !(one.isOfSQLite && TestEngine.isPostgreSQL) {
        let route = try #require(server.server.api.routes.first { $0.name == one.route })
        #expect((route.body == nil) == (one.body == nil && one.bytes == nil), "\(one.route)")
        guard let body = route.body else { continue }
        let path = try await one.prepare(number, server)
        let other = try await one.send(to: path, number, server, ["Content-Type": "text/plain"])
        #expect(other.status == 415, "\(one.route): \(other.text)")
        #expect(other["Accept"] == body.mediaTypes.joined(separator: ", "), "\(one.route)")
        var empty = one
        (empty.body, empty.bytes) = (nil, nil)
        empty.fields["Content-Type"] = body.mediaTypes.first
        let none = try await empty.send(to: path, number, server)
        let isTaken = (200..<300).contains(none.status)
        #expect(isTaken == !body.isRequired, "\(one.route): \(none.text)")
      }
    }
  }

  @Test(arguments: ["*", "\"x\"", "W/\"x\", \"1\""])
  func `what is not there has no tag that If-None-Match names`(_ list: String) async throws {
    try await withServer { server in
      for (path, body) in [
        ("/pages/other", #"{"title": "Other", "defaultLocale": "en", "locales": ["en"]}"#),
        ("/pages/home/sections/new", Self.put), ("/pages/home/sections/middle/items/new", Self.item),
        ("/audiences/beginners", #"{"attribute": "bucket", "below": 5}"#),
      ] {
        let reply = try await server.admin("PUT", path, body, ["If-None-Match": list])
        #expect(reply.status == 201, "\(path): \(reply.text)")
      }
    }
  }

  private static let revisions: [String] = ["+1", "01", "1.0", "0", "-1", "%2B1"]

  @Test func `a revision has one address`() async throws {
    try await withServer { server in
      for number in Self.revisions {
        #expect(try await server.admin("GET", "/pages/home/revisions/1").status == 200)
        let revision = "/pages/home/revisions/" + number
        for (method, path) in [
          ("GET", revision), ("PUT", revision + "/pin"), ("DELETE", "/pages/home/scheduled/" + number),
        ] {
          let reply = try await server.admin(method, path)
          #expect(reply.status == 404, "\(method) \(path)")
        }
      }
    }
  }

  private static let formats: [(String, String?)] = [
    ("application/yaml", "application/yaml"), ("text/yaml", "application/yaml"),
    ("APPLICATION/YAML", "application/yaml"),
    ("application/json", "application/json"), ("*/*", "application/json"), ("application/*", "application/json"),
    ("application/yaml;q=0, application/json", "application/json"), ("application/yaml;q=0", "application/json"),
    ("application/yaml, application/json", "application/json"),
    ("application/json;q=0.5, application/yaml;q=0.6", "application/yaml"),
    ("application/json;q=0.6, application/yaml;q=0.5", "application/json"),
    ("application/json;q=0", "application/yaml"), ("*/*;q=0.5, application/yaml", "application/yaml"),
    ("*/*;q=0, application/yaml;q=0.1", "application/yaml"), ("text/html", "application/json"),
    ("text/yamlish", "application/json"), ("*/*;q=0", nil), ("application/json;q=0, application/yaml;q=0", nil),
  ]

  @Test func `an export has the format that is preferred (RFC 9110 §12.5.1)`() async throws {
    try await withServer { server in
      for (accept, type) in Self.formats {
        let reply = try await server.admin("GET", "/export", nil, ["Accept": accept])
        #expect(reply.status == (type == nil ? 406 : 200))
        #expect(reply["Content-Type"] == type ?? "application/problem+json")
        #expect(reply["Vary"] == "Accept")
      }
    }
  }

  private static let readOnly: [String] = [
    "/status", "/metrics", "/healthz", "/readyz", "/", "/console", "/console/", "/console/main.js",
  ]

  @Test func `what can only be read tells its methods`() async throws {
    try await withServer { server in
      for path in Self.readOnly {
        let port = server.server.adminPort
        let options = try await Reply(port: port, "OPTIONS", path, [:], nil)
        #expect(options.status == 204)
        #expect(options["Allow"] == "GET, HEAD, OPTIONS")
        let put = try await Reply(port: port, "PUT", path, [:], "x")
        #expect(put.status == 405)
        #expect(put["Allow"] == "GET, HEAD, OPTIONS")
      }
    }
  }

  private static let methods: [String] = ["GET", "HEAD", "OPTIONS", "POST", "DELETE"]

  @Test func `what is not there is not there for any method`() async throws {
    try await withServer { server in
      for method in Self.methods {
        for path in ["/console/nowhere.js", "/console/lib/", "/nowhere"] {
          let reply = try await Reply(port: server.server.adminPort, method, path, [:], nil)
          #expect(reply.status == 404, "\(path)")
        }
      }
    }
  }

  private static let codings: [(String, Int, String?)] = [
    ("identity;q=0, *;q=0", 406, nil), ("identity;q=0", 200, "gzip"), ("gzip, identity;q=0", 200, "gzip"),
    ("gzip;q=0", 200, nil), ("gzip", 200, "gzip"),
  ]

  @Test func `where all codings are forbidden nothing is read, and what changes is changed`() async throws {
    try await withServer { server in
      let forbidding = ["Accept-Encoding": "identity;q=0, *;q=0", "If-Match": "*"]
      for path in ["/pages", "/pages/home/draft", "/export", "/openapi.json"] {
        let reply = try await server.admin("GET", path, nil, forbidding)
        #expect(reply.status == 406, "\(path)")
      }
      let put = try await server.admin("PUT", "/pages/home/sections/bottom", Self.put, forbidding)
      #expect(put.status == 200)
    }
  }

  @Test func `a coding that is forbidden is not sent, by the console nor the polls`() async throws {
    try await withServer { server in
      for (accepted, status, coding) in Self.codings {
        let ports = [(server.server.adminPort, "/console/"), (server.server.publicPort, "/v1/home")]
        for (port, path) in ports + [(server.server.publicPort, "/v1/pages")] {
          let reply = try await Reply(port: port, "GET", path, ["Accept-Encoding": accepted], nil)
          #expect(reply.status == status, "\(path)")
          // The client decodes what is gzip, and leaves the field.
          if status == 200 { #expect(reply["Content-Encoding"] == coding, "\(path)") }
        }
      }
    }
  }

  @Test func `a long answer is gzip'd for who takes it, and its tag is good for a change all the same`() async throws {
    try await withServer { server in
      let plain = try await server.admin("GET", "/openapi.json", nil, ["Accept-Encoding": "identity"])
      let coded = try await server.admin("GET", "/openapi.json", nil, ["Accept-Encoding": "gzip"])
      #expect(plain["Content-Encoding"] == nil && coded["Content-Encoding"] == "gzip")
      #expect(coded.body == plain.body && coded["ETag"] == plain["ETag"])
      let short = try await server.admin("GET", "/whoami", nil, ["Accept-Encoding": "gzip"])
      #expect(short["Content-Encoding"] == nil)
      let fields = ["Accept-Encoding": "gzip"]
      let draft = try await server.admin("GET", "/pages/home/draft", nil, fields)
      let tag = try #require(draft["ETag"])
      let again = try await server.admin("GET", "/pages/home/draft", nil, fields.merging(["If-None-Match": tag]) { $1 })
      #expect(again.status == 304 && again["Content-Encoding"] == nil)
      let put = try await server.admin("PUT", "/pages/home/sections/bottom", Self.put, ["If-Match": tag])
      #expect(put.status == 200)
    }
  }
}
