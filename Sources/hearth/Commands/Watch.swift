import ArgumentParser
import Foundation
import HomePayload
import JSON
import Polling

/// `hearth watch`
struct Watch: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Poll a page as an app does, and show what comes.",
    discussion: """
      Shows the page as a tree, each poll's status, bytes and time, and with each update what it changed: + came, - went, > moved, \
      ~ changed. The query is what the app tells of itself. A server's client key is in HEARTH_CLIENT_KEY. With --verify it says \
      of each answer which key signed it, or why none did. Ends with Control-C.
      """)

  @Argument(help: "What an app asks, such as http://127.0.0.1:8080/v1/home?locale=en; without a path, the home.")
  var url: String

  @Option(help: "For how many seconds the server may hold a poll until the page changes; 0 asks at intervals.")
  var wait = 0

  @Flag(help: "Write a line of JSON for each poll.")
  var json = false

  @Option(help: "A public key that may sign the page, as hearth keys list prints it; up to four times.")
  var verify: [String] = []

  @Flag(help: "Ask once, and end with 69 when no page came, with 1 when --verify was given and it does not verify.")
  var once = false

  func run() async throws {
    try await reporting {
      var settings = try settings()
      settings.wait = TimeInterval(wait)
      let exchange = Exchange()
      let client = PageClient(settings, transport: { try await exchange.send($0) })
      var report = WatchReport(isJSON: json, isColoured: isatty(STDOUT_FILENO) == 1 && !isPlain)
      while true {
        let before = await client.page
        await client.pollInTurn()
        let state = await client.state
        let pause = await client.pauseBeforeNext ?? 0
        report.print(
          state, await client.update(from: before), await client.revision, exchange.taken(), next: once ? nil : pause)
        if once {
          if let failure = state.failure { throw Failure(.unavailable, "\(url) cannot be watched: \(failure)") }
          if case .failed(let reason)? = state.verification {
            throw Failure(.invalid, "\(url) does not verify: \(reason)")
          }
          return
        }
        try await Task.sleep(for: .seconds(pause))
      }
    }
  }

  private var isPlain: Bool {
    let environment = ProcessInfo.processInfo.environment
    return !(environment["NO_COLOR"] ?? "").isEmpty || environment["TERM"] == "dumb"
  }

  func validate() throws {
    guard (0...3_600).contains(wait) else { throw ValidationError("--wait must be 0 to 3600 seconds") }
    _ = try settings()
  }

  private func settings() throws -> PageClientSettings {
    let words = url.split(separator: "?", maxSplits: 1)
    guard let address = URLComponents(string: url), address.scheme == "http", let host = address.host, !host.isEmpty,
      let page = Self.page(address.path), let server = URL(string: String(words[0].dropLast(address.path.utf8.count)))
    else {
      throw ValidationError(
        "the URL must be http://ADDRESS:PORT, with /v1/home or /v1/pages/PAGE behind it or nothing; TLS is a front's, so "
          + "ask the server behind it")
    }
    var settings = PageClientSettings(server: server, page: page)
    for item in address.queryItems ?? [] { settings.attributes[item.name] = item.value ?? "" }
    if !verify.isEmpty {
      do { settings.signatures = try SignaturePolicy(.report, keys: verify) } catch {
        throw ValidationError("--verify: \(error)")
      }
    }
    settings.clientKey = ProcessInfo.processInfo.environment["HEARTH_CLIENT_KEY"]
    return settings
  }

  /// The page that a path asks for.
  private static func page(_ path: String) -> String? {
    switch path {
    case "", "/", "/v1/home": return "home"
    default:
      let parts = path.split(separator: "/", omittingEmptySubsequences: false)
      return parts.count == 4 && parts[1] == "v1" && parts[2] == "pages" && !parts[3].isEmpty ? String(parts[3]) : nil
    }
  }
}
