import Foundation
import GRDB
import Glibc
import Synchronization

/// Looks whether the database can be used, by a connection of its own: as a writer finds it, and as the next start would.
final class SQLiteProbe: Sendable {
  private let file: DatabaseFile
  private let queue: DatabaseQueue
  /// How long another process may hold the write lock before that is a failure.
  private static let lockWaitSeconds = 3.0
  /// Less free room than this counts as a full disk.
  private static let freeBytesMin: UInt64 = 1_048_576
  /// The bytes that are written for trial, into a file that has no name.
  private static let trialBytes = 65_536
  /// O_TMPFILE, a macro that Swift does not see.
  private static let nameless = O_DIRECTORY | 0o20_000_000

  private struct Verdict {
    /// What the file was when its pages were checked last: size, and time of change.
    var looked: [Int]?
    var isCorrupt = false
    /// When a check may be made again: one takes at most a twentieth of the time.
    var next = ContinuousClock.now
  }

  private let verdict = Mutex(Verdict())

  /// - Throws: ``StoreError`` when the database cannot be opened.
  init(_ file: DatabaseFile) throws {
    self.file = file
    var configuration = SQLiteEngine.configuration(of: file)
    configuration.label = "hearth.probe"
    configuration.busyMode = .timeout(Self.lockWaitSeconds)
    do { queue = try DatabaseQueue(path: file.path, configuration: configuration) } catch let error as DatabaseError {
      throw StoreError(error)
    }
  }

  /// The database's failure; `nil` if there is none. Takes some seconds while another process has the lock.
  func examine() async -> StoreError.DatabaseFailure? {
    do {
      try await queue.writeWithoutTransaction { [self] db in
        if file.hasLostLog {
          try file.checkContent(db)
          // What was acknowledged is in a log that the next start will not find: into the file with it.
          try db.execute(sql: "PRAGMA wal_checkpoint(PASSIVE)")
        }
        try file.check(db)
        try checkPages(db)
        try db.inTransaction(.immediate) { .rollback }
      }
      try checkRoom()
    } catch StoreError.database(let failure) {
      return failure
    } catch let error as DatabaseError {
      return StoreError.DatabaseFailure(ofOpen: error)
    } catch {
      return .inputOutput
    }
    return nil
  }

  /// Checks that every page of the file is what it must be, when the file has changed since the last time.
  private func checkPages(_ db: GRDB.Database) throws {
    var found = stat()
    guard unsafe stat(file.path, &found) == 0 else { throw StoreError.database(.gone) }
    let now = [
      Int(found.st_size), found.st_mtim.tv_sec, found.st_mtim.tv_nsec, found.st_ctim.tv_sec, found.st_ctim.tv_nsec,
    ]
    let started = ContinuousClock.now
    let isDue = verdict.withLock { $0.looked != now && $0.next <= started }
    if isDue {
      // What is in the cache was read before.
      try db.execute(sql: "PRAGMA shrink_memory")
      let isWhole = try isSound(db)
      let taken = ContinuousClock.now - started
      verdict.withLock { $0 = Verdict(looked: now, isCorrupt: !isWhole, next: .now + taken * 20) }
    }
    if verdict.withLock({ $0.isCorrupt }) { throw StoreError.database(.corrupt) }
  }

  private func isSound(_ db: GRDB.Database) throws -> Bool {
    do {
      return try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok"
    } catch {
      guard StoreError.isDamage(error) else { throw error }
      return false
    }
  }

  /// Checks that there is room on the disk, and that this process may write there.
  private func checkRoom() throws {
    let folder = file.folder
    var room = statvfs()
    guard unsafe statvfs(folder, &room) == 0 else { throw StoreError.database(.inputOutput) }
    guard room.f_flag & UInt(ST_RDONLY) == 0 else { throw StoreError.database(.readOnly) }
    guard UInt64(room.f_bavail) * UInt64(room.f_frsize) >= Self.freeBytesMin else { throw StoreError.database(.full) }
    let descriptor = unsafe open(folder, Self.nameless | O_WRONLY | O_CLOEXEC, 0o600)
    // Where the file system has no files without names, the count of free blocks is all there is to go by.
    if descriptor < 0, errno == EOPNOTSUPP || errno == EISDIR { return }
    guard descriptor >= 0 else { throw StoreError.database(StoreError.DatabaseFailure(errno: errno)) }
    defer { close(descriptor) }
    let bytes = [UInt8](repeating: 0, count: Self.trialBytes)
    guard unsafe write(descriptor, bytes, bytes.count) == bytes.count else {
      throw StoreError.database(StoreError.DatabaseFailure(errno: errno == 0 ? ENOSPC : errno))
    }
  }
}

extension SQLiteEngine {
  func makeProbe() throws -> @Sendable () async -> StoreError.DatabaseFailure? {
    let probe = try SQLiteProbe(file)
    return { await probe.examine() }
  }
}
