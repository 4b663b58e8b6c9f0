import HTTPServer
import Layout
import Publication
import Storage
import Synchronization

/// The heads of an edition's responses. They differ from variant to variant in their tag, their length and their `max-age`
/// alone, which are filled in when they are sent: so all variants share them.
final class EditionHeads: Sendable {
  let page: String
  /// When the edition was made ready.
  let madeAt: Instant
  /// Of a whole document.
  let whole: CodedHeads
  let notModified: ReadyHead
  /// Of a page, which may be asked for with signatures.
  let ofPage: CodedHeads
  let pageNotModified: ReadyHead
  private let isSigned: Bool
  /// Of a part of a list, which does not change and is the same for all who have its link.
  let part: CodedHeads
  let partNotModified: ReadyHead
  let number: EditionNumber
  /// Which edition they are of: one may have the number of another.
  let serial: UInt64

  private init(_ edition: Edition, _ settings: PollSettings) {
    page = edition.page
    madeAt = edition.madeAt
    number = edition.number
    serial = edition.serial
    whole = CodedHeads(200, of: number, base: nil, settings.caching)
    notModified = ReadyHead(
      304, fields: [ResponseField].validators(of: number, base: nil), caching: settings.caching)
    isSigned = settings.signing != nil
    ofPage = isSigned ? CodedHeads(200, of: number, base: nil, settings.caching, isSigned: true) : whole
    pageNotModified =
      isSigned
      ? ReadyHead(
        304, fields: [ResponseField].validators(of: number, base: nil, isSigned: true), caching: settings.caching)
      : notModified
    part = CodedHeads(200, of: number, base: nil, settings.cachingOfParts, isPart: true)
    partNotModified = ReadyHead(
      304, fields: [ResponseField].validators(of: number, base: nil, isPart: true), caching: settings.cachingOfParts)
  }

  /// Those of an edition, made when they are asked for first.
  static func of(_ edition: Edition, _ settings: PollSettings) -> EditionHeads {
    edition.attachment.withLock { attachment in
      if let made = attachment as? EditionHeads { return made }
      let made = EditionHeads(edition, settings)
      attachment = made
      return made
    }
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
    isSigned: Bool = false
  ) {
    self.isPart = isPart
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
      status, fields: fields + .validators(of: edition, base: base, isPart: isPart, isSigned: isSigned),
      caching: caching)
  }
}

extension [ResponseField] {
  /// What a 304 repeats of its 200 (RFC 9110 §15.4.5).
  fileprivate static func validators(
    of edition: EditionNumber, base: String?, isPart: Bool = false, isSigned: Bool = false
  ) -> [ResponseField] {
    let varied =
      (isPart ? "" : ", Accept-Language") + (base == nil ? "" : ", A-IM, If-None-Match")
      + (isSigned ? ", Accept-Signature" : "")
    return [
      ResponseField("ETag", ReadyHead.openTag), .edition(edition),
      ResponseField("Vary", "Accept-Encoding\(varied)"),
    ]
  }
}

extension ResponseField {
  /// Generation and revision: `1.42`. It tells which edition a part is of, so that parts of one page are seen to be of
  /// one edition.
  static func edition(_ number: EditionNumber) -> ResponseField { ResponseField("Hearth-Revision", "\(number)") }
}
