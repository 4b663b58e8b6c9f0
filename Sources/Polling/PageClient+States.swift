import Foundation
import HomePayload

extension PageClient {
  /// What polling brings, from what there is to show at once.
  public nonisolated var states: PageStates { PageStates(client: self) }

  /// What there is to show.
  public var state: PageState {
    let standing: PageState.Standing =
      if page == nil { .noData } else if failure != nil { .stale(since: since) } else {
        isConfirmed ? .upToDate : .cached
      }
    return PageState(
      standing: standing, page: page, failure: failure, retryIn: failure == nil ? nil : pauseBeforeNext,
      verification: verification)
  }

  /// Has the loop ask as soon as it may, without waiting: a second after the last poll, and not before what the server asked
  /// for. The user pulled. Refreshes while it asks are one.
  public func refresh() {
    // What is being asked answers this as well.
    if flight == nil { askAnew() }
  }

  /// Forgets the page, here and in the storage, and has the loop ask for the whole one. What the server sends then is shown,
  /// of whatever edition it is.
  public func reset() async {
    await load()
    // Nothing of it throws.
    try? await taking.run { await self.forget() }
    askAnew()
  }

  private func forget() async {
    begin(with: HeldPage())
    await keep(.nothing)
  }

  /// Holds something else. What is under way is for nobody.
  func begin(with page: HeldPage) {
    stopReading()
    lastStarted += 1
    lastTaken = lastStarted
    (held, shown, lists) = (page, nil, [:])
    (isOwn, isConfirmed, since, failure, kept, drops) = (true, false, nil, nil, nil, 0)
  }

  /// Asks again, as soon as it may: who waits for what is under way gets what comes of this.
  func askAnew() {
    if flight != nil { departAnew() }
    isRefreshing = true
    // Who was asked to leave the server alone does.
    if refusalThatHolds == nil { due = min(due, floor) }
    interruption?()
  }

  /// Ends what the loop waits for and has it ask nothing, until the app comes back.
  ///
  /// Returns once the page is kept, so that the system may end the app, or after ``PollTiming/keepMax``.
  public func enterBackground() async {
    isInBackground = true
    interruption?()
    if isConfirmed, let since, since != kept { await keep(held, since) } else { await waitUntilKept() }
  }

  /// Has the loop ask as soon as it may, and go on.
  public func enterForeground() {
    let wasInBackground = isInBackground
    isInBackground = false
    refresh()
    // What is being asked goes on.
    if wasInBackground { interruption?() }
  }

  func next(after last: PageState?) async -> PageState? {
    await load()
    guard let last else { return Task.isCancelled ? nil : state }
    while !Task.isCancelled {
      await pause()
      guard !Task.isCancelled else { break }
      // What was held is shown before anything is asked.
      if !hasToShow { await pollInTurn() }
      hasToShow = false
      var state = self.state
      state.update = update(from: last.page)
      let isOther = state.standing != last.standing || state.verification != last.verification
      if state.update != nil || state.failure != nil || isOther { return state }
    }
    return nil
  }

  private func pause() async {
    while !Task.isCancelled {
      let pause = isInBackground ? .infinity : due - now()
      guard pause > 0, !hasToShow else { return }
      _ = try? await interruptible { try await sleep(pause) }
    }
  }

  /// Asks, and sets when to ask next.
  package func pollInTurn() async {
    await load()
    // What is not confirmed yet is asked for at once: a poll that is held confirms it late.
    let wait = isRefreshing || state.standing != .upToDate ? 0 : settings.wait
    isRefreshing = false
    let started = now()
    let before = newest
    do {
      try await interruptible {
        if wait > 0 { try await self.ask(waiting: wait) } else { try await self.share() }
      }
      failures = 0
      // A server that was asked to hold the poll and did not is asked at intervals.
      let isHeld = settings.wait > 0 && (wait == 0 || newest != before || now() - started >= wait / 2)
      let timing = settings.timing
      schedule(isHeld ? timing.pauseBeforeWaiting(chance: chance()) : timing.pause(fresh: fresh, chance: chance()))
    } catch let error as ClientError where error.isOfOlderEdition {
      // A server that lags behind answers well, but need not be held on to.
      failures = 0
      schedule(settings.timing.pause(fresh: fresh, chance: chance()))
    } catch let error as ClientError {
      failures += 1
      schedule(settings.timing.pause(failures: failures, retryAfter: error.retryAfter, chance: chance()))
    } catch {
      // Ended by a refresh, which is due at once, or by the task's end.
    }
  }

  private func schedule(_ pause: TimeInterval) {
    let pause = max(pause, floor - now())
    pauseBeforeNext = pause
    if !isRefreshing { due = now() + pause }
  }

  /// Does something that a refresh ends.
  private func interruptible(_ work: @escaping @Sendable () async throws -> Void) async throws {
    let task = Task { try await work() }
    interruption = { task.cancel() }
    defer { interruption = nil }
    try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }
}
