package import HTTPServer
import Layout
package import Storage
import Synchronization

/// The heads of an edition's responses. They differ from variant to variant in their tag, their length and their `max-age`
/// alone, which are filled in when they are sent: so all variants share them.
final class EditionHeads: Sendable {
  let page: String
  /// When the edition was made ready.
  let madeAt: Instant
  /// Those of one answer: with content, and of its 304.
  struct Heads: Sendable {
    let whole: CodedHeads
    let notModified: ReadyHead
  }

  /// Of a page, which may be asked for with signatures.
  private let ofPage: Heads
  private let isSigned: Bool
  /// Of a part of a list, which does not change and is the same for all who have its link.
  private let ofList: Heads
  /// Of a section and the sort rule, by their moment.
  private let ofMoments = Mutex<[PageMoment: Heads]>([:])
  /// How many moments are kept: the current ones, and the ones after the next flip.
  private static let momentsMax = 4
  private let caching: CacheDirectives
  let number: EditionNumber
  /// Identifies their edition: after history was cut, two may have one number.
  let serial: UInt64

  private init(_ edition: Edition, _ settings: PollSettings) {
    page = edition.page
    madeAt = edition.madeAt
    number = edition.number
    serial = edition.serial
    caching = settings.caching
    isSigned = settings.signing != nil
    func heads(_ caching: CacheDirectives, isPart: Bool = false, isSigned: Bool = false) -> Heads {
      Heads(
        whole: CodedHeads(200, of: edition.number, base: nil, caching, isPart: isPart, isSigned: isSigned),
        notModified: ReadyHead(
          304, fields: .validators(of: edition.number, base: nil, isPart: isPart, isSigned: isSigned), caching: caching)
      )
    }
    ofPage = heads(settings.caching, isSigned: isSigned)
    ofList = heads(settings.cachingOfParts, isPart: true)
  }

  /// Those of a variant.
  func heads(of variant: Variant) -> Heads {
    guard let moment = variant.moment else { return variant.key.resource.isImmutable ? ofList : ofPage }
    return ofMoments.withLock { made in
      if let heads = made[moment] { return heads }
      if made.count >= Self.momentsMax { made = [:] }
      let heads = Heads(
        whole: CodedHeads(200, of: number, base: nil, caching, moment: moment),
        notModified: ReadyHead(304, fields: .validators(of: number, base: nil, moment: moment), caching: caching))
      made[moment] = heads
      return heads
    }
  }

  /// The heads of an edition, made at their first use.
  static func of(_ edition: Edition, _ settings: PollSettings) -> EditionHeads {
    edition.heads.load() ?? edition.heads.storeIfNil(EditionHeads(edition, settings))
  }

  /// Of the changes since a version.
  func changes(from base: String) -> CodedHeads {
    // A cache that knows nothing of 226 must not keep one: it would answer other clients with it (RFC 3229 §10.9). One
    // that knows it may, and disregards no-store then (RFC 9111 §5.2.2.3).
    CodedHeads(
      226, of: number, base: base, CacheDirectives(before: "must-understand, no-store, "), isSigned: isSigned)
  }
}

/// The heads of one answer in each content coding, each made when it is asked for first.
final class CodedHeads: Sendable {
  private let status: Status
  private let edition: EditionNumber
  /// The version that a change set starts from; `nil` for a whole document.
  private let base: String?
  private let isPart: Bool
  /// Its moment, if clients join it with other parts.
  private let moment: PageMoment?
  /// Whether it can be asked for with signatures.
  private let isSigned: Bool
  private let caching: CacheDirectives
  private let identity = AtomicLazyReference<ReadyHead>()
  private let gzip = AtomicLazyReference<ReadyHead>()
  private let brotli = AtomicLazyReference<ReadyHead>()

  /// What one takes with its three heads, about.
  static let ownBytes = 1_792

  init(
    _ status: Status, of edition: EditionNumber, base: String?, _ caching: CacheDirectives, isPart: Bool = false,
    moment: PageMoment? = nil, isSigned: Bool = false
  ) {
    self.isPart = isPart
    self.moment = moment
    self.isSigned = isSigned
    self.status = status
    self.edition = edition
    self.base = base
    self.caching = caching
  }

  func head(_ coding: ContentCoding) -> ReadyHead {
    switch coding {
    case .identity: identity.load() ?? identity.storeIfNil(made(coding))
    case .gzip: gzip.load() ?? gzip.storeIfNil(made(coding))
    case .brotli: brotli.load() ?? brotli.storeIfNil(made(coding))
    }
  }

  private func made(_ coding: ContentCoding) -> ReadyHead {
    var fields = [ResponseField("Content-Type", "application/json")]
    if let coding = coding.name { fields.append(ResponseField("Content-Encoding", coding)) }
    if let base {
      fields += [ResponseField("IM", "hearth-changes"), ResponseField("Delta-Base", "W/\"\(base)\"")]
    }
    return ReadyHead(
      status, fields: fields + .validators(of: edition, base: base, isPart: isPart, moment: moment, isSigned: isSigned),
      caching: caching)
  }
}

extension [ResponseField] {
  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5).
  fileprivate static func validators(
    of edition: EditionNumber, base: String?, isPart: Bool = false, moment: PageMoment? = nil,
    isSigned: Bool = false
  ) -> [ResponseField] {
    let varied =
      (isPart ? "" : ", Accept-Language") + (base == nil ? "" : ", A-IM, If-None-Match")
      + (isSigned ? ", Accept-Signature" : "")
    return [ResponseField("ETag", ReadyHead.openTag), .edition(edition)]
      + [moment.map { .moment($0) }].compactMap(\.self)
      + [ResponseField("Vary", "Accept-Encoding\(varied)")]
  }
}

extension ResponseField {
  /// Generation and revision: `1.42`. It names a part's edition, so clients see which parts belong together.
  package static func edition(_ number: EditionNumber) -> ResponseField {
    ResponseField("Hearth-Revision", "\(number)")
  }

  /// The moment of its edition that a part belongs to. Parts of one edition but different moments belong to different
  /// pages.
  static func moment(_ moment: PageMoment) -> ResponseField { ResponseField("Hearth-Moment", "\(moment)") }
}
