import HomePayload
import Synchronization

/// Whether changes are to be had.
public enum ChangesAnswer: Sendable {
  /// The change set (RFC 3229).
  case ready(CodedBody)
  /// The whole page is not larger than the changes, or the version is unknown.
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
    let ready = CodedBody(ChangeSet.changes(from: old, to: new).canonicalBytes, budget: budget)
    // By gzip's sizes, whatever the coding: that there is br must not change an answer's status.
    let answer: ChangesAnswer = ready.gzip.count < (body?.gzip.count ?? 0) ? .ready(ready) : .wholePage
    changesByVersion.withLock { changes in
      if changes.count >= Self.changesMax { changes.removeAll() }
      changes[old.version] = answer
    }
    return answer
  }
}
