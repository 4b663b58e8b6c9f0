package import Foundation
public import HomePayload

/// Polls one page and holds it: sends the version that it has, takes changes instead of pages, keeps what it has, and asks
/// again when the server says.
///
/// ```swift
/// let client = PageClient(settings, storage: .file(file))
/// for await state in client.states { show(state) }
/// ```
public actor PageClient {
  /// Which page it polls, and how.
  public internal(set) var settings: PageClientSettings
  /// The page to show; `nil` until there is one. After ``hold()`` the one that was shown then.
  public var page: Page? { shown ?? newest }
  /// What the client holds.
  var held: HeldPage
  /// The page that the client holds.
  var newest: Page? { held.page }
  /// Whether pages are fetched and not shown.
  var isHolding = false
  /// What is shown while others are held; `nil` else.
  var shown: Page?
  /// Whether the loop has something to show before it asks.
  var hasToShow = false
  /// The edition that the newest page is of, or one of the same content after it; `nil` when no server has said it.
  public var revision: PageRevision? { held.revision }
  /// Why what was kept cannot be read, or the page cannot be kept; `nil` when it can.
  public internal(set) var storageFailure: String?
  private let transport: PageTransport
  let storage: PageStorage?
  /// What came with the app.
  let bundled: HeldPage

  /// Seconds on a clock that only goes up, whatever the user does to the date.
  var now: @Sendable () -> TimeInterval = { ProcessInfo.processInfo.systemUptime }
  /// What day it is, as far as anybody can say.
  var date: @Sendable () -> Date = { Date() }
  /// 0 to 1, drawn anew each time.
  var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

  /// Whether this version of the app asked for the page with these settings: another one may get more of it.
  var isOwn = true
  /// Whether the server has said that the page is the one to show, since the client began.
  var isConfirmed = false
  /// When the server last said so.
  var since: Date?
  /// Why the last poll brought nothing.
  var failure: ClientError?
  /// Who signed that it is the page to show, see ``PageState/verification``.
  public var verification: PageVerification? { held.verification }
  /// For how many seconds the last answer holds, as it said.
  private(set) var fresh: TimeInterval?
  /// What was brought of lists beyond the page, by section.
  var lists: [String: LoadedList] = [:]
  /// The parts of lists that are under way.
  var loads: [ListLoad.Name: ListLoad] = [:]
  var lastStarted = 0
  var lastTaken = 0
  /// How many answers in a row were of older editions.
  var drops = 0
  /// Takes answers one after the other.
  let taking = Turns()

  /// Waits for what was kept, once.
  var loading: Task<Void, Never>?
  /// Reads it; `nil` once it is there, or given up.
  var reading: Task<Void, Never>?
  /// When the page that the storage has was confirmed; `nil` when it has not the page that is held, as far as is known.
  var kept: Date?
  /// What to keep next.
  var unsaved: Unsaved?
  /// Keeps records, one after the other.
  var saving: Task<Void, Never>?

  /// The poll that all share who ask meanwhile.
  var flight: Task<Void, Never>?
  var flights = 0
  var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
  var tickets = 0

  /// The client sends no request before this moment.
  var floor = -TimeInterval.infinity
  /// What asked to be left alone until then.
  var refusal: Refusal?
  /// When the loop asks next.
  var due = -TimeInterval.infinity
  /// The pause before that, in seconds; `nil` before the first poll.
  package internal(set) var pauseBeforeNext: TimeInterval?
  var failures = 0
  var isRefreshing = false
  var isInBackground = false
  /// Ends what the loop waits for.
  var interruption: (@Sendable () -> Void)?

  /// A client.
  ///
  /// - Parameters:
  ///   - storage: Where the page outlives the app; `nil` keeps it in memory alone.
  ///   - page: A page to start from when the storage has none, such as one that came with the app.
  ///   - revision: The edition that it was of.
  ///   - transport: What sends the requests.
  public init(
    _ settings: PageClientSettings, storage: PageStorage? = nil, holding page: Page? = nil,
    of revision: PageRevision? = nil, transport: @escaping PageTransport
  ) {
    self.settings = settings
    self.storage = storage
    // A preview is of no edition.
    bundled = HeldPage(page: page, revision: page == nil || settings.isPreview ? nil : revision)
    held = bundled
    self.transport = transport
  }

  /// Asks once, as soon as it may: a second after the last poll. Polls at the same time share a request.
  ///
  /// While the server asked to be left alone, its refusal is thrown again, and nothing is asked.
  /// - Returns: The update, or `nil` when the page has not changed.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func poll() async throws -> PageUpdate? {
    await load()
    let old = page
    try await share()
    return update(from: old)
  }

  /// Asks, and takes what comes.
  ///
  /// - Parameter seconds: For how long the server may hold the answer.
  func ask(waiting seconds: TimeInterval = 0) async throws {
    try await queue()
    lastStarted += 1
    let number = lastStarted
    do {
      var received = try await answer(PageRequest(base: base, takesChanges: takesChanges, wait: seconds))
      if isMisfit(received) { received = try await answer(PageRequest()) }
      if isOlder(received) || isOver(received) {
        // From a cache on the way, or from a server that lags behind.
        received = try await answer(PageRequest(isPastCaches: true))
      }
      let last = received
      try await taking.run { try await self.settle(last, number) }
    } catch let error as ClientError {
      if number >= lastTaken { failure = error }
      heed(error)
      throw error
    }
  }

  private func settle(_ received: ReceivedAnswer, _ number: Int) async throws(ClientError) {
    // One that was asked for later was answered before.
    guard number > lastTaken else { return }
    lastTaken = number
    if isOlder(received) {
      drops += 1
      let isLong = date().timeIntervalSince(since ?? .distantPast) >= settings.timing.lagMax
      throw drops >= 3 && isLong ? .otherHistory(received.revision) : .dropped(received.revision)
    }
    try await take(received)
  }

  /// The page to name in a request. What has no signature of its own, and needs one, is asked for whole.
  private var base: Page? {
    isOwn && (settings.signatures?.mode != .require || held.signed != nil) ? newest : nil
  }

  /// What cannot be written as the server does cannot be verified after changes.
  private var takesChanges: Bool { settings.signatures == nil || held.strangeBytes == nil }

  /// Keeps what an answer leads to, and then holds it: a start after this never shows less.
  private func take(_ received: ReceivedAnswer) async throws(ClientError) {
    if settings.signatures?.mode == .require, case .failure(let failure) = received.verdict {
      throw .unverified(failure)
    }
    let before = held
    var next = before
    switch received.answer {
    case .misfit(let reason): throw .unreadable("changes instead of the whole page: \(reason)")
    case .unchanged: break
    case .page(let page, let bytes):
      next.strangeBytes = page.isVersion(of: page.canonicalBytes) ? nil : bytes
      if page != next.page { (next.page, next.changes) = (page, nil) }
    case .changes(let page, let changes):
      next.strangeBytes = nil
      if page != next.page { (next.page, next.changes) = (page, changes) }
    }
    next.revision = received.revision ?? next.revision
    next.note(received)
    stopReading()
    let since = date()
    let isKept = kept.map { abs(since.timeIntervalSince($0)) < settings.timing.keepMin } ?? false
    if next != before || !isOwn || !isKept { await keep(next, since) }
    held = next
    if isHolding, shown == nil { shown = newest }
    if newest != before.page { dropOtherLists() }
    (failure, isConfirmed, isOwn, self.since, drops) = (nil, true, true, since, 0)
  }

  /// What leads from a page to the one that is held.
  package func update(from old: Page?) -> PageUpdate? {
    guard let page, page != old else { return nil }
    return PageUpdate(from: old, to: page, changes: held.changes)
  }

  private func answer(_ request: PageRequest) async throws -> ReceivedAnswer {
    guard let asked = request.transportRequest(settings) else {
      throw ClientError.unreachable("\(settings.server) is no server's URL")
    }
    let answer = try await answer(asked)
    let field = { answer[$0] }
    let read = try PageAnswer(
      status: answer.status, of: settings.page, base: request.base, body: answer.body, field: field)
    fresh = Delay.fresh(field)
    let signed = SignedFields(field)
    return ReceivedAnswer(answer: read, signed: signed, verdict: verdict(on: read, to: request.base, signed))
  }

  func answer(_ request: TransportRequest) async throws -> TransportAnswer {
    let transport = transport
    do {
      // A transport's own limit may be one for each byte: a server that drips would be waited for without end.
      return try await within(
        request.timeout, else: ClientError.unreachable("nothing came within \(request.timeout) s")
      ) {
        let answer = try await transport(request)
        guard answer.body.count <= request.bodyMax else { throw ClientError.tooLong(request.bodyMax) }
        return answer
      }
    } catch let error as ClientError {
      throw error
    } catch {
      if Task.isCancelled { throw CancellationError() }
      throw ClientError.unreachable("\(error)")
    }
  }
}

/// Does something, and ends it when it takes longer.
func within<Value: Sendable>(
  _ seconds: TimeInterval, else error: ClientError, _ work: @escaping @Sendable () async throws -> Value
) async throws -> Value {
  try await withThrowingTaskGroup(of: Value.self) { group in
    defer { group.cancelAll() }
    group.addTask { try await work() }
    group.addTask {
      try await sleep(seconds)
      throw error
    }
    guard let value = try await group.next() else { throw error }
    return value
  }
}

/// Waits for some seconds, a day at most.
func sleep(_ seconds: TimeInterval) async throws {
  try await Task.sleep(nanoseconds: UInt64(max(0, min(seconds, 86_400)) * 1_000_000_000))
}
