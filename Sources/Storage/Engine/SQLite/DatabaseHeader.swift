import GRDB
import GRDBSQLite

/// What the header of a database file tells of the file apart from its log
/// (https://www.sqlite.org/fileformat.html#database_header).
struct DatabaseHeader: Hashable {
  /// SQLITE_IOERR_SHORT_READ, a macro that Swift does not see.
  static let shortRead = SQLITE_IOERR | 2 << 8
  /// Whether it is in the mode of a write-ahead log, as every database is that has been opened here.
  let hasLog: Bool
  /// `PRAGMA user_version`, as of when the log was moved into the file last: ``ChangeNumber``.
  let changeNumber: ChangeNumber

  /// Reads through the descriptor that SQLite holds. Opening and closing the file anywhere else in the process would drop
  /// SQLite's POSIX locks on it (https://www.sqlite.org/howtocorrupt.html, 2.2).
  init(_ db: GRDB.Database) throws {
    guard let file = unsafe db.file(SQLITE_FCNTL_FILE_POINTER), let methods = unsafe file.pointee.pMethods else {
      throw StoreError.database(.inputOutput)
    }
    var bytes = [UInt8](repeating: 0, count: 100)
    // What is beyond the end of the file is read as zeros.
    let read = unsafe methods.pointee.xRead(file, &bytes, Int32(bytes.count), 0)
    guard read == SQLITE_OK || read == Self.shortRead else { throw StoreError.database(.inputOutput) }
    hasLog = bytes[18] == 2 && bytes[19] == 2
    changeNumber = ChangeNumber(bytes[60..<64].reduce(0) { $0 << 8 | UInt32($1) })
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
  func file(_ kind: Int32) -> UnsafeMutablePointer<sqlite3_file>? {
    var file: UnsafeMutablePointer<sqlite3_file>?
    let found = unsafe withUnsafeMutablePointer(to: &file) {
      unsafe sqlite3_file_control(sqliteConnection, "main", kind, $0)
    }
    return found == SQLITE_OK ? unsafe file : nil
  }
}
