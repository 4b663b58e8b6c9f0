public import HomePayload
public import Layout
import Synchronization

/// One edition's document for one outcome, compressed, for as long as no schedule changes it.
public final class Variant: Sendable {
  /// The page, section, rule or list part that it is a variant of, with its outcome.
  public let key: VariantKey
  /// The client that asked for it first, which stands for its outcome when the next revision is made ready.
  public let client: ClientAttributes
  /// The revision it was assembled from.
  public let revision: Int
  /// The hash of its content: the entity tag's opaque part.
  public let version: String
  /// The document; `nil` when there is nothing, because a section is not in the page.
  public let body: CodedBody?
  /// From when on it holds.
  public let from: Instant
  /// The first instant that it may hold no more.
  public let until: Instant?
  /// The moment of a section or sort rule; `nil` for a page or a part of a list.
  public let moment: PageMoment?
  /// Counts all bytes kept ready. Anything kept that is made from the variant is counted there, too.
  public let budget: ByteBudget
  /// Its complete responses, made once.
  let served = Mutex<ServedVariant?>(nil)
  let changesByVersion = Mutex<[String: ChangesAnswer]>([:])
  private let charge: ByteCharge

  convenience init(
    plan: PagePlan, revision: Int, key: VariantKey, client: ClientAttributes, at instant: Instant, parts: SectionParts,
    budget: ByteBudget
  ) {
    let document = parts.document(of: plan, key, at: instant)
    // Parts hold no longer than what they may be joined with.
    let moment = key.resource.isJoined ? plan.moment(at: instant) : nil
    self.init(
      key: key, client: client, revision: revision, version: document.version, body: document.body, from: instant,
      until: [document.nextFlip, moment?.until].compactMap(\.self).min(), moment: moment, budget: budget)
  }

  /// What need not be of the edition's own plan: a page that was ready before this process began, a part of a list.
  init(
    key: VariantKey, client: ClientAttributes, revision: Int, version: String, body: CodedBody?, from: Instant,
    until: Instant?, moment: PageMoment? = nil, budget: ByteBudget
  ) {
    self.key = key
    self.client = client
    self.revision = revision
    self.version = version
    self.body = body
    self.from = from
    self.until = until
    self.moment = moment
    self.budget = budget
    charge = ByteCharge(Self.ownBytes + client.byteCount + key.resource.byteCount, in: budget)
  }

  /// About how many bytes a variant takes beside its body.
  private static let ownBytes = 768

  /// Whether it holds at an instant.
  public func holds(at instant: Instant) -> Bool { from <= instant && until.map { instant < $0 } ?? true }

  /// When a loop sent it last, to a tick, in nanoseconds since 1970; 0 before.
  var lastUse: Int64 { served.withLock { $0?.lastSent } ?? 0 }

  /// The bytes that are gone when it is.
  var bytesKept: Int { charge.bytes + (body?.size ?? 0) + (served.withLock { $0?.bytesKept } ?? 0) }
}

/// What tells the variants of an edition apart.
public struct VariantKey: Hashable, Sendable {
  /// The requested resource.
  public var resource: Resource
  /// What its attributes came to.
  public var outcome: Outcome

  /// A key.
  public init(resource: Resource, outcome: Outcome) {
    self.resource = resource
    self.outcome = outcome
  }
}

extension SectionParts {
  /// The document of a variant at an instant.
  fileprivate func document(of plan: PagePlan, _ key: VariantKey, at instant: Instant) -> Document {
    switch key.resource {
    case .page: return page(of: plan, key.outcome, at: instant)
    case .section(let id):
      let assembled = assembled(plan, key.outcome, at: instant)
      guard let position = assembled.page.sections.firstIndex(where: { $0.id == id }) else {
        return Document(nextFlip: assembled.nextFlip)
      }
      var section = assembled.page.sections[position]
      section.position = position
      return document(section.canonicalBytes, nextFlip: assembled.nextFlip)
    case .items:
      // Made by ``Publisher/makePart(_:of:)``, since the list may be of an earlier revision.
      return Document()
    case .sortRule:
      let rule = plan.sortRule(for: key.outcome, at: instant)
      return document(rule.document.bytes, nextFlip: rule.nextFlip)
    }
  }
}

extension Page {
  /// The hash of everything but the version: 16 hexadecimal digits of SHA-256.
  public var contentVersion: String {
    var page = self
    page.version = ""
    return String(Fingerprint.of(page.canonicalBytes).prefix(16))
  }
}
