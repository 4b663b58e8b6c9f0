/// The request fields that the engine or its handlers ask for on most requests: found once while parsing, then O(1).
public enum KnownField: UInt8, Sendable, CaseIterable {
  case host, connection, contentLength, transferEncoding, expect, contentEncoding
  case accept, acceptEncoding, acceptLanguage, acceptInstanceManipulation, acceptSignature
  case ifMatch, ifNoneMatch, ifModifiedSince
  case authorization, contentType, cookie, idempotencyKey, origin, prefer, userAgent, forwardedFor, requestID, ageMax

  /// The field's name in lowercase.
  var name: StaticString {
    switch self {
    case .host: "host"
    case .connection: "connection"
    case .contentLength: "content-length"
    case .transferEncoding: "transfer-encoding"
    case .expect: "expect"
    case .contentEncoding: "content-encoding"
    case .accept: "accept"
    case .acceptEncoding: "accept-encoding"
    case .acceptLanguage: "accept-language"
    case .acceptInstanceManipulation: "a-im"
    case .acceptSignature: "accept-signature"
    case .ifMatch: "if-match"
    case .ifNoneMatch: "if-none-match"
    case .ifModifiedSince: "if-modified-since"
    case .authorization: "authorization"
    case .contentType: "content-type"
    case .cookie: "cookie"
    case .idempotencyKey: "idempotency-key"
    case .origin: "origin"
    case .prefer: "prefer"
    case .userAgent: "user-agent"
    case .forwardedFor: "x-forwarded-for"
    case .requestID: "x-request-id"
    case .ageMax: "hearth-age-max"
    }
  }
}

/// Tells which known field a name is, eight octets at a time: comparing names octet by octet was an eighth of the
/// instructions of a poll.
struct KnownFieldTable {
  /// The words of a name: its first eight octets, its last eight, and eight from the ninth on where there are as many,
  /// which together are all of a name of up to 24 octets.
  private struct Words {
    let first: UInt64
    let last: UInt64
    let middle: UInt64

    init(_ name: Span<UInt8>) {
      first = name.word(at: 0)
      last = name.count > 8 ? name.word(at: name.count - 8) : 0
      middle = name.count > 16 ? name.word(at: 8) : 0
    }
  }

  private struct Entry {
    let field: KnownField
    let words: Words
    /// The bit that tells uppercase from lowercase, in the places of letters: others have no case (RFC 9110 §5.1).
    let letters: Words

    func matches(_ name: Words) -> Bool {
      name.first | letters.first == words.first && name.last | letters.last == words.last
        && name.middle | letters.middle == words.middle
    }
  }

  /// By the length of the name.
  private let entries: [[Entry]]

  init() {
    var entries = [[Entry]](repeating: [], count: 25)
    for field in KnownField.allCases {
      let name = Array("\(field.name)".utf8)
      let letters = name.map { $0 == UInt8(ascii: "-") ? 0 : 0x20 as UInt8 }
      entries[name.count].append(Entry(field: field, words: Words(name.span), letters: Words(letters.span)))
    }
    self.entries = entries
  }

  /// The field that `name` names, in any case of its letters.
  func find(_ name: Span<UInt8>) -> KnownField? {
    guard name.count < entries.count else { return nil }
    let candidates = entries[name.count]
    guard !candidates.isEmpty else { return nil }
    let words = Words(name)
    for entry in candidates where entry.matches(words) { return entry.field }
    return nil
  }
}

extension Span<UInt8> {
  /// Eight octets from `start` on as one word, or those that there are.
  @inline(__always)
  fileprivate func word(at start: Int) -> UInt64 {
    if start &+ 8 <= count { return unsafe bytes.unsafeLoadUnaligned(fromByteOffset: start, as: UInt64.self) }
    var word: UInt64 = 0
    var index = start
    while index < count {
      word = word &<< 8 | UInt64(self[index])
      index = index &+ 1
    }
    return word
  }
}
