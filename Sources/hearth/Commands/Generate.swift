import ArgumentParser
import Foundation
import Generation
import HTTPServer
import JSON
import JSONSchema
import Layout

/// `hearth generate`
struct Generate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Write types for the kinds, in the language of an app.",
    discussion: """
      Takes the kinds of --config, or those of a server that runs. Its token is in HEARTH_TOKEN; the role viewer is enough. \
      The same kinds give the same bytes. With --check nothing is written, and the command ends with 1 when the file is not \
      what the kinds come to.
      """)

  @Argument(help: "swift, kotlin or typescript.", transform: Self.language)
  var language: Language

  @Option(help: "The file to write (default: standard output).")
  var output: String?

  @Flag(help: "Only compare the file of --output with what would be written.")
  var check = false

  @Option(help: "The admin listener of a server whose kinds are taken, such as http://127.0.0.1:8081.")
  var server: String?

  @Option(help: "The enum (Swift) or the package (Kotlin) that the types stand in (default: Kinds, hearth.kinds).")
  var name: String?

  @OptionGroup var options: Options

  func validate() throws {
    if check, output == nil { throw ValidationError("--check needs the file: --output FILE") }
    if let name, !language.allows(namespace: name) {
      throw ValidationError(
        language.defaultNamespace == nil
          ? "--name is for Swift and Kotlin: a TypeScript file is a namespace itself"
          : "--name \(name) cannot be a name in \(language.rawValue)")
    }
  }

  func run() async throws {
    try await reporting {
      let kinds = try server.map(kinds(of:)) ?? options.settings().kinds()
      let text = try kinds.source(in: language, namespace: name)
      guard let output else { return print(text, terminator: "") }
      let isThere = FileManager.default.contents(atPath: output) == Data(text.utf8)
      if check {
        guard isThere else {
          throw Failure(
            .invalid, "\(output) is not what the kinds come to; write it with hearth generate \(language.rawValue)")
        }
      } else if !isThere {
        // A file that is the same already is left alone: build systems look at its time.
        try text.write(toFile: output)
      }
    }
  }

  private static func language(_ text: String) throws -> Language {
    guard let language = Language(rawValue: text) else {
      throw ValidationError("must be \(Language.allCases.map(\.rawValue).joined(separator: ", "))")
    }
    return language
  }

  /// The most bytes of kinds that are read.
  private static let bytesMax = 8 << 20

  private func kinds(of server: String) throws -> Kinds {
    guard let address = URLComponents(string: server), address.scheme == "http", let host = address.host,
      ["", "/"].contains(address.path), address.query == nil, let port = UInt16(exactly: address.port ?? 80)
    else {
      throw ValidationError(
        """
        --server must be http://ADDRESS:PORT such as http://127.0.0.1:8081; behind TLS, save /admin/v1/kinds with curl as \
        DIR/kinds.yaml, and use --config DIR
        """)
    }
    let token = ProcessInfo.processInfo.environment["HEARTH_TOKEN"] ?? ""
    guard !token.isEmpty, token.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
      throw Failure(.configuration, "HEARTH_TOKEN must hold a token of the server; make one with hearth token create")
    }
    let bare = host.trimmingCharacters(in: ["[", "]"])
    let answer: ServerQuery.Answer?
    do {
      answer = try ServerQuery.get(
        host: bare == "localhost" ? "127.0.0.1" : bare, port: port, path: "/admin/v1/kinds",
        fields: [("Authorization", "Bearer \(token)")], bytesMax: Self.bytesMax, timeout: .seconds(10))
    } catch { throw Failure(.unavailable, "\(server) cannot be asked: \(error)") }
    guard let answer else { throw Failure(.unavailable, "\(server) does not answer as Hearth does within 10 seconds") }
    guard answer.status == 200 else {
      let detail = (try? JSON.parse(answer.body))?["detail"]?.string ?? ""
      throw Failure(.unavailable, "\(server) answers with \(answer.status) \(detail)")
    }
    do {
      return try Kinds(
        json: JSON.parse(answer.body), limits: options.settings(needsFolder: false).values.layout)
    } catch { throw Failure(.invalid, "\(server) answers with kinds that this version does not read: \(error)") }
  }
}
