import Foundation
public import Layout

/// A backup that could not be written, though the database can be read.
public struct BackupFailure: Error, Sendable, CustomStringConvertible {
  /// The system's or SQLite's words, for the log.
  public let description: String
}

extension Store {
  /// Copies the database to a file that must not be there, and checks the copy. Writing goes on meanwhile.
  ///
  /// The file, which its owner alone may read, appears under its name once it is whole, checked and on the disk. It says of
  /// itself that it is a copy: what is started on it publishes nothing until the generation is raised.
  ///
  /// - Parameter path: Where to; its folder is made where it is not there.
  /// - Returns: The copy's size in bytes.
  /// - Throws: ``BackupFailure`` when the copy cannot be written or is not whole, ``StoreError`` when the database cannot
  ///   be read, a conflict when the file is there; nothing is left behind then.
  public func backup(to path: String, by actor: Actor, keeping: AnswerKeeper<Int>? = nil) async throws -> Int {
    let at = clock()
    let size = try await engine.backup(to: path, at: at)
    do {
      return try await write("backup", by: actor, keeping: keeping) { change in
        change.detail = path
        try change.db.execute(sql: "UPDATE history SET backed_up_at = ?", arguments: [at])
        return size
      }
    } catch {
      // A backup that is not in the audit is none.
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }

  /// What SQLite finds damaged in the whole of a file that nobody has open, its log included; `nil` if nothing is. The log may
  /// be moved into the file.
  ///
  /// - Throws: ``StoreError`` if it is no database, or cannot be read.
  public static func damage(ofFile path: String) throws -> String? { try SQLiteEngine.damage(of: path) }

  /// The file or folder that a server on a database would write, and this user may not; `nil` if there is none.
  public static func unwritable(ofFile path: String) -> String? { DatabaseFile.unwritable(at: path) }

  /// When the last backup was made by ``backup(to:by:)``, `nil` before the first, or of a copy when that was made; and since
  /// when there is the database.
  public func backupTimes() async throws -> (last: Instant?, made: Instant?) {
    try await read { db in
      let last = try Instant.fetchOne(db, sql: "SELECT backed_up_at FROM history WHERE backed_up_at IS NOT NULL")
      let made = try Instant.fetchOne(db, sql: "SELECT applied_at FROM migrations ORDER BY number LIMIT 1")
      return (last, made)
    }
  }
}
