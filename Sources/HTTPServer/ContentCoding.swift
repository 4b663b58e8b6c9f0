/// The content codings that a server here can offer.
public enum ContentCoding: Sendable, Hashable {
  case identity, gzip
  /// `br` (RFC 7932).
  case brotli

  /// What stands in Content-Encoding (RFC 9110 §8.4.1); `nil` for identity, which is never named there.
  public var name: String? {
    switch self {
    case .identity: nil
    case .gzip: "gzip"
    case .brotli: "br"
    }
  }
}

/// The content codings that an answer has.
public struct ContentCodings: OptionSet, Sendable {
  /// A bit for each.
  public let rawValue: UInt8

  /// Those of some bits.
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  /// `br`.
  public static let brotli = ContentCodings(rawValue: 1)
  /// gzip.
  public static let gzip = ContentCodings(rawValue: 2)
  /// None.
  public static let identity = ContentCodings(rawValue: 4)
  /// Each of them.
  public static let all: ContentCodings = [.brotli, .gzip, .identity]
}

/// The content codings that a client takes, by its weights (RFC 9110 §12.5.3). All answers use this negotiation.
public struct AcceptedCodings: Sendable {
  /// The weight of an unmentioned identity: acceptable, and below all that the client asks for.
  private static let least = 1
  /// The value of a weight of a thousandth, with room below it.
  private static let unit = 2

  // 0 where the coding is not acceptable: it is forbidden, or neither its name nor `*` is in the field.
  private let brotli: Int
  private let gzip: Int
  private let identity: Int

  /// - Parameters: Thousandths; `nil` what the field does not name. `others` is what it says of `*`.
  fileprivate init(brotli: Int?, gzip: Int?, identity: Int?, others: Int?) {
    let brotli = (brotli ?? others ?? 0) * Self.unit
    let identity = (identity ?? others).map { $0 * Self.unit } ?? Self.least
    // Who forbids identity and asks for nothing else has asked for what everybody reads, unless that is forbidden, too.
    let asksForNothing = brotli == 0 && identity == 0 && others == nil
    self.brotli = brotli
    self.gzip = (gzip ?? others).map { $0 * Self.unit } ?? (asksForNothing ? Self.least : 0)
    self.identity = identity
  }

  /// The coding to answer with, of those that the answer has: the one with the most weight, `br` before gzip before identity
  /// where they weigh the same; `nil` when the client takes none of them.
  public func preferred(among there: ContentCodings = .all) -> ContentCoding? {
    let brotli = there.contains(.brotli) ? brotli : 0
    let gzip = there.contains(.gzip) ? gzip : 0
    let identity = there.contains(.identity) ? identity : 0
    let most = max(brotli, gzip, identity)
    if most == 0 { return nil }
    return brotli == most ? .brotli : gzip == most ? .gzip : .identity
  }
}

extension Request {
  /// The content codings that the client takes. Without an Accept-Encoding field any would do, and identity is the one
  /// that everybody reads.
  public var acceptedCodings: AcceptedCodings {
    var brotli: Int?
    var gzip: Int?
    var identity: Int?
    var others: Int?
    forEachMember(of: .acceptEncoding) { member in
      guard let member = Weighted(member) else { return }
      if member.value.equalsIgnoringCase("gzip") || member.value.equalsIgnoringCase("x-gzip") {
        gzip = max(gzip ?? 0, member.weight)
      } else if member.value.equalsIgnoringCase("br") {
        brotli = member.weight
      } else if member.value.equalsIgnoringCase("identity") {
        identity = member.weight
      } else if member.value.equals("*") {
        others = member.weight
      }
    }
    return AcceptedCodings(brotli: brotli, gzip: gzip, identity: identity, others: others)
  }
}
