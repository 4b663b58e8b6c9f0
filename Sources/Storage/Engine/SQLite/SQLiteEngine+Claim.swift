import Dispatch
import GRDB
import Synchronization

extension SQLiteEngine {
  /// Has nothing written from now on once something else was written over the file (``ChangeNumber``), and no connection
  /// opened later, when the path might lead elsewhere.
  func claim() async throws {
    do { try await pool.writeWithoutTransaction { [file] db in try file.expect(db) } } catch let error as DatabaseError
    {
      throw StoreError(error)
    }
    openReaders()
  }

  /// Closes the database, with all that was written in the one file.
  ///
  /// Where something else was written over that file it stays open until the process ends: closing would move SQLite's log
  /// into it.
  func close() async {
    let isSound = try? await pool.writeWithoutTransaction { [file] db in
      try file.checkContent(db)
      try db.execute(sql: "PRAGMA busy_timeout = 1000")
      try? db.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)")
      return true
    }
    if isSound == true {
      // Those that read cannot remove the log, and the last to be closed does it.
      pool.releaseMemory()
      try? pool.close()
    } else {
      Self.leftOpen.withLock { $0.append(self) }
    }
  }

  /// Those that must not be closed.
  private static let leftOpen = Mutex<[SQLiteEngine]>([])

  /// Opens every connection that reads.
  private func openReaders() {
    let count = pool.configuration.maximumReaderCount
    let (arrived, released) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    for _ in 0..<count {
      pool.asyncRead { _ in
        arrived.signal()
        released.wait()
      }
    }
    for _ in 0..<count { arrived.wait() }
    for _ in 0..<count { released.signal() }
  }
}
