public import ArgumentParser
import Foundation
import JSON
import Layout
import Serving
import Service
public import Storage

/// `hearth export`
struct Export: AsyncParsableCommand {
  static let configuration = CommandConfiguration(abstract: "Write all drafts and audiences as one document.")

  @Flag(help: "Write JSON, not YAML.")
  var json = false

  @Flag(help: "Leave out the pictures that the pages refer to.")
  var withoutAssets = false

  @Option(help: "The file to write (default: standard output).")
  var output: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await withStore(options) { store in
      var exported = try await store.export()
      if !withoutAssets { try await store.addAssets(to: &exported) }
      let document = exported.json
      let text = json ? document.canonicalText + "\n" : YAMLDocument.text(of: document)
      guard let output else { return print(text, terminator: "") }
      try text.write(toFile: output)
    }
  }
}

/// `hearth import`
struct Import: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Bring drafts and audiences to what a document says.",
    discussion: """
      What the document does not name stays, unless --delete is given. Tokens and the audit are never touched. What apps \
      see changes when the pages are published.
      """)

  @Argument(help: "The document, YAML or JSON.")
  var file: String

  @Flag(help: "Show what would be done, and do nothing.")
  var dryRun = false

  @Flag(help: "Delete what the document does not name: pages, sections, items, slots, sort rules, audiences.")
  var delete = false

  @Flag(help: "Publish the pages that have changed.")
  var publish = false

  @Option(help: "What becomes of what also waits in a schedule: it takes the new state, or brings its own when due.")
  var waiting = WaitingChoice.ask

  @OptionGroup var options: Options

  func run() async throws {
    try await withSettings(options) { settings in
      let kinds = try settings.kinds()
      let document = try settings.document(at: file, kinds: kinds)
      let store = try settings.openStore()
      let result = try await store.import(
        document, deletes: delete, dryRun: dryRun, kinds: kinds, assets: settings.values.server.assets.limits,
        by: .commandLine)
      for (what, names) in [
        ("added", result.added), ("changed", result.changed), ("unchanged", result.unchanged),
        ("deleted", result.deleted), ("added audiences", result.audiences.added),
        ("changed audiences", result.audiences.changed), ("deleted audiences", result.audiences.deleted),
        ("added pictures", result.addedAssets.map(\.description)),
        ("changed pictures", result.changedAssets.map(\.description)),
      ] where !names.isEmpty {
        print("\(what): \(names.joined(separator: ", "))")
      }
      guard publish, !dryRun else { return }
      for page in document.pages {
        do {
          let message = "Imported from \(file)"
          if let number = try await store.publishIfChanged(page.id, message: message, waiting: waiting, settings) {
            print("\(page.id): published as revision \(number)")
          }
        } catch let error as StoreError {
          guard case .waiting = error else { throw error }
          throw Failure(.invalid, "\(page.id) is not published: \(error); say --waiting carry or --waiting leave")
        }
      }
      settings.warnOfUnknownKinds(in: document.pages)
    }
  }
}

extension WaitingChoice: ExpressibleByArgument {}

/// `hearth validate`
struct Validate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Check settings, kinds and documents without a database.",
    discussion: "Without a file: hearth.yaml, kinds.yaml and, where there is one, the demo.")

  @Argument(help: "Documents of pages, YAML or JSON.")
  var files: [String] = []

  @OptionGroup var options: Options

  func run() async throws {
    try await reporting {
      let settings = try options.settings()
      let kinds = try settings.kinds()
      let demo = settings.folder + "/demo"
      if files.isEmpty, FileManager.default.fileExists(atPath: demo) { _ = try DocumentFolder.read(demo, settings) }
      for file in files { _ = try settings.document(at: file, kinds: kinds) }
      print("valid")
    }
  }
}
