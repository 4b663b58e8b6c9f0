import Backup
import Layout
import Logging
import Serving
import Storage
import Synchronization
import Traces

/// Keeps what outlives the process: versions that clients hold, the record of what was served and changed last, and the
/// snapshot. It ends after all that changes something.
final class RecordKeeping: BackgroundService {
  private let publisher: Publisher
  private let logger: Logger
  /// The changes that the record of what was served knows of.
  private let noted = Mutex<ChangeCount?>(nil)
  let wake = Wake()

  init(_ publisher: Publisher, _ logger: Logger) { (self.publisher, self.logger) = (publisher, logger) }

  private var store: Store { publisher.store }
  private var hasChanged: Bool { !store.isAway && noted.withLock { $0 } != publisher.changes }

  var isDue: Bool { publisher.hasToKeep || hasChanged }

  func turn() async {
    await saveVersions()
    if hasChanged { await noteLastChange() }
    await publisher.served.save()
    await publisher.saveSnapshot()
  }

  func end() async {
    await publisher.saveSnapshot(isLast: true)
    await saveVersions()
    await noteLastChange()
    await store.finishWriting()
    await publisher.served.save()
  }

  private func saveVersions() async {
    guard !store.isAway else { return }
    do { try await publisher.saveVersions() } catch {
      logger.report("known versions cannot be saved", error)
    }
  }

  private func noteLastChange() async {
    guard !store.isAway else { return }
    let changes = publisher.changes
    do {
      try await publisher.noteLastChange()
      noted.withLock { $0 = changes }
    } catch {
      // Whatever keeps the database from being read is reported by who looks at it each second.
    }
  }
}

/// Has the backup send what leaves.
struct BackupService: BackgroundService {
  let sender: BackupSender
  let wake = Wake()

  func start() async { sender.start() }
  /// Threads of its own take the turns.
  func turn() async {}
  /// Once nothing is written any more: what is left leaves.
  func end() async { await sender.stop() }
}

/// Has traces sent until the process ends.
struct TraceService: BackgroundService {
  let traces: Traces
  let wake = Wake()

  /// One turn that lasts until the end, and sends then what is left.
  func turn() async { await traces.run() }
}

/// Asks the endpoints of sections.
struct AskingService: BackgroundService {
  let asker: SourceAsker
  let api: AdminAPI
  let wake = Wake()

  var isDue: Bool { asker.isDue }

  func turn() async {
    await asker.turn(
      check: { [api] section, former in try api.check(.replace(section.content), section, after: former) },
      review: { [api] in try api.review($0, $1, isOfContent: true) })
  }

  func end() async { await asker.end() }
}
