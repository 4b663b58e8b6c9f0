import ArgumentParser
import Foundation
import JSON
import JSONSchema
import Layout
import Service

/// `hearth kinds`
struct KindsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds", abstract: "Look at what clients can draw, and check documents against schemas.",
    subcommands: [List.self, Check.self])

  /// `hearth kinds list`
  struct List: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "List the kinds of kinds.yaml, after checking it.")

    @OptionGroup var options: Options

    func run() async throws {
      try await reporting {
        let kinds = try options.settings().kinds()
        for kind in kinds.sections.values.sorted(by: { $0.name < $1.name }) {
          print("section  \(kind.name)  \(kind.title)")
        }
        for kind in kinds.items.values.sorted(by: { $0.name < $1.name }) {
          print("item     \(kind.name)  \(kind.title)")
        }
      }
    }
  }

  /// `hearth kinds validate`
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "validate",
      abstract: "Check a document against a JSON Schema, as kinds do.",
      discussion: """
        Prints {"valid": …, "problems": [{"pointer", "keyword", "schemaPointer", "detail"}]} and ends with 0 when the \
        document is valid, with 1 when it is not, and with 78 when the schema is wrong. The problems are the \
        schema's then, without a schemaPointer. A document that is no JSON at all has one problem, of the keyword "json". \
        Files that end in .yaml or .yml are YAML, everything else is strict JSON.
        """)

    @Argument(help: "The file of the schema.")
    var schema: String

    @Argument(help: "The file of the document; - is standard input, and so is none.")
    var document: String?

    func run() async throws {
      try await reporting {
        let schema = try compile(try read(self.schema, .configuration))
        let problems = schema.problems(in: try read(document ?? "-", .invalid))
        report(
          problems.map {
            [
              "pointer": .string($0.pointer.description), "keyword": .string($0.keyword),
              "schemaPointer": .string($0.schemaPointer.description), "detail": .string($0.detail),
            ]
          })
        if !problems.isEmpty { throw ExitCode(Failure.Code.invalid.rawValue) }
      }
    }

    private func compile(_ json: JSON) throws -> Schema {
      do { return try Schema(in: json) } catch {
        report(
          error.problems.map {
            [
              "pointer": .string($0.pointer.description), "keyword": .string($0.keyword), "detail": .string($0.detail),
            ]
          })
        let lines = error.problems.map { "\(schema): \($0.pointer) \($0.keyword): \($0.detail)" }
        throw Failure(.configuration, lines.joined(separator: "\nhearth: "))
      }
    }

    private func report(_ problems: [JSON]) {
      print(JSON.object(["valid": .bool(problems.isEmpty), "problems": .array(problems)]).canonicalText)
    }

    private func read(_ path: String, _ code: Failure.Code) throws -> JSON {
      if path.hasSuffix(".yaml") || path.hasSuffix(".yml") { return try YAMLFile.read(path, code).json }
      let data =
        path == "-" ? FileHandle.standardInput.readDataToEndOfFile() : FileManager.default.contents(atPath: path)
      guard let data else { throw Failure(code, "\(path) cannot be read") }
      do { return try JSON.parse(Array(data)) } catch {
        report([
          ["pointer": .string(error.pointer.description), "keyword": "json", "detail": .string(error.description)]
        ])
        throw Failure(code, "\(path == "-" ? "standard input" : path) is not strict JSON (RFC 8259): \(error)")
      }
    }
  }
}
