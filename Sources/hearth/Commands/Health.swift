import ArgumentParser
import HTTPServer
import Service

/// `hearth health`
struct Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a running server whether it is ready: exit 0 when it is, 69 when it is not.")

  @Option(help: "The public listener, HOST:PORT (default: as configured; then no setting is read).")
  var listen: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await reporting {
      let listener = try listener().fromHere
      let status: Int?
      do {
        status = try ServerQuery.status(
          host: listener.host, port: listener.port, path: "/readyz", timeout: .seconds(3))
      } catch { throw Failure(.unavailable, "\(listener.written) is not ready: \(error)") }
      guard status == 200 else {
        let answer = status.map { "it answers with \($0)" } ?? "no HTTP answer came within 3 seconds"
        throw Failure(.unavailable, "\(listener.written) is not ready: \(answer)")
      }
      print("ready")
    }
  }

  private func listener() throws -> ServerSettings.Listener {
    guard let listen else { return try options.settings(needsFolder: false).values.server.publicListener }
    guard let listener = ServerSettings.Listener(written: listen) else {
      throw ValidationError("--listen must be HOST:PORT such as 127.0.0.1:8080 or [::1]:8080")
    }
    return listener
  }
}

extension ServerSettings.Listener {
  /// The address by which a program on this machine reaches it.
  var fromHere: ServerSettings.Listener {
    let anywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
    return ServerSettings.Listener(host: anywhere[host] ?? host, port: port)
  }
}
