import Foundation
import GRDB
import Glibc
import Synchronization

/// The files of an open database, and whether they are still the ones at its path.
///
/// SQLite goes on with the files that it has opened, whatever happens to their names: without this, a commit into a
/// removed file is acknowledged, and gone with the process.
final class DatabaseFile: Sendable {
  /// The path in the setting.
  let path: String
  /// The same with symbolic links resolved: SQLite puts its log beside what they lead to.
  private let realPath: String
  let identity: FileIdentity
  /// The log and its index, once they are there; SQLite keeps both for as long as a connection is open.
  private let companions = Mutex<[String: FileIdentity?]>([:])
  private let expectation = Mutex<Expectation?>(nil)

  /// What the changes' numbers must follow: the last one seen in the file, and the last one seen with the log.
  private struct Expectation {
    var inFile: ChangeNumber
    var current: ChangeNumber

    /// Whether a connection may find these numbers in the file and in its snapshot.
    ///
    /// Its snapshot may be older than what another connection has seen last; the file never goes back.
    func allows(inFile: ChangeNumber, current: ChangeNumber) -> Bool {
      if current.follows(self.current) { return inFile.lies(between: self.inFile, and: current) }
      return current.lies(between: self.inFile, and: self.current)
        && inFile.lies(between: self.inFile, and: self.current)
    }
  }

  /// The file that a path leads to now.
  ///
  /// - Throws: ``StoreError/unopened(_:)``.
  init(path: String) throws {
    guard let identity = FileIdentity(path: path) else { throw StoreError.unopened(path) }
    self.path = path
    self.identity = identity
    realPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
  }

  /// The folder of the file and its log.
  var folder: String { URL(fileURLWithPath: realPath).deletingLastPathComponent().path }

  /// Takes the log and its index, which are there now, for the ones that SQLite has open.
  func noteCompanions() {
    for suffix in ["-wal", "-shm"] {
      let identity = FileIdentity(path: realPath + suffix)
      companions.withLock { $0[suffix] = identity }
    }
  }

  /// Has ``check(_:)`` refuse from now on what does not follow this state.
  func expect(_ db: GRDB.Database) throws {
    let header = try DatabaseHeader(db)
    let current = try ChangeNumber.current(db)
    expectation.withLock { $0 = Expectation(inFile: header.changeNumber, current: current) }
  }

  /// Checks that the names still lead to the files that are open.
  ///
  /// - Throws: ``StoreError/database(_:)``, `gone`.
  func checkNames() throws {
    guard FileIdentity(path: path) == identity else { throw StoreError.database(.gone) }
    for (suffix, identity) in companions.withLock({ $0 }) where FileIdentity(path: realPath + suffix) != identity {
      throw StoreError.database(.gone)
    }
  }

  /// Checks that what is written now is found by the next process that opens the path.
  ///
  /// - Throws: ``StoreError/database(_:)``: `gone` or `readOnly`.
  func check(_ db: GRDB.Database) throws {
    try checkNames()
    guard Self.isWritable(path) else { throw StoreError.database(.readOnly) }
    try checkContent(db)
  }

  private static func isWritable(_ path: String) -> Bool {
    var found = stat()
    // No rights hold root back: then the mode says what is meant.
    return unsafe stat(path, &found) == 0 && access(path, W_OK) == 0 && found.st_mode & 0o222 != 0
  }

  /// What this user may not write of a database's file, log and index, or the folder that these are to be made in; `nil` if
  /// there is nothing.
  static func unwritable(at path: String) -> String? {
    let realPath = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
    let files = ["", "-wal", "-shm"].map { realPath + $0 }
    // SQLite makes a log anew that has nothing in it.
    let present = files.filter { file in
      var found = stat()
      return unsafe stat(file, &found) == 0 && found.st_size > 0
    }
    if let file = present.first(where: { !isWritable($0) }) { return file }
    let folder = URL(fileURLWithPath: realPath).deletingLastPathComponent().path
    let needsFolder = present.count < files.count
    return unsafe needsFolder && access(folder, W_OK) != 0 ? folder : nil
  }

  /// Checks that nothing was written over the file since it was claimed. Whether it is whole is for SQLite to say: a file
  /// that is shorter than its header says is whole with its log while that is moved into it (docs/decisions/0067).
  ///
  /// - Throws: ``StoreError/database(_:)``, `gone`.
  func checkContent(_ db: GRDB.Database) throws {
    // In this order: what is expected may become newer than a header that was read before.
    guard let expected = expectation.withLock({ $0 }) else { return }
    let header = try DatabaseHeader(db)
    let (inFile, current) = (header.changeNumber, try ChangeNumber.current(db))
    guard header.hasLog, expected.allows(inFile: inFile, current: current) else { throw StoreError.database(.gone) }
    note(inFile, current)
  }

  /// Whether the log and its index have lost their names while the database has its own. Other processes can then have
  /// it open only by files that are unreachable.
  var hasLostLog: Bool {
    FileIdentity(path: path) == identity && FileIdentity(path: realPath + "-wal") == nil
      && companions.withLock { $0["-wal"] != nil }
  }

  /// Several connections look, and one may have looked a moment earlier than another.
  private func note(_ inFile: ChangeNumber, _ current: ChangeNumber) {
    expectation.withLock { last in
      guard let former = last else { return }
      last = Expectation(
        inFile: inFile.lies(between: former.inFile, and: current) ? inFile : former.inFile,
        current: current.follows(former.current) ? current : former.current)
    }
  }
}

extension StoreError {
  /// Why the file at a path, which was just tried, cannot be opened: it is not there, its log alone is, or this user cannot
  /// reach it.
  public static func unopened(_ path: String) -> StoreError {
    guard errno == ENOENT else { return .database(.cannotOpen) }
    return .database(FileIdentity(path: path + "-wal") == nil ? .missing : .logAlone)
  }
}
