import Compression
import HomePayload
import Layout
import Synchronization

/// What turns an older version into a variant, ready to send (RFC 3229).
public struct ReadyChanges: Sendable {
  /// The change set gzip'd.
  public let gzip: [UInt8]
  /// The bytes of the change set as it is.
  public let identitySize: Int

  /// The change set as it is.
  public var identity: [UInt8] { Gzip.decompress(gzip, size: identitySize) }

  /// What counts the bytes for as long as anybody holds them.
  private let charge: SharedCharge

  init(_ changes: ChangeSet, budget: ByteBudget) {
    let bytes = changes.canonicalBytes
    identitySize = bytes.count
    gzip = Gzip.compress(bytes)
    charge = SharedCharge(gzip.count, in: budget)
  }
}

/// A charge that several hold.
private final class SharedCharge: Sendable {
  private let charge: ByteCharge

  init(_ bytes: Int, in budget: ByteBudget) { charge = ByteCharge(bytes, in: budget) }
}

/// Whether changes are to be had.
public enum ChangesAnswer: Sendable {
  /// They are ready.
  case ready(ReadyChanges)
  /// The whole page is no larger, or the version is not known.
  case wholePage
  /// They have to be made.
  case unmade
}

extension Variant {
  /// The most older versions whose changes are kept ready.
  private static let changesMax = 64

  /// The changes from an older version, when they were made before.
  func changes(from version: String) -> ChangesAnswer? { changesByVersion.withLock { $0[version] } }

  /// Makes the changes from an older page, once.
  func makeChanges(from old: Page, to new: Page) -> ChangesAnswer {
    if let made = changes(from: old.version) { return made }
    let ready = ReadyChanges(ChangeSet.changes(from: old, to: new), budget: budget)
    let answer: ChangesAnswer = ready.gzip.count < (gzip?.count ?? 0) ? .ready(ready) : .wholePage
    changesByVersion.withLock { changes in
      if changes.count >= Self.changesMax { changes.removeAll() }
      changes[old.version] = answer
    }
    return answer
  }
}
