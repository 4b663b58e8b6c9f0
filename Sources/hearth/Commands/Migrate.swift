import ArgumentParser
import Foundation
import JSON
import Storage

/// `hearth migrate`
struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring the database up to date, or list what it has.", subcommands: [Up.self, Status.self])

  /// `hearth migrate up`
  struct Up: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Apply the migrations that the database does not have.")

    @OptionGroup var options: Options

    func run() async throws {
      try await withStatus(options) { settings, before in
        _ = try settings.openStore(makes: true)
        let applied = before.filter { $0.appliedAt == nil }
        for migration in applied { print("applied \(migration.name)") }
        if applied.isEmpty { print("nothing to do") }
      }
    }
  }

  /// `hearth migrate status`
  struct Status: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the migrations; the database is not changed.")

    @OptionGroup var options: Options

    func run() async throws {
      try await withStatus(options) { _, status in
        for migration in status {
          print("\(migration.name)  \(migration.appliedAt.map { "applied \($0)" } ?? "pending")")
        }
      }
    }
  }
}

private func withStatus(
  _ options: Options, _ body: (Settings, [MigrationStatus]) throws -> Void
) async throws {
  try await withSettings(options) { settings in
    try body(
      settings,
      Store.migrationStatus(
        at: settings.database, migrations: settings.database.migrations(), server: settings.values.databaseServer))
  }
}
