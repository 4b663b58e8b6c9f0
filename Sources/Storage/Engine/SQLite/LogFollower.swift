import Foundation
import GRDB
import GRDBSQLite
public import Layout

/// Tells which pages of an SQLite file have changed, and what they hold at one moment, beside whoever writes the file.
///
/// SQLite appends changed pages to its write-ahead log, and begins the log anew once all of it is in the file and nobody
/// reads it. So that no change is missed, one connection always reads: each look begins its transaction before that of the
/// look before ends (docs/decisions/0132). No writer waits for it.
///
/// One thread at a time may call it.
public final class LogFollower {
  /// The database as a look finds it.
  public struct Moment: Hashable, Sendable {
    /// The bytes of a page.
    public var pageSize: Int
    /// The database's pages, which have the numbers from 1 on.
    public var pageCount: Int
    /// Where its log ends; `nil` where all of it is in the file.
    public var position: Position?
  }

  /// A place in a log, which no other log has.
  public struct Position: Hashable, Sendable {
    /// What SQLite drew for this log, 16 hexadecimal digits.
    public var salt: String
    /// How many frames there are up to here.
    public var frame: Int
    /// The log's checksum up to here, 16 hexadecimal digits.
    public var checksum: String

    /// A place.
    public init(salt: String, frame: Int, checksum: String) {
      (self.salt, self.frame, self.checksum) = (salt, frame, checksum)
    }
  }

  /// Why the changes since the last look are not known.
  public enum Failure: Error, CustomStringConvertible {
    /// Somebody has written or removed the log by other means than SQLite.
    case lost
    /// The database does not let itself be looked at.
    case unreadable(String)

    /// What is wrong, in words.
    public var description: String {
      switch self {
      case .lost: "the log of the database was changed by something else than SQLite"
      case .unreadable(let why): "the database cannot be followed: \(why)"
      }
    }
  }

  /// The frames from which on the log is moved into the file, so that it can begin anew: fewer than SQLite's own thousand,
  /// which a commit would have to move.
  private static let framesMax = 512
  /// How long a writer may hold up the move, or be held up by it, in milliseconds.
  private static let turnWait = 20
  /// How often a look begins again since somebody commits meanwhile.
  private static let attemptsMax = 1_000

  private let file: DatabaseFile
  private let connections: [DatabaseQueue]
  /// The connection that reads; the other one is idle.
  private var reading: Int?
  private var index = LogIndex()
  /// The last frame of each page in the log, as far as it was looked at.
  private var frames: [UInt32: Int] = [:]
  /// Whether the log has begun anew since the look: then all of the moment is in the file.
  private var isInFile = false
  private var framesAtTurn = 0
  private var changed: Set<UInt32> = []
  /// What the last look has found.
  public private(set) var moment = Moment(pageSize: 0, pageCount: 0)

  /// Opens two connections.
  ///
  /// - Throws: ``Failure``, or ``StoreError`` where a server keeps the database or the file is not the one that is open.
  public init(_ store: Store) throws {
    guard let engine = store.engine as? SQLiteEngine else { throw StoreError.database(.unsuitable) }
    file = engine.file
    var configuration = SQLiteEngine.configuration(of: engine.file)
    configuration.label = "hearth.follower"
    configuration.busyMode = .timeout(Double(Self.turnWait) / 1_000)
    // A transaction stays open from one look to the next.
    configuration.allowsUnsafeTransactions = true
    do {
      connections = try [0, 1].map { _ in
        let queue = try DatabaseQueue(path: engine.file.path, configuration: configuration)
        // From then on the log and its index are open.
        try queue.writeWithoutTransaction { db in _ = try ChangeNumber.current(db) }
        return queue
      }
    } catch let error as DatabaseError { throw Failure.unreadable("\(error)") }
  }

  /// The pages that have changed since the first look, or since this was called last.
  public func takeChanged() -> Set<UInt32> {
    defer { changed = [] }
    return changed
  }

  /// Looks at the database as it is now.
  ///
  /// - Throws: ``Failure``, or ``StoreError`` when the file is not the one that is open. After ``Failure/lost`` it has to be
  ///   opened anew.
  public func look() throws {
    do {
      try lookOnce()
      if index.frame >= Self.framesMax, index.frame != framesAtTurn { try turn() }
    } catch let error as DatabaseError { throw Failure.unreadable("\(error)") }
  }

  private func lookOnce() throws {
    let next = reading == 0 ? 1 : 0
    let queue = connections[next]
    for _ in 0..<Self.attemptsMax {
      let found: (index: LogIndex, moment: Moment)? = try queue.writeWithoutTransaction { db in
        try db.execute(sql: "BEGIN")
        do {
          let before = try db.logIndex()
          // The read of this ends with the transaction's own view, which is that of the index unless it has changed.
          let moment = Moment(
            pageSize: try Int.fetchOne(db, sql: "PRAGMA page_size") ?? 0,
            pageCount: try Int.fetchOne(db, sql: "PRAGMA page_count") ?? 0)
          if try before == db.logIndex() {
            try file.checkContent(db)
            return (before, moment)
          }
        } catch {
          try? db.execute(sql: "ROLLBACK")
          throw error
        }
        try db.execute(sql: "ROLLBACK")
        return nil
      }
      guard let found else { continue }
      do {
        guard try take(found.index, by: queue) else {
          try queue.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
          continue
        }
      } catch {
        try? queue.writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") }
        throw error
      }
      if let reading { try connections[reading].writeWithoutTransaction { db in try db.execute(sql: "ROLLBACK") } }
      reading = next
      moment = found.moment
      moment.position = found.index.position
      isInFile = false
      return
    }
    throw Failure.unreadable("somebody goes on changing it")
  }

  /// Takes in the frames that have come since the last look.
  ///
  /// - Returns: `false` when the first look has to be made again, since the log began anew meanwhile.
  private func take(_ now: LogIndex, by queue: DatabaseQueue) throws -> Bool {
    let isSame = reading != nil && now.salt == index.salt
    let known = isSame ? index.frame : 0
    guard now.frame >= known else { throw Failure.lost }
    var pages: [UInt32] = []
    // Where there is no new one, all may be in the file, and the log may begin anew at any time.
    let isSteady =
      try known == now.frame
      || queue.writeWithoutTransaction { db in
        let log = try db.openFile(SQLITE_FCNTL_JOURNAL_POINTER)
        for frame in (known + 1)...now.frame {
          let head = try log.read(24, at: now.offset(of: frame))
          // What is read while the log begins anew may be of either.
          guard Array(head[8..<16]) == now.salt else { break }
          pages.append(head[0..<4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        return try db.logIndex().salt == now.salt
      }
    guard isSteady, pages.count == now.frame - known else {
      if reading == nil { return false }
      throw Failure.lost
    }
    if !isSame {
      frames = [:]
      framesAtTurn = 0
    }
    for (offset, page) in pages.enumerated() { frames[page] = known + 1 + offset }
    if reading != nil { changed.formUnion(pages) }
    index = now
    return true
  }

  /// Moves the log into the file, and then reads from the file alone, so that the next who writes begins the log anew.
  private func turn() throws {
    framesAtTurn = index.frame
    _ = try checkpoint("PASSIVE")
    try lookOnce()
    framesAtTurn = index.frame
    // Where a commit comes before it, or somebody reads something older, the next look tries again.
    if try checkpoint("FULL") { try lookOnce() } else { framesAtTurn = 0 }
  }

  /// - Returns: Whether all of the log is in the file.
  private func checkpoint(_ mode: String) throws -> Bool {
    try connections[reading == 0 ? 1 : 0].writeWithoutTransaction { db in
      do {
        let row = try GRDB.Row.fetchOne(db, sql: "PRAGMA wal_checkpoint(\(mode))")
        return (row?[0] as Int?) == 0 && (row?[1] as Int?) == (row?[2] as Int?)
      } catch let error as DatabaseError where error.resultCode.primaryResultCode == .SQLITE_BUSY {
        return false
      }
    }
  }

  /// What names the database, wherever it goes (``LinkKey/databaseName``).
  public func databaseName() throws -> String {
    guard let reading else { throw Failure.lost }
    do {
      return try connections[reading].writeWithoutTransaction { db in
        LinkKey(try String.fetchOne(db, sql: "SELECT link_key FROM history") ?? "").databaseName
      }
    } catch let error as DatabaseError { throw Failure.unreadable("\(error)") }
  }

  /// Hands on pages as the last look has found them.
  ///
  /// - Parameter pages: Numbers from 1 to the moment's `pageCount`.
  public func read(_ pages: some Sequence<UInt32>, _ take: (UInt32, [UInt8]) throws -> Void) throws {
    guard let reading else { throw Failure.lost }
    do {
      try connections[reading].writeWithoutTransaction { db in
        let (main, log) = (
          try db.openFile(SQLITE_FCNTL_FILE_POINTER), try db.openFile(SQLITE_FCNTL_JOURNAL_POINTER)
        )
        for page in pages { try take(page, content(of: page, db, main, log)) }
      }
    } catch let error as DatabaseError { throw Failure.unreadable("\(error)") }
  }

  private func content(of page: UInt32, _ db: GRDB.Database, _ main: OpenFile, _ log: OpenFile) throws -> [UInt8] {
    if !isInFile, let frame = frames[page] {
      let bytes = try log.read(moment.pageSize, at: index.offset(of: frame) + 24)
      // It begins anew only once all of the moment is in the file, which stays there for as long as this reads.
      if try db.logIndex().salt == index.salt { return bytes }
      isInFile = true
    }
    return try main.read(moment.pageSize, at: Int64(page - 1) * Int64(moment.pageSize))
  }

  /// Whether a place is one of this log, and which pages have changed since; `nil` if it is none.
  public func pages(since position: Position) throws -> Set<UInt32>? {
    guard let reading, position.salt == index.salt.hexadecimal, (1...max(index.frame, 1)).contains(position.frame)
    else {
      return nil
    }
    let head: [UInt8] = try connections[reading].writeWithoutTransaction { db in
      let bytes = try db.openFile(SQLITE_FCNTL_JOURNAL_POINTER).read(24, at: index.offset(of: position.frame))
      return try db.logIndex().salt == index.salt ? bytes : []
    }
    guard head.count == 24, Array(head[8..<16]) == index.salt, Array(head[16..<24]).hexadecimal == position.checksum
    else { return nil }
    return Set(frames.filter { $0.value > position.frame }.keys)
  }

  /// Ends; what has come since the last look is not looked at.
  public func close() {
    for queue in connections {
      try? queue.writeWithoutTransaction { db in if db.isInsideTransaction { try db.execute(sql: "ROLLBACK") } }
      try? queue.close()
    }
    reading = nil
  }
}

extension Store {
  /// Finishes a database that was put together from a backup: looks whether it is whole, and marks it as a copy.
  ///
  /// - Parameter instant: The moment that it is of.
  /// - Throws: ``BackupFailure`` or ``StoreError`` when it is damaged.
  public static func finishCopy(ofFile path: String, at instant: Instant) async throws {
    do { _ = try await SQLiteEngine.checkedSize(of: path, madeAt: instant) } catch let error as DatabaseError {
      throw StoreError(error)
    }
    do { try FileMaking.synchronize(path) } catch { throw StoreError(error) }
  }
}

/// What the index of a log says of it (https://www.sqlite.org/walformat.html#the_wal_index_header).
private struct LogIndex: Equatable {
  /// All 48 bytes, among them a number that rises with each commit.
  private var bytes: [UInt8] = Array(repeating: 0, count: Self.size)
  static let size = 48

  init() {}

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  private func number(at offset: Int) -> UInt32 {
    // The machine's own order.
    bytes[offset..<offset + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
  }

  /// The frames of what is committed.
  var frame: Int { Int(number(at: 16)) }
  /// The bytes of a page: 1 stands for 65,536.
  private var pageSize: Int {
    let size = Int(bytes[14]) | Int(bytes[15]) << 8
    return size & 0xFE00 + (size & 1) << 16
  }
  var salt: [UInt8] { Array(bytes[32..<40]) }

  var position: LogFollower.Position? {
    guard frame > 0 else { return nil }
    let sums = [number(at: 24), number(at: 28)].flatMap { sum in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: sum >> UInt32($0)) }
    }
    return LogFollower.Position(salt: salt.hexadecimal, frame: frame, checksum: sums.hexadecimal)
  }

  /// Where a frame is in the log, from 1 on.
  func offset(of frame: Int) -> Int64 { 32 + Int64(frame - 1) * Int64(24 + pageSize) }
}

/// A file as a connection of SQLite has it open: opening it anew, and closing that, would drop SQLite's locks.
@safe private struct OpenFile {
  private let file: UnsafeMutablePointer<sqlite3_file>

  init(_ file: UnsafeMutablePointer<sqlite3_file>) { unsafe self.file = unsafe file }

  /// What is beyond the end of the file is read as zeros.
  func read(_ count: Int, at offset: Int64) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    guard let methods = unsafe file.pointee.pMethods else { throw LogFollower.Failure.unreadable("it is closed") }
    let result = unsafe methods.pointee.xRead(file, &bytes, Int32(count), offset)
    guard result == SQLITE_OK || result == DatabaseHeader.shortRead else {
      throw LogFollower.Failure.unreadable("a page cannot be read (\(result))")
    }
    return bytes
  }
}

extension GRDB.Database {
  fileprivate func openFile(_ kind: Int32) throws -> OpenFile {
    guard let file = unsafe file(kind) else { throw LogFollower.Failure.unreadable("it has no log") }
    return unsafe OpenFile(file)
  }

  /// The index as SQLite has it in shared memory, where it stands twice: a writer changes one after the other.
  fileprivate func logIndex() throws -> LogIndex {
    guard let file = unsafe file(SQLITE_FCNTL_FILE_POINTER), let methods = unsafe file.pointee.pMethods,
      unsafe methods.pointee.iVersion >= 2
    else { throw LogFollower.Failure.unreadable("its log has no index") }
    var place: UnsafeMutableRawPointer?
    // SQLite maps the index in pieces of this size.
    let result = unsafe methods.pointee.xShmMap(file, 0, 32_768, 0, &place)
    guard result == SQLITE_OK, let place = unsafe place else {
      throw LogFollower.Failure.unreadable("its log has no index (\(result))")
    }
    for _ in 0..<10_000 {
      let first = unsafe [UInt8](UnsafeRawBufferPointer(start: place, count: LogIndex.size))
      unsafe methods.pointee.xShmBarrier(file)
      let second = unsafe [UInt8](UnsafeRawBufferPointer(start: place + LogIndex.size, count: LogIndex.size))
      if first == second { return LogIndex(first) }
    }
    throw LogFollower.Failure.unreadable("the index of its log is half written")
  }
}
