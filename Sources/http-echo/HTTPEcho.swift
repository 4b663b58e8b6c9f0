import Dispatch
import Glibc
import HTTPServer
import Logging

/// A small server on the real core for public conformance suites to be pointed at: `http-echo PORT [LOOPS]`.
///
/// It listens on the loopback address alone, and drains on SIGTERM and SIGINT.
@main
enum HTTPEcho {
  static func main() async throws {
    let arguments = CommandLine.arguments.dropFirst()
    guard let port = arguments.first.flatMap({ UInt16($0) }), arguments.count <= 2,
      let loops = arguments.dropFirst().first.map({ Int($0) }) ?? 2, loops > 0
    else {
      print("usage: http-echo PORT [LOOPS]")
      return
    }
    let sockets = try ListeningSockets(host: "127.0.0.1", port: port, count: loops)
    var limits = Limits()
    limits.bodyBytesMax = 8 * 1024 * 1024
    let tagged = Tagged()
    let server = try Server(
      name: "echo", sockets: sockets, loops: loops, limits: limits, logger: Logger(label: "http-echo")
    ) { _ in EchoHandler(tagged: tagged) }
    print("http://127.0.0.1:\(server.port)/")
    await signalled()
    await server.drain(grace: .seconds(10))
  }

  /// Returns when the process is asked to end.
  private static func signalled() async {
    let (signals, continuation) = AsyncStream<Void>.makeStream()
    let sources = [SIGTERM, SIGINT].map { number in
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number)
      source.setEventHandler { continuation.yield() }
      source.resume()
      return source
    }
    for await _ in signals { break }
    for source in sources { source.cancel() }
  }
}
