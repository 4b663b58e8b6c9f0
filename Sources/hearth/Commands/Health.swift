import ArgumentParser
import Foundation
import FoundationNetworking
import Service

/// `hearth health`
struct Health: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Ask a running server whether it is ready: exit 0 when it is, 69 when it is not.")

  @Option(help: "The public listener, HOST:PORT (default: as configured).")
  var listen: String?

  @OptionGroup var options: Options

  func run() async throws {
    try await reporting {
      var listener = try options.settings(["public.listen": listen]).values.server.publicListener
      let anywhere = ["0.0.0.0": "127.0.0.1", "::": "::1"]
      listener.host = anywhere[listener.host] ?? listener.host
      guard let url = URL(string: "http://\(listener.written)/readyz") else {
        throw Failure(.unavailable, "\(listener.written) is no address")
      }
      let request = URLRequest(url: url, timeoutInterval: 3)
      let answer = try? await URLSession.shared.data(for: request)
      guard (answer?.1 as? HTTPURLResponse)?.statusCode == 200 else {
        throw Failure(.unavailable, "\(listener.written) is not ready")
      }
      print("ready")
    }
  }
}
