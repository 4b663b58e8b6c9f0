import HTTPServer
import Synchronization

/// How old what is served may be: how long ago this node last knew that it serves what is live.
package final class ServedAge: Sendable {
  private let startedAt = ContinuousClock.now
  /// The nanoseconds after the start at which it knew that last; negative before it ever has.
  private let seen = Atomic<Int64>(-1)

  /// Takes up that this node has just found that it serves what is live, or has seen to it.
  package func note() { seen.store(sinceStart, ordering: .releasing) }

  /// For how long this node has not known it, since the start where it never has.
  package var duration: Duration { .nanoseconds(sinceStart - max(seen.load(ordering: .acquiring), 0)) }

  /// Whether this node has not known it for longer than so many seconds, or never.
  func isOver(_ seconds: Int) -> Bool {
    seen.load(ordering: .acquiring) < 0 || duration > .seconds(seconds)
  }

  private var sinceStart: Int64 {
    let passed = (ContinuousClock.now - startedAt).components
    return passed.seconds * 1_000_000_000 + passed.attoseconds / 1_000_000_000
  }

  /// The greatest age in seconds; a larger one counts as this.
  private static let secondsMax = 1_000_000

  /// The seconds in a field or query; `nil` if it is not a whole number.
  static func seconds(_ text: borrowing Span<UInt8>) -> Int? {
    guard text.count > 0 else { return nil }
    var seconds = 0
    for index in text.indices {
      guard (0x30...0x39).contains(text[index]) else { return nil }
      seconds = min(seconds * 10 + Int(text[index] - 0x30), secondsMax)
    }
    return seconds
  }
}

extension ServedAge {
  /// The refusal of a poll that asks for something newer than this node may have (`Hearth-Age-Max`); `nil` where it may.
  func refusal(of request: borrowing Request) -> Problem? {
    guard request.has(.ageMax), PollPath(request.path)?.needsKey ?? false else { return nil }
    // What is no number is no condition.
    guard let most = Self.seconds(request.value(.ageMax)), isOver(most) else { return nil }
    return .notFresh
  }

  /// The refusal of `/readyz?fresh=SECONDS`; `nil` if this node is that fresh.
  package func refusal(ofFresh text: borrowing Span<UInt8>) -> Problem? {
    guard let most = Self.seconds(text) else { return .parameter("fresh", "a whole number of seconds") }
    return isOver(most) ? .notFresh : nil
  }
}

extension Problem {
  fileprivate static let notFresh = Problem(
    503, "not-fresh", "This node has not known for that long whether it serves what is live; ask another one.",
    fields: [ResponseField("Retry-After", "1")])
}
