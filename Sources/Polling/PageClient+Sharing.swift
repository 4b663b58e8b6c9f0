public import Foundation
public import HomePayload

/// Whoever asks while a poll is under way shares it, and leaves it at once when cancelled.
extension PageClient {
  /// Asks together with all who ask meanwhile.
  func share() async throws {
    tickets += 1
    let ticket = tickets
    try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
        guard !Task.isCancelled else { return continuation.resume(throwing: CancellationError()) }
        waiting[ticket] = continuation
        if flight == nil { depart() }
      }
    } onCancel: {
      Task { await self.leave(ticket) }
    }
  }

  /// Asks again for all who wait.
  func departAnew() {
    flight?.cancel()
    depart()
  }

  private func depart() {
    flights += 1
    let number = flights
    flight = Task {
      let result: Result<Void, any Error>
      do {
        try await ask()
        result = .success(())
      } catch { result = .failure(error) }
      land(number, result)
    }
  }

  private func land(_ number: Int, _ result: Result<Void, any Error>) {
    // All have left it, and another one may be under way.
    guard number == flights, flight != nil else { return }
    flight = nil
    let continuations = waiting.values
    waiting = [:]
    for continuation in continuations { continuation.resume(with: result) }
  }

  private func leave(_ ticket: Int) {
    guard let continuation = waiting.removeValue(forKey: ticket) else { return }
    continuation.resume(throwing: CancellationError())
    guard waiting.isEmpty else { return }
    flight?.cancel()
    flight = nil
  }

  /// The page to show first: what was kept, else what the server sends.
  ///
  /// - Parameter timeout: How many seconds it may take; failures meanwhile are asked again at growing intervals.
  /// - Throws: ``ClientError``, the last failure when there was one; `CancellationError` at once when the task is cancelled,
  ///   and then nothing is asked any more.
  public func waitForPage(timeout: TimeInterval) async throws -> Page {
    await load()
    if let page { return page }
    do {
      return try await within(timeout, else: .unreachable("no page came within \(timeout) s")) {
        try await self.firstPage()
      }
    } catch let error as ClientError {
      if let page { return page }
      throw failure ?? error
    }
  }

  private func firstPage() async throws -> Page {
    var failures = 0
    while true {
      try Task.checkCancellation()
      do { try await share() } catch let error as ClientError {
        failures += 1
        let pause = settings.timing.pause(failures: failures, retryAfter: error.retryAfter, chance: chance())
        if page == nil { try await sleep(pause) }
      }
      if let page { return page }
    }
  }
}

extension ClientError {
  /// Whether a server answered well, with what is older than the page that is held.
  var isOfOlderEdition: Bool {
    switch self {
    case .dropped, .otherHistory: true
    case .unreachable, .refused, .unreadable, .unverified: false
    }
  }

  /// For how many seconds the server asks to be left alone.
  var retryAfter: TimeInterval? {
    if case .refused(let refusal) = self { refusal.retryAfter } else { nil }
  }
}
