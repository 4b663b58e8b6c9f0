import Dispatch
import Layout
import Publication
import Synchronization

/// Assembles variants of first use off the loops, one at a time, so that a storm of new shapes takes one core at most.
final class Assembler: Sendable {
  private let queue = DispatchQueue(label: "hearth.assembler", qos: .userInitiated)
  private let waiting = Atomic<Int>(0)
  private let waitingMax: Int
  private let clock: @Sendable () -> Instant

  /// An assembler.
  ///
  /// - Parameter waitingMax: The most assemblies that may wait; beyond it polls of new shapes are answered 503.
  init(waitingMax: Int, clock: @escaping @Sendable () -> Instant = { .now }) {
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
}
