import Foundation

/// What keeps the databases of tests: SQLite, or PostgreSQL where `HEARTH_TEST_ENGINE=postgresql` says so (scripts/test runs
/// them on both).
public enum TestEngine {
  /// Whether it is PostgreSQL.
  public static let isPostgreSQL = ProcessInfo.processInfo.environment["HEARTH_TEST_ENGINE"] == "postgresql"

  /// The database of a test's folder: what a setting would name. It is made when it is asked for first.
  public static func database(in folder: String) throws -> String {
    guard isPostgreSQL else { return folder + "/hearth.db" }
    return try PostgreSQLServer.running().place(name(in: folder))
  }

  /// Removes a folder and its database.
  public static func remove(_ folder: String) {
    if isPostgreSQL, let name = try? name(in: folder), let server = try? PostgreSQLServer.running() {
      server.drop(name)
    }
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// Runs SQL on the server's database of a folder, by a connection of its own.
  ///
  /// - Returns: What was found, a line for each row.
  @discardableResult
  public static func psql(_ sql: String, in folder: String) throws -> String {
    try PostgreSQLServer.running().psql(sql, database: name(in: folder))
  }

  /// The name of a folder's database, which a file there keeps.
  private static func name(in folder: String) throws -> String {
    let note = folder + "/database"
    if let name = try? String(contentsOfFile: note, encoding: .utf8) { return name }
    let name = try PostgreSQLServer.running().makeDatabase()
    try name.write(toFile: note, atomically: true, encoding: .utf8)
    return name
  }
}
