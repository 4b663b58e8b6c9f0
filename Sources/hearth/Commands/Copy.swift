import ArgumentParser
import Foundation
import Storage

/// `hearth copy`
struct Copy: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Copy a database into an empty one, of the same engine or the other.",
    discussion: """
      Everything is copied: drafts, audiences, revisions, what is scheduled, tokens, the audit, known versions and kept \
      answers. Every value is compared afterwards; when one differs, or anything fails, the database to copy to stays \
      empty. Stop the server first: what it takes after the copy began is not in the copy.
      """)

  @Option(help: "The database to copy: a path, or postgresql://USER@HOST/NAME.")
  var from: String

  @Option(help: "An empty database, or a path where there is none yet. Its role must own the tables.")
  var to: String

  func run() async throws {
    let (source, destination) = (DatabaseLocation(from), DatabaseLocation(to))
    try await reporting(database: "\(source)") {
      guard from != to else { throw Failure(.configuration, "--from and --to name the same database") }
      let pending = try Store.migrationStatus(at: source, migrations: source.migrations()).filter {
        $0.appliedAt == nil
      }
      let known = try source.migrations().count
      guard pending.count < known else { throw StoreError.database(.missing) }
      if let first = pending.first {
        throw Failure(.configuration, "\(source): \(DatabaseCopy.Failure.sourceIsPending(first.name))")
      }
    }
    let target = try await opened(destination)
    try await reporting(database: "\(source)") {
      let store = try Store(at: source, migrations: source.migrations(), makes: false)
      let wasChanged = try DatabaseCopy.copy(from: store, to: target) { table in
        print("\(table.name)  \(table.rows) rows  \(table.fingerprint.prefix(16))")
      }
      print("copied")
      if wasChanged {
        DescriptorWriting.write(
          "hearth: \(source) was changed meanwhile, and what came after the copy began is not in it; stop the server and copy "
            + "into an empty database again\n", to: STDERR_FILENO)
        throw ExitCode(Failure.Code.inputOutput.rawValue)
      }
      await store.close()
      await target.close()
    }
  }

  /// The database to copy to. One that has anything is refused before it is touched.
  private func opened(_ location: DatabaseLocation) async throws -> Store {
    try await reporting(database: "\(location)") {
      let status = try Store.migrationStatus(at: location, migrations: location.migrations())
      // Bringing it up to date would change it.
      if status.contains(where: { $0.appliedAt != nil }), status.contains(where: { $0.appliedAt == nil }) {
        let what = DatabaseCopy.Failure.notEmpty("an older hearth has made it")
        throw Failure(.configuration, "\(location): \(what)")
      }
      return try Store(at: location, migrations: location.migrations(), makes: true)
    }
  }
}
