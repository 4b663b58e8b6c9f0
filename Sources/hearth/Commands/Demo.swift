import ArgumentParser
import Foundation
import JSON
import Layout
import Service
import Storage

/// `hearth demo`
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load the demo pages and publish them.",
    discussion: """
      Pages of the same name get what the demo says, and keep what they have beside it. Run twice, it changes nothing.
      """)

  @OptionGroup var options: Options

  func run() async throws {
    try await reporting {
      let settings = try options.settings()
      try await reporting(database: settings.database) {
        let document = try DocumentFolder.read(settings.folder + "/demo", settings)
        let store = try settings.openStore()
        _ = try await store.import(document, by: .commandLine)
        for page in document.pages {
          let revision = try await store.publishIfChanged(page.id, message: "The demo", settings)
          print("\(page.id): \(revision.map { "published as revision \($0)" } ?? "already live")")
        }
      }
    }
  }
}

/// A folder of documents, read as one.
enum DocumentFolder {
  static func read(_ folder: String, _ settings: Settings) throws -> LayoutDocument {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".yaml") }
    guard !names.isEmpty else { throw Failure(.configuration, "there are no .yaml documents in \(folder)") }
    let kinds = try settings.kinds()
    let documents = try names.sorted().map { try settings.document(at: folder + "/" + $0, kinds: kinds) }
    return LayoutDocument(
      audiences: documents.reduce(into: [:]) { all, document in all.merge(document.audiences) { first, _ in first } },
      pages: documents.flatMap(\.pages))
  }
}

extension Store {
  /// Publishes a page's draft where it differs from what is live, and tells the new revision's number.
  ///
  /// - Throws: ``Failure`` when lint finds errors; the warnings are kept with the revision.
  func publishIfChanged(_ page: String, message: String, _ settings: Settings) async throws -> Int? {
    let candidate = try await candidate(page, .draft)
    if candidate.live == candidate.definition { return nil }
    let (kinds, context) = (try settings.kinds(), settings.context)
    let made = try await publish(page, .draft, message: message, if: .none, by: .commandLine) { candidate in
      let problems = candidate.definition.lint(kinds: kinds, at: .now, in: context)
      let errors = problems.filter { $0.severity == .error }
      guard errors.isEmpty else {
        let lines = errors.map { "\(page): \($0.pointer) \($0.detail)" }
        throw Failure(.invalid, (["\(page) cannot go live"] + lines).joined(separator: "\nhearth: "))
      }
      return ((), .array(problems.map(\.json)))
    }
    return made.revision.number
  }
}
