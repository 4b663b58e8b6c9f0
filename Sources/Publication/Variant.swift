public import HomePayload
public import Layout

/// One edition's document for one outcome, compressed, for as long as no schedule changes it.
public final class Variant: Sendable {
  /// What a client's attributes came to.
  public let outcome: Outcome
  /// The revision it was assembled from.
  public let revision: Int
  /// The hash of its content: the entity tag's opaque part.
  public let version: String
  /// The document gzip'd.
  public let gzip: [UInt8]
  /// The bytes of the document as it is.
  public let identitySize: Int
  /// From when on it holds.
  public let from: Instant
  /// The first instant that it may hold no more.
  public let until: Instant?

  init(plan: PagePlan, revision: Int, outcome: Outcome, at instant: Instant) {
    let assembled = plan.assemble(outcome, at: instant)
    self.outcome = outcome
    self.revision = revision
    version = assembled.page.contentVersion
    var bytes: [UInt8] = []
    assembled.page.append(to: &bytes, version: version)
    identitySize = bytes.count
    gzip = Gzip.compress(bytes)
    from = instant
    until = assembled.nextFlip
  }

  /// Whether it holds at an instant.
  func holds(at instant: Instant) -> Bool { from <= instant && until.map { instant < $0 } ?? true }

  /// The document as it is. Few clients ask for it, so that it is not kept but unpacked.
  public var identity: [UInt8] { Gzip.decompress(gzip, size: identitySize) }

  /// The bytes that it keeps in memory.
  var size: Int { gzip.count }
}

extension Page {
  /// The hash of everything but the version: 16 hexadecimal digits of SHA-256.
  public var contentVersion: String {
    var bytes: [UInt8] = []
    append(to: &bytes, version: nil)
    return String(Fingerprint.of(bytes).prefix(16))
  }
}
