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
  /// How long the tries of an address are counted together.
  private static let windowSeconds: Int64 = 60

  /// - Parameter triesMax: The failed tries an address may make a minute.
  init(store: Store, triesMax: Int, clock: @escaping @Sendable () -> Instant) {
    self.store = store
    self.triesMax = triesMax
    self.clock = clock
  }

  /// The request's token. A valid one is never held back: others at its address, behind a proxy, cannot lock it out.
  ///
  /// - Throws: ``Problem`` 401 for none or a bad one, 429 for a bad one after too many of them.
  func token(of request: AdminRequest) async throws -> Token {
    guard let authorization = request.authorization else {
      throw Problem.unauthenticated("Send Authorization: Bearer hearth_…", challenge: "Bearer realm=\"hearth\"")
    }
    let parts = authorization.split(separator: " ", maxSplits: 1).map(String.init)
    if parts.count == 2, parts[0].lowercased() == "bearer", let text = TokenText(parts[1].trimmingSpaces),
      let token = try await store.token(text)
    {
      return token
    }
    let wait = await noteFailure(of: request)
    if let wait {
      throw Problem(
        429, "too-many-failures", "Too many failed tries from this address; wait \(wait) seconds.",
        fields: [ResponseField("Retry-After", String(wait))])
    }
    throw Problem.unauthenticated(
      "The token is unknown, revoked or expired.", challenge: "Bearer realm=\"hearth\", error=\"invalid_token\"")
  }

  /// Counts a failed try, and returns the seconds to wait when it is one too many.
  ///
  /// The first tries of an address are told to the audit; a flood does not fill the disk.
  private func noteFailure(of request: AdminRequest) async -> Int64? {
    let now = clock()
    let tries = failures.withLock { failures in
      if failures.count >= addressesMax { failures.removeAll() }
      var tries = failures[request.address] ?? Tries(since: now)
      if tries.since.adding(seconds: Self.windowSeconds) <= now { tries = Tries(since: now) }
      tries.count += 1
      failures[request.address] = tries
      return tries
    }
    guard tries.count <= triesMax else {
      return max(1, tries.since.secondsSinceEpoch + Self.windowSeconds - now.secondsSinceEpoch)
    }
    let actor = Actor(name: "unknown", address: request.address, request: request.id)
    try? await store.record(
      "authorisation.failed", by: actor, detail: "\(request.method) /\(request.segments.joined(separator: "/"))")
    return nil
  }
}

extension Problem {
  fileprivate static func unauthenticated(_ detail: String, challenge: String) -> Problem {
    Problem(401, "unauthenticated", detail, fields: [ResponseField("WWW-Authenticate", challenge)])
  }
}
