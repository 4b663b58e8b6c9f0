import ArgumentParser
import Foundation
import JSON
import Layout
import Serving
import Service
import Storage

/// `hearth demo`
struct Demo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Load the demo pages and publish them.",
    discussion: """
      A database that has pages already is left as it is, and the exit code is 1, unless --force is given: then pages of \
      the same name get what the demo says, keep what they have beside it, and go live. Run twice, it changes nothing.
      """)

  @Flag(help: "Load and publish the demo over the pages that are there.")
  var force = false

  @OptionGroup var options: Options

  func run() async throws {
    try await withSettings(options) { settings in
      let document = try DocumentFolder.read(settings.folder + "/demo", settings)
      let store = try settings.openStore(makes: true)
      if !force { try await refuseOtherWork(in: store, settings.database, document) }
      for (page, revision) in try await store.publish(demo: document, settings) {
        print("\(page): \(revision.map { "published as revision \($0)" } ?? "already live")")
      }
      settings.warnOfUnknownKinds(in: document.pages)
    }
  }

  /// - Throws: ``Failure`` when there are pages, and they are not just what the demo has made.
  private func refuseOtherWork(in store: Store, _ database: DatabaseLocation, _ demo: LayoutDocument) async throws {
    let pages = try await store.pages()
    let would = try await store.import(demo, dryRun: true, by: .commandLine)
    guard !pages.isEmpty else { return }
    var waiting = would.added + would.changed
    for page in would.unchanged {
      let candidate = try await store.candidate(page, .draft)
      if candidate.live != candidate.definition { waiting.append(page) }
    }
    guard !waiting.isEmpty else { return }
    throw Failure(
      .invalid,
      "\(database) has pages already (\(pages.map(\.id).joined(separator: ", "))), and the demo would change what is live of "
        + "\(waiting.sorted().joined(separator: ", ")). Nothing was changed; name another database, or use --force")
  }
}

/// A folder of documents, read as one.
enum DocumentFolder {
  static func read(_ folder: String, _ settings: Settings) throws -> LayoutDocument {
    let names = ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter { $0.hasSuffix(".yaml") }
    guard !names.isEmpty else { throw Failure(.configuration, "there are no .yaml documents in \(folder)") }
    let kinds = try settings.kinds()
    let documents = try names.sorted().map { try settings.document(at: folder + "/" + $0, kinds: kinds) }
    var whole = LayoutDocument(audiences: [:], pages: documents.flatMap(\.pages))
    for document in documents {
      whole.audiences.merge(document.audiences) { first, _ in first }
      whole.assets.merge(document.assets) { first, _ in first }
      whole.assetDetails.merge(document.assetDetails) { first, _ in first }
    }
    return whole
  }
}

extension Settings {
  /// Says on standard error what a running server will leave out of pages that were published beside it.
  func warnOfUnknownKinds(in pages: [PageDefinition]) {
    guard let server = ServingLock.Holder(at: lockFile) else { return }
    let used = pages.reduce(into: Set<String>()) { $0.formUnion($1.kinds.sections.union($1.kinds.items)) }
    let unknown = used.subtracting(server.kinds).sorted()
    guard !unknown.isEmpty else { return }
    let reload = server.hearsHangUps ? "kill -HUP \(server.process)" : "POST /admin/v1/kinds/reload (it ignores SIGHUP)"
    let warning =
      "the server that runs (process \(server.process)) does not know the kinds \(unknown.joined(separator: ", ")) and "
      + "leaves out whatever uses them; bring its kinds.yaml up to date, and have it read it: \(reload)"
    // What was printed before comes before it, also where standard output is no terminal.
    fflush(nil)
    FileHandle.standardError.write(Data("hearth: \(warning)\n".utf8))
  }
}

extension Store {
  /// Makes drafts of the demo and publishes those that differ from what is live; each page has its new revision's number.
  func publish(demo: LayoutDocument, _ settings: Settings) async throws -> [(page: String, revision: Int?)] {
    _ = try await self.import(demo, by: .commandLine)
    var revisions: [(page: String, revision: Int?)] = []
    for page in demo.pages {
      revisions.append((page: page.id, revision: try await publishIfChanged(page.id, message: "The demo", settings)))
    }
    return revisions
  }

  /// Publishes a page's draft where it differs from what is live, and returns the new revision's number.
  ///
  /// - Throws: ``Failure`` when lint finds errors; the warnings are kept with the revision. ``StoreError/waiting(_:)`` where
  ///   something of it waits in a schedule, and `choice` is to ask.
  func publishIfChanged(
    _ page: String, message: String, waiting choice: WaitingChoice = .leave, _ settings: Settings
  ) async throws -> Int? {
    let candidate = try await candidate(page, .draft)
    if candidate.live == candidate.definition { return nil }
    let (kinds, context) = (try settings.kinds(), settings.context)
    let served = try? ServedFile.read(settings.servedFile)
    let made = try await publish(
      page, .draft, message: message, if: .none, waiting: choice, since: served, by: .commandLine
    ) { candidate in
      let problems = candidate.definition.lint(
        kinds: kinds, at: .now, in: context, lacking: candidate.lacking)
      let errors = problems.filter { $0.severity == .error }
      guard errors.isEmpty else {
        let lines = errors.map { "\(page): \($0.pointer) \($0.detail)" }
        throw Failure(.invalid, (["\(page) cannot go live"] + lines).joined(separator: "\nhearth: "))
      }
      return ((), .array(problems.map(\.json)))
    }
    return made.published.revision.number
  }
}
