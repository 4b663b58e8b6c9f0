import Foundation
import GRDB
import Glibc
import Layout

extension SQLiteEngine {
  func backup(to path: String, at instant: Instant) async throws -> Int {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.conflict(code: "backup-exists", detail: "there is a backup of this name; try again in a second")
    }
    let unfinished = path + ".unfinished"
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let size: Int
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      Self.removeAbandoned(in: folder)
      Self.remove(unfinished)
      try Self.writingCopy { () throws(SystemFailure) in try FileMaking.make(unfinished) }
      let claim = Self.claim(unfinished)
      defer { if let claim { Glibc.close(claim) } }
      // A reading connection: the copy is of one moment, and no writer waits for it.
      try await pool.unsafeRead { db in
        do { try db.execute(sql: "VACUUM INTO ?", arguments: [unfinished]) } catch let error as DatabaseError {
          throw Self.isOfTheCopy(error) ? BackupFailure(description: "\(error.message ?? "\(error)")") : error
        }
      }
      size = try await Self.checkedSize(of: unfinished, madeAt: instant)
      try Self.writingCopy { () throws(SystemFailure) in try FileMaking.synchronize(unfinished) }
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
    } catch {
      Self.remove(unfinished)
      if let error = error as? DatabaseError { throw StoreError(error) }
      throw error is BackupFailure || error is StoreError
        ? error : BackupFailure(description: "\(error.localizedDescription)")
    }
    do { try Self.writingCopy { () throws(SystemFailure) in try FileMaking.synchronize(folder) } } catch {
      Self.remove(path)
      throw error
    }
    return size
  }

  /// Removes what backups left in a folder whose processes were killed: nobody has claimed it.
  private static func removeAbandoned(in folder: String) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] where name.hasSuffix(unfinished) {
      guard let claim = claim("\(folder)/\(name)") else { continue }
      remove("\(folder)/\(name)")
      Glibc.close(claim)
    }
  }

  /// The suffix of unfinished copies.
  private static let unfinished = ".db.unfinished"

  /// Says that this process writes a file, for as long as the descriptor is open.
  ///
  /// - Returns: `nil` if another process does, or the file does not exist.
  private static func claim(_ path: String) -> Int32? {
    let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { return nil }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
    Glibc.close(descriptor)
    return nil
  }

  /// Removes a copy, and what SQLite has beside it while it writes.
  private static func remove(_ path: String) {
    for suffix in ["", "-journal"] { try? FileManager.default.removeItem(atPath: path + suffix) }
  }

  /// Runs `body`, and reports failures of the file as the backup's.
  private static func writingCopy(_ body: () throws(SystemFailure) -> Void) throws {
    do { try body() } catch {
      throw BackupFailure(description: StoreError.DatabaseFailure(errno: error.number).description)
    }
  }

  /// Whether `VACUUM INTO` failed because of the file that it writes. The database itself has just been opened for
  /// reading; one that is damaged is found out as such.
  private static func isOfTheCopy(_ error: DatabaseError) -> Bool {
    [.SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_FULL, .SQLITE_IOERR, .SQLITE_PERM].contains(
      error.resultCode.primaryResultCode)
  }

  /// The bytes of a copy that is found to be whole, and that is given a number of its own (``ChangeNumber``) and what it is.
  static func checkedSize(of path: String, madeAt instant: Instant) async throws -> Int {
    try await DatabaseQueue(path: path).writeWithoutTransaction { db in
      if let damage = try db.damage { throw BackupFailure(description: "the copy is damaged: \(damage)") }
      try db.execute(
        sql: "UPDATE history SET copy = ?, backed_up_at = ?",
        arguments: ["the backup of \(instant)", instant.secondsSinceEpoch])
      try ChangeNumber.random().set(db)
      return try db.bytes
    }
  }
}

extension GRDB.Database {
  /// What SQLite finds damaged in the whole database; `nil` if nothing is.
  fileprivate var damage: String? {
    get throws {
      let verdict = try String.fetchOne(self, sql: "PRAGMA integrity_check") ?? ""
      guard verdict == "ok" else { return verdict }
      let dangling = try GRDB.Row.fetchOne(self, sql: "PRAGMA foreign_key_check")
      return dangling.map { "a row of \(($0["table"] as String?) ?? "a table") refers to one that is not there" }
    }
  }
}

extension SQLiteEngine {
  /// What SQLite finds damaged in a file that nobody has open; `nil` if nothing is.
  ///
  /// - Throws: ``StoreError`` if it is no database, or cannot be read.
  static func damage(of path: String) throws -> String? {
    do { return try DatabaseQueue(path: path).writeWithoutTransaction { db in try db.damage } } catch let error
      as DatabaseError
    {
      guard error.resultCode.primaryResultCode == .SQLITE_CORRUPT else { throw StoreError(error) }
      return error.message ?? "\(error)"
    }
  }
}
