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
  private static func codes(_ document: JSON) -> [String: Set<Int>] {
    var codes: [String: Set<Int>] = [:]
    for response in document["components"]?["responses"]?.object ?? JSONObject() {
      let schema = response.value["content"]?["application/problem+json"]?["schema"]
      let members = schema?["allOf"]?.array?.last?["properties"]
      guard let status = members?["status"]?["const"]?.int else { continue }
      for code in members?["code"]?["enum"]?.array ?? [] { codes[code.string ?? "", default: []].insert(status) }
    }
    return codes
  }

  @Test func `every route is in the document with its method and role, and the reverse`() async throws {
    try await withServer { server in
      let document = try await server.admin("GET", "/openapi.json", nil, ["Authorization": ""]).json
      let operations = Self.operations(document)
      let routes = server.server.api.routes
      #expect(routes.count == operations.count)
      for route in routes {
        let name = "\(route.method) \(route.pattern.joined(separator: "/"))"
        #expect(operations[name]?["x-hearth-role"]?.string == route.role.rawValue, "\(name)")
        let takesKey = operations[name]?["parameters"]?.array?.contains {
          $0["$ref"]?.string == "#/components/parameters/IdempotencyKey"
        }
        #expect(takesKey ?? false == route.isChange, "\(name)")
      }
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

  @Test func `the document has the query parameters of every route, and no others`() async throws {
    try await withServer { server in
      let document = try await server.admin("GET", "/openapi.json").json
      let parameters = document["components"]?["parameters"]
      let operations = Self.operations(document)
      for route in server.server.api.routes {
        let name = "\(route.method) \(route.pattern.joined(separator: "/"))"
        var described = Set<String>()
        for reference in operations[name]?["parameters"]?.array ?? [] {
          let parameter = parameters?[reference["$ref"]?.string?.split(separator: "/").last.map(String.init) ?? ""]
          if parameter?["in"] == "query" { described.insert(parameter?["name"]?.string ?? "") }
        }
        let client: Set<String> = ["locale", "platform", "appVersion", "bucket"]
        #expect(described == (route.takesClient ? route.query.union(client) : route.query), "\(name)")
      }
    }
  }

  @Test func `whatever can be read has an entity tag and heeds conditions, the document says`() async throws {
    try await withServer { server in
      let document = try await server.admin("GET", "/openapi.json").json
      for path in document["paths"]?.object ?? JSONObject() where path.name.hasPrefix("/admin/v1/") {
        guard let responses = path.value["get"]?["responses"] else { continue }
        #expect(responses["200"]?["headers"]?["ETag"] != nil, "\(path.name)")
        #expect(responses["304"] != nil && responses["412"] != nil, "\(path.name)")
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
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("docs/errors.md"), encoding: .utf8)
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

  @Test func `the document lists the codes of all sentences with the names of their values`() async throws {
    try await withServer { server in
      let schema = try await server.admin("GET", "/openapi.json").json["components"]?["schemas"]?["SentenceCode"]
      let listed = schema?["enum"]?.array?.compactMap(\.string)
      #expect(listed == Sentence.Code.allCases.map(\.rawValue))
      #expect(schema?["x-values"]?.object?.count == listed?.count)
      for code in Sentence.Code.allCases {
        let names = schema?["x-values"]?[code.rawValue]?.array?.compactMap(\.string)
        #expect(names == code.valueNames, "\(code.rawValue)")
      }
    }
  }

  @Test func `the document lists the names of the values of problems`() async throws {
    try await withServer { server in
      let schema = try await server.admin("GET", "/openapi.json").json["components"]?["schemas"]?["ProblemCode"]
      let listed = schema?["x-values"]?.object?.members.map { ($0.name, $0.value.array?.compactMap(\.string) ?? []) }
      #expect(Dictionary(uniqueKeysWithValues: listed ?? []) == Problem.valueNames)
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
