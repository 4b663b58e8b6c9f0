import Layout

extension Store {
  /// The bytes of a page's name, of at most 64 characters.
  private static let pageNameBytesMax = 256

  /// Has the audit tell of a request that was refused. It waits for no lock: what cannot be written at once is written as
  /// soon as it can be, and counted where more than a mebibyte of it waits.
  public func recordRefusal(_ action: String, by actor: Actor, page: String? = nil, detail: String) async {
    // What is too long to be a page's name cannot be looked for as one; the detail tells of it.
    let page = page.flatMap { $0.utf8.count <= Self.pageNameBytesMax ? $0 : nil }
    laterWrites.add(
      LaterWrites.Refusal(at: clock(), actor: actor, touched: Touched(action: action, page: page, detail: detail)))
    do { try await writeLater(waiting: .zero) } catch { retryLater() }
  }

  /// Notes that a token is used now, without waiting.
  ///
  /// - Parameter last: The use before, which may not have been written yet.
  func noteUse(of token: Token, since last: Instant?, at now: Instant) {
    // A clock that was set back leaves uses in its future behind.
    if let last, last <= now, now < last.adding(seconds: 60) {
      return
    }
    laterWrites.addUse(of: token.selector, at: now)
    retryLater()
  }

  /// Writes what waits to be written.
  ///
  /// - Throws: ``StoreError``; then it goes on waiting.
  func writeLater(waiting wait: Duration? = nil) async throws {
    // Several at once would write the same twice.
    try await laterTurns.enter(until: .now + (wait ?? writeSettings.waitMax))
    defer { laterTurns.leave() }
    let batch = laterWrites.batch
    guard !batch.isEmpty else { return }
    let now = clock()
    try await transaction(waiting: wait) { db in
      for refusal in batch.refusals { try db.insert(refusal.touched, at: refusal.at, by: refusal.actor) }
      if batch.unrecorded > 0 {
        let detail = "\(batch.unrecorded) more requests were refused while the audit could not be written"
        try db.insert(
          Touched(action: "authorisation.unrecorded", detail: detail), at: now, by: Actor(name: "unknown"))
      }
      for (selector, instant) in batch.uses {
        try db.execute(
          sql: "UPDATE tokens SET last_used_at = ? WHERE selector = ?",
          arguments: [instant, selector])
      }
    }
    laterWrites.remove(batch)
  }

  /// Tries again every second until all is written, off the caller's way.
  private func retryLater() {
    guard laterWrites.beginRetrying() else { return }
    // It writes for all, and is no part of what is traced of one.
    Task.detached { [weak self] in
      while await self?.hasRetried() == false { try? await Task.sleep(for: .seconds(1)) }
    }
  }

  /// Whether nothing is left to be written.
  private func hasRetried() async -> Bool {
    try? await writeLater()
    guard laterWrites.batch.isEmpty else { return false }
    laterWrites.endRetrying()
    // What came in between has seen that somebody tries.
    retryLater()
    return true
  }
}
