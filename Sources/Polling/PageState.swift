public import Foundation
public import HomePayload

/// What there is to show, and how far it can be trusted.
public struct PageState: Hashable, Sendable {
  /// Where the page stands.
  public enum Standing: Hashable, Sendable {
    /// There is no page yet.
    case noData
    /// The page is that of the storage, or the one that came with the app; the server has not answered yet.
    case cached
    /// The last answer confirmed the page.
    case upToDate
    /// The page could not be confirmed; it was last at this date, `nil` when never.
    case stale(since: Date?)
  }

  /// Where the page stands.
  public var standing: Standing
  /// The page to show; `nil` without one.
  public var page: Page?
  /// What led here from the page of the state before; `nil` when the page is the same, or was there from the start.
  public var update: PageUpdate?
  /// Why the last poll brought nothing; `nil` when it did.
  public var failure: ClientError?
  /// After how many seconds the client asks again by itself; `nil` without a failure.
  public var retryIn: TimeInterval?
  /// Who signed that this is the page to show; `nil` for a client without ``PageClientSettings/signatures``, and for a page
  /// that came with the app.
  public var verification: PageVerification?
}

/// What polling brings, for as long as it is asked for: `for await state in client.states`.
///
/// First what there is to show at once. The next poll is made when the next state is asked for, so that nothing piles up
/// and each update leads on from the one before. Ends when the task is cancelled; iterate it again to go on, from one place
/// at a time.
public struct PageStates: AsyncSequence, Sendable {
  let client: PageClient

  /// Asks for one state after another.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let client: PageClient
    private(set) var last: PageState?

    /// The next state; `nil` when the task is cancelled.
    public mutating func next() async -> PageState? {
      let state = await client.next(after: last)
      last = state ?? last
      return state
    }
  }

  /// Starts, or goes on.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(client: client) }
}
