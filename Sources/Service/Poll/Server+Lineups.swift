import HTTPServer
import Synchronization

/// How another lineup gets to the loops that answer polls.
extension Server {
  /// Has every loop serve the newest lineup, and returns when all do.
  func takeNewestLineup() async {
    let hasMore = await onEveryPollLoop { loop, handler in
      handler.takeNewest(on: loop)
      handler.releaseGivenUp()
      return handler.renewShapes(on: loop)
    }
    guard hasMore else { return }
    // Where many shapes are known they go on a part at a time, with polls in between.
    Task { while await onEveryPollLoop({ loop, handler in handler.renewShapes(on: loop) }) {} }
  }

  /// - Returns: Whether `body` returned true on some loop.
  private func onEveryPollLoop(_ body: @escaping @Sendable (EventLoop, PollHandler) -> Bool) async -> Bool {
    let isTrue = Shared(false)
    await onEveryLoop { loop, handler in
      guard let handler = handler as? PollHandler ?? (handler as? DemoHandler)?.polls else { return }
      if body(loop, handler) { isTrue.value.store(true, ordering: .relaxed) }
    }
    return isTrue.value.load(ordering: .relaxed)
  }

  private final class Shared: Sendable {
    let value: Atomic<Bool>

    init(_ value: Bool) { self.value = Atomic(value) }
  }
}
