/// What a transaction is for.
public enum TransactionMode: Sendable {
  /// Reads, in one snapshot.
  case snapshot
  /// Writes, once it has a lock that lasts as long as the transaction: all that write with one lock do so one after the
  /// other, whatever process or machine they are on.
  ///
  /// It reads what was committed before each statement, not before the transaction: the statement that waits for the lock
  /// would have the snapshot of before.
  case write(lock: Int64)
  /// Writes what nobody else writes, without a lock. When the server crashes it may be lost, and no standby is waited for.
  case note
}

extension PostgreSQLConnection {
  /// How long a transaction may be left alone: a process that is stopped in the middle of one must not keep the lock.
  private static let idleMilliseconds = 10_000

  /// Begins a transaction whose every wait the server ends by itself before the deadline.
  ///
  /// All in one message, and for this transaction alone: behind PgBouncer in transaction mode a session's settings would be
  /// those of whoever comes next.
  ///
  /// - Parameters:
  ///   - begin: Until when it waits for the lock.
  ///   - deadline: Until when each statement must be done, where `statementTimeout` leaves that much.
  func begin(
    _ mode: TransactionMode, by begin: ContinuousClock.Instant, until deadline: ContinuousClock.Instant,
    statementTimeout: Duration
  ) throws(PostgreSQLError) {
    // The server's answer is to be here in time, and to say whether it was a lock. 0 would be no limit.
    let now = ContinuousClock.now
    func milliseconds(_ wait: Duration) -> Int { max(Int((wait - .milliseconds(200)) / .milliseconds(1)), 1) }
    func bounding(_ statement: Int) -> String {
      "SET LOCAL statement_timeout = \(statement); SET LOCAL lock_timeout = \(max(statement - 100, 1));"
    }
    let statements = bounding(milliseconds(min(deadline - now, statementTimeout)))
    let idle = min(milliseconds(deadline - now) + 1_000, Self.idleMilliseconds)
    let limits = "SET LOCAL idle_in_transaction_session_timeout = \(idle);"
    // Nothing says READ WRITE: whoever has set default_transaction_read_only wants nothing to be changed.
    switch mode {
    case .snapshot: try script("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; \(limits) \(statements)")
    case .write(let lock):
      // The wait for the lock is the one that may take longer than a statement.
      try script(
        """
        BEGIN ISOLATION LEVEL READ COMMITTED; \(limits) \(bounding(milliseconds(begin - now)))
        SELECT pg_advisory_xact_lock(\(lock)); \(statements)
        """)
    case .note:
      try script(
        """
        BEGIN ISOLATION LEVEL READ COMMITTED; \(limits) \(statements) SET LOCAL synchronous_commit = off
        """)
    }
  }

  /// How long a commit may take. No timeout of the server bounds its wait for a synchronous standby.
  private static let commitMax = Duration.seconds(4)

  /// - Throws: ``PostgreSQLError``; also when a statement has failed that nobody heeded: the server would roll back without
  ///   an error. When the wait for a synchronous standby is cancelled, the server commits with a warning: the change is on
  ///   the primary alone, and may be gone with it.
  func commit() throws(PostgreSQLError) {
    guard !hasFailed else { throw PostgreSQLError(.statement, "a statement of the transaction has failed") }
    deadline = min(deadline, .now + Self.commitMax)
    answerMax = Self.commitMax
    let warnings = warningsCount
    try script("COMMIT")
    guard warningsCount == warnings else {
      throw PostgreSQLError(.unconfirmed, "its wait was cancelled")
    }
  }

  /// Whether a commit has waited for a synchronous standby for more than two seconds. Whoever waits so has the lock of those
  /// who write, until the standby is there, even where its client has gone.
  ///
  /// A role sees that of its own sessions, and of all with `pg_read_all_stats`.
  public func isStandbyMissing() throws(PostgreSQLError) -> Bool {
    let found = try query(
      """
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'SyncRep'
        AND query_start < clock_timestamp() - interval '2 seconds' LIMIT 1
      """)
    return !found.rows.isEmpty
  }

  /// Whoever has a lock that those who write need, the one that began first.
  public struct LockHolder: Hashable, Sendable {
    /// The process of the server.
    public var process: Int
    /// When its transaction began, by the server's clock; `nil` where the role may not see it.
    public var since: String?
    /// How long ago that is.
    public var held: Duration?
    /// Its role and program, for people.
    public var name: String

    package init(process: Int, since: String?, held: Duration?, name: String) {
      self.process = process
      self.since = since
      self.held = held
      self.name = name
    }
  }

  /// Who has had a lock for some time that keeps others from writing: the lock of those who write, one of a whole table, or
  /// whatever one waits for right now. Roles without `pg_read_all_stats` see of others that there is one, not since when.
  ///
  /// - Parameter lock: The lock of those who write.
  public func lockHolder(of lock: Int64) throws(PostgreSQLError) -> LockHolder? {
    let found = try query(
      """
      SELECT pid, xact_start, CAST(extract(epoch FROM clock_timestamp() - xact_start) * 1000 AS bigint),
        concat_ws(', ', usename, nullif(application_name, ''), nullif(state, '')) FROM pg_stat_activity
      WHERE datname = current_database() AND pid <> pg_backend_pid() AND (
        pid IN (
          SELECT pid FROM pg_locks WHERE granted AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
            AND (locktype = 'advisory' AND classid = $1 AND objid = $2 AND objsubid = 1
              OR locktype = 'relation' AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
                AND relation IN (SELECT oid FROM pg_class WHERE relnamespace = (
                  SELECT oid FROM pg_namespace WHERE nspname = current_schema()))))
        OR pid = ANY(ARRAY(
          SELECT unnest(pg_blocking_pids(pid)) FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock')))
      ORDER BY xact_start, pid LIMIT 1
      """, [String(UInt64(bitPattern: lock) >> 32), String(UInt64(bitPattern: lock) & 0xFFFF_FFFF)])
    guard let row = found.rows.first, let process = row[0].flatMap({ Int($0) }) else { return nil }
    return LockHolder(
      process: process, since: row[1], held: row[2].flatMap { Int64($0) }.map { .milliseconds($0) }, name: row[3] ?? "")
  }

  /// Ends the transaction without its changes; a connection that is lost has done so already.
  func rollBack() {
    deadline = max(deadline, .now + .seconds(1))
    _ = try? script("ROLLBACK")
  }

  /// Which rights the role does not have.
  ///
  /// - Parameter wanted: Rights such as `INSERT`, by tables of the current schema; tables that are not there are left out.
  /// - Returns: What is missing, such as `INSERT on pages`, in order.
  public func missingRights(_ wanted: [String: [String]]) throws(PostgreSQLError) -> [String] {
    var missing: [String] = []
    for (table, rights) in wanted.sorted(by: { $0.key < $1.key }) {
      for right in rights {
        let found = try query(
          """
          SELECT 1 FROM pg_class WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema()) AND relname = $1
            AND NOT has_table_privilege(oid, $2)
          """, [table, right])
        if !found.rows.isEmpty { missing.append("\(right) on \(table)") }
      }
    }
    return missing
  }
}
