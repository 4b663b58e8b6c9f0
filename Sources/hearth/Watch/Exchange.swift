import Compression
import Foundation
import HTTPServer
import Polling
import Synchronization

/// What sends the polls of `hearth watch`: a socket for each, with no library of an HTTP client.
final class Exchange: Sendable {
  /// What a poll cost; more than one request when what came first was of no use.
  struct Cost {
    /// The statuses that came, in their order.
    var statuses: [Int] = []
    /// The bytes of the bodies, as they were sent.
    var bytes = 0
    /// Milliseconds from the first request to the last byte.
    var milliseconds = 0.0
  }

  private let cost = Mutex(Cost())
  /// The most bytes of an answer that are read, and that one is unpacked to.
  private static let bytesMax = 32 << 20

  /// What the requests since the last call cost.
  func taken() -> Cost {
    cost.withLock { cost in
      defer { cost = Cost() }
      return cost
    }
  }

  @concurrent func send(_ request: TransportRequest) async throws -> TransportAnswer {
    guard let host = request.url.host else { throw ClientError.unreachable("the URL has no host") }
    let bare = host.trimmingCharacters(in: ["[", "]"])
    let started = ContinuousClock.now
    var target = request.url.path.isEmpty ? "/" : request.url.path(percentEncoded: true)
    if let query = request.url.query(percentEncoded: true) { target += "?\(query)" }
    var fields = request.fields.sorted { $0.key < $1.key }.map { (name: $0.key, value: $0.value) }
    fields.append(("Accept-Encoding", "gzip"))
    let answer: ServerQuery.Answer?
    do {
      answer = try ServerQuery.get(
        host: bare == "localhost" ? "127.0.0.1" : bare, port: UInt16(exactly: request.url.port ?? 80) ?? 80,
        path: target, fields: fields, bytesMax: Self.bytesMax, timeout: .seconds(request.timeout))
    } catch { throw ClientError.unreachable("\(error)") }
    guard let answer else { throw ClientError.unreachable("no whole HTTP answer came in time") }
    let taken = ContinuousClock.now - started
    cost.withLock {
      $0.statuses.append(answer.status)
      $0.bytes += answer.body.count
      $0.milliseconds += taken / .milliseconds(1)
    }
    let named = Dictionary(
      answer.fields.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { "\($0), \($1)" })
    guard named["content-encoding"] == "gzip" else {
      return TransportAnswer(status: answer.status, fields: named, body: answer.body)
    }
    guard let body = Gzip.unpack(answer.body, bytesMax: Self.bytesMax) else {
      throw ClientError.unreadable("the body is not what its coding says")
    }
    return TransportAnswer(status: answer.status, fields: named, body: body)
  }
}
