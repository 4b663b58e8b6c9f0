import Dispatch
import Layout

/// Makes variants of first use off the loops, one at a time, so that a storm of new shapes takes one core at most, and
/// change sets as tasks that give way to the loops. Whoever asks for what is being made waits for that.
package final class Assembler: Sendable {
  private struct VariantJob: Hashable {
    var edition: ObjectIdentifier
    var key: VariantKey
  }

  private struct ChangesJob: Hashable {
    var variant: ObjectIdentifier
    var version: String
  }

  let publisher: Publisher
  private let queue = DispatchQueue(label: "hearth.assembler", qos: .userInitiated)
  private let variants: SharedWork<VariantJob, Variant>
  private let changes: SharedWork<ChangesJob, ChangesAnswer>
  private let parts: SharedWork<VariantJob, Result<Variant, Problem>>
  private let signing: SharedWork<ObjectIdentifier, Void>

  /// An assembler. As many change sets, parts of lists and signatures may wait to be made as variants.
  package init(publisher: Publisher) {
    self.publisher = publisher
    let jobsMax = publisher.settings.polls.assembliesMax
    variants = SharedWork(most: jobsMax)
    changes = SharedWork(most: jobsMax)
    parts = SharedWork(most: jobsMax)
    signing = SharedWork(most: jobsMax)
  }

  /// Assembles a variant.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  func assemble(
    _ key: VariantKey, of edition: Edition, client: ClientAttributes,
    then finish: @escaping @Sendable (Variant) -> Void
  ) -> Bool {
    let job = VariantJob(edition: ObjectIdentifier(edition), key: key)
    return variants.join(job, then: finish) {
      let asked = ContinuousClock.now
      queue.async { [self] in
        let variant = edition.makeVariant(for: key, of: client, at: publisher.clock(), keepsAlways: false)
        publisher.assemblyTimes.note(.now - asked)
        variants.finish(job, variant)
        publisher.makeRoom()
      }
    }
  }

  /// Signs a page.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  func sign(_ served: ServedVariant, by signing: PageSigning, then finish: @escaping @Sendable () -> Void) -> Bool {
    let job = ObjectIdentifier(served)
    return self.signing.join(job, then: { _ in finish() }) {
      queue.async { [self] in
        served.sign(by: signing)
        self.signing.finish(job, ())
        publisher.makeRoom()
      }
    }
  }

  /// Makes a part of a list.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  func makePart(
    _ cursor: ListCursor, of edition: Edition,
    then finish: @escaping @Sendable (Result<Variant, Problem>) -> Void
  ) -> Bool {
    let job = VariantJob(edition: ObjectIdentifier(edition), key: Publisher.partKey(cursor))
    return parts.join(job, then: finish) {
      Task { [self] in
        parts.finish(job, await publisher.makePart(cursor, of: edition))
        publisher.makeRoom()
      }
    }
  }

  /// Makes a change set.
  ///
  /// - Returns: Whether there is room for it; `finish` is not called otherwise.
  func makeChanges(
    from version: String, to variant: Variant, of edition: Edition,
    then finish: @escaping @Sendable (ChangesAnswer) -> Void
  ) -> Bool {
    let job = ChangesJob(variant: ObjectIdentifier(variant), version: version)
    return changes.join(job, then: finish) {
      Task { [self] in
        changes.finish(job, await publisher.makeChanges(from: version, to: variant, of: edition))
        publisher.makeRoom()
      }
    }
  }
}
