import HTTPServer
import JSON
import Layout
import Storage

extension AdminAPI {
  var tokenRoutes: [Route] {
    [
      Route("GET", "tokens", .admin) { [self] _ in
        .value(["tokens": .array(try await store.tokens().map(\.json))])
      },
      Route("POST", "tokens", .admin) { [self] in try await createToken($0) },
      Route("DELETE", "tokens/{selector}", .admin) { [self] context in
        try await store.revokeToken(context.parameters["selector"] ?? "", by: context.actor)
        return .done()
      },
      Route("POST", "tokens/{selector}/rotate", .admin) { [self] context in
        let body = try context.request.jsonObjectOrEmpty()
        let grace = body["grace"]?.int ?? 0
        guard (0...2_592_000).contains(grace) else {
          throw Problem.invalid([
            DocumentProblem(pointer: JSONPointer(["grace"]), detail: "must be from 0 to 2592000 seconds")
          ])
        }
        let (token, text) = try await store.rotateToken(
          context.parameters["selector"] ?? "", grace: Int64(grace), by: context.actor)
        return .value(token.json(with: text), 201)
      },
    ]
  }

  private func createToken(_ context: AdminContext) async throws -> Response {
    let body = try context.request.json()
    var problems: [DocumentProblem] = []
    func refuse(_ name: String, _ detail: String) {
      problems.append(DocumentProblem(pointer: JSONPointer([name]), detail: detail))
    }
    let name = body["name"]?.string ?? ""
    if name.isEmpty || name.utf8.count > 200 { refuse("name", "must be 1 to 200 bytes of text") }
    let role = body["role"]?.string.flatMap(Role.init(rawValue:))
    if role == nil { refuse("role", "must be one of \(Role.allCases.map(\.rawValue).joined(separator: ", "))") }
    let scopes = body["scopes"].map { $0.array?.compactMap(\.string) ?? ["/"] } ?? []
    if !scopes.allSatisfy(TokenScope.isValid) || scopes.count > 1_000 {
      refuse("scopes", "must be an array of page ids or page/section, such as \"home/otc\"")
    }
    let expiresAt = body["expiresAt"]?.string.flatMap { Instant($0) }
    if body["expiresAt"] != nil, expiresAt == nil { refuse("expiresAt", "must be a time such as 2026-11-21T09:00:00Z") }
    for member in body.object?.names ?? [] where !["name", "role", "scopes", "expiresAt"].contains(member) {
      refuse(member, "is not a member known here: expiresAt, name, role, scopes")
    }
    guard problems.isEmpty, let role else { throw Problem.invalid(problems) }
    let (token, text) = try await store.createToken(
      name: name, role: role, scopes: scopes, expiresAt: expiresAt, by: context.actor)
    return .value(token.json(with: text), 201)
  }
}

/// What a token's scope looks like.
public enum TokenScope {
  /// Whether a text is a page's id, or a page's and a section's with a slash between.
  public static func isValid(_ text: String) -> Bool {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    return (1...2).contains(parts.count) && parts.allSatisfy { Slug.isValid(String($0)) }
  }
}

extension Token {
  /// With its text, which is told this once.
  fileprivate func json(with text: TokenText) -> JSON {
    var object = json.object ?? JSONObject()
    object["token"] = .string(text.text)
    return .object(object)
  }
}
