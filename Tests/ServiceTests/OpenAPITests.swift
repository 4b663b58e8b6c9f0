import Foundation
import HTTPServer
import JSON
import Layout
import Storage
import Testing

@testable import Serving
@testable import Service

/// docs/openapi.yaml says what the server does, no more and no less.
@Suite struct OpenAPITests {
  /// The methods that OpenAPI has members for.
  private static let methods = ["get", "put", "post", "delete", "patch"]

  /// The operations of a document below `/admin/v1`, those that need no token left out: `PUT pages/{page}`.
  private static func operations(_ document: JSON) -> [String: JSON] {
    var operations: [String: JSON] = [:]
    for path in document["paths"]?.object ?? JSONObject() where path.name.hasPrefix("/admin/v1/") {
      for method in methods {
        guard let operation = path.value[method], operation["security"] == nil else { continue }
        operations["\(method.uppercased()) \(path.name.dropFirst("/admin/v1/".count))"] = operation
      }
    }
    return operations
  }

  /// Every problem code that some response of the document has, with its statuses.
  static func codes(_ document: JSON) -> [String: Set<Int>] {
    var codes: [String: Set<Int>] = [:]
    for response in document["components"]?["responses"]?.object ?? JSONObject() {
      let schema = response.value["content"]?["application/problem+json"]?["schema"]
      let members = schema?["allOf"]?.array?.last?["properties"]
      guard let status = members?["status"]?["const"]?.int else { continue }
      for code in members?["code"]?["enum"]?.array ?? [] { codes[code.string ?? "", default: []].insert(status) }
    }
    return codes
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  @Test func `docs-openapi is what the routes and the texts beside the code come to`() async throws {
    try await withServer { server in
      let routes = server.server.api.routes
      let text = try OpenAPIText(of: routes, in: Self.root.appendingPathComponent("Sources")).text()
      let roles = Self.operations(try YAMLDocument(text).json).mapValues { $0["x-hearth-role"]?.string }
      #expect(roles == Dictionary(uniqueKeysWithValues: routes.map { ($0.name, $0.role.rawValue) }))
      let file = Self.root.appendingPathComponent("docs/openapi.yaml")
      if ProcessInfo.processInfo.environment["WRITE_OPENAPI"] != nil {
        try text.write(to: file, atomically: true, encoding: .utf8)
      }
      let isUpToDate = try String(contentsOf: file, encoding: .utf8) == text
      #expect(isUpToDate, "write docs/openapi.yaml with WRITE_OPENAPI=1 swift test --filter OpenAPITests")
    }
  }

  @Test func `a path is of one pattern, whose methods are all that it takes`() async throws {
    try await withServer { server in
      let patterns = Set(server.server.api.routes.map(\.pattern))
      for route in server.server.api.routes {
        #expect(patterns.count { $0 == route.pattern || route.matches($0[...]) } == 1, "\(route.pattern)")
      }
    }
  }

  @Test func `every reference of the document leads somewhere, and every component is used`() async throws {
    try await withServer { server in
      let reply = try await server.admin("GET", "/openapi.json")
      let references = Set(
        reply.text.split(separator: "\"$ref\":\"#/components/").dropFirst().compactMap {
          $0.split(separator: "\"").first
        })
      var components = Set<Substring>()
      for kind in reply.json["components"]?.object ?? JSONObject() where kind.name != "securitySchemes" {
        for component in kind.value.object ?? JSONObject() { components.insert("\(kind.name)/\(component.name)") }
      }
      #expect(references == components)
    }
  }

  @Test func `the document is served as JSON and as YAML without a token, and both say the same`() async throws {
    try await withServer { server in
      let json = try await server.admin("GET", "/openapi.json", nil, ["Authorization": ""])
      let yaml = try await server.admin("GET", "/openapi.yaml", nil, ["Authorization": ""])
      #expect(json.status == 200)
      #expect(json["Content-Type"] == "application/json")
      #expect(yaml.status == 200)
      #expect(yaml["Content-Type"] == "application/yaml")
      #expect(json.json["openapi"]?.string == "3.1.0")
      #expect(try YAMLDocument(yaml.text).json == json.json)
      let put = try await server.admin("PUT", "/openapi.json", "{}")
      #expect(put.status == 405)
      #expect(put["Allow"] == "GET, HEAD, OPTIONS")
    }
  }

  @Test func `docs-errors lists the problem codes of the document with their statuses, and the reverse`() async throws {
    let text = try String(contentsOf: Self.root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
    var listed: [String: Set<Int>] = [:]
    for line in text.split(separator: "\n") where line.hasPrefix("| `") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard cells.count >= 2, let status = Int(cells[1]) else { continue }
      for code in cells[0].filter({ $0 != "`" }).split(separator: ", ") {
        listed[String(code), default: []].insert(status)
      }
    }
    try await withServer { server in
      let document = try await server.admin("GET", "/openapi.json").json
      var described = Self.codes(document)
      // Nothing answers 500 by intent, so that no operation has it.
      described["internal"] = [500]
      for code in Set(listed.keys).union(described.keys) { #expect(listed[code] == described[code], "\(code)") }
      let all = document["components"]?["schemas"]?["ProblemCode"]?["enum"]?.array?.compactMap(\.string) ?? []
      #expect(Set(all) == Set(listed.keys))
    }
  }

  @Test func `the state of a database is one that the document lists`() async throws {
    try await withServer { server in
      let status = try await server.admin("GET", "/openapi.json").json["components"]?["schemas"]?["Status"]
      let listed = status?["properties"]?["database"]?["enum"]?.array?.compactMap(\.string) ?? []
      #expect(Set(listed) == Set(["ok"] + StoreError.DatabaseFailure.allCases.map(\.rawValue)))
    }
  }

  @Test func `what the engine refuses by itself has its codes in the document`() async throws {
    try await withServer { server in
      let codes = Self.codes(try await server.admin("GET", "/openapi.json").json)
      for failure in RequestFailure.allCases {
        let problem = Problem(failure)
        #expect(codes[problem.code]?.contains(Int(problem.status.code)) == true, "\(problem.code)")
      }
    }
  }
}
