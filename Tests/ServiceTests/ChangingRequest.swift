import Foundation
import JSON
import Layout
import Testing

@testable import Service

/// A request that changes something, and what must be there before: of every changing route one at least.
struct ChangingRequest: Sendable {
  var route: String
  /// The path; `#` is the number of the try, in bodies too, where `@` is the address of its picture.
  var path: String
  var body: String?
  var fields: [String: String] = [:]
  /// Requests before it: a method, a path and a body each. What the last one answers at a member stands for `$` in the path.
  var before: [(String, String, String?)] = []
  var member: String?
  var bytes: (@Sendable (Int) -> [UInt8])?
  /// Whether the engine takes it; it is refused by the other.
  var isOfSQLite = false

  init(
    _ route: String, _ path: String, _ body: String? = nil, fields: [String: String] = [:],
    before: [(String, String, String?)] = [], member: String? = nil, bytes: (@Sendable (Int) -> [UInt8])? = nil,
    isOfSQLite: Bool = false
  ) {
    (self.route, self.path, self.body, self.fields, self.before) = (route, path, body, fields, before)
    (self.member, self.bytes, self.isOfSQLite) = (member, bytes, isOfSQLite)
  }

  /// Another one with the same path.
  var another: ChangingRequest {
    var other = self
    other.body = body == "picture" ? "{}" : (body ?? "") + " "
    if let bytes { other.bytes = { number in bytes(number) + [0] } }
    return other
  }

  /// Its method.
  var method: String { String(route.prefix { $0 != " " }) }

  private static let page = #"{"title": "P#", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30}"#
  private static let item = ##"{"kind": "navigation", "content": {"title": "T#"}}"##
  private static let items = ##"{"items": [{"id": "i#", "kind": "navigation", "content": {"title": "T#"}}]}"##
  private static let section = #"{"kind": "broadcast", "title": "S#"}"#
  static let audience = #"{"attribute": "memberTier", "atLeast": 1}"#
  private static let withheld = ##"{"audience": {"attribute": "platform", "in": ["ios"]}, "reason": "r#"}"##
  private static let webhook = ##"{"name": "n#", "url": "https://hook.example/", "pages": ["p#"]}"##
  private static let picture: @Sendable (Int) -> [UInt8] = { number in
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
      + [0, 0, 1, 0, 0, 0, 0, 9, 8, 6, 0, 0, 0] + Array("\(number)".utf8)
  }
  private static let other = AssetName(of: picture(-1), format: .png)
  private static let inHome = "pages/{page}/sections/{section}"
  private static let bottom = "/pages/home/sections/bottom"
  private static let fill = [("PUT", "\(bottom)/content", items as String?)]

  static let all: [ChangingRequest] = [
    ChangingRequest("PUT pages/{page}", "/pages/p#", page),
    ChangingRequest("DELETE pages/{page}", "/pages/p#", before: [("PUT", "/pages/p#", page)]),
    ChangingRequest(
      "DELETE pages/{page}", "/pages/p#",
      before: [
        ("PUT", "/pages/p#", page), ("PUT", "/pages/p#/sections/a", section), ("POST", "/pages/p#/publish", "{}"),
      ]),
    ChangingRequest("POST pages/{page}/duplicate", "/pages/home/duplicate", ##"{"id": "d#"}"##),
    ChangingRequest("PUT \(inHome)", "/pages/home/sections/s#", section),
    ChangingRequest("PUT \(inHome)", bottom, section),
    ChangingRequest(
      "DELETE \(inHome)", "/pages/home/sections/s#", before: [("PUT", "/pages/home/sections/s#", section)]),
    ChangingRequest("POST \(inHome)/hide", "\(bottom)/hide", before: [("POST", "\(bottom)/restore", "{}")]),
    ChangingRequest("POST \(inHome)/restore", "\(bottom)/restore", "{}", before: [("POST", "\(bottom)/hide", nil)]),
    ChangingRequest("POST \(inHome)/duplicate", "\(bottom)/duplicate", ##"{"id": "d#"}"##),
    ChangingRequest("PUT \(inHome)/content", "\(bottom)/content", items),
    ChangingRequest("PUT \(inHome)/content", "\(bottom)/content?publish=true", items),
    ChangingRequest("PUT \(inHome)/items/{item}", "\(bottom)/items/b", item),
    ChangingRequest("PUT \(inHome)/items/{item}", "\(bottom)/items/b?publish=true", item),
    ChangingRequest("DELETE \(inHome)/items/{item}", "\(bottom)/items/i#", before: fill),
    ChangingRequest("POST \(inHome)/items/{item}/hide", "\(bottom)/items/i#/hide", before: fill),
    ChangingRequest(
      "POST \(inHome)/items/{item}/hide", "\(bottom)/items/i#/hide?publish=true",
      before: [("PUT", "\(bottom)/content?publish=true", items)]),
    ChangingRequest(
      "POST \(inHome)/items/{item}/restore", "\(bottom)/items/i#/restore", "{}",
      before: fill + [("POST", "\(bottom)/items/i#/hide", nil)]),
    ChangingRequest(
      "POST \(inHome)/items/{item}/move", "\(bottom)/items/i#/move", #"{"last": true}"#,
      before: fill + [("PUT", "\(bottom)/items/j#", item)]),
    ChangingRequest(
      "DELETE \(inHome)/items/{item}", "\(bottom)/items/i#?publish=true",
      before: [("PUT", "\(bottom)/content?publish=true", items)]),
    ChangingRequest(
      "PUT pages/{page}/order", "/pages/home/order", #"{"sections": ["middle", "top", "bottom"]}"#,
      before: [("PUT", "/pages/home/order", #"{"sections": ["top", "middle", "bottom"]}"#)]),
    ChangingRequest(
      "POST \(inHome)/move", "\(bottom)/move", #"{"first": true}"#,
      before: [("POST", "\(bottom)/move", #"{"last": true}"#)]
    ),
    ChangingRequest(
      "PUT pages/{page}/sort-rules/{rule}", "/pages/home/sort-rules/r",
      ##"{"audience": \##(audience), "indices": {"top": #}}"##),
    ChangingRequest(
      "DELETE pages/{page}/sort-rules/{rule}", "/pages/home/sort-rules/r",
      before: [("PUT", "/pages/home/sort-rules/r", #"{"audience": \#(audience), "indices": {"top": 1}}"#)]),
    ChangingRequest("POST pages/{page}/publish", "/pages/home/publish", "{}", before: fill),
    ChangingRequest(
      "POST pages/{page}/publish", "/pages/home/publish", "{}", fields: ["Idempotency-Key": "k#"], before: fill),
    ChangingRequest("POST pages/{page}/rollback", "/pages/home/rollback", #"{"revision": 1, "draft": "reset"}"#),
    ChangingRequest("POST pages/{page}/scheduled", "/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#),
    ChangingRequest(
      "POST pages/{page}/scheduled", "/pages/home/scheduled",
      #"{"at": "2099-01-01T00:00:00Z", "sections": ["bottom"]}"#, before: fill),
    ChangingRequest(
      "DELETE pages/{page}/scheduled/{scheduled}", "/pages/home/scheduled/$",
      before: [("POST", "/pages/home/scheduled", #"{"at": "2099-01-01T00:00:00Z"}"#)], member: "id"),
    ChangingRequest(
      "PUT pages/{page}/revisions/{revision}/pin", "/pages/home/revisions/1/pin",
      before: [("DELETE", "/pages/home/revisions/1/pin", nil)]),
    ChangingRequest(
      "DELETE pages/{page}/revisions/{revision}/pin", "/pages/home/revisions/1/pin",
      before: [("PUT", "/pages/home/revisions/1/pin", nil)]),
    ChangingRequest("POST pages/{page}/previews", "/pages/home/previews", "{}"),
    ChangingRequest(
      "DELETE pages/{page}/previews/{preview}", "/pages/home/previews/$",
      before: [("POST", "/pages/home/previews", "{}")], member: "id"),
    ChangingRequest("PUT audiences/{audience}", "/audiences/a#", audience),
    ChangingRequest("DELETE audiences/{audience}", "/audiences/a#", before: [("PUT", "/audiences/a#", audience)]),
    ChangingRequest("PUT withheld/items/{kind}", "/withheld/items/navigation", withheld),
    ChangingRequest(
      "DELETE withheld/items/{kind}", "/withheld/items/navigation",
      before: [("PUT", "/withheld/items/navigation", withheld)]),
    ChangingRequest("PUT withheld/sections/{kind}", "/withheld/sections/broadcast", withheld),
    ChangingRequest(
      "DELETE withheld/sections/{kind}", "/withheld/sections/broadcast",
      before: [("PUT", "/withheld/sections/broadcast", withheld)]),
    ChangingRequest("POST tokens", "/tokens", #"{"name": "n#", "role": "viewer"}"#),
    ChangingRequest(
      "DELETE tokens/{selector}", "/tokens/$", before: [("POST", "/tokens", #"{"name": "n#", "role": "viewer"}"#)],
      member: "selector"),
    ChangingRequest(
      "POST tokens/{selector}/rotate", "/tokens/$/rotate", "{}",
      before: [("POST", "/tokens", #"{"name": "n#", "role": "viewer"}"#)], member: "selector"),
    ChangingRequest("POST webhooks", "/webhooks", webhook),
    ChangingRequest(
      "PUT webhooks/{webhook}", "/webhooks/$", ##"{"name": "m#", "url": "https://hook.example/"}"##,
      before: [("POST", "/webhooks", webhook)], member: "id"),
    ChangingRequest("DELETE webhooks/{webhook}", "/webhooks/$", before: [("POST", "/webhooks", webhook)], member: "id"),
    ChangingRequest(
      "POST webhooks/{webhook}/rotate", "/webhooks/$/rotate", "{}", before: [("POST", "/webhooks", webhook)],
      member: "id"),
    ChangingRequest(
      "POST webhooks/deliveries/{delivery}/send", "/webhooks/deliveries/$/send",
      before: [
        ("PUT", "/pages/p#", page), ("PUT", "/pages/p#/sections/a", section), ("POST", "/webhooks", webhook),
        ("POST", "/pages/p#/publish", "{}"), ("GET", "/webhooks/$/deliveries", nil),
      ], member: "id"),
    ChangingRequest("POST kinds/reload", "/kinds/reload"),
    ChangingRequest("POST import", "/import", ##"{"hearth": 1, "pages": {"p#": \##(page)}}"##),
    ChangingRequest(
      "POST import", "/import", "picture", fields: ["Idempotency-Key": "k#"]),
    ChangingRequest(
      "POST import", "/import?delete=true", #"{"hearth": 1, "pages": {"home": \#(home)}}"#,
      before: [
        ("PUT", "/pages/p#", page), ("PUT", "/pages/p#/sections/a", section), ("POST", "/pages/p#/publish", "{}"),
      ]),
    ChangingRequest("POST backup", "/backup", isOfSQLite: true),
    ChangingRequest("POST assets", "/assets", fields: ["Content-Type": "image/png"], bytes: picture),
    ChangingRequest(
      "PUT assets/{asset}", "/assets/$", ##"{"name": "N#"}"##, before: [("POST", "/assets", "picture")], member: "url"),
    ChangingRequest(
      "POST assets/{asset}/replace", "/assets/$/replace", ##"{"with": "\##(other.url)"}"##,
      before: [
        ("POST", "/assets", "other"), ("PUT", "\(bottom)/content", items.replacing("T#", with: "@")),
        ("POST", "/assets", "picture"),
      ], member: "url"),
    ChangingRequest("DELETE assets/{asset}", "/assets/$", before: [("POST", "/assets", "picture")], member: "url"),
  ]

  /// The page that stays when an import removes the others.
  private static let home = """
    {"title": "Home", "defaultLocale": "en", "locales": ["en"], "pollInterval": 30, "sections": [
      {"id": "top", "kind": "grid", "items": []}, {"id": "middle", "kind": "broadcast", "items": []},
      {"id": "bottom", "kind": "broadcast", "items": [{"id": "b", "kind": "navigation", "content": {"title": "B"}}]}],
      "sortRules": {"default": {"indices": {"top": 0, "middle": 5, "bottom": 9}}}}
    """

  private static func send(
    _ method: String, _ path: String, _ body: String?, _ fields: [String: String] = [:], _ number: Int,
    bytes: (@Sendable (Int) -> [UInt8])? = nil, to server: RunningServer
  ) async throws -> Reply {
    func filled(_ text: String) -> String {
      text.replacing("#", with: "\(number)").replacing("@", with: AssetName(of: picture(number), format: .png).url)
    }
    let all = ["If-Match": "*"].merging(fields.mapValues(filled)) { _, own in own }
    if let bytes { return try await server.adminBytes(method, path, bytes(number), all) }
    if body == "picture" || body == "other" {
      let bytes = picture(body == "other" ? -1 : number)
      guard path == "/import" else {
        return try await server.adminBytes(method, path, bytes, ["Content-Type": "image/png"])
      }
      let name = AssetName(of: bytes, format: .png)
      let document = #"{"hearth": 1, "pages": {}, "assets": {"\#(name)": "\#(Data(bytes).base64EncodedString())"}}"#
      return try await server.admin(method, path, document, all)
    }
    // A page of its own each time that it is filled in.
    return try await server.admin(method, filled(path), body.map(filled), all)
  }

  /// Sends it, the try of a number, with further fields.
  func send(
    to path: String, _ number: Int, _ server: RunningServer, _ fields: [String: String] = [:]
  ) async throws -> Reply {
    let all = self.fields.merging(fields) { _, own in own }
    return try await Self.send(method, path, body, all, number, bytes: bytes, to: server)
  }

  /// Brings about what it needs, and returns its path.
  func prepare(_ number: Int, _ server: RunningServer) async throws -> String {
    if route == "POST kinds/reload" {
      let kinds = Demo.tinyKinds.replacing("points: 80", with: "points: \(80 + number)")
      try kinds.write(toFile: server.folder + "/kinds.yaml", atomically: true, encoding: .utf8)
    }
    var path = self.path
    var last: String?
    for (method, place, body) in before {
      let reply = try await Self.send(
        method, place.replacing("$", with: last ?? "$"), body, [:], number, to: server)
      // The last answer that has the member counts: where none has, the path stays without a name, and leads nowhere.
      let told = member.flatMap { reply.json[$0] ?? reply.json["deliveries"]?.array?.first?[$0] }
      guard let value = told?.string ?? told?.int.map({ "\($0)" }) else { continue }
      let name = value.split(separator: "/").last.map(String.init)
      last = name
      path = self.path.replacing("$", with: name ?? "")
    }
    return path
  }
}
