/// The content codings that a server here can offer.
public enum ContentCoding: Sendable, Hashable {
  case identity, gzip
}

extension Request {
  /// The content coding to answer with when both are there (RFC 9110 §12.5.3), or nil when the client forbids both.
  ///
  /// gzip is chosen where it is named or matched by `*` with a weight that is not 0 and not below identity's, and where
  /// identity alone is forbidden. Without an Accept-Encoding field any coding would do, and identity is the one that
  /// everybody reads.
  public func preferredCoding() -> ContentCoding? {
    var gzip: Int?
    var identity: Int?
    var others: Int?
    forEachMember(of: .acceptEncoding) { member in
      guard let member = Weighted(member) else { return }
      if member.value.equalsIgnoringCase("gzip") || member.value.equalsIgnoringCase("x-gzip") {
        gzip = max(gzip ?? 0, member.weight)
      } else if member.value.equalsIgnoringCase("identity") {
        identity = member.weight
      } else if member.value.equals("*") {
        others = member.weight
      }
    }
    let gzipWeight = gzip ?? others ?? 0
    let isGzipForbidden = (gzip ?? others) == 0
    // Identity is acceptable unless it is excluded, by name or by `*;q=0` without being named.
    let identityWeight = identity ?? (others == 0 ? 0 : nil)
    if gzipWeight > 0, gzipWeight >= identityWeight ?? 0 { return .gzip }
    guard identityWeight == 0 else { return .identity }
    return isGzipForbidden ? nil : .gzip
  }
}
