import Compression
import HTTPServer
import Layout
import Publication
import Storage
import Synchronization

/// A variant as all loops send it: complete responses, made once.
final class ServedVariant: VariantAttachment, @unchecked Sendable {
  /// `nil` once it was given up to make room, or with its edition: who holds this lets it go.
  private(set) weak var variant: Variant?
  let page: String
  let version: String
  let gzip: ReadyResponse
  let notModified: ReadyResponse
  /// The entity tag, `W/"3f9c0a7e51b2d684"`.
  let tag: [UInt8]
  /// The nanoseconds since 1970 at which it may hold no more.
  let until: Int64
  private let identitySize: Int
  /// When another revision is scheduled to take its place.
  private let nextPublish: Instant?
  private let headers: VariantHeaders
  private let unpacked = Mutex<ReadyResponse?>(nil)
  private let changes = Mutex<[String: ReadyResponse]>([:])

  /// `nil` when the variant has no document.
  private init?(_ variant: Variant, of edition: Edition, nextPublish: Instant?, _ settings: PollSettings, now: Int64) {
    guard let body = variant.gzip else { return nil }
    self.variant = variant
    version = variant.version
    identitySize = variant.identitySize
    self.nextPublish = nextPublish
    page = edition.page
    headers = VariantHeaders(variant, of: edition, nextPublish: nextPublish, settings)
    gzip = ReadyResponse(200, fields: headers.fields(.gzip), body: body, freshness: headers.freshness)
    notModified = ReadyResponse(304, fields: headers.validators, freshness: headers.freshness)
    tag = Array(headers.tag.utf8)
    until = variant.until?.nanoseconds ?? .max
    super.init(at: now, budget: variant.budget)
    count(Self.ownBytes + gzip.headBytes + notModified.headBytes)
  }

  /// What the object takes beside its responses, about.
  private static let ownBytes = 768

  /// The one of a variant, made when the first loop asks for it; `nil` when there is no document.
  static func of(
    _ variant: Variant, _ edition: Edition, in lineup: Lineup, _ settings: PollSettings, now: Int64
  ) -> ServedVariant? {
    let nextPublish = lineup.nextPublish(of: edition.page)
    return variant.attachment.withLock { attachment in
      if let served = attachment as? ServedVariant, served.nextPublish == nextPublish { return served }
      let served = ServedVariant(variant, of: edition, nextPublish: nextPublish, settings, now: now)
      attachment = served
      return served
    }
  }

  /// The document without a content coding, unpacked when the first client asks for it.
  var identity: ReadyResponse {
    unpacked.withLock { unpacked in
      if let unpacked { return unpacked }
      let made = ReadyResponse(
        200, fields: headers.fields(.identity), body: Gzip.decompress(gzip.content, size: identitySize),
        freshness: headers.freshness)
      unpacked = made
      count(made.headBytes + made.contentBytes)
      return made
    }
  }

  func whole(_ coding: ContentCoding) -> ReadyResponse { coding == .gzip ? gzip : identity }

  /// The 226 for a client that holds an older version.
  func changed(_ ready: ReadyChanges, from version: String, _ coding: ContentCoding) -> ReadyResponse {
    changes.withLock { changes in
      let name = coding == .gzip ? version : "identity \(version)"
      if let made = changes[name] { return made }
      if changes.count >= Self.changesMax {
        count(-changes.values.reduce(0) { $0 + Self.bytes(of: $1) })
        changes.removeAll()
      }
      let made = ReadyResponse(
        226, fields: headers.changeFields(coding, from: version), body: coding == .gzip ? ready.gzip : ready.identity,
        freshness: headers.changeFreshness)
      changes[name] = made
      count(Self.bytes(of: made))
      return made
    }
  }

  /// The most responses with changes that are kept.
  private static let changesMax = 128

  private static func bytes(of changes: ReadyResponse) -> Int { changes.headBytes + changes.contentBytes + 128 }
}

/// The fields of a variant's responses.
private struct VariantHeaders {
  let tag: String
  /// `Hearth-Revision`: which edition it is of, so that parts of one page are seen to be of one edition.
  let edition: ResponseField
  let freshness: Freshness
  /// A cache that knows nothing of 226 must not keep one: it would answer other clients with it (RFC 3229 §10.9).
  let changeFreshness: Freshness

  init(_ variant: Variant, of edition: Edition, nextPublish: Instant?, _ settings: PollSettings) {
    tag = "W/\"\(variant.version)\""
    self.edition = .edition(edition.number)
    freshness = settings.freshness(of: variant, edition, nextPublish: nextPublish)
    changeFreshness = Freshness(maxAge: freshness.maxAge, flip: freshness.flip, before: "no-store, ")
  }

  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5); Cache-Control and Date are the engine's.
  var validators: [ResponseField] {
    [ResponseField("ETag", tag), edition, ResponseField("Vary", "Accept-Encoding, Accept-Language")]
  }

  func fields(_ coding: ContentCoding) -> [ResponseField] { content(coding) + validators }

  func changeFields(_ coding: ContentCoding, from version: String) -> [ResponseField] {
    content(coding) + [
      ResponseField("IM", "hearth-changes"), ResponseField("Delta-Base", "W/\"\(version)\""),
      ResponseField("ETag", tag), edition,
      ResponseField("Vary", "Accept-Encoding, Accept-Language, A-IM, If-None-Match"),
    ]
  }

  private func content(_ coding: ContentCoding) -> [ResponseField] {
    let type = ResponseField("Content-Type", "application/json")
    return coding == .gzip ? [type, ResponseField("Content-Encoding", "gzip")] : [type]
  }
}

extension ResponseField {
  /// Generation and revision: `1.42`.
  static func edition(_ number: EditionNumber) -> ResponseField { ResponseField("Hearth-Revision", "\(number)") }
}

extension PollSettings {
  /// How long a variant's answers stay true: until its flip, the next scheduled publish, or the page's poll interval.
  func freshness(of variant: Variant, _ edition: Edition, nextPublish: Instant?) -> Freshness {
    let late = spread(of: variant.version)
    let flip = [variant.until, nextPublish].compactMap { $0?.adding(seconds: late).nanoseconds }.min()
    return Freshness(
      maxAge: Int64(edition.pollInterval) + late, flip: flip, before: clientKey == nil ? "public, " : "private, ",
      after: ", stale-if-error=86400")
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
