import Foundation
public import Layout
import Synchronization

/// Makes `br` of what clients ask for with it: one after the other, on a thread that gives way to all others.
///
/// The best quality takes tens of milliseconds, and where publishes come faster not everything can be had: bodies of the
/// newest edition come first, and what has been superseded or given up before its turn is dropped. Nobody waits for it but
/// a client that takes nothing else.
public final class BrotliQueue: Sendable {
  /// A body to compress. The queue does not keep it alive: it ends once no client can get it.
  private final class Job {
    weak let body: CodedBody?
    /// When its edition was made ready.
    let madeAt: Instant
    let size: Int
    /// Called once it is made, for clients that accept no other coding; they keep the body alive.
    var waiting: [@Sendable () -> Void] = []
    /// Called once the body is made, for those who prepared it before anybody asked.
    var whenMade: [@Sendable () -> Void] = []
    private let charge: ByteCharge

    init(_ body: CodedBody, madeAt: Instant) {
      self.body = body
      self.madeAt = madeAt
      size = body.identitySize
      charge = ByteCharge(Self.ownBytes, in: body.budget)
    }

    private static let ownBytes = 192

    /// Those that somebody waits for, then the newest edition's, and change sets before pages.
    func comesBefore(_ other: Job) -> Bool {
      if waiting.isEmpty != other.waiting.isEmpty { return other.waiting.isEmpty }
      return madeAt == other.madeAt ? size < other.size : madeAt > other.madeAt
    }
  }

  private struct State {
    var jobs: [ObjectIdentifier: Job] = [:]
    var isWorking = false
  }

  private let state = Mutex(State())
  /// A look without the lock, for polls.
  private let isFull = Atomic(false)
  private let jobsMax: Int
  /// How long it took to make each.
  public let times = Histogram()

  /// Makes an empty queue.
  ///
  /// - Parameter jobsMax: The most bodies that may wait.
  init(jobsMax: Int) { self.jobsMax = max(jobsMax, 1) }

  /// The bodies that wait, the one that is being made among them.
  public var count: Int { state.withLock { $0.jobs.count } }

  /// Has `br` made of a body, unless that was asked for before or too many wait. Returns at once; without a lock but the
  /// first time.
  ///
  /// - Parameter madeAt: When the body's edition was made ready.
  public func ask(for body: CodedBody, madeAt: Instant) {
    guard !isFull.load(ordering: .relaxed), body.isFirstToAsk() else { return }
    if !insert(body, madeAt, then: nil) { body.forgetAsking() }
  }

  /// Has `br` made of a body whose clients took it of what the body takes the place of, so that none of them has to ask. Not on a
  /// loop.
  ///
  /// - Parameter made: Called when it is made, if anybody still has the body; never where too many wait.
  public func prepare(_ body: CodedBody, madeAt: Instant, then made: @escaping @Sendable () -> Void) {
    // Whoever asks for it from here on has not asked first.
    _ = body.isFirstToAsk()
    if !insert(body, madeAt, then: nil, whenMade: made) { body.forgetAsking() }
  }

  /// Has `br` made of a body for a client that takes nothing else.
  ///
  /// - Parameter finish: Called when it is made. It has to keep the body.
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  public func ask(for body: CodedBody, madeAt: Instant, then finish: @escaping @Sendable () -> Void) -> Bool {
    insert(body, madeAt, then: finish)
  }

  private func insert(
    _ body: CodedBody, _ madeAt: Instant, then finish: (@Sendable () -> Void)?,
    whenMade made: (@Sendable () -> Void)? = nil
  ) -> Bool {
    let (isTaken, starts) = state.withLock { state in
      let name = ObjectIdentifier(body)
      if state.jobs[name]?.body == nil {
        if state.jobs.count >= jobsMax { state.jobs = state.jobs.filter { $0.value.body != nil } }
        guard state.jobs.count < jobsMax else {
          isFull.store(true, ordering: .relaxed)
          return (false, false)
        }
        state.jobs[name] = Job(body, madeAt: madeAt)
      }
      if let finish { state.jobs[name]?.waiting.append(finish) }
      if let made { state.jobs[name]?.whenMade.append(made) }
      defer { state.isWorking = true }
      return (true, !state.isWorking)
    }
    if starts { Thread.detachNewThread { [self] in work() } }
    return isTaken
  }

  /// Makes what waits, until nothing does.
  private func work() {
    // A twentieth of a loop's share of a core where both want it.
    setpriority(Int32(PRIO_PROCESS.rawValue), 0, 15)
    while let body = next() {
      let started = ContinuousClock.now
      body.makeBrotli()
      times.note(.now - started)
      let job = state.withLock { $0.jobs.removeValue(forKey: ObjectIdentifier(body)) }
      for finish in (job?.whenMade ?? []) + (job?.waiting ?? []) { finish() }
    }
  }

  private func next() -> CodedBody? {
    state.withLock { state in
      state.jobs = state.jobs.filter { $0.value.body != nil }
      if state.jobs.count <= jobsMax / 2 { isFull.store(false, ordering: .relaxed) }
      // It may be over by now: then it is gone at the next look.
      while let job = state.jobs.min(by: { $0.value.comesBefore($1.value) }) {
        if let body = job.value.body { return body }
        state.jobs[job.key] = nil
      }
      state.isWorking = false
      return nil
    }
  }

  /// Drops all waiting jobs, at the end of the process.
  public func stop() { state.withLock { $0.jobs = [:] } }
}
