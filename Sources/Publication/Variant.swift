import Compression
public import HomePayload
public import Layout
public import Synchronization

/// One edition's document for one outcome, compressed, for as long as no schedule changes it.
public final class Variant: Sendable {
  /// What it is of.
  public let key: VariantKey
  /// The revision it was assembled from.
  public let revision: Int
  /// The hash of its content: the entity tag's opaque part.
  public let version: String
  /// The document gzip'd; `nil` when there is nothing, because a section is not in the page.
  public let gzip: [UInt8]?
  /// The bytes of the document as it is.
  public let identitySize: Int
  /// From when on it holds.
  public let from: Instant
  /// The first instant that it may hold no more.
  public let until: Instant?
  /// What is made of it once to be sent: complete responses. It is kept for as long as the variant is.
  public let attachment = Mutex<(any AnyObject & Sendable)?>(nil)
  let changesByVersion = Mutex<[String: ChangesAnswer]>([:])

  init(plan: PagePlan, revision: Int, key: VariantKey, at instant: Instant, parts: SectionParts) {
    let document = VariantDocument(plan, key, at: instant, parts: parts)
    self.key = key
    self.revision = revision
    version = document.version
    identitySize = document.identitySize
    gzip = document.gzip
    from = instant
    until = document.nextFlip
  }

  /// The document as it is. Few clients ask for it, so that it is not kept but unpacked.
  public var identity: [UInt8]? { gzip.map { Gzip.decompress($0, size: identitySize) } }

  /// Whether it holds at an instant.
  func holds(at instant: Instant) -> Bool { from <= instant && until.map { instant < $0 } ?? true }

  /// The bytes that it keeps in memory, what is made of it to be sent among them.
  var size: Int { (gzip?.count ?? 0) * 2 + 1_024 }
}

/// What tells the variants of an edition apart.
public struct VariantKey: Hashable, Sendable {
  /// What the client asks for.
  public var resource: Resource
  /// What its attributes came to.
  public var outcome: Outcome

  /// A key.
  public init(resource: Resource, outcome: Outcome) {
    self.resource = resource
    self.outcome = outcome
  }
}

/// A document and its compressed form.
private struct VariantDocument {
  var version = ""
  var identitySize = 0
  var gzip: [UInt8]?
  var nextFlip: Instant?

  init(_ plan: PagePlan, _ key: VariantKey, at instant: Instant, parts: SectionParts) {
    switch key.resource {
    case .page:
      let page = parts.page(of: plan, key.outcome, at: instant)
      version = page.version
      identitySize = page.identitySize
      gzip = page.gzip
      nextFlip = page.nextFlip
    case .section(let id):
      let assembled = plan.assemble(key.outcome, at: instant)
      nextFlip = assembled.nextFlip
      guard let position = assembled.page.sections.firstIndex(where: { $0.id == id }) else { return }
      var encoded: [UInt8] = []
      assembled.page.sections[position].append(to: &encoded, position: position)
      set(encoded)
    case .sortRule:
      let rule = plan.sortRule(for: key.outcome, at: instant)
      nextFlip = rule.nextFlip
      set(rule.document.bytes)
    }
  }

  private mutating func set(_ encoded: [UInt8]) {
    identitySize = encoded.count
    gzip = Gzip.compress(encoded)
    version = String(Fingerprint.of(encoded).prefix(16))
  }
}

extension Page {
  /// The hash of everything but the version: 16 hexadecimal digits of SHA-256.
  public var contentVersion: String {
    var bytes: [UInt8] = []
    append(to: &bytes, version: nil)
    return String(Fingerprint.of(bytes).prefix(16))
  }
}
