import Synchronization

/// The spans that wait to be sent: a ring, so that adding one never waits for room. Where it is full the oldest is
/// dropped: a span ends before the one that it is a part of, and a request as a whole tells most.
final class SpanQueue: Sendable {
  private struct State {
    var ring: [FinishedSpan?]
    var first = 0
    var count = 0
    var sent = 0
    var dropped = 0
  }

  private let state: Mutex<State>

  /// - Parameter waitingMax: How many may wait, at least 1.
  init(waitingMax: Int) { state = Mutex(State(ring: Array(repeating: nil, count: waitingMax))) }

  /// How many were taken by the collector, and how many it will never get.
  var counts: (sent: Int, dropped: Int) { state.withLock { ($0.sent, $0.dropped) } }

  func add(_ span: FinishedSpan) {
    state.withLock { state in
      let size = state.ring.count
      state.ring[(state.first + state.count) % size] = span
      guard state.count == size else { return state.count += 1 }
      state.first = (state.first + 1) % size
      state.dropped += 1
    }
  }

  /// Takes the oldest, which wait no more.
  func take(_ most: Int) -> [FinishedSpan] {
    state.withLock { state in
      var spans: [FinishedSpan] = []
      while spans.count < most, state.count > 0 {
        if let span = state.ring[state.first].take() { spans.append(span) }
        state.first = (state.first + 1) % state.ring.count
        state.count -= 1
      }
      return spans
    }
  }

  func noteSent(_ count: Int) { state.withLock { $0.sent += count } }
  func noteDropped(_ count: Int) { state.withLock { $0.dropped += count } }
}
