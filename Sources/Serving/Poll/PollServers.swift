package import HTTPServer
import Synchronization

/// The servers whose loops answer polls.
package final class PollServers: Sendable {
  private let servers = Mutex<[String: Server]>([:])

  /// Adds a server that has begun.
  package func add(_ server: Server, _ name: String) { servers.withLock { $0[name] = server } }

  /// What goes over each listener, by its name.
  package func traffic() async -> [String: Traffic] {
    var traffic: [String: Traffic] = [:]
    for (name, server) in servers.withLock({ $0 }) { traffic[name] = await server.traffic() }
    return traffic
  }

  /// Has every loop serve the newest lineup, and returns when all do.
  func takeNewestLineup() async {
    for server in servers.withLock({ Array($0.values) }) { await server.takeNewestLineup() }
  }
}

/// What answers polls, be it among others.
package protocol PollAnswering: RequestHandler {
  /// What answers the polls.
  var polls: PollHandler { get }
}

extension Server {
  fileprivate func takeNewestLineup() async {
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
    let isTrue = Atomic(false)
    await onEveryLoop { loop, handler in
      guard let handler = (handler as? any PollAnswering)?.polls else { return }
      if body(loop, handler) { isTrue.store(true, ordering: .relaxed) }
    }
    return isTrue.load(ordering: .relaxed)
  }
}
