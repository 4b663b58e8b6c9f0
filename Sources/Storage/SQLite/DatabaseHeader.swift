import GRDB
import GRDBSQLite

/// The first hundred bytes of a database file as they are on the disk (https://www.sqlite.org/fileformat.html#database_header),
/// and the file's size.
struct DatabaseHeader: Hashable {
  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not see.
  private static let shortRead = SQLITE_IOERR | 2 << 8
  /// How long it is, in bytes.
  static let bytes = 100
  private let bytes: [UInt8]
  private let fileBytes: Int

  /// Reads through the descriptor that SQLite holds. Opening and closing the file anywhere else in the process would drop
  /// SQLite's POSIX locks on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
  init(_ db: GRDB.Database) throws {
    guard let file = unsafe db.file(SQLITE_FCNTL_FILE_POINTER), let methods = unsafe file.pointee.pMethods else {
      throw StoreError.database(.inputOutput)
    }
    var bytes = [UInt8](repeating: 0, count: Self.bytes)
    var size: sqlite3_int64 = 0
    // What is beyond the end of the file is read as zeros.
    let read = unsafe methods.pointee.xRead(file, &bytes, Int32(Self.bytes), 0)
    let measured = unsafe methods.pointee.xFileSize(file, &size)
    guard measured == SQLITE_OK, read == SQLITE_OK || read == Self.shortRead else {
      throw StoreError.database(.inputOutput)
    }
    self.bytes = bytes
    fileBytes = Int(size)
  }

  /// Whether it begins as every SQLite database does.
  var isDatabase: Bool { bytes.starts(with: "SQLite format 3\0".utf8) }

  /// Whether there is not even a whole header.
  var isEmpty: Bool { fileBytes < Self.bytes }

  /// Whether the file is shorter than the header says.
  var isTruncated: Bool {
    let pageBytes = Int(bytes[16]) << 8 | Int(bytes[17])
    let pages = Int(number(at: 28))
    // The count of pages holds when it was written together with the change counter.
    return number(at: 24) == number(at: 92) && fileBytes < pages * (pageBytes == 1 ? 65_536 : pageBytes)
  }

  /// Whether it is in the mode of a write-ahead log, as every database is that has been opened here.
  var hasLog: Bool { bytes[18] == 2 && bytes[19] == 2 }

  /// `PRAGMA user_version`, as of when the log was moved into the file last: ``ChangeNumber``.
  var changeNumber: ChangeNumber { ChangeNumber(number(at: 60)) }

  private func number(at offset: Int) -> UInt32 {
    bytes[offset..<offset + 4].reduce(0) { $0 << 8 | UInt32($1) }
  }
}

extension GRDB.Database {
  /// Whether the last failure of a file was for want of room: no space, a quota, a limit of the file's size. SQLite tells the
  /// first apart alone, and every other failure to write is an error of input and output.
  var hasNoRoom: Bool {
    [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER].contains { kind in
      var error: Int32 = 0
      guard let file = unsafe file(kind), let methods = unsafe file.pointee.pMethods,
        unsafe methods.pointee.xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &error) == SQLITE_OK
      else { return false }
      return StoreError.DatabaseFailure(errno: error) == .full
    }
  }

  /// The database's file, or its log's, as SQLite has it open.
  fileprivate func file(_ kind: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = unsafe withUnsafeMutablePointer(to: &file) {
      unsafe sqlite3_file_control(sqliteConnection, "main", kind, $0)
    }
    return found == SQLITE_OK ? unsafe file : nil
  }
}
