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

    fileprivate init(_ traits: HeadTraits) {
      whole = CodedHeads(200, traits)
      notModified = ReadyHead(304, fields: traits.validators, caching: traits.caching)
    }
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
    ofPage = Heads(HeadTraits(edition: number, isSigned: isSigned, caching: caching))
    ofList = Heads(HeadTraits(edition: number, isPart: true, caching: settings.cachingOfParts))
  }

  /// Those of a variant.
  func heads(of variant: Variant) -> Heads {
    guard let moment = variant.moment else { return variant.key.resource.isImmutable ? ofList : ofPage }
    return ofMoments.withLock { made in
      if let heads = made[moment] { return heads }
      if made.count >= Self.momentsMax { made = [:] }
      let heads = Heads(HeadTraits(edition: number, moment: moment, caching: caching))
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
    let caching = CacheDirectives(before: "must-understand, no-store, ")
    return CodedHeads(226, HeadTraits(edition: number, base: base, isSigned: isSigned, caching: caching))
  }
}

/// What tells the heads of one answer from those of others.
struct HeadTraits: Sendable {
  let edition: EditionNumber
  /// The version that a change set starts from; `nil` for a whole document.
  var base: String?
  var isPart = false
  /// Its moment, if clients join it with other parts.
  var moment: PageMoment?
  /// Whether it can be asked for with signatures.
  var isSigned = false
  let caching: CacheDirectives

  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5).
  fileprivate var validators: [ResponseField] {
    let varied =
      (isPart ? "" : ", Accept-Language") + (base == nil ? "" : ", A-IM, If-None-Match")
      + (isSigned ? ", Accept-Signature" : "")
    return [ResponseField("ETag", ReadyHead.openTag), .edition(edition)]
      + [moment.map { .moment($0) }].compactMap(\.self)
      + [ResponseField("Vary", "Accept-Encoding\(varied)")]
  }
}

/// The heads of one answer in each content coding, each made when it is asked for first.
final class CodedHeads: Sendable {
  private let status: Status
  private let traits: HeadTraits
  private let identity = AtomicLazyReference<ReadyHead>()
  private let gzip = AtomicLazyReference<ReadyHead>()
  private let brotli = AtomicLazyReference<ReadyHead>()

  /// What one takes with its three heads, about.
  static let ownBytes = 1_792

  init(_ status: Status, _ traits: HeadTraits) {
    self.status = status
    self.traits = traits
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
    if let base = traits.base {
      fields += [ResponseField("IM", "hearth-changes"), ResponseField("Delta-Base", "W/\"\(base)\"")]
    }
    return ReadyHead(status, fields: fields + traits.validators, caching: traits.caching)
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
