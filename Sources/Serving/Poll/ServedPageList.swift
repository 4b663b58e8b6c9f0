import Compression
import HTTPServer
import JSON
import Layout

/// The list of published pages as all clients get it: complete responses, made once.
final class ServedPageList: Sendable {
  private let tag: WeakTag
  private let identity: ReadyResponse
  private let gzip: ReadyResponse
  private let brotli: ReadyResponse
  private let notModified: ReadyResponse

  init(_ pages: [String], _ settings: PollSettings) {
    let body = JSON.object(["pages": .names(pages)]).canonicalBytes
    let type = ResponseField("Content-Type", "application/json")
    // Weak, because it is the same for all codings.
    tag = WeakTag(String(Fingerprint.of(body).prefix(16)))
    let validators = [ResponseField("ETag", tag.text), ResponseField("Vary", "Accept-Encoding")]
    let freshness = Freshness(maxAge: 30)
    let caching = CacheDirectives(before: settings.caching.before)
    func made(_ coding: ContentCoding, _ body: [UInt8]) -> ReadyResponse {
      let coded = coding.name.map { [ResponseField("Content-Encoding", $0)] } ?? []
      return ReadyResponse(
        200, fields: [type] + coded + validators, body: body, freshness: freshness, caching: caching)
    }
    identity = made(.identity, body)
    gzip = made(.gzip, Gzip.compress(body))
    // A few names, and on a loop: the least effort.
    brotli = made(.brotli, Brotli.compressQuickly(body))
    notModified = ReadyResponse(304, fields: validators, freshness: freshness, caching: caching)
  }

  func answer(_ request: borrowing Request) -> Answer {
    let tag = tag
    switch request.precondition(tag.octets.span) {
    case .notModified: return .ready(notModified)
    case .failed: return .refusal(.preconditionFailed(tag: tag.text))
    case .proceed: break
    }
    return switch request.acceptedCodings.preferred() {
    case .brotli: .ready(brotli)
    case .gzip: .ready(gzip)
    case .identity: .ready(identity)
    case nil: .refusal(.notAcceptable(.all))
    }
  }
}
