import Foundation

/// A part of a server that works beside its polls: it starts, takes one turn after the other, and ends.
///
/// A turn comes when the service is woken: by ``wake``, by whoever has something for it, or because it says that it is
/// due. Nothing waits for it: each has a task of its own.
package protocol BackgroundService: Sendable {
  /// Leads to a turn.
  var wake: Wake { get }
  /// Whether there is something to do by now. It is asked each second, since the time of day may be set, and told from
  /// memory alone.
  var isDue: Bool { get }
  /// Comes before the first turn.
  func start() async
  /// Does what there is to do. The first turn comes at once; the last one is cancelled.
  func turn() async
  /// Comes after the last turn, in a task that is not cancelled: the database takes nothing from one that is.
  func end() async
}

extension BackgroundService {
  package var isDue: Bool { false }
  package func start() async {}
  package func end() async {}

  /// Has it run until the task is cancelled; returns when it has ended.
  package func run() async {
    await start()
    wake()
    while await wake.next() { await turn() }
    await Task { await end() }.value
  }
}

/// Leads to a turn of a service. Several that come during one turn lead to one more.
package final class Wake: Sendable {
  private let calls: AsyncStream<Void>
  private let calling: AsyncStream<Void>.Continuation

  package init() { (calls, calling) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1)) }

  package func callAsFunction() { calling.yield() }

  /// Waits for the next call.
  ///
  /// - Returns: Whether there was one: the task may be cancelled.
  func next() async -> Bool {
    guard !Task.isCancelled else { return false }
    return await calls.first { _ in true } != nil && !Task.isCancelled
  }
}

extension Sequence where Element == any BackgroundService {
  /// Wakes at the beginning of each second the services that are due, until the task is cancelled: the only loop of a
  /// server that goes by the clock.
  package func wakeEachSecond() async {
    while !Task.isCancelled {
      for service in self where service.isDue { service.wake() }
      try? await Task.sleep(for: .untilNextSecond)
    }
  }
}

extension ContinuousClock.Instant {
  /// Whether it has come, for a service: one that is asked each second takes what comes within half a second, so that
  /// intervals of whole seconds do not grow by one.
  package var hasCome: Bool { self <= .now + .milliseconds(500) }
}

extension Duration {
  /// The time that is left of this second of the clock.
  fileprivate static var untilNextSecond: Duration {
    let now = Date().timeIntervalSince1970
    return .milliseconds(Int64((1 - (now - now.rounded(.down))) * 1_000) + 1)
  }
}
