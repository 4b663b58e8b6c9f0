import HTTPServer
import JSON
import Layout
import Serving
import Storage
import Synchronization

/// Finds out who asks. Deny by default: no token, no answer.
final class Authenticator: Sendable {
  private struct Tries {
    var count = 0
    var since: Instant
  }

  private let store: Store
  private let tokens: TokensFile
  private let triesMax: Int
  /// By what is counted as one client: an IPv6 client has as many addresses as it likes.
  private let failures = Mutex<[UInt64: Tries]>([:])
  /// The addresses remembered at once; beyond it the oldest are forgotten.
  private let addressesMax = 10_000
  /// How long the tries of an address are counted together.
  private static let windowSeconds: Int64 = 60

  /// - Parameter triesMax: The failed tries that an address, or an IPv6 client's /64, may make a minute.
  init(store: Store, tokens: TokensFile, triesMax: Int) {
    self.store = store
    self.tokens = tokens
    self.triesMax = triesMax
  }

  /// The request's token. A valid one is never held back: others at its address, behind a proxy, cannot lock it out.
  ///
  /// - Throws: ``Problem`` 401 for none or a bad one, 429 after too many of them.
  func token(of request: AdminRequest) async throws -> Token {
    let text = request.authorization.flatMap(Self.bearer)
    // What was revoked is not taken either while a restored database has it.
    if let text, !tokens.isRevoked(text.selector), let token = try await store.token(text) { return token }
    if let wait = try await noteFailure(of: request, text) {
      throw Problem(
        429, "too-many-failures", "Too many failed tries from this address; wait \(wait) seconds.",
        values: ["seconds": .count(Int(wait))],
        fields: [ResponseField("Retry-After", String(wait))])
    }
    guard request.authorization != nil else {
      throw Problem.unauthenticated("Send Authorization: Bearer hearth_…", challenge: "Bearer realm=\"hearth\"")
    }
    throw Problem.unauthenticated(
      "The token is unknown, revoked or expired.", challenge: "Bearer realm=\"hearth\", error=\"invalid_token\"")
  }

  /// The token's text in `Authorization`, `nil` when that is another scheme or no such text.
  private static func bearer(_ authorization: String) -> TokenText? {
    let parts = authorization.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, parts[0].lowercased() == "bearer" else { return nil }
    return TokenText(parts[1].trimmingSpaces)
  }

  /// Counts a failed try, and returns the seconds to wait when it is one too many.
  ///
  /// The first tries of an address are audited, and once a minute that there are too many: a flood does not
  /// fill the disk.
  private func noteFailure(of request: AdminRequest, _ text: TokenText?) async throws -> Int64? {
    let now = store.clock()
    let tries = count(request.address, now)
    if tries.count <= triesMax + 1 {
      var former: FormerToken?
      if let text { former = try await store.formerToken(text) }
      let actor = Actor(
        name: former?.name ?? "unknown", token: former?.selector, address: request.address, request: request.id)
      let what = "\(request.method) /\(request.segments.joined(separator: "/"))"
      let reason = former?.end.rawValue ?? (request.authorization == nil ? "no token" : "no such token")
      let action = tries.count <= triesMax ? "authorisation.failed" : "authorisation.limited"
      await store.recordRefusal(action, by: actor, detail: "\(what): \(reason)")
    }
    guard tries.count > triesMax else { return nil }
    return max(1, tries.since.secondsSinceEpoch + Self.windowSeconds - now.secondsSinceEpoch)
  }

  /// Counts a failed try of an address.
  private func count(_ address: String, _ now: Instant) -> Tries {
    let client = PeerAddress(host: address)?.client ?? 0
    return failures.withLock { failures in
      if failures.count >= addressesMax, failures[client] == nil { failures.removeAll() }
      var tries = failures[client] ?? Tries(since: now)
      // The clock may have been set back.
      tries.since = min(tries.since, now)
      if tries.since.adding(seconds: Self.windowSeconds) <= now { tries = Tries(since: now) }
      tries.count += 1
      failures[client] = tries
      return tries
    }
  }
}

extension Problem {
  fileprivate static func unauthenticated(_ detail: String, challenge: String) -> Problem {
    Problem(401, "unauthenticated", detail, fields: [ResponseField("WWW-Authenticate", challenge)])
  }
}
