import CPostgreSQL
import Glibc

/// One connection, for one thread at a time. Every call blocks that thread, until the deadline at most.
///
/// Statements are never prepared by name: behind PgBouncer in transaction mode the next transaction may be on another
/// connection of the server, which does not know the name (docs/decisions/0042).
@safe public final class PostgreSQLConnection {
  private let connection: OpaquePointer
  private let warnings = UnsafeMutablePointer<Int>.allocate(capacity: 1)
  private let place: ConnectionString
  /// Until when the server must have answered; after that the connection is lost.
  var deadline: ContinuousClock.Instant
  /// How long the server may take to answer one message, where the deadline leaves more; after that the connection is lost.
  var answerMax = PostgreSQLSettings().statementTimeout

  /// Connects, and looks whether this server and its database can be used.
  init(_ place: ConnectionString, until deadline: ContinuousClock.Instant) throws(PostgreSQLError) {
    unsafe connection = try Self.started(place)
    self.place = place
    self.deadline = deadline
    // A refusal's SQLSTATE is in the words alone, and only if asked for.
    unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
    // Notices go nowhere, since standard error is the log's; that there was a warning is noted.
    unsafe warnings.initialize(to: 0)
    unsafe PQsetNoticeReceiver(
      connection,
      { warnings, notice in
        // PG_DIAG_SEVERITY_NONLOCALIZED, a macro of a character.
        let severity = unsafe PQresultErrorField(notice, Int32(UInt8(ascii: "V"))).map { unsafe String(cString: $0) }
        if severity == "WARNING" { unsafe warnings?.assumingMemoryBound(to: Int.self).pointee += 1 }
      }, warnings)
    try finishConnecting()
    unsafe PQsetErrorVerbosity(connection, PQERRORS_DEFAULT)
    unsafe PQsetnonblocking(connection, 1)
    try checkServer()
  }

  deinit {
    unsafe PQfinish(connection)
    unsafe warnings.deallocate()
  }

  private static func started(_ place: ConnectionString) throws(PostgreSQLError) -> OpaquePointer {
    guard
      let connection = unsafe ConnectionString.withPointers(place.keywords, { unsafe PQconnectStartParams($0, $1, 0) })
    else {
      throw PostgreSQLError(.unreachable, "there is no memory")
    }
    return unsafe connection
  }

  private func finishConnecting() throws(PostgreSQLError) {
    guard unsafe PQstatus(connection) != CONNECTION_BAD else { throw connectFailure(isAtOnce: true) }
    var awaited = POLLOUT
    while true {
      guard wait(for: awaited, until: deadline) else { throw PostgreSQLError(.unreachable, "\(place) does not answer") }
      switch unsafe PQconnectPoll(connection) {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: awaited = POLLIN
      case PGRES_POLLING_WRITING: awaited = POLLOUT
      default: throw connectFailure()
      }
    }
  }

  /// Why no connection was made: of several hosts, what the last one said.
  private func connectFailure(isAtOnce: Bool = false) -> PostgreSQLError {
    let lines = lines.filter { !$0.hasPrefix("LOCATION:") }
    for line in lines.reversed() {
      // connection to server at "host" (address), port 5432 failed: FATAL:  28P01: password authentication failed …
      guard let match = line.firstMatch(of: #/\S+: +((?=\S*[0-9])[0-9A-Z]{5}): /#) else { continue }
      let error = PostgreSQLError(sqlState: String(match.1), message: String(line[match.range.upperBound...]))
      // A database that takes no connections for now (55000) is no failure of a statement.
      return [.connectionLost, .statement].contains(error.kind)
        ? PostgreSQLError(.unreachable, error.message, sqlState: error.sqlState) : error
    }
    let words = lines.joined(separator: "; ")
    return unsafe place.refusal(of: connection, words, isAtOnce: isAtOnce) ?? PostgreSQLError(.unreachable, words)
  }

  private func checkServer() throws(PostgreSQLError) {
    guard serverVersion >= Self.serverVersionMin else {
      throw PostgreSQLError(
        .unsuitable,
        "version \(reported("server_version") ?? String(serverVersion)); the oldest that is supported is 13")
    }
    let encoding = reported("server_encoding")
    guard encoding == "UTF8" else {
      throw PostgreSQLError(.unsuitable, "the database's encoding is \(encoding ?? "not known"); it must be UTF8")
    }
  }

  /// PostgreSQL 13, the oldest that its makers still cared for when this was made.
  static let serverVersionMin = 130_000

  /// The server's version: 150018 for 15.18.
  public var serverVersion: Int { Int(unsafe PQserverVersion(connection)) }

  /// What the server said of itself when the connection was made.
  private func reported(_ name: String) -> String? {
    unsafe PQparameterStatus(connection, name).map { unsafe String(cString: $0) }
  }

  /// libpq's last words, without secrets.
  private var words: String {
    let password = unsafe PQpass(connection).map { unsafe String(cString: $0) }
    return place.scrubbed(
      unsafe PQerrorMessage(connection).map { unsafe String(cString: $0) } ?? "", password: password)
  }

  /// The same, line by line; some begin with a tab.
  private var lines: [Substring] { words.split(whereSeparator: \.isNewline).map { $0.drop(while: \.isWhitespace) } }

  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - sql: The statement, with `$1`, `$2` … for its parameters.
  ///   - parameters: What stands for them, `nil` for NULL. Each is of the type that its place in the statement asks for,
  ///     as a literal in quotes is.
  @discardableResult
  public func query(_ sql: String, _ parameters: [String?] = []) throws(PostgreSQLError) -> PostgreSQLResult {
    let texts = unsafe parameters.map { text in unsafe text.flatMap { unsafe strdup($0) } }
    defer { unsafe texts.forEach { unsafe free($0) } }
    let values = unsafe texts.map { unsafe UnsafePointer($0) }
    let isSent = unsafe PQsendQueryParams(connection, sql, Int32(parameters.count), nil, values, nil, nil, 0)
    return try answer(isSent: isSent == 1)
  }

  /// Runs statements without parameters, one after the other, and answers what the last one does.
  @discardableResult
  public func script(_ sql: String) throws(PostgreSQLError) -> PostgreSQLResult {
    try answer(isSent: unsafe PQsendQuery(connection, sql) == 1)
  }

  /// Waits for the answers to what was sent.
  private func answer(isSent: Bool) throws(PostgreSQLError) -> PostgreSQLResult {
    guard isSent else { throw lost }
    let end = min(deadline, .now + answerMax)
    var isFlushed = false
    var last: PostgreSQLResult?
    var failure: PostgreSQLError?
    while true {
      if !isFlushed {
        let left = unsafe PQflush(connection)
        guard left >= 0 else { throw lost }
        isFlushed = left == 0
      }
      guard unsafe PQisBusy(connection) == 1 else {
        // After the last answer comes none.
        guard let result = unsafe PQgetResult(connection) else { break }
        switch unsafe PQresultStatus(result) {
        case PGRES_TUPLES_OK, PGRES_COMMAND_OK, PGRES_EMPTY_QUERY: last = unsafe PostgreSQLResult(result)
        default: failure = unsafe failure ?? error(of: result)
        }
        unsafe PQclear(result)
        continue
      }
      guard wait(for: isFlushed ? POLLIN : POLLIN | POLLOUT, until: end) else {
        // What the server may still send, nobody reads: the connection ends, and with it the transaction.
        isGivenUp = true
        throw PostgreSQLError(.connectionLost, "\(place) does not answer")
      }
      guard unsafe PQconsumeInput(connection) == 1 else { throw lost }
    }
    if let failure { throw failure }
    guard let last else { throw lost }
    return last
  }

  /// How often the server has warned.
  var warningsCount: Int { unsafe warnings.pointee }

  /// Whether an answer was not waited for.
  private var isGivenUp = false

  private var lost: PostgreSQLError {
    PostgreSQLError(.connectionLost, lines.joined(separator: "; "))
  }

  private func error(of result: OpaquePointer) -> PostgreSQLError {
    func field(_ code: Unicode.Scalar) -> String? {
      unsafe PQresultErrorField(result, Int32(code.value)).map { unsafe String(cString: $0) }
    }
    // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY, macros of characters. The detail is left out: it holds values.
    guard let sqlState = field("C") else { return lost }
    return PostgreSQLError(sqlState: sqlState, message: place.scrubbed(field("M") ?? ""))
  }

  /// Waits for the socket; `false` when the end comes first.
  private func wait(for events: Int32, until end: ContinuousClock.Instant) -> Bool {
    while true {
      let left = (end - .now) / .milliseconds(1)
      guard left > 0 else { return false }
      var socket = unsafe pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
      let found = unsafe poll(&socket, 1, Int32(clamping: Int(left.rounded(.up))))
      if found > 0 || (found < 0 && errno != EINTR) { return true }
    }
  }

  /// Whether the connection is there, as far as this side has heard, and in no transaction.
  var isIdle: Bool {
    var socket = unsafe pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0)
    // A server that ends a connection says so, and closes it.
    for _ in 0..<16 {
      guard unsafe poll(&socket, 1, 0) > 0, unsafe PQconsumeInput(connection) == 1 else { break }
    }
    return unsafe !isGivenUp && PQstatus(connection) == CONNECTION_OK
      && PQtransactionStatus(connection) == PQTRANS_IDLE
  }

  /// Whether a statement of the open transaction has failed, so that it can only be rolled back.
  var hasFailed: Bool { unsafe PQtransactionStatus(connection) == PQTRANS_INERROR }

  /// The number by which the other side knows this connection: the server's process, or what a pooler before it says.
  var process: Int32 { unsafe PQbackendPID(connection) }

  /// Waits for the first notification, or for several that come at once.
  ///
  /// - Parameters:
  ///   - wakeUp: A descriptor that ends the waiting when it can be read.
  ///   - wait: How long at most.
  /// - Returns: How many have come.
  func notifications(or wakeUp: Int32, within wait: Duration) throws(PostgreSQLError) -> Int {
    // What came along with another answer is here already.
    let before = takeNotifications()
    if before > 0 { return before }
    var sockets = unsafe [
      pollfd(fd: PQsocket(connection), events: Int16(POLLIN), revents: 0),
      pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0),
    ]
    unsafe poll(&sockets, 2, Int32(clamping: Int(wait / .milliseconds(1))))
    guard unsafe PQconsumeInput(connection) == 1 else { throw lost }
    return takeNotifications()
  }

  /// Forgets those that have come, which would be kept otherwise.
  func dropNotifications() { _ = takeNotifications() }

  private func takeNotifications() -> Int {
    var count = 0
    while let notification = unsafe PQnotifies(connection) {
      unsafe PQfreemem(notification)
      count += 1
    }
    return count
  }
}
