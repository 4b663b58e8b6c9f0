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
  private let exchanges = Exchanges()

  init() {
    let configuration = URLSessionConfiguration.ephemeral
    // The client keeps the page itself; a second cache would answer its conditions.
    configuration.urlCache = nil
    configuration.httpCookieStorage = nil
    session = URLSession(configuration: configuration, delegate: exchanges, delegateQueue: nil)
  }

  deinit { session.invalidateAndCancel() }

  func send(_ request: TransportRequest) async throws -> TransportAnswer {
    var asked = URLRequest(
      url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: request.timeout)
    for (name, value) in request.fields { asked.setValue(value, forHTTPHeaderField: name) }
    let task = session.dataTask(with: asked)
    let exchange = Exchange(bodyMax: request.bodyMax)
    exchanges.add(exchange, task.taskIdentifier)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        exchange.begin(continuation)
        task.resume()
      }
    } onCancel: {
      // Nobody waits for the session: on Linux a task that is cancelled near its end may wait for itself, with whoever does it.
      exchange.end(.failure(CancellationError()))
      DispatchQueue.global().async { task.cancel() }
    }
  }
}

/// What is under way in a session.
private final class Exchanges: NSObject, URLSessionDataDelegate, @unchecked Sendable {
  private let lock = NSLock()
  private var exchanges: [Int: Exchange] = [:]

  func add(_ exchange: Exchange, _ task: Int) { lock.withLock { exchanges[task] = exchange } }

  private func exchange(_ task: Int) -> Exchange? { lock.withLock { exchanges[task] } }

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
  ) {
    var request = request
    // The key is for this server alone.
    if !isSameServer(request.url, task.originalRequest?.url) {
      request.setValue(nil, forHTTPHeaderField: "Hearth-Client-Key")
    }
    completionHandler(request)
  }

  private func isSameServer(_ one: URL?, _ other: URL?) -> Bool {
    one?.scheme == other?.scheme && one?.host == other?.host && one?.port == other?.port
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    guard let exchange = exchange(dataTask.taskIdentifier), !exchange.append(data) else { return }
    DispatchQueue.global().async { dataTask.cancel() }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let exchange = lock.withLock { exchanges.removeValue(forKey: task.taskIdentifier) }
    if let error {
      exchange?.end(.failure(ClientError.unreachable((error as? URLError)?.localizedDescription ?? "\(error)")))
    } else {
      exchange?.end(task.response)
    }
  }
}

/// One request and its answer, which comes once.
private final class Exchange: @unchecked Sendable {
  private let bodyMax: Int
  private let lock = NSLock()
  private var body: [UInt8] = []
  private var continuation: CheckedContinuation<TransportAnswer, any Error>?
  private var result: Result<TransportAnswer, any Error>?

  init(bodyMax: Int) { self.bodyMax = bodyMax }

  func begin(_ continuation: CheckedContinuation<TransportAnswer, any Error>) {
    let result = lock.withLock {
      if self.result == nil { self.continuation = continuation }
      return self.result
    }
    if let result { continuation.resume(with: result) }
  }

  /// Takes a part of the body; false when it is too long, or nobody waits for it.
  func append(_ data: Data) -> Bool {
    let isRead = lock.withLock {
      guard result == nil, body.count + data.count <= bodyMax else { return false }
      body += data
      return true
    }
    if !isRead { end(.failure(ClientError.tooLong(bodyMax))) }
    return isRead
  }

  func end(_ response: URLResponse?) {
    guard let response = response as? HTTPURLResponse else {
      return end(.failure(ClientError.unreadable("not HTTP")))
    }
    var fields: [String: String] = [:]
    for case (let name as String, let value as String) in response.allHeaderFields { fields[name] = value }
    let body = lock.withLock { self.body }
    end(.success(TransportAnswer(status: response.statusCode, fields: fields, body: body)))
  }

  /// What comes first counts.
  func end(_ result: Result<TransportAnswer, any Error>) {
    let continuation = lock.withLock {
      guard self.result == nil else { return nil as CheckedContinuation<TransportAnswer, any Error>? }
      self.result = result
      body = []
      defer { self.continuation = nil }
      return self.continuation
    }
    continuation?.resume(with: result)
  }
}
