import ArgumentParser
import Service

/// `hearth`: the backend of an app's home screen.
@main
struct Hearth: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "hearth",
    abstract: "The backend of an app's home screen.",
    discussion: """
      Operators decide which sections a page has, in which order, for whom and when; apps poll one URL.

        hearth demo --database data/hearth.db            load and publish the demo pages
        hearth token create --name me --role admin --database data/hearth.db
        hearth serve --database data/hearth.db           serve them

      Settings come from config/hearth.yaml, HEARTH_… variables and flags, in rising precedence.
      Exit codes: 0 done, 1 the document is invalid, 64 wrong usage, 69 an address is in use,
      74 the database cannot be used, 78 a setting, a kind or a migration is wrong.
      """,
    version: HearthVersion.current,
    subcommands: [
      Serve.self, Migrate.self, GenerationCommand.self, TokenCommand.self, KindsCommand.self, Demo.self, Export.self,
      Import.self,
      Validate.self, Health.self, Version.self,
    ])

  static func main() async {
    DescriptorWriting.openMissing()
    await main(nil)
  }
}

/// `hearth version`
struct Version: ParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Print the version.")

  func run() { print("hearth \(HearthVersion.current)") }
}
