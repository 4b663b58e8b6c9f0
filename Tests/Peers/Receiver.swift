public import HTTPServer
import Logging
import Synchronization

/// A server of somebody else's, who is sent requests: it keeps what came, and answers as it is told.
public final class Receiver: Sendable {
  /// A request that came.
  public struct Received: Sendable {
    /// Its path and query.
    public let target: String
    /// Its fields by their names in lower case.
    public let fields: [String: String]
    /// Its content.
    public let body: [UInt8]
  }

  private let server: Server
  private let box: Box

  /// Where it listens.
  public var port: UInt16 { server.port }
  /// All that came, in its order.
  public var received: [Received] { box.received.withLock { $0 } }

  /// - Parameters:
  ///   - host: A numeric address to listen on.
  ///   - answer: What it answers, on its one thread.
  public init(
    host: String = "127.0.0.1", port: UInt16 = 0,
    answering answer: @escaping @Sendable (Received) -> Response = { _ in Response(204) }
  ) throws {
    var logger = Logger(label: "receiver")
    logger.logLevel = .critical
    let box = Box()
    self.box = box
    server = try Server(
      name: "receiver", sockets: ListeningSockets(host: host, port: port, count: 1), loops: 1, limits: Self.limits,
      logger: logger
    ) { _ in Handler(box, answer) }
  }

  /// Answers no more.
  public func stop() async { await server.drain(grace: .zero) }

  private static let limits: Limits = {
    var limits = Limits()
    limits.bodyBytesMax = 1_048_576
    return limits
  }()

  private final class Box: Sendable {
    let received = Mutex<[Received]>([])
  }

  private final class Handler: RequestHandler {
    private let box: Box
    private let answer: @Sendable (Received) -> Response

    init(_ box: Box, _ answer: @escaping @Sendable (Received) -> Response) { (self.box, self.answer) = (box, answer) }

    func handle(_ request: borrowing Request, on loop: EventLoop) -> Answer {
      var fields: [String: String] = [:]
      for index in 0..<request.fieldCount {
        fields[request.fieldName(index).string.lowercased()] = request.fieldValue(index).string
      }
      let query = request.query.count > 0 ? "?" + request.query.string : ""
      let received = Received(target: request.path.string + query, fields: fields, body: request.body.array)
      box.received.withLock { $0.append(received) }
      return .response(answer(received))
    }
  }
}
