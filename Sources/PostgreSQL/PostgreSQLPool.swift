/// Connections, each with a thread of its own: whatever waits for a server never holds up a thread of Swift's tasks. They
/// are made when they are needed, and made again when they are lost.
public final class PostgreSQLPool: Sendable {
  private let place: ConnectionString
  private let settings: PostgreSQLSettings
  private let jobs: PostgreSQLJobs

  /// Reads the connection string; connects to nothing.
  ///
  /// - Throws: ``PostgreSQLError`` of kind `connectionString`.
  public init(_ connectionString: String, _ settings: PostgreSQLSettings = PostgreSQLSettings()) throws(PostgreSQLError)
  {
    place = try ConnectionString(connectionString)
    self.settings = settings
    jobs = PostgreSQLJobs(place, settings)
  }

  deinit { jobs.close() }

  /// Where the database is, without what is secret: `postgresql://user@host:port/name`.
  public var description: String { place.description }

  /// Runs one transaction, and commits it; rolls it back when the body throws.
  ///
  /// A connection that is found dead when the transaction begins is replaced, once; after that a loss is thrown.
  ///
  /// - Parameters:
  ///   - begin: Bounds the wait for a connection, connecting, and the wait for the lock; `nil` for as long as that may
  ///     take.
  ///   - deadline: Bounds all of it.
  ///   - body: Runs on the connection's thread, which may block. It must not keep the connection.
  /// - Throws: ``PostgreSQLError``, or what the body throws.
  @discardableResult
  public func transaction<Value: Sendable>(
    _ mode: TransactionMode, begunBy begin: ContinuousClock.Instant? = nil, until deadline: ContinuousClock.Instant,
    _ body: @Sendable @escaping (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    let begin = begin ?? beginning(mode, deadline)
    return try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Value, any Error>) in
      jobs.add(
        PostgreSQLJobs.Job(
          deadline: begin,
          run: { session in
            let result = Result { try session.transaction(mode, begunBy: begin, until: deadline, body) }
            continuation.resume(with: result)
          },
          refuse: { continuation.resume(throwing: $0) }))
    }
  }

  /// The same on the thread that calls, which waits, and by a connection of its own: for what is not a task, such as a
  /// start.
  ///
  /// - Parameter statementTimeout: How long each statement may take, where that is not what is set.
  @discardableResult
  public func blockingTransaction<Value>(
    _ mode: TransactionMode, until deadline: ContinuousClock.Instant, statementTimeout: Duration? = nil,
    _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    var settings = settings
    settings.statementTimeout = statementTimeout ?? settings.statementTimeout
    return try PostgreSQLSession(place, settings).transaction(
      mode, begunBy: beginning(mode, deadline), until: deadline, body)
  }

  /// When a transaction must have begun: one that writes may wait for the lock, all its time.
  private func beginning(
    _ mode: TransactionMode, _ deadline: ContinuousClock.Instant
  ) -> ContinuousClock.Instant {
    if case .write = mode { deadline } else { min(deadline, .now + settings.connectTimeout) }
  }

  /// Ends the connections, each once its transaction is done. What comes afterwards is refused.
  public func close() { jobs.close() }
}

extension PostgreSQLPool: CustomStringConvertible {}
