import Foundation
import Synchronization

/// Transactions that wait for a connection, first come first served, and the threads that run them.
///
/// A transaction stays in the queue until there is a connection for it: however long connecting takes, or the look-up of a
/// host's name, which nothing bounds, it is refused at its deadline.
final class PostgreSQLJobs: Sendable {
  /// One transaction. Either `run` or `refuse` is called, once.
  struct Job: Sendable {
    let deadline: ContinuousClock.Instant
    let run: @Sendable (PostgreSQLSession) -> Void
    let refuse: @Sendable (PostgreSQLError) -> Void
  }

  private struct State {
    var waiting: [Job] = []
    /// The threads that run, and those of them that wait for something to do.
    var threads = 0
    var idle = 0
    var isWatched = false
    var isClosed = false
  }

  private let place: ConnectionString
  private let settings: PostgreSQLSettings
  private let state = Mutex(State())
  /// Signalled for every job, and for every thread at the end.
  private let comes = DispatchSemaphore(value: 0)

  init(_ place: ConnectionString, _ settings: PostgreSQLSettings) {
    self.place = place
    self.settings = settings
  }

  func add(_ job: Job) {
    let (refusal, starts, watches) = state.withLock { state -> (PostgreSQLError?, Bool, Bool) in
      guard !state.isClosed else { return (PostgreSQLError(.closed, "the database was closed"), false, false) }
      guard state.waiting.count < settings.waitingMax else { return (Self.busy, false, false) }
      state.waiting.append(job)
      let starts = state.idle < state.waiting.count && state.threads < settings.connectionsMax
      if starts { state.threads += 1 }
      defer { state.isWatched = true }
      return (nil, starts, !state.isWatched)
    }
    if let refusal { return job.refuse(refusal) }
    if starts { Thread.detachNewThread { [self] in work() } }
    if watches { Task { await watch() } }
    comes.signal()
  }

  private static let busy = PostgreSQLError(.busy, "no connection became free in time")

  func close() {
    let (waiting, threads) = state.withLock { state in
      defer { state.waiting = [] }
      state.isClosed = true
      return (state.waiting, state.threads)
    }
    for job in waiting { job.refuse(PostgreSQLError(.closed, "the database was closed")) }
    for _ in 0..<threads { comes.signal() }
  }

  /// What one thread does, with one connection.
  private func work() {
    let session = PostgreSQLSession(place, settings)
    while true {
      state.withLock { $0.idle += 1 }
      comes.wait()
      let isClosed = state.withLock { state in
        state.idle -= 1
        return state.isClosed
      }
      if isClosed { return }
      // Nobody may wait any more: each was refused at its deadline.
      guard state.withLock({ !$0.waiting.isEmpty }) else { continue }
      do {
        try session.connect(until: .now + settings.connectTimeout)
        next()?.run(session)
      } catch {
        next()?.refuse(error)
      }
    }
  }

  private func next() -> Job? {
    state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
  }

  /// Looks after deadlines, to a tenth of a second, for as long as anyone waits.
  private func watch() async {
    while true {
      try? await Task.sleep(for: .milliseconds(100))
      let now = ContinuousClock.now
      let (overdue, isDone) = state.withLock { state in
        let overdue = state.waiting.filter { $0.deadline <= now }
        state.waiting.removeAll { $0.deadline <= now }
        if state.waiting.isEmpty { state.isWatched = false }
        return (overdue, state.waiting.isEmpty)
      }
      for job in overdue { job.refuse(Self.busy) }
      if isDone { return }
    }
  }
}
