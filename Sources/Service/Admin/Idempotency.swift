import HTTPServer
import JSON
import Layout
import Serving
import Storage
import Synchronization

/// `Idempotency-Key`: a repeated change gets its first answer again, and happens once.
///
/// The answer is stored in the transaction of the change. Refusals and dry runs change nothing, so they are not stored;
/// trying again is safe.
final class Idempotency: Sendable {
  private let api: AdminAPI
  /// The keys whose requests run now, each with its token.
  private let running = Mutex<Set<String>>([])

  init(api: AdminAPI) { self.api = api }

  /// Answers a change, once where its request has a key.
  ///
  /// - Throws: ``Problem`` 400 for a malformed key, 409 while the same key runs or where a secret was told, 422 when it was
  ///   another request's.
  func answer(_ context: AdminContext, of route: Route) async throws -> Response {
    guard let text = context.request.idempotencyKey else { return try await route.answer(context) }
    guard (1...255).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(400, "malformed-idempotency-key", "Idempotency-Key must be 1 to 255 visible ASCII characters.")
    }
    let name = "\(context.token.selector) \(text)"
    guard running.withLock({ $0.insert(name).inserted }) else {
      throw Problem(
        409, "idempotency-key-running", "A request with this Idempotency-Key is still running; try again in a moment.",
        fields: [ResponseField("Retry-After", "1")])
    }
    defer { running.withLock { _ = $0.remove(name) } }
    let key = AnswerKey(text: text, fingerprint: context.request.fingerprint, keeps: route.keeps)
    if let kept = try await kept(key, context) { return try await replay(kept, key, of: route, context) }
    var keeping = context
    keeping.key = key
    do { return try await route.answer(keeping) } catch {
      if case StoreError.database = error { throw error }
      // Another node may have been as fast, and what it has done may be why this one was refused.
      guard let kept = try? await kept(key, context) else { throw error }
      return try await replay(kept, key, of: route, context)
    }
  }

  private func kept(_ key: AnswerKey, _ context: AdminContext) async throws -> KeptAnswer? {
    try await api.store.keptAnswer(token: context.token.selector, key: key.text)
  }

  private func replay(
    _ kept: KeptAnswer, _ key: AnswerKey, of route: Route, _ context: AdminContext
  ) async throws -> Response {
    guard kept.fingerprint == key.fingerprint else {
      throw Problem(422, "idempotency-key-reused", "This Idempotency-Key was used for another request; use a new one.")
    }
    // Another node may have done it: what the answer says is to be true here as well.
    if let edition = kept.edition {
      try await api.publisher.serveCommitted {
        api.publisher.live.lineup.edition(of: context.page)?.number.description == edition
      }
    } else if route.role >= .publisher {
      try await api.publisher.serveCommitted()
      await api.noteTokens()
    }
    guard route.keeps == .allButSecret else { return Response(kept) }
    throw Problem(
      409, "secret-told-once",
      "The request with this Idempotency-Key was carried out, and its answer had a secret that is told once. 'made' says what "
        + "was made. If its secret is lost, rotate that token, or revoke that link and make another, with a new key.",
      members: (try? JSON.parse(Array(kept.body.utf8))).map { [("made", $0)] } ?? [])
  }
}

/// What is kept of a route's answer for an `Idempotency-Key`.
enum KeptPart: Sendable {
  /// All of it.
  case all
  /// Its status and its tags: of what sources send, which comes often and says what they know.
  case head
  /// All of it except a secret, which is told only once.
  case allButSecret
}

/// What the answer of a request is kept by.
struct AnswerKey: Sendable {
  /// The key that the request names.
  var text: String
  /// The hash of everything that the request asks for.
  var fingerprint: String
  var keeps: KeptPart
}

extension AdminContext {
  /// Carries out a change, and answers it with what its transaction returned: that answer is kept in the transaction, when
  /// the request has an `Idempotency-Key`.
  ///
  /// - Parameters:
  ///   - change: Carries it out, and has the transaction keep the answer.
  ///   - answer: What follows from what the transaction returned; 204 without. Called in the transaction, maybe more than once.
  func change<Value>(
    _ change: (AnswerKeeper<Value>?) async throws -> Value,
    answering answer: @Sendable @escaping (Value) throws -> Response = { _ in .done() }
  ) async throws -> Response {
    try answer(await change(keeping(answer)))
  }

  /// What has a transaction keep the answer that follows from what it returns.
  func keeping<Value>(_ answer: @Sendable @escaping (Value) throws -> Response) -> AnswerKeeper<Value>? {
    guard let key else { return nil }
    return AnswerKeeper(token: token.selector, key: key.text) { try answer($0).kept(by: key) }
  }
}

extension AdminRequest {
  /// The hash of everything that it asks for.
  fileprivate var fingerprint: String {
    let query = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    let head = ([method] + segments + query).joined(separator: "\n")
    return Fingerprint.of(Array(head.utf8) + [0] + body)
  }
}

extension Response {
  fileprivate init(_ kept: KeptAnswer) {
    let status = Status(kept.status)
    self = kept.body.isEmpty ? Response(status) : .json(Array(kept.body.utf8), status)
    fields.append(ResponseField("Idempotency-Replayed", "true"))
    if let tag = kept.tag { fields.append(ResponseField("ETag", tag)) }
    if let edition = kept.edition { fields.append(ResponseField("Hearth-Revision", edition)) }
  }

  fileprivate func kept(by key: AnswerKey) -> KeptAnswer {
    KeptAnswer(
      fingerprint: key.fingerprint, status: Int(status.code),
      body: key.keeps == .head ? "" : String(decoding: body, as: UTF8.self),
      tag: fields.first { $0.name == "ETag" }?.value,
      edition: fields.first { $0.name == "Hearth-Revision" }?.value)
  }
}
