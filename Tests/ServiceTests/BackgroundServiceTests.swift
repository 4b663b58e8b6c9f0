import Synchronization
import Testing

@testable import Serving

/// What works beside polls.
@Suite struct BackgroundServiceTests {
  /// A service whose turns last until they are let go.
  private final class Recorder: BackgroundService {
    let wake = Wake()
    let story = Mutex<[String]>([])
    let mayGoOn = Wake()
    let dueCount: Mutex<Int>

    init(due: Int = 0) { dueCount = Mutex(due) }

    var isDue: Bool {
      dueCount.withLock { count in
        count -= 1
        return count >= 0
      }
    }

    func start() async { tell("start") }

    func turn() async {
      tell("turn")
      _ = await mayGoOn.next()
    }

    func end() async { tell(Task.isCancelled ? "end of a cancelled task" : "end") }

    private func tell(_ what: String) { story.withLock { $0.append(what) } }

    func waits(for expected: [String]) async throws { try await waitUntil { story.withLock { $0 } == expected } }
  }

  @Test func `a service starts, takes a turn at once and one at each call, and ends`() async throws {
    let service = Recorder()
    let task = Task { await service.run() }
    try await service.waits(for: ["start", "turn"])
    // All of them come while it has its turn.
    for _ in 0..<5 { service.wake() }
    service.mayGoOn()
    try await service.waits(for: ["start", "turn", "turn"])
    service.mayGoOn()
    service.wake()
    try await service.waits(for: ["start", "turn", "turn", "turn"])
    // The last turn is cancelled.
    task.cancel()
    await task.value
    #expect(service.story.withLock { $0 } == ["start", "turn", "turn", "turn", "end"])
  }

  @Test func `a service that is cancelled before its first turn starts and ends`() async {
    let service = Recorder()
    let mayBegin = Wake()
    let task = Task {
      // Until it is cancelled.
      _ = await mayBegin.next()
      await service.run()
    }
    task.cancel()
    await task.value
    #expect(service.story.withLock { $0 } == ["start", "end"])
  }

  @Test func `who is due is woken, and who is not rests`() async throws {
    let (due, resting) = (Recorder(due: 2), Recorder())
    let services: [any BackgroundService] = [due, resting]
    let tasks = services.map { service in Task { await service.run() } }
    try await due.waits(for: ["start", "turn"])
    try await resting.waits(for: ["start", "turn"])
    for service in [due, resting] { service.mayGoOn() }
    let clock = Task { await services.wakeEachSecond() }
    for turns in 2...3 {
      try await due.waits(for: ["start"] + Array(repeating: "turn", count: turns))
      due.mayGoOn()
    }
    // It has been asked once more, and was not due.
    try await waitUntil { due.dueCount.withLock { $0 } < 0 }
    #expect(resting.story.withLock { $0 } == ["start", "turn"])
    for task in tasks + [clock] { task.cancel() }
    for task in tasks + [clock] { await task.value }
    #expect(due.story.withLock { $0 } == ["start", "turn", "turn", "turn", "end"])
  }
}
