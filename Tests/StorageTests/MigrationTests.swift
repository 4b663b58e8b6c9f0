import Foundation
import GRDB
import Layout
import Storage
import Testing

/// The migrations of a folder of their own, over a database of their own.
private final class Workshop {
  let folder: String
  var database: String { folder + "/hearth.db" }
  var migrations: String { folder + "/migrations" }

  init(_ files: [String: String]) throws {
    folder = try TemporaryStore.makeFolder()
    try FileManager.default.createDirectory(atPath: migrations, withIntermediateDirectories: true)
    for (name, sql) in files { try write(name, sql) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  func write(_ name: String, _ sql: String) throws {
    try sql.write(toFile: migrations + "/" + name, atomically: true, encoding: .utf8)
  }

  func remove(_ name: String) throws { try FileManager.default.removeItem(atPath: migrations + "/" + name) }

  /// What keeps the database from being opened.
  func refusal() -> MigrationError? {
    do { _ = try Store(at: .file(database), migrations: Migration.inFolder(migrations)) } catch {
      return error as? MigrationError
    }
    return nil
  }

  func tables() throws -> [String] {
    try DatabaseQueue(path: database).read { db in
      try String.fetchAll(db, sql: "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    }
  }
}

@Suite(.ofSQLite) struct MigrationTests {
  private static let files = ["0001_a.sql": "CREATE TABLE a (x) ;", "0002_b.sql": "CREATE TABLE b (x);"]

  @Test func `files are applied in order and once`() throws {
    let workshop = try Workshop(Self.files)
    #expect(workshop.refusal() == nil)
    try workshop.write("0003_c.sql", "ALTER TABLE b ADD COLUMN y; CREATE TABLE c (x);")
    #expect(workshop.refusal() == nil)
    #expect(workshop.refusal() == nil)
    #expect(try workshop.tables() == ["a", "b", "c", "migrations"])
  }

  @Test func `the status tells what is applied and what is pending, and changes nothing`() throws {
    let workshop = try Workshop(Self.files)
    let none = try Store.migrationStatus(
      at: .file(workshop.database), migrations: .init(Migration.inFolder(workshop.migrations)))
    #expect(none.map(\.appliedAt) == [nil, nil])
    #expect(!FileManager.default.fileExists(atPath: workshop.database))
    #expect(workshop.refusal() == nil)
    try workshop.write("0003_c.sql", "CREATE TABLE c (x);")
    let some = try Store.migrationStatus(
      at: .file(workshop.database), migrations: .init(Migration.inFolder(workshop.migrations)))
    #expect(some.map { $0.appliedAt != nil } == [true, true, false])
    #expect(some.map(\.name) == ["0001_a.sql", "0002_b.sql", "0003_c.sql"])
    #expect(try workshop.tables() == ["a", "b", "migrations"])
  }

  @Test func `an edited, missing or newer migration is refused, and the file stays as it is`() throws {
    let cases: [(change: (Workshop) throws -> Void, refusal: MigrationError)] = [
      ({ try $0.write("0001_a.sql", "CREATE TABLE a (x, y);") }, .edited("0001_a.sql")),
      ({ try $0.write("0002_b.sql", "CREATE TABLE b (x); ") }, .edited("0002_b.sql")),
      ({ try $0.remove("0002_b.sql") }, .tooNew("0002_b.sql")),
      (
        {
          try $0.remove("0002_b.sql")
          try $0.write("0002_other.sql", "CREATE TABLE b (x);")
        }, .missing("0002_b.sql")
      ),
    ]
    for (change, refusal) in cases {
      let workshop = try Workshop(Self.files)
      #expect(workshop.refusal() == nil)
      try change(workshop)
      let before = try Data(contentsOf: URL(fileURLWithPath: workshop.database))
      #expect(workshop.refusal() == refusal)
      #expect(refusal.description.contains("0002") || refusal.description.contains("0001"))
      #expect(try Data(contentsOf: URL(fileURLWithPath: workshop.database)) == before)
    }
  }

  @Test(arguments: [
    "CREATE TABLE c (x); CREATE TABLE c (x);", "CREATE TABLE c (x CHECK (x > 0)); INSERT INTO c VALUES (-1);",
    "CREATE TABLE c (x INTEGER) STRICT; INSERT INTO c VALUES ('text');", "CREATE TABLE c (x); no SQL at all",
  ])
  func `a file that fails is rolled back whole, and named`(sql: String) throws {
    let workshop = try Workshop(Self.files)
    try workshop.write("0003_c.sql", sql)
    guard case .failed("0003_c.sql", let detail)? = workshop.refusal() else {
      Issue.record("not refused")
      return
    }
    #expect(!detail.isEmpty)
    #expect(try workshop.tables() == ["a", "b", "migrations"])
    try workshop.write("0003_c.sql", "CREATE TABLE c (x);")
    #expect(workshop.refusal() == nil)
    #expect(try workshop.tables() == ["a", "b", "c", "migrations"])
  }

  @Test func `wrong names and numbers are refused`() throws {
    #expect(try Workshop([:]).refusal().map { "\($0)".contains("no migrations") } == true)
    #expect(try Workshop(["first.sql": ""]).refusal() == .badName("first.sql"))
    #expect(
      try Workshop(["0001_a.sql": "", "0003_c.sql": ""]).refusal() == .badNumber(name: "0003_c.sql", expected: 2))
    #expect(
      try Workshop(["0001_a.sql": "", "0001_b.sql": ""]).refusal() == .badNumber(name: "0001_b.sql", expected: 2))
  }

  @Test func `processes that start at once apply each file once`() async throws {
    let workshop = try Workshop(Self.files)
    for number in 3...9 {
      try workshop.write("000\(number)_n.sql", "CREATE TABLE n\(number) (x); INSERT INTO n\(number) VALUES (1);")
    }
    let (path, migrations) = (workshop.database, try Migration.inFolder(workshop.migrations))
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<6 { group.addTask { _ = try Store(at: .file(path), migrations: migrations) } }
      try await group.waitForAll()
    }
    let applied = try await DatabaseQueue(path: path).read { db in
      try Int.fetchOne(db, sql: "SELECT count(*) FROM migrations")
    }
    #expect(applied == 9)
  }

  @Test func `a file that is no database, or another program's, is refused untouched`() throws {
    let workshop = try Workshop(Self.files)
    let text = Data(String(repeating: "This is a text and no database. ", count: 200).utf8)
    try text.write(to: URL(fileURLWithPath: workshop.database))
    #expect(throws: StoreError.self) {
      try Store(at: .file(workshop.database), migrations: Migration.inFolder(workshop.migrations))
    }
    #expect(try Data(contentsOf: URL(fileURLWithPath: workshop.database)) == text)

    let foreign = try Workshop(Self.files)
    try DatabaseQueue(path: foreign.database).write { db in try db.execute(sql: "CREATE TABLE albums (x)") }
    let before = try Data(contentsOf: URL(fileURLWithPath: foreign.database))
    #expect(foreign.refusal() == .foreign(table: "albums"))
    #expect(try Data(contentsOf: URL(fileURLWithPath: foreign.database)) == before)
  }

  @Test func `an empty file becomes a database, and a folder that is not there is reported`() throws {
    let workshop = try Workshop(Self.files)
    try Data().write(to: URL(fileURLWithPath: workshop.database))
    #expect(workshop.refusal() == nil)
    #expect(throws: StoreError.self) {
      try Store(at: .file(workshop.folder + "/nowhere/hearth.db"), migrations: Migration.inFolder(workshop.migrations))
    }
  }

  @Test func `every table is strict, and the log is written before an answer is given`() async throws {
    try await withStore { temporary in
      let loose = try await temporary.connection().read { db in
        try String.fetchAll(
          db, sql: "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND strict = 0")
      }
      #expect(loose.filter { !$0.hasPrefix("sqlite_") } == [])
      #expect(try temporary.value("PRAGMA journal_mode", String.self) == "wal")
    }
  }
}
