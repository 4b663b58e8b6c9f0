import ArgumentParser
import Foundation
import JSON
import JSONSchema
import Layout
import Service
import Storage

/// `hearth kinds`
struct KindsCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "kinds", abstract: "Look at what clients can draw, what a change of it breaks, and check documents.",
    subcommands: [List.self, Diff.self, Check.self, Validate.self])

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

  /// `hearth kinds diff`
  struct Diff: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Show how two kinds files differ, and what that breaks.",
      discussion: """
        Each line says whom a difference breaks: content that is published or drafted, or apps that are out there. Ends \
        with 0 when nothing breaks, with 1 when something does, and with 78 when a file is wrong.
        """)

    @Argument(help: "The kinds.yaml that apps and content were made for, or its folder.")
    var older: String

    @Argument(help: "The kinds.yaml that is to take its place, or its folder.")
    var newer: String

    @Flag(help: "Write JSON: an array of {place, change, detail, breaks}.")
    var json = false

    func run() async throws {
      try await reporting {
        let settings = try Options.parse([]).settings(needsFolder: false)
        let (older, newer) = (try settings.kinds(at: file(older)), try settings.kinds(at: file(newer)))
        let differences = older.differences(to: newer)
        if json {
          print(JSON.array(differences.map(\.json)).canonicalText)
        } else {
          for difference in differences { print(difference.line) }
        }
        let counts = KindsDifference.Party.allCases.map { party in
          (party, differences.count { $0.breaks.contains(party) })
        }
        let broken = counts.filter { $0.1 > 0 }.map { "\($0.1) break\($0.1 == 1 ? "s" : "") \($0.0.explanation)" }
        guard broken.isEmpty else { throw Failure(.invalid, broken.joined(separator: ", ")) }
      }
    }

    private func file(_ path: String) -> String {
      var isFolder: ObjCBool = false
      let isThere = unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      return isThere && isFolder.boolValue ? path + "/kinds.yaml" : path
    }
  }

  /// `hearth kinds check`
  struct Check: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
      abstract: "Name the content of a database that the configured kinds refuse.",
      discussion: """
        Looks at what is live, at the drafts, and at what is scheduled. Ends with 0 when the kinds take all of it, and with \
        1 when they do not. Run it with --config of the new kinds before a server is started with them.
        """)

    @OptionGroup var options: Options

    func run() async throws {
      try await withSettings(options) { settings in
        let kinds = try settings.kinds()
        let store = try settings.openStore()
        var refused = 0
        func look(_ definition: PageDefinition, _ state: String) {
          for problem in kinds.problems(in: definition) {
            refused += 1
            print("\(definition.id) \(state): \(problem.pointer) \(problem.detail)".escapingControls)
          }
        }
        for live in try await store.liveRevisions().revisions { look(live.definition, "live") }
        for page in try await store.pages() { look(try await store.draft(page.id).definition, "draft") }
        for (scheduled, definition) in try await store.scheduledPages() {
          look(definition, "scheduled for \(scheduled.at)")
        }
        guard refused == 0 else {
          throw Failure(.invalid, "these kinds refuse content in \(refused) place\(refused == 1 ? "" : "s")")
        }
        print("these kinds take all content")
      }
    }
  }

  /// `hearth kinds validate`
  struct Validate: AsyncParsableCommand {
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

extension KindsDifference {
  /// One line: whom it breaks, where, and what it is.
  fileprivate var line: String {
    let parties = Party.allCases.filter(breaks.contains).map(\.rawValue).joined(separator: " and ")
    return "\(parties.isEmpty ? "safe" : "breaks \(parties)"): \(place) \(detail)".escapingControls
  }
}

extension KindsDifference.Party {
  fileprivate var explanation: String {
    switch self {
    case .content: "content that is published or drafted"
    case .apps: "apps that are out there"
    }
  }
}
