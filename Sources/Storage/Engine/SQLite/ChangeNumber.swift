import GRDB

/// A number in the header of the database that rises by one with every change, from one that is drawn by lot when the
/// database is made: `PRAGMA user_version`.
///
/// A copy over the file keeps its device and number there. By this it is known: another database has a number far from the
/// one that is expected, and an older copy a lower one. Backups are given a number of their own.
struct ChangeNumber: Hashable {
  /// From 0, which a database has that was given none yet, to the greatest that SQLite keeps as positive.
  let value: UInt32
  private static let count: UInt32 = 1 << 31
  /// The changes that other processes may make between two looks.
  private static let strideMax: UInt32 = 65_536

  init(_ value: UInt32) { self.value = value % Self.count }

  /// One that no other database has, most probably.
  static func random() -> ChangeNumber { ChangeNumber(.random(in: 1..<count)) }

  /// The one of the next change.
  var next: ChangeNumber { ChangeNumber(max((value + 1) % Self.count, 1)) }

  /// The number as of this connection's snapshot: with what is in the log.
  static func current(_ db: GRDB.Database) throws -> ChangeNumber {
    ChangeNumber(try UInt32.fetchOne(db, sql: "PRAGMA user_version") ?? 0)
  }

  func set(_ db: GRDB.Database) throws { try db.execute(sql: "PRAGMA user_version = \(value)") }

  /// Whether it may be the next that is seen after another one.
  func follows(_ other: ChangeNumber) -> Bool { other.value == 0 || distance(from: other) <= Self.strideMax }

  /// Whether it is one of the numbers from one to another.
  func lies(between first: ChangeNumber, and last: ChangeNumber) -> Bool {
    if self == first { return true }
    // The first number is drawn by lot.
    return first.value == 0 ? last.follows(self) : distance(from: first) <= last.distance(from: first)
  }

  /// How many changes lie between.
  private func distance(from other: ChangeNumber) -> UInt32 { (value &- other.value) % Self.count }
}
