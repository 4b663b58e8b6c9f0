import ArgumentParser
import Foundation
import Layout
import Serving
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
        with this that the restored state counts. What is scheduled is listed and held: none of it goes live before \
        somebody has released it, because it may have been called off since. Tokens that were revoked are revoked again, \
        and those that should be looked at are listed.
        """)

    @Option(help: "The reason, for the audit, such as \"restored the backup of Monday\".")
    var reason: String

    @OptionGroup var options: Options

    func run() async throws {
      try await withSettings(options) { settings in
        guard (1...2_000).contains(reason.utf8.count), !reason.utf8.contains(0) else {
          throw ValidationError("--reason must be 1 to 2000 bytes without NUL")
        }
        // A file that cannot be read is no reason to leave the server as it is.
        let served = try? ServedFile.read(settings.servedFile)
        let store = try settings.openStore()
        // Before the database counts as it is: it is a copy until then.
        let tokens = TokensFile(path: settings.tokensFile)
        try await tokens.look(at: store)
        let raised = try await store.raiseGeneration(
          reason: reason, above: served?.generation ?? 0, by: .commandLine)
        print("generation \(raised.generation)")
        for held in raised.held {
          let author = held.author.escapingControls
          print("held: \(held.page) \(held.id), \(held.what) at \(held.at), scheduled by \(author)")
        }
        for finding in tokens.findings(at: .now) {
          print("\(finding.fate.words): \(finding.selector) \(finding.name.escapingControls)")
        }
      }
    }
  }
}
