import GRDB
import GRDBSQLite
import Layout
import Synchronization
import Threads

/// What is set for writing.
public struct WriteSettings: Sendable {
  /// How long a write waits in all: for its turn and for the lock of another process.
  public var waitMax: Duration = .seconds(5)
  /// How many writes may wait; more are refused.
  public var waitingMax = 256

  /// The default settings.
  public init() {}
}

extension Store {
  /// Runs one transaction that writes, once it is its turn, and commits it into the file that is at the database's path.
  ///
  /// - Parameter wait: How long it waits for its turn and the lock, ``WriteSettings/waitMax`` when `nil`.
  /// - Throws: ``StoreError``, or what the body throws; then nothing has changed.
  func transaction<Value: Sendable>(
    waiting wait: Duration? = nil, _ body: @Sendable @escaping (Database) throws -> Value
  ) async throws -> Value {
    let deadline = ContinuousClock.now + (wait ?? writing.waitMax)
    try await writes.enter(until: deadline)
    defer { writes.leave() }
    do {
      let value = try await pool.writeWithoutTransaction { [self] db in
        giveWayToLoops()
        return try Self.mappingErrors(db, of: file) {
          try file.check(db)
          let left = max(deadline - ContinuousClock.now, .zero) / .milliseconds(1)
          unsafe sqlite3_busy_timeout(db.sqliteConnection, Int32(clamping: Int(left)))
          return try db.committing {
            writes.noteLock()
            outsideChanges.store(try DatabaseState.outside(db), ordering: .releasing)
            let before = db.totalChangesCount
            let value = try body(db)
            // The last moment before the commit: the number that is looked at is one that is committed already.
            try file.check(db)
            let number = try ChangeNumber.current(db)
            // What changes nothing writes nothing.
            if db.totalChangesCount != before || number.value == 0 {
              try (number.value == 0 ? .random() : number.next).set(db)
            }
            return value
          }
        }
      }
      failures.noteSuccess()
      return value
    } catch {
      if case StoreError.database(let failure) = error { failures.note(failure) }
      throw error
    }
  }

  /// Runs with SQLite's errors as this room's.
  private static func mappingErrors<Value>(
    _ db: Database, of file: DatabaseFile, _ body: () throws -> Value
  ) throws -> Value {
    do { return try body() } catch let error as DatabaseError {
      if error.resultCode.primaryResultCode == .SQLITE_IOERR, db.hasNoRoom { throw StoreError.database(.full) }
      throw StoreError.database(file.failure(of: error))
    }
  }
}

extension Database {
  /// The value of a body that runs in a transaction, which has the write lock from its beginning.
  fileprivate func committing<Value>(_ body: () throws -> Value) throws -> Value {
    var value: Value?
    try inTransaction(.immediate) {
      value = try body()
      return .commit
    }
    guard let value else { throw StoreError.database(.inputOutput) }
    return value
  }
}
