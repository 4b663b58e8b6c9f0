/// What polling brings, for as long as it is asked for: `for await event in client.updates`.
///
/// The next poll is made when the next event is asked for, so that nothing piles up and each update leads on from the
/// one before. Ends when the task is cancelled; iterate it again to go on, from one place at a time.
public struct PageUpdates: AsyncSequence, Sendable {
  let client: PageClient

  /// Asks for one event after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let client: PageClient

    /// The next event; `nil` when the task is cancelled.
    public mutating func next() async -> PollEvent? { await client.next() }

    /// The next event; `nil` when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> PollEvent? { await client.next() }
  }

  /// Starts, or goes on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client) }
}

extension PageClient {
  /// What polling brings.
  public nonisolated var updates: PageUpdates { PageUpdates(client: self) }

  /// Has the loop ask now, without waiting: the user pulled, or the app came to the foreground.
  public func refresh() {
    isRefreshing = true
    due = now()
    interruption?()
  }

  func next() async -> PollEvent? {
    while !Task.isCancelled {
      await pause()
      guard !Task.isCancelled else { break }
      if let event = await pollInTurn() { return event }
    }
    return nil
  }

  private func pause() async {
    let pause = due - now()
    guard pause > .zero else { return }
    _ = try? await interruptible { try await Task.sleep(for: pause) }
  }

  /// `nil` when nothing changed, or a refresh ended the poll.
  func pollInTurn() async -> PollEvent? {
    // After a failure the page is to be confirmed, which a poll that is held does late.
    let wait = isRefreshing || page == nil || failures > 0 ? .zero : settings.wait
    isRefreshing = false
    let started = now()
    do {
      let event = try await interruptible { try await self.poll(waiting: wait) }
      failures = 0
      // A server that was asked to hold the poll and did not is asked at intervals, and so is one that lags behind.
      let isHolding =
        switch event {
        case .changed: true
        case .dropped: false
        default: wait == .zero || now() - started >= wait / 2
        }
      schedule(waits: settings.wait > .zero && isHolding)
      return event
    } catch let error as ClientError {
      return .failed(error, retryIn: scheduleRetry(after: error))
    } catch {
      // Ended by a refresh, which is due at once, or by the task's end.
      return nil
    }
  }

  /// Sets when the loop asks next.
  ///
  /// - Parameter waits: Whether the server will hold the poll until there is something new.
  private func schedule(waits: Bool) {
    guard !isRefreshing else { return }
    let chance = self.chance()
    let timing = settings.timing
    due = now() + (waits ? timing.pauseBeforeWaiting(chance: chance) : timing.pause(fresh: fresh, chance: chance))
  }

  private func scheduleRetry(after error: ClientError) -> Duration {
    failures += 1
    var retryAfter: Duration?
    if case .refused(let refusal) = error { retryAfter = refusal.retryAfter }
    let pause = settings.timing.pause(
      failures: failures, retryAfter: retryAfter, chance: self.chance())
    due = now() + pause
    return pause
  }

  /// Does something that a refresh ends.
  private func interruptible<Value: Sendable>(
    _ work: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let task = Task { try await work() }
    interruption = { task.cancel() }
    defer { interruption = nil }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
