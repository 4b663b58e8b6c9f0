import Dispatch
import JSON
public import Layout
public import Storage
import Synchronization

/// A node's record of tokens, in a file beside its record of what it has served. It outlives a restored database, and
/// so do its revocations.
public final class TokensFile: Sendable {
  private struct State {
    var history: TokenHistory?
    var written: TokenHistory?
    var failure: FileFailure?
    /// The look that others wait for.
    var last: Task<[TokenHistory.Finding], any Error>?
    var isDue = false
  }

  private let path: String?
  private let state: Mutex<State>
  private let queue = DispatchQueue(label: "tokens")

  /// Reads the file. One that is not there, or cannot be read, is written with the first look.
  ///
  /// - Parameter path: Where it is; `nil` for a node that remembers nothing beyond its end.
  public init(path: String?) {
    self.path = path
    var state = State()
    do throws(FileFailure) {
      if let path, let history = try Self.read(path) {
        state.history = history
        state.written = history
      }
    } catch { state.failure = error }
    self.state = Mutex(state)
  }

  /// Reads the file alone.
  ///
  /// - Returns: `nil` when there is no such file.
  /// - Throws: ``FileFailure`` when it cannot be read, or is not what this writes.
  public static func read(_ path: String) throws(FileFailure) -> TokenHistory? {
    guard let text = try TwoSlotFile(path: path).read() else { return nil }
    guard let history = TokenHistory(text: text) else {
      throw FileFailure(description: "\(path) does not hold what a server knows of tokens")
    }
    return history
  }

  /// Why what is known is not in the file, `nil` when it is.
  public var failure: FileFailure? { state.withLock { $0.failure } }

  /// Whether the last look failed, so that another one has to be made.
  public var isDue: Bool { state.withLock { $0.isDue } }

  /// Whether a token was ever revoked, even if the database has it.
  public func isRevoked(_ selector: String) -> Bool { state.withLock { $0.history?.revoked[selector] != nil } }

  /// The tokens that somebody should look at.
  public func findings(at now: Instant) -> [TokenHistory.Finding] {
    state.withLock { $0.history?.findings(at: now) ?? [] }
  }

  /// Compares the database's tokens with what is known, ends again what was ended before, and writes what is known from now
  /// on. One look is made after the other.
  ///
  /// - Parameter selector: A token that was just revoked: it may have been made since the look before.
  /// - Returns: What this look has found and none before.
  /// - Throws: ``StoreError``; then ``isDue``.
  @discardableResult
  public func look(at store: Store, revoked selector: String? = nil) async throws -> [TokenHistory.Finding] {
    let task = state.withLock { state in
      let before = state.last
      let task = Task { [self] in
        _ = await before?.result
        return try await lookOnce(at: store, revoked: selector)
      }
      state.last = task
      return task
    }
    return try await task.value
  }

  private func lookOnce(at store: Store, revoked selector: String?) async throws -> [TokenHistory.Finding] {
    let history = state.withLock { $0.history }
    let next: TokenHistory
    do { next = try await store.compareTokens(with: history, revoked: selector) } catch {
      state.withLock { $0.isDue = true }
      throw error
    }
    let mustWrite = state.withLock { state in
      state.history = next
      state.isDue = false
      return next != state.written || state.failure != nil
    }
    if let path, mustWrite { await save(next, path) }
    return next.findings.filter { history?.findings.contains($0) != true }
  }

  private func save(_ history: TokenHistory, _ path: String) async {
    await queue.run { [self] in
      do throws(FileFailure) {
        // A command, or a predecessor that drains, may have written what this one does not know.
        try TwoSlotFile(path: path).update { text in
          var merged = history
          if let other = text.flatMap(TokenHistory.init(text:)) {
            merged.revoked.merge(other.revoked) { own, _ in own }
          }
          return merged.text
        }
        state.withLock { ($0.written, $0.failure) = (history, nil) }
      } catch {
        state.withLock { ($0.failure, $0.isDue) = (error, true) }
      }
    }
  }
}

extension TokenHistory {
  /// As the file has it.
  fileprivate var text: String {
    let known = known.mapValues { token -> JSON in
      var object: JSONObject = ["name": .string(token.name)]
      object["end"] = token.end.map { .count(Int($0.secondsSinceEpoch)) }
      return .object(object)
    }
    let findings = findings.map { finding -> JSON in
      [
        "selector": .string(finding.selector), "name": .string(finding.name), "fate": .string(finding.fate.rawValue),
        "at": .count(Int(finding.at.secondsSinceEpoch)),
      ]
    }
    var object: JSONObject = [
      "known": .object(JSONObject(known)), "revoked": .object(JSONObject(revoked.mapValues { .string($0) })),
      "findings": .array(findings),
    ]
    object["database"] = database.map { .string($0) }
    return JSON.object(object).canonicalText
  }

  /// `nil` for what is something else.
  fileprivate init?(text: String) {
    guard let json = try? JSON.parse(Array(text.utf8)), let known = json["known"]?.object,
      let revoked = json["revoked"]?.object, let findings = json["findings"]?.array
    else { return nil }
    self.init(of: json["database"]?.string)
    for member in known {
      guard let name = member.value["name"]?.string else { return nil }
      self.known[member.name] = Known(
        name: name, end: member.value["end"]?.int.map { Instant(secondsSinceEpoch: Int64($0)) })
    }
    for member in revoked { self.revoked[member.name] = member.value.string ?? "" }
    for finding in findings {
      guard let selector = finding["selector"]?.string, let name = finding["name"]?.string,
        let fate = finding["fate"]?.string.flatMap(Fate.init(rawValue:)), let at = finding["at"]?.int
      else { return nil }
      self.findings.append(
        Finding(selector: selector, name: name, fate: fate, at: Instant(secondsSinceEpoch: Int64(at))))
    }
  }
}
