import HTTPClient
import HTTPServer
import JSON
import Logging
import Peers
import Synchronization
import Testing
import Tracing

@testable import Traces

/// What is recorded, and what becomes of it, against a collector that listens.
@Suite struct TracesTests {
  private func traces(
    port: UInt16, percent: Int = 100, waitingMax: Int = 100, timeout: Duration = .seconds(5)
  ) throws -> Traces {
    var settings = TraceSettings()
    settings.percent = percent
    settings.waitingMax = waitingMax
    var outgoing = HTTPClientSettings()
    outgoing.addressesAllowed = try #require(AddressRanges(["127.0.0.1"]))
    outgoing.timeout = timeout
    var logger = Logger(label: "traces")
    logger.logLevel = .critical
    return try Traces(
      to: try #require(OutgoingURL("http://127.0.0.1:\(port)/v1/traces")), settings, outgoing: outgoing,
      version: "1.2.3", node: "a", logger: logger)
  }

  private func record(_ count: Int = 1, in traces: Traces) {
    for number in 0..<count { traces.recorder.withSpan("span \(number)") { _ in } }
  }

  /// The names of the spans of requests.
  private func names(_ requests: [Receiver.Received]) throws -> [String] {
    try requests.flatMap { request in
      let spans = try JSON.parse(request.body)["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]
      return (spans?.array ?? []).compactMap { $0["name"]?.string }
    }
  }

  /// Sends, has what it does come about, and ends.
  private func sending(_ traces: Traces, until condition: () -> Bool = { true }) async throws {
    let task = Task { await traces.run() }
    while !condition() { try await Task.sleep(for: .milliseconds(10)) }
    task.cancel()
    await task.value
  }

  @Test func `a request is what OTLP has in JSON`() async throws {
    let receiver = try Receiver()
    let traces = try traces(port: receiver.port)
    traces.recorder.withSpan("outer", ofKind: .server) { outer in
      outer.attributes["text"] = "a \"b\""
      outer.attributes["number"] = 7
      outer.addEvent("its turn")
      try? traces.recorder.withSpan("inner", context: outer.context) { _ in
        throw HTTPClientFailure.unknownHost("secret")
      }
    }
    try await sending(traces)
    let request = try #require(receiver.received.first)
    #expect(request.target == "/v1/traces")
    #expect(request.fields["content-type"] == "application/json")
    let resources = try #require(try JSON.parse(request.body)["resourceSpans"]?.array?.first)
    #expect(
      resources["resource"]
        == [
          "attributes": [
            ["key": "service.name", "value": ["stringValue": "hearth"]],
            ["key": "service.version", "value": ["stringValue": "1.2.3"]],
            ["key": "service.instance.id", "value": ["stringValue": "a"]],
          ]
        ])
    let spans = try #require(resources["scopeSpans"]?.array?.first?["spans"]?.array)
    #expect(spans.compactMap { $0["name"]?.string } == ["inner", "outer"])
    let (inner, outer) = (spans[0], spans[1])
    #expect(inner["traceId"] == outer["traceId"])
    #expect(outer["traceId"]?.string?.count == 32)
    #expect(inner["parentSpanId"] == outer["spanId"])
    #expect(outer["parentSpanId"] == nil)
    #expect(outer["kind"] == 2)
    #expect(inner["kind"] == 1)
    #expect(
      outer["attributes"]
        == [
          ["key": "number", "value": ["intValue": "7"]], ["key": "text", "value": ["stringValue": "a \"b\""]],
        ])
    #expect(outer["events"]?.array?.first?["name"] == "its turn")
    #expect(inner["status"] == ["code": 2])
    #expect(outer["status"] == nil)
    let times = try ["startTimeUnixNano", "endTimeUnixNano"].map { name in
      try #require(outer[name]?.string.flatMap { UInt64($0) })
    }
    #expect(times[0] > 1_700_000_000_000_000_000)
    #expect(times[0] <= times[1])
    // An error says what an operator wrote; only its type is told.
    #expect(!String(decoding: request.body, as: UTF8.self).contains("secret"))
    #expect(String(decoding: request.body, as: UTF8.self).contains("HTTPClientFailure"))
    #expect(traces.counts == (sent: 2, dropped: 0))
    await receiver.stop()
  }

  /// A carrier.
  private struct Fields: Extractor, Injector {
    func extract(key: String, from fields: [String: String]) -> String? { fields[key] }
    func inject(_ value: String, forKey key: String, into fields: inout [String: String]) { fields[key] = value }
  }

  @Test(arguments: [0, 100]) func `whoever began a trace says whether it is recorded; of others a share is`(
    percent: Int
  )
    async throws
  {
    let receiver = try Receiver()
    let traces = try traces(port: receiver.port, percent: percent)
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736"
    for (name, flags) in [("recorded", "01"), ("unrecorded", "00")] {
      var context = ServiceContext.topLevel
      let field = ["traceparent": "00-\(trace)-00f067aa0ba902b7-\(flags)"]
      traces.recorder.extract(field, into: &context, using: Fields())
      traces.recorder.withSpan(name, context: context) { span in
        #expect(span.isRecording == (flags == "01"))
        // What is not recorded is told to others as well, so that no part of it is.
        var fields: [String: String] = [:]
        traces.recorder.inject(span.context, into: &fields, using: Fields())
        #expect(fields["traceparent"]?.hasPrefix("00-\(trace)-") == true)
        #expect(fields["traceparent"]?.hasSuffix("-\(flags)") == true)
        traces.recorder.withSpan(name + " part", context: span.context) { _ in }
      }
    }
    record(20, in: traces)
    try await sending(traces)
    let own = percent == 0 ? [] : (0..<20).map { "span \($0)" }
    #expect(try names(receiver.received) == ["recorded part", "recorded"] + own)
    await receiver.stop()
  }

  @Test func `what waits is bounded: the oldest spans are dropped, and counted`() {
    let queue = SpanQueue(waitingMax: 3)
    let recorder = TraceRecorder(queue: queue, percent: 100)
    for number in 0..<5 { recorder.withSpan("\(number)") { _ in } }
    #expect(queue.counts == (sent: 0, dropped: 2))
    #expect(queue.take(2).map(\.name) == ["2", "3"])
    for number in 5..<7 { recorder.withSpan("\(number)") { _ in } }
    #expect(queue.counts == (sent: 0, dropped: 2))
    #expect(queue.take(9).map(\.name) == ["4", "5", "6"])
    #expect(queue.take(9).isEmpty)
  }

  private func receiver(answeringFirst first: Status) throws -> Receiver {
    let isFirst = Mutex(true)
    return try Receiver { _ in
      Response(
        isFirst.withLock { isFirst -> Status in
          defer { isFirst = false }
          return isFirst ? first : 200
        })
    }
  }

  @Test func `a collector that is busy gets the same spans again, in requests of a bounded size`() async throws {
    let receiver = try receiver(answeringFirst: 503)
    let traces = try traces(port: receiver.port, waitingMax: 2_000)
    record(1_000, in: traces)
    try await sending(traces) { traces.counts.sent == 1_000 }
    #expect(receiver.received[0].body == receiver.received[1].body)
    #expect(try names(Array(receiver.received.dropFirst())) == (0..<1_000).map { "span \($0)" })
    #expect(receiver.received.count == 3)
    #expect(traces.counts == (sent: 1_000, dropped: 0))
    await receiver.stop()
  }

  @Test func `what a collector refuses is dropped and counted, and the next is sent`() async throws {
    let receiver = try receiver(answeringFirst: 400)
    let traces = try traces(port: receiver.port, waitingMax: 2_000)
    record(600, in: traces)
    try await sending(traces)
    #expect(traces.counts == (sent: 88, dropped: 512))
    await receiver.stop()
  }

  @Test(.timeLimit(.minutes(10))) func `a collector that hangs holds up no end`() async throws {
    // It is connected to, and nobody takes the connection.
    let silent = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
    let traces = try traces(port: silent.port, timeout: .seconds(600))
    record(3, in: traces)
    try await sending(traces)
    #expect(traces.counts == (sent: 0, dropped: 0))
    withExtendedLifetime(silent) {}
  }

  @Test func `an address that may not be sent to is refused before anything is recorded`() throws {
    let url = try #require(OutgoingURL("http://127.0.0.1:4318/v1/traces"))
    #expect(throws: HTTPClientFailure.self) {
      try Traces(
        to: url, TraceSettings(), outgoing: HTTPClientSettings(), version: "1", node: "a",
        logger: Logger(label: "traces"))
    }
  }
}
