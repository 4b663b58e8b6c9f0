import Logging
import Serving
import Storage
import Synchronization

/// Has the log tell, once, when something begins or ends that somebody should know of.
final class StateLog: BackgroundService {
  private struct State: Equatable {
    var cut: HistoryCut?
    var servedFailure: String?
    var snapshotFailure: String?
    var held: [ScheduledPublish] = []
    var dueFailure: String?
    /// Whether the clock is off; why changes with each second.
    var isClockOff = false
    /// The live revisions, of which a part is not served where it uses kinds that the server does not know.
    var revisions: [String: Int] = [:]
  }

  private let publisher: Publisher
  private let clock: StoreClock
  private let logger: Logger
  private let logged = Mutex(State())
  let wake = Wake()

  init(_ publisher: Publisher, _ clock: StoreClock, _ logger: Logger) {
    (self.publisher, self.clock, self.logger) = (publisher, clock, logger)
  }

  private var state: State {
    State(
      cut: publisher.historyCut, servedFailure: publisher.served.failure?.description,
      snapshotFailure: publisher.snapshot.failure?.description, held: publisher.heldPublishes,
      dueFailure: publisher.dueFailure, isClockOff: clock.failure != nil,
      revisions: publisher.live.lineup.editions.mapValues(\.revision))
  }

  var isDue: Bool { logged.withLock { $0 } != state }

  func turn() async {
    let now = state
    let former = logged.withLock { logged in
      defer { logged = now }
      return logged
    }
    if now.cut != former.cut {
      if let cut = now.cut {
        logger.error("nothing is published, and what was served stays", metadata: ["reason": "\(cut)"])
      } else {
        logger.notice("history goes on", metadata: ["generation": "\(publisher.served.history.generation)"])
      }
    }
    if now.servedFailure != former.servedFailure, let failure = now.servedFailure {
      logger.error("what is served cannot be kept", metadata: ["error": "\(failure)"])
    }
    if now.snapshotFailure != former.snapshotFailure, let failure = now.snapshotFailure {
      logger.error("the snapshot cannot be written", metadata: ["error": "\(failure)"])
    }
    if now.held != former.held, !now.held.isEmpty {
      logger.warning(
        "scheduled publishes are held, and do not go live: release them, or take them off",
        metadata: ["held": "\(now.held.map { "\($0.page) \($0.id)" }.joined(separator: ", "))"])
    }
    if now.dueFailure != former.dueFailure, let failure = now.dueFailure {
      logger.error("what is due stays scheduled: this node cannot publish it", metadata: ["reason": "\(failure)"])
    }
    if now.isClockOff != former.isClockOff {
      if now.isClockOff {
        logger.error("the clock is off", metadata: ["reason": "\(clock.failure ?? "")"])
      } else {
        logger.notice("the clock is right again")
      }
    }
    for edition in publisher.live.lineup.inOrder where former.revisions[edition.page] != edition.revision {
      let unknown = edition.unknownKinds
      // One that has come since is looked at the next time.
      guard !unknown.isEmpty, now.revisions[edition.page] == edition.revision else { continue }
      logger.error(
        "a revision uses kinds that this server does not know; give it the kinds.yaml that declares them, and reload it",
        metadata: [
          "page": "\(edition.page)", "revision": "\(edition.revision)", "kinds": "\(unknown.joined(separator: ","))",
        ])
    }
  }
}
