public import HTTPClient
public import Logging
import Synchronization
import Tracing

/// What is set for traces.
public struct TraceSettings: Sendable {
  /// Where they are sent: the address of a collector for OTLP/HTTP, path included; `nil` for nowhere.
  public var to: OutgoingURL?
  /// The share of traces that begin here and are sent, 0 to 100.
  public var percent = 100
  /// How many spans may wait; the oldest are dropped.
  public var waitingMax = 4_096

  /// The default settings.
  public init() {}
}

/// Records what a process does, and sends it to a collector. Nobody waits for that one: what it does not take waits, is
/// bounded, and is dropped and counted at last.
public final class Traces: Sendable {
  /// How long the end of the process waits for the last spans to be taken.
  public static let lastWait = Duration.seconds(2)
  /// The most spans of a request.
  static let batchMax = 512
  private static let interval = Duration.seconds(1)
  /// The most time between two tries.
  private static let retryMax = Duration.seconds(30)
  /// What OTLP/HTTP has tried again.
  private static let transientStatuses = [429, 502, 503, 504]

  private let url: OutgoingURL
  private let client: HTTPClient
  private let queue: SpanQueue
  private let request: TraceRequest
  private let logger: Logger
  private let failure = Mutex<String?>(nil)
  package let recorder: TraceRecorder

  /// - Parameters:
  ///   - url: Where they are sent.
  ///   - outgoing: How requests are sent.
  ///   - version: That of the program.
  ///   - node: What operators call this one.
  /// - Throws: ``HTTPClientFailure`` where there is no libcurl, or the address may not be sent to, as far as that can be
  ///   told without a look-up.
  public init(
    to url: OutgoingURL, _ settings: TraceSettings, outgoing: HTTPClientSettings, version: String, node: String,
    logger: Logger
  ) throws(HTTPClientFailure) {
    self.url = url
    self.logger = logger
    client = try HTTPClient(outgoing, program: "hearth/\(version)")
    if let refusal = client.refusal(of: url) { throw refusal }
    queue = SpanQueue(waitingMax: settings.waitingMax)
    request = TraceRequest(resource: [
      ("service.name", "hearth"), ("service.version", version), ("service.instance.id", node),
    ])
    recorder = TraceRecorder(queue: queue, percent: settings.percent)
  }

  /// Has all of the process recorded from now on; at most once in a process.
  public func begin() { InstrumentationSystem.bootstrap(recorder) }

  /// How many spans the collector has taken, and how many it will never get.
  public var counts: (sent: Int, dropped: Int) { queue.counts }

  /// Sends until the task is cancelled, and then what is left. Returns at most ``lastWait`` after that, also while the
  /// collector hangs.
  public func run() async {
    let sending = Task { await sendUntilCancelled() }
    let (ends, end) = AsyncStream.makeStream(of: Bool.self)
    Task { end.yield(await sending.value) }
    let isAllSent = await withTaskCancellationHandler {
      // In a task of its own: in one that is cancelled, a stream does not wait.
      await Task { await ends.first { _ in true } ?? false }.value
    } onCancel: {
      sending.cancel()
      Task {
        try? await Task.sleep(for: Self.lastWait)
        end.yield(false)
      }
    }
    if !isAllSent { logger.warning("the last spans of traces were not taken", metadata: ["to": "\(url.text)"]) }
  }

  /// - Returns: Whether nothing is left.
  private func sendUntilCancelled() async -> Bool {
    // What the collector has not taken, and may take the next time.
    var batch: [FinishedSpan] = []
    var pause = Self.interval
    while true {
      // What ends after the cancellation is not waited for.
      let isLast = Task.isCancelled
      while true {
        if batch.isEmpty { batch = queue.take(Self.batchMax) }
        guard !batch.isEmpty, await send(batch) else { break }
        batch = []
      }
      pause = batch.isEmpty ? Self.interval : min(pause * 2, Self.retryMax)
      if isLast { return batch.isEmpty }
      try? await Task.sleep(for: pause)
    }
  }

  /// - Returns: Whether it need not be sent again.
  private func send(_ batch: [FinishedSpan]) async -> Bool {
    let status: Int
    do throws(HTTPClientFailure) {
      status = try await client.post(url, fields: [("Content-Type", "application/json")], body: request.body(batch))
    } catch {
      note(failure: error.description)
      return false
    }
    guard !(200...299).contains(status) else {
      queue.noteSent(batch.count)
      note(failure: nil)
      return true
    }
    note(failure: "the collector answered \(status)")
    guard !Self.transientStatuses.contains(status) else { return false }
    queue.noteDropped(batch.count)
    return true
  }

  private func note(failure new: String?) {
    let old = failure.withLock { failure in
      defer { failure = new }
      return failure
    }
    guard new != old else { return }
    if let new {
      logger.warning("traces are not taken", metadata: ["to": "\(url.text)", "reason": "\(new)"])
    } else {
      logger.notice("traces are taken again")
    }
  }
}
