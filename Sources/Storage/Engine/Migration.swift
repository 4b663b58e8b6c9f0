import Crypto
import Foundation
public import Layout

/// One SQL file of an engine's folder in `migrations/`.
public struct Migration: Hashable, Sendable {
  /// The file's number, from 1 without gaps.
  public let number: Int
  /// The file's name.
  public let name: String
  /// Its SQL.
  let sql: String

  /// The SHA-256 of the file, in hexadecimal.
  var checksum: String { Fingerprint.of(sql.utf8) }

  /// The number of the oldest migration that a binary must know to use the database once this one is applied: its own,
  /// unless its first line says otherwise (`-- oldest: 3`), because what it does is no matter to those before it.
  var oldest: Int {
    let first = sql.prefix { !$0.isNewline }
    guard first.hasPrefix("-- oldest: ") else { return number }
    return Int(first.dropFirst("-- oldest: ".count)) ?? number
  }

  /// The migrations of SQLite that come with the binary.
  ///
  /// - Throws: ``MigrationError/noFiles(folder:)`` when they are not beside it.
  public static func bundled() throws -> [Migration] { try bundled(in: "sqlite") }

  static func bundled(in folder: String) throws -> [Migration] {
    try inFolder(ProgramFiles.folder(of: "Storage").appendingPathComponent("migrations/\(folder)").path)
  }

  /// The migrations of a folder in the order of their numbers.
  ///
  /// - Throws: ``MigrationError`` when there are none, or a number is missing or there twice.
  public static func inFolder(_ folder: String) throws -> [Migration] {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".sql") }
    guard !names.isEmpty else { throw MigrationError.noFiles(folder: folder) }
    let migrations = try names.sorted().map { name in
      guard let number = Int(name.prefix(4)), name.dropFirst(4).first == "_" else {
        throw MigrationError.badName(name)
      }
      let sql = try String(contentsOfFile: folder + "/" + name, encoding: .utf8)
      return Migration(number: number, name: name, sql: sql)
    }
    for (index, migration) in migrations.enumerated() where migration.number != index + 1 {
      throw MigrationError.badNumber(name: migration.name, expected: index + 1)
    }
    return migrations
  }
}

/// Why a database and the migrations do not go together.
public enum MigrationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// No files are where they should be.
  case noFiles(folder: String)
  /// A file's name does not begin with four digits and `_`.
  case badName(String)
  /// A number is missing or there twice.
  case badNumber(name: String, expected: Int)
  /// An applied file is not what it was.
  case edited(String)
  /// An applied file is gone.
  case missing(String)
  /// The database was made by a newer binary.
  case tooNew(String)
  /// The database is another program's.
  case foreign(table: String)
  /// A file's SQL fails.
  case failed(name: String, detail: String)

  /// The problem and its remedy, in words.
  public var description: String {
    switch self {
    case .noFiles(let folder): "there are no migrations in \(folder); install the binary together with its resources"
    case .badName(let name): "migrations/\(name): the name must be like 0003_what.sql"
    case .badNumber(let name, let expected): "migrations/\(name): the next number must be \(expected)"
    case .edited(let name):
      "migrations/\(name) was edited after it was applied; restore the file, and put the change into a new one"
    case .missing(let name): "migrations/\(name) was applied to this database and is missing; restore the file"
    case .tooNew(let name):
      "the database has the migration \(name), which this binary does not know; run a newer hearth"
    case .foreign(let table):
      "the database is another program's. It has the table \(table) and no migrations of hearth; name another"
    case .failed(let name, let detail): "migrations/\(name) failed and was rolled back: \(detail)"
    }
  }
}

/// A migration and whether a database has it.
public struct MigrationStatus: Hashable, Sendable {
  /// The file's name.
  public var name: String
  /// When it was applied, `nil` when it is pending.
  public var appliedAt: Instant?
}

/// What of the migrations a database has; each engine applies them.
struct Migrator {
  let migrations: [Migration]
  /// Whether the database says of each migration which is the oldest that a binary must know.
  var knowsOldest = false

  /// The columns that the table of the applied migrations has.
  private var columns: [String] {
    ["number", "name", "checksum", "applied_at"] + (knowsOldest ? ["oldest"] : [])
  }

  /// - Parameters:
  ///   - tables: The names of the tables that the database has.
  ///   - present: The columns of the one that is called `migrations`: other programs have one too.
  /// - Throws: ``MigrationError`` when the database does not go with the files.
  func status(_ db: Database, tables: [String], columns present: [String]) throws -> [MigrationStatus] {
    guard tables.contains("migrations") else {
      if let table = tables.first { throw MigrationError.foreign(table: table) }
      return migrations.map { MigrationStatus(name: $0.name) }
    }
    guard Set(columns).isSubset(of: present) else { throw MigrationError.foreign(table: "migrations") }
    let pending = try pending(db)
    return try migrations.map { migration in
      guard !pending.contains(migration) else { return MigrationStatus(name: migration.name) }
      let at = try Instant.fetchOne(
        db, sql: "SELECT applied_at FROM migrations WHERE number = ?", arguments: [migration.number])
      return MigrationStatus(name: migration.name, appliedAt: at)
    }
  }

  /// Checks that the applied migrations are unchanged, and returns the ones to apply.
  func pending(_ db: Database) throws -> [Migration] {
    var rest = migrations[...]
    for row in try Row.fetchAll(db, sql: "SELECT * FROM migrations ORDER BY number") {
      // Another program's columns of these names may hold anything.
      guard let name: String = row.value("name"), let checksum: String = row.value("checksum"),
        let number: Int = row.value("number")
      else {
        throw MigrationError.foreign(table: "migrations")
      }
      guard let migration = rest.popFirst() else {
        if knowsOldest, let oldest: Int = row.value("oldest"), oldest <= migrations.count { continue }
        throw MigrationError.tooNew(name)
      }
      guard migration.number == number, migration.name == name else { throw MigrationError.missing(name) }
      guard migration.checksum == checksum else { throw MigrationError.edited(name) }
    }
    return Array(rest)
  }

  /// Notes that a migration was applied.
  func note(_ migration: Migration, _ db: Database, now: Instant) throws {
    try db.execute(
      sql: "INSERT INTO migrations (number, name, checksum, applied_at) VALUES (?, ?, ?, ?)",
      arguments: [migration.number, migration.name, migration.checksum, now])
    guard knowsOldest else { return }
    try db.execute(
      sql: "UPDATE migrations SET oldest = ? WHERE number = ?", arguments: [migration.oldest, migration.number])
  }
}
