import HTTPServer
import Layout
import Publication
import Storage
import Synchronization

/// `Idempotency-Key`: a request that is tried again gets the answer that it got, and happens once.
final class Idempotency: Sendable {
  private let store: Store
  private let publisher: Publisher
  /// The keys whose requests run now, each with its token.
  private let running = Mutex<Set<String>>([])

  init(store: Store, publisher: Publisher) {
    self.store = store
    self.publisher = publisher
  }

  /// Answers a request once a key.
  ///
  /// - Throws: ``Problem`` 400 for a malformed key, 409 while the same key runs, 422 when it was another request's.
  func answer(
    _ context: AdminContext, _ body: (AdminContext) async throws -> Response
  ) async throws -> Response {
    guard let key = context.request.idempotencyKey else { return try await body(context) }
    guard (1...255).contains(key.utf8.count), key.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Problem(400, "malformed-idempotency-key", "Idempotency-Key must be 1 to 255 visible ASCII characters.")
    }
    let name = "\(context.token.selector) \(key)"
    guard running.withLock({ $0.insert(name).inserted }) else {
      throw Problem(
        409, "idempotency-key-running", "A request with this Idempotency-Key is still running; try again in a moment.",
        fields: [ResponseField("Retry-After", "1")])
    }
    defer { running.withLock { _ = $0.remove(name) } }
    let fingerprint = context.request.fingerprint
    if let kept = try await store.keptAnswer(token: context.token.selector, key: key) {
      guard kept.fingerprint == fingerprint else {
        throw Problem(
          422, "idempotency-key-reused", "This Idempotency-Key was used for another request; use a new one.")
      }
      try await serve(kept.edition, of: context.page)
      return Response(kept)
    }
    // The answer is kept in the transaction of the change. A refusal and a dry run change nothing, so that trying again
    // is safe; neither is kept.
    var keeping = context
    keeping.fingerprint = fingerprint
    return try await body(keeping)
  }

  /// What was kept may have been made live by another node: it says that every loop serves it, and that is to be true here.
  private func serve(_ edition: String?, of page: String) async throws {
    guard let edition, publisher.live.lineup.edition(of: page)?.number.description != edition else { return }
    try await publisher.loadCommitted()
  }
}

extension AdminContext {
  /// Keeps what a change answers, when the request has an `Idempotency-Key`.
  func keeping<Value>(_ answer: @Sendable @escaping (Value) throws -> Response) -> AnswerKeeper<Value>? {
    guard let fingerprint, let key = request.idempotencyKey else { return nil }
    return AnswerKeeper(token: token.selector, key: key) { try answer($0).kept(fingerprint) }
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
    self = .json(Array(kept.body.utf8), Status(kept.status))
    fields.append(ResponseField("Idempotency-Replayed", "true"))
    if let tag = kept.tag { fields.append(ResponseField("ETag", tag)) }
    if let edition = kept.edition { fields.append(ResponseField("Hearth-Revision", edition)) }
  }

  fileprivate func kept(_ fingerprint: String) -> KeptAnswer {
    KeptAnswer(
      fingerprint: fingerprint, status: Int(status.code), body: String(decoding: body, as: UTF8.self),
      tag: fields.first { $0.name == "ETag" }?.value,
      edition: fields.first { $0.name == "Hearth-Revision" }?.value)
  }
}
