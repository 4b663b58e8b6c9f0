import Foundation

/// A backup that could not be written, though the database can be read.
public struct BackupFailure: Error, Sendable, CustomStringConvertible {
  /// The system's or SQLite's words, for the log.
  public let description: String
}

extension Store {
  /// Copies the database to a file that must not be there, and checks the copy. Writing goes on meanwhile.
  ///
  /// The file, which its owner alone may read, appears under its name once it is whole, checked and on the disk.
  ///
  /// - Parameter path: Where to; its folder is made where it is not there.
  /// - Returns: The copy's size in bytes.
  /// - Throws: ``BackupFailure`` when the copy cannot be written or is not whole, ``StoreError`` when the database cannot
  ///   be read, a conflict when the file is there; nothing is left behind then.
  public func backup(to path: String, by actor: Actor) async throws -> Int {
    let size = try await engine.backup(to: path)
    do { try await record("backup", by: actor, detail: path) } catch {
      // A backup that is not in the audit is none.
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
    return size
  }
}
