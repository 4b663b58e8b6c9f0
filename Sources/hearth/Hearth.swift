import ArgumentParser
import HTTPServer
import Service

/// `hearth`: the backend of an app's home screen.
@main
struct Hearth: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "The backend of an app's home screen.",
    discussion: """
      Operators decide which sections a page has, in which order, for whom and when; apps poll one URL.

        hearth init --demo --config here    make settings, the demo pages and a token
        hearth serve --config here          serve them

      Settings come from flags, HEARTH_… variables and config/hearth.yaml; the first
      that has a value wins. Exit codes:

        0   done
        1   a document is invalid, what was named is not there, or doctor has something to say
        64  wrong usage
        69  an address is in use, or the server is not ready or does not answer
        74  the database cannot be used
        78  a setting, a kind or a migration is wrong
      """,
    version: "\(ProgramVersion.current)",
    subcommands: [
      Init.self, Serve.self, Migrate.self, Copy.self, Restore.self, Doctor.self, GenerationCommand.self,
      TokenCommand.self,
      KeysCommand.self,
      KindsCommand.self, Generate.self, Watch.self, Demo.self, Export.self, Import.self, Validate.self, Health.self,
      Version.self,
    ])

  static func main() async {
    // First of all: whatever waits for the first time may start a thread, and a thread that has a heap keeps it.
    Limits.keepOneHeap()
    DescriptorWriting.openMissing()
    await main(nil)
  }
}

/// `hearth version`
struct Version: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print the version, and the commit it was built of.")

  func run() { print("hearth \(ProgramVersion.current)") }
}
