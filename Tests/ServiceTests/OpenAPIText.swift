import Foundation
import HTTPServer
import JSON
import Layout
import Storage

@testable import Serving
@testable import Service

/// The text of docs/openapi.yaml: what the `.yaml` files beside the code say, with all that follows from the routes.
struct OpenAPIText {
  /// A file beside the code: a part of the document, which leaves out what follows.
  private struct Part {
    var text: String
    var members: Outline
    /// The operations by their paths.
    var paths: Outline
    /// Schemas, parameters and the like.
    var components: Outline

    init(_ file: URL) throws {
      text = try String(contentsOf: file, encoding: .utf8)
      var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      if lines.last?.isEmpty == true { lines.removeLast() }
      members = Outline(lines, depth: 0)
      paths = members["paths"]?.members(at: 2) ?? Outline()
      components = members["components"]?.members(at: 2) ?? Outline()
    }

    /// The names of the parameters that it describes, by what and where they are: `name: limit` and `in: query`.
    func parameters(_ name: String, in place: String) -> [String] {
      (components["parameters"]?.members(at: 4).members ?? []).filter { parameter in
        let words = parameter.lines.joined(separator: " ").split { " {},".contains($0) }
        func says(_ key: Substring, _ value: String) -> Bool {
          words.firstIndex(of: key).map { $0 + 1 < words.count && words[$0 + 1] == value } ?? false
        }
        return says("name:", name) && says("in:", place)
      }.map(\.key)
    }
  }

  /// What cannot be put together.
  struct Gap: Error, CustomStringConvertible {
    var description: String
  }

  private let routes: [Route]
  private let parts: [Part]
  /// The part beside ``OpenAPIDocument``, which has what several others use.
  private let root: Part

  /// - Parameter folder: The one of all sources.
  init(of routes: [Route], in folder: URL) throws {
    self.routes = routes
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)?.compactMap { $0 as? URL }
    parts = try (files ?? []).filter { $0.pathExtension == "yaml" }.sorted { $0.path < $1.path }.map(Part.init)
    guard let root = parts.first(where: { $0.members["openapi"] != nil }) else { throw Gap(description: "no head") }
    self.root = root
  }

  /// All of it.
  func text() throws -> String {
    let head = root.members.members.filter { !["paths", "components"].contains($0.key) }.flatMap(\.lines)
    let lines = [Self.notice] + head + ["paths:"] + (try paths()) + ["components:"] + (try components())
    return lines.joined(separator: "\n") + "\n"
  }

  private static let notice =
    "# What the two listeners answer, exactly. A test makes it of the routes and of the .yaml files beside the code."

  // MARK: - Operations

  /// The paths in the order of their routes, then those that no route has.
  private func paths() throws -> [String] {
    var described = Dictionary(
      parts.flatMap { part in part.paths.members.map { ($0.key, (text: $0, part: part)) } },
      uniquingKeysWith: { first, _ in first })
    let others = parts.flatMap(\.paths.members).map(\.key)
    guard described.count == others.count else { throw Gap(description: "two parts describe one path") }
    return try (routes.map(\.path) + others).flatMap { path in
      guard let (text, part) = described.removeValue(forKey: path) else { return [String]() }
      return try [text.lines[0]]
        + text.members(at: 4).members.flatMap { member in
          let route = routes.first { $0.path == path && $0.method == member.key.uppercased() }
          return member.key == "servers" ? member.lines : try operation(member, at: path, of: route, in: part)
        }
    }
  }

  private func operation(
    _ text: Outline.Member, at path: String, of route: Route?, in part: Part
  ) throws -> [String] {
    let members = text.members(at: 6)
    let words = members.members.filter { !["parameters", "responses"].contains($0.key) }
    let role = route.map { ["      x-hearth-role: \($0.role.rawValue)"] } ?? []
    let stated = members["parameters"]?.lines.dropFirst().map { $0 } ?? []
    let parameters = try route.map { try self.parameters(of: $0, beside: stated, in: part) } ?? stated
    return [text.lines[0]] + words.flatMap(\.lines) + role
      + (parameters.isEmpty ? [] : ["      parameters:"] + parameters)
      + Self.body(route?.body)
      + ["      responses:"] + answers(of: members, at: path, of: route)
  }

  private static func body(_ body: RequestBody?) -> [String] {
    guard let body else { return [] }
    let schema = body.schema.map { "{$ref: \"#/components/schemas/\($0)\"}" } ?? "{}"
    let content = body.mediaTypes.map { "\($0): {schema: \(schema)}" }.joined(separator: ", ")
    return ["      requestBody: {required: \(body.isRequired), content: {\(content)}}"]
  }

  /// The parameters of a route's operation: those of path and query, what it states, conditions and key.
  private func parameters(of route: Route, beside stated: [String], in part: Part) throws -> [String] {
    var stated = stated.compactMap { $0.split(separator: "/").last?.dropLast(2) }.map(String.init)
    func described(_ name: String, in place: String) throws -> String {
      let all = root.parameters(name, in: place)
      if let index = stated.firstIndex(where: all.contains) { return stated.remove(at: index) }
      let own = part.parameters(name, in: place)
      let found = own.isEmpty ? all : own
      guard found.count == 1 else {
        throw Gap(description: "\(route.name): the parameter \(name) is described \(found.count) times")
      }
      return found[0]
    }
    let path = try route.variables.map { try described($0.rawValue, in: "path") }
    let client = route.takesClient ? ["locale", "platform", "appVersion", "bucket"] : []
    let query = try (route.query + client).map { try described($0, in: "query") }
    let condition: [String] =
      switch route.condition {
      case nil: route.method == "GET" ? ["IfNoneMatch", "IfMatchRead"] : []
      case .never?: ["IfMatchOptional"]
      case .whenPresent?: ["IfMatchForChange"]
      case .always?: ["IfMatch"]
      case .unlessDryRun?: ["IfMatchOfDryRun"]
      }
    let makes = route.condition != nil && route.method == "PUT" ? ["IfNoneMatchForChange"] : []
    return (path + query + stated + condition + makes + (route.isChange ? ["IdempotencyKey"] : [])).map {
      "        - {$ref: \"#/components/parameters/\($0)\"}"
    }
  }

  /// What an operation states, and what others of its kind answer too.
  private func answers(of operation: Outline, at path: String, of route: Route?) -> [String] {
    let stated = operation["responses"]?.members(at: 8).members ?? []
    var answers = Dictionary(uniqueKeysWithValues: stated.map { ($0.key, $0.lines) })
    if let route { answers = answers.mapValues { Self.headers(of: route, in: $0) } }
    let isForApps = path.hasPrefix("/v1/")
    let isKeyed = operation["security"]?.lines.contains { $0.contains("clientKey") } ?? false
    let usual =
      Self.usual + (isForApps ? Self.usualForApps : Self.usualForOperators) + (isKeyed ? Self.usualOfKeys : [])
      + (route?.usual ?? [])
    for (status, name) in usual where answers[status] == nil {
      answers[status] = ["        \"\(status)\": {$ref: \"#/components/responses/\(name)\"}"]
    }
    return answers.sorted { $0.key < $1.key }.flatMap(\.value)
  }

  /// What the engine may answer to any request.
  private static let usual = [
    ("400", "BadRequest"), ("405", "MethodNotAllowed"), ("408", "RequestTimeout"), ("413", "ContentTooLarge"),
    ("414", "URITooLong"), ("415", "UnsupportedMediaType"), ("417", "ExpectationFailed"), ("431", "HeadTooLarge"),
    ("501", "NotImplemented"), ("503", "ServiceUnavailable"), ("505", "VersionNotSupported"),
  ]
  private static let usualForApps = [("404", "NotFound"), ("412", "PreconditionFailed")]
  private static let usualForOperators = [("421", "MisdirectedRequest")]
  private static let usualOfKeys = [("401", "Unauthenticated")]

  /// An answer with the header fields that every one of its kind has.
  private static func headers(of route: Route, in answer: [String]) -> [String] {
    let members = Outline(answer.dropFirst(), depth: 10)
    // One of those that several operations give.
    if members.members.isEmpty { return answer }
    var fields = members["headers"]?.lines.dropFirst().map { $0 } ?? []
    if route.method == "GET" { fields.insert("            ETag: {$ref: \"#/components/headers/ETag\"}", at: 0) }
    if route.isChange, route.keeps != .allButSecret {
      fields.append("            Idempotency-Replayed: {$ref: \"#/components/headers/Replayed\"}")
    }
    let line = fields.count == 1 ? ["          headers: {\(fields[0].drop { $0 == " " })}"] : []
    let headers = fields.count > 1 ? ["          headers:"] + fields : line
    let content = members.members.filter { !["description", "headers"].contains($0.key) }
    return [answer[0]] + (members["description"]?.lines ?? []) + headers + content.flatMap(\.lines)
  }

  // MARK: - Components

  private func components() throws -> [String] {
    try ["securitySchemes", "parameters", "headers", "responses", "schemas"].flatMap { kind in
      try ["  \(kind):"]
        + parts.flatMap { try ($0.components[kind]?.members(at: 4).members ?? []).flatMap { try component($0) } }
    }
  }

  private func component(_ text: Outline.Member) throws -> [String] {
    switch text.key {
    case "SentenceCode":
      let codes = Sentence.Code.allCases
      return text.lines + Self.codes(codes.map(\.rawValue), codes.map { (key: $0.rawValue, value: $0.valueNames) })
    case "ProblemCode":
      // Nothing answers 500 by intent, so that no operation has it.
      let codes = try parts.filter { $0.components["responses"] != nil }.flatMap {
        try OpenAPITests.codes(YAMLDocument(Array($0.text.utf8)).json).keys
      }
      return text.lines + Self.codes(Set(codes + ["internal"]).sorted(), Problem.valueNames.sorted { $0.key < $1.key })
    default: return text.lines
    }
  }

  /// Codes, with the names of the values that come with them.
  private static func codes(_ codes: [String], _ values: [(key: String, value: [String])]) -> [String] {
    func quoted(_ text: String) -> String { text == "false" || text.hasSuffix("?") ? "\"\(text)\"" : text }
    return ["      enum:"] + codes.map { "        - \(quoted($0))" } + ["      x-values:"]
      + values.map { "        \(quoted($0.key)): [\($0.value.map(quoted).joined(separator: ", "))]" }
  }
}

/// Lines of YAML by the keys at one depth.
struct Outline {
  struct Member {
    var key: String
    /// The line with the key, and those below it.
    var lines: [String]

    func members(at depth: Int) -> Outline { Outline(lines.dropFirst(), depth: depth) }
  }

  var members: [Member] = []

  init() {}

  init(_ lines: some Sequence<some StringProtocol>, depth: Int) {
    for line in lines {
      let text = line.drop { $0 == " " }
      if line.count - text.count == depth, let first = text.first, first != "#" {
        members.append(Member(key: String(text.prefix { $0 != ":" }).replacing("\"", with: ""), lines: [String(line)]))
      } else if !members.isEmpty {
        members[members.count - 1].lines.append(String(line))
      }
    }
  }

  subscript(key: String) -> Member? { members.first { $0.key == key } }
}

extension Route {
  /// The path and its method, as `PUT pages/{page}`.
  var name: String { "\(method) \(pattern.joined(separator: "/"))" }
  fileprivate var path: String { "/admin/v1/\(pattern.joined(separator: "/"))" }
  fileprivate var variables: [PathParameter] {
    pattern.filter { $0.hasPrefix("{") }.compactMap { PathParameter(rawValue: String($0.dropFirst().dropLast())) }
  }

  /// What all routes of its kind may answer.
  fileprivate var usual: [(status: String, name: String)] {
    var usual = [("401", "Unauthenticated"), ("429", "TooManyRequests")]
    if method == "GET" {
      usual += [("304", "NotModified"), ("406", "NotAcceptable"), ("412", "PreconditionFailed")]
    }
    if role > .viewer || variables.contains(.page) || query.contains("page") { usual.append(("403", "Forbidden")) }
    if !variables.isEmpty { usual.append(("404", "NotFound")) }
    if isChange || variables.contains(where: \.isChosen) { usual.append(("422", "UnprocessableContent")) }
    if isChange { usual += [("409", "Conflict"), ("507", "InsufficientStorage")] }
    if let condition {
      usual.append(("412", "PreconditionFailed"))
      if condition != .never { usual.append(("428", "PreconditionRequired")) }
    }
    return usual
  }
}

extension PathParameter {
  /// Whether it is a name that somebody chose, so that a wrong one is no valid name rather than not found.
  fileprivate var isChosen: Bool {
    do { try check("%") } catch { return Problem(error)?.status.code == 422 }
    return false
  }
}
