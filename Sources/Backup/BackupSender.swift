import Dispatch
import Foundation
public import Logging
public import Storage
import Synchronization
import Threads

/// Sends what changes in an SQLite database to a target, within a second of each commit.
///
/// One thread looks at the database and makes pieces; another one sends them, one after the other. So a target that does
/// not answer holds up neither the database's log nor a commit.
public final class BackupSender: Sendable {
  /// How it stands.
  public struct Status: Sendable {
    /// The series that is sent, once it is complete.
    public var series: String?
    /// What was committed before is at the target; `nil` where it has no whole database yet.
    public var completeTo: BackupMoment?
    /// From when on it may lack changes; `nil` where it has all.
    public var waitingSince: BackupMoment?
    /// The bytes of the pages that wait.
    public var waitingBytes = 0
    /// Why the last try failed; `nil` where it did not.
    public var failure: String?
    /// The last time between which nothing can be restored, since a new series has no part in the one before.
    public var gap: (from: BackupMoment, to: BackupMoment?)?

    /// For how long the database has had changes that the target has not, in seconds.
    public func age(at now: BackupMoment = .now) -> Double {
      waitingSince.map { max(0, Double(now.milliseconds - $0.milliseconds)) / 1_000 } ?? 0
    }

    /// What somebody has to look at: a failure, or what has waited for a minute.
    public func reason(at now: BackupMoment = .now) -> String? {
      guard failure != nil || age(at: now) > Self.ageMax, let waitingSince else { return failure }
      let why = failure ?? "the target is slower than the changes"
      return "the changes since \(waitingSince) are not in backup.to: \(why)"
    }

    /// The seconds that changes may wait before that is a fault.
    private static let ageMax = 60.0
  }

  private struct Shared {
    var status = Status()
    /// What names the database; `nil` until somebody has looked at it.
    var database: String?
    /// What the target had at the start; `nil` until somebody could look.
    var start: Start?
    /// What is being sent.
    var flight: SeriesWriter.Sealed?
    /// What was sent, until the looking thread has seen it.
    var landed: SeriesWriter.Sealed?
    /// The series that cannot go on, since the target has something else of it.
    var lost: (series: String, completeTo: BackupMoment?)?
    var isStopping = false
    /// Whether no piece comes any more.
    var isDone = false
    var isOver = false
    /// The file that a piece, the newest, or retention failed with.
    var failures: [String: String] = [:]
    /// The series that is being made: retention leaves it.
    var making: Set<String> = []
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  /// What the target has.
  private struct Start {
    /// The newest whole step.
    var step: BackupPiece?
    /// Whether a series may go on from it.
    var isLast = false
    /// When the newest series began.
    var newest: BackupMoment?
  }

  /// From one look to the next.
  private static let lookInterval = 0.1
  /// From one piece of changes to the next: a change waits for no longer than this and a look.
  private static let pieceInterval: Int64 = 400
  /// Until a failed try is made again, in seconds: it doubles from the first to the last.
  private static let retries = (first: 0.5, last: 8.0)
  /// How long the end may wait for what has not left, in seconds.
  private static let endWait = 5.0
  /// How long it may wait for the records after that, in seconds.
  private static let filesWait = 2.0
  /// The most pieces of a series: a restore reads all of them.
  private static let piecesMax = 20_000

  private let store: Store
  private let target: any BackupTarget
  private let settings: BackupSettings
  private let files: [(name: String, path: String)]
  private let logger: Logger
  private let mayBegin: @Sendable () -> Bool
  private let clock: @Sendable () -> BackupMoment
  private let shared = Mutex(Shared())
  /// Signalled when there is something for the thread that looks, and for the one that sends.
  private let (lookWake, sendWake) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
  private let sendEnd = DispatchSemaphore(value: 0)

  /// - Parameters:
  ///   - files: What outlives a restored database, by the names at the target: its newest version is kept.
  ///   - mayBegin: Whether this process is the one that serves the database.
  public init(
    store: Store, target: any BackupTarget, settings: BackupSettings, files: [(name: String, path: String)],
    logger: Logger, mayBegin: @escaping @Sendable () -> Bool = { true },
    clock: @escaping @Sendable () -> BackupMoment = { .now }
  ) {
    self.store = store
    self.target = target
    self.settings = settings
    self.files = files
    self.logger = logger
    self.mayBegin = mayBegin
    self.clock = clock
    shared.withLock { $0.status.waitingSince = clock() }
  }

  /// What people are told of the target.
  public var targetName: String { target.name }

  /// How it stands now.
  public var status: Status {
    shared.withLock { shared in
      var status = shared.status
      let failures = shared.failures
      status.failure = ["database", "pieces", "files", "retention"].compactMap { failures[$0] }.first
      return status
    }
  }

  /// Begins.
  public func start() {
    Thread.detachNewThread { [self] in
      giveWayToLoops()
      look()
      shared.withLock { $0.isDone = true }
      sendWake.signal()
      // A target that does not answer holds up no end.
      _ = sendEnd.wait(timeout: .now() + Self.filesWait)
      let waiters = shared.withLock { shared in
        shared.isOver = true
        return shared.waiters
      }
      for waiter in waiters { waiter.resume() }
    }
    Thread.detachNewThread { [self] in
      giveWayToLoops()
      send()
      sendEnd.signal()
    }
  }

  /// Ends, once everything has left, or it has waited for some seconds.
  public func stop() async {
    await withCheckedContinuation { continuation in
      let isOver = shared.withLock { shared in
        shared.isStopping = true
        if !shared.isOver { shared.waiters.append(continuation) }
        return shared.isOver
      }
      if isOver { continuation.resume() }
      lookWake.signal()
      sendWake.signal()
    }
  }

  private func note(_ failure: String?, of what: String) {
    let former = shared.withLock { shared in
      defer { shared.failures[what] = failure }
      return shared.failures[what]
    }
    guard former != failure else { return }
    if let failure {
      logger.error("the backup does not go on", metadata: ["target": "\(target.name)", "reason": "\(failure)"])
    } else {
      logger.notice("the backup goes on", metadata: ["target": "\(target.name)"])
    }
  }
}

/// The thread that looks at the database.
extension BackupSender {
  private var isStopping: Bool { shared.withLock { $0.isStopping } }

  /// What the thread knows from look to look, and keeps while the database cannot be looked at.
  private struct Following {
    /// Whether the target has told what it has.
    var isBegun = false
    /// The series that has a whole database.
    var series: SeriesWriter?
    /// The series that will take its place, and has no whole one yet.
    var next: SeriesWriter?
    /// What was committed before is at the target.
    var completeTo: BackupMoment?
    /// When the last look began: it has found what was committed before.
    var lookedAt: BackupMoment?
    /// When the newest series began. The next one begins later, whatever the clock shows: restores go by the names.
    var newest: BackupMoment?
    /// What has changed before the target has told what it has; `nil` once that is more than may wait.
    var early: Set<UInt32>? = []
    var sealedAt = ContinuousClock.now - .seconds(60)
    /// From when on the end waits no longer.
    var end: ContinuousClock.Instant?
  }

  private func look() {
    while !mayBegin() {
      if isStopping { return }
      _ = lookWake.wait(timeout: .now() + Self.lookInterval)
    }
    var state = Following()
    while true {
      do { return try follow(&state) } catch {
        note("\(error)", of: "database")
        // Nobody knows what changes until the next look.
        shared.withLock { $0.status.waitingSince = $0.status.waitingSince ?? state.lookedAt }
      }
      if isStopping { return }
      _ = lookWake.wait(timeout: .now() + 1)
    }
  }

  private func follow(_ state: inout Following) throws {
    let follower = try LogFollower(store)
    defer { follower.close() }
    if state.isBegun { try catchUp(&state, follower) } else if try !begin(&state, follower) { return }
    note(nil, of: "database")
    while true {
      let isStopping = isStopping
      if isStopping, state.end == nil { state.end = .now + .seconds(Self.endWait) }
      let (changed, now) = try changes(state, follower)
      let since = state.lookedAt ?? now
      state.series?.note(changed, pageCount: follower.moment.pageCount, at: since)
      state.next?.note(changed, pageCount: follower.moment.pageCount, at: since)
      state.lookedAt = now
      takeLanded(&state)
      bound(&state, follower, now)
      if isIdle {
        if state.series?.waitingCount == 0 { state.completeTo = max(now, state.completeTo ?? now) }
        try makePiece(&state, follower, now, isStopping)
      }
      report(state, follower.moment.pageSize)
      if let end = state.end, ContinuousClock.now > end || (isIdle && !waits(state)) { return }
      _ = lookWake.wait(timeout: .now() + Self.lookInterval)
    }
  }

  /// Whether no piece is on its way.
  private var isIdle: Bool { shared.withLock { $0.flight == nil && $0.landed == nil && $0.lost == nil } }

  /// Whether the end has something to wait for.
  private func waits(_ state: Following) -> Bool {
    guard let series = state.series else { return state.next != nil }
    // For the sums of the end, which only make the next start cheaper, no target is waited for that fails.
    return series.waitingCount > 0 || (!series.isClosed && shared.withLock { $0.failures["pieces"] == nil })
  }

  /// - Returns: What has changed since the look before, and a moment: what was committed before is in what was found.
  private func changes(_ state: Following, _ follower: LogFollower) throws -> (Set<UInt32>, BackupMoment) {
    let now = max(clock(), state.lookedAt ?? clock())
    try follower.look()
    return (follower.takeChanged(), now)
  }

  /// Finds out where the target stands.
  ///
  /// - Returns: `false` if the process ends before.
  private func begin(_ state: inout Following, _ follower: LogFollower) throws -> Bool {
    let first = try changes(state, follower).1
    state.lookedAt = first
    let name = try follower.databaseName()
    shared.withLock { $0.database = name }
    var found: Start?
    sendWake.signal()
    while found == nil {
      if isStopping { return false }
      _ = lookWake.wait(timeout: .now() + Self.lookInterval)
      // The log must not wait for a target.
      let (changed, now) = try changes(state, follower)
      state.lookedAt = now
      noteEarly(changed, &state, follower, since: first)
      found = shared.withLock { $0.start }
    }
    let step = found?.step
    if let step, found?.isLast == true, state.early != nil { state.series = try SeriesWriter(after: step, follower) }
    (state.completeTo, state.newest, state.isBegun) = (step?.at, found?.newest, true)
    // Only now is it known since when.
    shared.withLock { shared in if shared.status.gap != nil { shared.status.gap = step.map { ($0.at, nil) } } }
    return true
  }

  /// Bounds what changes while the target has told nothing.
  private func noteEarly(
    _ changed: Set<UInt32>, _ state: inout Following, _ follower: LogFollower, since first: BackupMoment
  ) {
    guard state.early != nil else { return }
    state.early?.formUnion(changed)
    let bytes = (state.early?.count ?? 0) * follower.moment.pageSize
    shared.withLock { $0.status.waitingBytes = bytes }
    guard bytes > settings.waitingBytesMax else { return }
    state.early = nil
    giveUp(from: first)
  }

  /// Compares what the series have with the database, of which some looks were missed.
  private func catchUp(_ state: inout Following, _ follower: LogFollower) throws {
    let now = try changes(state, follower).1
    let (found, since) = (try PageSums(follower), state.lookedAt ?? now)
    state.series?.note(changesTo: found, at: since)
    state.next?.note(changesTo: found, at: since)
    state.lookedAt = now
  }

  private func beginSeries(_ state: inout Following, _ follower: LogFollower, _ now: BackupMoment) {
    // The second in its name tells which of two is the newer.
    let moment = max(now, state.newest?.adding(milliseconds: 1_000) ?? now)
    let next = SeriesWriter(at: moment, after: state.completeTo, pageCount: follower.moment.pageCount)
    (state.next, state.newest) = (next, moment)
    logger.info(
      "a series of the backup begins", metadata: ["series": "\(next.series)", "pages": "\(next.waitingCount)"])
    // Until it is complete, no series goes on.
    if state.series == nil, let from = state.completeTo {
      shared.withLock { shared in
        if shared.status.gap == nil || shared.status.gap?.to != nil { shared.status.gap = (from, nil) }
      }
      logger.warning("nothing can be restored from here to the end of that snapshot", metadata: ["from": "\(from)"])
    }
  }

  /// Takes in what was sent.
  private func takeLanded(_ state: inout Following) {
    let (landed, lost) = shared.withLock { shared in
      defer { (shared.landed, shared.lost) = (nil, nil) }
      return (shared.landed, shared.lost)
    }
    if let lost {
      if state.series?.series == lost.series { (state.series, state.completeTo) = (nil, lost.completeTo) }
      if state.next?.series == lost.series { state.next = nil }
    }
    guard let landed, let completeTo = landed.completeTo else { return }
    state.completeTo = max(completeTo, state.completeTo ?? completeTo)
    guard landed.series == state.next?.series else { return }
    if let series = state.series, let next = state.next, series.waitingCount == 0, next.waitingCount == 0,
      series.total != next.total
    {
      logger.error("the series before has another database than this one", metadata: ["series": "\(series.series)"])
    }
    (state.series, state.next) = (state.next, nil)
    logger.info("a series of the backup is complete", metadata: ["series": "\(landed.series)", "to": "\(completeTo)"])
    shared.withLock { shared in
      if let gap = shared.status.gap, gap.to == nil { shared.status.gap = (gap.from, completeTo) }
    }
  }

  private func giveUp(from moment: BackupMoment) {
    logger.error(
      """
      more waits for the backup than backup.waitingBytesMax: another series begins, and nothing in between can be restored
      """,
      metadata: ["from": "\(moment)"])
    shared.withLock { $0.status.gap = (moment, nil) }
  }

  /// Gives up a series for which more waits than may.
  private func bound(_ state: inout Following, _ follower: LogFollower, _ now: BackupMoment) {
    if let series = state.series, series.waitingCount * follower.moment.pageSize > settings.waitingBytesMax {
      giveUp(from: state.completeTo ?? series.began)
      state.series = nil
      // What is on its way to it may never arrive, and nothing is to wait for that.
      shared.withLock { if $0.flight?.series == series.series { $0.flight = nil } }
    }
    guard state.next == nil else { return }
    let lifetime = Int64(settings.seriesHours) * 3_600_000
    if state.series.map({ $0.sequence >= Self.piecesMax || $0.began.adding(milliseconds: lifetime) < now }) ?? true {
      beginSeries(&state, follower, now)
    }
  }

  private func makePiece(
    _ state: inout Following, _ follower: LogFollower, _ now: BackupMoment, _ isStopping: Bool
  ) throws {
    let isDue = isStopping || ContinuousClock.now - state.sealedAt >= .milliseconds(Self.pieceInterval)
    let made: SeriesWriter.Sealed?
    // Changes go before a snapshot that only makes the next restore shorter.
    if let series = state.series, series.waitingCount > 0 ? isDue : isStopping && !series.isClosed {
      made = try state.series?.seal(follower, at: now, closes: isStopping)
      state.sealedAt = .now
    } else if let count = state.next?.waitingCount, count > 0 {
      made = try state.next?.seal(follower, at: now)
    } else {
      return
    }
    guard let piece = made else { return }
    shared.withLock { $0.flight = piece }
    sendWake.signal()
  }

  private func report(_ state: Following, _ pageSize: Int) {
    let writer = state.series ?? state.next
    shared.withLock { shared in
      let sent = (shared.flight ?? shared.landed).flatMap { $0.series == writer?.series ? $0 : nil }
      shared.status.completeTo = state.completeTo
      shared.status.series = state.series?.series
      shared.status.waitingSince = [sent?.from, writer?.from].compactMap(\.self).min()
      shared.status.waitingBytes = (writer?.waitingCount ?? 0) * pageSize + (sent?.bytes.count ?? 0)
      shared.making = Set([state.series?.series, state.next?.series].compactMap(\.self))
    }
  }
}

/// The thread that sends.
extension BackupSender {
  private func send() {
    var pause = Self.retries.first
    var sentFiles: [String: [UInt8]] = [:]
    var nextRetention = ContinuousClock.now
    var keptFor: String?
    while true {
      let (flight, start, database, series, isDone) = shared.withLock {
        ($0.flight, $0.start, $0.database, $0.status.series, $0.isDone)
      }
      if isDone {
        // A target that has not told what it has may be another database's.
        if start != nil { try? sendFiles(&sentFiles) }
        return
      }
      guard mayBegin(), let database else {
        _ = sendWake.wait(timeout: .now() + Self.lookInterval)
        continue
      }
      do throws(TargetFailure) {
        if start == nil {
          try claim(for: database, isNew: true)
          let start = try findStart()
          shared.withLock { $0.start = start }
          lookWake.signal()
        } else if let flight {
          try land(flight, of: database)
        }
        note(nil, of: "pieces")
        pause = Self.retries.first
      } catch {
        note("\(error)", of: "pieces")
        _ = sendWake.wait(timeout: .now() + pause)
        pause = min(pause * 2, Self.retries.last)
        continue
      }
      do throws(TargetFailure) {
        try sendFiles(&sentFiles)
        note(nil, of: "files")
      } catch { note("\(error)", of: "files") }
      if nextRetention <= .now || series != keptFor, start != nil {
        // Soon again where it fails, so that its failure ends with the target's.
        (nextRetention, keptFor) = (.now + .seconds(Self.retries.last), series)
        do throws(TargetFailure) {
          try keepHouse()
          nextRetention = .now + .seconds(3_600)
          note(nil, of: "retention")
        } catch { note("\(error)", of: "retention") }
      }
      if shared.withLock({ $0.flight == nil && $0.start != nil }) {
        _ = sendWake.wait(timeout: .now() + .milliseconds(Int(Self.pieceInterval)))
      }
    }
  }

  /// Makes sure that the target is this database's.
  ///
  /// - Parameter isNew: Whether it may be nobody's.
  private func claim(for database: String, isNew: Bool) throws(TargetFailure) {
    let (name, own) = (BackupPiece.latest("database"), BackupPiece.sealed(Array(database.utf8)))
    guard let found = try target.get(name) else {
      guard isNew else {
        throw TargetFailure(
          "\(target.name) has lost \(name); is its disk mounted? If it is to begin anew, restart the server")
      }
      return try target.put(name, own, replaces: false)
    }
    guard found != own else { return }
    guard BackupPiece.unsealed(found) != nil else {
      throw TargetFailure("\(target.name)/\(name) is damaged; remove it")
    }
    throw TargetFailure("\(target.name) has the backup of another database; name another place in backup.to")
  }

  private func land(_ flight: SeriesWriter.Sealed, of database: String) throws(TargetFailure) {
    var isLost = false
    do throws(TargetFailure) {
      // A disk that is not mounted must not look like an empty one.
      if BackupPiece.isFirst(flight.name) { try claim(for: database, isNew: false) }
      try target.put(flight.name, flight.bytes, replaces: false)
    } catch {
      guard error.isTaken else { throw error }
      logger.error(
        "another process sends to the target of the backup: another series begins", metadata: ["name": "\(flight.name)"]
      )
      isLost = true
    }
    shared.withLock { shared in
      // It may have been given up, and another one be on its way by now.
      if shared.flight?.name == flight.name { shared.flight = nil }
      if isLost { shared.lost = (flight.series, shared.status.completeTo) } else { shared.landed = flight }
      lookWake.signal()
    }
  }

  /// The newest whole step.
  private func findStart() throws(TargetFailure) -> Start {
    let all = try BackupRestore.series(at: target)
    // A damaged one is no beginning: a restore ends before it.
    let step = try BackupRestore(from: target).newestStep(of: all)
    return Start(
      step: step?.piece, isLast: step?.isLast ?? false, newest: all.last.flatMap(BackupPiece.beginning(of:)))
  }

  private func sendFiles(_ sent: inout [String: [UInt8]]) throws(TargetFailure) {
    for (name, path) in files {
      guard let data = FileManager.default.contents(atPath: path) else { continue }
      let bytes = BackupPiece.sealed([UInt8](data))
      guard sent[name] != bytes else { continue }
      try target.put(BackupPiece.latest(name), bytes, replaces: true)
      sent[name] = bytes
    }
  }

  /// Removes what no restore needs any more, and looks whether the series that goes on is whole.
  private func keepHouse() throws(TargetFailure) {
    let (making, series) = shared.withLock { ($0.making, $0.status.series) }
    try BackupRetention(target: target, daysKept: settings.daysKept).apply(at: clock(), sparing: making) { removed in
      logger.info("a series of the backup is needed no more, and was removed", metadata: ["series": "\(removed)"])
    }
    guard let series, let gap = try PieceList(series, at: target).gap else { return }
    logger.error(
      "the target of the backup has lost what it had: another series begins",
      metadata: ["series": "\(series)", "reason": "\(gap)"])
    let known = try BackupRestore.series(at: target).prefix { $0 <= series }
    let last = try BackupRestore(from: target).newestStep(of: known)
    shared.withLock { $0.lost = (series, last?.piece.at) }
  }
}
