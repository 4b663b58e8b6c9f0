import Foundation
public import HomePayload
public import Polling

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

extension PageClient {
  /// A client that asks by a `URLSession` of its own.
  ///
  /// - Parameters:
  ///   - storage: Where the page outlives the app; `nil` keeps it in memory alone.
  ///   - page: A page to start from when the storage has none, such as one that came with the app.
  ///   - revision: The edition that it was of.
  public init(
    _ settings: PageClientSettings, storage: PageStorage? = nil, holding page: Page? = nil,
    of revision: PageRevision? = nil
  ) {
    let session = Session()
    self.init(settings, storage: storage, holding: page, of: revision, transport: { try await session.send($0) })
  }
}

/// A `URLSession` that ends with its client.
private final class Session: Sendable {
  private let session: URLSession

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    // The client keeps the page itself; a second cache would answer its conditions.
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    session = URLSession(configuration: configuration)
  }

  deinit { session.invalidateAndCancel() }

  func send(_ request: TransportRequest) async throws -> TransportAnswer {
    var asked = URLRequest(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeout)
    for (name, value) in request.fields { asked.setValue(value, forHTTPHeaderField: name) }
    let (data, response): (Data, URLResponse)
    do { (data, response) = try await session.data(for: asked) } catch {
      if Task.isCancelled { throw CancellationError() }
      throw ClientError.unreachable((error as? URLError)?.localizedDescription ?? "\(error)")
    }
    guard let response = response as? HTTPURLResponse else { throw ClientError.unreadable("not HTTP") }
    var fields: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
    return TransportAnswer(status: response.statusCode, fields: fields, body: Array(data))
  }
}
