/// How long a ready response stays true.
public struct Freshness: Sendable, Hashable {
  /// `max-age` at most, in seconds.
  public let maxAge: Int64
  /// The next instant, in nanoseconds since 1970, at which the content flips: `max-age` never reaches beyond it.
  public let flip: Int64?
  /// What stands in Cache-Control before and after `max-age=N`, such as `public, ` and `, stale-if-error=86400`.
  public let before: String
  /// See ``before``.
  public let after: String

  /// A freshness with these parts.
  public init(maxAge: Int64, flip: Int64? = nil, before: String = "", after: String = "") {
    self.maxAge = max(maxAge, 0)
    self.flip = flip
    self.before = before
    self.after = after
  }

  /// `max-age` at an instant, in whole seconds rounded up to the flip.
  ///
  /// It is 0 for the second of the flip. What should have come by then and has not is late for a reason that may last:
  /// then the content stays true for ``maxAge``, and clients do not come again at once.
  public func maxAge(at now: Int64) -> Int64 {
    guard let flip, now - 1_000_000_000 < flip else { return maxAge }
    return flip > now ? min(maxAge, (flip - now - 1) / 1_000_000_000 + 1) : 0
  }
}

/// A response made once and sent many times by all loops. Only the date and `max-age` are written anew, in the copy of
/// the head that goes out. It never changes, so that loops share it without a lock; its content is the caller's own
/// array, so that responses that differ in their heads share it.
public final class ReadyResponse: Sendable {
  /// Everything before the content but the digits of `max-age`.
  let head: [UInt8]
  /// The content.
  public let content: [UInt8]
  /// Where the date's 29 octets stand.
  let dateStart: Int
  /// Where the digits of `max-age` go, or nil.
  let maxAgeStart: Int?
  /// Where the empty line stands that ends the head: fields can be put in before it.
  let emptyLineStart: Int
  let freshness: Freshness?

  /// The status that it was made with.
  public let status: Status
  /// Octets of its content.
  public var contentBytes: Int { content.count }
  /// Octets of its head.
  public var headBytes: Int { head.count }

  /// Makes a response ready.
  ///
  /// `fields` are all fields but Date, Cache-Control when there is a `freshness`, Content-Length, Connection and
  /// Transfer-Encoding. A 204 or 304 has no content and no Content-Length (RFC 9110 §8.6, §15.4.5).
  public init(_ status: Status, fields: [ResponseField], body: [UInt8] = [], freshness: Freshness? = nil) {
    var head = Outgoing.statusLine(status) + Array("Date: ".utf8)
    dateStart = head.count
    head += [UInt8](repeating: ASCII.space, count: HTTPDate.bytesCount) + Array("\r\n".utf8)
    if let freshness {
      head += Array("Cache-Control: \(Outgoing.safe(freshness.before))max-age=".utf8)
      maxAgeStart = head.count
      head += Array("\(Outgoing.safe(freshness.after))\r\n".utf8)
    } else {
      maxAgeStart = nil
    }
    for field in fields { head += Outgoing.line(field) }
    if status.hasContent { head += Array("Content-Length: \(body.count)\r\n".utf8) }
    emptyLineStart = head.count
    head += Array("\r\n".utf8)
    self.head = head
    content = status.hasContent ? body : []
    self.status = status
    self.freshness = freshness
  }
}
