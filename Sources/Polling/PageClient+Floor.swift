import Foundation

/// How often a client asks at most, whatever calls it.
extension PageClient {
  /// Waits until the server may be asked: ``PollTiming/pauseMin`` after it was asked last.
  ///
  /// - Throws: What the server refused, while it wants to be left alone; `CancellationError`.
  func queue() async throws {
    while true {
      if let refusal = refusalThatHolds { throw ClientError.refused(refusal) }
      let pause = floor - now()
      guard pause > 0 else { break }
      try await sleep(pause)
    }
    try Task.checkCancellation()
    refusal = nil
    floor = now() + settings.timing.pauseMin
  }

  /// Leaves the server alone for as long as it asks.
  func heed(_ error: ClientError) {
    guard case .refused(let refusal) = error, let seconds = refusal.retryAfter, seconds > 0 else { return }
    floor = max(floor, now() + seconds)
    self.refusal = refusal
  }

  /// The refusal that says not to ask yet, and for how many seconds more.
  var refusalThatHolds: Refusal? {
    let pause = floor - now()
    guard var refusal, pause > 0 else { return nil }
    refusal.retryAfter = pause.rounded(.up)
    return refusal
  }
}
