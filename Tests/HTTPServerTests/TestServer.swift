import Glibc
import HTTPServer
import Logging
import Synchronization
import Testing

/// Answers with what it was asked, and waits when asked to.
final class TestHandler: RequestHandler {
  private let observed: Observed
  private var parked: [ExchangeID] = []
  var edition = "first"

  init(observed: Observed) {
    self.observed = observed
  }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let path = request.path.string
    switch path {
    case "/edition": return .response(Response(200, text: edition))
    case "/large": return .response(Response(200, body: Observed.large))
    case "/medium": return .response(Response(200, body: Observed.medium))
    case "/ready": return .ready(observed.ready)
    case "/large-ready": return .ready(Observed.largeReady)
    case "/later": return later(request, on: loop)
    case "/tagged": return .response(tagged(request))
    case "/coding":
      return .response(
        Response(200, text: request.acceptedCodings.preferred(among: [.gzip, .identity]).map { "\($0)" } ?? "nil"))
    case "/parked":
      parked.append(request.exchange)
      observed.parked.add(1, ordering: .sequentiallyConsistent)
      return .parked(until: loop.now + (Int64(request.query.string) ?? 60) * 1_000_000_000)
    default:
      let query = request.query.count > 0 ? "?" + request.query.string : ""
      let text = "\(request.methodToken.string) \(request.authority.string) \(path)\(query) \(request.body.string)"
      return .response(Response(200, text: text))
    }
  }

  private func tagged(_ request: borrowing Request) -> Response {
    let tag = "\"a\""
    let fields = [ResponseField("ETag", tag)]
    return switch request.precondition(tag.utf8.span) {
    case .proceed: Response(200, text: "tagged", fields: fields)
    case .notModified: Response(304, fields: fields)
    case .failed: Response(412, text: "failed", fields: fields)
    }
  }

  private func later(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let ticket = loop.ticket(for: request.exchange)
    let text = "later " + request.query.string
    observed.tickets.withLock { $0.append((ticket, text)) }
    return .later
  }

  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    observed.resumed.add(1, ordering: .sequentiallyConsistent)
    return .response(Response(200, text: "\(edition) \(reason)"))
  }

  func forget(_ exchange: ExchangeID, on loop: EventLoop) {
    parked.removeAll { $0 == exchange }
    observed.forgotten.add(1, ordering: .sequentiallyConsistent)
  }

  func wakeAll(on loop: EventLoop) {
    loop.wake(parked)
    parked = []
  }
}

/// What a test can see of its server's handlers.
final class Observed: Sendable {
  let parked = Atomic<Int>(0)
  let resumed = Atomic<Int>(0)
  let forgotten = Atomic<Int>(0)
  let tickets = Mutex<[(Ticket, String)]>([])
  let ready = ReadyResponse(
    200, fields: [ResponseField("ETag", "\"a\"")], body: Array("ready".utf8),
    freshness: Freshness(maxAge: 30, flip: 1_000_000_000_000_000_000),
    caching: CacheDirectives(before: "public, ", after: ", stale-if-error=1"))
  static let large = [UInt8](repeating: 0x62, count: 20_000_000)
  static let medium = [UInt8](repeating: 0x6D, count: 20_000)
  static let largeReady = ReadyResponse(200, fields: [], body: large)

  var parkedCount: Int { parked.load(ordering: .sequentiallyConsistent) }
  var resumedCount: Int { resumed.load(ordering: .sequentiallyConsistent) }
  var forgottenCount: Int { forgotten.load(ordering: .sequentiallyConsistent) }
  var ticketCount: Int { tickets.withLock { $0.count } }

  /// The first ticket, which the test completes itself.
  func takeTicket() -> Ticket? {
    tickets.withLock { $0.isEmpty ? nil : $0.removeFirst().0 }
  }

  /// Completes all that was postponed; false when nothing was.
  func completeAll() -> Bool {
    let tickets = tickets.withLock { tickets in
      defer { tickets = [] }
      return tickets
    }
    for (ticket, text) in tickets { ticket.complete(Response(200, text: text)) }
    return !tickets.isEmpty
  }
}

/// A clock that stands still until it is moved.
final class TestClock: Sendable {
  private let nanoseconds = Atomic<Int64>(1_000_000_000)
  static let epoch: Int64 = 999_999_980

  var clock: Clock {
    Clock {
      let passed = self.nanoseconds.load(ordering: .sequentiallyConsistent)
      return (Self.epoch * 1_000_000_000 + passed - 1_000_000_000, passed)
    }
  }

  func advance(seconds: Int64) { advance(milliseconds: seconds * 1_000) }

  func advance(milliseconds: Int64) {
    nanoseconds.add(milliseconds * 1_000_000, ordering: .sequentiallyConsistent)
  }
}

/// A server on a free port for the length of a test.
func withServer<Result>(
  _ limits: Limits = testLimits, loops: Int = 1, clock: Clock = .system,
  _ body: (Server, Observed) async throws -> Result
) async throws -> Result {
  let observed = Observed()
  let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: loops)
  var logger = Logger(label: "test")
  logger.logLevel = .critical
  let server = try Server(sockets: sockets, loops: loops, limits: limits, clock: clock, logger: logger) { _ in
    TestHandler(observed: observed)
  }
  do {
    let result = try await body(server, observed)
    await server.drain(grace: .zero)
    return result
  } catch {
    await server.drain(grace: .zero)
    throw error
  }
}

/// Waits until `condition` holds, leaving the processor to others in between.
func eventually(_ condition: () async -> Bool) async {
  let end = ContinuousClock.now + .seconds(120)
  while ContinuousClock.now < end {
    if await condition() { return }
    try? await Task.sleep(for: .milliseconds(1))
  }
  Issue.record("the condition did not come about")
}
