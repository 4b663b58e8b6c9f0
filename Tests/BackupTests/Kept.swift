import Foundation
import GRDB
import Layout
import Storage
import Testing

@testable import Backup

/// A database that is written by several connections, and followed into a folder.
final class Kept {
  let folder = NSTemporaryDirectory() + "/hearth-backup-\(UUID().uuidString)"
  let store: Store
  let target: FolderTarget
  let writer: DatabaseQueue
  private(set) var clock = BackupMoment(milliseconds: 1_800_000_000_123)
  var database: String { folder + "/hearth.db" }

  init() throws {
    try FileManager.default.createDirectory(atPath: folder + "/target", withIntermediateDirectories: true)
    target = FolderTarget(folder + "/target")
    let location = DatabaseLocation(folder + "/hearth.db")
    store = try Store(at: location, migrations: location.migrations())
    writer = try DatabaseQueue(path: folder + "/hearth.db")
    try writer.write { db in try db.execute(sql: "CREATE TABLE things (id INTEGER PRIMARY KEY, bytes BLOB NOT NULL)") }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func tick() -> BackupMoment {
    clock = BackupMoment(milliseconds: clock.milliseconds + 10)
    return clock
  }

  /// What a database has, in words that can be compared.
  static func content(of db: GRDB.Database) throws -> String {
    let rows = try Row.fetchAll(db, sql: "SELECT id, bytes FROM things ORDER BY id")
    let pieces = rows.map { row -> [UInt8] in
      let (id, bytes): (Int, Data) = (row[0], row[1])
      return Array("\(id) \(bytes.count) ".utf8) + bytes
    }
    return "\(rows.count) \(Fingerprint.of(pieces: pieces))"
  }

  /// The number that tells the file from another one that is written over it.
  func changeNumber() throws -> Int {
    try writer.read { db in try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 }
  }

  /// One that is far from the number before is another file's, which no look takes.
  func setChangeNumber(_ number: Int) throws {
    try writer.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA user_version = \(number)")
      // It stands in the file as well.
      _ = try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(PASSIVE)")
    }
  }

  /// Moves all of the log into the file, so that it begins anew, once nobody reads it.
  func emptyLog() throws {
    try writer.writeWithoutTransaction { db in
      while try Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(TRUNCATE)")?[0] != 0 { usleep(1_000) }
    }
  }

  func content() throws -> String { try writer.read { db in try Self.content(of: db) } }

  /// What a restore gives, which SQLite finds to be whole.
  ///
  /// - Parameter other: From where, if not from the folder.
  func restored(
    at moment: BackupMoment?, from other: (any BackupTarget)? = nil
  ) throws -> (restored: BackupRestore.Restored, content: String) {
    let path = folder + "/\(UUID().uuidString).db"
    defer { for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) } }
    let restored = try BackupRestore(from: other ?? target).restore(at: moment, to: path)
    let queue = try DatabaseQueue(path: path)
    defer { try? queue.close() }
    return try queue.read { db in
      #expect(try String.fetchOne(db, sql: "PRAGMA integrity_check") == "ok")
      return (restored, try Self.content(of: db))
    }
  }

  /// Changes, adds or removes some rows.
  func change(_ random: inout some RandomNumberGenerator) throws {
    let (kind, id, size) = (
      Int.random(in: 0..<10, using: &random), Int.random(in: 1...400, using: &random),
      Bool.random(using: &random) ? 40 : Int.random(in: 0...9_000, using: &random)
    )
    let bytes = Data((0..<size).map { _ in UInt8.random(in: 0...255, using: &random) })
    try writer.write { db in
      switch kind {
      case 0: try db.execute(sql: "DELETE FROM things WHERE id % 7 = ?", arguments: [id % 7])
      case 1...2: try db.execute(sql: "DELETE FROM things WHERE id = ?", arguments: [id])
      default: try db.execute(sql: "INSERT OR REPLACE INTO things VALUES (?, ?)", arguments: [id, bytes])
      }
    }
  }
}
