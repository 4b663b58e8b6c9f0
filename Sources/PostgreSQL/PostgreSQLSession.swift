/// A connection that is made when it is needed, and again when it was lost. One thread has it.
final class PostgreSQLSession {
  private let place: ConnectionString
  private let settings: PostgreSQLSettings
  private var connection: PostgreSQLConnection?

  init(_ place: ConnectionString, _ settings: PostgreSQLSettings) {
    self.place = place
    self.settings = settings
  }

  /// Connects, unless there is a connection that is there as far as this side has heard.
  func connect(until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    if let connection, connection.isIdle {
      // A pooler in transaction mode hands on those of whoever listened by the same connection of the server.
      connection.dropNotifications()
      return
    }
    // Before another one is made: the server counts both.
    connection = nil
    connection = try PostgreSQLConnection(place, until: min(deadline, .now + settings.connectTimeout))
  }

  func transaction<Value>(
    _ mode: TransactionMode, begunBy begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant,
    _ body: (PostgreSQLConnection) throws -> Value
  ) throws -> Value {
    let connection = try begun(mode, by: begin, until: deadline)
    var isCommitting = false
    do {
      let value = try body(connection)
      isCommitting = true
      try connection.commit()
      return value
    } catch {
      connection.rollBack()
      if !connection.isIdle { self.connection = nil }
      let isLost = (error as? PostgreSQLError)?.kind == .connectionLost
      guard isCommitting, isLost, findsStandbyMissing() else { throw error }
      throw PostgreSQLError(.unconfirmed, "it waits still")
    }
  }

  /// Asks the server, for a second at most, whether it is a synchronous standby that those who write wait for.
  private func findsStandbyMissing() -> Bool {
    let end = ContinuousClock.now + .seconds(1)
    guard (try? connect(until: end)) != nil, let connection else { return false }
    connection.deadline = end
    connection.answerMax = .seconds(1)
    let isMissing = (try? connection.isStandbyMissing()) ?? false
    if !connection.isIdle { self.connection = nil }
    return isMissing
  }

  /// A connection in a transaction that has done nothing yet.
  private func begun(
    _ mode: TransactionMode, by begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    let isOld = connection?.isIdle == true
    do { return try beginning(mode, by: begin, until: deadline) } catch {
      // A server that was started again has not told: its end of the connection is gone. Nothing has happened yet.
      guard isOld, error.kind == .connectionLost, ContinuousClock.now < begin else { throw error }
      return try beginning(mode, by: begin, until: deadline)
    }
  }

  private func beginning(
    _ mode: TransactionMode, by begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant
  ) throws(PostgreSQLError) -> PostgreSQLConnection {
    try connect(until: begin)
    guard let connection else { throw PostgreSQLError(.unreachable, "there is no connection") }
    // The server bounds the wait for the lock. Its answer needs a moment all the same, or the connection would be lost.
    connection.deadline = max(begin, .now + .seconds(1))
    connection.answerMax = connection.deadline - .now
    do {
      try connection.begin(mode, by: begin, until: deadline, statementTimeout: settings.statementTimeout)
    } catch {
      connection.rollBack()
      if !connection.isIdle { self.connection = nil }
      guard case .write = mode, [.lockTimeout, .timeout].contains(error.kind), findsStandbyMissing() else {
        throw error
      }
      throw PostgreSQLError(.standbyMissing, "a commit waits for it, and has the lock")
    }
    connection.deadline = deadline
    connection.answerMax = settings.statementTimeout
    return connection
  }
}
