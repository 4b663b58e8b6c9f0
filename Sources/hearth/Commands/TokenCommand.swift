public import ArgumentParser
import Foundation
import Layout
import Serving
import Service
public import Storage

/// `hearth token`
struct TokenCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "token", abstract: "Make, list and revoke the tokens of operators and services.",
    subcommands: [Create.self, List.self, Revoke.self])

  /// `hearth token create`
  struct Create: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Make a token and print it, alone, on standard output. It is shown this once.")

    @Option(help: "Its name, which the audit shows.")
    var name: String

    @Option(help: "What it may do; each role holds the ones before it.")
    var role: Role

    @Option(help: "A page (home) or section (home/otc) that it is for; repeat it for more (default: everything).")
    var scope: [String] = []

    @Option(help: "When it ends, such as 2027-01-01T00:00:00Z (default: never).")
    var expires: String?

    @OptionGroup var options: Options

    func run() async throws {
      try await withStore(options) { store in
        let expiresAt = try expires.map { text in
          guard let instant = Instant(text) else {
            throw ValidationError("--expires must be a time such as 2027-01-01T00:00:00Z")
          }
          return instant
        }
        guard !name.isEmpty, name.utf8.count <= 128 else { throw ValidationError("--name must be 1 to 128 bytes") }
        guard scope.allSatisfy(TokenScope.isValid) else {
          throw ValidationError("--scope must be PAGE or PAGE/SECTION")
        }
        let unknown = try await store.unknownScopes(scope)
        guard unknown.isEmpty else {
          throw Failure(.invalid, unknown.map { "--scope: \($0.detail)" }.joined(separator: "\nhearth: "))
        }
        let (_, text) = try await store.createToken(
          name: name, role: role, scopes: scope, expiresAt: expiresAt, by: .commandLine)
        print(text.text)
      }
    }
  }

  /// `hearth token list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the tokens, never their secrets.")

    @OptionGroup var options: Options

    func run() async throws {
      try await withStore(options) { store in
        for token in try await store.tokens() {
          let scopes = token.scopes.isEmpty ? "all" : token.scopes.joined(separator: ",")
          print(
            "\(token.selector)  \(token.role.rawValue)  \(scopes)  made \(token.createdAt)"
              + "  expires \(token.expiresAt?.description ?? "never")"
              + "  used \(token.lastUsedAt?.description ?? "never")  \(token.name.escapingControls)")
        }
      }
    }
  }

  /// `hearth token revoke`
  struct Revoke: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Remove a token at once.")

    @Argument(help: "The token's selector, as hearth token list shows it.")
    var selector: String

    @OptionGroup var options: Options

    func run() async throws {
      try await withStore(options) { store in
        try await store.revokeToken(selector, by: .commandLine)
        // A server that runs notes it by itself; without one, a backup that is restored would bring the token back.
        let path = try options.settings().tokensFile
        guard FileManager.default.fileExists(atPath: path) else { return }
        let tokens = TokensFile(path: path)
        try await tokens.look(at: store, revoked: selector)
        if let failure = tokens.failure {
          DescriptorWriting.write(
            "hearth: the token is revoked, but this is not noted: \(failure)\n", to: STDERR_FILENO)
        }
      }
    }
  }
}

extension Role: ExpressibleByArgument {}

extension Actor {
  /// Whoever runs a command on the machine.
  static let commandLine = Actor(name: "command line (\(NSUserName()))")
}

/// Runs a command that needs the database alone.
func withStore(_ options: Options, _ body: (Store) async throws -> Void) async throws {
  try await withSettings(options) { settings in try await body(settings.openStore()) }
}
