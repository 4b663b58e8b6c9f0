/// Conditional requests on an entity tag, in the order of RFC 9110 §13.2.2. A server here has no modification dates:
/// without one, If-Modified-Since and If-Unmodified-Since are ignored (§13.1.3, §13.1.4).
public enum Precondition: Sendable, Hashable {
  /// No condition fails: perform the method.
  case proceed
  /// Answer 304 to GET and HEAD.
  case notModified
  /// Answer 412.
  case failed
}

extension Request {
  /// The result of the request's conditions for a resource whose current entity tag is `tag`, as in `"a"` or `W/"a"`.
  ///
  /// `tag` is `nil` if the resource does not exist: then `If-Match: *` fails and `If-None-Match: *` holds.
  public func precondition(_ tag: Span<UInt8>?) -> Precondition {
    if has(.ifMatch), !matches(.ifMatch, tag, weakly: false) { return .failed }
    if has(.ifNoneMatch), matches(.ifNoneMatch, tag, weakly: true) {
      return method == .get || method == .head ? .notModified : .failed
    }
    return .proceed
  }

  /// Whether the entity tags in all fields of this name have `tag` among them.
  ///
  /// If-Match compares strongly: weak tags never match (RFC 9110 §13.1.1). If-None-Match compares weakly (§13.1.2).
  public func matches(_ known: KnownField, _ tag: Span<UInt8>?, weakly: Bool) -> Bool {
    guard let tag else { return false }
    var found = false
    for index in 0..<fieldCount where isField(index, known) {
      found = found || EntityTags.list(fieldValue(index), contains: tag, weakly: weakly)
    }
    return found
  }
}
