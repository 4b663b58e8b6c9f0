internal import CLinux

/// How long a ready response stays true.
public struct Freshness: Sendable, Hashable {
  /// `max-age` at most, in seconds.
  public let maxAge: Int64
  /// The next instant, in nanoseconds since 1970, at which the content flips: `max-age` never reaches beyond it.
  public let flip: Int64?

  /// A freshness with these parts.
  public init(maxAge: Int64, flip: Int64? = nil) {
    self.maxAge = max(maxAge, 0)
    self.flip = flip
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

/// What stands in Cache-Control beside `max-age=N`.
public struct CacheDirectives: Sendable, Hashable {
  /// What stands before it, such as `public, `.
  public let before: String
  /// What stands after it, such as `, stale-if-error=86400`.
  public let after: String

  /// Directives around `max-age`.
  public init(before: String = "", after: String = "") {
    self.before = before
    self.after = after
  }
}

/// The head that ready responses share: all of it but what differs between them, or with time. The date, `max-age`, the
/// entity tag and the length are written into its copy that goes out.
public final class ReadyHead: Sendable {
  /// The octets. What always has the same length has its room in them, the digits of a number have none.
  let bytes: [UInt8]
  /// Where the date's 29 octets stand.
  let dateStart: Int
  /// Where the digits of `max-age` go, or nil.
  let maxAgeStart: Int?
  /// Where the entity tag stands, or nil. It comes after `max-age` and before the length.
  let tagStart: Int?
  /// Where the digits of the length go, or nil.
  let lengthStart: Int?
  /// Where the empty line stands that ends the head: fields can be put in before it.
  let emptyLineStart: Int

  /// The status.
  public let status: Status

  /// The value of an ETag field that each response puts its own tag into.
  public static let openTag = String(repeating: " ", count: WeakTag.bytesCount)

  /// Makes a head.
  ///
  /// - Parameters:
  ///   - fields: All fields but Date, Cache-Control when there are `caching` directives, Content-Length, Connection and
  ///     Transfer-Encoding. One whose value is ``openTag`` gets each response's tag.
  ///   - caching: The directives beside the `max-age` of responses that stay true for some time.
  ///
  /// For a 204 or 304 there is no Content-Length (RFC 9110 §8.6, §15.4.5).
  public init(_ status: Status, fields: [ResponseField], caching: CacheDirectives? = nil) {
    var head = Outgoing.statusLine(status) + Array("Date: ".utf8)
    dateStart = head.count
    head += [UInt8](repeating: ASCII.space, count: HTTPDate.bytesCount) + Array("\r\n".utf8)
    if let caching {
      head += Array("Cache-Control: \(Outgoing.safe(caching.before))max-age=".utf8)
      maxAgeStart = head.count
      head += Array("\(Outgoing.safe(caching.after))\r\n".utf8)
    } else {
      maxAgeStart = nil
    }
    var tagStart: Int?
    for field in fields {
      head += Outgoing.line(field)
      if field.value == Self.openTag { tagStart = head.count - 2 - WeakTag.bytesCount }
    }
    self.tagStart = tagStart
    if status.hasContent {
      head += Array("Content-Length: ".utf8)
      lengthStart = head.count
      head += Array("\r\n".utf8)
    } else {
      lengthStart = nil
    }
    emptyLineStart = head.count
    head += Array("\r\n".utf8)
    bytes = head
    self.status = status
  }
}

/// Fields that ready responses are sent with for some time, such as a signature. They never change, so that loops share them
/// without a lock.
public final class ReadyFields: Sendable {
  /// The field lines, each with its end.
  let lines: [UInt8]
  private let until: Int64

  /// The octets that they add to a head.
  public var byteCount: Int { lines.count }

  /// Makes fields ready.
  ///
  /// - Parameter until: When they are over, in nanoseconds since 1970: `max-age` never reaches beyond it.
  public init(_ fields: [ResponseField], until: Int64) {
    // A copy has the room of what it holds, and no more.
    lines = Array(fields.flatMap(Outgoing.line)[...])
    self.until = until
  }

  /// What is left of a `max-age` at an instant, in seconds.
  func maxAge(_ maxAge: Int64, at now: Int64) -> Int64 { min(maxAge, max(until - now, 0) / 1_000_000_000) }
}

/// A response made once and sent many times by all loops: a head that many share, and what it alone has. It never changes,
/// so that loops share it without a lock; its content is the caller's own array, so that others share that too.
public final class ReadyResponse: Sendable {
  let head: ReadyHead
  /// The content.
  public let content: [UInt8]
  /// The `max-age` for the head's place.
  public let freshness: Freshness
  /// The tag for the head's place.
  public let tag: WeakTag

  /// The status that it was made with.
  public var status: Status { head.status }

  /// Has the processor fetch the content, which is about to be copied: of ten thousand that are sent in turn none is in
  /// its caches.
  public func prefetchContent() {
    unsafe content.withUnsafeBytes { bytes in unsafe hearth_prefetch(bytes.baseAddress, bytes.count) }
  }

  /// Makes a response ready.
  ///
  /// - Parameters:
  ///   - tag: The tag for the head's place, if it has one.
  ///   - body: The content; none is sent with a status that has none.
  ///   - freshness: The `max-age` for the head's place, if it has one.
  public init(_ head: ReadyHead, tag: WeakTag, body: [UInt8] = [], freshness: Freshness) {
    self.head = head
    self.tag = tag
    self.freshness = freshness
    content = head.status.hasContent ? body : []
  }

  /// Makes a response ready with a head of its own.
  public convenience init(
    _ status: Status, fields: [ResponseField], body: [UInt8] = [], freshness: Freshness? = nil,
    caching: CacheDirectives = CacheDirectives()
  ) {
    let head = ReadyHead(status, fields: fields, caching: freshness == nil ? nil : caching)
    self.init(head, tag: WeakTag(""), body: body, freshness: freshness ?? Freshness(maxAge: 0))
  }
}
