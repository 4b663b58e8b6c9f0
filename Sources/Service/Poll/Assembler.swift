import Dispatch
import Layout
import Publication
import Synchronization

/// Makes variants of first use and change sets off the loops, one at a time, so that a storm of new shapes takes one
/// core at most.
final class Assembler: Sendable {
  let publisher: Publisher
  private let queue = DispatchQueue(label: "hearth.assembler", qos: .userInitiated)
  private let waiting = Atomic<Int>(0)
  private let waitingMax: Int
  private let clock: @Sendable () -> Instant

  /// An assembler.
  ///
  /// - Parameter waitingMax: The most jobs that may wait; beyond it polls of new shapes are answered 503.
  init(publisher: Publisher, waitingMax: Int, clock: @escaping @Sendable () -> Instant = { .now }) {
    self.publisher = publisher
    self.waitingMax = waitingMax
    self.clock = clock
  }

  var hasRoom: Bool { waiting.load(ordering: .relaxed) < waitingMax }

  func assemble(
    _ key: VariantKey, of edition: Edition, client: ClientAttributes,
    then finish: @escaping @Sendable (Variant) -> Void
  ) {
    waiting.add(1, ordering: .relaxed)
    queue.async { [self] in
      // Whoever waited for the same variant finds it ready.
      let variant = edition.makeVariant(for: key, of: client, at: clock())
      waiting.subtract(1, ordering: .relaxed)
      finish(variant)
    }
  }

  func makeChanges(
    from version: String, to variant: Variant, of edition: Edition,
    then finish: @escaping @Sendable (ChangesAnswer) -> Void
  ) {
    waiting.add(1, ordering: .relaxed)
    Task { [self] in
      let answer = await publisher.makeChanges(from: version, to: variant, of: edition)
      waiting.subtract(1, ordering: .relaxed)
      finish(answer)
    }
  }
}
