import HTTPServer
import JSON
import Layout
import Publication

/// A variant as one loop sends it: complete responses, made once.
final class ServedVariant {
  let gzip: ReadyResponse
  let notModified: ReadyResponse
  /// The entity tag in quotes, `W/"3f9c0a7e51b2d684"`.
  let tag: [UInt8]
  /// The nanoseconds since 1970 at which it may hold no more.
  let until: Int64
  private let variant: Variant
  private let headers: VariantHeaders

  /// `nil` when the variant has no document.
  init?(_ variant: Variant, of edition: Edition) {
    guard let body = variant.gzip else { return nil }
    self.variant = variant
    headers = VariantHeaders(variant, of: edition)
    gzip = ReadyResponse(200, fields: headers.fields(coding: .gzip), body: body, freshness: headers.freshness)
    notModified = ReadyResponse(304, fields: headers.validators, freshness: headers.freshness)
    tag = Array(headers.tag.utf8)
    until = variant.until?.nanoseconds ?? .max
  }

  /// The document without a content coding, unpacked when the first client asks for it.
  lazy var identity = ReadyResponse(
    200, fields: headers.fields(coding: .identity), body: variant.identity ?? [], freshness: headers.freshness)
}

/// The fields of a variant's responses.
struct VariantHeaders {
  let tag: String
  let freshness: Freshness

  init(_ variant: Variant, of edition: Edition) {
    tag = "W/\"\(variant.version)\""
    let flip = [variant.until, edition.nextPublish].compactMap { $0?.nanoseconds }.min()
    freshness = Freshness(
      maxAge: Int64(edition.pollInterval), flip: flip, before: "public, ", after: ", stale-if-error=86400")
  }

  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5); Cache-Control and Date are the engine's.
  var validators: [ResponseField] {
    [ResponseField("ETag", tag), ResponseField("Vary", "Accept-Encoding, Accept-Language")]
  }

  func fields(coding: ContentCoding) -> [ResponseField] {
    let type = ResponseField("Content-Type", "application/json")
    let encoding = coding == .gzip ? [ResponseField("Content-Encoding", "gzip")] : []
    return [type] + encoding + validators
  }
}

extension Instant {
  /// The nanoseconds since 1970.
  var nanoseconds: Int64 { secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000).partialValue }

  /// The second that holds a moment in nanoseconds since 1970.
  init(nanoseconds: Int64) { self.init(secondsSinceEpoch: nanoseconds / 1_000_000_000) }
}
