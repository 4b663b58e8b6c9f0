import Compression
import HTTPServer

/// A resource with an entity tag, a gzip form and a time to live, ready to be sent: what a poll is, without a page.
final class Tagged: Sendable {
  private static let tag = "W/\"3f9c0a7e51b2d684\""
  private static let common = [
    ResponseField("Vary", "Accept-Encoding, Accept-Language"), ResponseField("ETag", tag),
  ]
  private static let freshness = Freshness(maxAge: 30)
  private static let caching = CacheDirectives(before: "public, ", after: ", stale-if-error=86400")

  private let identity: ReadyResponse
  private let gzip: ReadyResponse
  private let notModified: ReadyResponse

  init() {
    let lines = (0..<120).map { "  {\"id\": \"item-\($0)\", \"title\": \"Item number \($0)\"}" }
    let body = Array(("[\n" + lines.joined(separator: ",\n") + "\n]\n").utf8)
    let type = ResponseField("Content-Type", "application/json")
    identity = ReadyResponse(
      200, fields: [type] + Self.common, body: body, freshness: Self.freshness,
      caching: Self.caching)
    gzip = ReadyResponse(
      200, fields: [type, ResponseField("Content-Encoding", "gzip")] + Self.common, body: Gzip.compress(body),
      freshness: Self.freshness, caching: Self.caching)
    notModified = ReadyResponse(304, fields: Self.common, freshness: Self.freshness, caching: Self.caching)
  }

  func answer(_ request: borrowing Request) -> Answer {
    let allow = ResponseField("Allow", "GET, HEAD, OPTIONS")
    if request.method == .options { return .response(Response(204, fields: [allow])) }
    guard request.method == .get || request.method == .head else {
      return .response(Response(405, text: "This can be read only.\n", fields: [allow]))
    }
    switch request.precondition(Self.tag.utf8.span) {
    case .notModified: return .ready(notModified)
    case .failed: return .response(Response(412, text: "The resource has another entity tag.\n"))
    case .proceed: break
    }
    guard let coding = request.acceptedCodings.preferred(among: [.gzip, .identity]) else {
      return .response(Response(406, text: "Accept-Encoding takes neither gzip nor identity.\n"))
    }
    return .ready(coding == .gzip ? gzip : identity)
  }
}
