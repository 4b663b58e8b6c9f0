public import Logging
import Synchronization

/// An HTTP/1.1 server: some loops, each with its own listening sockets, connections and handler.
public final class Server: Sendable {
  /// The port that it listens on.
  public let port: UInt16
  private let mailboxes: [Mailbox]
  private let admission: Admission
  private let pending: PendingBytes
  private let logger: Logger

  /// Starts a server. It takes connections when this returns.
  ///
  /// - Parameters:
  ///   - name: What its threads are called, at most 10 letters.
  ///   - sockets: Where connections come from; now the server's own. Those of each address are dealt out to the loops in
  ///     turn.
  ///   - loops: How many threads, at least 1; loops without a socket of their own share one.
  ///   - limits: What clients are allowed.
  ///   - clock: Where the time comes from.
  ///   - logger: Logs overload.
  ///   - makeHandler: Makes a loop's handler, on that loop's thread.
  public init(
    name: String = "http", sockets: ListeningSockets, loops: Int, limits: Limits = Limits(), clock: Clock = .system,
    logger: Logger, makeHandler: @escaping @Sendable (EventLoop) -> any RequestHandler
  ) throws(SystemError) {
    port = sockets.port
    admission = Admission(limits: limits)
    pending = PendingBytes(limits: limits)
    self.logger = logger
    var mailboxes: [Mailbox] = []
    var started: [EventLoop] = []
    for listening in try sockets.spread(over: max(loops, 1)) {
      let mailbox = try Mailbox()
      mailboxes.append(mailbox)
      pending.join(mailbox)
      started.append(
        try EventLoop(
          listening: listening, limits: limits, admission: admission, pending: pending, clock: clock, logger: logger,
          mailbox: mailbox))
    }
    self.mailboxes = mailboxes
    for (number, loop) in started.enumerated() {
      // From here on only its own thread uses the loop.
      nonisolated(unsafe) let loop = loop
      do throws(SystemError) {
        try Linux.startThread("\(name)-\(number)") { unsafe loop.run(makeHandler: makeHandler) }
      } catch {
        // A server with fewer loops than listening sockets would leave clients waiting: those that run end again.
        for mailbox in mailboxes[..<number] { mailbox.post { $0.finish() } }
        throw error
      }
    }
  }

  /// Octets that wait for clients now, and of requests that are not whole.
  public var pendingBytes: Int { pending.count }

  /// Connections open now.
  public var connectionCount: Int { admission.count }

  /// How many there may be at once.
  public var connectionsMax: Int { admission.connectionsMax }

  /// Runs `body` on every loop, between two requests, with that loop's handler, and returns when all have.
  ///
  /// This is how something new is swapped in: a request that is read after the return is answered with it.
  public func onEveryLoop(_ body: @escaping @Sendable (EventLoop, any RequestHandler) -> Void) async {
    await withTaskGroup(of: Void.self) { group in
      for mailbox in mailboxes {
        group.addTask {
          await withCheckedContinuation { continuation in
            let accepted = mailbox.post { loop in
              if let handler = loop.handler { body(loop, handler) }
              continuation.resume()
            }
            if !accepted { continuation.resume() }
          }
        }
      }
    }
  }

  /// Ends the server: takes no more connections, finishes what is in flight with `Connection: close`, and cuts what is
  /// left when `grace` is over.
  ///
  /// - Parameters:
  ///   - grace: How long all of it may take.
  ///   - idle: How long a connection that is idle is kept for the request that may be on its way, in whole seconds
  ///     rounded up.
  public func drain(grace: Duration, idle: Duration = .seconds(1)) async {
    await onEveryLoop { loop, _ in loop.drain(idle: idle) }
    let end = ContinuousClock.now + grace
    // A cancelled task does not sleep: it would take the processor from those who finish what is in flight.
    await Task { [self] in
      while connectionCount > 0, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(5)) }
    }.value
    if connectionCount > 0 {
      logger.notice("connections are cut", metadata: ["count": "\(connectionCount)"])
    }
    await onEveryLoop { loop, _ in loop.finish() }
  }
}
