import HTTPServer
import JSON
public import Layout
import Serving
public import Storage

extension AdminAPI {
  /// How long a rotated token stays valid by default: a day.
  private static let graceSeconds = 86_400
  /// The least grace of a token that rotates itself: an hour.
  private static let ownGraceSecondsMin = 3_600

  var tokenRoutes: [Route] {
    [
      Route("GET", "tokens", .admin) { [self] _ in
        .value(["tokens": .array(try await store.tokens().map(\.json))])
      },
      Route("POST", "tokens", .admin, body: .json("TokenRequest"), keeps: .allButSecret) { [self] in
        try await createToken($0)
      },
      Route("DELETE", "tokens/{selector}", .admin) { [self] context in
        let selector = context.parameters["selector"] ?? ""
        guard selector != context.token.selector else {
          throw Problem(409, "own-token", "A token cannot revoke itself; use another, or `hearth token revoke`.")
        }
        return try await context.change { keeping in
          try await store.revokeToken(selector, by: context.actor, keeping: keeping)
          await noteTokens(revoked: selector)
        }
      },
      Route("POST", "tokens/{selector}/rotate", .admin, body: .optional("TokenRotationRequest"), keeps: .allButSecret) {
        [self] context in
        let selector = context.parameters["selector"] ?? ""
        var body = try BodyReader(context.json())
        let grace = body.grace()
        try body.finish()
        let seconds = grace ?? Self.graceSeconds
        if selector == context.token.selector, seconds < Self.ownGraceSecondsMin {
          throw Problem(
            409, "own-token",
            "A token that rotates itself needs a grace of at least \(Self.ownGraceSecondsMin) seconds: "
              + "otherwise a lost answer would leave nobody with a token.",
            values: ["least": .count(Self.ownGraceSecondsMin)])
        }
        let (token, text) = try await store.rotateToken(
          selector, grace: Int64(seconds), by: context.actor, keeping: context.keeping { .value($0.json, 201) })
        await noteTokens()
        return .value(token.json(with: text), 201)
      },
    ]
  }

  /// Has this node know what has just become of a token, before that is answered. What fails is tried again each second.
  func noteTokens(revoked selector: String? = nil) async {
    _ = try? await tokens.look(at: store, revoked: selector)
  }

  private func createToken(_ context: AdminContext) async throws -> Response {
    var body = try BodyReader(context.json())
    let name = body.text("name", in: 1...200, isRequired: true)
    let roles = Role.allCases.map(\.rawValue)
    let role = body.required("role", .word(of: roles)) { $0.string.flatMap(Role.init(rawValue:)) }
    let expected = Sentence(.scopes, "an array of page ids or page/section, such as \"home/otc\"")
    let scopes = body.optional("scopes", expected) { json in
      json.array.flatMap { elements -> [String]? in
        let texts = elements.compactMap(\.string)
        return texts.count == elements.count && texts.count <= 1_000 && texts.allSatisfy(TokenScope.isValid)
          ? texts : nil
      }
    }
    let now = clock()
    let future = Sentence(.futureTime, "a time to come, such as 2027-01-01T00:00:00Z")
    let expiresAt = body.optional("expiresAt", future) { json in
      json.string.flatMap { Instant($0) }.flatMap { now < $0 ? $0 : nil }
    }
    for problem in try await store.unknownScopes(scopes ?? []) { body.add(problem) }
    try body.finish()
    let (token, text) = try await store.createToken(
      name: name ?? "", role: role ?? .viewer, scopes: scopes ?? [], expiresAt: expiresAt, by: context.actor,
      keeping: context.keeping { .value($0.json, 201) })
    await noteTokens()
    return .value(token.json(with: text), 201)
  }
}

extension Store {
  /// The scopes that name no page, or no section of theirs: a token for what is misspelt would never fill anything.
  public func unknownScopes(_ scopes: [String]) async throws -> [DocumentProblem] {
    guard !scopes.isEmpty else { return [] }
    let pages = try await self.pages().map(\.id)
    var sections: [String: [String]] = [:]
    var problems: [DocumentProblem] = []
    for (index, scope) in scopes.enumerated() {
      let parts = scope.split(separator: "/").map(String.init)
      let place = JSONPointer(["scopes", String(index)])
      guard pages.contains(parts[0]) else {
        problems.append(DocumentProblem(pointer: place, .unknownPage(parts[0], known: pages)))
        continue
      }
      guard parts.count == 2 else { continue }
      let page = parts[0]
      if sections[page] == nil { sections[page] = try await draft(page).definition.sections.map(\.id) }
      let known = sections[page] ?? []
      guard !known.contains(parts[1]) else { continue }
      problems.append(DocumentProblem(pointer: place, .unknownSection(parts[1], of: page, known: known)))
    }
    return problems
  }
}

extension Sentence {
  fileprivate static func unknownPage(_ name: String, known: [String]) -> Sentence {
    Sentence(
      .unknownPage, "there is no page \"\(name)\"; there are \(known.isEmpty ? "none" : known.joined(separator: ", "))",
      ["name": .string(name), "known": .array(known.map { .string($0) })])
  }

  fileprivate static func unknownSection(_ name: String, of page: String, known: [String]) -> Sentence {
    let list = known.isEmpty ? "none" : known.joined(separator: ", ")
    return Sentence(
      .unknownSectionOfPage, "the page \(page) has no section \"\(name)\"; there are \(list)",
      ["page": .string(page), "name": .string(name), "known": .array(known.map { .string($0) })])
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
  /// With its text, which is shown this once.
  fileprivate func json(with text: TokenText) -> JSON {
    var object = json.object ?? JSONObject()
    object["token"] = .string(text.text)
    return .object(object)
  }
}

extension Token {
  var json: JSON {
    var object: JSONObject = [
      "selector": .string(selector), "name": .string(name), "role": .string(role.rawValue),
      "scopes": .array(scopes.map { .string($0) }), "createdAt": .string(createdAt.description),
      "createdBy": .string(createdBy),
    ]
    object["expiresAt"] = expiresAt.map { .string($0.description) }
    object["lastUsedAt"] = lastUsedAt.map { .string($0.description) }
    return .object(object)
  }
}
