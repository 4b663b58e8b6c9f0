import Foundation
import GRDB

extension Store {
  /// Copies the database to a file that must not be there, and checks the copy. Writing goes on meanwhile.
  ///
  /// The file appears under its name once it is whole, checked and on the disk.
  ///
  /// - Returns: The copy's size in bytes.
  /// - Throws: ``StoreError``, a conflict when the file is there; nothing is left behind then.
  public func backup(to path: String, by actor: Actor) async throws -> Int {
    guard !FileManager.default.fileExists(atPath: path) else {
      throw StoreError.conflict(code: "backup-exists", detail: "there is a backup of this name; try again in a second")
    }
    let unfinished = path + ".unfinished"
    try? FileManager.default.removeItem(atPath: unfinished)
    do {
      // A reading connection: the copy is of one moment, and no writer waits for it.
      try await pool.unsafeRead { db in try db.execute(sql: "VACUUM INTO ?", arguments: [unfinished]) }
      let size = try await Self.checkedSize(of: unfinished)
      try FileHandle(forUpdating: URL(fileURLWithPath: unfinished)).synchronize()
      try FileManager.default.moveItem(atPath: unfinished, toPath: path)
      try await record("backup", by: actor, detail: path)
      return size
    } catch {
      try? FileManager.default.removeItem(atPath: unfinished)
      if let error = error as? DatabaseError { throw StoreError(error) }
      if error is StoreError { throw error }
      throw StoreError.database(.inputOutput)
    }
  }

  /// The bytes of a copy that is found to be whole.
  private static func checkedSize(of path: String) async throws -> Int {
    var configuration = Configuration()
    configuration.readonly = true
    return try await DatabaseQueue(path: path, configuration: configuration).read { db in
      let verdict = try String.fetchOne(db, sql: "PRAGMA integrity_check") ?? ""
      let dangling = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check")
      guard verdict == "ok", dangling == nil else { throw StoreError.database(.corrupt) }
      let pages = try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0
      return try pages * (Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0)
    }
  }
}
