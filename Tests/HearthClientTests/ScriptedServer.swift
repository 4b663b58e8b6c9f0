import Foundation
import HTTPServer
import HearthClient
import HomePayload
import JSON
import Logging
import Synchronization

@testable import Polling

/// What a scripted server answers with.
struct Scripted: Sendable {
  var status: Int
  var fields: [(String, String)] = []
  var body: [UInt8] = []

  /// The whole page, to be asked for again at once.
  static func whole(_ page: Page, maxAge: Int = 0) -> Scripted {
    Scripted(
      status: 200, fields: [("ETag", page.tag), ("Cache-Control", "public, max-age=\(maxAge)")],
      body: page.canonicalBytes)
  }

  /// The same, of an edition.
  func of(_ revision: String) -> Scripted {
    var answer = self
    answer.fields.append(("Hearth-Revision", revision))
    return answer
  }

  /// What leads from one page to another.
  static func changes(_ old: Page, _ new: Page) -> Scripted {
    Scripted(
      status: 226,
      fields: [
        ("IM", "hearth-changes"), ("Delta-Base", old.tag), ("ETag", new.tag),
        ("Cache-Control", "must-understand, no-store, max-age=0"),
      ], body: ChangeSet.changes(from: old, to: new).canonicalBytes)
  }

  static let notModified = Scripted(status: 304, fields: [("Cache-Control", "public, max-age=0")])
  /// No answer for as long as the client holds on.
  static let silence = Scripted(status: 0)
}

/// What a client asked.
struct Asked: Equatable, Sendable {
  var target: String
  var held: String
  var manipulation: String
  var preference: String
  var isPastCaches = false
  var key = ""
}

/// The answers still to be given, and what was asked.
final class Script: Sendable {
  private let answers: Mutex<[Scripted]>
  private let requests = Mutex<[Asked]>([])

  init(_ answers: [Scripted]) { self.answers = Mutex(answers) }

  var asked: [Asked] { requests.withLock { $0 } }

  fileprivate func answer(to asked: Asked) -> Scripted {
    requests.withLock { $0.append(asked) }
    return answers.withLock { $0.isEmpty ? .notModified : $0.removeFirst() }
  }
}

private final class ScriptHandler: RequestHandler {
  private let script: Script

  init(_ script: Script) { self.script = script }

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    let query = request.query.string
    let answer = script.answer(
      to: Asked(
        target: request.path.string + (query.isEmpty ? "" : "?\(query)"), held: request.value(.ifNoneMatch).string,
        manipulation: request.value(.acceptInstanceManipulation).string, preference: request.value(.prefer).string,
        isPastCaches: (0..<request.fieldCount).contains { request.fieldName($0).equalsIgnoringCase("cache-control") },
        key: (0..<request.fieldCount).first { request.fieldName($0).equalsIgnoringCase("hearth-client-key") }
          .map { request.fieldValue($0).string } ?? ""))
    guard answer.status > 0 else { return .parked(until: .max) }
    return .response(
      Response(Status(answer.status), fields: answer.fields.map { ResponseField($0.0, $0.1) }, body: answer.body))
  }

  func resume(_ exchange: ExchangeID, _ reason: ResumeReason, on loop: EventLoop) -> Answer {
    .response(Response(503, text: "the test is over"))
  }
}

/// Runs a client against a server that answers as scripted.
func withServer(
  _ answers: [Scripted], holding page: Page? = nil, settings change: (inout PageClientSettings) -> Void = { _ in },
  _ body: (PageClient, Script) async throws -> Void
) async throws {
  let script = Script(answers)
  var logger = Logger(label: "test")
  logger.logLevel = .critical
  let sockets = try ListeningSockets(host: "127.0.0.1", port: 0, count: 1)
  let server = try Server(name: "test", sockets: sockets, loops: 1, limits: Limits(), clock: .system, logger: logger) {
    _ in ScriptHandler(script)
  }
  guard let url = URL(string: "http://127.0.0.1:\(server.port)") else { return }
  var settings = PageClientSettings(server: url)
  settings.timing.pauseMin = 0
  settings.timing.spread = 0
  change(&settings)
  do { try await body(PageClient(settings, holding: page), script) } catch {
    await server.drain(grace: .zero)
    throw error
  }
  await server.drain(grace: .zero)
}

/// Pages to poll.
enum Sample {
  static func page(_ version: String, _ sections: [(String, String)]) -> Page {
    Page(
      id: "home", version: version, locale: "en", sortRule: "default",
      sections: sections.enumerated().map { position, section in
        Section(
          id: section.0, kind: "list", index: position, layout: SectionLayout(style: .list),
          items: section.1.map { Item(id: String($0), kind: "cell", content: ["title": .string("\($0)")]) })
      })
  }

  /// A page with the version that it has on the wire.
  private static func served(_ sections: [(String, String)]) -> Page {
    var page = page("", sections)
    page.version = Page.version(of: page.canonicalBytes)
    return page
  }

  static let first = served([("top", "xyz"), ("middle", "pqr"), ("bottom", "st")])
  static let second = served([("top", "xyz"), ("middle", "rpq"), ("bottom", "stu")])
  static let third = served([("bottom", "stu"), ("top", "xyz")])
}

extension Page {
  /// The entity tag of the page.
  var tag: String { "W/\"\(version)\"" }
}
