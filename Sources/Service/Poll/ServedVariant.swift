import HTTPServer
import Layout
import Publication
import Synchronization

/// A variant as all loops send it: complete responses, made once.
final class ServedVariant: Sendable {
  let variant: Variant
  let page: String
  let gzip: ReadyResponse
  let notModified: ReadyResponse
  /// The entity tag, `W/"3f9c0a7e51b2d684"`.
  let tag: [UInt8]
  /// The nanoseconds since 1970 at which it may hold no more.
  let until: Int64
  private let headers: VariantHeaders
  private let unpacked = Mutex<ReadyResponse?>(nil)
  private let changes = Mutex<[String: ReadyResponse]>([:])

  /// `nil` when the variant has no document.
  private init?(_ variant: Variant, of edition: Edition, _ settings: PollSettings) {
    guard let body = variant.gzip else { return nil }
    self.variant = variant
    page = edition.page
    headers = VariantHeaders(variant, of: edition, settings)
    gzip = ReadyResponse(200, fields: headers.fields(.gzip), body: body, freshness: headers.freshness)
    notModified = ReadyResponse(304, fields: headers.validators, freshness: headers.freshness)
    tag = Array(headers.tag.utf8)
    until = variant.until?.nanoseconds ?? .max
  }

  /// The one of a variant, made when the first loop asks for it; `nil` when there is no document.
  static func of(_ variant: Variant, _ edition: Edition, _ settings: PollSettings) -> ServedVariant? {
    variant.attachment.withLock { attachment in
      if let served = attachment as? ServedVariant { return served }
      let served = ServedVariant(variant, of: edition, settings)
      attachment = served
      return served
    }
  }

  /// The document without a content coding, unpacked when the first client asks for it.
  var identity: ReadyResponse {
    unpacked.withLock { unpacked in
      if let unpacked { return unpacked }
      let made = ReadyResponse(
        200, fields: headers.fields(.identity), body: variant.identity ?? [], freshness: headers.freshness)
      unpacked = made
      return made
    }
  }

  func whole(_ coding: ContentCoding) -> ReadyResponse { coding == .gzip ? gzip : identity }

  /// The 226 for a client that holds an older version.
  func changed(_ ready: ReadyChanges, from version: String, _ coding: ContentCoding) -> ReadyResponse {
    changes.withLock { changes in
      let name = coding == .gzip ? version : "identity \(version)"
      if let made = changes[name] { return made }
      if changes.count >= 128 { changes.removeAll() }
      let made = ReadyResponse(
        226, fields: headers.changeFields(coding, from: version), body: coding == .gzip ? ready.gzip : ready.identity,
        freshness: headers.changeFreshness)
      changes[name] = made
      return made
    }
  }
}

/// The fields of a variant's responses.
private struct VariantHeaders {
  let tag: String
  let freshness: Freshness
  /// A cache that knows nothing of 226 must not keep one: it would answer other clients with it (RFC 3229 §10.9).
  let changeFreshness: Freshness

  init(_ variant: Variant, of edition: Edition, _ settings: PollSettings) {
    tag = "W/\"\(variant.version)\""
    let late = settings.spread(of: variant.version)
    let flip = [variant.until, edition.nextPublish].compactMap { $0?.adding(seconds: late).nanoseconds }.min()
    let age = Int64(edition.pollInterval) + late
    let isShared = settings.clientKey == nil
    freshness = Freshness(
      maxAge: age, flip: flip, before: isShared ? "public, " : "private, ", after: ", stale-if-error=86400")
    changeFreshness = Freshness(maxAge: age, flip: flip, before: "no-store, ")
  }

  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5); Cache-Control and Date are the engine's.
  var validators: [ResponseField] {
    [ResponseField("ETag", tag), ResponseField("Vary", "Accept-Encoding, Accept-Language")]
  }

  func fields(_ coding: ContentCoding) -> [ResponseField] { content(coding) + validators }

  func changeFields(_ coding: ContentCoding, from version: String) -> [ResponseField] {
    content(coding) + [
      ResponseField("IM", "hearth-changes"), ResponseField("Delta-Base", "W/\"\(version)\""),
      ResponseField("ETag", tag),
      ResponseField("Vary", "Accept-Encoding, Accept-Language, A-IM, If-None-Match"),
    ]
  }

  private func content(_ coding: ContentCoding) -> [ResponseField] {
    let type = ResponseField("Content-Type", "application/json")
    return coding == .gzip ? [type, ResponseField("Content-Encoding", "gzip")] : [type]
  }
}

extension Instant {
  /// The nanoseconds since 1970; a moment that is too far away for them is the furthest: 9999 is after 2262.
  var nanoseconds: Int64 {
    let (nanoseconds, isTooFar) = secondsSinceEpoch.multipliedReportingOverflow(by: 1_000_000_000)
    return isTooFar ? (secondsSinceEpoch < 0 ? .min : .max) : nanoseconds
  }

  /// The second that holds a moment in nanoseconds since 1970.
  init(nanoseconds: Int64) { self.init(secondsSinceEpoch: nanoseconds / 1_000_000_000) }
}
