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

/// The content codings that a client takes, by its weights (RFC 9110 §12.5.3).
public struct AcceptedCodings: Sendable {
  /// Thousandths, 0 where it is forbidden; `nil` where neither its name nor `*` says anything of it.
  private let brotli: Int?
  private let gzip: Int?
  /// Identity is acceptable unless it is excluded, by name or by `*;q=0` without being named.
  private let identity: Int?

  fileprivate init(brotli: Int?, gzip: Int?, identity: Int?, others: Int?) {
    self.brotli = brotli ?? others
    self.gzip = gzip ?? others
    self.identity = identity ?? (others == 0 ? 0 : nil)
  }

  /// The coding to answer with when `br`, gzip and identity are there, `nil` when the client forbids all of them: the
  /// one with the most weight, in that order where they weigh the same.
  public var preferred: ContentCoding? {
    // What the client does not speak of is not forbidden.
    wanted(brotli: brotli ?? 0) ?? (gzip == nil ? .gzip : brotli == nil ? .brotli : nil)
  }

  /// The coding to answer with while `br` is not there, `nil` when the client asks for nothing else.
  public var preferredWithoutBrotli: ContentCoding? { wanted(brotli: 0) }

  /// The coding to answer with where there are gzip and identity alone, `nil` when the client forbids both.
  fileprivate var preferredOfTwo: ContentCoding? { wanted(brotli: 0) ?? (gzip == nil ? .gzip : nil) }

  private func wanted(brotli: Int) -> ContentCoding? {
    let gzip = gzip ?? 0
    let least = max(identity ?? 0, 1)
    if brotli >= least, brotli >= gzip { return .brotli }
    if gzip >= least { return .gzip }
    return identity == 0 ? nil : .identity
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

  /// The content coding to answer with where there are gzip and identity alone, or nil when the client forbids both.
  ///
  /// gzip is chosen where it is named or matched by `*` with a weight that is not 0 and not below identity's, and where
  /// identity alone is forbidden.
  public func preferredCoding() -> ContentCoding? { acceptedCodings.preferredOfTwo }
}
