import Logging
import Serving
import Synchronization

/// Reports revisions of which a part is not served because the server does not know its kinds, each once.
final class UnknownKindsLog: Sendable {
  private let logger: Logger
  /// The last revision checked, by page.
  private let seen = Mutex<[String: Int]>([:])

  init(logger: Logger) { self.logger = logger }

  func look(at editions: [Edition]) {
    for edition in editions {
      let isNew = seen.withLock { $0.updateValue(edition.revision, forKey: edition.page) != edition.revision }
      guard isNew else { continue }
      let unknown = edition.unknownKinds
      guard !unknown.isEmpty else { continue }
      logger.error(
        "a revision uses kinds that this server does not know; give it the kinds.yaml that declares them, and reload it",
        metadata: [
          "page": "\(edition.page)", "revision": "\(edition.revision)", "kinds": "\(unknown.joined(separator: ","))",
        ])
    }
  }
}
