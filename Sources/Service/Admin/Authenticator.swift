import HTTPServer
import Layout
import Storage
import Synchronization

/// Finds out who asks. Deny by default: no token, no answer.
final class Authenticator: Sendable {
  private struct Tries {
    var count = 0
    var since: Instant
  }

  private let store: Store
  private let triesMax: Int
  private let clock: @Sendable () -> Instant
  private let failures = Mutex<[String: Tries]>([:])
  /// The addresses remembered at once; beyond it the oldest are forgotten.
  private let addressesMax = 10_000

  /// - Parameter triesMax: The failed tries an address may make a minute.
  init(store: Store, triesMax: Int, clock: @escaping @Sendable () -> Instant) {
    self.store = store
    self.triesMax = triesMax
    self.clock = clock
  }

  /// The request's token.
  ///
  /// - Throws: ``Problem`` 401 for none or a bad one, 429 after too many bad ones.
  func token(of request: AdminRequest) async throws -> Token {
    if isBlocked(request.address) {
      throw Problem(
        429, "too-many-failures", "Too many failed tries from this address; wait a minute.",
        fields: [ResponseField("Retry-After", "60")])
    }
    guard let authorization = request.authorization else {
      throw Problem.unauthenticated("Send Authorization: Bearer hearth_…", challenge: "Bearer realm=\"hearth\"")
    }
    let parts = authorization.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0].lowercased() == "bearer", let text = TokenText(parts[1].trimmingSpaces),
      let token = try await store.token(text)
    {
      return token
    }
    try await noteFailure(of: request)
    throw Problem.unauthenticated(
      "The token is unknown, revoked or expired.", challenge: "Bearer realm=\"hearth\", error=\"invalid_token\"")
  }

  private func isBlocked(_ address: String) -> Bool {
    let now = clock()
    return failures.withLock { failures in
      guard let tries = failures[address] else { return false }
      if tries.since.adding(seconds: 60) <= now {
        failures[address] = nil
        return false
      }
      return tries.count >= triesMax
    }
  }

  /// The first tries of an address are told to the audit; a flood does not fill the disk.
  private func noteFailure(of request: AdminRequest) async throws {
    let now = clock()
    let count = failures.withLock { failures in
      if failures.count >= addressesMax { failures.removeAll() }
      var tries = failures[request.address] ?? Tries(since: now)
      tries.count += 1
      failures[request.address] = tries
      return tries.count
    }
    guard count <= triesMax else { return }
    let actor = Actor(name: "unknown", address: request.address, request: request.id)
    try? await store.record(
      "authorisation.failed", by: actor, detail: "\(request.method) /\(request.segments.joined(separator: "/"))")
  }
}

extension Problem {
  fileprivate static func unauthenticated(_ detail: String, challenge: String) -> Problem {
    Problem(401, "unauthenticated", detail, fields: [ResponseField("WWW-Authenticate", challenge)])
  }
}
