public import Foundation
public import HomePayload

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

/// Sends a request and brings the whole answer, as `URLSession.data(for:)` does; throws when none came.
public typealias PageTransport = @Sendable (URLRequest) async throws -> (Data, URLResponse)

/// Polls one page and holds it: sends the version that it has, takes changes instead of pages, and asks again when the
/// server says.
///
/// ```swift
/// let client = PageClient(settings, holding: saved)
/// for await event in client.updates {
///   if case .changed(let update) = event { show(update) }
/// }
/// ```
public actor PageClient {
  /// Which page it polls, and how.
  public let settings: PageClientSettings
  /// The page that it holds; `nil` until there is one.
  public private(set) var page: Page?
  /// The edition that the page is of, or one of the same content after it; `nil` when no server has said it.
  public private(set) var revision: PageRevision?
  /// The edition of the last answer when it was older than ``revision``, also past caches, and was dropped; `nil` when the
  /// last answer was taken.
  public private(set) var dropped: PageRevision?
  private let transport: PageTransport
  /// `nil` when the app brought a transport of its own.
  private let session: URLSession?
  /// What time it is, on a clock that only goes up.
  var now: @Sendable () -> ContinuousClock.Instant = { .now }
  /// 0 to 1, drawn anew each time.
  var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }
  /// How long the last answer holds, as it said.
  private(set) var fresh: Duration?
  private var lastStarted = 0
  private var lastTaken = 0
  /// When the loop asks next.
  var due = ContinuousClock.now
  var failures = 0
  var isRefreshing = false
  /// Ends what the loop waits for.
  var interruption: (@Sendable () -> Void)?

  /// A client.
  ///
  /// - Parameters:
  ///   - page: A page that the same version of the app kept, to start from.
  ///   - revision: The edition that it was of.
  ///   - transport: What sends the requests; a `URLSession` of the client's own when there is none.
  public init(
    _ settings: PageClientSettings, holding page: Page? = nil, of revision: PageRevision? = nil,
    transport: PageTransport? = nil
  ) {
    self.settings = settings
    self.page = page
    self.revision = page == nil ? nil : revision
    if let transport {
      self.transport = transport
      session = nil
      return
    }
    let configuration = URLSessionConfiguration.ephemeral
    // The client keeps the page itself; a second cache would answer its conditions.
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    let session = URLSession(configuration: configuration)
    self.session = session
    self.transport = { try await session.data(for: $0) }
  }

  deinit { session?.invalidateAndCancel() }

  /// Asks once, now.
  ///
  /// - Returns: The update, or `nil` when the page has not changed, when what came was older (``dropped``), or when a poll
  ///   that began later was answered first.
  /// - Throws: ``ClientError``, or `CancellationError`.
  public func poll() async throws -> PageUpdate? {
    guard case .changed(let update) = try await poll(waiting: .zero) else { return nil }
    return update
  }

  func poll(waiting: Duration) async throws -> PollEvent? {
    lastStarted += 1
    let number = lastStarted
    let base = page
    var (answer, revision) = try await answer(PageRequest(base: base, wait: waiting))
    if case .misfit = answer { (answer, revision) = try await self.answer(PageRequest()) }
    if isOlder(revision) {
      // From a cache on the way, or from a server that lags behind.
      (answer, revision) = try await self.answer(PageRequest(isPastCaches: true))
    }
    guard number > lastTaken else { return nil }
    lastTaken = number
    dropped = isOlder(revision) ? revision : nil
    if let dropped { return .dropped(dropped) }
    if case .misfit(let reason) = answer {
      throw ClientError.unreadable("changes instead of the whole page: \(reason)")
    }
    self.revision = revision ?? self.revision
    switch answer {
    case .unchanged, .misfit: return nil
    case .page(let page): return take(page).map { .changed($0) }
    case .changes(let page, let changes): return take(page, changes).map { .changed($0) }
    }
  }

  /// Whether an answer's edition comes before the one that is held.
  private func isOlder(_ other: PageRevision?) -> Bool {
    guard let other, let revision else { return false }
    return other < revision
  }

  private func take(_ page: Page, _ changes: ChangeSet? = nil) -> PageUpdate? {
    let old = self.page
    guard page != old else { return nil }
    self.page = page
    return PageUpdate(from: old, to: page, changes: changes)
  }

  private func answer(_ request: PageRequest) async throws -> (PageAnswer, PageRevision?) {
    guard let urlRequest = request.urlRequest(settings) else {
      throw ClientError.unreachable("\(settings.server) is no server's URL")
    }
    let (data, response) = try await data(for: urlRequest)
    guard let response = response as? HTTPURLResponse else { throw ClientError.unreadable("not HTTP") }
    let field = { response.value(forHTTPHeaderField: $0) }
    let answer = try PageAnswer(
      status: response.statusCode, of: settings.page, base: request.base, body: Array(data), field: field)
    fresh = Delay.fresh(field)
    return (answer, field("Hearth-Revision").flatMap(PageRevision.init))
  }

  private func data(for request: URLRequest) async throws -> (Data, URLResponse) {
    do { return try await transport(request) } catch {
      if Task.isCancelled { throw CancellationError() }
      throw ClientError.unreachable((error as? URLError)?.localizedDescription ?? "\(error)")
    }
  }
}
