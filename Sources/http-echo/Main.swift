import HTTPServer
import Logging

@main
enum Main {
  static func main() async throws {
    let port = UInt16(CommandLine.arguments.dropFirst().first ?? "8080") ?? 8080
    let sockets = try ListeningSockets(host: "127.0.0.1", port: port, count: 2)
    var limits = Limits()
    limits.bodyBytesMax = 8 << 20
    let server = try Server(sockets: sockets, loops: 2, limits: limits, logger: Logger(label: "http-echo")) { _ in
      EchoHandler()
    }
    print("http://127.0.0.1:\(server.port)")
    try await Task.sleep(for: .seconds(86_400))
  }
}

final class EchoHandler: RequestHandler {
  let ready = ReadyResponse(
    200,
    fields: [
      ResponseField("Content-Type", "application/json"), ResponseField("Content-Encoding", "gzip"),
      ResponseField("Vary", "Accept-Encoding, Accept-Language"), ResponseField("ETag", "W/\"3f9c0a7e51b2d684\""),
    ], body: [UInt8](repeating: 65, count: 6000),
    freshness: Freshness(maxAge: 30, before: "public, ", after: ", stale-if-error=86400"))

  func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
    if request.path.equals("/tagged") { return .ready(ready) }
    if request.method == .post { return .response(Response(200, body: request.body.array)) }
    return .response(Response(200, text: "OK"))
  }
}
