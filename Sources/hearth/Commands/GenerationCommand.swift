import ArgumentParser
import Foundation
import Publication
import Storage

/// `hearth generation`
struct GenerationCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "generation", abstract: "Say that history was cut, and that the database counts as it is.",
    subcommands: [Raise.self])

  /// `hearth generation raise`
  struct Raise: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Raise the database's generation, so that servers and clients follow it and publishing goes on.",
      discussion: """
        After a backup was restored, a server serves what it served before and publishes nothing, until somebody says \
        with this that the restored state counts. What was scheduled for before now is listed and not run.
        """)

    @Option(help: "The reason, for the audit, such as \"restored the backup of Monday\".")
    var reason: String

    @OptionGroup var options: Options

    func run() async throws {
      try await reporting {
        let settings = try options.settings()
        try await reporting(database: "\(settings.database)") {
          guard (1...2_000).contains(reason.utf8.count), !reason.utf8.contains(0) else {
            throw ValidationError("--reason must be 1 to 2000 bytes without NUL")
          }
          // A file that cannot be read is no reason to leave the server as it is.
          let served = try? ServedFile.read(settings.servedFile)
          let raised = try await settings.openStore().raiseGeneration(
            reason: reason, above: served?.generation ?? 0, by: .commandLine)
          print("generation \(raised.generation)")
          for missed in raised.missed {
            print("not run: \(missed.page), \(missed.what) at \(missed.at), scheduled by \(missed.author)")
          }
        }
      }
    }
  }
}
