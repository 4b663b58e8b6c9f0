import HTTPServer
import Layout
import Synchronization

/// A poll that is not answered yet, copied off its request: it waits for a change (RFC 7240 §4.3), or for what another
/// thread makes. The document that a client holds is not kept for it.
struct OpenPoll {
  let page: String
  let resource: Resource
  let client: ClientAttributes
  private(set) var wants: PollWants
  /// The loop's ``EventLoop/elapsed`` nanoseconds up to which it waits for a change, 0 where it does not: a clock that is set
  /// back prolongs no wait.
  let deadline: Int64
  /// The nanoseconds since 1970 until which what it holds does at least, while it waits for a change.
  private(set) var until: Int64 = 0
  /// When it is asked for again, in ``EventLoop/elapsed`` nanoseconds.
  var end = Int64.max
  /// How often another thread was to make something for it since it waits.
  private(set) var attempts = 0
  /// What another thread was to make last.
  private(set) var made: MadeForPoll?

  /// - Parameter held: The tag that the client holds, where that is known to be the current one.
  init(
    _ request: borrowing Request, page: String, _ resource: Resource, for client: ClientAttributes,
    _ settings: PollSettings, holding held: WeakTag? = nil, on loop: EventLoop
  ) {
    self.page = page
    self.resource = resource
    self.client = client
    wants = PollWants(request, holding: held)
    let seconds = resource.isImmutable ? 0 : min(request.wait ?? 0, settings.waitSecondsMax)
    deadline = seconds > 0 ? loop.elapsed + Int64(seconds) * 1_000_000_000 : 0
  }

  /// The same client, which holds the current content and waits for other.
  func waiting(with held: ServedVariant) -> OpenPoll {
    var other = self
    other.wants.hold(held.tag)
    other.until = held.until
    other.attempts = 0
    other.made = nil
    return other
  }

  /// The same poll, which goes on once another thread has made something for it.
  func after(_ made: MadeForPoll) -> OpenPoll {
    var other = self
    other.attempts += 1
    other.made = made
    other.end = .max
    return other
  }
}

/// What another thread leaves for a poll before it has the poll answered again. If memory is short, the result is kept
/// nowhere else.
final class MadeForPoll: Sendable {
  struct Value: Sendable {
    /// The variant, and the serial of its edition.
    var variant: Variant?
    var serial: UInt64
    /// The changes that lead to it, and the version from which.
    var changes: (version: String, answer: ChangesAnswer)?
    /// Why there is no variant.
    var problem: Problem?
  }

  private let left = Mutex<Value?>(nil)

  /// `nil` before it is there.
  var value: Value? { left.withLock { $0 } }

  func leave(_ value: Value) { left.withLock { $0 = value } }
}
