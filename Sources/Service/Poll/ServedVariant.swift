import HTTPServer
import Layout
import Publication
import Synchronization

/// A variant as all loops send it: complete responses, made once.
final class ServedVariant: VariantAttachment, @unchecked Sendable {
  /// `nil` once it was given up to make room, or with its edition: who holds this lets it go.
  private(set) weak var variant: Variant?
  let page: String
  let version: String
  /// The document.
  let whole: CodedResponse
  let notModified: ReadyResponse
  /// The entity tag, `W/"3f9c0a7e51b2d684"`.
  let tag: [UInt8]
  /// The nanoseconds since 1970 at which it may hold no more.
  let until: Int64
  /// When another revision is scheduled to take its place.
  private let nextPublish: Instant?
  private let madeAt: Instant
  private let fields: VariantFields
  private let freshness: Freshness
  /// The responses with changes, by the version that they start from.
  private let changes = Mutex<[String: CodedResponse]>([:])

  /// `nil` when the variant has no document.
  private init?(_ variant: Variant, of edition: Edition, nextPublish: Instant?, _ settings: PollSettings, now: Int64) {
    guard let body = variant.body else { return nil }
    self.variant = variant
    version = variant.version
    madeAt = edition.madeAt
    self.nextPublish = nextPublish
    page = edition.page
    fields = VariantFields(variant, of: edition)
    freshness = settings.freshness(of: variant, edition, nextPublish: nextPublish)
    whole = CodedResponse(200, body, fields, madeAt: madeAt, freshness: freshness)
    notModified = ReadyResponse(304, fields: fields.validators, freshness: freshness)
    tag = Array(fields.tag.utf8)
    until = variant.until?.nanoseconds ?? .max
    super.init(Self.ownBytes + notModified.headBytes, at: now, budget: variant.budget)
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

  /// The 226 for a client that holds an older version.
  func changed(_ body: CodedBody, from version: String) -> CodedResponse {
    changes.withLock { changes in
      if let made = changes[version], made.body === body { return made }
      if changes.count >= Self.changesMax { changes.removeAll() }
      // A cache that knows nothing of 226 must not keep one: it would answer other clients with it (RFC 3229 §10.9). One
      // that knows it may, and disregards no-store then (RFC 9111 §5.2.2.3).
      let freshness = Freshness(
        maxAge: freshness.maxAge, flip: freshness.flip, before: "must-understand, no-store, ")
      let made = CodedResponse(226, body, fields.changes(from: version), madeAt: madeAt, freshness: freshness)
      changes[version] = made
      return made
    }
  }

  /// The most versions whose responses with changes are kept.
  private static let changesMax = 64

  override var bytesKept: Int {
    super.bytesKept + whole.bytes + changes.withLock { $0.values.reduce(0) { $0 + $1.bytes } }
  }
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
