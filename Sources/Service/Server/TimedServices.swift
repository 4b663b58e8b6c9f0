import Layout
import Logging
import Serving
import Storage
import Synchronization

/// Makes live what is scheduled.
struct DuePublishes: BackgroundService {
  let publisher: Publisher
  let api: AdminAPI
  let logger: Logger
  let wake = Wake()

  /// Whatever looks at the database each second finds out when it is back.
  var isDue: Bool { publisher.isPublishDue }

  func turn() async {
    guard isDue else { return }
    do { try await publisher.publishDue(review: { [api] in try api.review($0, $1) }) } catch {
      logger.report("what is scheduled cannot be published", error)
    }
  }
}

/// Prepares what is shown from a coming flip on.
struct FlipPreparation: BackgroundService {
  /// How long before, in seconds.
  private static let lead: Int64 = 15

  let publisher: Publisher
  let wake = Wake()

  var isDue: Bool { publisher.isFlipDue(within: Self.lead) }

  func turn() async { publisher.prepareFlips(within: Self.lead) }
}

/// Renews signatures at half of their life: no flip waits for them.
struct SignatureRenewal: BackgroundService {
  let signing: PageSigning
  let publisher: Publisher
  let logger: Logger
  let wake = Wake()

  var isDue: Bool { signing.isDue }

  func start() async {
    if signing.keyIDs.isEmpty { logger.warning("there is no signing key, so that nothing is signed") }
  }

  func turn() async { await signing.renew(publisher.live.lineup) }
}

/// Brings live pages' pictures onto the disk, and removes unused ones once an hour. No flip waits for pictures.
final class PictureKeeping: BackgroundService {
  private static let interval = Duration.seconds(3_600)
  /// When unused ones are removed next: ten minutes after the start.
  private let removesAt = Mutex(ContinuousClock.now + .seconds(600))
  private let assets: AssetShelf
  private let publisher: Publisher
  private let logger: Logger
  let wake = Wake()

  init(_ assets: AssetShelf, _ publisher: Publisher, _ logger: Logger) {
    (self.assets, self.publisher, self.logger) = (assets, publisher, logger)
  }

  private var editions: [String: String] { publisher.live.lineup.editions.mapValues { "\($0.number)" } }

  /// In other history, what refers to a picture may be what was cut.
  private var mayLook: Bool { publisher.historyCut == nil }

  private var isRemovalDue: Bool { removesAt.withLock { $0 <= .now } }

  var isDue: Bool { mayLook && (isRemovalDue || assets.isFetchDue(editions)) }

  func turn() async {
    guard mayLook else { return }
    await assets.fetchLive(editions)
    guard isRemovalDue else { return }
    removesAt.withLock { $0 = .now + Self.interval }
    do { try await assets.removeUnused(at: publisher.store.clock()) } catch {
      logger.report("unused pictures cannot be removed", error)
    }
  }
}

/// Removes what retention does not keep, for a part of a second: what comes due must not wait for it.
final class Retention: BackgroundService {
  private struct State {
    /// The changes after which it was looked last; `nil` while there is more.
    var looked: ChangeCount?
    /// When that was.
    var at: Instant?
    /// Before this, it is not looked again.
    var notBefore = ContinuousClock.now
  }

  /// How many revisions are removed at once.
  private static let batch = 20
  /// From one look to the next.
  private static let interval = Duration.seconds(10)
  /// The same where nothing has changed, in seconds: revisions grow old.
  private static let idleInterval: Int64 = 3_600

  private let publisher: Publisher
  private let revisionsKept: Int
  private let daysKept: Int
  private let logger: Logger
  private let state = Mutex(State())
  let wake = Wake()

  init(_ publisher: Publisher, _ settings: ServerSettings, _ logger: Logger) {
    (self.publisher, self.logger) = (publisher, logger)
    (revisionsKept, daysKept) = (settings.revisionsKept, settings.revisionDaysKept)
  }

  private var store: Store { publisher.store }

  /// What is old in other history tells what was cut. What a wrong clock removes stays so, and a start has nothing to
  /// compare its own with.
  private var mayLook: Bool {
    publisher.historyCut == nil && !store.isAway && (store.clock.isSteady || daysKept == 0)
  }

  var isDue: Bool {
    let (changes, now) = (publisher.changes, store.clock())
    return mayLook
      && state.withLock { state in
        let isOld = state.at.map { now < $0 || $0.adding(seconds: Self.idleInterval) <= now } ?? true
        return state.notBefore.hasCome && (state.looked != changes || isOld)
      }
  }

  func turn() async {
    guard mayLook else { return }
    let (changes, now) = (publisher.changes, store.clock())
    let isDone = await prune(before: now.adding(seconds: -Int64(daysKept) * 86_400))
    state.withLock { state in
      state = State(looked: isDone == true ? changes : nil, at: now)
      if isDone != false { state.notBefore += Self.interval }
    }
  }

  /// - Returns: Whether nothing is left; `nil` when that could not be told.
  private func prune(before: Instant) async -> Bool? {
    do {
      for _ in 0..<20 {
        guard try await store.prune(keep: revisionsKept, madeBefore: before, batch: Self.batch) == Self.batch else {
          return true
        }
        try? await Task.sleep(for: .milliseconds(10))
      }
      return false
    } catch {
      logger.report("revisions cannot be pruned", error)
      return nil
    }
  }
}
