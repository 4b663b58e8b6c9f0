import Synchronization
package import Tracing

/// A span that is over: what is sent of it.
struct FinishedSpan: Sendable {
  let place: TraceParent
  /// The number of the span that it is a part of; `nil` where a trace begins.
  let parent: UInt64?
  let kind: SpanKind
  /// Nanoseconds since 1970.
  let start: UInt64
  let end: UInt64
  let name: String
  let attributes: SpanAttributes
  let events: [SpanEvent]
  let hasFailed: Bool
}

/// A piece of work with its beginning and its end.
package final class TraceSpan: Span {
  private struct State {
    var name: String
    var attributes = SpanAttributes([:])
    var events: [SpanEvent] = []
    var hasFailed = false
    var isOver = false
  }

  /// Bounds what one span may hold; a text is cut.
  private static let eventsMax = 64

  let place: TraceParent
  private let parent: UInt64?
  private let kind: SpanKind
  private let start: UInt64
  /// Where it goes when it is over; `nil` where it is not recorded.
  private let queue: SpanQueue?
  private let state: Mutex<State>
  package let context: ServiceContext

  init(
    _ name: String, _ kind: SpanKind, at place: TraceParent, in parent: UInt64?, context: ServiceContext,
    start: UInt64, queue: SpanQueue?
  ) {
    (self.place, self.parent, self.kind, self.start, self.queue) = (place, parent, kind, start, queue)
    var context = context
    context[PlaceKey.self] = place
    self.context = context
    state = Mutex(State(name: name))
  }

  package var isRecording: Bool { queue != nil && !state.withLock { $0.isOver } }

  package var operationName: String {
    get { state.withLock { $0.name } }
    set { change { $0.name = newValue } }
  }

  package var attributes: SpanAttributes {
    get { state.withLock { $0.attributes } }
    set { change { $0.attributes = newValue } }
  }

  package func setStatus(_ status: SpanStatus) { change { $0.hasFailed = status.code == .error } }

  package func addEvent(_ event: SpanEvent) {
    change { if $0.events.count < Self.eventsMax { $0.events.append(event) } }
  }

  /// Notes an error's type. What it says may be what an operator wrote.
  package func recordError<Instant: TracerInstant>(
    _ error: any Error, attributes: SpanAttributes, at instant: @autoclosure () -> Instant
  ) {
    guard queue != nil else { return }
    addEvent(
      SpanEvent(name: "exception", at: instant(), attributes: ["exception.type": .string("\(type(of: error))")]))
  }

  /// Nothing: no span of this program has links.
  package func addLink(_ link: SpanLink) {}

  package func end<Instant: TracerInstant>(at instant: @autoclosure () -> Instant) {
    guard let queue else { return }
    let last = state.withLock { state -> State? in
      defer { state.isOver = true }
      return state.isOver ? nil : state
    }
    guard let last else { return }
    // The machine's clock may have been set back.
    let end = max(start, instant().nanosecondsSinceEpoch)
    queue.add(
      FinishedSpan(
        place: place, parent: parent, kind: kind, start: start, end: end, name: last.name,
        attributes: last.attributes, events: last.events, hasFailed: last.hasFailed))
  }

  private func change(_ body: (inout State) -> Void) {
    guard queue != nil else { return }
    state.withLock { if !$0.isOver { body(&$0) } }
  }
}

/// The place of a span in what tasks inherit.
enum PlaceKey: ServiceContextKey {
  typealias Value = TraceParent
}
